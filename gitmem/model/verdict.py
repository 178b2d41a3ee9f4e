"""What the drift checker says of a memory (drift.md, table of verdicts)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, NamedTuple, overload

from gitmem.model.problem import Problem


class Verdict(StrEnum):
    FRESH = "fresh"
    COSMETIC = "cosmetic"
    RELOCATED = "relocated"
    TOUCHED = "touched"
    CHANGED = "changed"
    REWRITTEN = "rewritten"
    GONE = "gone"
    UNKNOWN = "unknown"

    @property
    def severity(self) -> int:
        """Rank for "worst first"; unknown stands below what is challenged and above what is merely touched."""
        return _SEVERITY.index(self)


_SEVERITY = (
    Verdict.FRESH,
    Verdict.COSMETIC,
    Verdict.RELOCATED,
    Verdict.TOUCHED,
    Verdict.UNKNOWN,
    Verdict.CHANGED,
    Verdict.REWRITTEN,
    Verdict.GONE,
)
CHALLENGING = frozenset({Verdict.CHANGED, Verdict.REWRITTEN, Verdict.GONE})


class BaselineHow(StrEnum):
    """Where the baseline came from: a recorded commit, stored content, the history of the memory's file, or a range
    that was asked for, whose start nobody validated.
    """

    RECORDED = "recorded"
    CONTENT = "content"
    INFERRED = "inferred"
    RANGE = "range"


@dataclass(frozen=True, slots=True)
class Finding:
    """One piece of evidence: what happened to one watch or one path.

    Args:
        verdict: The verdict of this piece alone.
        reason: A short clause for people: "signature changed", "renamed to X", "comments only".
        watch: Text form of the watch; None when a path of the scope changed that no watch names.
        path: Path at the baseline (or the new path of an addition).
        new_path: Where it is now, when it moved.
        share: Part of the old lines that are gone or replaced, 0 to 1; None when it cannot be measured.
        commit: The commit that did it; looked up for flagged memories only.
        author: Its author's name.
        at: Its date, RFC 3339.
        commits: How many commits since the baseline changed what is watched there; not all that touched the file.
        subject: The commit's subject line.
        compared: How the two contents were compared when not by syntax or value; None by the finest test.
        moved: Text form of the watch as it would be written now; None when it did not move.
        line: The first line that changed, from 1, in the judged state; told of what challenges, where there is one.
    """

    verdict: Verdict
    reason: str
    watch: str | None = None
    path: str | None = None
    new_path: str | None = None
    share: float | None = None
    commit: str | None = None
    author: str | None = None
    at: str | None = None
    commits: int | None = None
    subject: str | None = None
    compared: str | None = None
    moved: str | None = None
    line: int | None = None


def percentage(share: float | None) -> str:
    """A share in words; what rounds to nothing is ``under 1%``, and none at all is empty, as of lines that were only added."""
    if not share:
        return ""
    return f"{share:.0%}" if round(share * 100) else "under 1%"


NO_SCOPE: Final = "it has no scope"
"""The note of a memory that says nowhere where it applies."""
OTHER_WORDS: Final = "its words changed since they were validated; confirm it again"
"""The note of a memory of which nobody looked at what it says now."""


class Judgement(NamedTuple):
    """The verdict on one memory with everything a report needs.

    Args:
        id: The memory.
        title: Its title; None without one.
        label: What a line about it starts with.
        file: Repository path of its file.
        summary: The statement itself.
        verdict: The worst of the findings after policy.
        status: ``challenged`` when the verdict, a date or a mark challenges it; else ``proposed`` when the trusted
            branch does not hold it; else ``active``.
        proposed: Whether the trusted branch does not hold it.
        baseline: Commit of the baseline; None when there is none or content decided.
        how: Where the baseline came from; None without one.
        validated_at: RFC 3339 date or time of the validation that counted; None without one.
        findings: Evidence, worst first.
        warning: The warning in words, ``VERIFY — …``; empty when none is due.
        notes: What else a person should know (a soft note, a scope patch, why it could not be checked).
        challenged_by: What challenges it: any of ``drift``, ``review``, ``expiry``, ``mark``.
        matched: How many paths of the judged tree the scope matched.
        patch: (as written, as it would be written) of scope globs and written watches whose content moved; nothing as
            written for a path to add to the scope.
        course: Of a range alone, what becomes of a memory that it would challenge and does not: ``answered`` by the
            range itself, or ``unconfirmed`` words of its own, judged so once they are merged; empty otherwise.
    """

    id: str
    title: str | None
    label: str
    file: str
    summary: str
    verdict: Verdict
    status: str
    proposed: bool
    baseline: str | None
    how: BaselineHow | None
    validated_at: str | None
    findings: tuple[Finding, ...]
    warning: str
    notes: tuple[str, ...] = ()
    challenged_by: tuple[str, ...] = ()
    matched: int = 0
    patch: tuple[tuple[str, str], ...] = ()
    course: Literal["", "answered", "unconfirmed"] = ""


class Judgements(Sequence[Judgement]):
    """The judgements of one check, of which those that say nothing are made when somebody reads them.

    Args:
        telling: Those that `tells` is true of, in the order of a report; they come first.
        others: How many there are besides.
        make: Makes those others, in order.
    """

    __slots__ = ("_made", "_make", "_others", "telling")

    def __init__(
        self, telling: tuple[Judgement, ...], others: int, make: Callable[[], Sequence[Judgement]]
    ) -> None:
        self.telling = telling
        self._others = others
        self._make = make
        self._made: tuple[Judgement, ...] | None = None

    def __len__(self) -> int:
        return len(self.telling) + self._others

    @overload
    def __getitem__(self, at: int) -> Judgement: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Judgement]: ...
    def __getitem__(self, at: int | slice) -> Judgement | Sequence[Judgement]:
        return self._all()[at]

    def __iter__(self) -> Iterator[Judgement]:
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, (tuple, Judgements)) and self._all() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())

    def _all(self) -> tuple[Judgement, ...]:
        if self._made is None:
            self._made = (*self.telling, *self._make())
        return self._made


def marked(judgement: Judgement, what: str, note: str) -> Judgement:
    """The judgement, challenged as by a person's mark whatever else was found.

    Args:
        judgement: What was found.
        what: What is told of it where nothing else warns, one clause.
        note: The whole of it, with the cure.
    """
    return judgement._replace(
        status="challenged",
        warning=judgement.warning or f"VERIFY — {what}",
        notes=(*judgement.notes, note),
        challenged_by=tuple(dict.fromkeys((*judgement.challenged_by, "mark"))),
        course="",
    )


def tells(judgement: Judgement) -> bool:
    """Whether there is more to say of a memory than that it is fresh."""
    fresh = judgement.verdict is Verdict.FRESH and judgement.status != "challenged"
    return not fresh or bool(judgement.challenged_by or judgement.course)


def telling(judgements: Sequence[Judgement]) -> tuple[Judgement, ...]:
    """Those that `tells` is true of, in order; of ten thousand memories mostly few."""
    if isinstance(judgements, Judgements):
        return judgements.telling
    return tuple(filter(tells, judgements))


@dataclass(frozen=True, slots=True)
class DriftReport:
    """Everything one check found.

    Args:
        head: What was judged: a commit id, or ``worktree`` or ``staged``.
        judgements: Every memory checked, worst first.
        problems: Files that could not be read.
        remarks: Said once for the whole report: history missing, a grammar missing, too many challenged at once.
        history_missing: Whether the clone is shallow and a baseline was missing because of it.
    """

    head: str
    judgements: Sequence[Judgement]
    problems: tuple[Problem, ...] = ()
    remarks: tuple[str, ...] = ()
    history_missing: bool = False

    @property
    def challenged(self) -> tuple[Judgement, ...]:
        return tuple(one for one in self.telling if one.status == "challenged")

    @property
    def telling(self) -> tuple[Judgement, ...]:
        """The judgements that say more than that a memory is fresh."""
        return telling(self.judgements)
