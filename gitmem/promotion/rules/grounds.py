"""Rules about evidence: that there is some, that it exists, that it bears the lesson out, and what replay showed."""

from __future__ import annotations

from collections.abc import Iterable

from gitmem.promotion.case import Case, Proof
from gitmem.promotion.ruling import RuleResult, failed, needs_human, not_applicable, passed

_NAMED = 3


def evidence(case: Case) -> RuleResult:
    """Some evidence, where the policy asks for it: by type, or of everything that no person says himself."""
    rule = "evidence"
    cure = "--evidence test:NAME, commit:ID, review:NAME or doc:PATH"
    if case.facts.proofs:
        return passed(rule, f"{len(case.facts.proofs)} named")
    if case.type in case.policy.require_evidence:
        return failed(rule, f"a {case.type} needs evidence and names none", cure)
    if not case.asks(rule):
        return not_applicable(rule, "the policy does not ask for any")
    if case.is_persons:
        return passed(rule, "a person's own lesson")
    return needs_human(rule, "nothing but its words says so", f"a person knows that it is true, or {cure}")


def evidence_exists(case: Case) -> RuleResult:
    """Each reference leads to something."""
    rule, proofs = "evidence_exists", case.facts.proofs
    missing = [one for one in proofs if one.exists is False]
    if missing:
        return failed(rule, _told(missing), "name what exists, or leave the reference out")
    untold = [one for one in proofs if one.exists is None]
    if untold:
        cures = dict.fromkeys(one.cure for one in untold if one.cure)
        return needs_human(rule, _told(untold), "; ".join(cures) or "a person looks it up")
    if not proofs:
        return not_applicable(rule, "it names none")
    return passed(rule, _told(proofs))


def evidence_sources(case: Case) -> RuleResult:
    """At least one reference is of a source that counts and bears the lesson out."""
    rule, proofs = "evidence_sources", [one for one in case.facts.proofs if one.exists]
    if case.type not in case.policy.require_evidence:
        return not_applicable(rule, f"{case.type or 'its type'} needs none")
    if not proofs:
        return not_applicable(rule, "it names none that exists")
    accepted = ", ".join(case.policy.evidence_sources) or "nothing"
    fitting = [one for one in proofs if one.source in case.policy.evidence_sources]
    if not fitting:
        return failed(rule, f"what it names is none of what counts: {accepted}", "name evidence that counts")
    counting = [one for one in fitting if one.counts]
    if counting:
        return passed(rule, _told(counting))
    if case.has_replayed:
        return passed(rule, "replay passed")
    cures = dict.fromkeys(one.cure for one in fitting if one.cure)
    return needs_human(rule, _told(fitting), "; ".join([*cures][:2]))


def replay(case: Case) -> RuleResult:
    """What the newest recorded replay of exactly these words showed; the gate itself never runs a probe."""
    rule, told = "replay", case.facts.replay
    if told is None:
        probe = case.memory.verification.probe
        return not_applicable(
            rule, f"`{probe}` was not replayed on these words" if probe else "it has no probe"
        )
    if case.has_replayed:
        return passed(rule, told.told)
    if told.has_passed:
        return needs_human(
            rule, f"the probe passes whatever happens: {told.told}", "--probe of a command that can fail"
        )
    if told.verdict == "failed":
        return failed(
            rule, f"the probe failed: {told.told}", "the lesson does not hold here: deny or rewrite it"
        )
    return needs_human(
        rule, f"the probe could not be run: {told.told}", "gitmem confirm ID --replay, or a person looks"
    )


def _told(proofs: Iterable[Proof]) -> str:
    listed = list(proofs)
    parts = [f"{one.reference}: {one.said}" if one.said else one.reference for one in listed[:_NAMED]]
    more = f"; and {len(listed) - _NAMED} more" if len(listed) > _NAMED else ""
    return "; ".join(parts) + more
