"""Rules about dates: a lesson that ended already is none."""

from __future__ import annotations

from gitmem.promotion.case import Case
from gitmem.promotion.ruling import RuleResult, failed, held, not_applicable, passed


def expiry(case: Case) -> RuleResult:
    rule, expires = "expiry", case.memory.expires_at
    if expires is None:
        return not_applicable(rule, "it says no end")
    if expires <= case.facts.today:
        return failed(rule, f"it expired {expires.isoformat()}", "--expires of a day to come, or deny it")
    return passed(rule, f"until {expires.isoformat()}")


def retention(case: Case) -> RuleResult:
    """When it is due for review: as it says itself, else by its type's retention in the policy."""
    rule, today = "retention", case.facts.today
    told = case.memory.review_after
    if told is not None and told <= today:
        return held(
            rule, f"its review was due {told.isoformat()}", "look again, and say a later review_after"
        )
    due = told or case.policy.due(case.type, today)
    if due is None:
        return not_applicable(rule, f"{case.type or 'its type'} is never due for review by age")
    return passed(rule, f"review {due.isoformat()}")
