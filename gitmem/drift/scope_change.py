"""What changed inside a memory's scope, beside its watches: rows, share of lines, files that followed a move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gitmem.drift.content.coarse import cosmetic_words
from gitmem.drift.content.difference import Difference
from gitmem.drift.exclusions import is_outside
from gitmem.drift.glob_words import is_literal, static_prefix
from gitmem.drift.interval import Interval
from gitmem.drift.seen import submodule_words
from gitmem.drift.view import TreeView
from gitmem.drift.watch_path import PREFIX_SHARE, folder_destination
from gitmem.model.change import Change
from gitmem.model.verdict import Finding, Verdict

MEASURED_FILES = 400
"""Lines of a wider scope are estimated from this many of its files, evenly taken."""
SHOWN_ROWS = 2_000
UNSEEN = "what it holds differs from what was recorded; the old state is not in this clone"


@dataclass(frozen=True, slots=True)
class ScopeAt:
    """What a memory's scope matches on both sides.

    Args:
        globs: Include globs as written, elements already replaced by their paths.
        old: Paths it matched at the baseline; empty when the baseline's tree is missing.
        new: Paths it matches in the judged tree.
        generated: Patterns of generated and vendored files.
        differs: Whether its stored digest says that its content is another now.
    """

    globs: tuple[str, ...]
    old: tuple[str, ...]
    new: tuple[str, ...]
    generated: frozenset[str] = frozenset()
    differs: bool = False


@dataclass(frozen=True, slots=True)
class ScopeChange:
    """What happened inside a scope.

    Args:
        findings: One for each row that counts.
        substantive: Rows that changed in substance: modified, deleted or added.
        patch: (glob as written, glob as it would be now) for what moved.
    """

    findings: tuple[Finding, ...] = ()
    substantive: tuple[Change, ...] = ()
    patch: tuple[tuple[str, str], ...] = ()


def scope_change(scope: ScopeAt, interval: Interval) -> ScopeChange:
    """Judge every row of the whole-tree comparison that the scope matches on either side.

    Where the baseline's tree is missing there are no rows: then only the stored digest tells that something differs.
    """
    if interval.then is None:
        return ScopeChange((Finding(Verdict.TOUCHED, UNSEEN),) if scope.differs else ())
    old, new = frozenset(scope.old), frozenset(scope.new)
    named = frozenset(glob for glob in scope.globs if is_literal(glob))
    rows = [row for row in interval.changes if row.old_path in old or row.new_path in new]
    counted = [row for row in rows if _counts(row, scope)]
    interval.now.preload(row.new_path for row in counted if row.new_path and row.old_path)
    interval.then.preload(row.old_path for row in counted if row.old_path and row.new_path)
    judged = [_judge_row(row, named, old, interval) for row in counted[:SHOWN_ROWS]]
    return ScopeChange(
        findings=tuple(one.found for one in judged),
        substantive=tuple(one.row for one in judged if one.substantive),
        patch=tuple(moved_globs(scope, interval)),
    )


class _Judged(NamedTuple):
    row: Change
    found: Finding
    substantive: bool = True


def _counts(row: Change, scope: ScopeAt) -> bool:
    return not is_outside(row.old_path or row.new_path or "", scope.globs, scope.generated)


def _judge_row(row: Change, named: frozenset[str], old: frozenset[str], interval: Interval) -> _Judged:
    path = row.old_path or row.new_path or ""
    if row.status == "added":
        return _Judged(row, Finding(Verdict.TOUCHED, submodule_words(row) or f"{path} is new", path=path))
    if row.old_path not in old:
        reason = f"{row.new_path} moved here from {row.old_path}"
        return _Judged(row, Finding(Verdict.TOUCHED, reason, path=path, new_path=row.new_path))
    if row.status == "deleted" or row.new_path is None:
        return _deleted(row, named, interval)
    if (said := submodule_words(row)) is not None:
        return _Judged(row, Finding(Verdict.TOUCHED, said, path=path))
    return _differing(row, path, row.new_path, interval)


def _deleted(row: Change, named: frozenset[str], interval: Interval) -> _Judged:
    path = row.old_path or ""
    place = interval.follow_file(path, row.old_oid) or interval.split_package(path)
    if place is not None:
        found = Finding(Verdict.RELOCATED, f"{path} is now {place}", path=path, new_path=place)
        return _Judged(row, found, substantive=False)
    verdict = Verdict.GONE if path in named else Verdict.TOUCHED
    said = submodule_words(row) or f"{path} was deleted"
    return _Judged(row, Finding(verdict, said, path=path, share=1.0))


def _differing(row: Change, path: str, new_path: str, interval: Interval) -> _Judged:
    kind = Difference.SAME if row.old_oid == row.new_oid else interval.content_difference(path, new_path)
    moved = new_path if new_path != path else None
    if kind in {Difference.SAME, Difference.COSMETIC}:
        verdict = Verdict.RELOCATED if moved else Verdict.COSMETIC
        how = interval.compared(path, new_path) if kind is Difference.COSMETIC else ""
        reason = f"{path} is now {moved}" if moved else cosmetic_words(how)
        found = Finding(verdict, reason, path=path, new_path=moved, compared=how or None)
        return _Judged(row, found, substantive=False)
    if kind is Difference.SOFT:
        reason = f"{path}: only type annotations or imports changed"
        return _Judged(row, Finding(Verdict.TOUCHED, reason, path=path, new_path=moved), substantive=False)
    share = interval.share(path, new_path)
    compared = interval.compared(path, new_path) or None
    found = Finding(
        Verdict.TOUCHED, f"{path} changed", path=path, new_path=moved, share=share, compared=compared
    )
    return _Judged(row, found)


# share of lines
def churned_share(change: ScopeChange, scope: ScopeAt, interval: Interval, *, additions: bool) -> float:
    """Part of the scope's old lines that are gone or replaced, 0 to 1.

    Args:
        change: The judged rows.
        scope: Both sides of the scope.
        interval: Baseline to judged tree.
        additions: Whether added lines count too (negative and universal claims, drift.md step 8).
    """
    if interval.then is None or not scope.old:
        return 0.0
    total = _total_lines(scope.old, interval.then)
    gone = 0.0
    for row in change.substantive:
        gone += _lines_gone(row, interval)
        if additions:
            gone += _lines_added(row, interval)
    return min(1.0, gone / max(1, total))


def _total_lines(paths: Sequence[str], view: TreeView) -> float:
    step = max(1, len(paths) // MEASURED_FILES)
    taken = paths[::step]
    view.preload(taken)
    return sum(_line_count(view.read(path)) for path in taken) * len(paths) / len(taken)


def _lines_gone(row: Change, interval: Interval) -> float:
    if interval.then is None or row.old_path is None:
        return 0.0
    lines = _line_count(interval.then.read(row.old_path))
    share = interval.share(row.old_path, row.new_path) if row.new_path else 1.0
    return lines * (share if share is not None else 1.0)


def _lines_added(row: Change, interval: Interval) -> float:
    if row.new_path is None:
        return 0.0
    new = _line_count(interval.now.read(row.new_path))
    old = _line_count(interval.then.read(row.old_path)) if interval.then is not None and row.old_path else 0
    return max(0, new - old)


def _line_count(data: bytes | None) -> int:
    return sum(1 for line in data.splitlines() if line.strip()) if data is not None else 0


# following globs
def moved_globs(scope: ScopeAt, interval: Interval) -> Iterable[tuple[str, str]]:
    """(glob as written, glob as it would be now) of those whose files moved together."""
    if interval.then is None or not interval.changes:
        return
    now = interval.now.paths()
    left = frozenset(path for path in scope.old if path not in now)
    for glob in scope.globs:
        new = _followed(glob, left, scope.old, interval)
        if new is not None:
            yield glob, new


def _followed(glob: str, left: frozenset[str], old: Sequence[str], interval: Interval) -> str | None:
    if is_literal(glob) and glob in left:
        return interval.follow_file(glob, _then_blob(glob, interval))
    prefix = static_prefix(glob)
    inside = [path for path in old if path.startswith(prefix + "/")] if prefix else []
    if len(left.intersection(inside)) < PREFIX_SHARE * max(1, len(inside)):
        return None
    files = [(path, _then_blob(path, interval)) for path in inside]
    destination = folder_destination(prefix, files, interval)
    return destination + glob[len(prefix) :] if destination is not None else None


def _then_blob(path: str, interval: Interval) -> str | None:
    return interval.then.paths().get(path) if interval.then is not None else None
