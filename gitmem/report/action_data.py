"""What the Action found, for machines: annotations, outputs, the JSON document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gitmem.promotion.ruling import GateDecision
from gitmem.report.action import headline
from gitmem.report.drift import judgement_document
from gitmem.report.drift_workflow import command, first_ten, format_annotations
from gitmem.report.gate import gated_document
from gitmem.report.problems import problem_document
from gitmem.trust.reviews import Reviewed
from gitmem.usecases.acting.answer import ActionAnswer, Arrived, Proposed

_WEIGHT = (GateDecision.REFUSE, GateDecision.HOLD, GateDecision.NEEDS_HUMAN, GateDecision.ACCEPT)


def action_annotations(answer: ActionAnswer) -> list[str]:
    """Workflow commands: the ten worst of each kind, the others counted."""
    errors = [_gated(one, "error") for one in answer.refused]
    if answer.gate_failed:
        errors.insert(0, command("error", answer.gate_failed, title="the gate could not judge"))
    warnings = [command("warning", one, title="what the check goes by") for one in answer.eased]
    warnings += [
        command(
            "warning",
            _came(one),
            file=one.file,
            line=1,
            title="not reviewed",
        )
        for one in answer.unreviewed
    ]
    waiting = [one for one in answer.proposed if one.gated.decision is not GateDecision.REFUSE]
    notices = [_gated(one, "notice") for one in waiting if one.gated.lacking or _is_waiting(one.reviewed)]
    return [
        *first_ten(errors, "refused"),
        *format_annotations(answer.report),
        *first_ten(warnings, "warnings"),
        *first_ten(notices, "proposed"),
    ]


def _came(one: Arrived) -> str:
    commit = f" with {one.commit[:12]}" if one.commit else ""
    by = f" by {one.by}" if one.by else ""
    did = "was removed" if one.removed else "came"
    return f"{one.file} {did}{commit}{by} without an approving review{f': {one.why}' if one.why else ''}"


def _is_waiting(reviewed: Reviewed | None) -> bool:
    return reviewed is not None and reviewed.state != "approved"


def _gated(one: Proposed, kind: str) -> str:
    told = [
        f"{result.rule}: {result.reason}" + (f" → {result.cure}" if result.cure else "")
        for result in one.gated.lacking
    ]
    if one.reviewed is not None and one.reviewed.why:
        told.append(f"approval: {one.reviewed.why}")
    title = f"memory {one.gated.subject}: {one.gated.decision.value}"
    return command(kind, "\n".join(told), file=one.gated.file, line=1, title=title)


def worst_decision(answer: ActionAnswer) -> str:
    """The gravest decision of the gate; ``none`` when nothing is proposed."""
    if answer.gate_failed:
        return GateDecision.REFUSE.value
    found = {one.gated.decision for one in answer.proposed}
    return next((one.value for one in _WEIGHT if one in found), "none")


def approval(answer: ActionAnswer) -> str:
    """Whether all that a change proposes is approved in review, or all that a push brought is approved by its merge.

    ``yes``, ``no``, ``unknown``, or ``none`` to approve.
    """
    if answer.arrived:
        told = {one.approved for one in answer.arrived}
        return next(one for one in ("no", "unknown", "yes") if one in told)
    states = [one.reviewed.state for one in answer.proposed if one.reviewed is not None]
    if not states:  # merged nowhere, and no pull request that could be
        return "no" if answer.proposed else "none"
    if all(one == "approved" for one in states):
        return "yes"
    return "no" if {"waiting", "refused"}.intersection(states) else "unknown"


def outputs(answer: ActionAnswer) -> dict[str, str]:
    """What later steps may read; counts and fixed words, no text of the repository."""
    return {
        "checked": str(len(answer.report.judgements)),
        "challenged": str(len(answer.doubts)),
        "touched": str(len(answer.touched) if answer.since else 0),
        "unchecked": str(answer.unchecked),
        "unconfirmed": str(len(answer.unconfirmed)),
        "proposed": str(len(answer.proposed)),
        "gate": worst_decision(answer),
        "approved": approval(answer),
        "unreviewed": str(len(answer.unreviewed)),
        "marked": str(len(answer.marked.files) if answer.marked and not answer.marked.refused else 0),
    }


def action_document(answer: ActionAnswer) -> dict[str, Any]:
    """The whole answer as data."""
    return {
        "event": answer.occasion.event,
        "head": answer.head,
        "since": answer.since,
        "headline": headline(answer),
        **outputs(answer),
        "doubts": [{**judgement_document(one.judgement), "token": one.token} for one in answer.doubts],
        "unconfirmed_memories": [judgement_document(one) for one in answer.unconfirmed],
        "settled": [{"id": one.judgement.id, "how": one.how} for one in answer.settled],
        "gated": [
            {**gated_document(one.gated), "review": one.reviewed._asdict() if one.reviewed else None}
            for one in answer.proposed
        ],
        "removed": list(answer.removed),
        "arrived": [{**one._asdict(), "approved": one.approved} for one in answer.arrived],
        "require_review": answer.require_review,
        "eased": list(answer.eased),
        "remarks": list(answer.remarks),
        "problems": [problem_document(one) for one in answer.report.problems],
    }


def log_lines(answer: ActionAnswer) -> Iterator[str]:
    """A few lines for the log of the step."""
    from gitmem.report.sanitise import prose, visible

    yield f"gitmem: {headline(answer)}"
    yield from (
        f"challenged  {visible(one.judgement.id)}  {prose(one.judgement.summary)}" for one in answer.doubts
    )
    yield from (
        f"{one.gated.decision.value:<11} {visible(one.gated.subject)}  {visible(one.gated.file)}"
        for one in answer.proposed
    )
    yield from (f"note: {prose(one)}" for one in dict.fromkeys(answer.remarks))
