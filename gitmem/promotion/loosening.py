"""Where one policy lets more through than another: what a change may not decide for itself (targets.md, security 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gitmem.model.policy import MemoryPolicy


def loosened(trusted: MemoryPolicy, other: MemoryPolicy) -> tuple[str, ...]:
    """What another policy would let through that the trusted one does not, in words; empty when it is as strict.

    Args:
        trusted: The policy that counts.
        other: The one that a branch has.
    """
    return tuple(_each(trusted, other))


def _each(old: MemoryPolicy, new: MemoryPolicy) -> Iterator[str]:
    ours, theirs = old.promotion, new.promotion
    yield from _more("durable_memory.allow", old.allow, new.allow)
    yield from _fewer("durable_memory.deny", old.deny, new.deny)
    yield from _fewer("require_evidence", old.require_evidence, new.require_evidence)
    yield from _more("evidence_sources", old.evidence_sources, new.evidence_sources)
    yield from _fewer("promotion.require", ours.require, theirs.require)
    yield from _fewer("promotion.reject_if", ours.reject_if, theirs.reject_if)
    yield from _more("promotion.auto", ours.auto, theirs.auto)
    yield from _fewer("drift.challenge_on", sorted(old.challenge_on), sorted(new.challenge_on))
    if old.require_review and not new.require_review:
        yield "trust.require_review is off"
    yield from _longer(old, new)
    for name, command in sorted(new.probes.items()):
        if name in old.probes and old.probes[name] != command:
            yield f"probes.{name} runs another command"


def _more(field: str, old: Iterable[str], new: Iterable[str]) -> Iterator[str]:
    if added := [str(one) for one in new if one not in set(old)]:
        yield f"{field} adds {', '.join(added)}"


def _fewer(field: str, old: Iterable[str], new: Iterable[str]) -> Iterator[str]:
    if gone := [str(one) for one in old if one not in set(new)]:
        yield f"{field} drops {', '.join(gone)}"


def _longer(old: MemoryPolicy, new: MemoryPolicy) -> Iterator[str]:
    for name in sorted({*old.retention, *new.retention}):
        before, after = old.retention.get(name), new.retention.get(name)
        if before is not None and (after is None or after > before):
            yield f"retention.{name} is longer"
