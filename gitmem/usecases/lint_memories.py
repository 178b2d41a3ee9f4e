"""Rules of lint that hold a memory against the other memories, the elements, the policy and the tree."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from gitmem.model.element import Elements
from gitmem.model.link import decision_number, is_decision, links_in
from gitmem.model.memory import Memory, Status
from gitmem.model.policy import MemoryPolicy
from gitmem.model.problem import Problem
from gitmem.model.text_folding import folded, hidden_characters
from gitmem.store.field_reading import did_you_mean, shown
from gitmem.store.positions import memory_position
from gitmem.usecases.lint_globs import Paths
from gitmem.wire.triggers import may_hold_secret

_LIVE = frozenset({Status.CANDIDATE, Status.ACTIVE, Status.CHALLENGED})
_AFTER_CREATION = ("approved_at", "last_validated_at", "review_after", "expires_at", "challenged_at")
_NEVER_FUTURE = ("created_at", "approved_at", "last_validated_at", "challenged_at")
_HIDDEN_SHOWN = 20
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))")
_TEXTS = ("title", "summary", "body")


@dataclass(frozen=True, slots=True)
class Store:
    """Everything that one memory is held against.

    Args:
        memories: What loads, notes included.
        files: Repository path and bytes of everything below ``.ai``.
        paths: The tree.
        elements: The elements; None when their file is broken, so that no name can be called unknown.
        policy: The policy; None when there is no file or it is broken.
    """

    memories: tuple[Memory, ...]
    files: Mapping[str, bytes]
    paths: Paths
    elements: Elements | None
    policy: MemoryPolicy | None

    def problem(
        self, memory: Memory, field: str, message: str, hint: str = "", item: int | None = None
    ) -> Problem:
        """A warning about a field of a memory, at its place in the file."""
        line, column = 0, 0
        if field and not memory.file.endswith(".md"):
            line, column = memory_position(memory.file, self.files[memory.file], field, item)
        return Problem(memory.file, line, column, field, message, hint, "warning")


def memory_problems(store: Store, today: date | None, approved: Collection[str] = ()) -> Iterator[Problem]:
    """Every problem that needs more than the memory's own file."""
    yield from _same_ids(store, approved)
    yield from _same_titles(store)
    targets = _link_targets(store)
    ids = {memory.id for memory in store.memories}
    for memory in store.memories:
        yield from _dead_links(memory, store, targets)
        yield from _secrets(memory, store)
        if memory.file.endswith(".md"):
            continue
        yield from _names(memory, store)
        yield from _dates(memory, store, today)
        yield from _scope(memory, store)
        yield from _references(memory, store, ids)
        yield from _policy(memory, store)
        yield from _hidden_values(memory, store)


def _secrets(memory: Memory, store: Store) -> Iterator[Problem]:
    """What is masked when the memory is delivered, and was merged all the same."""
    for field in _MASKED:
        value = memory.verification.probe if field == "verification.probe" else getattr(memory, field)
        if not value or not may_hold_secret(value.encode("utf-8", "surrogatepass")):
            continue
        from gitmem.redaction.masking import Masker

        for kind in Masker().mask(value).kinds:
            yield store.problem(memory, field, f"{field} holds what looks like a secret ({kind})", _REVOKE)


_MASKED = (*_TEXTS, "created_by", "verification.probe")
_REVOKE = "take it out, and revoke it: history keeps it, and delivery masks it only"


def _names(memory: Memory, store: Store) -> Iterator[Problem]:
    stem = memory.file.rpartition("/")[2].removesuffix(".yaml").removesuffix(".yml")
    if memory.id != stem:
        yield store.problem(
            memory, "id", f"id {memory.id} is not the file's name {shown(stem)}", "rename the file"
        )


def _same_ids(store: Store, approved: Collection[str]) -> Iterator[Problem]:
    """Files that are left out because another has their id.

    Which one counts is decided as `gitmem.usecases.knowledge` does: the approved one, else the first by path.
    """
    seen: dict[str, Memory] = {}
    for memory in sorted(store.memories, key=lambda one: (one.file not in approved, one.file)):
        first = seen.setdefault(memory.id, memory)
        if first is not memory:
            message = f"id {memory.id} is taken by {first.file}; this file is left out"
            yield replace(store.problem(memory, "id", message, "give it an id of its own"), severity="error")


def _same_titles(store: Store) -> Iterator[Problem]:
    seen: dict[str, Memory] = {}
    for memory in store.memories:
        if memory.title is None or memory.status not in _LIVE or memory.file.endswith(".md"):
            continue
        first = seen.setdefault(folded(memory.title), memory)
        if first is not memory:
            message = f"title {shown(memory.title)} is taken by {first.file}"
            yield store.problem(memory, "title", message, "links go by title: give it another")


def _dates(memory: Memory, store: Store, today: date | None) -> Iterator[Problem]:
    created = _day(memory.created_at)
    for field in _AFTER_CREATION:
        day = _day(getattr(memory, field))
        if created and day and day < created:
            yield store.problem(memory, field, f"{field} {day} lies before created_at {created}")
    for field in _NEVER_FUTURE if today else ():
        day = _day(getattr(memory, field))
        # A day of grace: the other side of the date line is no mistake.
        if today and day and day > today + timedelta(days=1):
            yield store.problem(memory, field, f"{field} {day} lies in the future")


