"""What was recalled, as text that an agent reads and as the JSON document of cli.md.

One line says the rule with its label, kind, doubt, author and age; a second one where it applies, where not, and how
it can be checked (domain.md section 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from gitmem.model.visible_text import sentence
from gitmem.report.sanitise import code, prose
from gitmem.usecases.recall import Item, Recalled

_KINDS = {"session_outcome": "OUTCOME"}
_NO_DOMAIN = frozenset({"none", "없음"})
"""What an author writes who says that there is no anti-scope."""
_LONGEST = 1_200
"""Characters of one text: what stands in a memory is data, and never takes the whole answer."""


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
        yield f"profile {recalled.profile}, {vectors}"
    if recalled.remark:
        yield prose(recalled.remark)


def item_lines(item: Item) -> Iterator[str]:
    """One thing that an answer says, as one or two lines."""
    card = item.card
    doubt = f" [{_text(item.warning)}]" if item.warning else ""
    kind = _KINDS.get(card.kind, card.kind.upper())
    yield f"- **{_label(card.label)}** [{prose(kind)}]{doubt}{_told_by(item)}: {sentence(_cut(card.summary))}{_mark(item)}"
    terms = [
        f"{name}: {words}"
        for name, words in (
            ("applies to", _words(card.applies_to)),
            ("not for", _words([one for one in card.does_not_apply_to if one not in _NO_DOMAIN])),
            ("check", code(_cut(card.probe)) if card.probe else ""),
            ("via", code(item.via) if item.via else ""),
        )
        if words
    ]
    if terms:
        yield f"  {' · '.join(terms)}"


def _label(label: str) -> str:
    return _text(label).replace("*", "\\*")


def _mark(item: Item) -> str:
    return " (outcome, not reviewed)" if item.status == "outcome" else ""


def _told_by(item: Item) -> str:
    age = item.age_days
    days = "" if age is None else "today" if age == 0 else "1 day ago" if age == 1 else f"{age} days ago"
    told = ", ".join(one for one in (_text(item.card.created_by or ""), days) if one)
    return f" ({told})" if told else ""


def _words(words: Sequence[str]) -> str:
    return ", ".join(_text(word) for word in words)


def _text(text: str) -> str:
    return prose(_cut(text))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def _explained(item: Item) -> str:
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
