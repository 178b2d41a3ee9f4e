"""Git's object formats as bytes: trees read, trees and commits written. Pure.

`read` arguments give the content of a tree by its id; nothing here knows where it comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from gitmem.git.formatting import Folder, clean_message, clean_person, stamp, zone
from gitmem.model.change import MODE_EXECUTABLE, MODE_FILE, MODE_TREE, Person, TreeEntry

ReadTree = Callable[[str], bytes]
WriteTree = Callable[[bytes], str]
_KIND = 0o170000
_REGULAR = 0o100000


class RawCommit(NamedTuple):
    """A commit as far as the ledger reads it.

    Args:
        oid: Its id.
        parents: Parent ids; empty at the cut of a shallow clone.
        message: As it is stored; None when the object is missing, damaged or no commit.
        cut: Whether parents were left out because history is cut here.
    """

    oid: str
    parents: tuple[str, ...]
    message: bytes | None
    cut: bool = False


def commit_parts(oid: str, data: bytes, *, cut: bool = False) -> RawCommit:
    """Parents and message of a raw commit object."""
    length = len(oid)
    place = 5 + length
    parents: list[str] = []
    while data[place : place + 8] == b"\nparent ":
        parents.append(data[place + 8 : place + 8 + length].decode("ascii", "replace"))
        place += 8 + length
    return RawCommit(oid, () if cut else tuple(parents), data[data.find(b"\n\n", place) + 2 :], cut)


def with_entries(read: ReadTree, write: WriteTree, tree: str, files: Mapping[str, TreeEntry]) -> str:
    """Write anew only the trees on the way to some files, which are put in or replaced; the rest is shared.

    Args:
        read: Content of a tree; empty for a tree that is not there yet.
        write: Writes a tree.
        tree: Root tree to start from; empty for none.
        files: Entries by path.

    Returns:
        Id of the new root tree.
    """
    here: dict[str, TreeEntry] = {}
    below: dict[str, dict[str, TreeEntry]] = {}
    for path, entry in files.items():
        name, _, rest = path.partition("/")
        if rest:
            below.setdefault(name, {})[rest] = entry
        else:
            here[name] = entry
    length = len(tree) // 2 or len(next(iter(files.values())).oid) // 2
    held = {one.path: one for one in entries_of(read(tree), "", length)} if tree else {}
    for name, entries in below.items():
        inner = held[name].oid if name in held and held[name].mode == MODE_TREE else ""
        here[name] = TreeEntry(name, MODE_TREE, with_entries(read, write, inner, entries))
    folder = Folder({name: TreeEntry(name, one.mode, one.oid) for name, one in {**held, **here}.items()})
    return write(tree_bytes(folder, {}))


def entries_of(raw: bytes, prefix: str, oid_bytes: int) -> list[TreeEntry]:
    """Entries of one tree object, their paths behind `prefix`."""
    found = []
    position = 0
    while position < len(raw):
        space = raw.index(b" ", position)
        end = raw.index(b"\0", space)
        after = end + 1 + oid_bytes
        name = raw[space + 1 : end].decode("utf-8", "surrogateescape")
        mode = _canonical_mode(raw[position:space])
        found.append(TreeEntry(prefix + name, mode, raw[end + 1 : after].hex()))
        position = after
    return found


@cache
def _canonical_mode(octal: bytes) -> int:
    """As git shows it; old trees hold files of mode 100664."""
    mode = int(octal, 8)
    if mode & _KIND != _REGULAR:
        return mode & _KIND
    return MODE_EXECUTABLE if mode & 0o100 else MODE_FILE


def walk(read: ReadTree, tree: str, prefix: str = "") -> Iterator[TreeEntry]:
    """Every entry below a tree but the folders, in git's order."""
    for entry in entries_of(read(tree), prefix, len(tree) // 2):
        if entry.mode == MODE_TREE:
            yield from walk(read, entry.oid, f"{entry.path}/")
        else:
            yield entry


def find(read: ReadTree, tree: str, path: str) -> TreeEntry | None:
    """What stands at a path, folders included."""
    found = TreeEntry("", MODE_TREE, tree)
    for part in path.split("/"):
        if found.mode != MODE_TREE:
            return None
        wanted = f"{found.path}/{part}" if found.path else part
        below = entries_of(read(found.oid), f"{found.path}/" if found.path else "", len(tree) // 2)
        match = next((entry for entry in below if entry.path == wanted), None)
        if match is None:
            return None
        found = match
    return found


def tree_bytes(folder: Folder, written: dict[int, str]) -> bytes:
    """A tree object of one folder, whose own folders are written already (their ids by identity)."""
    rows = []
    for name, item in folder.items():
        raw = name.encode("utf-8", "surrogateescape")
        mode, oid = (MODE_TREE, written[id(item)]) if isinstance(item, Folder) else (item.mode, item.oid)
        # Git sorts a folder as if its name ended with a slash.
        key = raw + b"/" if mode == MODE_TREE else raw
        rows.append((key, b"%o %b\0%b" % (mode, raw, bytes.fromhex(oid))))
    return b"".join(row for _, row in sorted(rows))


def commit_bytes(*, tree: str, parents: Sequence[str], message: str, author: Person, at: str | None) -> bytes:
    """A commit object as ``git commit-tree`` writes it: author also as committer, each parent once."""
    seconds, offset = stamp(at)
    who = clean_person(author)
    signature = f"{who.name} <{who.email}> {seconds} {zone(offset)}"
    lines = [
        f"tree {tree}",
        *(f"parent {parent}" for parent in dict.fromkeys(parents)),
        f"author {signature}",
        f"committer {signature}",
    ]
    return "".join(f"{line}\n" for line in (*lines, "")).encode("utf-8") + clean_message(message)
