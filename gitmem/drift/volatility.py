"""The 90-day line: how often a memory would have been challenged lately, shown at capture.

The best guard against a useless memory (drift.md, "Two kinds of scope"): one that would have been challenged every
week watches too much.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from gitmem.drift.content.difference import Difference
from gitmem.drift.content.outline import Outline
from gitmem.drift.content.reading import compare
from gitmem.drift.stated import stated_value
from gitmem.model.change import Change
from gitmem.model.validation import Mark
from gitmem.model.watch import WatchKind

DAYS = 90


class BlobReader(Protocol):
    """Contents by object id, cached."""

    def blob(self, oid: str) -> bytes | None:
        """Content; None when missing or too large."""

    def outline(self, path: str, oid: str) -> Outline | None:
        """Parsed content."""


def challenges(marks: Sequence[Mark], commits: Iterable[Sequence[Change]], blobs: BlobReader) -> int:
    """How many commits changed in substance what the marks rest on.

    Args:
        marks: The marks at capture.
        commits: Changed rows of each commit, against its first parent.
        blobs: Contents.
    """
    watched = {path for mark in marks for path in _paths(mark)}
    if not watched:
        return 0
    return sum(any(_hits(marks, row, blobs) for row in rows if row.old_path in watched) for rows in commits)


def _paths(mark: Mark) -> Iterator[str]:
    if mark.watch.kind is not WatchKind.IDENT and mark.watch.path is not None:
        yield mark.watch.path.partition("#")[0]


def _hits(marks: Sequence[Mark], row: Change, blobs: BlobReader) -> bool:
    return any(_hit(mark, row, blobs) for mark in marks if row.old_path in tuple(_paths(mark)))


def _hit(mark: Mark, row: Change, blobs: BlobReader) -> bool:
    if row.status == "added" or row.old_oid is None or row.old_oid == row.new_oid:
        return False
    if row.new_oid is None or row.new_path is None:
        return True
    path, _, inner = (mark.watch.path or "").partition("#")
    name = mark.watch.name or inner
    if mark.watch.kind is WatchKind.KEY:
        return _value(path, row.old_oid, name, blobs) != _value(row.new_path, row.new_oid, name, blobs)
    if name:
        return _symbol_core(path, row.old_oid, name, blobs) != _symbol_core(
            row.new_path, row.new_oid, name, blobs
        )
    if mark.watch.kind is WatchKind.PATH:
        return False
    old, new = blobs.blob(row.old_oid), blobs.blob(row.new_oid)
    return (
        old is not None
        and new is not None
        and compare(row.new_path, old, new).difference is Difference.SUBSTANTIVE
    )


def _value(path: str, oid: str, key: str, blobs: BlobReader) -> str | None:
    data = blobs.blob(oid)
    return stated_value(path, data, key) if data is not None else None


def _symbol_core(path: str, oid: str, name: str, blobs: BlobReader) -> str | None:
    outline = blobs.outline(path, oid)
    symbol = outline.symbol(name) if outline is not None else None
    return symbol.core if symbol is not None else None
