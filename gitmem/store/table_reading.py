"""Files that are a table of fields in groups (policies, elements), read with every fault noted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gitmem.store.field_reading import Findings, Form, did_you_mean, is_absent, read_mapping, read_text, shown
from gitmem.store.yaml_reading import Entry, Fields, Node

VERSION = "1"


@dataclass(frozen=True, slots=True)
class Table:
    """What a file may hold.

    Args:
        forms: Every field, dotted below its group, and the form it is read by.
        either: Fields of a group that may stand at the top too, but not in both places.
        needs_version: Whether a missing ``version: 1`` is noted.
    """

    forms: Mapping[str, Form]
    either: frozenset[str] = frozenset()
    needs_version: bool = True
    groups: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        groups = frozenset(name.partition(".")[0] for name in self.forms if "." in name)
        object.__setattr__(self, "groups", groups)

    def parent_of(self, key: str) -> str | None:
        """The group that a field belongs under, when exactly that is what the table says."""
        parents = [name.rpartition(".")[0] for name in self.forms if name.rpartition(".")[2] == key]
        return next((parent for parent in parents if parent), None)


def read_table(root: Node, table: Table, findings: Findings) -> dict[str, Any]:
    """The values of a file by their dotted names; what is absent is left out. Problems go to the findings."""
    if is_absent(root):
        return {}
    fields = read_mapping(root, findings, "the file")
    if fields is None:
        return {}
    _check_version(fields, table, findings)
    found: dict[str, Entry] = {}
    for key, entry in fields.entries.items():
        _sort(key, entry, table, found, findings)
    values = {name: table.forms[name](entry.value, findings, name) for name, entry in found.items()}
    return {name: value for name, value in values.items() if value is not None}


def _check_version(fields: Fields, table: Table, findings: Findings) -> None:
    entry = fields.entries.get("version")
    version = read_text(entry.value, findings, "version") if entry else None
    if entry is None or version is None:
        if table.needs_version:
            findings.warning(fields, "version", "version is missing and read as 1", "add version: 1")
    elif version != VERSION:
        hint = "update gitmem, or write version: 1"
        findings.error(entry.value, "version", f"version {shown(version)} is not known, only 1", hint)


def _sort(key: str, entry: Entry, table: Table, found: dict[str, Entry], findings: Findings) -> None:
    if key in table.groups:
        group = read_mapping(entry.value, findings, key)
        for inner, child in group.entries.items() if group else ():
            _sort_child(f"{key}.{inner}", child, table, found, findings)
        return
    parent = table.parent_of(key)
    if key in table.forms:
        _put(key, entry, found, findings)
    elif parent and key in table.either:
        _put(f"{parent}.{key}", entry, found, findings)
    elif parent:
        findings.error(entry, key, f"{key} belongs under {parent} – indent it")
    elif key != "version" and not key.startswith("x-"):
        known = [*table.groups, *table.forms]
        findings.warning(entry, key, f"unknown field {shown(key)}", did_you_mean(key, known))


def _sort_child(name: str, entry: Entry, table: Table, found: dict[str, Entry], findings: Findings) -> None:
    group, _, key = name.partition(".")
    if name in table.forms:
        _put(name, entry, found, findings)
    elif not key.startswith("x-"):
        known = [one.partition(".")[2] for one in table.forms if one.startswith(f"{group}.")]
        hint = did_you_mean(key, known) or f"one of {', '.join(known)}"
        findings.warning(entry, name, f"unknown field {shown(key)} in {group}", hint)


def _put(name: str, entry: Entry, found: dict[str, Entry], findings: Findings) -> None:
    if is_absent(entry.value):
        return
    if name in found:
        where = f"stands on line {found[name].line} too"
        findings.error(entry, name, f"{shown(entry.key)} {where}", "keep it in one place")
    else:
        found[name] = entry
