"""Rules about where a lesson comes from: its failure class first, then its type, its source events, who told it."""

from __future__ import annotations

from typing import Final

from gitmem.promotion.case import Case, Source
from gitmem.promotion.ruling import RuleResult, failed, held, needs_human, not_applicable, passed

FAILURE_CLASSES: Final = (
    "agent_failure",
    "verification_failure",
    "environment_blocker",
    "flaky_blocker",
    "harness_blocker",
)
_BLOCKED: Final = {
    "environment_blocker": "the environment failed, not the work: nothing is to be learnt about the code",
    "flaky_blocker": "a failure that does not come again teaches nothing",
    "harness_blocker": "the check itself is broken",
}
_BLOCKED_CURES: Final = {
    "environment_blocker": "set the environment right; nothing is to be remembered",
    "flaky_blocker": "make the test steady, or show that it fails every time",
    "harness_blocker": "fix the harness instead",
}
_FAILURES: Final = frozenset({"test_failed", "review_failed", "build_failed", "lint_failed", "agent_failed"})


def failure_class(case: Case) -> RuleResult:
    """Decides first: what kind of failure it was (domain.md section 3)."""
    rule, told = "failure_class", case.memory.origin.failure_class
    if not told:
        return not_applicable(rule, "it names none")
    if told in _BLOCKED:
        return failed(rule, f"{told}: {_BLOCKED[told]}", _BLOCKED_CURES[told])
    if told not in FAILURE_CLASSES:
        return held(
            rule, f"{told} is no failure class", f"--failure-class, one of {', '.join(FAILURE_CLASSES)}"
        )
    recorded = sorted({one.failure_class for one in case.facts.events} & set(_BLOCKED))
    if recorded:
        return needs_human(
            rule,
            f"it says {told}, but its source events recorded {', '.join(recorded)}",
            "look at the failure, and say the class that it was",
        )
    if told == "verification_failure" and not case.memory.verification.probe:
        return held(
            rule,
            "a verification_failure without a probe",
            "--probe CMD: the check that now catches it",
        )
    return passed(rule, told)


def type_allowed(case: Case) -> RuleResult:
    rule, allowed = "type_allowed", ", ".join(case.policy.allow)
    if not case.type:
        return held(rule, "it has no type", f"--type, one of {allowed}")
    if case.type not in case.policy.allow:
        return failed(rule, f"the policy does not let {case.type} become memory", f"one of {allowed}")
    return passed(rule, case.type)


def failure_origin(case: Case) -> RuleResult:
    """A failure-born lesson names its class and the events that it comes from; a person's own needs neither."""
    rule, origin = "failure_origin", case.memory.origin
    if not case.is_failure_born:
        return not_applicable(rule, "it tells of no failure")
    if case.is_persons:
        return passed(rule, "a person's own lesson")
    if not origin.failure_class:
        return held(rule, "it comes from a failure and names no failure class", "--failure-class CLASS")
    if not origin.source_events:
        return held(
            rule,
            "it comes from a failure and names no event where that is seen",
            "--from-event ID: gitmem run log shows the events",
        )
    lost = [one.reference for one in case.facts.events if not one.type]
    if lost:
        return needs_human(
            rule,
            f"its source events are not in the ledger here: {', '.join(lost)}",
            "gitmem sync fetches other clones' runs",
        )
    return passed(rule, "its failure is in the ledger")


def rejected_approach(case: Case) -> RuleResult:
    """A rejected approach becomes a lesson only with a failure or a person's reason behind it."""
    rule, events = "rejected_approach", case.facts.events
    rejected = [one for one in events if one.type == "approach_rejected"]
    if not rejected:
        return not_applicable(rule, "it comes from no rejected approach")
    if any(one.type in _FAILURES for one in events):
        return passed(rule, "a failure stands behind it")
    if any(one.actor == "human" for one in rejected):
        return passed(rule, "a person rejected it")
    return held(
        rule,
        "an approach was rejected and nothing failed",
        "--from-event of the failure that showed it, or a person says why",
    )


def imported_only(case: Case) -> RuleResult:
    rule, source = "imported_only", case.memory.origin.imported
    if not source:
        return not_applicable(rule, "it was not imported")
    if case.facts.merged or case.has_proof(Source.ACCEPTED_REVIEW):
        return passed(rule, f"imported from {source}, and a person looked")
    if case.has_replayed:
        return passed(rule, f"imported from {source}, and replay passed")
    return needs_human(
        rule,
        f"nothing but {source} says so",
        "a person looks at it, or --probe CMD and gitmem confirm ID --replay",
    )
