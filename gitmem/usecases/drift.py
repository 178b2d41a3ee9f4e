"""Check drift: load what is known, settle what is unchanged in one pass, look closely at the rest.

The first pass reads the judged tree once and compares stored digests (targets.md); what it settles is fresh without
any look at a baseline. Everything else goes through `gitmem.usecases.close_look`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gitmem.git.interface import Repository
from gitmem.model.validation import Mark
from gitmem.model.verdict import DriftReport, Judgement
from gitmem.store.parses import Parses
from gitmem.trust.branch import Trusted
from gitmem.usecases.basis import (
    Basis,
    Outcome,
    basis_of,
    facts_of,
    fresh,
    judge,
    settle,
    worst_first,
)
from gitmem.usecases.contents import Contents
from gitmem.usecases.garbage import seldom_collected
from gitmem.usecases.knowledge import Knowledge, load_knowledge
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
    settled = _settled(state, bases) if request.since is None else {}
    rest = {place: one for place, one in enumerate(chosen) if place not in settled}
    challenge_on = knowledge.policy.challenge_on
    looking = None
    if rest or request.since is not None:
        from gitmem.usecases.looking import Looking  # loads the drift rules and the parsers

        looking = Looking(state, contents, request.since, challenge_on)
    close = looking.judge(rest) if looking is not None else {}
    today = request.day.isoformat()
    judged = tuple(
        judge(one, close[at] if at in close else fresh(one, settled[at]), today, challenge_on)
        for at, one in enumerate(facts)
    )
    if looking is None:
        remarks = contents.notes()
        outcome = Outcome(facts, bases, settled, close, remarks, history_missing=False)
        return Checked(state, contents, knowledge, chosen, judged, outcome, {}, {})
    remarks = tuple(looking.remarks(judged))
    outcome = Outcome(facts, bases, settled, close, remarks, looking.look.history_missing)
    return Checked(state, contents, knowledge, chosen, judged, outcome, looking.look.asked, looking.marks)


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
