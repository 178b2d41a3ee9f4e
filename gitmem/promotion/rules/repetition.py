"""Rules about what is known already: the same fact, a contradiction, what was denied, two proposals of one thing."""

from __future__ import annotations

from collections.abc import Iterable

from gitmem.promotion.case import Alike, Case, Known
from gitmem.promotion.ruling import RuleResult, failed, held, needs_human, not_applicable, passed
from gitmem.promotion.similarity import Band


def duplicated_memory(case: Case) -> RuleResult:
    """An approved memory says it already."""
    return _repeats(case, "duplicated_memory", Known.APPROVED, "gitmem confirm {id}, or --supersedes {id}")


def duplicated_note(case: Case) -> RuleResult:
    """Another candidate says it already."""
    return _repeats(
        case, "duplicated_note", Known.CANDIDATE, "keep one: gitmem deny ID --reason, or --supersedes {id}"
    )


def _repeats(case: Case, rule: str, known: Known, cure: str) -> RuleResult:
    if not case.asks(rule):
        return not_applicable(rule, "the policy does not ask for it")
    near = [one for one in case.facts.alike if one.known is known]
    if same := _first(near, Band.SAME):
        return failed(rule, f"{same.id} says the same", cure.format(id=same.id))
    if close := _first(near, Band.SAME_MAYBE):
        return needs_human(
            rule, f"{close.id} may say the same", f"a person compares them; {cure.format(id=close.id)}"
        )
    return passed(rule)


def denied_before(case: Case) -> RuleResult:
    """A fact that was denied is not proposed again by saying it in other words."""
    rule = "denied_before"
    near = [one for one in case.facts.alike if one.known is Known.DENIED]
    if one := _first(near, Band.SAME) or _first(near, Band.SAME_MAYBE):
        return failed(
            rule,
            f"{one.id} said so and was denied {one.told}".rstrip(),
            "say what is new since then, or leave it",
        )
    return passed(rule)


def no_conflict_with_existing_memory(case: Case) -> RuleResult:
    """A possible contradiction waits for a person; the newer one never wins by being newer."""
    rule = "no_conflict_with_existing_memory"
    if not case.asks(rule):
        return not_applicable(rule, "the policy does not ask for it")
    near = [one for one in case.facts.alike if one.known is not Known.DENIED and one.band is Band.CONFLICT]
    if not near:
        return passed(rule)
    open_ones = [one for one in near if not one.answered]
    if not open_ones:
        return passed(rule, f"a person answered {near[0].answered}: {near[0].id}")
    against = open_ones[0]
    return held(
        rule,
        f"{against.id} may say otherwise: {against.differs}",
        f"gitmem review --resolve {case.memory.id} --as kept_existing|superseded|both_hold --reason TEXT",
    )


def one_proposal(case: Case) -> RuleResult:
    rule, rivals = "one_proposal", case.facts.rivals
    if not rivals:
        return passed(rule)
    return failed(rule, f"it is proposed twice: {', '.join(rivals[:3])}", "keep one of them")


def _first(near: Iterable[Alike], band: Band) -> Alike | None:
    return next((one for one in near if one.band is band), None)
