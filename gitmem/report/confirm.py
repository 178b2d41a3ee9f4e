"""What `gitmem confirm` shows: both sides of a doubtful memory, or what was captured."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from gitmem.drift.capturing import Broken, Captured
from gitmem.drift.unresolved import Unresolved
from gitmem.drift.volatility import DAYS
from gitmem.model.validation import Mark
from gitmem.model.verdict import Judgement
from gitmem.patches.reading import read_patch
from gitmem.report.drift import judgement_document
from gitmem.report.evidence import headword, place, what_happened
from gitmem.report.explain_ground import unparsed_words
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.patch import patch_lines
from gitmem.report.sanitise import masked, prose, visible
from gitmem.store.baselines import format_watch
from gitmem.usecases.confirm import Asking, Confirmed, ConfirmResult
from gitmem.usecases.confirmed import paths_of, rested_on

PATCH_LINES = 80
"""A longer patch is cut; the command that shows all of it is named."""
NAMED_PATHS = 5

_PLAIN_PATH = re.compile(r"[\w.][\w ./@+=,~-]*")


def confirm_document(result: ConfirmResult) -> dict[str, object]:
    """The ``confirm`` document of cli.md, with what was captured."""
    return {
        "confirmed": [one.id for one in result.confirmed],
        "captured": [_captured_document(one) for one in result.confirmed],
        "asks": [_asking_document(one) for one in result.asks],
        "already": [{"id": one.id, "file": one.file, "at": one.at.isoformat()} for one in result.already],
    }


def _captured_document(one: Confirmed) -> dict[str, object]:
    return {
        "id": one.id,
        "file": one.file,
        "watches": [str(mark.watch) for mark in one.captured.marks],
        "broken": [
            {"watch": str(held.watch), "path": held.first.path, "line": held.first.line or None}
            for held in one.captured.broken
        ],
        "born_false": born_false_document(one.captured),
        "unparsed": list(one.captured.unparsed),
        "missing": [str(watch) for watch in one.captured.missing],
        "challenges_in_90_days": one.challenges,
        "applied": [{"old": old, "new": new} for old, new in one.applied],
    }


def _asking_document(one: Asking) -> dict[str, object]:
    return {
        "id": one.judgement.id,
        "token": one.token,
        "evidence": evidence_document(one),
        "warning": one.judgement.warning,
    }


def evidence_document(one: Asking) -> object:
    """What stands against a memory, each finding as ``drift`` tells it."""
    return judgement_document(one.judgement)["evidence"]


def confirm_lines(result: ConfirmResult, look: Look = PLAIN, *, quiet: bool = False) -> Iterator[str]:
    """The answer for people.

    Args:
        result: What was confirmed and what still asks.
        look: What the reader can take.
        quiet: Only the files written and the tokens.
    """
    for one in result.confirmed:
        yield from [visible(one.file)] if quiet else _confirmed_lines(one, look)
    for known in result.already:
        when = f"already confirmed at {known.at.isoformat()}; nothing to write"
        yield look.line(Span(visible(known.id), "bold"), f"  {when}  {visible(known.file)}")
    for asking in result.asks:
        yield from asking_lines(asking, look)


def _confirmed_lines(one: Confirmed, look: Look) -> Iterator[str]:
    yield look.line(Span("confirmed", "green"), " ", Span(visible(one.id), "bold"), f"  {visible(one.file)}")
    yield from (look.line(f"  {line}") for line in _moves(one))
    yield from (look.line(f"  {line}") for line in _watches(one))
    yield from _not_found(one, look)
    yield from lost_lines(one.captured, look)
    yield look.line(f"  {_volatility(one)}")
    yield look.line(
        f"  commit {visible(one.file.rpartition('/')[0])}/ with the memory: it counts from then on"
    )


def _moves(one: Confirmed) -> Iterator[str]:
    file = visible(one.judgement.file)
    yield from (f"patched {file}: {_patch_row(row)}; approved again when merged" for row in one.applied)
    yield from (f"moved: {_patch_row(row)} (--apply writes it into {file})" for row in one.left)
    yield from (
        f"moved: {_patch_row(row)} (of an element: correct .ai/elements.yaml)" for row in one.elsewhere
    )


def _watches(one: Confirmed) -> Iterator[str]:
    found = [mark for mark in one.captured.marks if mark.watch not in one.captured.missing]
    if found:
        yield f"watches, {'derived from its words' if one.captured.derived else 'as written'}:"
        yield from (f"  {_mark(mark)}" for mark in found)
    elif one.captured.missing:
        return
    elif one.judgement.matched:
        yield "watches nothing narrower than its scope: any change in it counts by its share of lines"
    else:
        lead = "could not be checked: "
        told = [note.removeprefix(lead) for note in one.judgement.notes if note.startswith(lead)]
        why = f" ({prose(told[0])})" if told else ""
        yield f"watches nothing, so it cannot be checked{why}: write scope.paths, name code in its words, or write watch:"


def _not_found(one: Confirmed, look: Look) -> Iterator[str]:
    unlooked = one.captured.unlooked
    for watch in unlooked:
        yield look.line(Span("  not looked for", "yellow"), f": {visible(str(watch))} – no parser here")
    if one.captured.unparsed:
        words = unparsed_words(one.captured.unparsed, one.id)
        yield look._replace(width=None).line(Span("  coarsely", "yellow"), f": {words}")
    for watch, why in zip(one.captured.missing, one.captured.absences, strict=True):
        if watch not in unlooked:
            yield look.line(Span("  not found", "yellow"), f": {visible(str(watch))}: {prose(why)}")
    if len(one.captured.missing) > len(unlooked):
        yield look.line(
            f"  until it is corrected under watch: in {visible(one.judgement.file)}, drift says unknown"
        )


def _patch_row(row: tuple[str, str]) -> str:
    old, new = row
    return f"{visible(old)} → {visible(new)}" if old else f"scope also {visible(new)}"


def born_false_document(captured: Captured) -> list[dict[str, object]]:
    """Names in a memory's words that the code does not have."""
    return [
        {"token": lost.token, "nearest": lost.nearest, "severity": lost.severity}
        for lost in captured.unresolved
    ]


