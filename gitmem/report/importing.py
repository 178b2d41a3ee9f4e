"""What `gitmem import` answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gitmem.model.memory import Scope
from gitmem.promotion.importing.fact import Skipped
from gitmem.report.counts import count_of
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.sanitise import prose, visible
from gitmem.usecases.importing_rules import Imported, ImportedFact, counted


def imported_document(imported: Imported) -> dict[str, Any]:
    """The ``import`` document of cli.md; ``skipped`` lists each with its place and the reason."""
    return {
        "run": imported.run,
        "candidates": [_candidate(one) for one in imported.facts],
        "skipped": [
            {"source": one.source, "line": one.line or None, "reason": one.reason} for one in imported.skipped
        ],
        "short": [{"source": one.source, "line": one.line, "text": one.reason} for one in imported.short],
    }


def _candidate(one: ImportedFact) -> dict[str, Any]:
    memory = one.memory
    return {
        "id": memory.id,
        "source": one.fact.source,
        "line": one.fact.line,
        "summary": memory.summary,
        "kind": memory.kind.value,
        "type": memory.type,
        "paths": list(memory.scope.paths),
        "similar_to": [near._asdict() for near in one.answer.similar_to],
        "conflicts": [conflict.existing for conflict in one.answer.conflicts],
    }


def imported_lines(imported: Imported, look: Look = PLAIN) -> Iterator[str]:
    """The new candidates file by file."""
    source = ""
    for one in imported.facts:
        if one.fact.source != source:
            source = one.fact.source
            yield look.line(Span(visible(source), "bold"), f"  {_where(one.memory.scope)}")
        yield look.line(
            Span(f"{one.fact.line:>5}  ", "dim"), f"{visible(one.memory.id)}  {prose(one.memory.summary)}"
        )
        for conflict in one.answer.conflicts:
            told = f"conflicts with {visible(conflict.existing)} ({prose(conflict.reason)}): a person decides"
            yield look.line("       ", Span(told, "yellow"))


def _where(scope: Scope) -> str:
    return ", ".join(map(visible, scope.paths)) or "the whole project"


def skipped_lines(skipped: tuple[Skipped, ...]) -> Iterator[str]:
    """Each thing that was not taken, with its place."""
    for one in skipped:
        place = f"{visible(one.source)}:{one.line}" if one.line else visible(one.source)
        yield f"skipped {place}: {prose(one.reason)}"


def short_line(imported: Imported) -> Iterator[str]:
    """How many items were too short to be facts, and the first of them."""
    short = imported.short
    if short:
        told = ", ".join(
            f"{visible(one.source)}:{one.line} {prose(one.reason)}" for one in short[:_SHORT_SHOWN]
        )
        more = f" and {len(short) - _SHORT_SHOWN} more" if len(short) > _SHORT_SHOWN else ""
        yield f"{count_of(len(short), 'short line')} left out, too short to be understood alone: {told}{more}"


_SHORT_SHOWN = 3


def summary_line(imported: Imported) -> str:
    """How many came of how many files, how many did not and why."""
    told = f"{count_of(len(imported.facts), 'new candidate')} of {count_of(imported.files, 'file')}"
    if imported.skipped:
        reasons = ", ".join(f"{number} {visible(kind)}" for kind, number in counted(imported.skipped).items())
        told += f"; skipped: {reasons} (-v shows each)"
    return told
