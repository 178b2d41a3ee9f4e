"""Judging a watched key and watched lines: the value, the quoted text wherever it moved."""

from __future__ import annotations

from dataclasses import replace

from gitmem.drift.content.language import language_of
from gitmem.drift.content.leaves import with_blank_comments
from gitmem.drift.interval import REPLACED, SUBSTANTIAL_LINES, Interval
from gitmem.drift.marks import digest, find_quote, fold_space
from gitmem.drift.parameter_keys import parse_parameter
from gitmem.drift.seen import Seen, finding, moved, told
from gitmem.drift.stated import stated_part, stated_value, states
from gitmem.drift.steps import parse_step
from gitmem.drift.toolchains import is_written, places_of, toolchains_of
from gitmem.drift.watch_parameter import judge_parameter
from gitmem.drift.watch_step import judge_step
from gitmem.model.validation import Mark
from gitmem.model.verdict import Verdict
from gitmem.model.watch import Watch, WatchKind

SEARCHED = 200
"""Changed files in which quoted lines are looked for at most."""


def judge_key(mark: Mark, interval: Interval) -> Seen:
    path, key = mark.watch.path or "", mark.watch.name or ""
    if mark.sig is None:
        return told(mark, Verdict.UNKNOWN, f"{key} was not found when it was validated")
    if interval.now.paths().get(path) == mark.blob:
        return told(mark, Verdict.FRESH, "unchanged")
    step, parameter = parse_step(key), parse_parameter(key)
    if parameter is not None:
        return judge_parameter(mark, parameter, interval)
    return judge_step(mark, step, interval) if step is not None else _judge_value(mark, path, key, interval)


def _judge_value(mark: Mark, path: str, key: str, interval: Interval) -> Seen:
    place = path if path in interval.now.paths() else interval.follow_file(path, mark.blob)
    data = interval.now.read(place) if place is not None else None
    value = stated_value(place, data, key) if place is not None and data is not None else None
    if value is None and (other := _stated_elsewhere(mark, path, key, interval)) is not None:
        return other
    if place is None or data is None:
        return told(mark, Verdict.GONE, f"{key} is gone with {path}, which was deleted")
    if value is None:
        outline = interval.now.outline(place)
        if outline is not None and outline.level != "value" and not _is_written(place, key):
            reason = outline.note or "no parser reads it"
            return told(mark, Verdict.UNKNOWN, f"{key} could not be looked for: {reason}")
        return told(mark, Verdict.GONE, f"{key} no longer exists in {place}")
    if digest(value) != mark.sig:
        return told(mark, Verdict.CHANGED, _values(mark, value, interval))
    if place != path:
        return moved(mark, Watch(WatchKind.KEY, path=place, name=key), f"{path} is now {place}")
    return told(mark, Verdict.FRESH, f"{key} has the same value")


def _is_written(path: str, key: str) -> bool:
    """Whether a key is one of a file that has none, of which the line is known that would state it."""
    return is_written(path, key.removesuffix(f"@{stated_part(key)}"))


def _stated_elsewhere(mark: Mark, path: str, key: str, interval: Interval) -> Seen | None:
    """A toolchain's version that another setting of the same folders states now: the manifest was written anew."""
    version = stated_part(key)
    plain = key.removesuffix(f"@{version}") if version else key
    places = [
        place
        for toolchain in toolchains_of(path, plain)
        for place in places_of(toolchain, interval.now, [path])
        if digest(place.value) == mark.sig or version
    ]
    for place in places:
        if not version or states(place.value, version):
            name = f"{place.key}@{version}" if version else place.key
            return moved(
                mark,
                Watch(WatchKind.KEY, path=place.path, name=name),
                f"{key} is {place.key} in {place.path} now",
            )
    if not places:
        return None
    return told(
        mark, Verdict.CHANGED, f"{key} is now {places[0].value} in {places[0].path} ({places[0].key})"
    )


def _values(mark: Mark, value: str, interval: Interval) -> str:
    """What the value was and is; from where the two part when they are long."""
    path, key = mark.watch.path or "", mark.watch.name or ""
    data = interval.then.read(path) if interval.then is not None else None
    old = stated_value(path, data, key) if data is not None else None
    if old is None:
        return f"{key} now is {_shortened(value)}"
    common = next((at for at, (one, other) in enumerate(zip(old, value, strict=False)) if one != other), 0)
    start = max(0, common - _LEAD) if max(len(old), len(value)) > _SHOWN else 0
    dots = "…" if start else ""
    return f"{key} was {dots}{_shortened(old[start:])}, now is {dots}{_shortened(value[start:])}"


