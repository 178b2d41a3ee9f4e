"""Changing one scalar of a YAML file and nothing else: comments, order, quotes, line ends and layout stay.

The scalar's span in the text is replaced (or one line inserted, or one entry removed), and the result is read again by
PyYAML and by ruamel: both must see the old tree with that one difference. Else nothing is written. A round trip
through a YAML writer would rewrite much more (research/reliability.md "ruamel round trip").
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gitmem.errors import InvalidDataError
from gitmem.store.yaml_reading import FILE_LIMITS, Limits, build, decode, plain, read_yaml
from gitmem.store.yaml_writing import is_plain, quoted, scalar

_BOM = b"\xef\xbb\xbf"


def set_scalar(
    data: bytes,
    field: str | Sequence[str],
    value: str | None,
    *,
    path: str = "file",
    limits: Limits = FILE_LIMITS,
) -> bytes:
    """Set, add or remove one text of a file.

    Args:
        data: The file.
        field: Where it is: names of nested mappings, as a sequence or joined by dots.
        value: The text; None removes the field (and a mapping that it leaves empty).
        path: Repository path, for the error.
        limits: What the file may cost.

    Returns:
        The file with only that changed; the same bytes when it says so already.

    Raises:
        InvalidDataError: The file is not readable, the field holds a list or mapping, or no edit of the text changes
            this alone.
    """
    names = tuple(field.split(".")) if isinstance(field, str) else tuple(field)
    dotted = ".".join(names)
    document = read_yaml(path, data, limits)
    if document.duplicates:
        one = document.duplicates[0]
        message = f"{path}:{one.line}:{one.column}: {one.key!r} is given twice"
        raise InvalidDataError(
            message, hint="keep one of the two", path=path, line=one.line, column=one.column
        )
    if value is not None and not value.strip():
        raise InvalidDataError(
            f"{path}: {dotted}: an empty text says nothing", hint="remove the field", path=path
        )
    before = plain(document.root)
    if _held(before, names, path) == value:
        return data
    wanted = _with(before, names, value)
    bom = _BOM if data.startswith(_BOM) else b""
    text = decode(path, data)
    for edited in _edits(text, names, value):
        encoded = bom + edited.encode()
        if both_read(path, encoded, edited, limits) == wanted:
            return encoded
    raise InvalidDataError(
        f"{path}: {dotted} cannot be changed without changing more", hint="edit the file by hand", path=path
    )


def _held(tree: Any, names: tuple[str, ...], path: str) -> str | None:
    """The text at the field now; refuses to go through, or replace, what is no mapping or text."""
    for depth, name in enumerate(names):
        if tree is None:
            return None
        if not isinstance(tree, dict):
            where = ".".join(names[:depth]) or "the file"
            raise InvalidDataError(f"{path}: {where} is no mapping, so it has no {name}", path=path)
        tree = tree.get(name)
    if tree is not None and not isinstance(tree, str):
        raise InvalidDataError(f"{path}: {'.'.join(names)} is a list or mapping, not one text", path=path)
    return tree


def _with(tree: dict[str, Any] | None, names: tuple[str, ...], value: str | None) -> dict[str, Any] | None:
    """The tree with one text changed; a mapping that a removal empties goes too."""
    changed = dict(tree or {})
    child = _with(changed.get(names[0]), names[1:], value) if names[1:] else value
    if child is None:
        changed.pop(names[0], None)
    else:
        changed[names[0]] = child
    return changed or None


def both_read(path: str, data: bytes, text: str, limits: Limits) -> Any:
    """The tree of an edited file, when both parsers read the same one; else something equal to no tree."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        mine = read_yaml(path, data, limits)
        # Not its round-trip scanner, which leaves marks of its own in folded texts.
        theirs = build(path, text, YAML(typ="safe", pure=True).parse(io.StringIO(text)), limits)
    except (InvalidDataError, YAMLError):
        return NotImplemented
    if mine.duplicates or theirs.duplicates or plain(mine.root) != plain(theirs.root):
        return NotImplemented
    return plain(mine.root)


class _Found(NamedTuple):
    """How far a field exists: the innermost mapping, the pair in it that holds or blocks the rest, what is missing."""

    mapping: Any
    pair: tuple[Any, Any] | None
    rest: tuple[str, ...]


