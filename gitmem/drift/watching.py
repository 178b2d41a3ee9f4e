"""Judging one watch: what it held at the baseline against what the judged tree holds (drift.md, "The steps" 3 to 8).

Each judge gets the mark of the baseline and the interval, and gives findings; the first decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from gitmem.drift.absence import absence
from gitmem.drift.interval import Interval
from gitmem.drift.seen import Seen, submodule_words
from gitmem.drift.watch_ident import judge_ident
from gitmem.drift.watch_path import judge_file, judge_path
from gitmem.drift.watch_prohibited import judge_import
from gitmem.drift.watch_symbol import judge_symbol
from gitmem.drift.watch_value import judge_key, judge_lines
from gitmem.model.validation import Mark, is_resolved
from gitmem.model.verdict import CHALLENGING, Finding, Verdict
from gitmem.model.watch import NAMED, Watch, WatchKind


def judge_mark(mark: Mark, interval: Interval, scope: Iterable[str]) -> Seen:
    """Judge one mark.

    Args:
        mark: What the watch held at the baseline.
        interval: Baseline to judged tree.
        scope: Files of the judged tree that the memory's scope matches.
    """
    matched = tuple(scope)
    if mark.watch.kind in NAMED:
        judge = judge_import if mark.watch.kind is WatchKind.IMPORT else judge_ident
        seen = judge(mark, interval, frozenset(matched))
    else:
        seen = _JUDGES[mark.watch.kind](mark, interval)
    if seen.verdict is Verdict.UNKNOWN and not is_resolved(mark):
        return _never_held(seen, mark, interval, matched)
    return _with_how(seen, interval) if mark.watch.kind in _COMPARED else seen


def _never_held(seen: Seen, mark: Mark, interval: Interval, scope: tuple[str, ...]) -> Seen:
    """The same of a watch that found nothing when it was validated, with what it still does not find."""
    if "could not be looked for" in seen.findings[0].reason:
        return seen
    words = (
        absence(mark.watch, interval.now, scope)
        or f"{seen.findings[0].reason}; it is there now: confirm it again"
    )
    return replace(seen, findings=(replace(seen.findings[0], reason=words), *seen.findings[1:]))


_COMPARED = frozenset({WatchKind.SYMBOL, WatchKind.FILE, WatchKind.VERIFIER})
_DIFFERING = frozenset({Verdict.COSMETIC, Verdict.TOUCHED, Verdict.CHANGED, Verdict.REWRITTEN})


def _with_how(seen: Seen, interval: Interval) -> Seen:
    """The findings that hang on a coarse comparison say so."""
    if seen.verdict not in _DIFFERING or interval.then is None:
        return seen
    return replace(seen, findings=tuple(_compared(found, interval) for found in seen.findings))


def _compared(found: Finding, interval: Interval) -> Finding:
    old, new = found.path or "", found.new_path or found.path or ""
    then = interval.then.paths() if interval.then is not None else {}
    row = interval.by_old_path.get(old)
    if found.verdict not in _DIFFERING or old not in then or new not in interval.now.paths():
        return found
    if row is not None and submodule_words(row) is not None:
        return found
    return replace(found, compared=interval.compared(old, new) or None)


def _judge_verifier(mark: Mark, interval: Interval) -> Seen:
    path, sep, name = (mark.watch.path or "").partition("#")
    kind = WatchKind.SYMBOL if sep else WatchKind.FILE
    inner = replace(mark, watch=Watch(kind, path=path, name=name or None))
    seen = judge_mark(inner, interval, ())
    first = seen.findings[0]
    reason = first.reason
    if first.verdict in CHALLENGING:
        reason = f"the check that proved this changed: {first.reason}"
    target = replace(mark.watch, path=seen.moved.target) if seen.moved is not None else None
    told = replace(
        first, reason=reason, watch=str(mark.watch), moved=str(target) if target is not None else None
    )
    return Seen((told, *seen.findings[1:]), target)


_JUDGES: dict[WatchKind, Callable[[Mark, Interval], Seen]] = {
    WatchKind.SYMBOL: judge_symbol,
    WatchKind.KEY: judge_key,
    WatchKind.LINES: judge_lines,
    WatchKind.PATH: judge_path,
    WatchKind.FILE: judge_file,
    WatchKind.VERIFIER: _judge_verifier,
}
