"""Judging a watched definition: content, signature, where it went, and what it uses."""

from __future__ import annotations

from dataclasses import replace

from gitmem.drift.content.difference import Difference, comparable, of_symbols, worst_of
from gitmem.drift.content.one_value import line_of, value_in
from gitmem.drift.content.outline import Outline, Symbol
from gitmem.drift.content.parts import changed_members, changed_parts
from gitmem.drift.content.reading import line_share
from gitmem.drift.inherited import inherited
from gitmem.drift.interval import REPLACED, HeldSymbol, Interval
from gitmem.drift.marks import symbol_at
from gitmem.drift.renamed_uses import renamed_uses
from gitmem.drift.renames import alike, find_definition, renamed_part
from gitmem.drift.seen import Seen, finding, moved, percent, told
from gitmem.model.validation import Mark
from gitmem.model.verdict import Finding, Verdict
from gitmem.model.watch import Watch, WatchKind


def judge_symbol(mark: Mark, interval: Interval) -> Seen:
    path, name = mark.watch.path or "", mark.watch.name or ""
    if mark.sig is None:
        return _never_found(mark, interval)
    if interval.now.paths().get(path) == mark.blob:
        return _with_soft(told(mark, Verdict.FRESH, "unchanged"), mark, interval)
    outline = interval.now.outline(path)
    symbol = symbol_at(outline, name)
    if symbol is None:
        unparsed = _unparsed(mark, outline, interval)
        if unparsed is not None and unparsed.verdict is not Verdict.UNKNOWN:
            return unparsed
        absent = _absent_symbol(mark, interval)
        return absent if unparsed is None or absent.moved is not None else unparsed
    if not comparable(mark.sig, symbol.digest):
        return _coarsely(mark, symbol, interval)
    return _with_soft(_standing_symbol(mark, symbol, interval), mark, interval)


def _never_found(mark: Mark, interval: Interval) -> Seen:
    """A definition that the validation holds nothing of: it was not there, or no parser could look for it."""
    path, name = mark.watch.path or "", mark.watch.name or ""
    outline = interval.now.outline(path)
    if mark.blob is not None and outline is not None:
        unparsed = _unparsed(mark, outline, interval)
        if unparsed is not None:
            return unparsed
        if outline.symbol(name) is not None and interval.now.paths().get(path) == mark.blob:
            return told(mark, Verdict.FRESH, "unchanged: the file is the one that was validated")
    return told(mark, Verdict.UNKNOWN, f"{name} was not found when it was validated")


def _unparsed(mark: Mark, outline: Outline | None, interval: Interval) -> Seen | None:
    """A file that did not parse may hold a definition that nobody found: its text decides, else it is unknown, never gone."""
    if outline is None or outline.level in {"syntax", "value"}:
        return None
    path, name = mark.watch.path or "", mark.watch.name or ""
    bare, why = name.rpartition(".")[2], outline.note or "no parser reads it"
    if bare not in interval.now.code_words(path) or _was_damaged(mark, interval):
        return None
    if any(one.digest.startswith(mark.sig or "-") for one in outline.symbols if one.name.endswith(bare)):
        return told(mark, Verdict.COSMETIC, f"{name} stands there unchanged; {why}")
    old, before = _old_symbol(mark, interval), interval.then.read(path) if interval.then is not None else None
    after = interval.now.read(path)
    if old is None or before is None or after is None or _text(before, old) not in b" ".join(after.split()):
        return told(mark, Verdict.UNKNOWN, f"{name} could not be looked for: {why}")
    return told(mark, Verdict.COSMETIC, f"{name}: its text stands there unchanged; {why}")


def _coarsely(mark: Mark, symbol: Symbol, interval: Interval) -> Seen:
    """The two sides were read at different levels, so only the text of the definition can be compared."""
    name, path, old = mark.watch.name or "", mark.watch.path or "", _old_symbol(mark, interval)
    before, after = (interval.then.read(path) if interval.then is not None else None), interval.now.read(path)
    if old is None or before is None or after is None:
        return told(mark, Verdict.UNKNOWN, f"{name} was recorded by another parser than reads it now")
    if _text(before, old) in b" ".join(after.split()):
        return told(mark, Verdict.COSMETIC, f"{name}: the same but for white space")
    share = _symbol_share(mark, symbol, interval)
    verdict = Verdict.REWRITTEN if share is not None and share > REPLACED else Verdict.CHANGED
    return told(mark, verdict, f"{name}: body changed", share=share)