def lost_lines(captured: Captured, look: Look) -> Iterator[str]:
    """What may have been false from the start: prohibitions that the code breaks, and names that it does not have."""
    for broken in captured.broken:
        yield look.line(Span("  born false?", "yellow"), f" {_broken(broken)}")
    yield from (_lost(one, look) for one in captured.unresolved)


def _lost(lost: Unresolved, look: Look) -> str:
    near = f" – did you mean {visible(lost.nearest)}?" if lost.nearest else ""
    if lost.severity == "born_false":
        return look.line(
            Span("  born false?", "yellow"), f" {visible(lost.token)} is nowhere in the code{near}"
        )
    return look.line(f"  not in the code: {visible(lost.token)}, foreign or misspelt{near}")


def _broken(one: Broken) -> str:
    more = f" and {one.files - 1} more" if one.files > 1 else ""
    return f"{visible(str(one.watch))}, and it stands in {visible(str(one.first))}{more}"


def _mark(mark: Mark) -> str:
    """The watch as it may stand under ``watch:``, its lines as a comment."""
    lines = f"  # lines {mark.at[0]}–{mark.at[1]}" if mark.at else ""
    return f"{visible(format_watch(mark.watch))}{lines}"


def _volatility(one: Confirmed) -> str:
    if one.challenges == 0:
        return f"the last {DAYS} days would not have challenged it"
    times = "once" if one.challenges == 1 else f"{one.challenges} times"
    return f"the last {DAYS} days would have challenged it {times}"


def asking_lines(asking: Asking, look: Look = PLAIN, *, token: bool = True) -> Iterator[str]:
    """Both sides of a doubtful memory: the statement, and what changed under it.

    Args:
        asking: The memory and its evidence.
        look: What the reader can take.
        token: Whether to say how to confirm without a terminal.
    """
    judgement = asking.judgement
    if asking.stale_token:
        yield look.line(Span("that token belongs to other evidence; this is how it stands now", "yellow"))
    yield look.line(
        Span(headword(judgement), "red"),
        " ",
        Span(visible(judgement.id), "bold"),
        f"  {prose(judgement.label)}",
    )
    yield look.line(f"  says: {prose(judgement.summary)}")
    for line in masked(asking.body or "").splitlines()[:20]:
        yield look.line(f"        {prose(line)}")
    if judgement.warning:
        yield look.line(f"  {prose(judgement.warning)}")
    for found in judgement.findings[:10]:
        yield look.line(
            f"  {found.verdict.upper():<10}{visible(place(found))}  {prose(what_happened(found))}"
        )
    for note in judgement.notes:
        yield look.line(f"  {prose(note)}")
    yield from _patch_lines(asking, look)
    if token:
        yield look.line(f"  it still holds:  gitmem confirm {visible(judgement.id)} --seen {asking.token}")


def _patch_lines(asking: Asking, look: Look) -> Iterator[str]:
    own, _ = rested_on(asking.judgement)
    if asking.patch:
        read = read_patch(asking.patch.encode("utf-8", "surrogateescape"))
        shown = own if asking.others else paths_of(asking.judgement.findings)
        command = _git_command(asking.judgement, shown)
        yield from patch_lines(read, look, PATCH_LINES, indent="  ", command=command)
    if asking.others:
        count = len(asking.others)
        files = "one other file of the scope" if count == 1 else f"{count} other files of the scope"
        yield look.line(f"  and {files} changed: {_git_command(asking.judgement, asking.others)}")


def _git_command(judgement: Judgement, paths: Sequence[str]) -> str:
    """The command that shows the whole patch; paths that a shell or git could take for something else are left out."""
    named = len(paths) <= NAMED_PATHS and all(_PLAIN_PATH.fullmatch(path) for path in paths)
    behind = " ".join(["", "--", *map(shlex.quote, paths)]) if paths and named else ""
    return f"git diff {(judgement.baseline or '')[:12]} HEAD{behind}"
