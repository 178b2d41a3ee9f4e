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

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from gitmem.drift.listing import Listing
from gitmem.model.glob import MAX_LENGTH, Glob, only_stars, parse_glob
from gitmem.model.glob_pattern import ANY_NAME, Pattern, Wild

_HEADER = b"gitmem scope 1"
DIGEST_LENGTH = 40
_SLASH = b"/"[0]
_DOT_OR_SLASH = b"./"
_UNUSUAL = re.compile(rb"/[./]|\0")
_new = tuple.__new__  # a named tuple's own constructor is a Python function, and there may be ten thousand


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
        import hashlib

        self._sha256 = hashlib.sha256
        self._listing = listing
        self._globs: dict[str, Glob] = {}
        self._held: dict[str, Sequence[int]] = {}
        self._matches: dict[ScopeSpec, ScopeMatch] = {}
        self._leaves: dict[bytes, int] | None = None
        self._names: Mapping[bytes, list[int]] | None = None
        self._extensions: Mapping[bytes, list[int]] | None = None
        self._folders: Mapping[bytes, list[int]] | None = None

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
        if len(spec.include) == 1 and not spec.exclude:
            found = self._match_plain(spec.include[0])
            if found is not None:
                return found
        return self._match_parsed(spec)

    def _match_parsed(self, spec: ScopeSpec) -> ScopeMatch:
        positions = self._positions(spec)
        lines = self._listing.lines
        whole = () if spec.exclude else self._whole(spec, positions)
        if not whole:
            return self._matched([lines[at] for at in positions], len(positions))
        records = [record for folder in whole for record in self._folder_records(folder)]
        if not isinstance(positions, range):
            single = set(positions).difference(*(range(*self._listing.span(folder)) for folder in whole))
            records += [(self._listing.paths[at], lines[at]) for at in single]
        records.sort()
        return self._matched([line for _, line in records], len(positions))

    def _match_plain(self, text: str) -> ScopeMatch | None:
        """The short way for the usual globs, which are not parsed; None for all else, and where nothing is there.

        These are ``file`` and ``folder/**`` under the very name written, ``folder/*.ext``, ``folder/**/*.ext`` and
        ``folder/**/name``.
        """
        if not only_stars(text):
            return None
        try:
            path = text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            return None
        star = path.find(b"*")
        if star < 0:
            at = self._leaf(path)
            return None if at is None else self._matched((self._listing.lines[at],), 1)
        if not _is_usual(path):
            return None
        cut = max(path.rfind(b"/", 0, star), 0)
        lead, rest = path[:cut], path[cut + 1 :] if cut else path
        if rest != b"**":
            return self._match_names(lead, rest)
        start, stop = self._listing.span(lead)
        if start == stop or not lead:
            return None
        return self._matched([line for _, line in self._folder_records(lead)], stop - start)

    def _match_names(self, lead: bytes, rest: bytes) -> ScopeMatch | None:
        """For ``*.ext``, ``**/*.ext`` and ``**/name`` below a folder; None for all else."""
        is_deep = rest[:3] == b"**/"
        name = rest[3:] if is_deep else rest
        if b"/" in name:
            return None
        if name[:2] == b"*." and name.find(b".", 2) < 0 and name.find(b"*", 2) < 0:
            listed = self._with_extension(name[1:])
        elif is_deep and b"*" not in name:
            listed = self._named(name)
        else:
            return None
        lines, paths = self._listing.lines, self._listing.paths
        if lead:
            start, stop = self._listing.span(lead)
            listed = listed[bisect_left(listed, start) : bisect_left(listed, stop)]
        if is_deep:
            return self._matched([lines[at] for at in listed], len(listed))
        depth = len(lead) if lead else -1
        found = [lines[at] for at in listed if paths[at].rfind(b"/") == depth]
        return self._matched(found, len(found))

    def _matched(self, records: Sequence[bytes], matched: int) -> ScopeMatch:
        digest = self._sha256(b"\0".join((_HEADER, *records, b""))).hexdigest()[:DIGEST_LENGTH]
        return _new(ScopeMatch, (digest, matched))

    def _whole(self, spec: ScopeSpec, positions: Sequence[int]) -> tuple[bytes, ...]:
        """The outermost folders that a scope means as a whole and that are there."""
        if len(spec.include) == 1:
            patterns = self._globs[spec.include[0]].patterns
            if len(patterns) == 1:
                return (patterns[0].lead,) if isinstance(positions, range) else ()
        found: list[bytes] = []
        for lead in sorted(self._named_folders(spec), key=lambda lead: lead + b"/" if lead else b""):
            inside = found and (not found[-1] or lead.startswith(found[-1] + b"/"))
            start, stop = self._listing.span(lead)
            if start < stop and not inside:
                found.append(lead)
        return tuple(found)

    def _named_folders(self, spec: ScopeSpec) -> set[bytes]:
        patterns = (pattern for text in spec.include for pattern in self._glob(text).patterns)
        return {pattern.lead for pattern in patterns if pattern.is_folder or not pattern.rest}

    def _folder_records(self, folder: bytes) -> list[tuple[bytes, bytes]]:
        """Records, by path, that stand for everything below a folder."""
        listing = self._listing
        if folder:
            named = folder + b"/"
            return [(named, b"%s\t%s" % (listing.trees[folder], named))]
        top = [(path, listing.lines[at]) for at, path in enumerate(listing.paths) if b"/" not in path]
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
        """Sorted positions of the leaves that one glob matches; a range is a whole folder and nothing else is."""
        held = self._held.get(text)
        if held is None:
            patterns = self._glob(text).patterns
            held = self._search(patterns[0]) if len(patterns) == 1 else _union(map(self._search, patterns))
            self._held[text] = held
        return held

    def _search(self, pattern: Pattern) -> Sequence[int]:
        listing = self._listing
        if pattern.is_folder or not pattern.rest:
            start, stop = listing.span(pattern.lead)
            if start < stop:
                return range(start, stop)
            at = self._leaf(pattern.lead)
            return () if at is None or (pattern.rest and at not in listing.gitlinks) else (at,)
        found = self._search_wild(pattern)
        if listing.gitlinks and pattern.last is ANY_NAME:
            also = [at for at in listing.gitlinks if pattern.matches(listing.paths[at] + b"/")]
            return sorted({*found, *also})
        return found

    def _search_wild(self, pattern: Pattern) -> list[int]:
        """Takes the shortest list that holds every match, then leaves out what does not fit."""
        last, key, rest = pattern.last, bucket(pattern), pattern.rest
        paths = self._listing.paths
        if not key and len(rest) == 1:
            return [at for at in self._children(pattern.lead) if pattern.matches(paths[at])]
        start, stop = self._listing.span(pattern.lead)
        if not key:
            return [at for at in range(start, stop) if pattern.matches(paths[at])]
        listed = (self._with_extension if isinstance(last, Wild) else self._named)(key)
        found = listed[bisect_left(listed, start) : bisect_left(listed, stop)]
        if last == key or (isinstance(last, Wild) and last.pieces == (b"", key)):
            if len(rest) == 2 and rest[0] is None:
                return found
            if len(rest) == 1:
                depth = len(pattern.lead) if pattern.lead else -1
                return [at for at in found if paths[at].rfind(b"/") == depth]
        return [at for at in found if pattern.matches(paths[at])]

    def _leaf(self, path: bytes) -> int | None:
        if self._leaves is None:
            self._leaves = {path: at for at, path in enumerate(self._listing.paths)}
        return self._leaves.get(path)

    def _named(self, name: bytes) -> list[int]:
        if self._names is None:
            self._names = _grouped([path[path.rfind(b"/") + 1 :] for path in self._listing.paths])
        return self._names.get(name, [])

    def _with_extension(self, ending: bytes) -> list[int]:
        if self._extensions is None:
            # a dot in a folder's name alone gives a key with a slash, which nobody asks for
            self._extensions = _grouped([path[path.rfind(b".") :] for path in self._listing.paths])
        return self._extensions.get(ending, [])

    def _children(self, folder: bytes) -> list[int]:
        if self._folders is None:
            self._folders = _grouped([path[: max(path.rfind(b"/"), 0)] for path in self._listing.paths])
        return self._folders.get(folder, [])