def _was_damaged(mark: Mark, interval: Interval) -> bool:
    """Whether the definition was found at the baseline in a file that did not parse either, as macros make it so."""
    path = (mark.watch.path or "").partition("#")[0]
    outline = interval.then.outline(path) if interval.then is not None else None
    return outline is not None and outline.level == "leaves" and _old_symbol(mark, interval) is not None


def _text(data: bytes, symbol: Symbol) -> bytes:
    """The definition's lines, white space collapsed."""
    return b" ".join(_span(data, symbol.start, symbol.end).split())


def _standing_symbol(mark: Mark, symbol: Symbol, interval: Interval) -> Seen:
    name = mark.watch.name or ""
    kind = _symbol_difference(mark, symbol, interval)
    if kind is Difference.SAME:
        return told(
            mark,
            Verdict.COSMETIC,
            f"{name}: only comments, docstrings or formatting, or other code in the file",
        )
    if kind is Difference.SOFT:
        return told(mark, Verdict.TOUCHED, f"{name}: only type annotations or imports changed")
    if _has_more_overloads(mark, symbol) and not _newly_deprecated(mark, symbol, interval):
        return told(mark, Verdict.TOUCHED, f"{name}: unchanged, but another overload of it came")
    old = _old_symbol(mark, interval)
    if renamed := renamed_uses(mark, old, symbol, interval):
        said = ", ".join(f"{before} is now {after}" for before, after in renamed)
        return told(mark, Verdict.TOUCHED, f"{name}: only names of what it uses changed: {said}")
    if (values := _values(mark, old, symbol, interval)) is not None:
        return told(mark, Verdict.CHANGED, f"{name}: {values}")
    share = _symbol_share(mark, symbol, interval)
    verdict = Verdict.REWRITTEN if share is not None and share > REPLACED else Verdict.CHANGED
    what = _what_changed(mark, symbol, interval)
    if symbol.deprecated and not (old is not None and old.deprecated):
        what = "now marked deprecated"
    return told(mark, verdict, f"{name}: {what}", share=share)


def _what_changed(mark: Mark, symbol: Symbol, interval: Interval, place: str | None = None) -> str:
    """Which part of the definition changed, as far as both sides can be read."""
    path, old = (mark.watch.path or "").partition("#")[0], _old_symbol(mark, interval)
    if old is None or interval.then is None:
        return "value changed" if symbol.kind == "constant" else "its content changed"
    then, now = interval.then.parts(path, old.name), interval.now.parts(place or path, symbol.name)
    parts = changed_parts(then, now, symbol, path) if then is not None and now is not None else ()
    if not parts:
        return "signature changed" if old.signature != symbol.signature else "body changed"
    outlines = interval.then.outline(path), interval.now.outline(place or path)
    members = changed_members(*outlines, old, symbol) if "body" in parts and all(outlines) else ""  # type: ignore[arg-type]  # all are outlines
    said = ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]
    return f"{said} changed" + (f" ({members})" if members else "")


def _values(mark: Mark, old: Symbol | None, symbol: Symbol, interval: Interval) -> str | None:
    """Of a value in one line ``3 → 5``, as far as both sides can be read; None when either side takes more."""
    path = (mark.watch.path or "").partition("#")[0]
    line = line_of(symbol, interval.now.read(path))
    before = line_of(old, interval.then.read(path)) if interval.then is not None and old is not None else None
    if line is None or (old is not None and before is None):
        return None
    now, then = value_in(line, symbol.name), value_in(before, symbol.name)
    if now is not None and then is not None and now != then:
        return f"{then} → {now}"
    return f"value changed, now {now}" if now is not None else "value changed"


def _has_more_overloads(mark: Mark, symbol: Symbol) -> bool:
    return bool(mark.sig) and any(part.startswith(mark.sig or "-") for part in symbol.parts)


def _symbol_difference(mark: Mark, symbol: Symbol, interval: Interval) -> Difference:
    if symbol.digest.startswith(mark.sig or "-") and not _newly_deprecated(mark, symbol, interval):
        return Difference.SAME
    if interval.folds:
        folded = _folded_symbol(mark, interval)
        if folded is not None:
            return folded
    if symbol.core.startswith(mark.core or "-") and not _newly_deprecated(mark, symbol, interval):
        return Difference.SOFT
    return Difference.SUBSTANTIVE


