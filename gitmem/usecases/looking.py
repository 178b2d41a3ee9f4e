"""The close look at the memories that a check's first pass did not settle, with who did what it found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gitmem.drift.grading import Grade
from gitmem.git.interface import Repository
from gitmem.model.validation import Mark
from gitmem.model.verdict import Finding, Judgement, Verdict
from gitmem.usecases.attribution import Attribution
from gitmem.usecases.basis import Found, plain_finding
from gitmem.usecases.close_look import SHALLOW_CURE, WEAK, CloseLook
from gitmem.usecases.contents import Contents
from gitmem.usecases.ground import Looked
from gitmem.usecases.pointing import pointed
from gitmem.usecases.states import State
from gitmem.usecases.subjects import Subject

_IDS_NAMED = 5


class Looking:
    """The close look of one check.

    Args:
        state: What is judged.
        contents: Shared blobs and outlines.
        since: The revision that a range begins at; None for each memory's own baseline.
        challenge_on: The policy's verdicts that challenge.

    Attributes:
        look: Who looks.
        marks: What the watches held at the baseline, by position, once they were judged.
    """

    def __init__(
        self, state: State, contents: Contents, since: str | None, challenge_on: frozenset[Verdict]
    ) -> None:
        self.look = _look(state.repository, state, contents, since)
        self.marks: Mapping[int, tuple[Mark, ...]] = {}
        self._state = state
        self._contents = contents
        self._challenge_on = challenge_on

    def judge(self, subjects: Mapping[int, Subject]) -> Mapping[int, Found]:
        """What is found on each memory, by its position."""
        if not subjects:
            return {}
        state, challenge_on = self._state, self._challenge_on
        looked = self.look.judge(list(subjects.values()))
        attribution = Attribution(state.repository, self._contents, state.history, _uncommitted(state))
        attribution.prepare(
            (one.grade.findings, one.ground.tree) for one in looked if one.grade.verdict in challenge_on
        )
        self.marks = {at: one.marks for at, one in zip(subjects, looked, strict=True)}
        return {
            at: _found(one, challenge_on, attribution, self.look)
            for at, one in zip(subjects, looked, strict=True)
        }

    def remarks(self, judged: Iterable[Judgement]) -> Iterable[str]:
        """What is said once for the whole report."""
        if self.look.history_missing:
            yield f"history is missing here (shallow clone): {SHALLOW_CURE}"
        yield from self._contents.notes()
        weak = [one.id for one in judged if any(note.startswith(WEAK) for note in one.notes)]
        if weak:
            more = f" and {len(weak) - _IDS_NAMED} more" if len(weak) > _IDS_NAMED else ""
            yield f"a parser came after their validation, so they are watched more weakly than they could be: gitmem confirm {' '.join(weak[:_IDS_NAMED])}{more}"


def _look(repository: Repository, state: State, contents: Contents, since: str | None) -> CloseLook:
    if since is None or state.commit is None:
        return CloseLook(repository, state, contents)
    from gitmem.usecases.edits import read_edits  # few checks are of a range
    from gitmem.usecases.range_look import RangeLook

    edits = read_edits(repository, repository.resolve(since), state.commit)
    return RangeLook(repository, state, contents, edits)


def _uncommitted(state: State) -> Mapping[str, tuple[str | None, str | None]]:
    if state.commit is not None or state.head is None:
        return {}
    held = {entry.path: entry.oid for entry in state.repository.list_tree(state.head)}
    now = state.view.paths()
    differing = (path for path in {*held, *now} if held.get(path) != now.get(path))
    return {path: (held.get(path), now.get(path)) for path in differing}


def _found(
    looked: Looked, challenge_on: frozenset[Verdict], attribution: Attribution, look: CloseLook
) -> Found:
    """The result of a close look as plain values, with who did it where it challenges."""
    grade = looked.grade
    findings: Iterable[Finding] = grade.findings
    if grade.verdict in challenge_on:
        then = look.view_of(looked.ground.tree) if looked.ground.tree is not None else None
        findings = pointed(attribution.attribute(findings, looked.ground.tree), look.now, then)
    how = looked.ground.how
    return Found(
        grade.verdict.value,
        tuple(map(plain_finding, findings)),
        (*grade.notes, *_patch_notes(grade)),
        looked.ground.tree,
        how.value if how is not None else None,
        looked.matched,
        grade.patch,
    )


def _patch_notes(grade: Grade) -> Iterable[str]:
    for old, new in grade.patch:
        yield f"scope patch: {old} → {new}" if old else f"scope patch: also {new}"
