"""`gitmem map` as text and as JSON; bars are drawn for a terminal alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gitmem.knowledge_map.cells import CHURN_DAYS, Cell
from gitmem.knowledge_map.finding import reasons_in_words
from gitmem.report.counts import count_of
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.problems import problem_document, unreadable
from gitmem.report.sanitise import prose
from gitmem.report.width import cut, pad, width
from gitmem.usecases.map import FoundElements, Mapped

_GAPS_SHOWN = 15
_FOUND_SHOWN = 8
_BAR = 12
_LONGEST_NAME = 36


def map_document(mapped: Mapped) -> dict[str, Any]:
    """The map, elements in the order of their file."""
    drawn = mapped.map
    return {
        "headline": drawn.headline,
        "documented": drawn.documented,
        "total": len(drawn.cells),
        "elements": [_cell_document(cell) for cell in drawn.cells],
        "gaps": [cell.element.name for cell in drawn.gaps],
        "outside": [one.memory.id for one in drawn.outside],
        "source": mapped.source,
        "proposed": mapped.proposed,
        "churn_days": CHURN_DAYS,
        "churn_until": mapped.until.isoformat(),
        "churn_problem": mapped.churn_problem or None,
        "shallow": mapped.shallow,
        "problems": [problem_document(one) for one in mapped.problems],
    }


def _cell_document(cell: Cell) -> dict[str, Any]:
    return {
        "name": cell.element.name,
        "level": str(cell.element.level),
        "paths": list(cell.element.paths),
        "inside": cell.element.inside,
        "files": cell.files,
        "memories": len(cell.memories),
        "memory_ids": [one.memory.id for one in cell.memories],
        "pitfalls": cell.pitfalls,
        "challenged": cell.challenged,
        "freshness": cell.freshness,
        "churn": cell.churn,
    }


def map_lines(mapped: Mapped, look: Look = PLAIN, *, whole: bool = False) -> Iterator[str]:
    """The coverage line, what is known, and the gaps with what changes most first.

    Args:
        mapped: The map.
        look: How it may look; without a width there are no bars.
        whole: Every gap, however many.
    """
    drawn = mapped.map
    drafted = " (elements drafted from the structure)" if mapped.source == "draft" and drawn.cells else ""
    yield look.line(Span(drawn.headline, "bold"), Span(drafted, "dim"))
    known = sorted(
        (cell for cell in drawn.cells if cell.is_documented), key=lambda one: (-one.churn, one.element.name)
    )
    gaps = drawn.gaps
    shown = gaps if whole else gaps[:_GAPS_SHOWN]
    columns = _columns([*known, *shown], look)
    if known:
        yield ""
        yield look.line(Span("known", "dim"))
        yield from (_known_line(cell, columns, look) for cell in known)
    if gaps:
        yield ""
        yield look.line(Span("nothing known, what changes most first", "dim"))
        yield from (_gap_line(cell, columns, look) for cell in shown)
    if len(shown) < len(gaps):
        yield look.line(Span(f"  … and {len(gaps) - len(shown)} more: gitmem map -v", "dim"))


class _Columns:
    """What all lines have in common.

    Args:
        name: Width of the names.
        churn: The most commits of an element, which fill a bar.
        bar: Width of a bar; 0 without any.
    """

    def __init__(self, name: int, churn: int, bar: int) -> None:
        self.name = name
        self.churn = churn
        self.bar = bar


def _columns(cells: Sequence[Cell], look: Look) -> _Columns:
    longest = max((width(prose(cell.element.name)) for cell in cells), default=0)
    room = _LONGEST_NAME if look.width is None else max(8, min(_LONGEST_NAME, look.width // 3))
    has_room = look.width is not None and look.width >= 60
    bar = min(max(look.width - 70, 4), _BAR) if has_room and look.width else 0
    return _Columns(min(longest, room), max((cell.churn for cell in cells), default=0), bar)


def _known_line(cell: Cell, columns: _Columns, look: Look) -> str:
    counted = count_of(len(cell.memories), "memory").replace("memorys", "memories")
    details = [count_of(cell.pitfalls, "pitfall")] if cell.pitfalls else []
    spans: list[Span | str] = [_name(cell, columns, "green"), "  ", *_bar(cell, columns)]
    spans += [_commits(cell, columns), f"  {counted}", f" ({', '.join(details)})" if details else ""]
    if cell.is_all_doubted:
        spans += [f", 0 of {len(cell.memories)} fresh"]
    elif cell.freshness is not None:
        style = "green" if cell.freshness >= 0.5 else "yellow"
        spans += [", ", Span(f"{round(100 * cell.freshness)} % fresh", style)]
    if cell.challenged:
        spans += [", ", Span(f"{cell.challenged} to verify", "yellow")]
    return look.line("  ", *spans)


def _gap_line(cell: Cell, columns: _Columns, look: Look) -> str:
    return look.line(
        "  ",
        _name(cell, columns, "red" if cell.churn else ""),
        "  ",
        *_bar(cell, columns),
        _commits(cell, columns),
        Span(f"  {count_of(cell.files, 'file')}", "dim"),
    )


def _name(cell: Cell, columns: _Columns, style: str) -> Span:
    return Span(pad(cut(prose(cell.element.name), columns.name), columns.name), style)


def _bar(cell: Cell, columns: _Columns) -> list[Span]:
    if not columns.bar:
        return []
    full = round(columns.bar * cell.churn / columns.churn) if columns.churn else 0
    full = max(full, 1) if cell.churn else 0
    return [Span("█" * full, "cyan"), Span("·" * (columns.bar - full), "dim"), Span("  ")]


def _commits(cell: Cell, columns: _Columns) -> str:
    number = str(cell.churn).rjust(len(str(columns.churn)))
    return f"{number} commit{' ' if cell.churn == 1 else 's'}"


def map_notes(mapped: Mapped) -> Iterable[str]:
    """What must be said beside the map."""
    drawn = mapped.map
    if not drawn.cells:
        yield "HEAD holds no source code to draw elements from; name them in .ai/elements.yaml"
    elif mapped.source == "draft" and (broken := _broken_elements(mapped)):
        yield f"{broken} cannot be read: repair it; until then the elements are those that the structure suggests"
    elif mapped.source == "draft":
        yield "gitmem map --draft writes these elements to .ai/elements.yaml, to be renamed and merged at will"
    if mapped.churn_problem:
        yield f"commits could not be counted: {mapped.churn_problem}"
    elif drawn.cells:
        cut_off = "; history is cut here (shallow clone), so there may be more" if mapped.shallow else ""
        yield f"commits of the {CHURN_DAYS} days up to {mapped.until}, the newest one{cut_off}"
    if drawn.outside and drawn.cells:
        what = "1 memory belongs" if len(drawn.outside) == 1 else f"{len(drawn.outside)} memories belong"
        yield f"{what} to no element: project-wide, wider than one, or about what is in none"
    if mapped.proposed:
        what = "1 memory is" if mapped.proposed == 1 else f"{mapped.proposed} memories are"
        yield f"{what} proposed and counted once merged"


def _broken_elements(mapped: Mapped) -> str:
    """Where the file of the elements cannot be read; empty when it can, or is not there."""
    errors = (one for one in unreadable(mapped.problems) if one.file == ".ai/elements.yaml")
    return next((f"{one.file}:{one.line}" if one.line else one.file for one in errors), "")


def map_problems(mapped: Mapped | FoundElements) -> Iterable[str]:
    """Files that could not be read, or only in part."""
    from gitmem.report.problems import problem_line

    return (problem_line(one) for one in unreadable(mapped.problems))


def found_document(found: FoundElements, task: str) -> dict[str, Any]:
    """`map --find` as JSON."""
    return {
        "query": task,
        "elements": [
            {
                "name": one.element.name,
                "level": str(one.element.level),
                "paths": list(one.element.paths),
                "score": one.score,
                "reasons": [
                    {"field": why.field, "words": list(why.words), "example": why.example or None}
                    for why in one.reasons
                ],
            }
            for one in found.matches
        ],
        "total": found.total,
        "source": found.source,
        "problems": [problem_document(one) for one in found.problems],
    }


def found_lines(found: FoundElements, look: Look = PLAIN, *, whole: bool = False) -> Iterator[str]:
    """The elements that a task is about, the best first, each with its reasons.

    Args:
        found: What was found.
        look: How it may look.
        whole: All, however many.
    """
    shown = found.matches if whole else found.matches[:_FOUND_SHOWN]
    longest = min(max((width(prose(one.element.name)) for one in shown), default=0), _LONGEST_NAME)
    for one in shown:
        name = pad(cut(prose(one.element.name), longest), longest)
        reasons = "; ".join(map(prose, reasons_in_words(one)))
        yield look.line(Span(name, "bold"), f"  {one.score:.2f}  ", Span(reasons, "dim"))


def found_notes(found: FoundElements, *, whole: bool = False) -> Iterable[str]:
    """What must be said beside the elements found."""
    if not found.matches:
        yield f"none of {count_of(found.total, 'element')} has a word in common with it"
    elif not whole and len(found.matches) > _FOUND_SHOWN:
        yield f"{len(found.matches) - _FOUND_SHOWN} more fit less: -v"
