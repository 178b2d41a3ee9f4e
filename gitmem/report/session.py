"""What an agent reads at the start of a session and beside a prompt, within its limit of bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.report.recall import item_lines
from gitmem.report.sanitise import code

if TYPE_CHECKING:
    from gitmem.usecases.brief import Brief
    from gitmem.usecases.recall import Item

_MOST_OF_REMINDER: Final = 2_400
_REMINDER: Final = (
    "gitmem: approved memories that bear on this. One marked VERIFY may be out of date: check the code first."
)


def opening_text(brief: Brief, session: str, *, most_bytes: int) -> tuple[str, tuple[str, ...]]:
    """The brief, and how to name session and memories; with the ids of the memories in it.

    Args:
        brief: What was loaded.
        session: Id of the session.
        most_bytes: Most bytes in UTF-8.
    """
    from gitmem.report.brief import format_brief

    habits = (
        f"\nThis session is {code(session)}: pass it to gitmem where a tool takes one."
        " Cite each memory that helped you by its id, as `(memory: ID)`.\n"
    )
    told = format_brief(brief, most_bytes=most_bytes - _size(habits))
    return (told.text + habits, told.memories) if told.text else ("", ())


def reminder_text(items: Sequence[Item]) -> tuple[str, tuple[str, ...]]:
    """A few memories for a prompt, with the ids of those that fit; empty for none."""
    lines, ids = _told(items, _MOST_OF_REMINDER)
    return ("\n".join([_REMINDER, *lines, ""]), ids) if lines else ("", ())


def _told(items: Iterable[Item], most_bytes: int) -> tuple[list[str], tuple[str, ...]]:
    """Lines of as many items as fit, and the ids of the memories among them."""
    told: list[str] = []
    ids: list[str] = []
    left = most_bytes
    for item in items:
        first, *more = item_lines(item)
        is_memory = item.status in {"active", "challenged"}
        lines = [f"{first} (id: {code(item.card.id)})" if is_memory else first, *more]
        left -= _size("\n".join(lines)) + 1
        if left < 0:
            break
        told += lines
        ids += [item.card.id] if item.status != "linked" else []
    return told, tuple(ids)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
