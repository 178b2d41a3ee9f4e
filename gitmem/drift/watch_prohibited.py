"""Judging a prohibition: kept by absence, broken by a file that uses or imports the name and did not before.

What was there already at the baseline may stay and must not spread. A name in a string, comment or docstring is no use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gitmem.drift.area import area
from gitmem.drift.imported import Place, occurrences
from gitmem.drift.interval import REPLACED, Interval
from gitmem.drift.seen import Seen, finding, told
from gitmem.drift.view import TreeView
from gitmem.drift.watch_path import folder_destination
from gitmem.model.validation import Mark
from gitmem.model.verdict import CHALLENGING, Verdict
from gitmem.model.watch import Watch, WatchKind

SEVERAL = 4
"""Importers of which most must leave before those that stay mean nothing."""


def judge_prohibited(mark: Mark, interval: Interval, scope: frozenset[str]) -> Seen:
    return _elsewhere(mark, interval, scope) or _judge_here(mark, interval, scope)


def judge_import(mark: Mark, interval: Interval, scope: frozenset[str]) -> Seen:
    """Judge an import that the memory says is there, or prohibits."""
    if mark.watch.is_prohibition:
        return judge_prohibited(mark, interval, scope)
    name, (in_area, _, anywhere) = mark.watch.name or "", (*mark.counts, 0, 0, 0)[:3]
    if not anywhere:
        return told(mark, Verdict.UNKNOWN, f"{name} was not imported when it was validated")
    places = occurrences(mark.watch, interval.now)
    inside = area(mark.watch, interval.now.paths(), scope)
    if not places:
        return told(mark, Verdict.GONE, f"{name} is no longer imported")
    here = sum(place.path in inside for place in places)
    if in_area and not here:
        return told(mark, Verdict.CHANGED, f"{name} is no longer imported here; {places[0].path} still does")
    if in_area >= SEVERAL and 1 - here / in_area > REPLACED:
        reason = f"{name} is imported by {here} of the files here, and was by {in_area}"
        return told(mark, Verdict.REWRITTEN, reason)
    return told(mark, Verdict.FRESH, f"{name} is still imported")


def _judge_here(mark: Mark, interval: Interval, scope: frozenset[str]) -> Seen:
    inside = area(mark.watch, interval.now.paths(), scope)
    places = occurrences(mark.watch, interval.now, inside)
    in_area, _, anywhere = (*mark.counts, 0, 0, 0)[:3]
    name = mark.watch.name or ""
    if len(places) > in_area:
        offender = _offender(mark, places, interval)
        reason = f"{name} is prohibited here, and {_broken_by(mark.watch, offender)}"
        return Seen((replace(finding(mark, Verdict.CHANGED, reason), path=offender.path),))
    if anywhere and not occurrences(mark.watch, interval.now):
        return told(
            mark, Verdict.TOUCHED, f"{name} is gone from the whole repository: the rule may be obsolete"
        )
    return told(mark, Verdict.FRESH, f"the prohibition of {name} is kept")


def _broken_by(watch: Watch, offender: Place) -> str:
    if watch.kind is WatchKind.IDENT:
        return f"now occurs in {offender}"
    return f"{offender} imports it" if offender.line else f"{offender} declares it"


def _elsewhere(mark: Mark, interval: Interval, scope: frozenset[str]) -> Seen | None:
    """What is to be said when a folder or file that the watch names is not there any more; None when all are."""
    watch, now = mark.watch, interval.now
    name = watch.name or ""
    if watch.kind is WatchKind.IMPORT and name.endswith("/") and not now.is_folder(name[:-1]):
        place = _destination(name, mark, interval)
        if place is None:
            return told(mark, Verdict.TOUCHED, f"{name} is no longer there: the rule may be obsolete")
        return _moved(mark, replace(watch, name=place), f"{name} is now {place}", interval, scope)
    lost = next((one for one in (*watch.inside, *watch.outside) if not _stands(one, now)), None)
    if lost is None:
        return None
    if interval.then is not None and not _stands(lost, interval.then):
        return told(mark, Verdict.UNKNOWN, f"{lost} did not exist when it was validated")
    place = _destination(lost, mark, interval)
    if place is None:
        return told(mark, Verdict.GONE, f"{lost} no longer exists")
    inside, outside = (
        tuple(place if one == lost else one for one in places) for places in (watch.inside, watch.outside)
    )
    target = replace(watch, inside=inside, outside=outside)
    return _moved(mark, target, f"{lost} is now {place}", interval, scope)


def _stands(place: str, view: TreeView) -> bool:
    plain = place.rstrip("/")
    return any(sign in plain for sign in "*?[{") or plain in view.paths() or view.is_folder(plain)


def _destination(place: str, mark: Mark, interval: Interval) -> str | None:
    """Where a file or folder went, a folder with its trailing slash; None when it is nowhere or cannot be told."""
    plain = place.rstrip("/")
    then = interval.then.paths() if interval.then is not None else {}
    held = [(path, oid) for path, oid in then.items() if path.startswith(f"{plain}/")]
    if held:
        folder = folder_destination(plain, held, interval)
        return f"{folder}/" if folder is not None else None
    return interval.follow_file(plain, then.get(plain) or mark.blob)


def _moved(mark: Mark, target: Watch, said: str, interval: Interval, scope: frozenset[str]) -> Seen:
    """Moved, unless it is broken where it is now."""
    again = judge_prohibited(replace(mark, watch=target), interval, scope)
    found = finding(mark, Verdict.RELOCATED, said)
    return again if again.verdict in CHALLENGING else Seen((found,), moved=target)


def _offender(mark: Mark, places: Sequence[Place], interval: Interval) -> Place:
    """The first file that has a prohibited name and did not at the baseline, where that can be told."""
    if interval.then is None:
        known = {path for path, _ in mark.sample}
        return next((place for place in places if place.path not in known), places[0])
    before = {row.new_path: row.old_path for row in interval.changes if row.new_path and row.old_path}
    old = {before.get(place.path, place.path) for place in places}
    had = {place.path for place in occurrences(mark.watch, interval.then, old)}
    return next((one for one in places if before.get(one.path, one.path) not in had), places[0])
