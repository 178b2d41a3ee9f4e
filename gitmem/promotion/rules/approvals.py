"""Rules about who has to agree: approval is a merge, and nothing that a file says stands for it."""

from __future__ import annotations

from gitmem.model.candidate import EXTRACTED
from gitmem.promotion.case import Case, Source
from gitmem.promotion.ruling import RuleResult, held, needs_human, not_applicable, passed

_MERGE = "a person merges the pull request"


def accepted_review(case: Case) -> RuleResult:
    """A review that passed, or the merge; a type that may open by itself waits for its merge alone."""
    rule = "accepted_review"
    if not case.asks(rule):
        return not_applicable(rule, "the policy does not ask for it")
    if case.facts.merged:
        return passed(rule, "it is merged")
    if case.has_proof(Source.ACCEPTED_REVIEW):
        return passed(rule, "a review passed it")
    if case.has_replayed and case.type in case.policy.promotion.auto:
        return passed(rule, f"replay passed, and the policy lets {case.type} be proposed without asking")
    return needs_human(
        rule, "nobody has reviewed it yet", f"{_MERGE}, or --evidence review:NAME of one that passed"
    )


def human_approval_for_architecture_rules(case: Case) -> RuleResult:
    rule = "human_approval_for_architecture_rules"
    if not case.asks(rule) or case.type != "architecture_rule":
        return not_applicable(
            rule, "it is no architecture_rule" if case.asks(rule) else "the policy does not ask"
        )
    if case.facts.merged:
        return passed(rule, "it is merged")
    return needs_human(rule, "an architecture_rule needs a person", _MERGE)


def requires_human_review(case: Case) -> RuleResult:
    """Its author, or the policy's own rule for what it flags, asks for a person."""
    rule = "requires_human_review"
    if not case.requires_human_review:
        return not_applicable(rule, "its author does not ask for a person")
    if case.facts.merged or case.has_proof(Source.ACCEPTED_REVIEW):
        return passed(rule, "a person looked")
    if case.memory.origin.system == EXTRACTED:
        return needs_human(rule, "it was taken out of a run, and nobody wrote it as a lesson", _MERGE)
    return needs_human(rule, "its author asks for a person", _MERGE)


def claims(case: Case) -> RuleResult:
    """What a file says about its own approval and history does not bear out (targets.md, security 1)."""
    rule, told = "claims", case.facts.claims
    if not told:
        return passed(rule)
    return held(rule, "; ".join(told[:3]), "leave it out: git knows who approved it and when")