def _day(moment: datetime | date | None) -> date | None:
    return moment.date() if isinstance(moment, datetime) else moment


def _scope(memory: Memory, store: Store) -> Iterator[Problem]:
    if memory.status not in _LIVE:
        return
    for field, globs in (("scope.paths", memory.scope.paths), ("scope.exclude", memory.scope.exclude)):
        for number, glob in enumerate(globs):
            if not store.paths.has_match(glob):
                hint = "correct it, or set its status to deprecated when what it spoke about is gone"
                yield store.problem(memory, field, f"{shown(glob)} matches nothing", hint, number)
    known = [element.name for element in store.elements.elements] if store.elements else None
    for number, name in enumerate(memory.scope.elements if known is not None else ()):
        if name not in (known or ()):
            hint = did_you_mean(name, known or ()) or "add it to .ai/elements.yaml"
            yield store.problem(memory, "scope.elements", f"there is no element {shown(name)}", hint, number)


def _references(memory: Memory, store: Store, ids: set[str]) -> Iterator[Problem]:
    titles = {folded(other.title) for other in store.memories if other.title}
    for field in ("supersedes", "superseded_by"):
        for number, name in enumerate(getattr(memory, field)):
            if name not in ids and folded(name) not in titles:
                yield store.problem(
                    memory, field, f"there is no memory {shown(name)}", did_you_mean(name, ids), number
                )
    if memory.superseded_by and memory.status in {Status.ACTIVE, Status.CHALLENGED}:
        message = f"is {memory.status} and yet superseded by {memory.superseded_by[0]}"
        yield store.problem(memory, "status", message, "write status: deprecated")
    for number, document in enumerate(memory.evidence.documents):
        path = document.partition("#")[0]
        if (
            "://" not in path
            and path not in store.paths.names
            and f".ai/memory/{path}" not in store.paths.names
        ):
            message = f"there is no document {shown(path)}"
            yield store.problem(memory, "evidence.documents", message, "correct the path", number)


def _policy(memory: Memory, store: Store) -> Iterator[Problem]:
    policy = store.policy
    if policy is None or memory.type is None or memory.status not in _LIVE:
        return
    if memory.type not in policy.allow:
        hint = did_you_mean(memory.type, policy.allow) or "add it to durable_memory.allow, or choose another"
        yield store.problem(memory, "type", f"type {shown(memory.type)} is not allowed by the policy", hint)
    if memory.type == "temporary_workaround" and memory.expires_at is None:
        yield store.problem(
            memory, "type", "a temporary_workaround without expires_at", "add expires_at: with a date"
        )


def _hidden_values(memory: Memory, store: Store) -> Iterator[Problem]:
    """Hidden characters that the file writes as escapes, so that its own text shows none: each at its escape."""
    text = store.files[memory.file].decode("utf-8", "replace")
    for field in _TEXTS:
        hidden = [one for _, one in hidden_characters(getattr(memory, field) or "") if one not in text]
        if not hidden:
            continue
        start = store.problem(memory, field, "", "remove it")
        places = _escapes(text, max(start.line, 1))
        for character in hidden[:_HIDDEN_SHOWN]:
            message = f"{field} holds a hidden character U+{ord(character):04X}"
            known = places.get(ord(character))
            line, column = known.pop(0) if known else (start.line, start.column)
            yield replace(start, line=line, column=column, message=message)
        if len(hidden) > _HIDDEN_SHOWN:
            yield replace(
                start, message=f"{field} holds {len(hidden) - _HIDDEN_SHOWN} more hidden characters"
            )


def _escapes(text: str, first: int) -> dict[int, list[tuple[int, int]]]:
    """Escapes by number, from a line on: the line and column of each, by code point."""
    places: dict[int, list[tuple[int, int]]] = {}
    for number, line in enumerate(text.split("\n")[first - 1 :], first):
        for found in _ESCAPE.finditer(line):
            code = int(found[1] or found[2] or found[3], 16)
            places.setdefault(code, []).append((number, found.start() + 1))
    return places


def _link_targets(store: Store) -> set[str]:
    names: Iterable[str] = (
        name for memory in store.memories for name in (memory.id, memory.title, *memory.aliases) if name
    )
    elements = store.elements.elements if store.elements else ()
    return {folded(name) for name in (*names, *(element.name for element in elements))}


def _dead_links(memory: Memory, store: Store, targets: set[str]) -> Iterator[Problem]:
    for field in _TEXTS:
        for link in links_in(getattr(memory, field) or ""):
            if folded(link.target) not in targets and not _is_known_decision(link.target, store):
                yield _link_problem(memory, store, field, link.target)


def _is_known_decision(target: str, store: Store) -> bool:
    number = decision_number(target)
    folders = (store.elements or Elements()).adr
    return number is not None and any(is_decision(path, number, folders) for path in store.paths.names)


def _link_problem(memory: Memory, store: Store, field: str, target: str) -> Problem:
    text = store.files[memory.file].decode("utf-8", "replace")
    start = text.find(f"[[{target}")
    line = text.count("\n", 0, start) + 1 if start >= 0 else 0
    column = start - text.rfind("\n", 0, start) if start >= 0 else 0
    message = f"[[{target}]] leads nowhere yet: no title, element or decision has that name"
    return Problem(memory.file, line, column, field, message, "", "warning")
