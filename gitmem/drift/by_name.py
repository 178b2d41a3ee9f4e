"""Judging what a statement rests on by name alone: a changed body is then no news (see `gitmem.drift.leaning`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from posixpath import splitext

from gitmem.drift.by_facts import judged_file, judged_key, judged_use
from gitmem.drift.content.leaves import decode
from gitmem.drift.content.outline import Outline, Symbol
from gitmem.drift.content.parameters import takes_same_calls
from gitmem.drift.interval import REPLACED, VALUES, Interval
from gitmem.drift.leaning import leans_on_command, leans_on_name
from gitmem.drift.marks import symbol_at
from gitmem.drift.script_names import script_name
from gitmem.drift.seen import Seen, percent
from gitmem.drift.words import code_spans
from gitmem.model.memory import Claim, Memory
from gitmem.model.validation import Mark
from gitmem.model.verdict import CHALLENGING, Finding, Verdict
from gitmem.model.watch import Watch, WatchKind

_BY_CONTENT = frozenset({Verdict.CHANGED, Verdict.REWRITTEN})
_OPEN = re.compile(r"^\s*(?:export\b|pub\b(?!\s*\()|public\b|open\b)")

Judged = tuple[Mark, Seen]


def softened(memory: Memory, seen: Sequence[Judged], interval: Interval) -> list[Judged]:
    """What became of each watch, less what the statement does not claim.

    For derived watches: one that an author wrote rests on content, as do all where the memory says ``claim: content``. A definition or script that the words only name is touched where its content changed; gone, deprecated,
    no longer exported or of another signature it stays challenged. A whole file beside its own path is relocated with it.
    """
    if memory.claim is Claim.CONTENT:
        return list(seen)
    went = {
        mark.watch.path: one.moved
        for mark, one in seen
        if mark.watch.kind is WatchKind.PATH and one.moved is not None
    }
    watched = [mark.watch for mark, _ in seen]
    return [
        (mark, _softened(mark, one, memory.text, went=went, watched=watched, interval=interval))
        for mark, one in seen
    ]


def _softened(
    mark: Mark,
    seen: Seen,
    text: str,
    *,
    went: dict[str | None, Watch],
    watched: Sequence[Watch],
    interval: Interval,
) -> Seen:
    if seen.verdict not in CHALLENGING:
        return seen
    match mark.watch.kind:
        case WatchKind.FILE:
            return judged_file(mark, _with_its_path(mark, seen, went), text, interval)
        case WatchKind.SYMBOL if seen.verdict in _BY_CONTENT and leans_on_name(text, mark.watch.name or ""):
            return seen if _is_other_thing(mark, seen, text, interval) else _named_only(seen)
        case WatchKind.SYMBOL:
            return judged_use(mark, seen, text, interval)
        case WatchKind.KEY:
            name = script_name(mark.watch)
            named = name is not None and seen.verdict in _BY_CONTENT and leans_on_command(text, name)
            return _named_only(seen) if named else judged_key(mark, seen, text, watched, interval)
        case _:
            return seen


def _with_its_path(mark: Mark, seen: Seen, went: dict[str | None, Watch]) -> Seen:
    """The words name the path and the path was found again; what changed on the way is told, not held against it.

    A file that was written anew in another language is more than moved.
    """
    target = went.get(mark.watch.path)
    if target is None or not target.path or not _is_same_kind(mark.watch.path or "", target.path):
        return seen
    place, share = target.path, seen.findings[0].share
    how = (
        f", {percent(share).strip()} of it changed" if percent(share) and seen.verdict in _BY_CONTENT else ""
    )
    now = Watch(WatchKind.PATH if place.endswith("/") else WatchKind.FILE, path=place)
    found = replace(
        seen.findings[0],
        verdict=Verdict.RELOCATED,
        reason=f"{mark.watch.path} is now {place}{how}",
        new_path=place,
        moved=str(now),
    )
    return Seen((found,), moved=now)


def _is_same_kind(old: str, new: str) -> bool:
    return new.endswith("/") or splitext(old)[1] == splitext(new)[1]


def _named_only(seen: Seen) -> Seen:
    return replace(seen, findings=tuple(_touched(found) for found in seen.findings))


def _touched(found: Finding) -> Finding:
    if found.verdict not in CHALLENGING:
        return found
    return replace(found, verdict=Verdict.TOUCHED, reason=f"{found.reason}; the words only name it")


def _is_other_thing(mark: Mark, seen: Seen, text: str, interval: Interval) -> bool:
    """Whether more than the body changed: a deprecation, the signature, the export, a member that the words name; as far as
    both sides can be read.
    """
    path, name = mark.watch.path or "", mark.watch.name or ""
    place = seen.findings[0].new_path or path
    if place != path and (seen.findings[0].share or 0) > REPLACED:
        return True
    there = seen.moved.name if seen.moved is not None and seen.moved.name else name
    now = symbol_at(interval.now.outline(place), there)
    if now is None or interval.then is None:
        return now is None or now.deprecated
    old = symbol_at(interval.then.outline(path), name)
    if old is None or (now.deprecated and not old.deprecated) or old.kind != now.kind:
        return True
    if _is_open(interval.then.read(path), path, old) and not _is_open(interval.now.read(place), place, now):
        return True
    if _lost_members(text, name, interval.then.outline(path), interval.now.outline(place)):
        return True
    if now.kind in VALUES or old.signature == now.signature:
        return False
    heads = _source(interval.then.read(path), old), _source(interval.now.read(place), now)
    bare = name.rpartition(".")[2]
    # ``create(...)`` leaves open what is given
    left_open = re.search(rf"(?<![\w$]){re.escape(bare)}\((?:\.\.\.|…)\)", text) is not None
    return not takes_same_calls(*heads, bare, plain=left_open)


def _lost_members(text: str, name: str, then: Outline | None, now: Outline | None) -> bool:
    """Whether a member that a code span names left the definition."""
    left = {one.name for one in now.symbols} if now is not None else set()
    gone = {
        one.name.rpartition(".")[2]
        for one in (then.symbols if then is not None else ())
        if one.name.startswith(f"{name}.") and one.name not in left
    }
    spans = (text[first + width : last - width].strip() for first, last, width in code_spans(text))
    return any(span.partition("(")[0].rpartition(".")[2] in gone for span in spans)


def _source(data: bytes | None, symbol: Symbol) -> str:
    return "\n".join(decode(data or b"").split("\n")[symbol.start - 1 : symbol.end])


def _is_open(data: bytes | None, path: str, symbol: Symbol) -> bool:
    """Whether a definition says on its own line that others may use it."""
    lines = (data or b"").decode("utf-8", "replace").splitlines()[symbol.start - 1 : symbol.end]
    bare = symbol.name.rpartition(".")[2]
    own = next((line for line in lines if bare in line), "")
    return _OPEN.match(own) is not None and not path.endswith(".py")
