"""Capture: which watches a memory has in one state of the code, and what they hold there."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from gitmem.drift.absence import absence
from gitmem.drift.area import area
from gitmem.drift.claims import claim_beside
from gitmem.drift.content.coarse import missing_parser
from gitmem.drift.content.language import language_of
from gitmem.drift.derive import derive
from gitmem.drift.exclusions import is_outside
from gitmem.drift.grading import NARROW, rests_on_content
from gitmem.drift.imported import Place, occurrences
from gitmem.drift.marks import capture, used_elsewhere
from gitmem.drift.selection import searched
from gitmem.drift.unresolved import Unresolved
from gitmem.drift.view import TreeView
from gitmem.drift.words import code_tokens
from gitmem.model.memory import Claim, Memory
from gitmem.model.validation import Mark, is_resolved
from gitmem.model.watch import Polarity, Watch, WatchKind, parse_watch

SEARCHED_AT_ONCE = 256


class Broken(NamedTuple):
    """A prohibition that was broken when it was captured: what is there may stay, and must not spread.

    Args:
        watch: The prohibition.
        first: The first file that breaks it.
        files: How many do.
    """

    watch: Watch
    first: Place
    files: int


@dataclass(frozen=True, slots=True)
class Captured:
    """What a memory rests on in one state.

    Args:
        marks: What each watch holds.
        unresolved: Names in the words that resolve nowhere ("born false?").
        derived: Whether gitmem chose the watches; False when the author wrote them.
        missing: Watches as the author wrote them whose target is not there.
        absences: Of each of them why, in words.
        unparsed: Languages of its code whose parser is not installed here, as people write them.
        broken: Prohibitions that the code breaks already ("born false?").
    """

    marks: tuple[Mark, ...]
    unresolved: tuple[Unresolved, ...]
    derived: bool
    missing: tuple[Watch, ...] = ()
    unparsed: tuple[str, ...] = ()
    broken: tuple[Broken, ...] = ()
    absences: tuple[str, ...] = ()

    @property
    def unlooked(self) -> tuple[Watch, ...]:
        """Those of the missing watches whose file could not be parsed, so that they may well be there."""
        return tuple(watch for watch in self.missing if missing_parser((watch.path or "").partition("#")[0]))


def capture_memory(memory: Memory, view: TreeView, scope: Sequence[str], globs: Sequence[str]) -> Captured:
    """Capture one memory.

    Args:
        memory: The memory.
        view: The state of the code.
        scope: Files of it that the memory's scope matches.
        globs: The scope as written, elements replaced by their paths.
    """
    derivation = derive((memory.title, memory.summary, memory.body), memory.scope, view, files=scope)
    written = memory.watch is not None
    watches = [*(memory.watch if memory.watch is not None else derivation.watches), *_verifiers(memory, view)]
    marks = capture(dict.fromkeys(watches), view, scope)
    missing = tuple(
        mark.watch for mark in marks if written and not is_resolved(mark) and _must_resolve(mark.watch)
    )
    # What an author wrote stays in the marks even when its target is not there: it must read as unknown, not as fresh.
    kept = tuple(mark for mark in marks if is_resolved(mark) or mark.watch in missing)
    pinned = (
        written
        or derivation.pinned
        or any(holds_content(mark) for mark in kept if mark.watch not in derivation.loose)
    )
    if not pinned:
        cited = frozenset(mark.watch.path for mark in kept if mark.watch.kind is WatchKind.PATH)
        kept += capture(
            narrow_watches([path for path in scope if not _is_reading(path, cited)], globs), view, scope
        )
    return Captured(
        kept,
        derivation.unresolved,
        derived=not written,
        missing=missing,
        absences=tuple(absence(watch, view, scope) or "" for watch in missing),
        unparsed=_unparsed(kept, () if written else scope),
        broken=tuple(_broken(kept, view, scope)),
    )


_BY_SYNTAX = frozenset({WatchKind.SYMBOL, WatchKind.FILE, WatchKind.VERIFIER})


def _unparsed(marks: Iterable[Mark], scope: Iterable[str]) -> tuple[str, ...]:
    """Languages without their parser here, of the watched files, and of the scope where no definition was found in it."""
    paths = {(mark.watch.path or "").partition("#")[0] for mark in marks if mark.watch.kind in _BY_SYNTAX}
    defined = any(mark.watch.kind is WatchKind.SYMBOL and mark.sig is not None for mark in marks)
    found = {missing_parser(path) for path in (*paths, *(() if defined else scope))}
    return tuple(sorted(one for one in found if one is not None))


def _broken(marks: Iterable[Mark], view: TreeView, scope: Sequence[str]) -> Iterator[Broken]:
    for mark in marks:
        if mark.watch.is_prohibition and any(mark.counts[:1]):
            inside = area(mark.watch, view.paths(), scope)
            there = [
                one
                for one in occurrences(mark.watch, view, inside)
                if not _defines(mark.watch.name or "", one.path, view)
            ]
            if there:
                yield Broken(mark.watch, there[0], len(there))


def _defines(name: str, path: str, view: TreeView) -> bool:
    """Whether a file defines a prohibited name: it must be somewhere."""
    outline = view.outline(path)
    last = name.rpartition(".")[2]
    return outline is not None and any(one.name.rpartition(".")[2] == last for one in outline.symbols)


def with_moves(memory: Memory, patch: Iterable[tuple[str, str]]) -> Memory:
    """The memory with the watches that its author wrote put where their content is now.

    Args:
        memory: The memory.
        patch: (as written, as it would be written) rows of a relocation; globs among them are left alone.
    """
    if memory.watch is None:
        return memory
    moved = dict(patch)
    watches = []
    for watch in memory.watch:
        kind, sep, target = moved.get(f"{watch.kind}: {watch.target}", "").partition(": ")
        watches.append(
            parse_watch(kind, target, quote=watch.quote, polarity=watch.polarity) if sep else watch
        )
    return replace(memory, watch=tuple(watches))


def with_followed(captured: Captured, followed: Iterable[Mark]) -> Captured:
    """What was captured, with the derived watches that its content left behind: moved out of the scope, or renamed.

    Args:
        captured: What the words give in the present state.
        followed: Definitions that the words gave when they were validated, read where their content stands now.
    """
    have = {mark.watch for mark in captured.marks}
    kept = tuple(mark for mark in followed if mark.watch not in have and is_resolved(mark))
    if not kept:
        return captured
    # whole files are watched only where nothing narrower is
    marks = tuple(mark for mark in captured.marks if mark.watch.kind is not WatchKind.FILE)
    return replace(captured, marks=(*kept, *marks))


def without_strangers(captured: Captured, before: Iterable[Mark]) -> Captured:
    """What was captured once all that a memory rested on is gone, without files that it never rested on.

    Args:
        captured: What the words give in the present state: where they name nothing more, each file of a narrow scope.
        before: What it rested on.
    """
    held = tuple(before)
    if not held or any(mark.watch.kind is WatchKind.FILE for mark in held):
        return captured
    own = {(mark.watch.path or "").partition("#")[0] for mark in held}
    marks = (
        mark for mark in captured.marks if mark.watch.kind is not WatchKind.FILE or mark.watch.path in own
    )
    return replace(captured, marks=tuple(marks))


def search_together(memories: Iterable[Memory], view: TreeView) -> None:
    """Search the tree once for the names that capturing these memories will ask for, as far as can be told before."""
    names: set[str] = set()
    for memory in memories:
        text = memory.text
        names |= searched(code_tokens(text))
        names.update(name for watch in memory.watch or () for name in used_elsewhere(watch, view))
    wanted = sorted(names)
    for first in range(0, len(wanted), SEARCHED_AT_ONCE):
        view.files_with(wanted[first : first + SEARCHED_AT_ONCE])


def _must_resolve(watch: Watch) -> bool:
    return watch.polarity is Polarity.ASSERTS


def holds_content(mark: Mark) -> bool:
    """Whether a mark speaks of content, so that a narrow scope need not watch its whole files as well."""
    return mark.watch.kind is not WatchKind.PATH and rests_on_content(mark)


def _is_reading(path: str, cited: Container[str | None]) -> bool:
    """A document that the words send the reader to: that it is there is claimed, not what it says."""
    return path in cited and language_of(path) == "prose"


def narrow_watches(scope: Sequence[str], globs: Sequence[str]) -> tuple[Watch, ...]:
    """Whole-file watches of a narrow scope: the fallback when the words name nothing."""
    files = [path for path in scope if not is_outside(path, globs)]
    return tuple(Watch(WatchKind.FILE, path=path) for path in files) if 0 < len(files) <= NARROW else ()


def claim_in(memory: Memory, marks: Iterable[Mark]) -> Claim:
    """The claim as written, else of the words; a prohibition whose name is watched is carried by that watch."""
    if memory.claim is not None:
        return memory.claim
    text = memory.text
    names = [
        mark.watch.name for mark in marks if mark.watch.polarity is Polarity.PROHIBITS and mark.watch.name
    ]
    words = {name.rstrip("/").rpartition("/")[2] for name in names}
    return claim_beside(
        text,
        (found.start() for word in words for found in re.finditer(re.escape(word), text, re.IGNORECASE)),
    )


def _verifiers(memory: Memory, view: TreeView) -> Iterator[Watch]:
    """Evidence tests, and the files that the probe names, as far as they are files of the tree."""
    for text in (*memory.evidence.tests, *_words(memory.verification.probe)):
        path, _, rest = text.partition("::")
        if path in view.paths():
            name = rest.replace("::", ".").partition("[")[0]
            outline = view.outline(path) if name else None
            known = outline is not None and outline.symbol(name) is not None
            yield Watch(WatchKind.VERIFIER, path=f"{path}#{name}" if known else path)


def _words(probe: str | None) -> Iterable[str]:
    return probe.split() if probe else ()
