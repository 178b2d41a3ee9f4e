r"""Canonical JSON: one value, one sequence of bytes, on every machine.

Keys sorted by code point, no white space, UTF-8. Escaped: ``"``, ``\``, U+0000 to U+001F (the five with a short form
by it), U+007F to U+009F and lone surrogates; everything else stands as itself. Two halves of a surrogate pair are the
character that they mean. Floats are written by their shortest form that reads back equal; NaN and infinities are
refused, as is every type that JSON does not have.
"""

from __future__ import annotations

MAX_DEPTH = 200

_SHORT = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}
_ESCAPES = {code: f"\\u{code:04x}" for code in (*range(0x20), *range(0x7F, 0xA0))} | _SHORT
_NO_NUMBERS = ("nan", "inf", "-inf")


def canonical_json(value: object) -> bytes:
    """The bytes of a value of dicts with text keys, lists, tuples, text, numbers, booleans and None.

    Raises:
        ValueError: NaN, infinity, two keys that become one, or nesting over `MAX_DEPTH`.
        TypeError: Any other type.
    """
    parts: list[str] = []
    _write(value, parts, 0)
    return "".join(parts).encode("utf-8")


def _write(value: object, parts: list[str], depth: int) -> None:
    if isinstance(value, str):
        parts.append(_quoted(value))
    elif value is None or isinstance(value, bool):
        parts.append({None: "null", True: "true", False: "false"}[value])
    elif isinstance(value, int):
        parts.append(int.__repr__(value))
    elif isinstance(value, float):
        parts.append(_number(value))
    elif depth >= MAX_DEPTH:
        raise ValueError(f"nested over {MAX_DEPTH} levels")
    elif isinstance(value, dict):
        _write_object(value, parts, depth)
    elif isinstance(value, (list, tuple)):
        _write_array(value, parts, depth)
    else:
        raise TypeError(f"not a JSON value: {type(value).__name__}")


def _write_array(items: list[object] | tuple[object, ...], parts: list[str], depth: int) -> None:
    opening = "["
    for item in items:
        parts.append(opening)
        _write(item, parts, depth + 1)
        opening = ","
    parts.append("]" if items else "[]")


def _write_object(items: dict[object, object], parts: list[str], depth: int) -> None:
    named = {_name(key): item for key, item in items.items()}
    if len(named) < len(items):
        raise ValueError("two keys are the same text")
    opening = "{"
    for key in sorted(named):
        parts.append(f"{opening}{_quoted(key)}:")
        _write(named[key], parts, depth + 1)
        opening = ","
    parts.append("}" if items else "{}")


def _name(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"not a JSON key: {type(key).__name__}")
    return _paired(key)


def _number(value: float) -> str:
    text = float.__repr__(value)
    if text in _NO_NUMBERS:
        raise ValueError(f"not a JSON number: {text}")
    return text


def _quoted(text: str) -> str:
    escaped = text.translate(_ESCAPES)
    try:
        escaped.encode("utf-8")
    except UnicodeEncodeError:
        escaped = "".join(_lone_escaped(character) for character in _paired(escaped))
    return f'"{escaped}"'


def _lone_escaped(character: str) -> str:
    return f"\\u{ord(character):04x}" if "\ud800" <= character <= "\udfff" else character


def _paired(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return text
