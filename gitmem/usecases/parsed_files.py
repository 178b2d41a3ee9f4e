"""The values that files below ``.ai/`` hold, from the cache where their blob was parsed before."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from gitmem.model.change import TreeEntry
from gitmem.model.problem import Problem
from gitmem.store.cache import Cache
from gitmem.store.freezing import (
    freeze_memory,
    freeze_problems,
    freeze_validation,
    thaw_memory,
    thaw_problems,
    thaw_validation,
)
from gitmem.usecases.ai_files import Contents, unreadable

Form = Literal["memory", "note", "validation", "policy", "elements"]


class ParsedFiles:
    """Parsed values with the problems found on the way.

    Args:
        contents: Where the bytes come from.
        cache: Values parsed before, by blob and path; None parses everything anew.
    """

    def __init__(self, contents: Contents, cache: Cache | None) -> None:
        self.contents = contents
        self.problems: list[Problem] = []
        self.unreadable = False
        self._cache = cache
        self._frozen: dict[str, Any] = {}

    def preload(self, entries: Iterable[tuple[TreeEntry, Form]]) -> None:
        """Take what the cache has and read the rest in one batch."""
        listed = list(entries)
        self._frozen = {_key(entry): self._cached(entry, form) for entry, form in listed}
        self.contents.preload([entry for entry, _ in listed if self._frozen[_key(entry)] is None])

    def value(self, entry: TreeEntry, form: Form) -> Any:
        """What the file holds; None when it does not load. Its problems are noted."""
        kept = self._kept(entry, form)
        if kept is not None:
            value, problems = kept
            self.problems += problems
            return value
        data = self.contents.of(entry)
        if data is None:
            self.problems.append(unreadable(entry, self.contents.size(entry)))
            self.unreadable = True
            return None
        value, found = _parse(form, entry.path, data)
        self.problems += found
        if self._cache is not None:
            held = None if value is None else _freeze(form, value)
            self._cache.put(form, _key(entry), (held, freeze_problems(found)))
        return value

    def _kept(self, entry: TreeEntry, form: Form) -> tuple[Any, Iterable[Problem]] | None:
        """What was parsed before; None for what another version of gitmem left in another shape."""
        frozen = self._frozen.get(_key(entry))
        if frozen is None:
            return None
        try:
            held, problems = frozen
            return None if held is None else _thaw(form, held), thaw_problems(problems)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError):
            return None

    def save(self) -> None:
        if self._cache is not None:
            self._cache.save()

    def _cached(self, entry: TreeEntry, form: Form) -> Any:
        return self._cache.get(form, _key(entry)) if self._cache is not None else None


def _key(entry: TreeEntry) -> str:
    return f"{entry.oid} {entry.path}"


def _parse(form: Form, path: str, data: bytes) -> tuple[Any, tuple[Problem, ...]]:
    # Imported lazily: nothing is parsed where all values come from the cache.
    match form:
        case "memory":
            from gitmem.store.memories import parse_memory

            memory = parse_memory(path, data)
            return memory.memory, memory.problems
        case "note":
            from gitmem.store.notes import parse_note

            note = parse_note(path, data)
            return note.memory, note.problems
        case "validation":
            from gitmem.store.validations import parse_validation

            return parse_validation(path, data)
        case "policy":
            from gitmem.store.policies import parse_memory_policy

            return parse_memory_policy(path, data)
        case "elements":
            from gitmem.store.elements import parse_elements

            return parse_elements(path, data, partly=True)


def _freeze(form: Form, value: Any) -> Any:
    match form:
        case "memory" | "note":
            return freeze_memory(value)
        case "validation":
            return freeze_validation(value)
    from gitmem.store import freezing_policies as policies

    return policies.freeze_memory_policy(value) if form == "policy" else policies.freeze_elements(value)


def _thaw(form: Form, held: Any) -> Any:
    match form:
        case "memory" | "note":
            return thaw_memory(held)
        case "validation":
            return thaw_validation(held)
    from gitmem.store import freezing_policies as policies

    return policies.thaw_memory_policy(held) if form == "policy" else policies.thaw_elements(held)
