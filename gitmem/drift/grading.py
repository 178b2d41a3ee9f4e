"""The verdict on one memory: its watches and its scope weighed together (drift.md, table of verdicts)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gitmem.drift.absent_kinds import absent_kinds, came
from gitmem.drift.by_line import standing
from gitmem.drift.by_name import softened
from gitmem.drift.by_purpose import by_purpose
from gitmem.drift.claims import counts_growth
from gitmem.drift.counted import recounted, swept
from gitmem.drift.interval import REPLACED, Interval
from gitmem.drift.marks import symbol_at
from gitmem.drift.placing import ANOTHER_SHARE, loses_a_name, says_more_than_where
from gitmem.drift.scope_change import UNSEEN, ScopeAt, ScopeChange, churned_share, scope_change
from gitmem.drift.seen import Seen
from gitmem.drift.speaking import Edited, spoken, telling_words
from gitmem.drift.watching import judge_mark
from gitmem.model.memory import Claim, Memory
from gitmem.model.validation import Mark, is_resolved
from gitmem.model.verdict import CHALLENGING, Finding, Verdict, percentage
from gitmem.model.watch import NAMED, Watch, WatchKind

NARROW = 5
"""At most this many files make a scope narrow."""
WIDE_SHARE = 0.25
"""Part of a wide scope's lines that must change to challenge a memory without marks."""
STRICT_TYPES = frozenset({"architecture_rule", "security_rule"})


@dataclass(frozen=True, slots=True)
class Grade:
    """The verdict with its evidence.

    Args:
        verdict: After claim and policy.
        findings: Worst first; scope rows after the watches.
        patch: (as written now, as it would be written) for scope globs and written watches that moved; nothing as
            written for a path that is to be added to the scope. Derived watches stand in no file and are not patched.
        notes: Remarks in words.
    """

    verdict: Verdict
    findings: tuple[Finding, ...]
    patch: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def is_strict(memory: Memory) -> bool:
    """Whether every substantive change in scope challenges: as written, else by the memory's type."""
    return memory.drift == "strict" or (memory.drift is None and memory.type in STRICT_TYPES)


def grade(memory: Memory, claim: Claim, marks: Sequence[Mark], scope: ScopeAt, interval: Interval) -> Grade:
    """Judge one memory over one interval.

    Args:
        memory: The memory.
        claim: Its claim, as written or derived from the words.
        marks: What its watches held at the baseline.
        scope: What its scope matches on both sides.
        interval: Baseline to judged tree.
    """
    seen = [(mark, judge_mark(mark, interval, scope.new)) for mark in marks]
    if memory.watch is None and not is_strict(memory):
        stood = standing(memory.text, softened(memory, seen, interval), interval)
        heard = by_purpose(memory.text, _heard(memory, stood, interval), interval)
        seen = recounted(memory.text, heard, interval)
    change = _without_moved(scope_change(scope, interval), seen)
    verdict, notes = _weigh(memory, seen, change, claim=claim, scope=scope, interval=interval)
    if memory.watch is None and not change.patch and (said := swept(memory.text, scope, interval)):
        verdict, notes = Verdict.GONE, (said,)
    if claim is Claim.PRESENCE and verdict is not Verdict.GONE and _resolves(seen):
        verdict = min(verdict, Verdict.TOUCHED, key=lambda one: one.severity)
    watched = sorted((found for _, one in seen for found in one.findings), key=_badness)
    told = {(found.path, found.verdict) for found in watched}
    rows = sorted((row for row in change.findings if (row.path, row.verdict) not in told), key=_badness)
    lost = tuple(
        f"could not be checked: {found.watch}: {found.reason.removeprefix(f'{_name_in(found)} ')}"
        for found in watched
        if found.verdict is Verdict.UNKNOWN
    )
    return Grade(
        verdict, (*watched, *rows), patch=tuple(_patch(memory, seen, change, scope)), notes=(*notes, *lost)
    )


