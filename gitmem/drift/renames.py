"""Definitions whose owner was renamed: methods of a type that has another name now, their content equal but for it.

A method's content may name its type (Go's receivers always do), so neither its digest nor its body says that it is the
same. With the old name written back into the judged file it must be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitmem.drift.content.outline import Symbol
from gitmem.drift.content.reading import outline
from gitmem.drift.interval import HeldSymbol, Interval

MOST_OWNERS = 8
"""Types tried for one method in one file."""


def find_definition(path: str, name: str, held: HeldSymbol, interval: Interval) -> tuple[str, Symbol] | None:
    """Where a definition went that no longer stands at its place: equal content, or equal but for its owner's name."""
    return interval.find_symbol(path, name, held) or _under_renamed_owner(path, name, held, interval)


def _under_renamed_owner(
    path: str, name: str, held: HeldSymbol, interval: Interval
) -> tuple[str, Symbol] | None:
    if "." not in name or not held.sig:
        return None
    for place in interval.likely_places(path, name):
        found = [
            one for one in _candidates(place, name, interval) if _is_equal(place, one, name, held, interval)
        ]
        if len(found) == 1:
            return place, found[0]
    return None


def _candidates(place: str, name: str, interval: Interval) -> list[Symbol]:
    parsed = interval.now.outline(place)
    named = parsed.symbols if parsed is not None else ()
    return [
        one for one in named if renamed_part(name, one.name) and not interval.stood_there(place, one.name)
    ][:MOST_OWNERS]


def renamed_part(old: str, new: str) -> tuple[str, str] | None:
    """The one part in which two dotted names differ, everywhere the same; None when they differ otherwise.

    The last part differs only where it is the owner's own name, as a constructor's is.
    """
    one, other = old.split("."), new.split(".")
    if len(one) != len(other):
        return None
    pairs = {pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]}
    owners = set(zip(one[:-1], other[:-1], strict=True))
    return next(iter(pairs)) if len(pairs) == 1 and pairs <= owners else None


def _is_equal(place: str, symbol: Symbol, name: str, held: HeldSymbol, interval: Interval) -> bool:
    pair, data = renamed_part(name, symbol.name), interval.now.read(place)
    if pair is None or data is None:
        return False
    parsed = outline(place, with_name(data, pair[1], pair[0]))
    return parsed is not None and any(one.name == name and held.is_held_by(one) for one in parsed.symbols)


def with_name(data: bytes, old: str, new: str) -> bytes:
    """A file's text with one name for another."""
    named = re.compile(rb"(?<![\w$])" + re.escape(old.encode("utf-8", "surrogateescape")) + rb"(?![\w$])")
    wanted = new.encode("utf-8", "surrogateescape")
    return named.sub(lambda _: wanted, data)


def alike(path: str, held: HeldSymbol, interval: Interval) -> Iterator[str]:
    """New definitions with the body of one that is gone, as ``path#name``: which of several it became nobody can tell."""
    for place, symbol in interval.same_bodies(path, held):
        yield f"{place}#{symbol.name}"
