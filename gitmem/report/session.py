"""What an agent reads at the start of a session and beside a prompt, within its limit of bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from gitmem.report.recall import item_lines
from gitmem.report.sanitise import code

if TYPE_CHECKING:
    from gitmem.usecases.recall import Item
    from gitmem.usecases.sessions.opening import Opening

_MOST_OF_MEMORIES: Final = 3_500
_MOST_OF_REMINDER: Final = 2_400
_REMINDER: Final = (
    "gitmem: approved memories that bear on this. One marked VERIFY may be out of date: check the code first."
)


def opening_text(opening: Opening, session: str, *, most_bytes: int) -> tuple[str, tuple[str, ...]]:
    """The brief, memories, and how to name session and memories; with the ids of the memories in it.

    Args:
        opening: What was loaded.
        session: Id of the session.
        most_bytes: Most bytes in UTF-8.
    """
    from gitmem.report.brief import format_brief

    habits = (
        f"\nThis session is {code(session)}: pass it to gitmem where a tool takes one."
        " Cite each memory that helped you by its id, as `(memory: ID)`.\n"
    )
    items = opening.recalled.items if opening.recalled is not None else ()
    lines, ids = _told(items, _MOST_OF_MEMORIES)
    memories = "\n".join(["", "## Approved Memory", "", *lines, ""]) if lines else ""
    left = most_bytes - _size(memories) - _size(habits)
    brief = format_brief(opening.brief, most_bytes=left).text
    if not brief and not memories:
        return "", ()
    return (brief + memories + habits).lstrip("\n"), (*opening.brief.memories, *ids)


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
