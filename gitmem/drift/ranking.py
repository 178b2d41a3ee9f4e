"""The watches found for one statement, the most specific first."""

from __future__ import annotations

from collections.abc import Container

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

    def add(self, watch: Watch, rank: int | None = None) -> bool:
        """Take a watch, by its kind's rank when none is given; always True."""
        self._ranked.setdefault(watch, RANKS[watch.kind] if rank is None else rank)
        return True

    def holds_content_beside(self, loose: Container[Watch]) -> bool:
        """Whether a watch that is none of these is about content."""
        return any(watch.kind in _CONTENT_KINDS and watch not in loose for watch in self._ranked)

    def is_narrow_in(self, files: Container[str | None]) -> bool:
        """Whether something within one of these files is watched by content."""
        return any(watch.kind in _NARROW_KINDS and watch.path in files for watch in self._ranked)

    def ordered(self) -> tuple[Watch, ...]:
        """At most `MOST_WATCHES`; a file's path goes when a definition or key in it is watched, a class when a member is."""
        held = {watch.path for watch in self._ranked if watch.kind in _NARROW_KINDS}
        kept = [
            watch
            for watch in self._ranked
            if not (watch.kind is WatchKind.PATH and watch.path in held)
            and not (watch.kind is WatchKind.SYMBOL and (watch.path, watch.name) in self.members)
        ]
        return tuple(sorted(kept, key=lambda watch: (self._ranked[watch], RANKS[watch.kind]))[:MOST_WATCHES])
