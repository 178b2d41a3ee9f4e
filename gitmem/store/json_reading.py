"""JSON from outside: candidates that tools hand over, as the same nodes that YAML gives, and payloads as values."""

from __future__ import annotations

import math
from typing import Any, NoReturn

from gitmem.errors import InvalidDataError
from gitmem.store.yaml_reading import Document, Limits, read_yaml

_READABLE = """one JSON object, with names and texts in double quotes: {"name": "value"}"""
_FLAT = "save it as an artifact, which may have any form"
_MOST_DIGITS = 4_000
CANDIDATE_LIMITS = Limits(1024 * 1024, nodes=50_000)


def read_json_or_yaml(path: str, data: bytes, limits: Limits = CANDIDATE_LIMITS) -> Document:
    """Read a text that is JSON when it begins with a bracket, else YAML.

    Raises:
        InvalidDataError: Neither, too large, or a key given twice in JSON.
    """
    if not data.lstrip().startswith((b"{", b"[")):
        return read_yaml(path, data, limits)
    if len(data) > limits.size:
        raise InvalidDataError(
            f"{path}: {len(data)} bytes, over the limit of {limits.size}",
            hint="hand it over in several parts",
            path=path,
        )
    import json

    from gitmem.store.json_nodes import JsonNodes

    try:
        text = data.decode("utf-8-sig")
        json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
        return JsonNodes(path, text).read()
    except json.JSONDecodeError as error:
        raise InvalidDataError(
            f"{path}:{error.lineno}:{error.colno}: not readable as JSON: {error.msg}",
            hint=_READABLE,
            path=path,
            line=error.lineno,
            column=error.colno,
        ) from None
    except UnicodeDecodeError:
        raise InvalidDataError(f"{path}: not UTF-8", hint="save it as UTF-8", path=path) from None
    except RecursionError:
        raise InvalidDataError(f"{path}: nested too deeply", hint=_FLAT, path=path) from None


def read_json_object(name: str, data: bytes, *, largest: int) -> dict[str, Any]:
    """The value of a text that is one JSON object.

    Args:
        name: What the text is called in errors.
        data: The text.
        largest: Bytes that it may have.

    Raises:
        InvalidDataError: No JSON, no object, a key given twice, a number that JSON does not have, or too large; with
            line and column where they are known.
    """
    if len(data) > largest:
        raise InvalidDataError(
            f"{name}: {len(data)} bytes, over the limit of {largest}", hint="save it as an artifact"
        )
    import json

    try:
        value = json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=lambda pairs: _once(name, pairs),
            parse_constant=lambda word: _refuse_number(name, word),
            parse_float=lambda word: _float(name, word),
            parse_int=lambda word: _integer(name, word),
        )
    except json.JSONDecodeError as error:
        raise InvalidDataError(
            f"{name}:{error.lineno}:{error.colno}: not readable as JSON: {error.msg}",
            hint=_READABLE,
            line=error.lineno,
            column=error.colno,
        ) from None
    except UnicodeDecodeError as error:
        raise InvalidDataError(f"{name}: not UTF-8 at byte {error.start}", hint="save it as UTF-8") from None
    except RecursionError:
        raise InvalidDataError(f"{name}: nested too deeply", hint=_FLAT) from None
    if not isinstance(value, dict):
        raise InvalidDataError(
            f"{name}: {_KINDS.get(type(value), 'a number')}, not an object",
            hint="""write it as {"name": value}""",
        )
    return value


_KINDS: dict[type, str] = {list: "a list", str: "a text", bool: "a truth value", type(None): "null"}


def _once(name: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    held = dict(pairs)
    if len(held) < len(pairs):
        raise InvalidDataError(f"{name}: {_twice(pairs)[:60]!r} is given twice", hint="keep one of the two")
    return held


def _refuse_number(name: str, word: str) -> NoReturn:
    told = word if len(word) <= 40 else f"{word[:20]}… ({len(word)} digits)"
    raise InvalidDataError(
        f"{name}: {told} is no number that JSON readers agree on", hint="write it as a text, in quotes"
    )


def _float(name: str, word: str) -> float:
    value = float(word)
    return value if math.isfinite(value) else _refuse_number(name, word)


def _integer(name: str, word: str) -> int:
    return int(word) if len(word) <= _MOST_DIGITS else _refuse_number(name, word)


def _twice(pairs: list[tuple[str, Any]]) -> str:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return key
        seen.add(key)
    return ""
