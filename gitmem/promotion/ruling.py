"""What a rule of the promotion gate says, and what the gate decides (domain.md section 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from gitmem.promotion.case import Case


class Outcome(StrEnum):
    """What one rule says.

    Args:
        PASSED: Nothing to object.
        FAILED: Must not become knowledge as it is.
        HELD: Something is missing that can be added.
        NEEDS_HUMAN: Only a person can tell; the pull request is where one does.
        NOT_APPLICABLE: The rule does not speak about this, or the policy does not ask for it.
    """

    PASSED = "passed"
    FAILED = "failed"
    HELD = "held"
    NEEDS_HUMAN = "needs_human"
    NOT_APPLICABLE = "not_applicable"


class GateDecision(StrEnum):
    """What the gate says of the whole."""

    ACCEPT = "accept"
    REFUSE = "refuse"
    HOLD = "hold"
    NEEDS_HUMAN = "needs_human"


_WEIGHT = (
    (Outcome.FAILED, GateDecision.REFUSE),
    (Outcome.HELD, GateDecision.HOLD),
    (Outcome.NEEDS_HUMAN, GateDecision.NEEDS_HUMAN),
)
"""Refuse beats hold beats needs a person."""


@dataclass(frozen=True, slots=True)
class RuleResult:
    """What one rule says.

    Args:
        rule: Its name, as the policy writes it where it has one.
        outcome: What it says.
        reason: Why, one clause for people.
        cure: What would change it; empty when it passed.
    """

    rule: str
    outcome: Outcome
    reason: str = ""
    cure: str = ""

    @property
    def is_lacking(self) -> bool:
        return self.outcome in {Outcome.FAILED, Outcome.HELD, Outcome.NEEDS_HUMAN}


Rule = Callable[[Case], RuleResult]


def passed(rule: str, reason: str = "") -> RuleResult:
    return RuleResult(rule, Outcome.PASSED, reason)


def failed(rule: str, reason: str, cure: str) -> RuleResult:
    return RuleResult(rule, Outcome.FAILED, reason, cure)


def held(rule: str, reason: str, cure: str) -> RuleResult:
    return RuleResult(rule, Outcome.HELD, reason, cure)


def needs_human(rule: str, reason: str, cure: str) -> RuleResult:
    return RuleResult(rule, Outcome.NEEDS_HUMAN, reason, cure)


def not_applicable(rule: str, reason: str = "") -> RuleResult:
    return RuleResult(rule, Outcome.NOT_APPLICABLE, reason)


def weigh(results: tuple[RuleResult, ...]) -> GateDecision:
    """The decision that the outcomes of all rules make together."""
    outcomes = {one.outcome for one in results}
    return next((decision for outcome, decision in _WEIGHT if outcome in outcomes), GateDecision.ACCEPT)
