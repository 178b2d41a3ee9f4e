"""Payloads as callers hand them over: only what JSON has and git can hold, looked at before anything else touches them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gitmem.errors import UsageError
from gitmem.wire.canonical import MAX_DEPTH

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_KINDS = (str, int, float, bool, type(None))


def is_one_line(text: str) -> bool:
    """Whether a text has neither control characters nor half a character."""
    return _CONTROLS.search(text) is None and has_whole_characters(text)


def has_whole_characters(text: str) -> bool:
    """Whether no lone surrogate stands in a text, but for those that stand for bytes of a path."""
    return _lone(text) is None


def check_plain(event_type: str, payload: object) -> None:
    """Refuse a payload that is no mapping of plain values.

    Bytes of a path that are no UTF-8 are lone surrogates of Python's own kind (U+DC80 to U+DCFF) and stay.

    Raises:
        UsageError: Naming the place, with the cure.
    """
    if not isinstance(payload, Mapping):
        raise UsageError(
            f"{event_type}: payload is no mapping but {type(payload).__name__}",
            hint='a mapping of names to values: {"finding": "…"}',
        )
    _check(event_type, "payload", payload, [])


def _check(event_type: str, place: str, value: object, above: list[object]) -> None:
    if isinstance(value, (Mapping, list, tuple)):
        if len(above) >= MAX_DEPTH or any(one is value for one in above):
            raise UsageError(
                f"{event_type}: {place[:80]} holds itself or is nested over {MAX_DEPTH} levels",
                hint="say it flatter, or save it as an artifact",
            )
        above.append(value)
        for name, item in _items(event_type, place, value):
            _check(event_type, f"{place}.{name}", item, above)
        above.pop()
    elif not isinstance(value, _KINDS):
        raise UsageError(
            f"{event_type}: payload is no JSON: {place[:80]} is {type(value).__name__}",
            hint="texts, numbers, lists and mappings of them; bytes belong into an artifact",
        )
    elif isinstance(value, str):
        _check_text(event_type, place, value)


def _items(
    event_type: str, place: str, value: Mapping[object, object] | list[object] | tuple[object, ...]
) -> list[tuple[str, object]]:
    if not isinstance(value, Mapping):
        return [(str(number), item) for number, item in enumerate(value)]
    for name in value:
        if not isinstance(name, str):
            raise UsageError(
                f"{event_type}: {place[:80]} has the key {name!r:.60}, which is no text",
                hint="keys are texts, as in JSON: str(key)",
            )
        _check_text(event_type, place, name)
    return [(str(name), item) for name, item in value.items()]


def _check_text(event_type: str, place: str, text: str) -> None:
    lone = _lone(text)
    if lone is not None:
        raise UsageError(
            f"{event_type}: {place[:80]} holds the lone surrogate U+{ord(lone):04X}",
            hint="half a character, which no file holds: decode the text with errors='replace'",
        )


def _lone(text: str) -> str | None:
    """The first half of a character without its other half that stands for no byte either."""
    try:
        text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        return next(
            (one for one in paired if "\ud800" <= one <= "\udfff" and not "\udc80" <= one <= "\udcff"), None
        )
    return None
