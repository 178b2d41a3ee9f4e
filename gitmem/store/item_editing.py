"""Replacing one text inside a list of a file, everything else left as it stands.

The proof is that of `editing.set_scalar`: both parsers must read the same tree afterwards, and it must be the old one
with that text alone replaced; else nothing is changed.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

from gitmem.errors import InvalidDataError
from gitmem.store.editing import both_read, styled
from gitmem.store.yaml_reading import FILE_LIMITS, Limits, decode, plain, read_yaml

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
    from ruamel.yaml import YAML

    root = YAML(typ="rt", pure=True).compose(io.StringIO(text))
    node = root
    for name in field:
        node = next(value for key, value in node.value if key.value == name)
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
