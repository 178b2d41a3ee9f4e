"""``.ai/elements.yaml``: the architecture's elements with their paths, and the folders of decision records.

    version: 1
    adr: [docs/adr]                     # missing = docs/adr, docs/decisions, doc/adr
    elements:
      Checkout:
        level: component                # system, container, component (default)
        paths: ["src/checkout/**"]
        description: Takes the order.   # optional, as are tags (list) and inside (another element's name)

A list or text in the place of an element's mapping is its paths.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from gitmem.errors import GitmemError
from gitmem.model.element import Element, Elements, Level
from gitmem.model.problem import Problem
from gitmem.store.field_reading import (
    Findings,
    Form,
    did_you_mean,
    fault,
    is_absent,
    read_globs,
    read_mapping,
    read_text,
    read_texts,
    read_word,
    shown,
)
from gitmem.store.table_reading import Table, read_table
from gitmem.store.yaml_reading import Entry, Fields, Limits, Node, read_yaml

FILE = ".ai/elements.yaml"
ELEMENTS_LIMITS = Limits(256 * 1024, nodes=12_000)
"""Room for 1,000 elements, which other files of gitmem need not have."""


class ParsedElements(NamedTuple):
    elements: Elements | None
    problems: tuple[Problem, ...] = ()


def _level(node: Node, findings: Findings, field: str) -> Level | None:
    word = read_word(node, findings, field, tuple(str(level) for level in Level))
    return Level(word) if word else None


ELEMENT_FORMS: dict[str, Form] = {
    "level": _level,
    "paths": read_globs,
    "description": read_text,
    "tags": read_texts,
    "inside": read_text,
}


def _elements(node: Node, findings: Findings, field: str) -> tuple[Element, ...]:
    fields = read_mapping(node, findings, field)
    if fields is None:
        return ()
    elements = tuple(_sound_elements(fields, findings))
    for element in elements:
        if element.inside and element.inside not in fields.entries:
            at = fields.entries[element.name]
            message = f"{shown(element.name)} is inside {shown(element.inside)}, which is no element"
            findings.warning(
                at,
                f"elements.{element.name}.inside",
                message,
                did_you_mean(element.inside, set(fields.entries) - {element.name}),
            )
    _note_circles(elements, fields, findings)
    return elements


def _note_circles(elements: tuple[Element, ...], fields: Fields, findings: Findings) -> None:
    """Each circle of `inside` once, at its first element."""
    holder = {one.name: one.inside for one in elements}
    told: set[str] = set()
    for start in holder:
        way = [start]
        while (name := holder.get(way[-1])) and name not in way:
            way.append(name)
        if name == start and start not in told:
            told.update(way)
            circle = " inside ".join(map(shown, (*way, start)))
            field = f"elements.{start}.inside"
            findings.warning(fields.entries[start], field, f"a circle: {circle}", "take one inside out")


def _sound_elements(fields: Fields, findings: Findings) -> Iterator[Element]:
    """The elements without an error; the errors of the others are noted."""
    for key, entry in fields.entries.items():
        before = len(findings.problems)
        element = _element(key, entry, findings)
        if all(one.severity != "error" for one in findings.problems[before:]):
            yield element


def _element(name: str, entry: Entry, findings: Findings) -> Element:
    field = f"elements.{name}"
    if not isinstance(entry.value, Fields):
        return Element(name, paths=read_globs(entry.value, findings, field))
    values: dict[str, Any] = {}
    for key, child in entry.value.entries.items():
        if key in ELEMENT_FORMS:
            value = ELEMENT_FORMS[key](child.value, findings, f"{field}.{key}")
            values.update({key: value} if value is not None else {})
        elif not key.startswith("x-"):
            hint = did_you_mean(key, ELEMENT_FORMS) or f"one of {', '.join(ELEMENT_FORMS)}"
            findings.warning(child, f"{field}.{key}", f"unknown field {shown(key)} in {shown(name)}", hint)
    return Element(name, **values)


TABLE = Table({"adr": read_texts, "elements": _elements})


def parse_elements(path: str, data: bytes, *, partly: bool = False) -> ParsedElements:
    """Read the elements file.

    Args:
        path: Repository path of the file.
        data: Its bytes.
        partly: Take what has no error, for those who only show it; else one error leaves all of it out.
    """
    findings = Findings(path)
    try:
        document = read_yaml(path, data, ELEMENTS_LIMITS)
    except GitmemError as error:
        return ParsedElements(None, (fault(path, error),))
    findings.duplicates(document)
    if isinstance(document.root, Fields):
        _note_flat(document.root, findings)
    values = read_table(document.root, TABLE, findings)
    is_usable = partly or not findings.has_error
    return ParsedElements(Elements(**values) if is_usable else None, findings.tuple())


def _note_flat(root: Fields, findings: Findings) -> None:
    for key, entry in root.entries.items():
        if key in ELEMENT_FORMS and "elements" in root.entries and is_absent(root.entries["elements"].value):
            findings.error(entry, key, f"{key} belongs under its element – indent it")
