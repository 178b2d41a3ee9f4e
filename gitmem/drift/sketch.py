"""A sketch of a file's lines, small enough for a mark: where the old tree is missing it tells an edited file that moved.

The smallest hashes of the distinct lines, white space folded: of two files as many are common as lines are. A name alone
never relocates; a file of the same name whose lines are mostly those of the lost one does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from posixpath import basename

from gitmem.drift.content.leaves import decode
from gitmem.drift.content.reading import is_binary
from gitmem.drift.once import once
from gitmem.drift.view import TreeView

LIKE = 0.5
"""Common part of the lines of both from which a file is taken for the other one: two thirds of each are equal then."""
_HASHES, _DIGITS = 32, 6
_FEWEST = 8
"""Lines below which files are too alike."""
_NAMESAKES = 20


def sketch(data: bytes | None) -> str | None:
    """The sketch of a file; None for binary content and for few lines."""
    if data is None or is_binary(data):
        return None
    lines = {folded for line in decode(data).split("\n") if (folded := " ".join(line.split()))}
    if len(lines) < _FEWEST:
        return None
    hashes = sorted(
        hashlib.blake2b(line.encode("utf-8", "surrogateescape"), digest_size=_DIGITS // 2).hexdigest()
        for line in lines
    )
    return "".join(dict.fromkeys(hashes[:_HASHES]))


def likeness(one: str, other: str) -> float:
    """Which part of the lines of two files is common, as far as their sketches tell."""
    left, right = _parts(one), _parts(other)
    smallest = sorted(left | right)[: min(_HASHES, max(len(left), len(right)))]
    return sum(each in left and each in right for each in smallest) / max(1, len(smallest))


def _parts(text: str) -> frozenset[str]:
    return frozenset(text[at : at + _DIGITS] for at in range(0, len(text), _DIGITS))


def sketch_at(path: str, view: TreeView) -> str | None:
    """The sketch for a mark; None where another file of that name is like it, so that the sketch would tell nothing."""
    found = sketch(view.read(path))
    if found is None or _alike(path, found, namesakes(path, view), view):
        return None
    return found


def alike_place(path: str, held: str, view: TreeView) -> str | None:
    """The one file of that name elsewhere whose lines are those of a lost one; None when there is none or several."""
    found = _alike(path, held, namesakes(path, view), view)
    return found[0] if len(found) == 1 else None


def namesakes(path: str, view: TreeView) -> list[str]:
    """Other files of the same name; none when there are so many that the name means nothing."""
    name = basename(path)
    found = [one for one in once(view, "by name", lambda: _by_name(view)).get(name, ()) if one != path]
    return found if len(found) <= _NAMESAKES else []


def _by_name(view: TreeView) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for path in view.paths():
        found.setdefault(basename(path), []).append(path)
    return found


def _alike(path: str, held: str, places: Iterable[str], view: TreeView) -> list[str]:
    return [
        one
        for one in places
        if one != path and (found := sketch(view.read(one))) is not None and likeness(held, found) >= LIKE
    ]
