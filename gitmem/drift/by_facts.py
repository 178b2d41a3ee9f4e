"""Judging a watch that changed by what the statement says of it (see `gitmem.drift.verified`).

Only where the words merely assert: one that denies or limits ("only", "never", 만, 금지) is broken by what is added, too, so
that there the digest goes on deciding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from gitmem.drift.claims import counts_growth
from gitmem.drift.concrete import concrete_things
from gitmem.drift.content.language import language_of
from gitmem.drift.content.leaves import decode, with_blank_comments
from gitmem.drift.declared import called_scripts, scripts_of
from gitmem.drift.interval import Interval
from gitmem.drift.marks import symbol_at
from gitmem.drift.parameter_keys import parse_parameter
from gitmem.drift.said_outcomes import ends_as_told
from gitmem.drift.script_names import is_named, script_name
from gitmem.drift.seen import Seen
from gitmem.drift.stated import stated_part, stated_value
from gitmem.drift.steps import parse_step
from gitmem.drift.unparsed import is_unparsed
from gitmem.drift.verified import Verified, has_strangers, told, verified
from gitmem.drift.view import TreeView
from gitmem.drift.words import TokenKind, code_spans, code_tokens
from gitmem.model.validation import Mark
from gitmem.model.verdict import CHALLENGING, Finding, Verdict
from gitmem.model.watch import Watch

_TABLES = ("[", "{")


def judged_key(mark: Mark, seen: Seen, text: str, watched: Iterable[Watch], interval: Interval) -> Seen:
    """What became of a key, by the facts of the statement that its value had.

    Args:
        mark: The key.
        seen: What its digest tells.
        text: The statement.
        watched: All watches of the memory; a script hands on what it says to those that it calls.
        interval: Baseline to judged tree.
    """
    key, script = mark.watch.name or "", script_name(mark.watch)
    if script is not None and _only_moved(*_values(mark, seen, interval), interval):
        return _touched(seen, "only the paths in it moved")
    if stated_part(key) or parse_step(key) or parse_parameter(key) or counts_growth(text):
        return seen
    old, new = _values(mark, seen, interval)
    if old is None or (script is None and (new is None or old.startswith(_TABLES))):
        return seen
    if script is not None and not is_named(script, text):
        return _judged_called(mark, seen, text, old=old, new=new, watched=watched, interval=interval)
    if new is None or has_strangers(text, script or "", _text(mark, interval)):
        return seen
    found = verified(text, old, new, script or "")
    return _by(seen, found) if found.kept or found.lost else seen


_PATH = re.compile(r"(?<![\w.@-])[\w.@-]++(?:/[\w.@-]*+)++")


def _only_moved(old: str | None, new: str | None, interval: Interval) -> bool:
    """Whether two values differ only in paths, each of which is where most of what lay at the old one went."""
    if old is None or new is None or old == new or _PATH.sub("/", old) != _PATH.sub("/", new):
        return False
    pairs = zip(_PATH.findall(old), _PATH.findall(new), strict=True)
    return all(_went(*pair, interval) for pair in pairs if pair[0] != pair[1])


def _went(old: str, new: str, interval: Interval) -> bool:
    """Whether most of the files at an old path, gone there, came to lie at or below a new one."""
    if interval.then is None:
        return False
    source, target = old.strip("./"), new.strip("./")
    files = [path for path in interval.then.paths() if path == source or path.startswith(f"{source}/")]
    places = (
        interval.renamed_to(path) or interval.follow_file(path, interval.then.paths()[path])
        for path in files
        if path not in interval.now.paths()
    )
    there = sum(place is not None and (place == target or place.startswith(f"{target}/")) for place in places)
    return bool(files) and there >= _MOST_MOVED * len(files)


_MOST_MOVED = 0.6


def _judged_called(
    mark: Mark,
    seen: Seen,
    text: str,
    *,
    old: str,
    new: str | None,
    watched: Iterable[Watch],
    interval: Interval,
) -> Seen:
    """A script that the words do not name, watched since another calls it: it is there for the facts that it has alone."""
    beside = [one for one in watched if one.path == mark.watch.path and one != mark.watch]
    now = [_value(one, interval.now, one.path or "") or "" for one in beside]
    found = verified(text, old, "\n".join([new or "", *now]), script_name(mark.watch) or "")
    return _by(seen, found) if found.kept or found.lost else _touched(seen, "the words do not speak of it")


def _by(seen: Seen, found: Verified) -> Seen:
    if not found.lost:
        return _touched(seen, f"what the words say of it still stands: {told(found.kept)}")
    first, *others = seen.findings
    unsaid = [fact for fact in found.lost if fact not in first.reason]
    reason = f"{first.reason}; it no longer says {told(unsaid)}" if unsaid else first.reason
    return replace(seen, findings=(replace(first, reason=reason), *others))


def _touched(seen: Seen, why: str) -> Seen:
    return replace(seen, findings=tuple(_soft(found, why) for found in seen.findings))


def _soft(found: Finding, why: str) -> Finding:
    if found.verdict not in CHALLENGING:
        return found
    return replace(found, verdict=Verdict.TOUCHED, reason=f"{found.reason}; {why}")


def _values(mark: Mark, seen: Seen, interval: Interval) -> tuple[str | None, str | None]:
    """The value of a key on both sides, each with those of the scripts that it calls."""
    path = mark.watch.path or ""
    old = _value(mark.watch, interval.then, path) if interval.then is not None else None
    return old, _value(mark.watch, interval.now, seen.findings[0].new_path or path)


def _text(mark: Mark, interval: Interval) -> str:
    data = interval.then.read(mark.watch.path or "") if interval.then is not None else None
    return decode(data or b"")


def _value(watch: Watch, view: TreeView, path: str) -> str | None:
    data = view.read(path)
    value = stated_value(path, data, watch.name or "") if data is not None else None
    if data is None or value is None or script_name(watch) is None:
        return value
    scripts = scripts_of(path, data)
    called: Sequence[str] = called_scripts(value, scripts)
    return "\n".join([value, *(scripts[one].value for one in called)])


EDITED = 0.25
"""Part of a function from which it is another, whatever names it still has."""


def judged_use(mark: Mark, seen: Seen, text: str, interval: Interval) -> Seen:
    """What became of a function that the statement does not name: it is watched since it uses names of the statement.

    While the lines that have them, or the code and the numbers of the statement, stand as they did, and most of the
    function does, what the words rest on is there.
    """
    name, path = mark.watch.name or "", mark.watch.path or ""
    bare, share = name.rpartition(".")[2], seen.findings[0].share
    if seen.verdict is not Verdict.CHANGED or share is None or share >= EDITED or interval.then is None:
        return seen
    sides = _body(name, path, interval.then), _body(name, seen.findings[0].new_path or path, interval.now)
    if "body changed" in seen.findings[0].reason and (line := ends_as_told(text, bare, *sides)) is not None:
        return _touched(seen, f"`{line}` stands")
    if re.search(rf"(?<![\w$]){re.escape(bare)}(?![\w$])", text) or counts_growth(text):
        return seen
    old, new = sides
    said = dict.fromkeys(one for one in _said(text) if _has(old, one))
    kept = {" ".join(line.split()) for line in new.split("\n")}
    lines = [" ".join(line.split()) for line in old.split("\n") if any(_has(line, one) for one in said)]
    if not lines or not kept.issuperset(lines):
        return seen
    return _touched(seen, f"the lines with {told(said)} stand")


def _said(text: str) -> Iterator[str]:
    """Names, code spans and numbers of a statement, as code would have them."""
    yield from (token.last for token in code_tokens(text) if token.kind in _NAMES)
    spans = (text[first + width : last - width].strip() for first, last, width in code_spans(text))
    yield from (span for span in spans if len(span) > _SHORTEST)
    yield from (number.group() for number in re.finditer(r"(?<![\w.-])\d+(?:\.\d+)*(?![\w-])", text))


_SHORTEST = 3


def judged_file(mark: Mark, seen: Seen, text: str, interval: Interval) -> Seen:
    """What became of a file that is watched whole for want of something narrower, by the lines that have what is said."""
    if is_unparsed(mark.watch.path or ""):  # it stands for the definition that no parser here finds in it
        return seen
    path, share = mark.watch.path or "", seen.findings[0].share
    if seen.verdict is not Verdict.CHANGED or share is None or share >= EDITED or interval.then is None:
        return seen
    if counts_growth(text):
        return seen
    old = with_blank_comments(language_of(path), decode(interval.then.read(path) or b""))
    place = seen.findings[0].new_path or path
    new = with_blank_comments(language_of(place), decode(interval.now.read(place) or b""))
    said = dict.fromkeys(one for one in _strong(text) if _has(old, one))
    if has_strangers(text, "", old):
        return seen
    kept = {" ".join(line.split()) for line in new.split("\n")}
    lines = [" ".join(line.split()) for line in old.split("\n") if any(_has(line, one) for one in said)]
    if not lines or not kept.issuperset(lines):
        return seen
    return _touched(seen, f"the lines with {told(said)} stand")


def _strong(text: str) -> Iterator[str]:
    yield from (one for one in _said(text) if len(one) > 3 or not one.isalnum())
    yield from (match[1] for match in re.finditer(r"\*\*([A-Za-z][\w.-]+)\*\*", text))
    yield from (one.name for one in concrete_things(text) if len(one.name) > 3)


_NAMES = frozenset({TokenKind.IDENTIFIER, TokenKind.DOTTED, TokenKind.WORD, TokenKind.PATH_SYMBOL})


def _body(name: str, path: str, view: TreeView) -> str:
    symbol = symbol_at(view.outline(path), name)
    lines = decode(view.read(path) or b"").split("\n")
    return (
        with_blank_comments(language_of(path), "\n".join(lines[symbol.start - 1 : symbol.end]))
        if symbol
        else ""
    )


def _has(body: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", body) is not None
