"""What is told of one state of the code alone, found once for all memories that are looked at in it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar
from weakref import WeakKeyDictionary

from gitmem.drift.view import TreeView

_Found = TypeVar("_Found")
_HELD: WeakKeyDictionary[TreeView, dict[Hashable, object]] = WeakKeyDictionary()


def once(view: TreeView, key: Hashable, find: Callable[[], _Found]) -> _Found:
    """What `find` gives, asked at the first time and held as long as the state is.

    Args:
        view: The state, which does not change.
        key: Names what is found; the same key always stands for the same question.
        find: Answers it by the state alone. What hangs on a file that cannot be read must not be held: each memory that
            rests on it has to meet it.
    """
    held = _HELD.setdefault(view, {})
    if key not in held:
        held[key] = find()
    return held[key]  # type: ignore[return-value]  # what `find` gave