_SHOWN, _LEAD = 60, 20


def _shortened(value: str, most: int = _SHOWN) -> str:
    return value if len(value) <= most else value[: most - 1] + "…"


def judge_lines(mark: Mark, interval: Interval) -> Seen:
    path = mark.watch.path or ""
    if mark.sig is None:
        return told(mark, Verdict.UNKNOWN, "the quoted lines were not found when they were validated")
    if interval.now.paths().get(path) == mark.blob:
        return told(mark, Verdict.FRESH, "unchanged")
    place = path if path in interval.now.paths() else interval.follow_file(path, mark.blob)
    quoted = _quoted(mark, interval)
    span = find_quote(_lines(interval.now.read(place)), quoted) if place and quoted is not None else None
    if span is None and quoted is not None:
        place, span = _elsewhere(quoted, path, interval) or (place, None)
    if place is None:
        return told(mark, Verdict.GONE, f"{path} was deleted")
    if span is None:
        return _changed_lines(mark, place, quoted, interval)
    target = Watch(WatchKind.LINES, path=place, lines=span, quote=mark.watch.quote)
    if place != path:
        return moved(mark, target, f"the quoted lines moved to {place}:{span[0]}-{span[1]}")
    found = finding(mark, Verdict.FRESH, "the quoted lines are unchanged")
    return Seen((replace(found, moved=str(target)),), moved=target if span != mark.at else None)


def _elsewhere(quoted: str, path: str, interval: Interval) -> tuple[str, tuple[int, int]] | None:
    """The one other file to which the quoted lines came; a line or two are too common to be recognised."""
    if interval.then is None or sum(bool(line.strip()) for line in quoted.splitlines()) < SUBSTANTIAL_LINES:
        return None
    places = [one for one in interval.arrivals if one != path][:SEARCHED]
    interval.now.preload(places)
    found = [
        (one, span)
        for one in places
        if (span := find_quote(_lines(interval.now.read(one)), quoted)) is not None
        and find_quote(_lines(interval.then.read(one)), quoted) is None
    ]
    return found[0] if len(found) == 1 else None


def _changed_lines(mark: Mark, place: str, quoted: str | None, interval: Interval) -> Seen:
    if quoted is None:
        return told(mark, Verdict.UNKNOWN, "the quoted lines are not in this clone and the file changed")
    if _code_stands(mark.watch.path or "", place, quoted, interval):
        return told(mark, Verdict.COSMETIC, f"only comments of the quoted lines changed in {place}")
    have = {fold_space(line) for line in _lines(interval.now.read(place))}
    wanted = [folded for line in quoted.splitlines() if (folded := fold_space(line))]
    share = sum(line not in have for line in wanted) / max(1, len(wanted))
    if share >= 1:
        return told(mark, Verdict.GONE, f"the quoted lines are no longer in {place}", share=share)
    verdict = Verdict.REWRITTEN if share > REPLACED else Verdict.CHANGED
    return told(mark, verdict, f"the quoted lines changed in {place}", share=share)


def _code_stands(path: str, place: str, quoted: str, interval: Interval) -> bool:
    """Whether the quoted lines stand there but for comments; a quote of comments alone has no code."""
    code, now = _uncommented(path, quoted), _uncommented(place, "\n".join(_lines(interval.now.read(place))))
    return bool(code.strip()) and find_quote(now.split("\n"), code) is not None


def _uncommented(path: str, text: str) -> str:
    return with_blank_comments(language_of(path), text)


def _quoted(mark: Mark, interval: Interval) -> str | None:
    if mark.watch.quote is not None:
        return mark.watch.quote.exact
    if interval.then is None or mark.at is None:
        return None
    lines = _lines(interval.then.read(mark.watch.path or ""))
    return "\n".join(lines[mark.at[0] - 1 : mark.at[1]]) or None


def _lines(data: bytes | None) -> list[str]:
    return data.decode("utf-8", "replace").splitlines() if data is not None else []