def _newly_deprecated(mark: Mark, symbol: Symbol, interval: Interval) -> bool:
    if not symbol.deprecated:
        return False
    old = _old_symbol(mark, interval)
    return old is not None and not old.deprecated


def _folded_symbol(mark: Mark, interval: Interval) -> Difference | None:
    path, name = mark.watch.path or "", mark.watch.name or ""
    worst = Difference.SAME
    for (one, one_path), (other, other_path) in interval.segments(path, path):
        old, new = symbol_at(one.outline(one_path), name), symbol_at(other.outline(other_path), name)
        if old is None or new is None:
            return None
        if old.digest != new.digest:
            worst = worst_of((worst, of_symbols(old, new)))
    return worst


def _old_symbol(mark: Mark, interval: Interval) -> Symbol | None:
    if interval.then is None:
        return None
    path, name = mark.watch.path or "", mark.watch.name or ""
    path, _, inner = path.partition("#")
    return symbol_at(interval.then.outline(path), name or inner)


def _symbol_share(mark: Mark, symbol: Symbol, interval: Interval) -> float | None:
    old = _old_symbol(mark, interval)
    path = (mark.watch.path or "").partition("#")[0]
    before = interval.then.read(path) if interval.then is not None else None
    after = interval.now.read(path)
    if old is None or before is None or after is None:
        return None
    return line_share(_span(before, old.start, old.end), _span(after, symbol.start, symbol.end))


def _span(data: bytes, start: int, end: int) -> bytes:
    return b"\n".join(data.splitlines()[start - 1 : end])


def _absent_symbol(mark: Mark, interval: Interval) -> Seen:
    path, name = mark.watch.path or "", mark.watch.name or ""
    found = find_definition(path, name, held_symbol(mark), interval)
    if found is None:
        return _cosmetic_move(mark, interval) or _inherited(mark, interval) or _gone_symbol(mark, interval)
    place, symbol = found
    target = Watch(WatchKind.SYMBOL, path=place, name=symbol.name)
    if place == path:
        return moved(mark, target, f"{name} is now called {symbol.name}, its body equal")
    if renamed_part(name, symbol.name) or symbol.name.rpartition(".")[2] != name.rpartition(".")[2]:
        return moved(mark, target, f"{name} is now {symbol.name} in {place}, its body equal")
    if mark.sig and not symbol.digest.startswith(mark.sig):
        soft = finding(
            mark, Verdict.TOUCHED, f"{name}: only type annotations or imports changed", new_path=place
        )
        return Seen((*moved(mark, target, f"{name} moved to {place}").findings, soft), target)
    return moved(mark, target, f"{name} moved to {place} unchanged")


MOST_ALIKE = 3


def held_symbol(mark: Mark) -> HeldSymbol:
    """What a mark knows of the definition that it was made of."""
    lines = mark.at[1] - mark.at[0] + 1 if mark.at else 1
    return HeldSymbol(mark.sig or "", mark.body, lines, mark.core)


def _cosmetic_move(mark: Mark, interval: Interval) -> Seen | None:
    """A definition in a file that git paired: equal but for ignored commits on the way counts as moved."""
    path, name = mark.watch.path or "", mark.watch.name or ""
    row = interval.by_old_path.get(path)
    if row is None or row.new_path in {None, path} or not interval.folds:
        return None
    worst = Difference.SAME
    for (one, one_path), (other, other_path) in interval.segments(path, row.new_path or ""):
        old, new = symbol_at(one.outline(one_path), name), symbol_at(other.outline(other_path), name)
        if old is None or new is None:
            return None
        worst = worst_of((worst, of_symbols(old, new))) if old.digest != new.digest else worst
    if worst is not Difference.SAME:
        return None
    return moved(
        mark,
        Watch(WatchKind.SYMBOL, path=row.new_path, name=name),
        f"{name} moved to {row.new_path} unchanged",
    )


