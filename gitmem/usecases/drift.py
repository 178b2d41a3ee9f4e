"""Check drift: load what is known, settle what is unchanged in one pass, look closely at the rest.

The first pass reads the judged tree once and compares stored digests (targets.md); what it settles is fresh without
any look at a baseline. Everything else goes through `gitmem.usecases.close_look`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from gitmem.drift.first_pass import objects_at
from gitmem.drift.grading import Grade
from gitmem.drift.scopes import ScopeMatcher
from gitmem.drift.warning import drift_warning, due_warning, mark_warning
from gitmem.git.interface import Repository
from gitmem.model.memory import Memory
from gitmem.model.validation import ALGO, Mark
from gitmem.model.verdict import BaselineHow, DriftReport, Judgement, Verdict
from gitmem.model.watch import Polarity, WatchKind
from gitmem.usecases.attribution import Attribution
from gitmem.usecases.close_look import SHALLOW_CURE, CloseLook, Ground, Looked
from gitmem.usecases.inference import words_digest
from gitmem.usecases.knowledge import Knowledge, load_knowledge
from gitmem.usecases.states import HEAD, State, Target
from gitmem.usecases.subjects import Subject, subjects
from gitmem.usecases.views import Contents


@dataclass(frozen=True, slots=True)
class Request:
    """What to check.

    Args:
        ids: Memories to check; all living ones when empty.
        target: What is judged.
        since: A revision that is the baseline of all (``--range BASE..HEAD``); None for each memory's own.
        today: The day to judge dates at; the present day when None.
    """

    ids: Sequence[str] = ()
    target: Target = HEAD
    since: str | None = None
    today: date | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """One check with everything it loaded.

    Args:
        state: What was judged.
        contents: Shared blobs and outlines.
        knowledge: What is known there.
        subjects: The memories judged.
        judgements: The verdict on each, in the order of `subjects`.
        remarks: Said once for the whole report.
        history_missing: Whether a baseline was missing because the clone is shallow.
    """

    state: State
    contents: Contents
    knowledge: Knowledge
    subjects: tuple[Subject, ...]
    judgements: tuple[Judgement, ...]
    remarks: tuple[str, ...]
    history_missing: bool

    def paths_of(self, judgement: Judgement) -> tuple[str, ...]:
        """Paths of the judged state that the scope of one of the judged memories matches."""
        at = next(place for place, one in enumerate(self.judgements) if one is judgement)
        return self.state.view.matched_paths(self.subjects[at].spec)

    @property
    def report(self) -> DriftReport:
        """The report, worst first."""
        return DriftReport(
            head=self.state.label,
            judgements=tuple(sorted(self.judgements, key=_worst_first)),
            problems=self.knowledge.problems,
            remarks=self.remarks,
            history_missing=self.history_missing,
        )


def check(repository: Repository, request: Request | None = None) -> DriftReport:
    """Judge memories against the code.

    Raises:
        NotFoundError: When a revision or an id does not exist.
        NotServedError: When there is nothing to judge (no commits yet).
    """
    return examine(repository, request or Request()).report


def examine(repository: Repository, request: Request) -> Checked:
    """The same as `check`, with everything that was loaded on the way."""
    contents = Contents(repository)
    state = State(repository, request.target, contents)
    knowledge = _knowledge(repository, state)
    today = request.today or datetime.now().astimezone().date()
    chosen = subjects(knowledge, today, request.ids)
    since = repository.resolve(request.since) if request.since is not None else None
    look = CloseLook(repository, state, contents)
    looked = [None] * len(chosen) if since is not None else _settled(state, chosen)
    rest = [one for one, found in zip(chosen, looked, strict=True) if found is None]
    closely = iter(look.judge(rest, since=since) if rest else ())
    found = [one if one is not None else next(closely) for one in looked]
    attribution = Attribution(repository, state.history, _uncommitted(state) if rest else frozenset())
    judged = [_judgement(one, seen, knowledge, attribution) for one, seen in zip(chosen, found, strict=True)]
    remarks = tuple(_remarks(look, contents))
    return Checked(state, contents, knowledge, chosen, tuple(judged), remarks, look.history_missing)


def _knowledge(repository: Repository, state: State) -> Knowledge:
    if state.commit is not None:
        return load_knowledge(repository, tree=state.commit)
    return load_knowledge(repository, tree=state.head, entries=state.entries, read=state.view.read)


# first pass
def _settled(state: State, chosen: Sequence[Subject]) -> list[Looked | None]:
    """Fresh for each memory whose stored digests equal the judged tree's, by content alone; None for the rest."""
    places = [place for place, one in enumerate(chosen) if _is_comparable(one)]
    found: list[Looked | None] = [None] * len(chosen)
    if not places or state.commit is None:
        return found
    wanted = {path for place in places for path in _marked_paths(chosen[place])}
    objects = objects_at(state.listing, wanted)
    matcher = ScopeMatcher(state.listing)
    for place in places:
        baseline = chosen[place].counting.baseline
        digest, matched = matcher.match(chosen[place].spec)
        if baseline is None or baseline.scope != digest or not _holds(baseline.marks, objects):
            continue
        if matched or baseline.marks:
            how = BaselineHow.RECORDED if baseline.commit else BaselineHow.CONTENT
            found[place] = Looked(Grade(Verdict.FRESH, ()), Ground(baseline.commit, how), matched)
    return found


