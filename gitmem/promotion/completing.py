"""What a lesson that is said again adds to the candidate that waits: what that one lacked, and further proof. Pure.

The words, the scope and whatever else the candidate says already stay as they are: only a person edits them.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Final

from gitmem.model.memory import Memory

_GROUPS: Final = ("scope", "verification", "origin")
_PARTS: Final = ("title", "body", "type", "expires_at", "review_after", "claim", "watch")
_LEFT_OUT: Final = frozenset({"origin.run", "origin.system", "origin.candidate", "origin.imported"})


def completed(waiting: Memory, again: Memory) -> tuple[Memory, tuple[str, ...]]:
    """The candidate's memory with what was said in addition, and the names of what was added.

    Args:
        waiting: What the candidate says.
        again: The same fact, said again.
    """
    added: list[str] = []
    values: dict[str, Any] = {}
    for name in _PARTS:
        held, new = getattr(waiting, name), getattr(again, name)
        if held is None and new is not None:
            values[name] = new
            added.append(name)
    for group in _GROUPS:
        whole, names = _filled(group, getattr(waiting, group), getattr(again, group))
        values[group] = whole
        added += names
    values["evidence"], names = _joined("evidence", waiting.evidence, again.evidence)
    added += names
    origin, names = _more_events(values["origin"], again)
    values["origin"] = origin
    added += [name for name in names if name not in added]
    return replace(waiting, **values), tuple(added)


def _filled(group: str, held: Any, new: Any) -> tuple[Any, list[str]]:
    """The group with the fields that it lacked."""
    lacking = {
        one.name: getattr(new, one.name)
        for one in fields(held)
        if not getattr(held, one.name) and getattr(new, one.name) and f"{group}.{one.name}" not in _LEFT_OUT
    }
    return replace(held, **lacking), [f"{group}.{name}" for name in lacking]


def _joined(group: str, held: Any, new: Any) -> tuple[Any, list[str]]:
    """The group with the items that its lists lacked."""
    lists = {one.name: (getattr(held, one.name), getattr(new, one.name)) for one in fields(held)}
    longer = {name: tuple(dict.fromkeys((*old, *more))) for name, (old, more) in lists.items()}
    changed = {name: value for name, value in longer.items() if value != lists[name][0]}
    return replace(held, **changed), [f"{group}.{name}" for name in changed]


def _more_events(origin: Any, again: Memory) -> tuple[Any, list[str]]:
    events = tuple(dict.fromkeys((*origin.source_events, *again.origin.source_events)))
    if events == origin.source_events:
        return origin, []
    return replace(origin, source_events=events), ["origin.source_events"]