def _inherited(mark: Mark, interval: Interval) -> Seen | None:
    """A method that its class has from a base class now: another body under the same call."""
    path, name = mark.watch.path or "", mark.watch.name or ""
    found = inherited(path, name, interval.now) if interval.then is not None else None
    if found is None:
        return None
    place, symbol = found
    target = Watch(WatchKind.SYMBOL, path=place, name=symbol.name)
    reason = f"{name} is inherited now: {symbol.name} in {place}"
    told_of = finding(mark, Verdict.CHANGED, reason, new_path=place if place != path else None)
    return Seen((replace(told_of, moved=str(target)),), moved=target)


def _gone_symbol(mark: Mark, interval: Interval) -> Seen:
    path, name = mark.watch.path or "", mark.watch.name or ""
    same_name = _name_elsewhere(path, name, interval)
    paired = interval.renamed_to(path) if path not in interval.now.paths() else None
    where = _where_gone(path, paired, interval)
    if same_name is None:
        several = list(alike(path, held_symbol(mark), interval))[:MOST_ALIKE]
        doubt = f"; {' and '.join(several)} have its body, so that neither is sure" if several else ""
        found = finding(mark, Verdict.GONE, f"{name} no longer exists: {where}{doubt}", new_path=paired)
        return Seen((found,))
    place, symbol = same_name
    old, before = _old_symbol(mark, interval), interval.then.read(path) if interval.then is not None else None
    after = interval.now.read(place)
    reason = f"{name} no longer exists here: {where}; {place} has one of that name with other content"
    if interval.then is None:
        return told(mark, Verdict.CHANGED, f"{name} moved to {place} with other content")
    if old is None or before is None or after is None:
        return told(mark, Verdict.GONE, reason)
    share = line_share(_span(before, old.start, old.end), _span(after, symbol.start, symbol.end))
    if share > REPLACED and place != paired:
        return told(mark, Verdict.GONE, reason)
    where = f"is now {symbol.name}" if place == path else f"moved to {place}"
    found = finding(
        mark,
        Verdict.REWRITTEN if share > REPLACED else Verdict.CHANGED,
        f"{name} {where} and changed{percent(share)}: {_what_changed(mark, symbol, interval, place)}",
        new_path=place,
        share=share,
    )
    target = Watch(WatchKind.SYMBOL, path=place, name=symbol.name)
    return Seen((replace(found, moved=str(target)),))


def _split_places(path: str, interval: Interval) -> set[str]:
    """Without the old tree: the files of the package that the module became; no other place is known to be new."""
    package = interval.split_package(path)
    return {one for one in interval.now.paths() if one.startswith(package)} if package is not None else set()


def _where_gone(path: str, paired: str | None, interval: Interval) -> str:
    if paired is not None:
        return f"gone from {paired}, which {path} became"
    return f"no longer in {path}" if path in interval.now.paths() else f"{path} was deleted"


def _name_elsewhere(path: str, name: str, interval: Interval) -> tuple[str, Symbol] | None:
    bare = name.rpartition(".")[2]
    row = interval.by_old_path.get(path)
    paired = [row.new_path] if row is not None and row.new_path not in {None, path} else []
    arrived = set(interval.arrivals) if interval.then is not None else _split_places(path, interval)
    named = [one for one in interval.now.files_with([bare]).get(bare, ()) if one in arrived]
    for place in dict.fromkeys([*paired, *named]):
        outline = interval.now.outline(place or "")
        for symbol in outline.symbols if outline is not None else ():
            if symbol.name.rpartition(".")[2] == bare and not interval.stood_there(place or "", symbol.name):
                return place or "", symbol
    return None


def _with_soft(seen: Seen, mark: Mark, interval: Interval) -> Seen:
    if seen.verdict.severity >= Verdict.TOUCHED.severity:
        return seen
    notes = [note for use in mark.uses if (note := _used_changed(mark, use, interval)) is not None]
    return replace(seen, findings=(*seen.findings, *notes)) if notes else seen


def _used_changed(mark: Mark, use: tuple[str, str, str], interval: Interval) -> Finding | None:
    target, blob, sig = use
    path, _, name = target.partition("#")
    if interval.now.paths().get(path) == blob:
        return None
    symbol = symbol_at(interval.now.outline(path), name)
    if symbol is None or symbol.digest.startswith(sig):
        return None
    reason = f"{mark.watch.name} uses {name}, which changed in {path}"
    return Finding(Verdict.TOUCHED, reason, watch=str(mark.watch), path=path)
