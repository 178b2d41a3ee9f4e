"""What an agent reads of one thing that was recalled.

One line says the rule with its label, kind, doubt, author and age; a second one where it applies, where not, and how
it can be checked (domain.md section 5). All of it is text of a repository and escaped alike: no word of it is HTML, ends
the bold label, or passes for a mark of gitmem's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gitmem.model.anti_scope import named_domains
from gitmem.model.visible_text import code, inline, prose, sentence

if TYPE_CHECKING:
    from gitmem.usecases.recall import Item

_KINDS = {"session_outcome": "OUTCOME"}
_BRACKET = re.compile(r"(?<!\\)((?:\\\\)*)([\[\]])")
_ASTERISK = re.compile(r"(?<!\\)((?:\\\\)*)(\*)")
_ESCAPED = r"\1\\\2"
_LONGEST = 1_200
"""Characters of one text: what stands in a memory is data, and never takes the whole answer."""


def item_lines(item: Item) -> Iterator[str]:
    """One thing that an answer says, as one or two lines."""
    card = item.card
    doubt = f" [{_BRACKET.sub(_ESCAPED, inline(_cut(item.warning)))}]" if item.warning else ""
    kind = _KINDS.get(card.kind, card.kind.upper())
    yield f"- **{_text(card.label)}** [{prose(kind)}]{doubt}{_told_by(item)}: {sentence(_cut(card.summary))}{_mark(item)}"
    terms = [
        f"{name}: {words}"
        for name, words in (
            ("applies to", _words(card.applies_to)),
            ("not for", _words(named_domains(card.does_not_apply_to))),
            ("check", code(_cut(card.probe)) if card.probe else ""),
            ("via", code(item.via) if item.via and item.is_pulled else ""),
        )
        if words
    ]
    if terms:
        yield f"  {' · '.join(terms)}"


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
    """Names, domains and authors: no bracket or asterisk of theirs is Markdown."""
    return _ASTERISK.sub(_ESCAPED, _BRACKET.sub(_ESCAPED, inline(_cut(text))))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
