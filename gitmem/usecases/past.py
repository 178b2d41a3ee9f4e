"""The tree of a baseline, told by the judged tree and what differs between the two, without listing it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from gitmem.drift.scopes import ScopeIndex, ScopeSpec
from gitmem.git.interface import Repository
from gitmem.model.change import MODE_GITLINK, Change, TreeEntry
from gitmem.usecases.contents import Contents
from gitmem.usecases.views import REGULAR, CommitView


class Overlay(Mapping[str, str]):
    """A mapping of paths that is another one but for a few: their values, None for those that are not there.

    Args:
        base: The other one.
        differing: What differs.
    """

    def __init__(self, base: Mapping[str, str], differing: Mapping[str, str | None]) -> None:
        self._base = base
        self._differing = differing

    def __getitem__(self, path: str) -> str:
        if path not in self._differing:
            return self._base[path]
        found = self._differing[path]
        if found is None:
            raise KeyError(path)
        return found

    def get(self, path: str, default: str | None = None) -> str | None:  # type: ignore[override]  # of text alone
        if path in self._differing:
            found = self._differing[path]
            return default if found is None else found
        return self._base.get(path, default)

    def __contains__(self, path: object) -> bool:
        return self._differing[path] is not None if path in self._differing else path in self._base  # type: ignore[index]  # a key

    @cached_property
    def _whole(self) -> Mapping[str, str]:
        here = {path: oid for path, oid in self._base.items() if path not in self._differing}
        here |= {path: oid for path, oid in self._differing.items() if oid is not None}
        return {path: here[path] for path in sorted(here, key=_as_bytes)}

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole)

    def __len__(self) -> int:
        return len(self._whole)


class PastView(CommitView):
    """See the module.

    Args:
        repository: Where the tree is listed all the same when a question needs every entry.
        tree: The baseline's commit or tree.
        contents: Shared contents.
        now: The judged tree.
        changes: All that differs from `tree` to `now`.
    """

    def __init__(
        self,
        repository: Repository,
        tree: str,
        contents: Contents,
        now: CommitView,
        changes: Sequence[Change],
    ) -> None:
        self._repository = repository
        self.tree = tree
        self._contents = contents
        self._found: dict[str, tuple[str, ...]] = {}
        self._now = now
        differing: dict[str, str | None] = {}
        left: list[tuple[str, bool]] = []
        came: set[str] = set()
        links = {row.old_path for row in changes if row.old_path is not None and row.old_mode == MODE_GITLINK}
        for row in changes:
            old, new = row.old_path, row.new_path
            if old == new and old is not None and row.old_mode != MODE_GITLINK != row.new_mode:
                differing[old] = row.old_oid
                continue
            # the scopes that hold the two ends may differ: added, deleted, moved, or a submodule now or then
            if new is not None:
                differing.setdefault(new, None)
                came.add(new)
            if old is not None:
                differing[old] = row.old_oid
                left.append((old, row.old_mode == MODE_GITLINK))
        self._oids = Overlay(now.paths(), differing)
        self._links = now.links.difference(differing) | links
        self._left, self._came = left, came
        self._old_files = {
            row.old_path: row.old_oid
            for row in changes
            if row.old_path is not None and row.old_oid is not None and row.old_mode in REGULAR
        }
        self._differing = differing

    @cached_property
    def _entries(self) -> tuple[TreeEntry, ...]:  # type: ignore[override]  # listed when asked for
        return self._repository.list_tree(self.tree)

    def indexed(self, words: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """By the judged tree, whose index is made once, and the blobs that stood here instead."""
        now, index, old = (
            self._now.indexed(words),
            self._contents.words,
            self._now.searchable(self._old_files),
        )
        index.read(old.values())
        found, unsure = {}, []
        for word, paths in now.items():
            blobs = index.blobs_with(word)
            if blobs is None:
                unsure.append(word)
                continue
            kept = [path for path in paths if path not in self._differing]
            held = frozenset(blobs)
            found[word] = tuple(sorted([*kept, *(path for path, oid in old.items() if oid in held)]))
        return {**found, **self._searched(unsure)} if unsure else found

    def matched_paths(self, spec: ScopeSpec) -> tuple[str, ...]:
        kept = [path for path in self._now.matched_paths(spec) if path not in self._came]
        index = ScopeIndex([spec])
        left = [path for path, is_link in self._left if index.matching(_as_bytes(path), gitlink=is_link)]
        return tuple(sorted({*kept, *left}, key=_as_bytes)) if left else tuple(kept)


def _as_bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
