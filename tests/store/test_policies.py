from __future__ import annotations

from datetime import date, timedelta

import pytest

from gitmem.model.policy import MemoryPolicy
from gitmem.model.verdict import Verdict
from gitmem.store.policies import parse_compaction_policy, parse_duration, parse_memory_policy, parse_routes


def policy(text: str) -> MemoryPolicy:
    parsed = parse_memory_policy("p.yaml", text.encode())
    assert parsed.problems == ()
    assert parsed.policy is not None
    return parsed.policy


def test_an_empty_file_is_the_default() -> None:
    assert policy("version: 1\n") == MemoryPolicy()


def test_every_field_is_read() -> None:
    read = policy(
        """
version: 1
durable_memory: {allow: [a], deny: [raw_chat_history]}
require_evidence: [a]
evidence_sources: [passing_test]
retention: {a: 2w, b: permanent}
promotion: {require: [evidence], reject_if: [], auto: [a]}
drift: {challenge_on: [touched, gone]}
recall: {profile: classic}
probes: {contract: make contract}
trust: {require_review: true}
budgets: {brief: 2000}
"""
    )
    assert (read.allow, read.deny, read.require_evidence) == (("a",), ("raw_chat_history",), ("a",))
    assert read.retention == {"a": timedelta(days=14), "b": None}
    assert (read.promotion.require, read.promotion.reject_if, read.promotion.auto) == (
        ("evidence",),
        (),
        ("a",),
    )
    assert read.challenge_on == {Verdict.TOUCHED, Verdict.GONE}
    assert (read.profile, read.probes, read.require_review) == (
        "classic",
        {"contract": "make contract"},
        True,
    )
    assert read.budgets == {"brief": 2000}


@pytest.mark.parametrize(
    "field", ["require_evidence: [a]", "evidence_sources: [passing_test]", "retention: {a: 1d}"]
)
def test_three_fields_may_stand_in_either_place_but_not_in_both(field: str) -> None:
    assert policy(f"version: 1\n{field}\n") == policy(f"version: 1\ndurable_memory: {{{field}}}\n")
    both = parse_memory_policy("p.yaml", f"version: 1\ndurable_memory: {{{field}}}\n{field}\n".encode())
    assert both.policy is None
    assert [(one.line, one.hint) for one in both.problems] == [(3, "keep it in one place")]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("version: 2", 1, "version 2 is not known"),
        ("version: 1\ndrift: {challenge_on: [gon]}", 2, "unknown value gon in drift.challenge_on"),
        ("version: 1\nrecall: {profile: clasic}", 2, "unknown recall.profile clasic"),
        ("version: 1\nretention: {a: 3 days}", 2, "'3 days' is no duration"),
        ("version: 1\ntrust: {require_review: maybe}", 2, "trust.require_review is maybe"),
        ("version: 1\nbudgets: {a: many}", 2, "budgets.a is many"),
        ("version: 1\ndurable_memory: [a]", 2, "durable_memory is a list"),
        ("version: 1\ndurable_memory: {deny: [a]}", 2, "unknown value a in durable_memory.deny"),
        ("version: 1\nauto: [a]", 2, "auto belongs under promotion – indent it"),
        ("version: 1\nversion: 1", 2, "version is given twice"),
        ("a: b: c", 1, "not readable as YAML"),
        ("- a", 1, "the file is a list"),
    ],
)
def test_a_broken_policy_gives_none(text: str, line: int, words: str) -> None:
    parsed = parse_memory_policy("p.yaml", text.encode())
    assert parsed.policy is None
    assert (line, True) in [(one.line, words in one.message) for one in parsed.problems]


def test_an_unknown_field_and_a_missing_version_are_warnings() -> None:
    parsed = parse_memory_policy("p.yaml", b"promotions: {}\nrecall: {profil: classic}\nx-own: 1\n")
    assert parsed.policy == MemoryPolicy()
    assert [(one.severity, one.field, one.hint) for one in parsed.problems] == [
        ("warning", "version", "add version: 1"),
        ("warning", "promotions", "did you mean promotion?"),
        ("warning", "recall.profil", "did you mean profile?"),
    ]


@pytest.mark.parametrize(("text", "days"), [("180d", 180), ("26w", 182), ("permanent", None)])
def test_durations(text: str, days: int | None) -> None:
    assert parse_duration(text) == (None if days is None else timedelta(days=days))


@pytest.mark.parametrize("text", ["0d", "-1d", "1", "d", "1y", "999999d", "forever", "1.5d"])
def test_no_durations(text: str) -> None:
    with pytest.raises(ValueError, match="is no duration"):
        parse_duration(text)


def test_review_is_due_by_type() -> None:
    known = date(2026, 1, 1)
    assert MemoryPolicy().due("temporary_workaround", known) == date(2026, 1, 15)
    assert MemoryPolicy().due("architecture_rule", known) is None
    assert MemoryPolicy().due(None, known) is None


def test_compaction_limits_are_numbers() -> None:
    parsed = parse_compaction_policy(
        "c.yaml", b"version: 1\nlimits: {max_injected_files: 3}\ninject: [latest_failure]\n"
    )
    assert parsed.policy is not None
    assert (parsed.policy.max_injected_files, parsed.policy.max_previous_attempts) == (3, 3)
    assert parsed.policy.inject == ("latest_failure",)
    assert (
        parse_compaction_policy("c.yaml", b"version: 1\nlimits: {max_injected_files: all}\n").policy is None
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("routes: [a]", "routes is a list"),
        ("routes: {a: [x]}", "routes.a is a list"),
        ("a: {include: [x]}", "a belongs under routes"),
        ("version: 3\nroutes: {}", "version 3 is not known"),
        ("- a", "routes.yaml is a mapping"),
        ("a: b: c", "not readable"),
    ],
)
def test_broken_routes_give_none(text: str, words: str) -> None:
    parsed = parse_routes("r.yaml", text.encode())
    assert parsed.routes is None
    assert any(words in problem.message for problem in parsed.problems)
