"""What of a memory's file may change without losing approval (domain.md section 2).

The approved text and another one are compared byte for byte with the spans of the free fields taken out. Where a
field begins and ends is told by the YAML parser, so a line of a quoted text that looks like a free field is no
free field. A comment is part of the text: changing one is a change.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

FREE_FIELDS = frozenset({"last_validated_at", "review_after", "challenged_at", "challenged_because"})
STATUS_FIELDS = frozenset({"status", "promotion_status"})
FREE_STATUSES = frozenset({"active", "approved", "challenged"})


class _Span(NamedTuple):
    start: int
    end: int
    replacement: str


def same_approved(approved: bytes, other: bytes) -> bool:
    """Whether `other` says what was approved, free fields aside.

    Free are ``last_validated_at``, ``review_after``, ``challenged_at``, ``challenged_because``, and ``status``
    between active and challenged. A text that is not a YAML mapping has no free fields.
    """
    if approved == other:
        return True
    one, two = _without_free_fields(approved), _without_free_fields(other)
    return one is not None and one == two


def _without_free_fields(data: bytes) -> str | None:
    """The text without its free fields; None when it has no YAML mapping to look for them in."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    # The parser leaves a byte order mark out of its positions.
    mark, text = text[: text.startswith("\ufeff")], text.removeprefix("\ufeff")
    spans = _spans(text)
    if spans is None:
        return None
    pieces, done = [mark], 0
    for start, end, replacement in spans:
        pieces += [text[done:start], replacement]
        done = end
    # A field appended to a file without a last line break adds that break, which says nothing.
    return "".join((*pieces, text[done:])).rstrip("\n")


def _spans(text: str) -> list[_Span] | None:
    import yaml

    try:
        root = yaml.compose(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))
    except (yaml.YAMLError, RecursionError):
        return None
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        return None
    return [
        _line_span(text, key.start_mark.index, value.end_mark.index, replacement)
        for key, value, replacement in _free_nodes(root)
    ]


def _free_nodes(root: Any) -> Iterator[tuple[Any, Any, str]]:
    seen: set[str] = set()
    for key, value in root.value:
        name = key.value if isinstance(key.value, str) else ""
        free = name in FREE_FIELDS and name not in seen
        free_status = name in STATUS_FIELDS and name not in seen and value.value in FREE_STATUSES
        seen.add(name)
        if free:
            yield key, value, ""
        elif free_status:
            yield key, value, f"{name}\n"


def _line_span(text: str, start: int, end: int, replacement: str) -> _Span:
    """Widen a field's span to whole lines; a comment behind the value stays in the comparison."""
    while start and text[start - 1] in " \t":
        start -= 1
    while end < len(text) and text[end] in " \t":
        end += 1
    for line_break in ("\r\n", "\n"):
        if text.startswith(line_break, end):
            return _Span(start, end + len(line_break), replacement)
    return _Span(start, end, replacement)
