"""Damaged objects: what a memory rests on is there and cannot be read, so that nothing can be said of it."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.drift.grading import Grade, rests_on_content
from gitmem.drift.interval import Interval
from gitmem.drift.view import TreeView
from gitmem.model.validation import Mark
from gitmem.model.verdict import CHALLENGING, Verdict
from gitmem.model.watch import NAMED
from gitmem.usecases.contents import Contents

CURE = "git fsck --full tells more"


def unreadable(
    found: Grade, marks: Sequence[Mark], interval: Interval, contents: Contents, *, stored: bool
) -> str | None:
    """Why a memory could not be checked; None when no damaged object bears on its verdict.

    Args:
        found: The verdict, made as if damaged files had no content.
        marks: What the memory rests on.
        interval: Baseline to judged tree.
        contents: Knows what was met that is damaged.
        stored: Whether the marks were stored at validation, so that a damaged file of the baseline is not needed.
    """
    if not contents.met:
        return None
    anything = _hangs_on_a_search(found) or not any(map(rests_on_content, marks))
    watched = {(mark.watch.path or "").partition("#")[0] for mark in marks}
    past = not stored or found.verdict is Verdict.UNKNOWN
    views = [interval.now, interval.then] if past and interval.then is not None else [interval.now]
    hurt = [(path, oid) for path, oid in _places(views, contents) if anything or path in watched]
    if not hurt:
        return None
    path, oid = min(hurt)
    more = f" and {len(hurt) - 1} more" if len(hurt) > 1 else ""
    return f"{path} cannot be read: damaged object {oid}{more}; {CURE}"


def _hangs_on_a_search(found: Grade) -> bool:
    """Whether something was not found, so that it may lie in any file."""
    return found.verdict in {Verdict.GONE, Verdict.UNKNOWN} or any(
        one.verdict in CHALLENGING and (one.watch or "").startswith(tuple(f"{kind} " for kind in NAMED))
        for one in found.findings
    )


def _places(views: Sequence[TreeView], contents: Contents) -> set[tuple[str, str]]:
    return {(path, oid) for view in views for path, oid in view.paths().items() if oid in contents.met}
