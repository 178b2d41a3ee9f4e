"""The libgit2 back end: the same answers, without a process for each, where libgit2 can be trusted.

libgit2 is asked for single objects and refs, and nothing else; the walks over them are `raw_objects`. Everything it
does wrong, slower or not at all is left to the git program, whose back end this one extends: work tree and index
(filters, sparse checkout), comparison of trees (its similarity of renames is another), listing of whole trees,
configuration, listings of refs (damaged ones vanish), creation and deletion of refs (creation compares nothing: two
processes can both win), history by paths.

libgit2 spins for ever on a truncated loose object, so those are inflated here, with their hash checked.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from gitmem.errors import GitFailedError, GitmemError, InvalidDataError, NotFoundError, RaceError, quoted
from gitmem.git import loose_objects, parsing, raw_objects
from gitmem.git.failures import cure, write_failure
from gitmem.git.formatting import is_path, levels, nested
from gitmem.git.interface import Blob, Found, Layout, Tip
from gitmem.git.program import ProgramRepository
from gitmem.git.program_walk import ONE_BY_ONE, ProgramWalk
from gitmem.git.raw_objects import RawCommit
from gitmem.git.several_refs import refuse_odd
from gitmem.model.change import MODE_GITLINK, MODE_TREE, Commit, Person, TreeEntry

if TYPE_CHECKING:
    from pygit2 import Reference

T = TypeVar("T")
Raw = tuple[str, bytes]

_PLAIN = re.compile(r"(?P<at>HEAD|[0-9a-f]{40})(?:\^\{(?P<kind>commit|tree)\}|:(?P<path>[A-Za-z0-9._-]+))")
_KINDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
_COMMIT, _TREE = 1, 2
_WRITTEN = frozenset({"an object", "a blob"})
_ATTEMPTS = 20
_COMMITS = frozenset({_COMMIT, "commit"})
_LOST_RACES = (
    "old reference value does not match",
    "failed to lock file",
    "failed to create locked file",
    "failed to rename lockfile",
    "failed to make directory",  # git took the empty folder away in between
    "current tip is not the first parent",
)


class LibraryRepository(ProgramRepository):
    """A repository spoken to through libgit2 where `opening.open_repository` finds it fit; sha1 and ref files only.

    Args:
        layout: From `discovery.discover`.
        deadline: As for `ProgramRepository`; libgit2 itself knows none.
    """

    def __init__(self, layout: Layout, *, deadline: float | None = None) -> None:
        super().__init__(layout, deadline=deadline)
        import pygit2

        self._library = _guarded(lambda: pygit2.Repository(str(layout.git_dir)), str(layout.git_dir))
        self._odb = self._library.odb
        self._objects = str(layout.common_dir / "objects")

    def close(self) -> None:
        super().close()
        self._library.free()

    # refs
    def head(self) -> str | None:
        try:
            found = str(self._library.lookup_reference("HEAD").resolve().target)
        except (KeyError, ValueError, OSError, self._git_error):
            return super().head()
        return found if self.has(found) else super().head()

    def ref(self, name: str) -> str | None:
        held = self._direct(name)
        if held is None or name.startswith("refs/tags/"):
            return super().ref(name)
        return str(held.target)

    def tips(self, names: Sequence[str]) -> Mapping[str, Tip] | None:
        found: dict[str, Tip] = {}
        for name in names:
            try:
                held = self._library.lookup_reference(name)
                found[name] = Tip(str(held.resolve().target), self._target(held))
            except KeyError:  # absent, or it leads nowhere; what is damaged is told otherwise
                continue
            except (ValueError, OSError, self._git_error):
                return super().tips(names)
        return found

    def _target(self, held: Reference) -> str | None:
        return str(held.target) if isinstance(held.target, str) else None

    def move_ref(self, name: str, new: str | None, *, old: str | None, message: str = "") -> None:
        held = None if new is None or old is None else self._direct(name)
        if held is None or new is None or not self.has(new):
            super().move_ref(name, new, old=old, message=message)
            return
        if str(held.target) != old:
            raise RaceError(f"ref {name} was moved by somebody else: {held.target}", hint="run it again")
        _guarded(lambda: held.set_target(new, " ".join(message.split())), name)

    def _direct(self, name: str) -> Reference | None:
        """A ref that holds an object id; None when it is absent, symbolic or damaged: git then tells which."""
        from pygit2.enums import ReferenceType

        if not name.startswith("refs/"):
            return None
        refuse_odd(self._layout, name)
        try:
            found = self._library.lookup_reference(name)
        except (KeyError, ValueError, OSError, self._git_error):
            return None
        return found if found.type == ReferenceType.DIRECT else None

    @property
    def _git_error(self) -> type[Exception]:
        from pygit2 import GitError

        return GitError

    # objects
    def has(self, oid: str) -> bool:
        return self._is_oid(oid) and self._odb.exists(oid)

    def find_objects(self, expressions: Sequence[str]) -> tuple[Found | None, ...]:
        found = [self._found(one) for one in expressions]
        return tuple(found) if None not in found else super().find_objects(expressions)

    def _found(self, expression: str) -> Found | None:
        """What a plain expression names; None where git has to tell."""
        plain = _PLAIN.fullmatch(expression)
        if plain is None:
            return None
        try:
            oid = self.head() if plain["at"] == "HEAD" else plain["at"]
            commit = self.commit(oid) if oid is not None else None
            if oid is None or commit is None:
                return None
            if plain["path"] is None:
                named = Found(oid, "commit") if plain["kind"] == "commit" else Found(commit.tree, "tree")
            else:
                entry = self.entry(oid, plain["path"])
                if entry is None or entry.mode == MODE_GITLINK:
                    return None
                named = Found(entry.oid, "tree" if entry.mode == MODE_TREE else "blob")
            return named if self.has(named.oid) else None
        except GitmemError:
            return None

    def list_tree(self, tree: str, *, under: str = "") -> tuple[TreeEntry, ...]:
        folder = under.rstrip("/")
        if not folder:  # one process for a whole tree is faster than 5,000 entries cut out here
            return super().list_tree(tree)
        found = raw_objects.find(self._tree, self._root(tree), folder) if is_path(folder) else None
        if found is None or found.mode != MODE_TREE:
            return ()
        return tuple(raw_objects.walk(self._tree, found.oid, f"{folder}/"))

    def entry(self, tree: str, path: str) -> TreeEntry | None:
        root = self._root(tree)
        if not path:
            return TreeEntry("", MODE_TREE, root)
        wanted = path.rstrip("/")
        return raw_objects.find(self._tree, root, wanted) if is_path(wanted) else None

    def write_blob(self, data: bytes) -> str:
        return str(_written(lambda: self._library.create_blob(data), "a blob"))

    def write_tree(self, entries: Sequence[TreeEntry]) -> str:
        for entry in entries:
            if entry.mode != MODE_GITLINK and not self.has(entry.oid):
                raise NotFoundError(f"no such object for {quoted(entry.path)}: {entry.oid}", path=entry.path)
        root = nested(entries)
        written: dict[int, str] = {}
        for level in levels(root):
            for folder in level:
                written[id(folder)] = self._write(_TREE, raw_objects.tree_bytes(folder, written))
        return written[id(root)]

    def write_commit(
        self, *, tree: str, parents: Sequence[str], message: str, author: Person, at: str | None = None
    ) -> str:
        for oid, kind in ((tree, "tree"), *((parent, "commit") for parent in parents)):
            held = self._raw(oid)
            if held is None or held[0] != kind:
                raise NotFoundError(f"no such {kind}: {oid!r}")
        data = raw_objects.commit_bytes(tree=tree, parents=parents, message=message, author=author, at=at)
        return self._write(_COMMIT, data)

    # for the ledger, which reads and writes many small objects
    def read_object(self, oid: str) -> Raw | None:
        return self._raw(oid)

    def write_tree_object(self, data: bytes) -> str:
        """Write one tree object from its bytes and return its id."""
        return self._write(_TREE, data)

    def raw_commits(self, tips: Sequence[str], is_known: Callable[[str], bool]) -> Iterator[RawCommit]:
        """See `event_commits.read_commits`."""
        cut = self._cut()
        loose: frozenset[bytes] | None = None
        read = self._odb.read
        waiting = list(dict.fromkeys(tips))
        met = set(waiting)
        while waiting:
            oid = waiting.pop()
            # What is packed goes straight to libgit2; loose objects are inflated here, see above.
            held: tuple[object, bytes] | None
            if loose is None and len(met) > ONE_BY_ONE:
                loose = loose_objects.listed(self._objects)
                if bytes.fromhex(oid) not in loose:
                    # What follows is packed, and git reads long rows of packed commits in half the time.
                    left = [oid, *waiting]
                    yield from ProgramWalk(self._layout).rest(left, met.difference(left), is_known)
                    return
            try:
                held = self._raw(oid) if loose is None or bytes.fromhex(oid) in loose else read(oid)
            except (KeyError, ValueError, OSError, self._git_error, InvalidDataError):
                held = self._raw_or_damaged(oid)
            if held is None or held[0] not in _COMMITS:
                yield RawCommit(oid, (), None)
                continue
            commit = raw_objects.commit_parts(oid, held[1], cut=oid in cut)
            yield commit
            for parent in commit.parents:
                if parent not in met and not is_known(parent):
                    met.add(parent)
                    waiting.append(parent)

    def _raw_or_damaged(self, oid: str) -> Raw | None:
        """None for what is damaged too: a walk names it and goes on with the rest."""
        try:
            return self._raw(oid)
        except GitmemError:
            return None

    # shared
    def _commits(self, oids: Sequence[str]) -> Iterator[Commit | None]:
        cut = self._cut()
        for oid in oids:
            held = self._raw(oid)
            is_commit = held is not None and held[0] == "commit"
            yield parsing.commit(oid, held[1], cut=oid in cut) if held and is_commit else None

    def _blobs(self, oids: Sequence[str], limit: int | None) -> list[Blob]:
        return [self._blob(oid, limit) for oid in oids]

    def _blob(self, oid: str, limit: int | None) -> Blob:
        held = self._raw(oid)
        if held is None or held[0] != "blob":
            return Blob(oid, None, None)
        size = len(held[1])
        return Blob(oid, size, held[1] if limit is None or size <= limit else None)

    def _root(self, oid: str) -> str:
        """Root tree of a tree or commit."""
        held = self._raw(oid)
        if held is None or held[0] not in {"tree", "commit"}:
            raise NotFoundError(f"no such tree: {oid!r}")
        return oid if held[0] == "tree" else parsing.commit(oid, held[1]).tree

    def _tree(self, oid: str) -> bytes:
        held = self._raw(oid)
        if held is None or held[0] != "tree":
            raise NotFoundError(f"no such tree: {oid!r}")
        return held[1]

    def _raw(self, oid: str) -> Raw | None:
        """Type and content of an object; None when it is missing."""
        if not self._is_oid(oid):
            return None
        loose = self._loose(oid)
        if loose is not None:
            return loose
        try:
            kind, data = self._odb.read(oid)
        except KeyError:
            return None
        except (ValueError, OSError, self._git_error) as error:
            raise _damaged(oid) from error
        return _KINDS[kind], data

    def _loose(self, oid: str) -> Raw | None:
        try:
            # Most objects are packed: this is asked for each, and pathlib would cost more than the answer.
            with open(f"{self._objects}/{oid[:2]}/{oid[2:]}", "rb") as file:  # noqa: PTH123 - see above
                packed = file.read()
        except FileNotFoundError:
            return None
        inflater = zlib.decompressobj()
        try:
            whole = inflater.decompress(packed)
        except zlib.error as error:
            raise _damaged(oid) from error
        if not inflater.eof or hashlib.sha1(whole, usedforsecurity=False).hexdigest() != oid:
            raise _damaged(oid)
        head, _, data = whole.partition(b"\0")
        return head.partition(b" ")[0].decode("ascii"), data

    def _write(self, kind: int, data: bytes) -> str:
        return str(_written(lambda: self._odb.write(kind, data), "an object"))


def _damaged(oid: str) -> InvalidDataError:
    return InvalidDataError(f"damaged object {oid}", hint="git fsck --full tells more")


def _written(call: Callable[[], T], what: str) -> T:
    """Write an object, again when ``gc`` took the emptied folder away between its making and the file's."""
    for _ in range(_ATTEMPTS):
        try:
            return _guarded(call, what)
        except RaceError:
            continue
    return _guarded(call, what)


def _guarded(call: Callable[[], T], what: str) -> T:
    """The one place where libgit2's errors become ours; they differ by call, so the message decides."""
    from pygit2 import GitError

    try:
        return call()
    except (GitError, KeyError, ValueError, OSError) as error:
        raise _failure(error, what) from error


def _failure(error: Exception, what: str) -> GitmemError:
    reason = str(error).strip("'\"")
    if any(words in reason for words in _LOST_RACES):
        return RaceError(f"{what} was moved by somebody else: {reason}", hint="run it again")
    if "target OID for the reference doesn't exist" in reason:
        return NotFoundError(
            f"{what} cannot point to a missing object", hint="git fsck --full tells what is missing here"
        )
    if cure(reason) or what in _WRITTEN:
        return write_failure(what, reason)
    return GitFailedError(f"libgit2 failed on {what}: {reason}", hint="git fsck --full tells more")
