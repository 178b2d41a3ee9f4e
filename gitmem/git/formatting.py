"""Values as git wants them: time stamps, names, messages, ids, the trees of a listing. Pure."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime

from gitmem.errors import InvalidDataError, quoted
from gitmem.model.change import MODE_TREE, Person, TreeEntry

FALLBACK = Person("gitmem", "gitmem@localhost")
ID_LENGTH = {"sha1": 40, "sha256": 64}

_HEX = frozenset("0123456789abcdef")
_CRUD = " .,:;<>\"\\'"


def is_oid(value: str, object_format: str) -> bool:
    """Whether it is a whole object id of this repository's kind."""
    return len(value) == ID_LENGTH[object_format] and _HEX.issuperset(value)


def is_path(path: str) -> bool:
    """Whether a tree can hold something at this path."""
    return "\0" not in path and not any(part in {"", ".", ".."} for part in path.split("/"))


def stamp(at: str | None) -> tuple[int, int]:
    """Seconds since 1970 and offset in minutes of an RFC 3339 time; now and this machine's zone when None.

    Raises:
        InvalidDataError: When it is no such time.
    """
    if at is None:
        now = time.time()
        return int(now), time.localtime(now).tm_gmtoff // 60
    try:
        moment = datetime.fromisoformat(at)
    except ValueError as error:
        raise InvalidDataError(f"not an RFC 3339 time: {at!r}") from error
    if moment.tzinfo is None:
        moment = moment.astimezone()
    offset = moment.utcoffset()
    return int(moment.timestamp()), 0 if offset is None else int(offset.total_seconds()) // 60


def zone(minutes: int) -> str:
    """An offset as git writes it: ``+0900``."""
    hours, rest = divmod(abs(minutes), 60)
    return f"{'-' if minutes < 0 else '+'}{hours:02d}{rest:02d}"


def clean_person(person: Person) -> Person:
    """A person that both git and libgit2 write the same way: no control characters or angle brackets, not empty."""
    name = _clean(person.name)
    return Person(name, _clean(person.email)) if name else FALLBACK


def _clean(value: str) -> str:
    printable = "".join(character for character in value if character > "\x1f" and character not in "<>\x7f")
    return printable.encode("utf-8", "replace").decode("utf-8").strip(_CRUD)


def clean_message(message: str) -> bytes:
    """A commit message as bytes: no leading empty lines, which libgit2 would drop; lone surrogates written out.

    Raises:
        InvalidDataError: When it holds NUL, at which git would cut it.
    """
    if "\0" in message:
        raise InvalidDataError("a commit message cannot hold NUL")
    return message.lstrip("\n").encode("utf-8", "backslashreplace")


class Folder(dict[str, "Folder | TreeEntry"]):
    """One level of a listing by name."""


def nested(entries: Sequence[TreeEntry]) -> Folder:
    """A full listing as nested folders.

    Raises:
        InvalidDataError: When a path cannot stand in a tree, stands twice, or is file and folder at once.
    """
    root = Folder()
    for entry in entries:
        *folders, name = _parts(entry.path)
        level = root
        for part in folders:
            below = level.setdefault(part, Folder())
            if not isinstance(below, Folder):
                raise InvalidDataError(
                    f"path is file and folder at once: {quoted(entry.path)}", path=entry.path
                )
            level = below
        if name in level:
            raise InvalidDataError(f"path stands twice in a tree: {quoted(entry.path)}", path=entry.path)
        level[name] = entry
    return root


def _parts(path: str) -> list[str]:
    parts = path.split("/")
    if not is_path(path) or any(part.lower() in {".git", "git~1"} for part in parts):
        raise InvalidDataError(f"path cannot stand in a tree: {quoted(path)}", path=path)
    return parts


def levels(root: Folder) -> list[list[Folder]]:
    """All folders, the deepest first, so that a tree is written after those below it."""
    found = [[root]]
    while True:
        below = [child for folder in found[-1] for child in folder.values() if isinstance(child, Folder)]
        if not below:
            return found[::-1]
        found.append(below)


def tree_rows(folder: Folder, written: dict[int, str]) -> list[bytes]:
    """Rows for ``mktree -z`` of one folder, whose own folders are written already (their ids by identity)."""
    rows = []
    for name, item in folder.items():
        if isinstance(item, Folder):
            mode, kind, oid = MODE_TREE, "tree", written[id(item)]
        else:
            mode, oid = item.mode, item.oid
            kind = {0o160000: "commit", MODE_TREE: "tree"}.get(mode, "blob")
        rows.append(f"{mode:06o} {kind} {oid}\t{name}\0".encode("utf-8", "surrogateescape"))
    return rows
