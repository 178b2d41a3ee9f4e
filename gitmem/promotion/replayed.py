"""What a replay found, its verdict, and the scorecard that is recorded of it (domain.md section 3 "Replay").

The scorecard of a ``promotion_decided`` event whose decision is ``replayed``:

| field | form |
|---|---|
| verdict | strong (failed before the fix, passes after it and at HEAD), passed, failed, unknown |
| probe | as the memory says it: a command, or a name in the policy's ``probes`` |
| command | what was run by ``sh -c`` |
| of | what was replayed: the commit of the candidate's event, or the object id of the memory's file |
| sides | a list of role (before, after, head), at, outcome (passed, failed, unknown), exit_code, duration_s, reason, |
|  | artifact, and taken: paths of files of the fix that stood in the checkout before it |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from gitmem.model.candidate import Decision
from gitmem.results.probe import ProbeOutcome

REPLAYED = "replayed"
"""The word of ``promotion_decided.decision``."""

Role = Literal["before", "after", "head"]


class ReplayVerdict(StrEnum):
    STRONG = "strong"
    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "unknown"

    @property
    def holds(self) -> bool:
        return self in {ReplayVerdict.STRONG, ReplayVerdict.PASSED}


@dataclass(frozen=True, slots=True)
class Side:
    """One run of the probe.

    Args:
        role: Before the fix, after it, or at HEAD.
        at: The commit; None when there is none here to run it at.
        outcome: What it says.
        exit_code: As a shell tells it; None when it did not end by itself.
        duration_s: Seconds.
        reason: Why it failed or is unknown.
        artifact: Name of its log in the run; empty when it printed nothing.
        taken: Files of the fix that stood in the checkout of the commit before it: the tests that it brought.
        notes: What else to know: submodules that were empty, processes left behind.
    """

    role: Role
    at: str | None
    outcome: ProbeOutcome
    exit_code: int | None = None
    duration_s: float = 0.0
    reason: str = ""
    artifact: str = ""
    taken: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scorecard:
    """All runs of one probe.

    Args:
        probe: As the memory says it.
        command: What was run.
        of: What was replayed: commit of the candidate's event, or object id of the memory's file.
        sides: In the order they were run. When the fix is HEAD itself, its side ``after`` is that of HEAD too.
    """

    probe: str
    command: str
    of: str
    sides: tuple[Side, ...] = ()

    @property
    def verdict(self) -> ReplayVerdict:
        return verdict_of(self.sides)


def verdict_of(sides: Iterable[Side]) -> ReplayVerdict:
    """HEAD decides; passing there is strong when the probe failed before the fix and passed after it."""
    by_role = {one.role: one.outcome for one in sides}
    head = by_role.get("head", by_role.get("after", ProbeOutcome.UNKNOWN))
    if head is not ProbeOutcome.PASSED:
        return ReplayVerdict(head.value)
    both = (by_role.get("before"), by_role.get("after"))
    return (
        ReplayVerdict.STRONG if both == (ProbeOutcome.FAILED, ProbeOutcome.PASSED) else ReplayVerdict.PASSED
    )


def scorecard_payload(card: Scorecard) -> dict[str, Any]:
    """As it is recorded; what is not said is left out."""
    return {
        "verdict": card.verdict.value,
        "probe": card.probe,
        "command": card.command,
        "of": card.of,
        "sides": [_plain_side(one) for one in card.sides],
    }


def _plain_side(side: Side) -> dict[str, Any]:
    told = {
        "role": side.role,
        "at": side.at,
        "outcome": side.outcome.value,
        "exit_code": side.exit_code,
        "duration_s": round(side.duration_s, 3),
        "reason": side.reason,
        "artifact": side.artifact,
        "taken": list(side.taken),
        "notes": list(side.notes),
    }
    return {name: value for name, value in told.items() if value not in (None, "", [])}


def newest_replay(decisions: Iterable[Decision], of: str) -> Mapping[str, Any] | None:
    """The scorecard of the newest replay of exactly this text; None when it was never replayed.

    Args:
        decisions: Decisions about a candidate or memory, oldest first.
        of: Commit of the candidate's event (`Candidate.commit`), or object id of the memory's file.
    """
    found = [one.scorecard for one in decisions if one.decision == REPLAYED and one.scorecard.get("of") == of]
    return found[-1] if found else None


def replay_holds(card: Mapping[str, Any] | None) -> bool:
    """Whether a scorecard says that replay passed."""
    return card is not None and card.get("verdict") in {ReplayVerdict.STRONG, ReplayVerdict.PASSED}


def replayed_blobs(decisions: Iterable[Decision]) -> frozenset[str]:
    """Object ids of memory files whose newest recorded scorecard that speaks of a replay says that it passed.

    That is a replay of the file itself, or what the gate said of it: a proposal is judged by the replay of its candidate.

    Args:
        decisions: Of everything, oldest first.
    """
    newest: dict[str, bool] = {}
    for one in decisions:
        holds = _says_of_file(one)
        if one.blob and holds is not None:
            newest[one.blob] = holds
    return frozenset(blob for blob, holds in newest.items() if holds)


def _says_of_file(decision: Decision) -> bool | None:
    """Whether replay passed, as a decision about a file tells it; None when it does not speak of one."""
    if decision.decision == REPLAYED:
        return replay_holds(decision.scorecard) if decision.scorecard.get("of") == decision.blob else None
    rules = decision.scorecard.get("rules")
    for rule in rules if isinstance(rules, list) else ():
        if isinstance(rule, Mapping) and rule.get("rule") == "replay":
            return {"passed": True, "failed": False}.get(str(rule.get("outcome")))
    return None
