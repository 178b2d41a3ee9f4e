"""The files in which a watch of a name counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gitmem.drift.places import is_test
from gitmem.model.glob import parse_glob
from gitmem.model.watch import Watch


def area(watch: Watch, paths: Mapping[str, str], scope: Iterable[str]) -> frozenset[str]:
    """The files of a tree in which a watch counts: its own places, else the scope, less those outside.

    What is said of all but one place is said of the product: tests are left out then.
    """
    found = _matching(watch.inside, paths) if watch.inside else frozenset(scope)
    if not watch.outside:
        return found
    return frozenset(path for path in found - _matching(watch.outside, found) if not is_test(path))


def _matching(globs: Iterable[str], paths: Iterable[str]) -> frozenset[str]:
    parsed = [parse_glob(glob) for glob in globs]
    octets = ((path, path.encode("utf-8", "surrogateescape")) for path in paths)
    return frozenset(path for path, raw in octets if any(glob.matches(raw) for glob in parsed))
