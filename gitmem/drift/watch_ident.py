"""Judging a watched identifier: whether code still has the name, in scope, manifest, repository, in this order."""

from __future__ import annotations

import re
from posixpath import basename

from gitmem.drift.area import area
from gitmem.drift.imported import importers
from gitmem.drift.interval import REPLACED, Interval
from gitmem.drift.manifests import is_manifest
from gitmem.drift.marks import code_places, declares
from gitmem.drift.places import is_test
from gitmem.drift.seen import Seen, finding, told
from gitmem.drift.sole_definition import defined_then, renamed, scattered_definitions_left, undefined
from gitmem.drift.watch_prohibited import judge_prohibited
from gitmem.model.validation import Mark
from gitmem.model.verdict import Verdict

NARROW = 5
"""A name in no more files than this leaves one by one."""


_VALUE = re.compile(r"[\w.-]+:\d[\w.-]*")
"""``localhost:8976``, ``golang:1.25``: no name that code may move away with, but what the scope sets."""


def judge_ident(mark: Mark, interval: Interval, scope: frozenset[str]) -> Seen:
    name = mark.watch.name or ""
    if mark.watch.is_prohibition:
        return judge_prohibited(mark, interval, scope)
    places = code_places(name, interval.now)
    scope = area(mark.watch, interval.now.paths(), scope)
    in_scope, declared, anywhere = (*mark.counts, 0, 0, 0)[:3]
    if not anywhere:
        return told(mark, Verdict.UNKNOWN, f"{name} was not found when it was validated")
    if not places:
        return renamed(mark, defined_then(mark, interval), interval) or told(
            mark, Verdict.GONE, f"{name} no longer occurs in code"
        )
    if declared and not _is_declared(mark, name, places, scope, interval):
        by = _importer(
            name, places, scope, interval
        )  # a distribution may be called otherwise than its module
        if by is not None:
            return told(mark, Verdict.FRESH, f"{name} is still imported in {by}")
        return told(mark, Verdict.GONE, f"{name} is no longer declared in {mark.sample[0][0]}")
    if declared or not in_scope:
        return told(mark, Verdict.FRESH, f"{name} still occurs")
    return _judge_definition(mark, places, interval) or _judge_in_scope(mark, name, places, scope, interval)


def _judge_definition(mark: Mark, places: tuple[str, ...], interval: Interval) -> Seen | None:
    """What is certain from the one definition of the name in scope, when it had one; None when it stands."""
    defined, inside = defined_then(mark, interval), dict(mark.sample[: mark.counts[0]])
    if defined is None or interval.now.paths().get(defined.path) == inside.get(defined.path):
        return None
    return undefined(mark, defined, places, interval) if defined.path in inside else None


def _is_declared(
    mark: Mark, name: str, places: tuple[str, ...], scope: frozenset[str], interval: Interval
) -> bool:
    """Whether a manifest still declares the name: one in scope when one in scope did, else any."""
    then = [path for path, _ in mark.sample[: mark.counts[1]]]
    asked = [path for path in then if path in scope] or [path for path in places if is_manifest(path)]
    return any(path in places and declares(name, path, interval.now) for path in asked)


def _importer(name: str, places: tuple[str, ...], scope: frozenset[str], interval: Interval) -> str | None:
    """A file of the scope, other than a manifest, that imports what is called so."""
    asked = [path for path in places if path in scope and not is_manifest(path)]
    return next((place.path for place in importers(name, interval.now, asked)), None)


def _judge_in_scope(
    mark: Mark, name: str, places: tuple[str, ...], scope: frozenset[str], interval: Interval
) -> Seen:
    inside = sum(place in scope for place in places)
    if inside and mark.counts[0] > NARROW and 1 - inside / mark.counts[0] > REPLACED:
        share = 1 - inside / mark.counts[0]
        reason = f"{name} occurs in {inside} files of the scope, and did in {mark.counts[0]}"
        return told(mark, Verdict.REWRITTEN, reason, share=share)
    if inside:
        return told(mark, Verdict.FRESH, f"{name} still occurs in scope")
    moved = [place for path, blob in mark.sample if (place := interval.follow_file(path, blob)) in places]
    if moved:
        return Seen(
            (
                finding(
                    mark, Verdict.RELOCATED, f"{name} moved with its file to {moved[0]}", new_path=moved[0]
                ),
            )
        )
    arrived, tested = (
        frozenset(interval.arrivals),
        any(is_test(path) for path, _ in mark.sample[: mark.counts[0]]),
    )
    came = [
        place
        for place in places
        if place in arrived and (tested or not is_test(place)) and not _had(place, name, interval)
    ]
    if came and scattered_definitions_left(mark, name, places, interval):
        reason = f"{name} is no longer defined in scope; what {places[0]} calls so is another"
        return told(mark, Verdict.GONE, reason)
    if interval.then is not None and came and _VALUE.fullmatch(name):
        return told(
            mark, Verdict.CHANGED, f"{name} no longer occurs in scope, which gave it; {came[0]} does now"
        )
    if interval.then is not None and came:
        return told(mark, Verdict.TOUCHED, f"{name} left the scope and now occurs in {came[0]}")
    alike = _same_file_name(mark, places) if interval.then is None else None
    if alike is not None:
        return told(
            mark, Verdict.TOUCHED, f"{name} left the scope; {alike} has it and may be where its file went"
        )
    return told(mark, Verdict.CHANGED, f"{name} no longer occurs in scope; {places[0]} still has it")


def _same_file_name(mark: Mark, places: tuple[str, ...]) -> str | None:
    """A place whose file is called as one that had the name; without the old tree nothing more can be known."""
    names = {basename(path) for path, _ in mark.sample}
    return next((place for place in places if basename(place) in names), None)


def _had(path: str, name: str, interval: Interval) -> bool:
    return interval.then is not None and name in interval.then.code_words(path)
