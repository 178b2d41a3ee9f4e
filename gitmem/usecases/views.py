"""States of the code as the drift rules see them, read from a repository in batches and cached by blob id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, MutableMapping
from functools import cached_property

from gitmem.drift.content.outline import Outline
from gitmem.drift.content.reading import code_words, outline
from gitmem.drift.listing import Listing, list_entries
from gitmem.drift.scopes import ScopeMatch, ScopeMatcher, ScopeSpec
from gitmem.errors import GitFailedError, InvalidDataError
from gitmem.git.interface import Repository
from gitmem.model.change import MODE_GITLINK, TreeEntry

_UNREADABLE = (InvalidDataError, GitFailedError)
READ_LIMIT = 4 * 1024 * 1024
"""Bytes; a larger file is compared by its object id alone."""


class Contents:
    """Blobs, outlines and code words of one repository, shared by all views of one command.

    Args:
        repository: Where blobs are read.
        outlines: A cache across commands keyed by ``language-relevant name + blob id``; may be a plain dict.

    Attributes:
        damaged: Blobs that are here and cannot be read; everything else sees them as having no content.
        met: Those of them that were asked for; whoever judges empties it before.
    """

    def __init__(
        self, repository: Repository, outlines: MutableMapping[str, Outline | None] | None = None
    ) -> None:
        self.repository = repository
        self._blobs: dict[str, bytes | None] = {}
        self._outlines: MutableMapping[str, Outline | None] = {} if outlines is None else outlines
        self._words: dict[str, frozenset[str]] = {}
        self.damaged: set[str] = set()
        self.met: set[str] = set()
        self._noted: dict[str, set[str]] = {}

    def preload(self, oids: Iterable[str]) -> None:
        """Read blobs in one batch."""
        wanted = [oid for oid in dict.fromkeys(oids) if oid not in self._blobs]
        try:
            for blob in self.repository.read_blobs(wanted, limit=READ_LIMIT) if wanted else ():
                self._blobs[blob.oid] = blob.data
        except _UNREADABLE:  # one by one tells which
            for oid in wanted:
                self.blob(oid)

    def blob(self, oid: str) -> bytes | None:
        if oid not in self._blobs:
            try:
                self._blobs[oid] = self.repository.read_blob(oid, limit=READ_LIMIT).data
            except _UNREADABLE:
                self._blobs[oid] = None
                self.damaged.add(oid)
        self._meet(oid)
        return self._blobs[oid]

    def _meet(self, oid: str) -> None:
        if self.damaged and oid in self.damaged:
            self.met.add(oid)

    def remember(self, oid: str, data: bytes | None) -> None:
        """Take content that is not in the object store (a work tree file) under the id it would have."""
        self._blobs[oid] = data

    def outline(self, path: str, oid: str) -> Outline | None:
        key = f"{_name_key(path)}:{oid}"
        self._meet(oid)
        if key not in self._outlines:
            data = self.blob(oid)
            self._outlines[key] = outline(path, data) if data is not None else None
        told = self._outlines[key]
        if told is not None and told.note:
            self._noted.setdefault(told.note, set()).add(path)
        return told

    def code_words(self, path: str, oid: str) -> frozenset[str]:
        key = f"{_name_key(path)}:{oid}"
        self._meet(oid)
        if key not in self._words:
            data = self.blob(oid)
            self._words[key] = code_words(path, data) if data is not None else frozenset()
        return self._words[key]

    def notes(self) -> tuple[str, ...]:
        """What parsers had to say, each once with the first file: a missing grammar, a file they could not read."""
        return tuple(f"{note} ({_named(paths)})" for note, paths in sorted(self._noted.items()))


def _named(paths: set[str]) -> str:
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return f"{min(paths)}{more}"


def _name_key(path: str) -> str:
    """What of a path decides how a file is read: its extension, else its name."""
    name = path.rpartition("/")[2]
    stem, dot, extension = name.rpartition(".")
    return (
        extension
        if dot and stem and extension not in {"toml", "json", "yaml", "yml", "txt", "cfg", "lock"}
        else name
    )


class EntriesView:
    """A state given by its listing; only the search for words differs between commits and the work tree."""

    def __init__(self, entries: Iterable[TreeEntry], contents: Contents) -> None:
        self._entries = tuple(entries)
        self._contents = contents
        self._oids: Mapping[str, str] = {entry.path: entry.oid for entry in self._entries}
        self._links = frozenset(entry.path for entry in self._entries if entry.mode == MODE_GITLINK)

    def paths(self) -> Mapping[str, str]:
        return self._oids

    @property
    def links(self) -> frozenset[str]:
        """Paths of the submodules."""
        return self._links

    @cached_property
    def _folders(self) -> frozenset[str]:
        found: set[str] = set()
        for path in self._oids:
            folder = path.rpartition("/")[0]
            while folder and folder not in found:
                found.add(folder)
                folder = folder.rpartition("/")[0]
        return frozenset(found)

    def is_folder(self, path: str) -> bool:
        return path in self._folders

    @cached_property
    def listing(self) -> Listing:
        """The same state for matching scopes."""
        return list_entries(self._entries)

    @cached_property
    def _matcher(self) -> ScopeMatcher:
        return ScopeMatcher(self.listing)

    def match(self, spec: ScopeSpec) -> ScopeMatch:
        """Digest and count of what a scope holds here."""
        return self._matcher.match(spec)

    def matched_paths(self, spec: ScopeSpec) -> tuple[str, ...]:
        """Paths that a scope holds here, gitlinks included."""
        return tuple(path.decode("utf-8", "surrogateescape") for path in self._matcher.paths(spec))

    def folder_id(self, path: str) -> str | None:
        oid = (
            self.listing.trees.get(path.encode("utf-8", "surrogateescape")) if self.is_folder(path) else None
        )
        return oid.decode("ascii") if oid is not None else None

    def read(self, path: str) -> bytes | None:
        oid = self._oids.get(path)
        return self._contents.blob(oid) if oid is not None and path not in self._links else None

    def outline(self, path: str) -> Outline | None:
        oid = self._oids.get(path)
        return self._contents.outline(path, oid) if oid is not None and path not in self._links else None

    def code_words(self, path: str) -> frozenset[str]:
        oid = self._oids.get(path)
        return (
            self._contents.code_words(path, oid)
            if oid is not None and path not in self._links
            else frozenset()
        )

    def preload(self, paths: Iterable[str]) -> None:
        self._contents.preload(
            self._oids[path] for path in paths if path in self._oids and path not in self._links
        )


class CommitView(EntriesView):
    """The tree of a commit."""

    def __init__(self, repository: Repository, tree: str, contents: Contents) -> None:
        super().__init__(repository.list_tree(tree), contents)
        self._repository = repository
        self.tree = tree
        self._found: dict[str, tuple[str, ...]] = {}

    def files_with(self, words: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        wanted = tuple(dict.fromkeys(words))
        missing = [word for word in wanted if word not in self._found]
        if missing:
            try:
                found = self._repository.grep(self.tree, missing)
            except _UNREADABLE:
                found = self._search(missing)
            self._found.update({word: found.get(word, ()) for word in missing})
        return {word: self._found[word] for word in wanted}

    def _search(self, words: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        """File by file, since the search of git ends at a damaged object."""
        texts = [path for path in self.paths() if not _is_binary(self.read(path) or b"")]
        return {word: tuple(path for path in texts if _has_word(word, self.read(path))) for word in words}


def _is_binary(data: bytes) -> bool:
    return b"\0" in data[:8000]


def _has_word(word: str, data: bytes | None) -> bool:
    pattern = (
        rb"(?<![A-Za-z0-9_])" + re.escape(word.encode("utf-8", "surrogateescape")) + rb"(?![A-Za-z0-9_])"
    )
    return data is not None and re.search(pattern, data) is not None


class WorkView(EntriesView):
    """What would be committed: the index, or the work tree with its untracked files.

    Args:
        repository: The repository.
        contents: Shared contents; changed files are remembered there under the ids they would have.
        head: View of HEAD, whose search serves unchanged files; None while unborn.
        staged: The index instead of the work tree.
    """

    def __init__(
        self, repository: Repository, contents: Contents, head: CommitView | None, *, staged: bool = False
    ) -> None:
        super().__init__(repository.worktree_entries(staged=staged), contents)
        held = head.paths() if head is not None else {}
        self._head = head
        self._changed = {path: oid for path, oid in self._oids.items() if held.get(path) != oid}
        for path, oid in self._changed.items():
            if path not in self._links:
                contents.remember(oid, repository.worktree_blob(path, staged=staged))

    def files_with(self, words: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        wanted = tuple(dict.fromkeys(words))
        committed = self._head.files_with(wanted) if self._head is not None else {}
        return {word: self._with_word(word, committed.get(word, ())) for word in wanted}

    def _with_word(self, word: str, committed: Iterable[str]) -> tuple[str, ...]:
        kept = [path for path in committed if path in self._oids and path not in self._changed]
        changed = [path for path in self._changed if _has_word(word, self.read(path))]
        return tuple(sorted((*kept, *changed)))
