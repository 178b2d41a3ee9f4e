"""Whether two scopes can mean the same file, without a tree at hand."""

from __future__ import annotations

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
    """Whether two globs can match one path: neither rules out the folder of the other."""
    left, right = _fixed(ours), _fixed(theirs)
    if left[: len(right)] != right and right[: len(left)] != left:
        return False
    return _suffix(ours) in (_suffix(theirs), "") or _suffix(theirs) == ""


def _fixed(glob: str) -> list[str]:
    """The folders and names before the first wildcard."""
    parts: list[str] = []
    for part in glob.removeprefix("./").split("/"):
        if any(mark in part for mark in "*?[{"):
            break
        if part:
            parts.append(part)
    return parts


def _suffix(glob: str) -> str:
    """The file extension that a glob demands; empty when it demands none."""
    last = glob.rpartition("/")[2]
    stem, dot, extension = last.rpartition(".")
    return extension if dot and stem and extension.isalnum() else ""
