"""Judging a watched parameter: whether its callable still takes it, wherever the callable stands now."""

from __future__ import annotations

from dataclasses import replace

from gitmem.drift.interval import Interval
from gitmem.drift.parameter_keys import Parameter, taken
from gitmem.drift.seen import Seen, moved, told
from gitmem.model.validation import Mark
from gitmem.model.verdict import Verdict

SEARCHED = 20


def judge_parameter(mark: Mark, parameter: Parameter, interval: Interval) -> Seen:
    """Judge a key mark whose name is the address of a parameter."""
    path, now = mark.watch.path or "", interval.now
    place = path if path in now.paths() else interval.follow_file(path, mark.blob)
    takes = _taken(place, parameter, interval) if place is not None else None
    if place is None or takes is None:
        place = _elsewhere(path, parameter, interval)
        takes = _taken(place, parameter, interval) if place is not None else None
    if place is None or takes is None:
        # whether the callable itself is gone or renamed is told by the watch of its name
        return told(mark, Verdict.TOUCHED, f"{parameter.callable} is no longer defined in {path}")
    if parameter.name not in takes:
        return told(mark, Verdict.GONE, f"{parameter.callable} no longer takes {parameter.name}")
    if place != path:
        return moved(mark, replace(mark.watch, path=place), f"{parameter.callable} moved to {place}")
    return told(mark, Verdict.FRESH, f"{parameter.callable} still takes {parameter.name}")


def _taken(place: str, parameter: Parameter, interval: Interval) -> frozenset[str] | None:
    data = interval.now.read(place)
    return taken(place, data, parameter.callable, interval.now.outline(place)) if data is not None else None


def _elsewhere(path: str, parameter: Parameter, interval: Interval) -> str | None:
    """The one file that came and defines the callable."""
    arrived = set(interval.arrivals)
    named = interval.now.files_with([parameter.callable.rpartition(".")[2]])
    places = [one for found in named.values() for one in found if one in arrived and one != path]
    defining = [one for one in places[:SEARCHED] if _taken(one, parameter, interval) is not None]
    return defining[0] if len(defining) == 1 else None
