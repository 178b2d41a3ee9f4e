"""Where one policy lets more through than another."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from gitmem.model.policy import MemoryPolicy, Promotion
from gitmem.promotion.loosening import loosened

OLD = MemoryPolicy(require_review=True, probes={"contract": "make contract"})


@pytest.mark.parametrize(
    ("new", "said"),
    [
        (replace(OLD, allow=(*OLD.allow, "diary")), "durable_memory.allow adds diary"),
        (replace(OLD, deny=OLD.deny[1:]), "durable_memory.deny drops raw_chat_history"),
        (replace(OLD, require_evidence=()), "require_evidence drops verified_failure_pattern, verified_fix_pattern"),
        (replace(OLD, promotion=Promotion(require=("evidence",))), "promotion.require drops no_conflict"),
        (replace(OLD, promotion=Promotion(reject_if=())), "promotion.reject_if drops unverified_guess"),
        (replace(OLD, promotion=Promotion(auto=("security_rule",))), "promotion.auto adds security_rule"),
        (replace(OLD, challenge_on=frozenset()), "drift.challenge_on drops changed, gone, rewritten"),
        (replace(OLD, require_review=False), "trust.require_review is off"),
        (replace(OLD, retention={**OLD.retention, "temporary_workaround": timedelta(days=90)}), "retention.temporary_workaround is longer"),
        (replace(OLD, retention={}), "retention.temporary_workaround is longer"),
        (replace(OLD, probes={"contract": "true"}), "probes.contract runs another command"),
    ],
)  # fmt: skip
def test_what_is_looser_is_said(new: MemoryPolicy, said: str) -> None:
    assert any(one.startswith(said) for one in loosened(OLD, new))


def test_a_new_source_of_evidence_is_looser() -> None:
    strict = replace(OLD, evidence_sources=("passing_test",))
    assert loosened(strict, OLD) == (
        "evidence_sources adds accepted_review, merged_diff, official_project_document",
    )


@pytest.mark.parametrize(
    "new",
    [
        OLD,
        replace(OLD, allow=OLD.allow[:2]),
        replace(OLD, require_evidence=(*OLD.require_evidence, "security_rule")),
        replace(
            OLD,
            retention={
                "temporary_workaround": timedelta(days=1),
                "verified_fix_pattern": timedelta(days=1),
            },
        ),
        replace(OLD, probes={"contract": "make contract", "more": "make more"}),
    ],
)
def test_what_is_as_strict_is_not(new: MemoryPolicy) -> None:
    assert loosened(OLD, new) == ()