def _edits(text: str, names: tuple[str, ...], value: str | None) -> Iterator[str]:
    """Texts that may be the answer, the best first."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        root = YAML(typ="rt", pure=True).compose(io.StringIO(text))
    except YAMLError:
        return
    if root is None or not hasattr(root, "value") or not isinstance(root.value, list):
        if value is not None:
            yield _with_line_end(text) + _lines("", names, value, _line_end(text))
        return
    if value is None:
        yield from _removals(text, root, names)
        return
    found = _find(root, names)
    if found.pair and not found.rest:
        yield from _replacements(text, root, found.pair, value)
    elif found.pair:
        yield from _filled(text, found.pair, found.rest, value)
    else:
        yield from _insertions(text, found.mapping, found.rest, value)


def _find(root: Any, names: tuple[str, ...]) -> _Found:
    mapping = root
    for depth, name in enumerate(names, 1):
        pair = next((pair for pair in mapping.value if pair[0].value == name), None)
        if pair is None:
            return _Found(mapping, None, names[depth - 1 :])
        if depth == len(names) or not isinstance(pair[1].value, list):
            return _Found(mapping, pair, names[depth:])
        mapping = pair[1]
    return _Found(mapping, None, ())


def _replacements(text: str, root: Any, pair: tuple[Any, Any], value: str) -> Iterator[str]:
    key, held = pair
    start, end = held.start_mark.index, _end(text, held)
    if start == end or not text[start:end].strip():
        colon = text.index(":", key.end_mark.index)
        yield f"{text[: colon + 1]} {styled(root, None, value)}{text[colon + 1 :]}"
        return
    head = text[start:end].split("\n", 1)[0]
    comment = head[head.index("#") :].rstrip() if held.style in {"|", ">"} and "#" in head else ""
    new = styled(root, held.style, value) + (f"  {comment}" if comment else "")
    yield text[:start] + new + text[end:]


def styled(root: Any, style: str | None, value: str) -> str:
    """The value in the style of the scalar it replaces, or of the file when that is JSON."""
    if style == '"' or (_is_json(root) and style is None):
        return quoted(value)
    if style == "'" and is_plain(value.replace("'", "")):
        return "'" + value.replace("'", "''") + "'"
    return scalar(value)


def _is_json(root: Any) -> bool:
    return bool(root.flow_style and root.value and root.value[0][0].style == '"')


def _end(text: str, node: Any) -> int:
    """Where the node's own text ends; parsers count the blank lines and comments after a block scalar as its own."""
    if isinstance(node.value, list):
        if node.flow_style or not node.value:
            return int(node.end_mark.index)
        last = node.value[-1]
        return _end(text, last[1] if isinstance(last, tuple) else last)
    start, end = int(node.start_mark.index), int(node.end_mark.index)
    if node.style not in {"|", ">"}:
        return end
    body = text.find("\n", start)
    if body < 0:
        return end
    indent = _indent_of(text, start)
    stop = body
    for line in text[body + 1 :].split("\n"):
        if line.strip() and len(line) - len(line.lstrip(" ")) <= indent:
            break
        body += 1 + len(line)
        if line.strip():
            stop = body
    return stop - 1 if text[:stop].endswith("\r") else stop


def _indent_of(text: str, index: int) -> int:
    line = text[text.rfind("\n", 0, index) + 1 : index]
    return len(line) - len(line.lstrip(" "))


def _filled(text: str, pair: tuple[Any, Any], rest: tuple[str, ...], value: str) -> Iterator[str]:
    """Children for a key that holds nothing yet: ``scope:`` or ``scope: null``."""
    key, held = pair
    colon = text.index(":", key.end_mark.index) + 1
    line_end = _line_end(text)
    at = _next_line(text, max(colon, _end(text, held)))
    indent = " " * (key.start_mark.column + 2)
    cleared = text[:colon] + text[_end(text, held) if text[colon : _end(text, held)].strip() else colon : at]
    yield _with_line_end(cleared) + _lines(indent, rest, value, line_end) + text[at:]


def _insertions(text: str, mapping: Any, rest: tuple[str, ...], value: str) -> Iterator[str]:
    if mapping.flow_style:
        yield from _flow_insertions(text, mapping, rest, value)
        return
    line_end = _line_end(text)
    first = mapping.value[0][0].start_mark
    lines = _lines(" " * first.column, rest, value, line_end)
    after = _next_line(text, _end(text, mapping))
    yield _with_line_end(text[:after]) + lines + text[after:]
    before = text.rfind("\n", 0, first.index) + 1
    yield text[:before] + lines + text[before:]


def _flow_insertions(text: str, mapping: Any, rest: tuple[str, ...], value: str) -> Iterator[str]:
    write = quoted if _is_json(mapping) else scalar
    entry = write(value)
    for name in reversed(rest[1:]):
        entry = f"{{{write(name)}: {entry}}}"
    entry = f"{write(rest[0])}: {entry}"
    close = int(mapping.end_mark.index) - 1
    if not mapping.value:
        yield text[:close] + entry + text[close:]
        return
    after = _end(text, mapping.value[-1][1])
    yield f"{text[:after]}, {entry}{text[after:]}"
    yield f"{text[:close]} {entry}{text[close:]}"


def _removals(text: str, root: Any, names: tuple[str, ...]) -> Iterator[str]:
    chain = [root]
    for name in names[:-1]:
        chain.append(next(pair[1] for pair in chain[-1].value if pair[0].value == name))
    depth = len(names) - 1
    while depth and len(chain[depth].value) == 1:
        depth -= 1
    mapping, name = chain[depth], names[depth]
    index, pair = next((number, pair) for number, pair in enumerate(mapping.value) if pair[0].value == name)
    if mapping.flow_style:
        yield from _flow_removals(text, mapping, index)
        return
    start = text.rfind("\n", 0, pair[0].start_mark.index) + 1
    colon = text.index(":", pair[0].end_mark.index) + 1
    if not text[start : pair[0].start_mark.index].strip():
        yield text[:start] + text[_next_line(text, max(colon, _end(text, pair[1]))) :]


def _flow_removals(text: str, mapping: Any, index: int) -> Iterator[str]:
    pairs = mapping.value
    if index + 1 < len(pairs):
        yield text[: pairs[index][0].start_mark.index] + text[pairs[index + 1][0].start_mark.index :]
    elif index:
        yield text[: _end(text, pairs[index - 1][1])] + text[_end(text, pairs[index][1]) :]
    else:
        yield text[: mapping.start_mark.index + 1] + text[mapping.end_mark.index - 1 :]


def _lines(indent: str, names: tuple[str, ...], value: str, line_end: str) -> str:
    """The names as nested keys, each on its line, the last one with the value."""
    lines = [f"{indent}{'  ' * depth}{scalar(name)}:" for depth, name in enumerate(names)]
    return line_end.join(lines) + f" {scalar(value)}{line_end}"


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _with_line_end(text: str) -> str:
    return text if not text or text.endswith("\n") else text + _line_end(text)


def _next_line(text: str, index: int) -> int:
    end = text.find("\n", index)
    return len(text) if end < 0 else end + 1
