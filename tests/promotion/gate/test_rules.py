"""The rules over facts: each lets a fit lesson through and speaks against an unfit one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.model.memory import Evidence, Origin, Scope, Verification
from gitmem.model.policy import MemoryPolicy, Promotion
from gitmem.model.verdict import Verdict
from gitmem.promotion.case import Alike, Known, Proof, Replay, Source, SourceEvent
from gitmem.promotion.gate import RULES, judge
from gitmem.promotion.rules import approvals, grounds, lifetime, origins, reach, repetition, shortcuts
from gitmem.promotion.ruling import GateDecision, Outcome, Rule, RuleResult, weigh
from gitmem.promotion.similarity import Band
from tests.promotion.gate.cases import PASSED, REVIEWED, TODAY, case

FAIL, HOLD, ASK, PASS, NONE = (
    Outcome.FAILED,
    Outcome.HELD,
    Outcome.NEEDS_HUMAN,
    Outcome.PASSED,
    Outcome.NOT_APPLICABLE,
)
FAILED_TEST = SourceEvent("a" * 40, "test_failed", "agent_failure", "test-runner")
REJECTED = SourceEvent("b" * 40, "approach_rejected", "", "claude-code")
UNSEEN = replace(
    PASSED,
    counts=False,
    said="it exists and was never seen to pass",
    cure="gitmem run exec --as test -- COMMAND",
)
MISSING = replace(PASSED, exists=False, counts=False, said="no such test here")
UNTOLD = Proof(
    Source.DOCUMENT,
    "https://example.org/adr",
    None,
    said="lies outside the repository",
    cure="a person opens it",
)
ARTIFACT = Proof(Source.ARTIFACT, "build.log", exists=True, said="in the ledger")
STRONG, RED, BLIND = Replay("strong", "`make x`"), Replay("failed", "`make x`"), Replay("unknown", "`make x`")
FIX: dict[str, Any] = {"type": "verified_fix_pattern"}


def born(failure_class: str | None = "agent_failure", *events: str, **more: Any) -> Origin:
    return Origin(failure_class=failure_class, source_events=events or ("a" * 40,), **more)


def facts(**told: Any) -> dict[str, Any]:
    return {"facts": told}


def alike(known: Known, band: Band, **more: Any) -> dict[str, Any]:
    return facts(alike=(Alike("memory-021", known, band, **more),))


@pytest.mark.parametrize(
    ("rule", "told", "outcome"),
    [
        # the failure class decides first
        (origins.failure_class, {}, NONE),
        (origins.failure_class, {"origin": born("agent_failure")}, PASS),
        (origins.failure_class, {"origin": born("verification_failure")}, HOLD),
        (origins.failure_class, {"origin": born("verification_failure"), "verification": Verification("make x")}, PASS),
        (origins.failure_class, {"origin": born("environment_blocker")}, FAIL),
        (origins.failure_class, {"origin": born("flaky_blocker")}, FAIL),
        (origins.failure_class, {"origin": born("harness_blocker")}, FAIL),
        (origins.failure_class, {"origin": born("bad_luck")}, HOLD),
        (origins.failure_class, {"origin": born(), **facts(events=(replace(FAILED_TEST, failure_class="flaky_blocker"),))}, ASK),
        (origins.type_allowed, {}, PASS),
        (origins.type_allowed, {"type": None}, HOLD),
        (origins.type_allowed, {"type": "diary_entry"}, FAIL),
        (origins.type_allowed, {"type": "security_rule", "policy": MemoryPolicy(allow=("module_constraint",))}, FAIL),
        # a failure-born lesson
        (origins.failure_origin, {}, NONE),
        (origins.failure_origin, {"origin": born(), **facts(events=(FAILED_TEST,))}, PASS),
        (origins.failure_origin, {**FIX, "origin": Origin()}, HOLD),
        (origins.failure_origin, {"origin": Origin(failure_class="agent_failure")}, HOLD),
        (origins.failure_origin, {"origin": born(), **facts(events=(SourceEvent("action-12"),))}, ASK),
        (origins.failure_origin, {**FIX, "origin": Origin(system="human"), "actor": "human"}, PASS),
        (origins.failure_origin, {**FIX, "origin": Origin(system="human"), "actor": "claude-code"}, HOLD),
        (origins.rejected_approach, {}, NONE),
        (origins.rejected_approach, facts(events=(REJECTED,)), HOLD),
        (origins.rejected_approach, facts(events=(REJECTED, FAILED_TEST)), PASS),
        (origins.rejected_approach, facts(events=(replace(REJECTED, actor="human"),)), PASS),
        (origins.imported_only, {}, NONE),
        (origins.imported_only, {"origin": Origin(imported="AGENTS.md:12"), **facts(proofs=())}, ASK),
        (origins.imported_only, {"origin": Origin(imported="AGENTS.md:12"), **facts(proofs=(), replay=STRONG)}, PASS),
        (origins.imported_only, {"origin": Origin(imported="AGENTS.md:12"), **facts(proofs=(), replay=RED)}, ASK),
        (origins.imported_only, {"origin": Origin(imported="AGENTS.md:12"), **facts(proofs=(REVIEWED,))}, PASS),
        (origins.imported_only, {"origin": Origin(imported="AGENTS.md:12"), **facts(proofs=(), merged=True)}, PASS),
        # evidence
        (grounds.evidence, {}, PASS),
        (grounds.evidence, {**FIX, **facts(proofs=())}, FAIL),
        (grounds.evidence, facts(proofs=()), ASK),
        (grounds.evidence, {**facts(proofs=()), "origin": Origin(system="human"), "actor": "human"}, PASS),
        (grounds.evidence, {**facts(proofs=()), "policy": MemoryPolicy(promotion=Promotion(require=()))}, NONE),
        (grounds.evidence_exists, {}, PASS),
        (grounds.evidence_exists, facts(proofs=()), NONE),
        (grounds.evidence_exists, facts(proofs=(PASSED, MISSING)), FAIL),
        (grounds.evidence_exists, facts(proofs=(PASSED, UNTOLD)), ASK),
        (grounds.evidence_sources, {}, NONE),
        (grounds.evidence_sources, FIX, PASS),
        (grounds.evidence_sources, {**FIX, **facts(proofs=())}, NONE),
        (grounds.evidence_sources, {**FIX, **facts(proofs=(UNSEEN,))}, ASK),
        (grounds.evidence_sources, {**FIX, **facts(proofs=(UNSEEN,), replay=STRONG)}, PASS),
        (grounds.evidence_sources, {**FIX, **facts(proofs=(UNSEEN,), replay=BLIND)}, ASK),
        (grounds.evidence_sources, {**FIX, **facts(proofs=(UNSEEN, REVIEWED))}, PASS),
        (grounds.evidence_sources, {**FIX, **facts(proofs=(ARTIFACT,))}, FAIL),
        (grounds.evidence_sources, {**FIX, "policy": MemoryPolicy(evidence_sources=("merged_diff",))}, FAIL),
        (grounds.replay, {}, NONE),
        (grounds.replay, facts(replay=STRONG), PASS),
        (grounds.replay, facts(replay=Replay("passed", "`make x`")), PASS),
        (grounds.replay, facts(replay=RED), FAIL),
        (grounds.replay, facts(replay=BLIND), ASK),
        (grounds.replay, {"verification": Verification("true"), **facts(replay=Replay("passed", "`true`"))}, ASK),
        (grounds.replay, {"verification": Verification("make x || true"), **facts(replay=Replay("passed", "`make x`"))}, ASK),
        (grounds.replay, {"verification": Verification("x"), "policy": MemoryPolicy(probes={"x": "exit 0"}), **facts(replay=Replay("passed", "`x`"))}, ASK),
        (grounds.replay, {"verification": Verification("make x && echo done"), **facts(replay=Replay("passed", "`make x`"))}, PASS),
        (origins.imported_only, {"origin": Origin(imported="AGENTS.md:12"), "verification": Verification(":"), **facts(proofs=(), replay=Replay("passed", "`:`"))}, ASK),
        # where it holds
        (reach.scope, {}, PASS),
        (reach.scope, {"scope": Scope(project=True)}, PASS),
        (reach.scope, {"scope": Scope(elements=("Checkout",))}, PASS),
        (reach.scope, {"scope": Scope(applies_to=("public_api",))}, HOLD),
        (reach.anti_scope, {}, PASS),
        (reach.anti_scope, {"scope": Scope(paths=("src/**",), does_not_apply_to=("internal_refactor",))}, PASS),
        (reach.anti_scope, {"scope": Scope(paths=("src/**",), exclude=("src/gen/**",))}, PASS),
        (reach.anti_scope, {"scope": Scope(paths=("src/**",))}, HOLD),
        (reach.stale_rule, {}, PASS),
        (reach.stale_rule, facts(matched=0), FAIL),
        (reach.stale_rule, facts(matched=None, verdict=None), PASS),
        (reach.stale_rule, facts(unknown_elements=("Chekout",)), FAIL),
        (reach.stale_rule, facts(verdict=Verdict.TOUCHED), PASS),
        (reach.stale_rule, facts(verdict=Verdict.UNKNOWN), PASS),
        (reach.stale_rule, facts(verdict=Verdict.CHANGED, drifted="src/a.py: logic changed"), FAIL),
        (reach.stale_rule, facts(verdict=Verdict.REWRITTEN), FAIL),
        (reach.stale_rule, facts(verdict=Verdict.GONE), FAIL),
        (reach.stale_rule, {**facts(matched=0), "policy": MemoryPolicy(promotion=Promotion(reject_if=()))}, NONE),
        # how long
        (lifetime.expiry, {}, NONE),
        (lifetime.expiry, {"expires_at": TODAY + timedelta(days=1)}, PASS),
        (lifetime.expiry, {"expires_at": TODAY}, FAIL),
        (lifetime.retention, {}, NONE),
        (lifetime.retention, FIX, PASS),
        (lifetime.retention, {"review_after": TODAY}, HOLD),
        (lifetime.retention, {"review_after": TODAY + timedelta(days=1)}, PASS),
        (shortcuts.one_off_workaround, {"type": "temporary_workaround"}, PASS),
        (shortcuts.one_off_workaround, {"type": "temporary_workaround", "is_file": True}, HOLD),
        (shortcuts.one_off_workaround, {"type": "temporary_workaround", "policy": MemoryPolicy(retention={})}, HOLD),
        (shortcuts.one_off_workaround, {"type": "temporary_workaround", "is_file": True, "expires_at": date(2026, 8, 1)}, PASS),
        (shortcuts.one_off_workaround, {"text": "For now the retry is off.", "expires_at": date(2026, 8, 1)}, PASS),
        (shortcuts.one_off_workaround, {"text": "당분간 재시도를 끈다.", "expires_at": date(2026, 8, 1)}, PASS),
        # what is known
        (repetition.duplicated_memory, {}, PASS),
        (repetition.duplicated_memory, alike(Known.APPROVED, Band.SAME), FAIL),
        (repetition.duplicated_memory, alike(Known.APPROVED, Band.SAME_MAYBE), ASK),
        (repetition.duplicated_memory, alike(Known.CANDIDATE, Band.SAME), PASS),
        (repetition.duplicated_note, {}, PASS),
        (repetition.duplicated_note, alike(Known.CANDIDATE, Band.SAME), FAIL),
        (repetition.duplicated_note, alike(Known.CANDIDATE, Band.SAME_MAYBE), ASK),
        (repetition.duplicated_note, {**alike(Known.CANDIDATE, Band.SAME), "policy": MemoryPolicy(deny=())}, NONE),
        (repetition.denied_before, {}, PASS),
        (repetition.denied_before, alike(Known.DENIED, Band.SAME, told="by ada on 2026-07-01: no"), FAIL),
        (repetition.denied_before, alike(Known.DENIED, Band.SAME_MAYBE), FAIL),
        (repetition.denied_before, alike(Known.DENIED, Band.CONFLICT), PASS),
        (repetition.no_conflict_with_existing_memory, {}, PASS),
        (repetition.no_conflict_with_existing_memory, alike(Known.APPROVED, Band.CONFLICT, differs="name: UseCase"), HOLD),
        (repetition.no_conflict_with_existing_memory, alike(Known.CANDIDATE, Band.CONFLICT), HOLD),
        (repetition.no_conflict_with_existing_memory, alike(Known.APPROVED, Band.CONFLICT, answered="both_hold"), PASS),
        (repetition.no_conflict_with_existing_memory, alike(Known.DENIED, Band.CONFLICT), PASS),
        (repetition.one_proposal, {}, PASS),
        (repetition.one_proposal, facts(rivals=(".ai/memory/b/m-1.yaml has its id",)), FAIL),
        # who agrees
        (approvals.claims, {}, PASS),
        (approvals.claims, facts(claims=("approved_by: mallory, but …",)), HOLD),
        (approvals.accepted_review, {}, PASS),
        (approvals.accepted_review, facts(proofs=(PASSED,)), ASK),
        (approvals.accepted_review, facts(proofs=(PASSED,), merged=True), PASS),
        (approvals.accepted_review, facts(proofs=(PASSED,), replay=STRONG), ASK),
        (
            approvals.accepted_review,
            {**facts(proofs=(PASSED,), replay=STRONG), "policy": MemoryPolicy(promotion=Promotion(auto=("module_constraint",)))},
            PASS,
        ),
        (
            approvals.accepted_review,
            {**facts(proofs=(PASSED,)), "policy": MemoryPolicy(promotion=Promotion(auto=("module_constraint",)))},
            ASK,
        ),
        (approvals.human_approval_for_architecture_rules, {}, NONE),
        (approvals.human_approval_for_architecture_rules, {"type": "architecture_rule"}, ASK),
        (approvals.human_approval_for_architecture_rules, {"type": "architecture_rule", **facts(merged=True)}, PASS),
        (approvals.requires_human_review, {}, NONE),
        (approvals.requires_human_review, {"review": True, **facts(proofs=())}, ASK),
        (approvals.requires_human_review, {"review": True}, PASS),
    ],
)  # fmt: skip
@pytest.mark.parametrize("text", ["Orders are sent once.", "주문은 한 번만 전송한다."])
def test_a_rule(rule: Rule, told: dict[str, Any], outcome: Outcome, text: str) -> None:
    result = rule(case(**{"text": text, **told}))
    assert (result.outcome, result.rule) == (outcome, rule.__name__)
    assert bool(result.cure) == (outcome in {FAIL, HOLD, ASK})
    assert result.reason or outcome is PASS


@pytest.mark.parametrize("text", ["Orders are sent once.", "주문은 한 번만 전송한다."])
def test_a_fit_lesson_is_accepted(text: str) -> None:
    told = judge(case(text))
    assert (told.decision, told.lacking) == (GateDecision.ACCEPT, ())


def test_what_is_not_seen_to_pass_names_the_command_that_would_show_it() -> None:
    result = grounds.evidence_sources(case(type="verified_fix_pattern", facts={"proofs": (UNSEEN,)}))
    assert result.cure == "gitmem run exec --as test -- COMMAND"


def test_a_denial_says_by_whom_when_and_why() -> None:
    told = alike(Known.DENIED, Band.SAME, told="by ada on 2026-07-01: the server does it")
    assert "by ada on 2026-07-01: the server does it" in repetition.denied_before(case(**told)).reason


def test_the_failure_class_is_told_first() -> None:
    assert judge(case()).results[0].rule == "failure_class"


def test_every_rule_has_a_name_of_its_own() -> None:
    names = [one.rule for one in judge(case()).results]
    assert len(set(names)) == len(names) == len(RULES)


def test_every_word_of_the_policy_is_a_rule_or_a_known_part_of_one() -> None:
    policy = MemoryPolicy()
    words = {*policy.deny, *policy.promotion.reject_if, *policy.promotion.require}
    assert words <= {one.rule for one in judge(case()).results}


def test_what_is_lacking_is_told_gravest_first() -> None:
    told = judge(case("Maybe.", type=None, facts={"proofs": ()}, actor="claude-code"))
    outcomes = [one.outcome for one in told.lacking]
    assert outcomes == sorted(outcomes, key=[FAIL, HOLD, ASK].index)
    assert {FAIL, HOLD, ASK} == set(outcomes)
    assert told.decision is GateDecision.REFUSE


@given(st.lists(st.sampled_from(Outcome)))
def test_refuse_beats_hold_beats_a_person(outcomes: list[Outcome]) -> None:
    decision = weigh(tuple(RuleResult("rule", one) for one in outcomes))
    if FAIL in outcomes:
        assert decision is GateDecision.REFUSE
    elif HOLD in outcomes:
        assert decision is GateDecision.HOLD
    elif ASK in outcomes:
        assert decision is GateDecision.NEEDS_HUMAN
    else:
        assert decision is GateDecision.ACCEPT


def test_evidence_is_told_by_reference_and_by_what_was_found() -> None:
    several = tuple(replace(MISSING, reference=f"tests/test_{number}.py") for number in range(5))
    reason = grounds.evidence_exists(case(facts={"proofs": several}, evidence=Evidence())).reason
    assert reason.startswith("tests/test_0.py: no such test here; tests/test_1.py")
    assert reason.endswith("and 2 more")
