"""What one part of a patch says of its file besides hunks: names, status, modes; it must say one thing throughout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from gitmem.patches.names import (
    LONGEST_HEADER,
    NOWHERE,
    Pair,
    header_paths,
    plain_paths,
    read_label,
    read_name,
)
from gitmem.patches.scan import Section, Unshowable

Status = Literal["added", "deleted", "modified", "renamed", "copied"]

# Abbreviations of the empty blob's id, SHA-1 and SHA-256: the one content that needs no hunk.
_EMPTY_BLOBS = (
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)
_KINDS = {"120000": "symbolic link", "160000": "submodule"}


class Told(NamedTuple):
    """What is known without the hunks; a path is None where the file is not, or has no name in the patch."""

    old_path: str | None
    new_path: str | None
    status: Status
    note: str


def told(section: Section) -> Told:
    """The names, status and note of one part.

    Raises:
        Unshowable: When what it says does not agree, or content that changed is not there.
    """
    found = _git_names(section) if section.header is not None else _plain_names(section)
    _check_sides(section, found.status)
    return found._replace(note=", ".join(part for part in (*_notes(section), found.note) if part))


def _check_sides(section: Section, status: Status) -> None:
    """A new file has no old lines and a deleted one no new lines; content that changed must be there."""
    sides = {
        "added": [hunk.old[1] for hunk in section.hunks],
        "deleted": [hunk.new[1] for hunk in section.hunks],
    }
    if any(sides.get(status, ())):
        raise Unshowable(f"line {section.line} starts a file that is {status} and yet has both sides")
    if not section.hunks and not section.binary and not _needs_no_hunk(section.extended):
        raise Unshowable(f"line {section.line} starts a file whose hunks are missing")


def _needs_no_hunk(extended: dict[str, str]) -> bool:
    index = extended.get("index")
    if index is None:
        return extended.get("similarity index") == "100%" or _keeps_content(extended)
    old, _, new = index.partition(" ")[0].partition("..")
    return old == new or all(_is_nothing(one) for one in (old, new))


def _keeps_content(extended: dict[str, str]) -> bool:
    return set(extended) == {"old mode", "new mode"}


def _is_nothing(abbreviated: str) -> bool:
    is_zero = re.fullmatch("0{4,64}", abbreviated) is not None
    return is_zero or (len(abbreviated) >= 4 and any(blob.startswith(abbreviated) for blob in _EMPTY_BLOBS))


# names and notes
def _git_names(section: Section) -> Told:
    paths = None
    if len(section.header or "") <= LONGEST_HEADER:
        labels = _pair([read_label(label) for label in section.labels]) if section.labels else None
        if labels is not None or section.labels is None:
            paths = header_paths(section.header or "", labels, _moved(section))
    if paths is None:
        raise Unshowable(f"line {section.line} starts a file whose names do not agree with each other")
    status = _status(section)
    old, new = None if status == "added" else paths.old, None if status == "deleted" else paths.new
    return Told(old, new, status, "" if paths.prefixed else "names as written, without a/ and b/")


def _pair(names: Sequence[str | None]) -> Pair | None:
    old, new = names
    return Pair(old, new) if old is not None and new is not None else None


def _moved(section: Section) -> Pair | None:
    for how in ("rename", "copy"):
        names = section.extended.get(f"{how} from"), section.extended.get(f"{how} to")
        if names != (None, None):
            moved = _pair([read_name(name or "") for name in names])
            if moved is None:
                raise Unshowable(f"line {section.line} starts a {how} whose names cannot be read")
            return moved
    return None


def _status(section: Section) -> Status:
    """What the extended header says became of the file; it must say one thing, and ``/dev/null`` the same."""
    extended = section.extended
    says: dict[Status, bool] = {
        "added": "new file mode" in extended,
        "deleted": "deleted file mode" in extended,
        "renamed": "rename from" in extended,
        "copied": "copy from" in extended,
    }
    said = [status for status, is_so in says.items() if is_so]
    nowhere = [label.rstrip("\t") == NOWHERE for label in section.labels or ()]
    contradicts = nowhere and nowhere != [says["added"], says["deleted"]]
    if len(said) > 1 or contradicts or ("old mode" in extended) != ("new mode" in extended):
        raise Unshowable(f"line {section.line} starts a file whose header contradicts itself")
    return said[0] if said else "modified"


def _plain_names(section: Section) -> Told:
    """Names of another program's patch: a time stamp may follow each, and nothing else says what they are."""
    names = [label.partition("\t")[0] for label in section.labels or ("", "")]
    if any(name and read_name(name) is None for name in names):
        raise Unshowable(f"line {section.line} names a file in a way that cannot be read")
    old, new = (read_name(name) or "" for name in names)
    if old == new == NOWHERE:
        raise Unshowable(f"line {section.line} names no file on either side")
    status: Status = "added" if old == NOWHERE else "deleted" if new == NOWHERE else "modified"
    note = "not written by git: names may be read otherwise" if old or new else "the patch names no file"
    return Told(*plain_paths(old, new), status, note)


def _notes(section: Section) -> Iterator[str]:
    extended = section.extended
    if "rename from" in extended or "copy from" in extended:
        yield f"{extended.get('similarity index', 'partly')} the same"
    if "old mode" in extended:
        yield f"mode {extended['old mode']} → {extended['new mode']}"
    mode = extended.get("new file mode") or extended.get("deleted file mode")
    mode = mode or extended.get("new mode") or extended.get("index", "").partition(" ")[2]
    if mode in _KINDS:
        yield _KINDS[mode]
    if section.binary:
        yield "binary"
    if section.stripped:
        yield "white space at line ends was stripped from the patch"
