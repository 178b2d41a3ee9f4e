"""The promotion gate: every rule over one case, in the order in which they are told (domain.md section 3)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gitmem.promotion.case import Case
from gitmem.promotion.naming import in_fields
from gitmem.promotion.rules import (
    approvals,
    doubts,
    grounds,
    instructions,
    lifetime,
    origins,
    places,
    reach,
    repetition,
    shortcuts,
    transcripts,
)
from gitmem.promotion.ruling import GateDecision, Outcome, Rule, RuleResult, weigh

RULES: tuple[Rule, ...] = (
    origins.failure_class,
    origins.type_allowed,
    origins.failure_origin,
    origins.rejected_approach,
    origins.imported_only,
    grounds.evidence,
    grounds.evidence_exists,
    grounds.evidence_sources,
    grounds.replay,
    reach.scope,
    reach.anti_scope,
    reach.stale_rule,
    lifetime.expiry,
    lifetime.retention,
    transcripts.raw_chat_history,
    transcripts.full_build_log,
    places.temporary_file_path,
    places.user_specific_secret,
    doubts.unverified_guess,
    doubts.personal_opinion,
    shortcuts.one_off_workaround,
    shortcuts.weakens_verification,
    instructions.instruction_like,
    repetition.duplicated_memory,
    repetition.duplicated_note,
    repetition.denied_before,
    repetition.no_conflict_with_existing_memory,
    repetition.one_proposal,
    approvals.claims,
    approvals.accepted_review,
    approvals.human_approval_for_architecture_rules,
    approvals.requires_human_review,
)
"""The failure class decides first."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the gate says.

    Args:
        decision: Refuse beats hold beats needs a person; else accept.
        results: What each rule says, in the order of `RULES`.
    """

    decision: GateDecision
    results: tuple[RuleResult, ...]

    @property
    def lacking(self) -> tuple[RuleResult, ...]:
        """What speaks against it, gravest first."""
        order = (Outcome.FAILED, Outcome.HELD, Outcome.NEEDS_HUMAN)
        return tuple(one for outcome in order for one in self.results if one.outcome is outcome)


def judge(case: Case) -> Judged:
    """Run every rule and decide."""
    results = tuple(rule(case) for rule in RULES)
    if case.is_file:
        results = tuple(replace(one, cure=in_fields(one.cure)) for one in results)
    judged = Judged(weigh(results), results)
    return answered(judged, "a person merged it") if case.facts.merged else judged


def answered(judged: Judged, by: str) -> Judged:
    """The decision once a person has looked at exactly these words: what needs one is answered, and nothing else.

    Args:
        judged: What the gate said before.
        by: Who answered, one clause.
    """
    results = tuple(_answered(one, by) for one in judged.results)
    return Judged(weigh(results), results)


def _answered(result: RuleResult, by: str) -> RuleResult:
    if result.outcome is not Outcome.NEEDS_HUMAN:
        return result
    return RuleResult(result.rule, Outcome.PASSED, f"{result.reason}; {by}")