def _heard(memory: Memory, seen: Sequence[tuple[Mark, Seen]], interval: Interval) -> list[tuple[Mark, Seen]]:
    """Files that are watched whole for want of names are touched, not changed, by edits that do not speak of the words.

    An edit of a quarter of the file counts whatever it speaks of, as does any where the old content is not here. Of a
    definition of many lines the same holds for the lightest edits alone.
    """
    edited = {at: found for at, (mark, one) in enumerate(seen) if (found := _edited(mark, one, interval))}
    if not edited:
        return list(seen)
    said = dict(zip(edited, _telling(memory.text, list(edited.values())), strict=True))
    heard = [(mark, _unspoken(one) if said.get(at) is False else one) for at, (mark, one) in enumerate(seen)]
    named = {mark.watch.path or "" for mark, _ in seen if mark.watch.kind is WatchKind.PATH}
    if not named or says_more_than_where(memory.text):
        return heard
    kept = {at for at, one in edited.items() if loses_a_name(memory.text, one.old, one.new)}
    return [
        (
            mark,
            _only_placed(one)
            if mark.watch.kind is WatchKind.FILE and _is_placed(mark, named) and at not in kept
            else one,
        )
        for at, (mark, one) in enumerate(heard)
    ]


def _telling(text: str, files: Sequence[Edited]) -> Sequence[bool | None]:
    """Whether the edits of each file tell against a statement; None where nobody knows."""
    absent = absent_kinds(text)
    return [came(absent, one) for one in files] if absent else spoken(text, files)


def _is_placed(mark: Mark, named: Iterable[str]) -> bool:
    """Whether a file, or a folder that it lies in, is one of the paths."""
    path = mark.watch.path or ""
    return any(path == one or (one.endswith("/") and path.startswith(one)) for one in named)


def _only_placed(seen: Seen) -> Seen:
    """A file of which the words say where it is and what it is for is doubted once most of it is another."""
    first, *others = seen.findings
    if first.verdict is not Verdict.CHANGED or first.share is None or first.share >= ANOTHER_SHARE:
        return seen
    reason = f"{first.reason}; the words say where it is"
    return replace(seen, findings=(replace(first, verdict=Verdict.TOUCHED, reason=reason), *others))


def _edited(mark: Mark, seen: Seen, interval: Interval) -> Edited | None:
    if mark.watch.kind is WatchKind.SYMBOL:
        return _edited_definition(mark, seen, interval)
    path = mark.watch.path or ""
    place = seen.findings[0].new_path or path
    if mark.watch.kind is not WatchKind.FILE or interval.then is None:
        return None
    old, new = interval.then.read(path), interval.now.read(place)
    return Edited(path, old, new) if old is not None and new is not None else None


def _edited_definition(mark: Mark, seen: Seen, interval: Interval) -> Edited | None:
    """A long definition of which little changed: like a file, it rests on the lines that speak of the statement."""
    path, name = mark.watch.path or "", mark.watch.name or ""
    first = seen.findings[0]
    if (
        interval.then is None
        or first.verdict is not Verdict.CHANGED
        or not first.share
        or first.share >= LIGHT_SHARE
    ):
        return None
    place = (first.new_path or path).partition("#")[0]
    sides = [(interval.then, path), (interval.now, place)]
    texts = []
    for view, at in sides:
        symbol, data = symbol_at(view.outline(at), name), view.read(at)
        if symbol is None or data is None or symbol.end - symbol.start < LONG_LINES:
            return None
        texts.append(b"\n".join(data.split(b"\n")[symbol.start - 1 : symbol.end]))
    return Edited(path, *texts)


LIGHT_SHARE = 0.05
LONG_LINES = 40


def _unspoken(seen: Seen) -> Seen:
    first, *others = seen.findings
    if first.verdict is not Verdict.CHANGED or first.share is None or first.share >= WIDE_SHARE:
        return seen
    reason = f"{first.reason}; the edited lines do not speak of it"
    return replace(seen, findings=(replace(first, verdict=Verdict.TOUCHED, reason=reason), *others))


def _name_in(found: Finding) -> str:
    """The name that a watch of a definition ends in, which its text form tells already."""
    return (found.watch or "").rpartition("#")[2]


def _badness(found: Finding) -> tuple[int, float, str]:
    return (-found.verdict.severity, -(found.share or 0.0), found.path or "")


