"""Whether two scopes can mean the same file, without a tree at hand."""

from __future__ import annotations

import re
from typing import Final

from gitmem.model.memory import Scope


def overlaps(one: Scope, other: Scope) -> bool:
    """Whether both may hold at one place.

    A scope that is empty or says ``project`` holds everywhere. An element's paths are not known here, so two scopes of
    different kinds may overlap; a doubt counts as overlap, since a conflict that is shown costs a glance and one that is
    not shown costs a wrong fact.
    """
    if one.is_empty or other.is_empty or one.project or other.project:
        return True
    if set(one.elements) & set(other.elements):
        return True
    if one.paths and other.paths:
        return any(_meet(ours, theirs) for ours in one.paths for theirs in other.paths)
    return bool((one.paths and other.elements) or (one.elements and other.paths))


def _meet(ours: str, theirs: str) -> bool:
    """Whether two globs can match one path: neither rules out what stands before the first wildcard of the other."""
    (left, is_left_whole), (right, is_right_whole) = _fixed(ours), _fixed(theirs)
    if (is_left_whole and right.startswith(f"{left}/")) or (is_right_whole and left.startswith(f"{right}/")):
        return True
    if not (left.startswith(right) or right.startswith(left)):
        return False
    longer, shorter, is_whole = max((left, right, is_right_whole), (right, left, is_left_whole), key=_length)
    if is_whole and longer != shorter:
        return False  # a whole name ends where it ends: ``src/pay`` and ``src/payment/**``
    return _suffix(ours) in (_suffix(theirs), "") or _suffix(theirs) == ""


def _length(one: tuple[str, str, bool]) -> int:
    return len(one[0])


def _fixed(glob: str) -> tuple[str, bool]:
    """What stands before the first wildcard, without backslashes; and whether that is the whole glob."""
    glob = re.sub(r"/{2,}", "/", glob.removeprefix("./"))
    match = _LITERAL.match(glob)
    literal = match[0] if match else ""
    is_whole = len(literal) == len(glob)
    plain = re.sub(r"\\(.)", r"\1", literal)
    return plain.removesuffix("/") if is_whole else plain, is_whole


_LITERAL: Final = re.compile(r"(?:[^*?\[{\\]|\\.)*")


def _suffix(glob: str) -> str:
    """The file extension that a glob demands; empty when it demands none."""
    last = glob.rpartition("/")[2]
    stem, dot, extension = last.rpartition(".")
    return extension if dot and stem and extension.isalnum() else ""