def scope_digest(spec: ScopeSpec, listing: Listing) -> ScopeMatch:
    """Digest and count of one scope in one state of the code; for many scopes use `ScopeMatcher`.

    Raises:
        ValueError: From `parse_glob`.
    """
    return ScopeMatcher(listing).match(spec)


def extension(name: bytes) -> bytes:
    """The last extension of a name with its dot; empty when it has none."""
    dot = name.rfind(b".")
    return name[dot:] if dot >= 0 else b""


def bucket(pattern: Pattern) -> bytes:
    """What every path of a pattern ends in: a whole name, an extension with its dot, or empty when neither is known."""
    last = pattern.last
    return extension(last.suffix) if isinstance(last, Wild) else last or b""


def _is_usual(path: bytes) -> bool:
    """Whether every part of a glob is as written, and `parse_glob` refuses none of it."""
    begins = path[0] not in _DOT_OR_SLASH and path[1:2] != b":"
    return begins and path[-1] != _SLASH and not _UNUSUAL.search(path) and len(path) <= MAX_LENGTH


def _union(found: Iterable[Sequence[int]]) -> list[int]:
    return sorted(set[int]().union(*found))


def _grouped(keys: Iterable[bytes]) -> Mapping[bytes, list[int]]:
    groups: defaultdict[bytes, list[int]] = defaultdict(list)
    for at, key in enumerate(keys):
        groups[key].append(at)
    return groups