def _weigh(
    memory: Memory,
    seen: Sequence[tuple[Mark, Seen]],
    change: ScopeChange,
    *,
    claim: Claim,
    scope: ScopeAt,
    interval: Interval,
) -> tuple[Verdict, tuple[str, ...]]:
    worst = max((one.verdict for _, one in seen), key=_severity, default=Verdict.FRESH)
    rows = max((found.verdict for found in change.findings), key=_severity, default=Verdict.FRESH)
    if rows is Verdict.RELOCATED and seen and worst is not Verdict.RELOCATED and not change.patch:
        rows = (
            Verdict.TOUCHED
        )  # a file that it does not rest on moved within its scope: there is nothing to follow
    if worst in CHALLENGING or rows in CHALLENGING:
        return max(worst, rows, key=_severity), ()
    if interval.then is None and not any(rests_on_content(mark) for mark, _ in seen):
        return (Verdict.UNKNOWN, (f"could not be checked: {UNSEEN}",)) if scope.differs else (worst, ())
    if is_strict(memory) and (strict := _strictly(memory, seen, change, scope, interval)) is not None:
        return strict
    if claim is Claim.NEGATIVE and _adds_to_watched(seen, change, scope):
        return Verdict.CHANGED, ("files were added to what a negative claim is about",)
    if not any(rests_on_content(mark) for mark, _ in seen) and change.substantive:
        wide = _unwatched(memory, seen, change, claim=claim, scope=scope, interval=interval)
        return max(worst, wide[0], key=_severity), wide[1]
    if worst is Verdict.UNKNOWN and any(_never_held(mark, one) for mark, one in seen):
        return worst, ()
    if worst is Verdict.UNKNOWN:
        known = [one.verdict for _, one in seen if one.verdict is not Verdict.UNKNOWN]
        worst = max(known, key=_severity) if known else Verdict.UNKNOWN
    if worst is Verdict.RELOCATED and rows is Verdict.TOUCHED and _only_moves(seen, change):
        return worst, ()
    return max(worst, rows, key=_severity) if worst is not Verdict.UNKNOWN else worst, ()


def _without_moved(change: ScopeChange, seen: Iterable[tuple[Mark, Seen]]) -> ScopeChange:
    """A deleted file is not gone for this memory when what it rests on in that file was found elsewhere."""
    left = {mark.watch.path for mark, one in seen if one.verdict is Verdict.RELOCATED}
    findings = tuple(_left_behind(found) if found.path in left else found for found in change.findings)
    return replace(change, findings=findings)


def _left_behind(found: Finding) -> Finding:
    if found.share != 1.0 or found.new_path is not None:
        return found
    reason = f"{found.reason}; what the words rest on in it is elsewhere"
    return replace(found, verdict=Verdict.TOUCHED, reason=reason, share=None)


def _adds_to_watched(seen: Iterable[tuple[Mark, Seen]], change: ScopeChange, scope: ScopeAt) -> bool:
    """Whether files came into a scope that is watched by all of its files, as a narrow one without names is."""
    watched = {mark.watch.path for mark, _ in seen if mark.watch.kind is WatchKind.FILE}
    return (
        bool(scope.old)
        and watched.issuperset(scope.old)
        and any(row.status == "added" for row in change.substantive)
    )


def _only_moves(seen: Iterable[tuple[Mark, Seen]], change: ScopeChange) -> bool:
    """Whether what changed in scope are just the files that a relocated watch left or came to, as far as is known."""
    moved = [found for _, one in seen for found in one.findings if found.verdict is Verdict.RELOCATED]
    ends = {path for found in moved for path in (found.path, found.new_path)}
    return all(
        found.path is None or found.path in ends or found.new_path in ends
        for found in change.findings
        if found.verdict is Verdict.TOUCHED
    )


def _severity(verdict: Verdict) -> int:
    return verdict.severity


def _never_held(mark: Mark, seen: Seen) -> bool:
    """Whether a watch found nothing when it was validated: an author's mistake must not pass as fresh."""
    return seen.verdict is Verdict.UNKNOWN and not is_resolved(mark)


def _count(change: ScopeChange) -> str:
    count = len(change.substantive)
    return f"{count} file" if count == 1 else f"{count} files"


def _counts_growth(memory: Memory, claim: Claim) -> bool:
    """Additions count when the author wrote that the claim is negative, or the words say that there is none or no other."""
    return claim is Claim.NEGATIVE and (memory.claim is not None or counts_growth(memory.text))


def _denied(memory: Memory, change: ScopeChange, scope: ScopeAt) -> str | None:
    """A new file whose path has a word of the statement that no path of the scope had: "no bin shim" and ``bin/cli.js``."""
    said = telling_words(memory.text) - telling_words("\n".join(scope.old))
    came = (row.new_path for row in change.substantive if row.status == "added" and row.new_path is not None)
    return next((path for path in came if not said.isdisjoint(telling_words(path))), None)


