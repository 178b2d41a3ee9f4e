"""What the promotion gate says, as text and as the ``gate`` document of cli.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gitmem.model.problem import Problem
from gitmem.promotion.ruling import GateDecision, Outcome, RuleResult
from gitmem.report.counts import count_of
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.problems import problem_document
from gitmem.report.sanitise import prose, visible
from gitmem.usecases.gate import Gate, Gated
from gitmem.usecases.gating.asked import GateAnswer

_DECISIONS: Mapping[GateDecision, tuple[str, str]] = {
    GateDecision.ACCEPT: ("accepted", "green"),
    GateDecision.REFUSE: ("refused", "red"),
    GateDecision.HOLD: ("held", "yellow"),
    GateDecision.NEEDS_HUMAN: ("needs a person", "cyan"),
}
_APPROVED = ("approved and unchanged", "green")
_OUTCOMES: Mapping[Outcome, tuple[str, str]] = {
    Outcome.FAILED: ("failed", "red"),
    Outcome.HELD: ("held", "yellow"),
    Outcome.NEEDS_HUMAN: ("person", "cyan"),
    Outcome.PASSED: ("passed", "green"),
    Outcome.NOT_APPLICABLE: ("–", "dim"),
}


def gated_document(gated: Gated) -> dict[str, Any]:
    """One subject with every rule's result."""
    return {
        "subject": gated.subject,
        "decision": gated.decision.value,
        "rules": [
            {"rule": one.rule, "outcome": one.outcome.value, "reason": one.reason, "cure": one.cure}
            for one in gated.results
        ],
        "kind": "memory" if gated.file else "candidate",
        "summary": gated.memory.summary if gated.memory else None,
        "file": gated.file or None,
        "blob": gated.blob,
    }


def gate_document(gate: Gate, answer: GateAnswer, *, is_single: bool) -> dict[str, Any]:
    """The whole answer.

    Args:
        gate: The gate.
        answer: What it said.
        is_single: Whether one subject was asked for by name: then it is the document itself, else a list.
    """
    told: dict[str, Any] = {"subjects": [gated_document(one) for one in answer.gated]}
    if is_single and len(answer.gated) == 1:
        told = gated_document(answer.gated[0])
    return {
        **told,
        "policy": {"of": gate.policy.of, "commit": gate.policy.commit},
        "remarks": list(answer.remarks),
        "problems": [
            problem_document(one) if isinstance(one, Problem) else {"run": one.run, "message": one.message}
            for one in answer.problems
        ],
    }


def gate_lines(answer: GateAnswer, look: Look = PLAIN, *, verbose: bool = False) -> Iterator[str]:
    """One screen for each subject, what speaks against it first."""
    for number, one in enumerate(answer.gated):
        if number:
            yield ""
        yield from gated_lines(one, look, verbose=verbose)


def gated_lines(gated: Gated, look: Look = PLAIN, *, verbose: bool = False) -> Iterator[str]:
    """The decision on one subject, and why."""
    word, style = _APPROVED if gated.is_approved else _DECISIONS[gated.decision]
    said = f"  {prose(gated.memory.summary)}" if gated.memory else ""
    yield look.line(Span(visible(gated.subject), "bold"), "  ", Span(word, f"bold {style}"), said)
    for result in gated.lacking:
        yield from _result(result, look)
    rest = [one for one in gated.results if not one.is_lacking]
    if verbose:
        for result in rest:
            yield from _result(result, look)
        return
    if not rest:
        return
    passed = sum(one.outcome is Outcome.PASSED for one in rest)
    others = f", {len(rest) - passed} do not apply" if len(rest) > passed else ""
    yield look.line(Span(f"  {count_of(passed, 'rule')} passed{others} (-v shows them)", "dim"))


def _result(result: RuleResult, look: Look) -> Iterator[str]:
    word, style = _OUTCOMES[result.outcome]
    reason = f": {prose(result.reason)}" if result.reason else ""
    yield look.line("  ", Span(f"{word:<7}", style), f" {result.rule}{reason}")
    if result.cure:
        yield look.line(f"{' ' * 10}→ {prose(result.cure)}")
