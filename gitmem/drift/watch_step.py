"""Judging a watched command of CI, hooks, containers: whether it still runs, where it runs now, what runs instead."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from gitmem.drift.content.reading import plain_value
from gitmem.drift.interval import Interval
from gitmem.drift.seen import Seen, finding, moved, told
from gitmem.drift.steps import Step, holding, places_of_step, step_name, steps_of
from gitmem.model.validation import Mark
from gitmem.model.verdict import Verdict
from gitmem.model.watch import Watch, WatchKind

ALIKE = 0.5


def judge_step(mark: Mark, step: Step, interval: Interval) -> Seen:
    """Judge a key mark whose name is the address of a step."""
    path, now = mark.watch.path or "", interval.now
    place = path if path in now.paths() else interval.follow_file(path, mark.blob)
    data = now.read(place) if place is not None else None
    steps = steps_of(place, data) if place is not None and data is not None else ()
    if place is not None and not steps and plain_value(place, data or b"") is None:
        return told(
            mark, Verdict.UNKNOWN, f"{step.line} could not be looked for in {place}: it does not parse"
        )
    if place is not None and (held := holding(steps, step.line)):
        return _standing(mark, step, place, held)
    return _elsewhere(mark, step, interval) or _instead(mark, step, place, steps, interval=interval)


def _standing(mark: Mark, step: Step, place: str, held: Sequence[Step]) -> Seen:
    same = next((one for one in held if one[:2] == step[:2]), None)
    target = Watch(WatchKind.KEY, path=place, name=step_name(same or held[0], step.line))
    if place != mark.watch.path:
        return moved(mark, target, f"{mark.watch.path} is now {place}")
    if same is None:
        return moved(mark, target, f"{step.line} runs in {_where(held[0])} now")
    return told(mark, Verdict.FRESH, f"{step.line} still runs there")


def _where(step: Step) -> str:
    return step.container or step.field


def _elsewhere(mark: Mark, step: Step, interval: Interval) -> Seen | None:
    """The file that runs it now and did not, or the one that did and goes on doing so."""
    path, then = mark.watch.path or "", interval.then
    places = [one for one in places_of_step(step.line, interval.now) if one != path]
    before = {one for one, _ in mark.sample} if then is None else set(places_of_step(step.line, then))
    new = [one for one in places if one not in before]
    if new:
        (first, *_) = holding(steps_of(new[0], interval.now.read(new[0]) or b""), step.line)
        target = Watch(WatchKind.KEY, path=new[0], name=step_name(first, step.line))
        return moved(mark, target, f"{step.line} runs in {new[0]} now")
    if places:
        return told(mark, Verdict.CHANGED, f"{path} no longer runs {step.line}; {places[0]} still does")
    return None


def _instead(mark: Mark, step: Step, place: str | None, steps: Sequence[Step], *, interval: Interval) -> Seen:
    path = mark.watch.path or ""
    if place is None:
        return told(mark, Verdict.GONE, f"{path} was deleted, and {step.line} with it")
    old = interval.then.read(path) if interval.then is not None else None
    known = {one.line for one in steps_of(path, old)} if old is not None else None
    # without the old tree nobody knows which of the lines there are new
    lines = [one.line for one in steps if known is not None and one[:2] == step[:2] and one.line not in known]
    close = get_close_matches(step.line, lines, 1, ALIKE)
    new_path = place if place != path else None
    if close:
        reason = f"{step.line} is now {close[0]}"
        return Seen((finding(mark, Verdict.CHANGED, reason, new_path=new_path),))
    return Seen((finding(mark, Verdict.GONE, f"{place} no longer runs {step.line}", new_path=new_path),))
