"""What was recalled, as text that an agent reads and as the JSON document of cli.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gitmem.report.sanitise import code, inline, sentence
from gitmem.usecases.recall import Item, Recalled
from gitmem.usecases.recalling.lines import item_lines

__all__ = ["item_lines", "recall_document", "recall_lines"]


def recall_lines(recalled: Recalled, *, explain: bool = False) -> Iterator[str]:
    """The answer as lines of Markdown; one sentence when it is empty.

    Args:
        recalled: The answer.
        explain: Also how each score came about.
    """
    for item in recalled.items:
        yield from item_lines(item)
        if explain:
            yield f"  {_explained(item)}"
    if explain and recalled.items:
        vectors = "words and vectors" if recalled.vectors else "words alone, without vectors"
        paused = f": {inline(recalled.paused)}" if recalled.paused else ""
        yield f"profile {recalled.profile}, {vectors}{paused}"
    if recalled.remark:
        yield sentence(recalled.remark)


def _explained(item: Item) -> str:
    if item.is_pulled:
        return f"linked by {code(item.via or '')}, not found by itself  {code(item.card.id)}"
    similarity, factors = item.score
    parts = [f"text {similarity.lexical:.2f}"]
    if similarity.semantic is not None:
        parts.insert(0, f"vectors {similarity.semantic:.2f}")
    if similarity.place:
        parts.append(f"place {similarity.place:+.2f}")
    return (
        f"{item.score.value:.3f} = similarity {similarity.total:.3f} ({', '.join(parts)}) × kind {factors.kind:.2f}"
        f" × freshness {factors.freshness:.2f} × usage {factors.usage:.2f} × drift {factors.drift:.2f}"
        f"  {code(item.card.id)}"
    )


def recall_document(recalled: Recalled) -> dict[str, Any]:
    """The ``recall`` document."""
    return {
        "query": recalled.query,
        "vectors": recalled.vectors,
        "profile": recalled.profile,
        "results": [_item_document(item) for item in recalled.items],
        "remark": recalled.remark,
        "problems": list(recalled.problems),
    }


def _item_document(item: Item) -> dict[str, Any]:
    card, (similarity, factors) = item.card, item.score
    verification = {"probe": card.probe, "contract_version": card.contract_version}
    return {
        "id": card.id,
        "title": card.title,
        "summary": card.summary,
        "kind": card.kind,
        "status": item.status,
        "elements": list(card.elements),
        "paths": list(card.paths),
        "applies_to": list(card.applies_to),
        "does_not_apply_to": list(card.does_not_apply_to),
        "verification": {name: value for name, value in verification.items() if value},
        "created_by": card.created_by,
        "validated_at": item.validated_at or None,
        "age_days": item.age_days,
        "confirmations": item.confirmations,
        "score": item.score.value,
        "via": item.via,
        "warning": item.warning,
        "factors": {
            "similarity": similarity.total,
            "semantic": similarity.semantic,
            "lexical": similarity.lexical,
            "path": similarity.place,
            "kind": factors.kind,
            "freshness": factors.freshness,
            "usage": factors.usage,
            "drift": factors.drift,
        },
    }
