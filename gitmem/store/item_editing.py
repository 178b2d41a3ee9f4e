"""Replacing one text inside a list of a file, or adding one to it, everything else left as it stands.

The proof is that of `editing.set_scalar`: both parsers must read the same tree afterwards, and it must be the old one
with that text alone replaced or added; else nothing is changed.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

from gitmem.errors import InvalidDataError
from gitmem.store.editing import both_read, styled
from gitmem.store.yaml_reading import FILE_LIMITS, Limits, decode, plain, read_yaml
from gitmem.store.yaml_writing import quoted

_BOM = b"\xef\xbb\xbf"


def replace_item(
    data: bytes, field: Sequence[str], old: str, new: str, *, path: str = "file", limits: Limits = FILE_LIMITS
) -> bytes:
    """Replace a text wherever it stands as a whole value below a field.

    Args:
        data: The file.
        field: Names of nested mappings, such as ``("scope", "paths")``.
        old: The text to replace, as read.
        new: What to put there.
        path: Repository path, for the error.
        limits: What the file may cost.

    Returns:
        The file with only that changed; the same bytes when the text does not stand there.

    Raises:
        InvalidDataError: The file is not readable, or no edit changes this alone.
    """
    before = plain(read_yaml(path, data, limits).root)
    wanted = _replaced(before, tuple(field), old, new)
    if wanted == before:
        return data
    bom = _BOM if data.startswith(_BOM) else b""
    text = decode(path, data)
    edited = _edited(text, tuple(field), old, new)
    encoded = bom + edited.encode()
    if both_read(path, encoded, edited, limits) == wanted:
        return encoded
    message = f"{path}: {'.'.join(field)} cannot be changed without changing more"
    raise InvalidDataError(message, hint=f"replace {old!r} by {new!r} by hand", path=path)


def add_item(
    data: bytes, field: Sequence[str], new: str, *, path: str = "file", limits: Limits = FILE_LIMITS
) -> bytes:
    """Add a text behind the last one of a list; a text that stands alone becomes a list of two.

    Args:
        data: The file.
        field: Names of nested mappings, such as ``("scope", "paths")``.
        new: What to add.
        path: Repository path, for the error.
        limits: What the file may cost.

    Returns:
        The file with only that added; the same bytes when there is no such list, or it has the text.

    Raises:
        InvalidDataError: The file is not readable, or no edit changes this alone.
    """
    before = plain(read_yaml(path, data, limits).root)
    held = _at(before, tuple(field))
    items = held if isinstance(held, list) else [held]
    if not items or new in items or not all(isinstance(item, str) for item in items):
        return data
    wanted = _with(before, tuple(field), [*items, new])
    bom = _BOM if data.startswith(_BOM) else b""
    edited = _extended(decode(path, data), tuple(field), new)
    encoded = bom + edited.encode()
    if both_read(path, encoded, edited, limits) == wanted:
        return encoded
    message = f"{path}: {'.'.join(field)} cannot be changed without changing more"
    raise InvalidDataError(message, hint=f"add {new!r} by hand", path=path)


def _at(tree: Any, field: tuple[str, ...]) -> Any:
    for name in field:
        tree = tree.get(name) if isinstance(tree, dict) else None
    return tree


def _with(tree: Any, field: tuple[str, ...], value: Any) -> Any:
    return {**tree, field[0]: _with(tree[field[0]], field[1:], value)} if field else value


def _extended(text: str, field: tuple[str, ...], new: str) -> str:
    root, node = _composed(text, field)
    if not isinstance(node.value, list):
        start, end = node.start_mark.index, node.end_mark.index
        return f"{text[:start]}[{quoted(node.value)}, {quoted(new)}]{text[end:]}"
    last = node.value[-1]
    written = styled(root, last.style, new)
    end = last.end_mark.index
    if node.flow_style:
        return f"{text[:end]}, {written}{text[end:]}"
    line_end = "\r\n" if "\r\n" in text else "\n"
    after = text.find("\n", end)
    head, rest = (text + line_end, "") if after < 0 else (text[: after + 1], text[after + 1 :])
    return f"{head}{' ' * node.start_mark.column}- {written}{line_end}{rest}"


def _composed(text: str, field: tuple[str, ...]) -> tuple[Any, Any]:
    """The root node, and the node of a field."""
    from ruamel.yaml import YAML

    root = node = YAML(typ="rt", pure=True).compose(io.StringIO(text))
    for name in field:
        node = next(value for key, value in node.value if key.value == name)
    return root, node


def _replaced(tree: Any, field: tuple[str, ...], old: str, new: str) -> Any:
    if field:
        if not isinstance(tree, dict) or field[0] not in tree:
            return tree
        return {**tree, field[0]: _replaced(tree[field[0]], field[1:], old, new)}
    if isinstance(tree, dict):
        return {key: _replaced(value, (), old, new) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_replaced(value, (), old, new) for value in tree]
    return new if tree == old else tree


def _edited(text: str, field: tuple[str, ...], old: str, new: str) -> str:
    root, node = _composed(text, field)
    for found in sorted(_scalars(node, old), key=lambda one: -one.start_mark.index):
        start, end = found.start_mark.index, found.end_mark.index
        text = text[:start] + styled(root, found.style, new) + text[end:]
    return text


def _scalars(node: Any, old: str) -> Iterator[Any]:
    if not isinstance(node.value, list):
        if node.value == old:
            yield node
        return
    for item in node.value:
        yield from _scalars(item[1] if isinstance(item, tuple) else item, old)
