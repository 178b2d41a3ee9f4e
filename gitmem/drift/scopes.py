"""Scopes: which memories a path belongs to, and the digest of what a scope holds.

**The digest (algo 1)**, stored as ``baseline.scope``, is the first 40 hex digits of the SHA-256 of the bytes
``gitmem scope 1 NUL`` followed by one record ``OID TAB PATH NUL`` for each thing matched, sorted by PATH as bytes:

- each matched file, symbolic link or gitlink with its object id and path from the root. A path is matched when a glob
  of ``include`` matches it and none of ``exclude`` does (`gitmem.model.glob`; a gitlink also as a folder);
- but when ``exclude`` is empty, a folder that one of the globs means as a whole (``dir``, ``dir/``, ``dir/**``) is one
  record with its tree's id and the path ``dir/`` in place of everything below it, the outermost such folder alone;
  ``**``, the whole repository, is one record for each file and folder at its top.

Tree ids cover modes, single records do not. Trees that git would not write itself (wrongly sorted, odd modes, empty
folders) have other ids in a commit than in a listing of the work tree: then the digests differ and the close look decides.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gitmem.drift.listing import Listing
from gitmem.model.glob import Glob, parse_glob
from gitmem.model.glob_pattern import Pattern, Wild

DIGEST_HEADER = b"gitmem scope 1\0"
DIGEST_LENGTH = 40


class ScopeSpec(NamedTuple):
    """Globs of one scope.

    Args:
        include: What is meant; elements resolved to their paths.
        exclude: What is taken out of it.
    """

    include: tuple[str, ...]
    exclude: tuple[str, ...] = ()


class ScopeMatch(NamedTuple):
    """What a scope holds in one state of the code.

    Args:
        digest: See the module.
        matched: How many files, symbolic links and gitlinks.
    """

    digest: str
    matched: int


class ScopeIndex:
    """Many scopes, indexed so that a path finds those that hold it by its folders, name and extension.

    Args:
        specs: The scopes; answers are their positions.

    Raises:
        ValueError: From `parse_glob`.
    """

    def __init__(self, specs: Sequence[ScopeSpec]) -> None:
        self.specs = specs
        self._globs: dict[str, Glob] = {}
        self._excludes: dict[int, tuple[Glob, ...]] = {}
        self._whole: dict[bytes, list[int]] = {}
        self._below: dict[bytes, list[int]] = {}
        self._wild: dict[tuple[bytes, bytes], list[tuple[Pattern, int]]] = {}
        for number, spec in enumerate(specs):
            for text in spec.include:
                for pattern in self._parse(text).patterns:
                    self._add(pattern, number)
            if spec.exclude:
                self._excludes[number] = tuple(map(self._parse, spec.exclude))

    def _parse(self, text: str) -> Glob:
        if text not in self._globs:
            self._globs[text] = parse_glob(text)
        return self._globs[text]

    def _add(self, pattern: Pattern, number: int) -> None:
        if pattern.is_folder or not pattern.rest:
            self._below.setdefault(pattern.lead, []).append(number)
        if not pattern.rest:
            self._whole.setdefault(pattern.lead, []).append(number)
        elif not pattern.is_folder:
            self._wild.setdefault((pattern.lead, bucket(pattern)), []).append((pattern, number))

    def matching(self, path: bytes, *, gitlink: bool = False) -> set[int]:
        """Positions of the scopes that hold a path; of a gitlink, which is a folder too, those that hold either."""
        found = self._included(path)
        if gitlink:
            found |= self._included(path + b"/")
        return {number for number in found if not self._excluded(number, path, gitlink=gitlink)}

    def _included(self, path: bytes) -> set[int]:
        found = set(self._whole.get(path, ()))
        name = path[path.rfind(b"/") + 1 :]
        buckets = (name, extension(name), b"")
        folder = path
        while folder:
            folder = folder[: max(folder.rfind(b"/"), 0)]
            found.update(self._below.get(folder, ()))
            for key in buckets:
                for pattern, number in self._wild.get((folder, key), ()):
                    if number not in found and pattern.matches(path):
                        found.add(number)
        return found

    def _excluded(self, number: int, path: bytes, *, gitlink: bool) -> bool:
        globs = self._excludes.get(number, ())
        return any(glob.matches_gitlink(path) if gitlink else glob.matches(path) for glob in globs)


class ScopeMatcher:
    """Matches many scopes against one listing; what they have in common is done once.

    Args:
        listing: The state of the code.
    """

    def __init__(self, listing: Listing) -> None:
        self._listing = listing
        self._globs: dict[str, Glob] = {}
        self._held: dict[str, Sequence[int]] = {}
        self._matches: dict[ScopeSpec, ScopeMatch] = {}
        self._leaves: dict[bytes, int] | None = None
        self._names: dict[bytes, list[int]] | None = None
        self._extensions: dict[bytes, list[int]] | None = None
        self._folders: dict[bytes, list[int]] | None = None

    def match(self, spec: ScopeSpec) -> ScopeMatch:
        """Digest and count of one scope.

        Raises:
            ValueError: From `parse_glob`.
        """
        found = self._matches.get(spec)
        if found is None:
            found = self._matches[spec] = self._match(spec)
        return found

    def paths(self, spec: ScopeSpec) -> list[bytes]:
        """Paths of the leaves that a scope holds, sorted.

        Raises:
            ValueError: From `parse_glob`.
        """
        return [self._listing.paths[at] for at in self._positions(spec)]

    def _match(self, spec: ScopeSpec) -> ScopeMatch:
        positions = self._positions(spec)
        if not positions:
            return ScopeMatch(_digest(()), 0)
        whole = () if spec.exclude else self._whole(spec)
        if not whole:
            return ScopeMatch(_digest(map(self._listing.lines.__getitem__, positions)), len(positions))
        spans = [range(*self._listing.span(folder)) for folder in whole]
        records = [record for folder in whole for record in self._folder_records(folder)]
        if len(positions) > sum(map(len, spans)):
            single = set(positions).difference(*spans)
            records += [(self._listing.paths[at], self._listing.lines[at]) for at in single]
        return ScopeMatch(_digest(line for _, line in sorted(records)), len(positions))

    def _folder_records(self, folder: bytes) -> list[tuple[bytes, bytes]]:
        """Records, by path, that stand for everything below a folder."""
        listing = self._listing
        if folder:
            named = folder + b"/"
            return [(named, b"%s\t%s" % (listing.trees[folder], named))]
        top = [(listing.paths[at], listing.lines[at]) for at in self._children(b"")]
        for tree in listing.trees:
            if b"/" not in tree and listing.span(tree)[0] < listing.span(tree)[1]:
                top += self._folder_records(tree)
        return top

    def _glob(self, text: str) -> Glob:
        glob = self._globs.get(text)
        if glob is None:
            glob = self._globs[text] = parse_glob(text)
        return glob

    def _positions(self, spec: ScopeSpec) -> Sequence[int]:
        include = spec.include
        positions = self._holds(include[0]) if len(include) == 1 else _union(map(self._holds, include))
        if not spec.exclude:
            return positions
        out = set[int]().union(*map(self._holds, spec.exclude))
        return [at for at in positions if at not in out]

    def _holds(self, text: str) -> Sequence[int]:
        """Sorted positions of the leaves that one glob matches."""
        held = self._held.get(text)
        if held is None:
            patterns = self._glob(text).patterns
            one = self._search(patterns[0])
            held = self._held[text] = one if len(patterns) == 1 else _union(map(self._search, patterns))
        return held

    def _search(self, pattern: Pattern) -> Sequence[int]:
        listing = self._listing
        if pattern.rest and not pattern.is_folder:
            found = self._search_wild(pattern)
        else:
            found = range(*listing.span(pattern.lead))
            if not found:
                at = self._leaf(pattern.lead)
                return () if at is None or (pattern.rest and at not in listing.gitlinks) else (at,)
        last = pattern.parts[-1]
        if listing.gitlinks and isinstance(last, Wild) and last.is_any:
            also = [at for at in listing.gitlinks if pattern.matches(listing.paths[at] + b"/")]
            return sorted({*found, *also}) if also else found
        return found

    def _search_wild(self, pattern: Pattern) -> Sequence[int]:
        """Takes the shortest list that holds every match, then leaves out what does not fit."""
        last, key = pattern.parts[-1], bucket(pattern)
        paths = self._listing.paths
        suffix = last.suffix if isinstance(last, Wild) and last.only_suffix else b""
        if len(pattern.rest) == 1:
            children = self._children(pattern.lead)
            if suffix:
                return [at for at in children if paths[at].endswith(suffix)]
            return [at for at in children if pattern.matches(paths[at])]
        start, stop = self._listing.span(pattern.lead)
        found: Sequence[int] = range(start, stop)
        if key:
            listed = (self._with_extension if isinstance(last, Wild) else self._named)(key)
            found = listed[bisect_left(listed, start) : bisect_left(listed, stop)]
        if key in (suffix, last) and key and len(pattern.rest) == 2 and pattern.rest[0] is None:
            return found
        return [at for at in found if pattern.matches(paths[at])]

    def _leaf(self, path: bytes) -> int | None:
        if self._leaves is None:
            self._leaves = {path: at for at, path in enumerate(self._listing.paths)}
        return self._leaves.get(path)

    def _named(self, name: bytes) -> list[int]:
        if self._names is None:
            self._names = _grouped(path[path.rfind(b"/") + 1 :] for path in self._listing.paths)
        return self._names.get(name, [])

    def _with_extension(self, ending: bytes) -> list[int]:
        if self._extensions is None:
            self._extensions = _grouped(
                path[dot:] if (dot := path.rfind(b".")) > path.rfind(b"/") else b""
                for path in self._listing.paths
            )
        return self._extensions.get(ending, [])

    def _children(self, folder: bytes) -> list[int]:
        if self._folders is None:
            self._folders = _grouped(path[: max(path.rfind(b"/"), 0)] for path in self._listing.paths)
        return self._folders.get(folder, [])

    def _whole(self, spec: ScopeSpec) -> tuple[bytes, ...]:
        """The outermost folders that a scope means as a whole and that are there."""
        leads = {
            pattern.lead
            for text in spec.include
            for pattern in self._glob(text).patterns
            if pattern.is_folder or not pattern.rest
        }
        span = self._listing.span
        found: list[bytes] = []
        for lead in sorted(leads, key=lambda lead: lead + b"/" if lead else b""):
            inside = found and (not found[-1] or lead.startswith(found[-1] + b"/"))
            if not inside and span(lead)[0] < span(lead)[1]:
                found.append(lead)
        return tuple(found)


def extension(name: bytes) -> bytes:
    """The last extension of a name with its dot; empty when it has none."""
    dot = name.rfind(b".")
    return name[dot:] if dot >= 0 else b""


def bucket(pattern: Pattern) -> bytes:
    """What every path of a pattern ends in: a whole name, an extension with its dot, or empty when neither is known."""
    last = pattern.parts[-1]
    return extension(last.suffix) if isinstance(last, Wild) else last or b""


def scope_digest(spec: ScopeSpec, listing: Listing) -> ScopeMatch:
    """Digest and count of one scope in one state of the code; for many scopes use `ScopeMatcher`.

    Raises:
        ValueError: From `parse_glob`.
    """
    return ScopeMatcher(listing).match(spec)


def _digest(records: Iterable[bytes]) -> str:
    import hashlib

    content = b"\0".join((DIGEST_HEADER[:-1], *records, b""))
    return hashlib.sha256(content).hexdigest()[:DIGEST_LENGTH]


def _union(found: Iterable[Sequence[int]]) -> list[int]:
    return sorted(set[int]().union(*found))


def _grouped(keys: Iterable[bytes]) -> dict[bytes, list[int]]:
    groups: dict[bytes, list[int]] = {}
    for at, key in enumerate(keys):
        group = groups.get(key)
        if group is None:
            groups[key] = [at]
        else:
            group.append(at)
    return groups
