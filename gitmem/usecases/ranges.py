"""What a memory rests on at the start of a range (``--range BASE..HEAD``).

A range asks what one change did. What moved between the validation and the range's start is followed first; what was
already gone there is not the range's doing and is left out (drift.md, "The steps" 3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from gitmem.drift.interval import Interval
from gitmem.drift.marks import capture_mark
from gitmem.drift.scope_change import ScopeAt, moved_globs
from gitmem.drift.scopes import ScopeSpec
from gitmem.drift.watching import judge_mark
from gitmem.model.validation import Mark, is_resolved
from gitmem.model.verdict import CHALLENGING
from gitmem.model.watch import NAMED, Watch, WatchKind

_WILD = frozenset("*?[{")
_PATHED = frozenset({WatchKind.SYMBOL, WatchKind.KEY, WatchKind.FILE, WatchKind.LINES})


class Start(NamedTuple):
    """A memory at the start of a range.

    Args:
        spec: Its scope there, globs put where their files had moved.
        marks: What its watches hold there.
        notes: What was followed and what was left out, in words.
        known: Whether the memory was validated after the range's start, so that it says itself what moved since.
    """

    spec: ScopeSpec
    marks: tuple[Mark, ...]
    notes: tuple[str, ...] = ()
    known: bool = False


def followed_scope(spec: ScopeSpec, old: Sequence[str], new: Sequence[str], before: Interval) -> ScopeSpec:
    """The scope at the start of a range, each glob put where its files went since the validation.

    Args:
        spec: The scope as written.
        old: What it matched at the validation.
        new: What it matches at the start of the range.
        before: Validation to the start of the range.
    """
    moves = dict(moved_globs(ScopeAt(spec.include, tuple(old), tuple(new)), before))
    moves = {glob: place for glob, place in moves.items() if _wildcards(glob) == _wildcards(place)}
    return spec._replace(include=tuple(moves.get(glob, glob) for glob in spec.include))


def _wildcards(glob: str) -> list[str]:
    return [letter for letter in glob if letter in _WILD]


def at_start(
    stored: Sequence[Mark], spec: ScopeSpec, scope: Sequence[str], before: Interval, *, later: bool
) -> Start:
    """Marks at the start of a range.

    Args:
        stored: What the watches held at the validation.
        spec: The scope at the start of the range.
        scope: What it matches there.
        before: Validation to the start of the range.
        later: Whether the validation came after the range's start: what is not there yet is as it was validated.
    """
    marks: list[Mark] = []
    notes: list[str] = []
    for mark in stored:
        found = next(_standing(mark, scope, before), mark if later else None)
        if found is None:
            notes.append(f"left out, since it did not hold before this range: {mark.watch}")
            continue
        marks.append(found)
        if found.watch.path != mark.watch.path and not later:
            notes.append(f"moved before this range: {mark.watch} → {found.watch}")
    return Start(spec, tuple(dict.fromkeys(marks)), tuple(notes), known=later)


def _standing(mark: Mark, scope: Sequence[str], before: Interval) -> Iterator[Mark]:
    """The mark read anew where it stands, the likeliest place first."""
    for watch in dict.fromkeys(_places(mark, scope, before)):
        fresh = capture_mark(watch, before.now, scope)
        if is_resolved(fresh):
            yield fresh


def _places(mark: Mark, scope: Sequence[str], before: Interval) -> Iterator[Watch]:
    watch = mark.watch
    if watch.kind in NAMED:
        yield watch
        return
    seen = judge_mark(mark, before, scope)
    if seen.moved is not None:
        yield seen.moved
    for found in seen.findings:
        if watch.kind in _PATHED and found.new_path is not None:
            yield replace(watch, path=found.new_path)
    if watch.kind is WatchKind.LINES and watch.quote is None and seen.verdict in CHALLENGING:
        return  # other lines stand at those numbers now
    yield watch
    place = before.follow_file(watch.path or "", mark.blob) if watch.kind is WatchKind.KEY else None
    if place is not None:
        yield replace(watch, path=place)
