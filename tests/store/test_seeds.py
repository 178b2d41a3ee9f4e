"""Every example of the first descriptions loads to its value; pasted flat it names the parent that is missing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest

from gitmem.model.memory import Evidence, Kind, Memory, Origin, Scope, Status, Verification
from gitmem.model.policy import CompactionPolicy, MemoryPolicy, Promotion, Routes
from gitmem.store.candidates import parse_candidates
from gitmem.store.memories import parse_memory
from gitmem.store.policies import parse_compaction_policy, parse_memory_policy, parse_routes
from tests.store.seeds import seed

KST = timezone(timedelta(hours=9))
GUARD = Memory(
    id="memory-20260713-001",
    file=".ai/memory/memory-20260713-001.yaml",
    kind=Kind.CONVENTION,
    type="verified_fix_pattern",
    status=Status.CANDIDATE,
    summary="중복 제출은 ViewModel의 isSubmitting guard로 차단한다.",
    evidence=Evidence(
        tests=("CheckoutViewModelTests.testDuplicateSubmit",), reviews=("review.json#issue-3",)
    ),
    created_at=datetime(2026, 7, 13, 10, tzinfo=KST),
)


def test_the_candidate_memory_loads() -> None:
    parsed = parse_memory(GUARD.file, seed("memory-20260713-001.yaml"))
    assert (parsed.memory, parsed.problems) == (GUARD, ())


def test_the_approved_memory_is_active_and_validated_by_a_human() -> None:
    parsed = parse_memory(GUARD.file, seed("memory-20260713-001.approved.yaml"))
    assert parsed.problems == ()
    assert parsed.memory is not None
    assert parsed.memory.status is Status.ACTIVE
    assert (parsed.memory.approved_by, parsed.memory.validated_by) == ("human", "human")
    assert parsed.memory.approved_at == datetime(2026, 7, 13, 10, 35, tzinfo=KST)


def test_the_architecture_memory_has_paths_dates_and_a_document() -> None:
    file = ".ai/memory/memory-architecture-014.yaml"
    parsed = parse_memory(file, seed("memory-architecture-014.yaml"))
    assert parsed.problems == ()
    assert parsed.memory == Memory(
        id="memory-architecture-014",
        file=file,
        kind=Kind.NOTE,
        type=None,
        status=Status.ACTIVE,
        summary="Checkout 화면 상태는 ViewModel이 소유한다.",
        scope=Scope(paths=("Sources/Checkout/**",)),
        evidence=Evidence(documents=("architecture.md",)),
        created_at=date(2026, 7, 13),
        review_after=date(2026, 10, 13),
    )


def test_the_second_candidate_form_loads_through_the_same_table() -> None:
    (parsed,) = parse_candidates("candidate.json", seed("awtl-candidate.json"))
    assert parsed.problems == ()
    assert parsed.memory == Memory(
        id="memcand-demo-a",
        file="candidate.json",
        kind=Kind.NOTE,
        type=None,
        status=Status.CANDIDATE,
        summary="public response schema가 바뀌는 경우 contract artifact와 verifier evidence를 함께 갱신한다.",
        scope=Scope(
            applies_to=("public_api", "contract_change"),
            does_not_apply_to=("internal_refactor", "test_only_change"),
        ),
        evidence=Evidence(reviews=("contract-verifier",), artifacts=("contract-output",)),
        verification=Verification(probe="public-contract-regression"),
        origin=Origin(
            source_events=("action-12",),
            failure_class="agent_failure",
            failure_type="contract_mismatch",
            root_cause="Public response shape changed without updating contract evidence.",
        ),
        extra={"schema": "awtl.memory_candidate.v2", "requires_human_review": "true"},
    )


def test_a_json_memory_file_loads_as_the_yaml_that_it_is() -> None:
    parsed = parse_memory(".ai/memory/memcand-demo-a.yaml", seed("awtl-candidate.json"))
    assert parsed.problems == ()
    assert parsed.memory is not None
    assert parsed.memory.id == "memcand-demo-a"
    assert parsed.memory.status is Status.CANDIDATE


def test_the_candidate_list_loads_without_ids() -> None:
    first, second = parse_candidates("-", seed("candidates.json"))
    assert first.problems == second.problems == ()
    assert first.memory is not None
    assert second.memory is not None
    assert (first.memory.id, first.memory.status, first.memory.kind) == (
        "",
        Status.CANDIDATE,
        Kind.CONVENTION,
    )
    assert first.memory.evidence.tests == (
        "CheckoutViewModelTests.testDuplicateSubmit",
        "CheckoutViewModelTests.testRetryAfterFailure",
    )
    assert second.memory.type == "module_constraint"
    assert second.memory.evidence.tests == ("protected-files.yaml",)


def test_the_candidate_list_pasted_flat_is_the_same_json() -> None:
    assert parse_candidates("-", seed("flat/candidates.json")) == parse_candidates(
        "-", seed("candidates.json")
    )


def test_the_lifecycle_record_loads_and_its_placeholder_is_named() -> None:
    parsed = parse_memory(".ai/memory/memory-demo.yaml", seed("lifecycle.json"))
    assert parsed.memory == Memory(
        id="memory-demo",
        file=".ai/memory/memory-demo.yaml",
        kind=Kind.NOTE,
        type=None,
        status=Status.ACTIVE,
        summary="",
        scope=Scope(applies_to=("contract_change", "public_api"), does_not_apply_to=("internal_refactor",)),
        verification=Verification(contract_version="v1"),
        origin=Origin(candidate="memcand-demo-a", system="awtl"),
        validated_by="replay",
    )
    assert [(one.line, one.field, one.severity) for one in parsed.problems] == [
        (1, "id", "warning"),
        (1, "summary", "warning"),
        (7, "last_validated_at", "warning"),
    ]
    assert "example-timestamp" in parsed.problems[2].message


def test_the_memory_policy_loads() -> None:
    parsed = parse_memory_policy("policy", seed("memory-policy.yaml"))
    assert parsed.problems == ()
    assert parsed.policy == MemoryPolicy(allow=MemoryPolicy().allow[:-1])
    assert parsed.policy.retention == {
        "architecture_rule": None,
        "module_constraint": None,
        "verified_fix_pattern": timedelta(days=180),
        "temporary_workaround": timedelta(days=14),
    }


def test_the_promotion_rules_load() -> None:
    parsed = parse_memory_policy("policy", b"version: 1\n" + seed("promotion.yaml"))
    assert parsed.problems == ()
    assert parsed.policy is not None
    assert parsed.policy.promotion == Promotion(
        require=(
            "evidence",
            "no_conflict_with_existing_memory",
            "accepted_review",
            "human_approval_for_architecture_rules",
        ),
        reject_if=(
            "unverified_guess",
            "one_off_workaround",
            "user_specific_secret",
            "duplicated_memory",
            "stale_rule",
        ),
    )


def test_the_compaction_policy_loads() -> None:
    parsed = parse_compaction_policy("policy", seed("compaction-policy.yaml"))
    assert (parsed.policy, parsed.problems) == (CompactionPolicy(), ())


def test_the_routes_load() -> None:
    parsed = parse_routes("routes", seed("routes.yaml"))
    assert parsed.problems == ()
    assert parsed.routes == Routes(
        {
            "payment": (
                "memory/architecture.md",
                "memory/coding-lessons.md",
                "memory/module-notes/payment.md",
            ),
            "auth": ("memory/architecture.md", "memory/security-rules.md", "memory/module-notes/auth.md"),
            "ui": ("memory/architecture.md", "memory/ui-patterns.md"),
        }
    )


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("memory-20260713-001.yaml", 6, "tests belongs under evidence – indent it"),
        ("memory-policy.yaml", 3, "allow belongs under durable_memory – indent it"),
        ("memory-policy.yaml", 26, "architecture_rule belongs under retention – indent it"),
        ("promotion.yaml", 2, "require belongs under promotion – indent it"),
        ("compaction-policy.yaml", 17, "max_injected_files belongs under limits – indent it"),
        ("routes.yaml", 2, "payment belongs under routes – indent it"),
        ("routes.yaml", 3, "include belongs under its domain – indent it"),
    ],
)
def test_pasted_flat_it_names_the_parent(name: str, line: int, message: str) -> None:
    parsers: dict[str, Callable[[str, bytes], Any]] = {
        "memory-20260713-001.yaml": parse_memory,
        "memory-policy.yaml": parse_memory_policy,
        "promotion.yaml": parse_memory_policy,
        "compaction-policy.yaml": parse_compaction_policy,
        "routes.yaml": parse_routes,
    }
    problems = parsers[name]("file", seed(f"flat/{name}")).problems
    assert (line, message, "error") in [(one.line, one.message, one.severity) for one in problems]


def test_the_architecture_memory_pasted_flat_is_the_same_yaml() -> None:
    flat = parse_memory("file", seed("flat/memory-architecture-014.yaml"))
    assert flat == parse_memory("file", seed("memory-architecture-014.yaml"))
