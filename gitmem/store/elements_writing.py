"""``.ai/elements.yaml`` as gitmem writes it: drafted, and marked as such until somebody edits it.

The last line of a draft names a digest of all that stands above it. A file whose digest is right has been edited by
nobody, and a newer draft may take its place; so may the file of `gitmem init` that names no element.
"""

from __future__ import annotations

import hashlib
import re

from gitmem.model.element import ADR_FOLDERS, Element, Elements, Level
from gitmem.store.defaults import EMPTY_ELEMENTS, elements_head
from gitmem.store.yaml_writing import quoted, scalar

_MARK = re.compile(r"# drafted ([0-9a-f]{12})(?: [^\n]*)?\n?\Z")


def format_draft(elements: Elements) -> str:
    """The file of drafted elements; `gitmem.store.elements.parse_elements` reads the same value back.

    Raises:
        InvalidDataError: A name or a path holds bytes that are no UTF-8, which no YAML can.
    """
    if not elements.elements and elements.adr == ADR_FOLDERS:
        return EMPTY_ELEMENTS
    lines = [elements_head(elements.adr), "elements:" if elements.elements else "elements: {}"]
    lines += [line for element in elements.elements for line in _element(element)]
    above = "\n".join(lines) + "\n"
    return f"{above}# drafted {_digest(above)} from the repository's structure; gitmem map --draft renews it until it is edited\n"


def is_untouched(text: str) -> bool:
    """Whether a file is as gitmem wrote it, so that a newer draft may take its place."""
    if text == EMPTY_ELEMENTS:
        return True
    found = _MARK.search(text)
    return found is not None and found[1] == _digest(text[: found.start()])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def _element(element: Element) -> list[str]:
    paths = ", ".join(map(quoted, element.paths))
    # A key that another reader of YAML could take for a date is quoted; as a value it may stand plain.
    name = quoted(element.name) if element.name[:1].isdigit() else scalar(element.name)
    lines = [f"  {name}:"]
    if element.level is not Level.COMPONENT:
        lines.append(f"    level: {element.level}")
    if element.inside:
        lines.append(f"    inside: {quoted(element.inside)}")
    return [*lines, f"    paths: [{paths}]"]
