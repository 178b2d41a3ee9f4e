"""The watches found for one statement, the most specific first."""

from __future__ import annotations

import re
from collections.abc import Container

from gitmem.drift.content.language import is_lock
from gitmem.drift.view import TreeView
from gitmem.model.watch import Watch, WatchKind

MOST_WATCHES = 12
RANKS = {
    WatchKind.LINES: 0,
    WatchKind.SYMBOL: 1,
    WatchKind.KEY: 2,
    WatchKind.IDENT: 3,
    WatchKind.IMPORT: 3,
    WatchKind.FILE: 4,
    WatchKind.PATH: 4,
}
_CONTENT_KINDS = frozenset(
    {WatchKind.LINES, WatchKind.SYMBOL, WatchKind.KEY, WatchKind.IDENT, WatchKind.IMPORT, WatchKind.FILE}
)
_NARROW_KINDS = frozenset({WatchKind.SYMBOL, WatchKind.KEY, WatchKind.LINES})


class Ranked:
    """Watches with the rank that each got when it was first found.

    Attributes:
        members: (path, class) of watched members; the class itself is then not watched beside them.
    """

    def __init__(self) -> None:
        self._ranked: dict[Watch, int] = {}
        self.members: set[tuple[str, str]] = set()

    def __len__(self) -> int:
        return len(self._ranked)

    def __contains__(self, watch: Watch) -> bool:
        return watch in self._ranked

    @property
    def names(self) -> frozenset[str]:
        """What is watched by name, keys by their last part, and the names of files and folders."""
        paths = ((watch.path or "").rstrip("/").rpartition("/")[2] for watch in self._ranked)
        return frozenset(map(_last, self._ranked)).union(paths)

    @property
    def files(self) -> tuple[str, ...]:
        """Files that are watched by their path."""
        paths = (watch.path or "" for watch in self._ranked if watch.kind is WatchKind.PATH)
        return tuple(path for path in paths if not path.endswith("/"))

    def has_key_of(self, lines: Watch) -> bool:
        """Whether what a line gives is watched by its key or definition already."""
        quoted = lines.quote.exact if lines.quote is not None else ""
        return any(
            watch.kind in _GIVEN and watch.path == lines.path and _last(watch) in quoted
            for watch in (self._ranked if quoted else ())
        )

    def add(self, watch: Watch, rank: int | None = None) -> bool:
        """Take a watch, by its kind's rank when none is given; always True."""
        self._ranked.setdefault(watch, RANKS[watch.kind] if rank is None else rank)
        return True

    def holds_content_beside(self, loose: Container[Watch]) -> bool:
        """Whether a watch that is none of these is about content."""
        return any(
            (watch.kind in _CONTENT_KINDS or is_lock(watch.path or "")) and watch not in loose
            for watch in self._ranked
        )

    def is_narrow_in(self, files: Container[str | None]) -> bool:
        """Whether something within one of these files is watched by content."""
        return any(watch.kind in _NARROW_KINDS and watch.path in files for watch in self._ranked)

    def ordered(self, view: TreeView) -> tuple[Watch, ...]:
        """At most `MOST_WATCHES`; a file's path goes when a definition or key in it is watched, a class when a member is.

        What is watched with each value that it has stays: a statement that lists them all is false when one is added.
        """
        held = {watch.path for watch in self._ranked if watch.kind in _NARROW_KINDS}
        kept = [
            watch
            for watch in self._ranked
            if not (watch.kind is WatchKind.PATH and watch.path in held)
            and not (
                watch.kind is WatchKind.SYMBOL
                and (watch.path, watch.name) in self.members
                and not self._is_listed(watch, view)
            )
        ]
        return tuple(sorted(kept, key=lambda watch: (self._ranked[watch], RANKS[watch.kind]))[:MOST_WATCHES])

    def _is_listed(self, watch: Watch, view: TreeView) -> bool:
        """Whether all values of an enumeration are watched beside it; one that has other members is none."""
        path, lead = watch.path or "", f"{watch.name}."
        outline = view.outline(path)
        members = [
            one
            for one in (outline.symbols if outline is not None else ())
            if one.name.startswith(lead) and "." not in one.name[len(lead) :]
        ]
        return len(members) > 1 and all(
            one.kind in _VALUES and Watch(WatchKind.SYMBOL, path=path, name=one.name) in self._ranked
            for one in members
        )


_GIVEN = frozenset({WatchKind.KEY, WatchKind.SYMBOL})


def _last(watch: Watch) -> str:
    """The last part of a watched name, without the part of its value that is stated."""
    return re.split(r"[./]", (watch.name or "").rstrip("/"))[-1].partition("@")[0].strip('"')


_VALUES = frozenset({"constant", "field", "variable", "variant", "enum_member", "case"})
