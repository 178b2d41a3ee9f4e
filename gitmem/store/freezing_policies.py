"""The memory policy and the elements as plain tuples for the cache, and back."""

from __future__ import annotations

from dataclasses import astuple
from datetime import timedelta

from gitmem.model.element import Element, Elements, Level
from gitmem.model.policy import MemoryPolicy, Promotion
from gitmem.model.verdict import Verdict
from gitmem.store.freezing import Frozen


def freeze_memory_policy(policy: MemoryPolicy) -> Frozen:
    """`thaw_memory_policy` gives the same policy back."""
    retention = {name: None if kept is None else kept.days for name, kept in policy.retention.items()}
    return (
        policy.allow,
        policy.deny,
        policy.require_evidence,
        policy.evidence_sources,
        retention,
        astuple(policy.promotion),
        tuple(sorted(map(str, policy.challenge_on))),
        policy.profile,
        dict(policy.probes),
        policy.require_review,
        dict(policy.budgets),
    )


def thaw_memory_policy(frozen: Frozen) -> MemoryPolicy:
    """The policy that `freeze_memory_policy` made this of."""
    allow, deny, require_evidence, sources, retention, promotion, challenge_on, *rest = frozen
    profile, probes, require_review, budgets = rest
    return MemoryPolicy(
        allow=allow,
        deny=deny,
        require_evidence=require_evidence,
        evidence_sources=sources,
        retention={name: None if days is None else timedelta(days) for name, days in retention.items()},
        promotion=Promotion(*promotion),
        challenge_on=frozenset(map(Verdict, challenge_on)),
        profile=profile,
        probes=probes,
        require_review=require_review,
        budgets=budgets,
    )


def freeze_elements(elements: Elements) -> Frozen:
    """`thaw_elements` gives the same elements back."""
    return (
        tuple(
            (one.name, str(one.level), one.paths, one.description, one.tags, one.inside)
            for one in elements.elements
        ),
        elements.adr,
    )


def thaw_elements(frozen: Frozen) -> Elements:
    """The elements that `freeze_elements` made this of."""
    elements, adr = frozen
    return Elements(
        tuple(
            Element(name, Level(level), paths, description, tags, inside)
            for name, level, paths, description, tags, inside in elements
        ),
        adr,
    )
