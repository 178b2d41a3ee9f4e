"""Whether the code that a lesson speaks about still is what it was when the lesson was learnt: the drift checker asked
about something that is no memory yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gitmem.drift.counting import Counting
from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.model.candidate import Candidate
from gitmem.model.memory import Memory
from gitmem.model.validation import Baseline
from gitmem.model.verdict import Verdict
from gitmem.trust.effective import challenge_dates
from gitmem.usecases.close_look import CloseLook
from gitmem.usecases.contents import Contents
from gitmem.usecases.gating.told import Told
from gitmem.usecases.knowledge import Knowledge, KnownMemory
from gitmem.usecases.request import HEAD
from gitmem.usecases.states import State
from gitmem.usecases.subjects import Subject, scope_spec


class Standing(NamedTuple):
    """How a lesson stands to the code of today.

    Args:
        matched: How many paths its scope matches; None when it names none, or there is no code.
        verdict: What drift says since it was learnt; None when that cannot be told.
        drifted: What changed, one clause.
        unknown_elements: Elements that it names and the elements file does not.
    """

    matched: int | None = None
    verdict: Verdict | None = None
    drifted: str = ""
    unknown_elements: tuple[str, ...] = ()


class Freshness:
    """Asks about many lessons; the code of today is read once.

    Args:
        repository: Where.
        knowledge: What is known, for the elements.
        told: What the ledger tells of commits.
    """

    def __init__(self, repository: Repository, knowledge: Knowledge, told: Told) -> None:
        self._repository = repository
        self._knowledge = knowledge
        self._told = told
        self._state: State | None = None
        self._look: CloseLook | None = None
        if repository.head() is not None:
            contents = Contents(repository)
            self._state = State(repository, HEAD, contents)
            self._look = CloseLook(repository, self._state, contents)

    def standing(self, memory: Memory, since: str | None) -> Standing:
        """How a lesson stands.

        Args:
            memory: What it says.
            since: The commit at which it was learnt; None when nothing tells.
        """
        elements = self._knowledge.elements
        unknown = tuple(name for name in memory.scope.elements if elements.named(name) is None)
        if self._state is None or self._look is None:
            return Standing(unknown_elements=unknown)
        spec = scope_spec(memory, self._knowledge)
        matched = len(self._state.view.matched_paths(spec)) if spec.include else None
        if since is None or not matched or not self._repository.has(since):
            return Standing(matched, unknown_elements=unknown)
        if self._repository.tree_of(since) == self._repository.tree_of(self._state.label):
            return Standing(matched, Verdict.FRESH, unknown_elements=unknown)
        counting = Counting(Baseline(commit=since), None, recorded=True)
        subject = Subject(
            KnownMemory(memory, "", merged=False), counting, spec, challenge_dates(memory, None), ()
        )
        (looked,) = self._look.judge([subject])
        findings = [one for one in looked.grade.findings if one.verdict is looked.grade.verdict]
        drifted = f"{findings[0].path or findings[0].watch}: {findings[0].reason}" if findings else ""
        return Standing(matched, looked.grade.verdict, drifted, unknown)


def learnt_at(repository: Repository, told: Told, candidate: Candidate) -> str | None:
    """The commit whose code a candidate speaks of.

    What an agent says before it commits is about the code that it is about to commit: the commit that its run recorded
    next, when it sits right on the one that HEAD named.
    """
    code = candidate.fixed_by or candidate.code
    if code is None:
        return None
    if not candidate.fixed_by:
        code = _next_commit(repository, told, candidate, code) or code
    code = told.successor(code)
    try:
        return repository.resolve(code)
    except GitmemError:
        return None


def _next_commit(repository: Repository, told: Told, candidate: Candidate, code: str) -> str | None:
    later: Sequence[str] = [
        one.payload["commit"]
        for one in told.of("commit_recorded")
        if one.run == candidate.run and one.seq > candidate.seq and isinstance(one.payload.get("commit"), str)
    ]
    if not later:
        return None
    commit = repository.commit(later[0])
    return commit.oid if commit is not None and code in commit.parents else None
