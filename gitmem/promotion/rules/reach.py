"""Rules about where a lesson holds, where it does not, and whether the code there still is what it was learnt from."""

from __future__ import annotations

from gitmem.model.candidate import NO_ANTI_SCOPE
from gitmem.model.verdict import CHALLENGING
from gitmem.promotion.case import Case
from gitmem.promotion.ruling import RuleResult, failed, held, not_applicable, passed


def scope(case: Case) -> RuleResult:
    """Held, not denied: a lesson may be right and its author forgot to say where."""
    rule, told = "scope", case.memory.scope
    if not told.is_empty:
        return passed(rule)
    domains = f" (only for tasks: {', '.join(told.applies_to)})" if told.applies_to else ""
    return held(
        rule,
        f"nothing says which code it speaks about{domains}",
        "--path GLOB or --element NAME; the scope `project` for what holds everywhere",
    )


def anti_scope(case: Case) -> RuleResult:
    """Where it must not be applied; ``none`` says that somebody thought about it."""
    rule, told = "anti_scope", case.memory.scope
    if any(one.casefold() == NO_ANTI_SCOPE for one in told.does_not_apply_to):
        return passed(rule, "it holds everywhere in its scope")
    if told.does_not_apply_to or told.exclude:
        return passed(rule)
    return held(
        rule,
        "nothing says where it does not hold",
        f"--not-for DOMAIN or --exclude GLOB; --not-for {NO_ANTI_SCOPE} when there is no such place",
    )


def stale_rule(case: Case) -> RuleResult:
    """A scope that matches nothing, or code that moved on since the lesson was learnt."""
    rule, facts = "stale_rule", case.facts
    if not case.asks(rule):
        return not_applicable(rule, "the policy does not reject it")
    if facts.unknown_elements:
        names = ", ".join(facts.unknown_elements)
        return failed(rule, f"no element is called {names}", "name one of .ai/elements.yaml, or a path")
    if facts.matched == 0:
        return failed(rule, "its scope matches no file", "--path of where the code is today")
    if facts.verdict in CHALLENGING:
        return failed(
            rule,
            f"the code is {facts.verdict} since it was learnt: {facts.drifted}",
            "look again, and remember what holds today",
        )
    if facts.verdict is None:
        return passed(rule, "since when it holds cannot be told")
    return passed(rule, f"the code is {facts.verdict} since it was learnt")
