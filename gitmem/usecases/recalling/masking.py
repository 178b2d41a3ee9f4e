"""Secrets that stand in an approved memory are not delivered: they were merged before anybody saw them for what they are.

What is masked is told as ``[masked:KIND]``; `gitmem lint` names the file. Rules are asked when a memory is indexed, the
values that are secret on this machine when it is told: both by substrings, and only a hit loads what masks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from gitmem.usecases.recalling.cards import Card
from gitmem.wire.triggers import may_hold_secret, secret_values, which_may_hold_secret

_FIELDS = ("title", "summary", "label", "probe", "contract_version", "created_by")
Mask = Callable[[str], str]


def masked_by_rules(cards: Sequence[Card]) -> list[Card]:
    """What is said of documents without what looks like a secret; paths and ids stay, since they must be found again."""
    doubts = which_may_hold_secret([_said(card).encode("utf-8", "surrogatepass") for card in cards])
    return [_masked(card, masked_text) if doubt else card for card, doubt in zip(cards, doubts, strict=True)]


def _said(card: Card) -> str:
    texts = (card.title, card.summary, card.label, card.probe, card.contract_version, card.created_by)
    return "\n".join((*filter(None, texts), *card.applies_to, *card.does_not_apply_to))


def masked_here(card: Card, known: tuple[str, ...]) -> Card:
    """The same without the values that are secret on this machine, from `secret_here`."""
    return _masked(card, lambda text: _by_values(text, known)) if known else card


def masked_text(text: str) -> str:
    if not _may_hold(text):
        return text
    from gitmem.redaction.masking import Masker

    return Masker().mask(text).text


def _masked(card: Card, mask: Mask) -> Card:
    told: dict[str, Any] = {field: mask(text) for field in _FIELDS if (text := getattr(card, field))}
    domains = tuple(map(mask, card.applies_to)), tuple(map(mask, card.does_not_apply_to))
    return card._replace(**told, applies_to=domains[0], does_not_apply_to=domains[1])


def _may_hold(text: str) -> bool:
    return bool(text) and may_hold_secret(text.encode("utf-8", "surrogatepass"))


def _by_values(text: str, known: tuple[str, ...]) -> str:
    if not any(value in text for value in known):
        return text
    from gitmem.redaction.masking import masker_of

    return masker_of(os.environ).mask(text).text


def secret_here() -> tuple[str, ...]:
    """Values that are secret here, and the home folder."""
    home = os.environ.get("HOME", "").rstrip("/")
    return (*secret_values(dict(os.environ)), *([home] if len(home) > 1 else []))
