"""The one small interface through which everything above talks to git; two back ends implement it.

`gitmem.git.program` (the git program) is complete and works on every repository that git opens: SHA-256, reftable,
partial clones. `gitmem.git.library` (libgit2 through pygit2) is used where it was measured faster and the repository
allows it. `tests/git/test_contract.py` holds both to the same answers. Values go out, never libgit2 objects.

Paths are text: UTF-8, other bytes as surrogate escapes. Object ids are whole lower-case hex.
A revision given by a person is resolved once by `resolve`; every other method takes object ids or full ref names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from gitmem.model.change import Change, Commit, Person, TreeEntry

T = TypeVar("T")


class Layout(NamedTuple):
    """Where a repository lies.

    Args:
        git_dir: This work tree's git directory (``.git`` or ``.git/worktrees/x``).
        common_dir: The git directory shared by all work trees; gitmem's cache and lock lie in ``common_dir/gitmem``.
        work_tree: Top of the work tree; None in a bare repository.
        object_format: ``sha1`` or ``sha256``.
        shallow: Whether history is cut.
        durable: Whether what the git program writes is synced to the disk before it counts as written.
    """

    git_dir: Path
    common_dir: Path
    work_tree: Path | None
    object_format: str
    shallow: bool
    durable: bool = False


class Blob(NamedTuple):
    """Content of a blob, or why there is none.

    Args:
        oid: The id asked for.
        size: Bytes; None when the object is missing.
        data: The content; None when missing or larger than the limit given.
    """

    oid: str
    size: int | None
    data: bytes | None


class Status(NamedTuple):
    """Paths that differ from HEAD, as ``git status`` sees them (filters and sparse checkout respected)."""

    staged: tuple[str, ...]
    unstaged: tuple[str, ...]
    untracked: tuple[str, ...]

    @property
    def all(self) -> frozenset[str]:
        return frozenset((*self.staged, *self.unstaged, *self.untracked))


class Found(NamedTuple):
    """An object that an expression names: its id and its type (``commit``, ``tree``, ``blob``, ``tag``)."""

    oid: str
    kind: str


class Tip(NamedTuple):
    """What a ref holds: an object id, and the ref that it names when it is symbolic."""

    oid: str
    target: str | None


class Repository(Protocol):
    """What both back ends answer. No method writes, but those whose name says so."""

    @property
    def layout(self) -> Layout: ...

    def kept(
        self, name: str, key: object, make: Callable[[], T], *, lasts: Callable[[T], bool] = lambda _: True
    ) -> T:
        """What was made last under a name, when it was made for an equal key; else it is made and kept in memory.

        Args:
            name: Of the kind of value.
            key: All that the value depends on.
            make: Makes it; it must never change afterwards, and know nothing of this repository object.
            lasts: Whether what was made may be kept.
        """

    # revisions and refs
    def head(self) -> str | None:
        """Commit id of HEAD; None while unborn."""

    def head_ref(self) -> str | None:
        """Full name of the branch that HEAD names, born or not; None when detached."""

    def resolve(self, revision: str) -> str:
        """Commit id of a revision as a person writes it (``main~3``, a short id, a tag).

        Raises:
            NotFoundError: When it names no commit here.
        """

    def ref(self, name: str) -> str | None:
        """Object id that a full ref name holds, peeled to a commit; None when absent."""

    def refs(self, prefix: str) -> Mapping[str, str]:
        """Full ref names below a prefix such as ``refs/remotes/`` with their object ids, sorted by name."""

    def tips(self, names: Sequence[str]) -> Mapping[str, Tip] | None:
        """What some full ref names hold, in one call, not peeled; those that are absent or lead nowhere are left out.

        Returns:
            None when one is damaged; `ref` tells which. That a symbolic one leads to a damaged one is not told.
        """

    def symbolic_ref(self, name: str) -> str | None:
        """Target of a symbolic ref such as ``refs/remotes/origin/HEAD``; None when absent or direct."""

    def move_ref(self, name: str, new: str | None, *, old: str | None, message: str = "") -> None:
        """Compare-and-swap: set the ref to `new` (None deletes) only when it holds `old` (None: only when absent).

        Raises:
            RaceError: When it holds something else.
        """

    def config(self, key: str) -> str | None:
        """Value of a configuration key as git merges it; None when unset."""

    def settings(self, pattern: str) -> Mapping[str, str]:
        """Configuration keys that a regular expression matches, in one call, each with the value that counts.

        Sections and names are in lower case, as git compares them; what stands between is as written.
        """

    def remotes(self) -> tuple[str, ...]:
        """Names of the configured remotes."""

    def remote_tips(self, remote: str) -> Mapping[str, str]:
        """Ask a remote's server, over the network: ``HEAD`` (the default branch's tip) and every ``refs/heads/…``.

        Raises:
            GitFailedError: When the server cannot be asked.
        """

    # objects
    def commit(self, oid: str) -> Commit | None:
        """A commit by id; None when the object is missing (shallow clone, garbage collected) or no commit."""

    def tree_of(self, commit: str) -> str | None:
        """Root tree id of a commit; None when the commit is missing."""

    def has(self, oid: str) -> bool:
        """Whether the object is in this clone."""

    def find_objects(self, expressions: Sequence[str]) -> tuple[Found | None, ...]:
        """What expressions such as ``HEAD:.ai`` or ``<id>^{tree}`` name, in one call.

        Returns:
            None for each that names nothing here or something damaged; for all of them in a partial clone.
        """

    def list_tree(self, tree: str, *, under: str = "") -> tuple[TreeEntry, ...]:
        """Every file, symbolic link and gitlink below a tree or commit id, recursively, in git's order.

        Args:
            tree: Tree or commit id.
            under: A folder such as ``.ai/memory`` to list alone; its entries keep their whole paths. A folder
                that does not exist gives an empty tuple.
        """

    def raw_tree(self, tree: str) -> bytes:
        """The unparsed output of ``git ls-tree -r -t -z --full-tree`` for a tree or commit id, folders included."""

    def entry(self, tree: str, path: str) -> TreeEntry | None:
        """What stands at a path in a tree or commit, folders included; None when nothing does."""

    def read_blobs(self, oids: Iterable[str], *, limit: int | None = None) -> Iterator[Blob]:
        """Blobs in the order asked, one batch; content over `limit` bytes is left out, its size told."""

    def read_blob(self, oid: str, *, limit: int | None = None) -> Blob:
        """One blob; see `read_blobs`."""

    def write_blob(self, data: bytes) -> str:
        """Write a blob object and return its id."""

    def write_tree(self, entries: Sequence[TreeEntry]) -> str:
        """Write the trees for a full listing (paths from the root) and return the root tree's id."""

    def write_commit(
        self, *, tree: str, parents: Sequence[str], message: str, author: Person, at: str | None = None
    ) -> str:
        """Write a commit object (author also as committer) and return its id; moves no ref."""

    def identity(self) -> Person:
        """The committer that git would use, else ``gitmem <gitmem@localhost>``."""

    def grep(self, tree: str, words: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Files of a tree or commit that have a fixed string as a whole word, for each word, in path order.

        A word's edge is anything but ``[A-Za-z0-9_]``; binary files are left out. Words without a file are absent.
        """

    # comparison
    def diff_trees(self, old: str, new: str, *, renames: bool = True) -> tuple[Change, ...]:
        """Whole-tree comparison of two trees or commits, rename detection at 50 %, gitlinks included, no pathspec."""

    def diff_all(self, olds: Sequence[str], new: str) -> Mapping[str, tuple[Change, ...]]:
        """`diff_trees` from each of several trees or commits to one, in one call."""

    def worktree_entries(self, *, staged: bool = False) -> tuple[TreeEntry, ...]:
        """A full listing of what would be committed: the index when `staged`, else tracked and not ignored
        untracked files with the ids git would store them under (line ends and filters applied; nothing is written
        to the object store or the index). Contents come from `worktree_blob`. In a hook the index is the one that git
        is about to commit.

        Raises:
            NotServedError: In a bare repository.
        """

    def worktree_blob(self, path: str, *, staged: bool = False) -> bytes | None:
        """Content of one path as git would store it; None when it is not there."""

    def status(self, rows: bytes | None = None) -> Status:
        """Paths that differ from HEAD.

        Args:
            rows: What git answered to `gitmem.wire.work_tree.STATUS`, where it was asked just now.

        Raises:
            NotServedError: In a bare repository.
        """

    # history
    def first_parents(self, commit: str, *, limit: int | None = None) -> Iterator[Commit]:
        """The commit and its first parents, newest first."""

    def log(
        self, *, since: str | None, until: str, paths: Sequence[str] = (), limit: int | None = None
    ) -> Iterator[Commit]:
        """Commits reachable from `until` and not from `since` that touch one of the paths, newest first; a missing
        `since` object ends at the roots.
        """

    def straight_line(
        self, *, since: str, until: str, paths: Sequence[str]
    ) -> Sequence[tuple[str, frozenset[str]]] | None:
        """Ids of the commits of ``since..until``, newest first, each with what it touched at or below some paths.

        Returns:
            None where history is no straight line from one to the other.
        """

    def log_changes(
        self,
        *,
        until: str,
        since_date: str | None = None,
        under: Sequence[str] = (),
        first_parent: bool = True,
    ) -> Iterator[tuple[Commit, tuple[Change, ...]]]:
        """Commits newest first, each with what it changed against its first parent (renames paired)."""

    def changes_of(self, commits: Sequence[str]) -> Mapping[str, tuple[Change, ...]]:
        """What each of some commits changed against its first parent, renames paired, in one call."""

    def touched_since(self, *, until: str, since_date: str) -> Iterator[tuple[str, ...]]:
        """The paths that each commit reachable from `until` and committed since a date touched, newest first.

        A rename is two paths. The first commit of all touched what it brought. Merges are left out, and commits where a
        shallow clone is cut, which would seem to have touched everything.
        """

    def merge_base(self, one: str, other: str) -> str | None:
        """Best common ancestor; None when there is none in this clone."""

    def patch(self, old: str, new: str, paths: Sequence[str], *, context: int = 3) -> str:
        """Unified patch of some paths between two trees or commits, for display only."""
