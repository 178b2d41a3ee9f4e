"""The review queue as text and as the ``review`` document of cli.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gitmem.model.anti_scope import named_domains
from gitmem.model.problem import Problem
from gitmem.promotion.ruling import Outcome
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.problems import problem_document
from gitmem.report.sanitise import masked, prose, visible
from gitmem.usecases.reviewing.queue import REASONS, Item, Queue, day_of, oldest
from gitmem.usecases.reviewing.resolving import Resolved

_STYLES = {"claimed": "yellow", "challenged": "red", "conflict": "red", "expired": "red", "candidate": "cyan"}
_OUTCOMES = {Outcome.NEEDS_HUMAN: "needs a person"}


def review_document(queue: Queue) -> dict[str, Any]:
    """Conflicts carry both sides, as ``remember`` told them."""
    return {
        "queue": [_item_document(one) for one in queue.items],
        "problems": [
            problem_document(one) if isinstance(one, Problem) else {"run": one.run, "message": one.message}
            for one in queue.problems
        ],
        "remarks": list(queue.remarks),
    }


def _item_document(item: Item) -> dict[str, Any]:
    told: dict[str, Any] = {
        "id": item.id,
        "reason": item.reason,
        "since": item.since or None,
        "detail": item.detail,
        "summary": item.memory.summary,
        "candidate": item.candidate.id if item.candidate else None,
    }
    if item.gated is not None:
        told["gate"] = item.gated.decision.value
        told["lacking"] = [
            {"rule": one.rule, "outcome": one.outcome.value, "reason": one.reason, "cure": one.cure}
            for one in item.gated.lacking
        ]
    if item.conflicts:
        first = item.conflicts[0]
        told |= {
            "conflict": True,
            "existing_memory": first.id,
            "candidate_memory": item.id,
            "resolution": "waiting_human",
            "conflicts": [
                {"existing_memory": one.id, "reason": one.differs, "says": one.says} for one in item.conflicts
            ],
        }
    if item.where is not None:
        told |= {"file": item.where.file, "branch": item.where.branch, "commit": item.where.commit}
    return told


def resolved_document(resolved: Sequence[Resolved]) -> dict[str, Any]:
    rows = [
        {
            "conflict": True,
            "existing_memory": one.existing,
            "candidate_memory": one.candidate,
            "resolution": one.resolution,
            "reason": one.reason,
        }
        for one in resolved
    ]
    return rows[0] if len(rows) == 1 else {"resolved": rows}


_ANSWERS = {
    "kept_existing": "kept; the candidate is withdrawn",
    "superseded": "is to be superseded: gitmem propose {id} carries it",
    "both_hold": "and the candidate both hold",
}


def resolved_lines(resolved: Sequence[Resolved], look: Look = PLAIN) -> Iterator[str]:
    for one in resolved:
        said = _ANSWERS[one.resolution].format(id=visible(one.candidate))
        again = " (answered so before)" if one.already else ""
        yield look.line(Span(visible(one.existing), "bold"), f" {said}{again}")


def review_lines(queue: Queue, look: Look = PLAIN) -> Iterator[str]:
    """The queue by reason, each entry with what it says and why it waits."""
    if not queue.items:
        yield "nothing waits for a person"
    for reason, meaning in REASONS.items():
        items = [one for one in queue.items if one.reason == reason]
        if items:
            since = oldest(items)
            when = f", since {since}" if since else ""
            yield look.line(
                Span(_counted(len(items), reason), f"bold {_STYLES.get(reason, '')}"), f": {meaning}{when}"
            )
            yield from (line for one in items for line in _entry_lines(one, look))


def _counted(number: int, reason: str) -> str:
    """``1 candidate``, ``2 candidates``, ``3 challenged``."""
    return (
        f"{number} {reason}s"
        if reason in {"candidate", "conflict", "review"} and number > 1
        else f"{number} {reason}"
    )


def _entry_lines(item: Item, look: Look) -> Iterator[str]:
    since = day_of(item.since) or " " * 10
    yield look.line(
        f"  {visible(since):<10}  ", Span(visible(item.id), "bold"), f"  {prose(item.memory.summary)}"
    )
    for near in item.conflicts:
        yield look.line(" " * 14, f"against {visible(near.id)}: {prose(near.says)}")
    if item.detail:
        yield look.line(" " * 14, Span(prose(item.detail), "dim"))


def item_lines(item: Item, look: Look = PLAIN, *, place: str = "") -> Iterator[str]:
    """One entry in full, to be decided upon."""
    since = f"since {visible(day_of(item.since))}" if item.since else ""
    headline = Span(item.reason, f"bold {_STYLES.get(item.reason, '')}")
    yield look.line(f"{place} ", headline, " ", Span(visible(item.id), "bold"), f"  {since}")
    yield look.line(f"  says: {prose(item.memory.summary)}")
    for line in masked(item.memory.body or "").splitlines()[:12]:
        yield look.line(f"        {prose(line)}")
    scope = item.memory.scope
    places = ", ".join(map(visible, (*scope.paths, *scope.elements)))
    not_for = ", ".join(map(visible, (*named_domains(scope.does_not_apply_to), *scope.exclude)))
    whole = "the whole project" if scope.project else "nowhere said"
    yield look.line(f"  where: {places or whole}" + (f"  not: {not_for}" if not_for else ""))
    if item.candidate is not None:
        who = f"{prose(item.candidate.actor)} at {visible(day_of(item.candidate.at))}"
        yield look.line(f"  told by {who} in {visible(item.candidate.run)}")
    for one in item.gated.lacking if item.gated is not None else ():
        cure = f" → {prose(one.cure)}" if one.cure else ""
        said = _OUTCOMES.get(one.outcome, one.outcome.value)
        yield look._replace(width=None).line(f"  {said}: {visible(one.rule)}: {prose(one.reason)}{cure}")
    for near in item.conflicts:
        says = f"  {prose(near.says)}" if near.says else ""
        yield look.line("  against: ", Span(visible(near.id), "bold"), says)
        yield look.line(f"  what differs: {prose(near.differs)}")
    if item.detail and (not item.gated or item.reason == "proposed"):
        yield look.line(f"  {prose(item.detail)}")
    if item.reason == "proposed":
        yield look.line(Span("  merging it approves it; what the code says today stands above", "dim"))