def _is_comparable(subject: Subject) -> bool:
    baseline = subject.counting.baseline
    if baseline is None or baseline.scope is None or baseline.algo != ALGO:
        return False
    return subject.counting.text is None or subject.counting.text == words_digest(subject.memory)


def _marked_paths(subject: Subject) -> Iterable[str]:
    baseline = subject.counting.baseline
    for mark in baseline.marks if baseline is not None else ():
        yield from _paths_of(mark)


def _paths_of(mark: Mark) -> Iterable[str]:
    if mark.watch.kind is WatchKind.IDENT:
        yield from (path for path, _ in mark.sample[:1])
    elif mark.watch.path:
        yield mark.watch.path.partition("#")[0].rstrip("/")
    yield from (target.partition("#")[0] for target, _, _ in mark.uses)


def _holds(marks: Iterable[Mark], oids: Mapping[str, str]) -> bool:
    """Whether every mark's file or folder is the same object still; then nothing it rests on differs."""
    return all(_same_objects(mark, oids) for mark in marks)


def _same_objects(mark: Mark, oids: Mapping[str, str]) -> bool:
    if mark.watch.kind is WatchKind.IDENT:
        if mark.watch.polarity is Polarity.PROHIBITS and not mark.sample:
            return True
        return bool(mark.sample) and oids.get(mark.sample[0][0]) == mark.sample[0][1]
    path = (mark.watch.path or "").partition("#")[0].rstrip("/")
    return oids.get(path) == mark.blob and all(
        oids.get(t.partition("#")[0]) == blob for t, blob, _ in mark.uses
    )


# what a report needs
def _uncommitted(state: State) -> frozenset[str]:
    if state.commit is not None or state.head is None:
        return frozenset()
    held = {entry.path: entry.oid for entry in state.repository.list_tree(state.head)}
    now = state.view.paths()
    return frozenset(path for path in {*held, *now} if held.get(path) != now.get(path))


def _judgement(subject: Subject, looked: Looked, knowledge: Knowledge, attribution: Attribution) -> Judgement:
    memory = subject.memory
    grade = looked.grade
    drifted = grade.verdict in knowledge.policy.challenge_on
    findings = attribution.attribute(grade.findings, looked.ground.tree) if drifted else grade.findings
    by = (*(("drift",) if drifted else ()), *subject.due)
    at = subject.counting.at
    return Judgement(
        id=memory.id,
        title=memory.title,
        label=memory.label,
        file=memory.file,
        summary=memory.summary,
        verdict=grade.verdict,
        status=_status(by, merged=subject.known.merged),
        proposed=not subject.known.merged,
        baseline=looked.ground.tree,
        how=looked.ground.how,
        validated_at=at.isoformat() if at is not None else None,
        findings=findings,
        warning=_warning(memory, subject.due, grade.verdict if drifted else Verdict.FRESH, findings),
        notes=(*grade.notes, *_patch_notes(grade)),
        challenged_by=by,
        matched=looked.matched,
    )


def _status(challenged_by: Sequence[str], *, merged: bool) -> str:
    if challenged_by:
        return "challenged"
    return "active" if merged else "proposed"


def _warning(memory: Memory, due: Sequence[str], verdict: Verdict, findings: Sequence[object]) -> str:
    words = drift_warning(verdict, findings)  # type: ignore[arg-type]  # findings of a judgement
    if words:
        return words
    if "mark" in due:
        return mark_warning(memory.challenged_because)
    if "review" in due and memory.review_after is not None:
        return due_warning("review was due", memory.review_after)
    if "expiry" in due and memory.expires_at is not None:
        return due_warning("it expired on", memory.expires_at)
    return ""


def _patch_notes(grade: Grade) -> Iterable[str]:
    for old, new in grade.patch:
        yield f"scope patch: {old} → {new}"


def _worst_first(judgement: Judgement) -> tuple[int, int, str, bool]:
    return (judgement.status != "challenged", -judgement.verdict.severity, judgement.id, judgement.proposed)


def _remarks(look: CloseLook, contents: Contents) -> Iterable[str]:
    if look.history_missing:
        yield f"history is missing here (shallow clone): {SHALLOW_CURE}"
    yield from contents.notes()
