"""Check drift: load what is known, settle what is unchanged in one pass, look closely at the rest.

The first pass reads the judged tree once and compares stored digests (targets.md); what it settles is fresh without
any look at a baseline. Everything else goes through `gitmem.usecases.close_look`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gitmem.drift.grading import Grade
from gitmem.git.interface import Repository
from gitmem.model.validation import Mark
from gitmem.model.verdict import DriftReport, Finding, Judgement, Verdict
from gitmem.store.parses import Parses
from gitmem.trust.branch import Trusted
from gitmem.usecases.attribution import Attribution
from gitmem.usecases.basis import (
    Basis,
    Found,
    Outcome,
    basis_of,
    facts_of,
    fresh,
    judge,
    plain_finding,
    settle,
    worst_first,
)
from gitmem.usecases.close_look import SHALLOW_CURE, WEAK, CloseLook
from gitmem.usecases.contents import Contents
from gitmem.usecases.garbage import seldom_collected
from gitmem.usecases.ground import Looked
from gitmem.usecases.knowledge import Knowledge, load_knowledge
from gitmem.usecases.pointing import pointed
from gitmem.usecases.request import Request
from gitmem.usecases.states import State
from gitmem.usecases.subjects import Subject, subjects


@dataclass(frozen=True, slots=True)
class Checked:
    """One check with everything it loaded.

    Args:
        state: What was judged.
        contents: Shared blobs and outlines.
        knowledge: What is known there.
        subjects: The memories judged.
        judgements: The verdict on each, in the order of `subjects`.
        outcome: The same as plain values, with what is said once for the whole report.
        asked: Objects that the close look asked for, and whether they were here.
        marks: What the watches held at the baseline, by position, of those that were looked at closely.
    """

    state: State
    contents: Contents
    knowledge: Knowledge
    subjects: tuple[Subject, ...]
    judgements: tuple[Judgement, ...]
    outcome: Outcome
    asked: Mapping[str, bool]
    marks: Mapping[int, tuple[Mark, ...]]

    @property
    def report(self) -> DriftReport:
        """The report, worst first."""
        return DriftReport(
            head=self.state.label,
            judgements=tuple(worst_first(self.judgements)),
            problems=self.knowledge.problems,
            remarks=self.outcome.remarks,
            history_missing=self.outcome.history_missing,
        )


def examine(repository: Repository, request: Request) -> Checked:
    """Judge memories against the code; `gitmem.usecases.checking` asks what was kept first.

    Of a range (`Request.since`) this is what it does to each memory, whoever confirmed what in it; what it leaves open
    is decided by `gitmem.usecases.range_checking`.

    Raises:
        NotFoundError: When a revision or an id does not exist.
        NotServedError: When there is nothing to judge (no commits yet).
    """
    with seldom_collected():
        return _examine(repository, request)


def _examine(repository: Repository, request: Request) -> Checked:
    contents = Contents(repository, Parses(repository.layout.common_dir))
    state = State(repository, request.target, contents)
    knowledge = _knowledge(repository, state, request.trusted)
    chosen = subjects(knowledge, request.day, request.ids)
    facts, bases = tuple(map(facts_of, chosen)), tuple(map(basis_of, chosen))
    look = _look(repository, state, contents, request.since)
    settled = _settled(state, bases) if request.since is None else {}
    rest = [place for place in range(len(chosen)) if place not in settled]
    looked = look.judge([chosen[place] for place in rest]) if rest else []
    challenge_on = knowledge.policy.challenge_on
    attribution = Attribution(repository, contents, state.history, _uncommitted(state) if rest else {})
    attribution.prepare(
        (one.grade.findings, one.ground.tree) for one in looked if one.grade.verdict in challenge_on
    )
    close = {at: _found(one, challenge_on, attribution, look) for at, one in zip(rest, looked, strict=True)}
    today = request.day.isoformat()
    judged = tuple(
        judge(one, close[at] if at in close else fresh(one, settled[at]), today, challenge_on)
        for at, one in enumerate(facts)
    )
    outcome = Outcome(
        facts, bases, settled, close, tuple(_remarks(look, contents, judged)), look.history_missing
    )
    marks = {at: one.marks for at, one in zip(rest, looked, strict=True)}
    return Checked(state, contents, knowledge, chosen, judged, outcome, look.asked, marks)


def _look(repository: Repository, state: State, contents: Contents, since: str | None) -> CloseLook:
    if since is None or state.commit is None:
        return CloseLook(repository, state, contents)
    from gitmem.usecases.edits import read_edits  # few checks are of a range
    from gitmem.usecases.range_look import RangeLook

    edits = read_edits(repository, repository.resolve(since), state.commit)
    return RangeLook(repository, state, contents, edits)


def _knowledge(repository: Repository, state: State, trusted: Trusted | None) -> Knowledge:
    if state.commit is not None:
        return load_knowledge(repository, tree=state.commit, trusted=trusted)
    return load_knowledge(repository, tree=state.head, entries=state.entries, read=state.view.read)


# first pass
def _settled(state: State, bases: Sequence[Basis]) -> Mapping[int, int]:
    """By position, how many paths a memory matches that is fresh by content alone."""
    if state.commit is None or not any(basis.digest for basis in bases):
        return {}
    return settle(bases, state.listing)


# what a report needs
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


def _remarks(look: CloseLook, contents: Contents, judged: Iterable[Judgement]) -> Iterable[str]:
    if look.history_missing:
        yield f"history is missing here (shallow clone): {SHALLOW_CURE}"
    yield from contents.notes()
    weak = [one.id for one in judged if any(note.startswith(WEAK) for note in one.notes)]
    if weak:
        more = f" and {len(weak) - _IDS_NAMED} more" if len(weak) > _IDS_NAMED else ""
        yield f"a parser came after their validation, so they are watched more weakly than they could be: gitmem confirm {' '.join(weak[:_IDS_NAMED])}{more}"


_IDS_NAMED = 5
