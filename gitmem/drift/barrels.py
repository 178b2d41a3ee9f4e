"""Files that stand for others: barrels (``index.ts``, ``__init__.py``, ``mod.rs``) and what is left where a module was.

A barrel says little by its own text, so it follows its folder. A module that moved often leaves a file behind that only
hands on what now lies elsewhere: who imports it finds everything, so what it held counts as moved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from posixpath import basename, dirname, splitext

from gitmem.drift.content.imports import imports_of
from gitmem.drift.interval import Interval

_BARREL = re.compile(r"(?:index\.[cm]?[jt]sx?|__init__\.pyi?|(?:mod|lib)\.rs|package-info\.java|doc\.go)")
_NO_NAMES = frozenset({"", ".", "..", "*", "@", "~", "#", "crate", "self", "super"})
MOST_HANDED_ON = 32
"""Imports of a file that are looked at: one that has more is no mere signpost."""


def is_barrel(path: str) -> bool:
    """Whether a file is its folder's face by its name."""
    return _BARREL.fullmatch(basename(path)) is not None


def handed_on(path: str, interval: Interval) -> str | None:
    """Where the content of a file went that now imports it from there; None when that is nowhere.

    The place must have come or changed since the baseline and be mostly equal to what the file held; an import alone
    proves nothing.
    """
    data = interval.now.read(path)
    if interval.then is None or data is None:
        return None
    found = imports_of(path, data)
    if not found or len(found) > MOST_HANDED_ON:
        return None
    arrived = [one for one in interval.arrivals if one != path]
    wanted = {end for one in found for end in _ends(one.parts)}
    places = [one for one in arrived if any(f"/{_module(one)}".endswith(f"/{end}") for end in wanted)]
    equal = [one for one in places if interval.is_mostly_equal(path, one)]
    return equal[0] if len(equal) == 1 else None


def _ends(parts: Sequence[str]) -> Iterator[str]:
    """An import as the end of a path: the whole chain, and without its last name, which may be what is imported."""
    names = [part for part in parts if part not in _NO_NAMES]
    yield from ("/".join(names[:last]) for last in (len(names), len(names) - 1) if last > 0)
    if names and splitext(names[-1])[1]:
        yield splitext("/".join(names))[0]


def _module(path: str) -> str:
    """A path as imports write it: without extension, of a barrel its folder."""
    return dirname(path) if is_barrel(path) else splitext(path)[0]


def siblings(path: str, interval: Interval) -> list[tuple[str, str]]:
    """What lay in a file's folder at the baseline, with object ids; nothing when that tree is not here."""
    folder = dirname(path)
    if interval.then is None or not folder:
        return []
    return [(one, oid) for one, oid in interval.then.paths().items() if one.startswith(f"{folder}/")]
