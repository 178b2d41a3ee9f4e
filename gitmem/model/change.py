"""Values that describe trees, commits and what differs between two trees."""

from __future__ import annotations

from typing import Literal, NamedTuple

MODE_FILE = 0o100644
MODE_EXECUTABLE = 0o100755
MODE_SYMLINK = 0o120000
MODE_GITLINK = 0o160000
MODE_TREE = 0o040000

ChangeStatus = Literal["added", "deleted", "modified", "type_changed", "renamed"]


class TreeEntry(NamedTuple):
    """One entry of a recursive tree listing.

    Args:
        path: From the repository's root, ``/`` between parts; bytes that are not UTF-8 as surrogate escapes.
        mode: As in git, for example ``0o100644``; ``MODE_GITLINK`` for a submodule.
        oid: Object id, 40 or 64 lower-case hex digits.
    """

    path: str
    mode: int
    oid: str


class Change(NamedTuple):
    """One row of a whole-tree comparison.

    Args:
        status: What happened; a rename has both paths.
        old_path: Path in the old tree; None when added.
        new_path: Path in the new tree; None when deleted.
        old_mode: Mode in the old tree, 0 when added.
        new_mode: Mode in the new tree, 0 when deleted.
        old_oid: Object id in the old tree; None when added.
        new_oid: Object id in the new tree; None when deleted.
        similarity: Per cent of a rename, 100 for equal content; None otherwise.
    """

    status: ChangeStatus
    old_path: str | None
    new_path: str | None
    old_mode: int
    new_mode: int
    old_oid: str | None
    new_oid: str | None
    similarity: int | None = None


class Person(NamedTuple):
    """Name and e-mail address as a commit holds them; claims, not proof."""

    name: str
    email: str


class Commit(NamedTuple):
    """A commit read into a value.

    Args:
        oid: Its id.
        tree: Id of its root tree.
        parents: Parent ids; empty at a root and at the cut of a shallow clone.
        author: Who wrote it.
        authored_at: RFC 3339 with offset.
        committer: Who committed it.
        committed_at: RFC 3339 with offset.
        message: Whole message, undecodable bytes replaced.
    """

    oid: str
    tree: str
    parents: tuple[str, ...]
    author: Person
    authored_at: str
    committer: Person
    committed_at: str
    message: str

    @property
    def subject(self) -> str:
        """First line of the message."""
        return self.message.strip("\n").split("\n", 1)[0]
