"""What goes out to an agent: text of the repository as values that can be seen, each no longer than its share.

Hidden characters would be read by a model and by nobody else, so they become visible escapes (targets.md, security 3
and 4); a lone surrogate could not be sent at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from gitmem.model.visible_text import is_shown, visible_block

MOST_BYTES: Final = 256 * 1024
LONGEST_TEXT: Final = 4_000
_MOST_ITEMS = 200
_DEEPEST = 12


def capped(value: Any, *, longest: int = LONGEST_TEXT) -> Any:
    """A JSON value with every text seen and cut, every list and every depth bounded.

    Args:
        value: Texts, numbers, lists, mappings; anything else is told by its text.
        longest: Characters of one text.
    """
    return _capped(value, longest, _DEEPEST)


def _capped(value: Any, longest: int, depth: int) -> Any:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return _text(value, longest)
    if depth == 0:
        return "…"
    if isinstance(value, Mapping):
        return {_text(str(name), 200): _capped(one, longest, depth - 1) for name, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        kept = [_capped(one, longest, depth - 1) for one in list(value)[:_MOST_ITEMS]]
        return [*kept, f"… {len(value) - _MOST_ITEMS} more"] if len(value) > _MOST_ITEMS else kept
    return _text(str(value), longest)


def _text(text: str, longest: int) -> str:
    cut = text if len(text) <= longest else f"{text[:longest]} … ({len(text) - longest} characters more)"
    return cut if is_shown(cut) else visible_block(cut)


def sentences(*parts: str | None) -> str:
    """What is there of some parts, each ended as a sentence is."""
    said = [part.strip() for part in parts if part and part.strip()]
    return " ".join(one if one.endswith((".", "?", "!")) else f"{one}." for one in said)
