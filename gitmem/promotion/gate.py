"""The promotion gate: every rule over one case, in the order in which they are told (domain.md section 3)."""

from __future__ import annotations

from dataclasses import dataclass

from gitmem.promotion.case import Case
from gitmem.promotion.rules import origins
from gitmem.promotion.ruling import Decision, Outcome, Rule, RuleResult, weigh

RULES: tuple[Rule, ...] = (
    origins.failure_class,
    origins.type_allowed,
    origins.failure_origin,
    origins.rejected_approach,
    origins.imported_only,
)


@dataclass(frozen=True, slots=True)
class Judged:
    """What the gate says.

    Args:
        decision: Refuse beats hold beats needs a person; else accept.
        results: What each rule says, in the order of `RULES`.
    """

    decision: Decision
    results: tuple[RuleResult, ...]

    @property
    def lacking(self) -> tuple[RuleResult, ...]:
        """What speaks against it, gravest first."""
        order = (Outcome.FAILED, Outcome.HELD, Outcome.NEEDS_HUMAN)
        return tuple(one for outcome in order for one in self.results if one.outcome is outcome)


def judge(case: Case) -> Judged:
    """Run every rule and decide."""
    results = tuple(rule(case) for rule in RULES)
    return Judged(weigh(results), results)
