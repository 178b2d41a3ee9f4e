"""States of the code as the drift rules see them, read from a repository in batches and cached by blob id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from posixpath import basename
from typing import TYPE_CHECKING

from gitmem.drift.exclusions import binary_by_attributes
from gitmem.drift.listing import Listing, list_entries
from gitmem.drift.scopes import ScopeMatch, ScopeMatcher, ScopeSpec
from gitmem.git.interface import Repository
from gitmem.model.change import MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, TreeEntry
from gitmem.usecases.contents import UNREADABLE, Contents
from gitmem.usecases.word_index import has_word

if TYPE_CHECKING:
    from gitmem.drift.content.outline import Outline
    from gitmem.drift.content.parts import Parts

LISTING = "leaves"
"""Under which name the listing of a commit is kept in memory."""


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

    def parts(self, path: str, name: str) -> Parts | None:
        oid = self._oids.get(path)
        return self._contents.parts(path, oid, name) if oid is not None and path not in self._links else None

    def code_words(self, path: str) -> frozenset[str]:
        oid = self._oids.get(path)
        return (
            self._contents.code_words(path, oid)
            if oid is not None and path not in self._links
            else frozenset()
        )

    def code_names(self, path: str) -> frozenset[str]:
        oid = self._oids.get(path)
        return (
            self._contents.code_names(path, oid)
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

    @cached_property
    def listing(self) -> Listing:
        return self._repository.kept(LISTING, self.tree, lambda: list_entries(self._entries))

    def files_with(self, words: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        wanted = tuple(dict.fromkeys(words))
        missing = [word for word in wanted if word not in self._found]
        if missing:
            pays = self._contents.words.pays(len(missing), len(self.paths()))
            self._found.update(self.indexed(missing) if pays else self._searched(missing))
        return {word: self._found[word] for word in wanted}

    def _searched(self, words: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        try:
            found = self._repository.grep(self.tree, words)
        except UNREADABLE:
            found = self._search(words)
        return {word: found.get(word, ()) for word in words}

    def _search(self, words: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        """File by file, since the search of git ends at a damaged object."""
        texts = [path for path in self.paths() if not _is_binary(self.read(path) or b"")]
        return {word: tuple(path for path in texts if has_word(word, self.read(path))) for word in words}

    def indexed(self, words: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """The same from the index, which is made at the first question."""
        index, places = self._contents.words, self._by_blob
        self._contents.meet_damaged()
        found, unsure = {}, []
        for word in words:
            blobs = index.blobs_with(word)
            if blobs is None:
                unsure.append(word)
            else:
                found[word] = tuple(sorted(path for oid in blobs for path in places.get(oid, ())))
        return {**found, **self._searched(unsure)} if unsure else found

    @cached_property
    def _by_blob(self) -> Mapping[str, Sequence[str]]:
        """Paths of the files that are searched, by blob, the words of which are in the index from now on."""
        files = self.searchable({one.path: one.oid for one in self._entries if one.mode in REGULAR})
        self._contents.words.read(files.values())
        from gitmem.drift.interval import places_of

        return places_of(files)

    def searchable(self, files: Mapping[str, str]) -> Mapping[str, str]:
        """Those of some files that a search looks into."""
        left_out = binary_by_attributes(files, self._attributes)
        return {path: oid for path, oid in files.items() if path not in left_out} if left_out else files

    @cached_property
    def _attributes(self) -> Mapping[str, bytes]:
        return {path: self.read(path) or b"" for path in self.paths() if basename(path) == ".gitattributes"}


REGULAR = frozenset({MODE_FILE, MODE_EXECUTABLE})


def _is_binary(data: bytes) -> bool:
    return b"\0" in data[:8000]


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
        changed = [path for path in self._changed if has_word(word, self.read(path))]
        return tuple(sorted((*kept, *changed)))
