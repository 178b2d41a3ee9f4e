"""Which paths one part of a patch speaks of.

Git writes names three times (``diff --git``, ``---``/``+++``, ``rename from``/``to``), quotes those with unusual bytes,
and may be told to leave ``a/`` and ``b/`` out or to write other letters. A reading counts only when everything that the
part says agrees on it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gitmem.store.path_quoting import unquote_path

NOWHERE = "/dev/null"
LONGEST_HEADER = 40_000
"""Two of the longest paths that systems take, every byte escaped."""

_QUOTED = re.compile(r'"(?:[^"\\]|\\[0-3][0-7]{2}|\\[abtnvfr"\\])*"')
_NEVER_BARE = re.compile(r'["\\\x00-\x1f\x7f]')
# a/ b/, the letters of diff.mnemonicPrefix, and those of `git diff --no-index`; either side may come first (-R).
_PREFIX = re.compile(r"[abciow12]/")


class Pair(NamedTuple):
    old: str
    new: str


class Reading(NamedTuple):
    """What the names of one part come to.

    Args:
        old: Path before, without prefix.
        new: Path after, without prefix.
        prefixed: Whether the patch writes ``a/`` and ``b/`` or letters in their place.
    """

    old: str
    new: str
    prefixed: bool


def read_name(text: str) -> str | None:
    """The name as it was before git quoted it; None when git would not have written this."""
    if _QUOTED.fullmatch(text):
        return unquote_path(text)
    return None if not text or _NEVER_BARE.search(text) else text


def read_label(text: str) -> str | None:
    """The name behind ``---`` or ``+++``; a tab ends it (git writes one behind names with spaces)."""
    quoted = _QUOTED.match(text)
    if quoted is not None:
        return unquote_path(quoted[0]) if text[quoted.end() :].rstrip("\t") == "" else None
    name, _, rest = text.partition("\t")
    return read_name(name) if not rest else None


def header_paths(header: str, labels: Pair | None, moved: Pair | None) -> Reading | None:
    """The paths of a part that starts with ``diff --git``.

    Args:
        header: What follows ``diff --git``.
        labels: Names behind ``---`` and ``+++``, where the part has them.
        moved: Names behind ``rename from`` and ``rename to``, or ``copy from`` and ``copy to``.

    Returns:
        None when the names do not agree on one reading.
    """
    readings = {
        paths
        for written in _split(header, labels, moved)
        if _agrees(written, labels) and (paths := _without_prefixes(written, moved)) is not None
    }
    return readings.pop() if len(readings) == 1 else None


def _split(header: str, labels: Pair | None, moved: Pair | None) -> list[Pair]:
    """Every way to part the header that its other names allow; spaces alone do not say where a name ends."""
    quoted = _QUOTED.match(header)
    if quoted is not None:
        places = {quoted.end()}
    elif header.endswith('"'):
        places = {header.find(' "')}
    elif labels is not None and labels.old != NOWHERE:
        places = {len(labels.old)}
    elif labels is not None:
        places = {len(header) - len(labels.new) - 1}
    elif moved is not None:
        places = {len(moved.old), len(moved.old) + 2}
    else:
        places = {len(header) // 2}
    pairs = [
        _pair(header[:place], header[place + 1 :]) for place in places if header[place : place + 1] == " "
    ]
    return [pair for pair in pairs if pair is not None]


def _pair(old: str, new: str) -> Pair | None:
    names = read_name(old), read_name(new)
    return Pair(names[0], names[1]) if names[0] is not None and names[1] is not None else None


def _agrees(written: Pair, labels: Pair | None) -> bool:
    return labels is None or all(
        label in (name, NOWHERE) for name, label in zip(written, labels, strict=True)
    )


def _without_prefixes(written: Pair, moved: Pair | None) -> Reading | None:
    bare = strip_prefixes(written)
    if written == moved or (moved is None and written.old == written.new):
        return Reading(*written, prefixed=False)
    if bare is not None and (bare == moved or (moved is None and bare.old == bare.new)):
        return Reading(*bare, prefixed=True)
    return None


def strip_prefixes(written: Pair) -> Pair | None:
    """The names without ``a/`` and ``b/``; None when they do not carry two different prefixes that git writes."""
    prefixed = all(_PREFIX.match(name) for name in written) and written.old[0] != written.new[0]
    return Pair(written.old[2:], written.new[2:]) if prefixed else None


def plain_paths(old: str, new: str) -> tuple[str | None, str | None]:
    """The paths of a part without ``diff --git``: ``a/`` and ``b/`` go when both are there and the rest is the same.

    Returns:
        None for a side that is ``/dev/null`` or has no name.
    """
    bare = strip_prefixes(Pair(old, new))
    if bare is not None and bare.old == bare.new:
        return bare
    return tuple(None if name in ("", NOWHERE) else name for name in (old, new))  # type: ignore[return-value]  # two in, two out
