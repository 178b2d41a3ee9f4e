from __future__ import annotations

import marshal
from datetime import timedelta

import pytest

from gitmem.model.element import Element, Elements, Level
from gitmem.model.policy import MemoryPolicy, Promotion
from gitmem.model.verdict import Verdict
from gitmem.store.freezing_policies import (
    freeze_elements,
    freeze_memory_policy,
    thaw_elements,
    thaw_memory_policy,
)

OTHER = MemoryPolicy(
    allow=("a",),
    deny=(),
    require_evidence=("b",),
    evidence_sources=("c",),
    retention={"a": None, "b": timedelta(days=14)},
    promotion=Promotion(("x",), ("y",), ("z",)),
    challenge_on=frozenset({Verdict.TOUCHED, Verdict.GONE}),
    profile="classic",
    probes={"unit": "make test"},
    require_review=True,
    budgets={"brief": 800},
)


@pytest.mark.parametrize("policy", [MemoryPolicy(), OTHER])
def test_a_policy_comes_back_from_the_cache_as_it_was(policy: MemoryPolicy) -> None:
    assert thaw_memory_policy(marshal.loads(marshal.dumps(freeze_memory_policy(policy)))) == policy


def test_elements_come_back_from_the_cache_as_they_were() -> None:
    elements = Elements(
        (Element("결제", Level.SYSTEM, ("src/**",), "d", ("t",), "Shop"), Element("B")), ("adr",)
    )
    assert thaw_elements(marshal.loads(marshal.dumps(freeze_elements(elements)))) == elements