def _strictly(
    memory: Memory,
    seen: Sequence[tuple[Mark, Seen]],
    change: ScopeChange,
    scope: ScopeAt,
    interval: Interval,
) -> tuple[Verdict, tuple[str, ...]] | None:
    """What a strict memory's scope adds to its watches; None where it adds nothing.

    Without the old tree nobody knows whether the scope changed in substance: an answer is right, or it is unknown.
    """
    if _is_kept_ban(memory, seen):
        return None
    if change.substantive:
        return Verdict.CHANGED, (f"strict: {_count(change)} in scope changed in substance",)
    if interval.then is None and scope.differs:
        return Verdict.UNKNOWN, (f"could not be checked: every change in scope counts, and {UNSEEN}",)
    return None


def _is_kept_ban(memory: Memory, seen: Sequence[tuple[Mark, Seen]]) -> bool:
    """Whether a rule forbids something, nothing else, and it is not there: such a rule is kept by absence (drift.md, step
    7), so that its type alone makes no other change of its scope count. Written ``drift: strict`` still does.
    """
    return memory.drift is None and bool(seen) and all(mark.watch.is_prohibition for mark, _ in seen)


def _unwatched(
    memory: Memory,
    seen: Sequence[tuple[Mark, Seen]],
    change: ScopeChange,
    *,
    claim: Claim,
    scope: ScopeAt,
    interval: Interval,
) -> tuple[Verdict, tuple[str, ...]]:
    """A memory without a watch that could tell: by what is left of its scope, and by the share of it that changed."""
    if scope.old and not scope.new and not change.patch and not seen:
        return Verdict.GONE, ("nothing is left of its scope, and most of it went to no one place",)
    growth = _counts_growth(memory, claim)
    share = churned_share(change, scope, interval, additions=growth)
    return _wide(share, change, _denied(memory, change, scope) if growth else None)


def _wide(share: float, change: ScopeChange, denied: str | None) -> tuple[Verdict, tuple[str, ...]]:
    """No marks: a wide scope is judged by its share of lines; a narrow one has file watches of its own."""
    if denied is not None:
        return Verdict.CHANGED, (f"{denied} came, and the words deny something called so",)
    said = f"{percentage(share) or 'none'} of the scope's lines changed in {_count(change)}"
    if share > REPLACED:
        return Verdict.REWRITTEN, (said,)
    if share >= WIDE_SHARE:
        return Verdict.CHANGED, (said,)
    return Verdict.TOUCHED, (said,)


def rests_on_content(mark: Mark) -> bool:
    """Whether the mark can tell by itself that the memory still holds."""
    if mark.watch.kind in NAMED:
        return mark.watch.is_prohibition or any(mark.counts)
    if mark.watch.kind is WatchKind.PATH:
        return mark.blob is not None
    return mark.watch.kind is not WatchKind.VERIFIER and mark.sig is not None


def _resolves(seen: Iterable[tuple[Mark, Seen]]) -> bool:
    """Whether what is said to be somewhere still is: a place that holds something else is no longer it."""
    placed = [
        (mark, one)
        for mark, one in seen
        if mark.watch.kind in {WatchKind.PATH, WatchKind.SYMBOL, WatchKind.FILE}
    ]
    return all(
        one.verdict is not Verdict.GONE
        and not (one.verdict is Verdict.REWRITTEN and mark.watch.kind is WatchKind.PATH)
        for mark, one in placed
    )


def _patch(
    memory: Memory, seen: Sequence[tuple[Mark, Seen]], change: ScopeChange, scope: ScopeAt
) -> Iterable[tuple[str, str]]:
    yield from change.patch
    moved = [
        (mark.watch, one.moved)
        for mark, one in seen
        if one.moved is not None and one.verdict in {Verdict.RELOCATED, Verdict.TOUCHED}
    ]
    if not change.patch:
        yield from _left(moved, scope)
    for watch, now in moved if memory.watch is not None else ():
        if watch.kind is not WatchKind.VERIFIER:
            yield _as_written(watch), _as_written(now)


def _left(moved: Iterable[tuple[Watch, Watch]], scope: ScopeAt) -> Iterable[tuple[str, str]]:
    """Files that what is watched moved to, out of the scope; the scope is where the memory is delivered."""
    old, new = frozenset(scope.old), frozenset(scope.new)
    left = [now.path for watch, now in moved if watch.path in old and now.path and not now.path.endswith("/")]
    yield from (("", path) for path in dict.fromkeys(left) if path not in new)


def _as_written(watch: Watch) -> str:
    return f"{watch.kind}: {watch.target}"
