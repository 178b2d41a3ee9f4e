"""`gitmem map --html`: one page that needs nothing but itself.

Jinja2 escapes every value. The content policy lets nothing be fetched, and of styles and scripts only those whose
digest it names. Without scripts the page is a picture with a list below it.
"""

from __future__ import annotations

import base64
import hashlib
import unicodedata
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from gitmem.errors import NotServedError
from gitmem.knowledge_map.cells import CHURN_DAYS, Cell, KnowledgeMap, Known
from gitmem.report.counts import count_of
from gitmem.report.map_picture import COLUMN, draw
from gitmem.report.sanitise import masked, prose, visible
from gitmem.report.treemap import Rect
from gitmem.report.width import width
from gitmem.usecases.map import Mapped

_PAGES = Path(__file__).parent / "pages"
_MANY = 300
_FRESHEST = 4
_HEAT = (0.08, 0.3, 0.6)
"""From which share of the most commits of a gap on it is drawn hotter."""


def render_page(mapped: Mapped, *, today: date) -> str:
    """The whole page as HTML.

    Raises:
        NotServedError: Jinja2 is not installed.
    """
    try:
        from jinja2 import Environment, StrictUndefined
    except ImportError:
        raise NotServedError(
            "the page is made with Jinja2, which is not installed",
            hint="pip install 'gitmem-ledger[full]', or use gitmem map and gitmem map --json",
        ) from None
    style, script = (_read(name).strip() + "\n" for name in ("map.css", "map.js"))
    facts = [list(cell_facts(cell)) for cell in mapped.map.cells]
    notes = [told if cell.memories else told[1:] for told, cell in zip(facts, mapped.map.cells, strict=True)]
    held = {cell.element.inside for cell in mapped.map.cells}
    hottest = max((cell.churn for cell in mapped.map.gaps if cell.element.name not in held), default=0)
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["columns"] = width
    template = environment.from_string(_read("map.html"))
    return template.render(
        headline=mapped.map.headline,
        notes=list(_notes(mapped, today)),
        policy=_policy(style, script),
        column=COLUMN,
        style=style,
        script=script,
        rows=[_row(number, cell, hottest) for number, cell in enumerate(mapped.map.cells)],
        order=_order(mapped.map),
        pictures=[
            {"name": name, "frame": frame, "cells": list(draw(mapped.map.cells, notes, frame))}
            for name, frame in _frames(len(mapped.map.cells))
        ],
    )


def _frames(count: int) -> Iterator[tuple[str, Rect]]:
    """One picture for each width of window, so that letters keep their size; higher ones where there is much to show."""
    is_much = count > _MANY
    yield "wide", Rect(0, 0, 1200, 1100 if is_much else 640)
    yield "middle", Rect(0, 0, 760, 1300 if is_much else 600)
    yield "tall", Rect(0, 0, 400, 1700 if is_much else 720)


def _read(name: str) -> str:
    return (_PAGES / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _notes(mapped: Mapped, today: date) -> Iterator[str]:
    if mapped.source == "draft" and mapped.map.cells:
        yield "Elements drafted from the repository's structure."
    if mapped.churn_problem:
        yield f"Commits could not be counted: {prose(mapped.churn_problem)}."
    else:
        cut_off = " History is cut here, so there may be more." if mapped.shallow else ""
        yield f"Commits of the {CHURN_DAYS} days up to {mapped.until}, the newest one.{cut_off}"
    yield f"Freshness as of {today}."
    if mapped.map.outside:
        yield f"Memories that belong to no element: {len(mapped.map.outside)}."
    if mapped.proposed:
        yield f"Memories that are proposed and count once merged: {mapped.proposed}."


# the list


def _row(number: int, cell: Cell, hottest: int) -> dict[str, Any]:
    """What the page tells of one element."""
    element = cell.element
    memories = [_memory(one) for one in cell.memories]
    spoken = [element.name, *element.paths, *element.tags, element.description or ""]
    spoken += [text for one in cell.memories for text in (one.memory.id, masked(one.memory.text))]
    return {
        "number": number,
        "name": prose(element.name),
        "level": str(element.level),
        "inside": prose(element.inside or ""),
        "description": prose(element.description or ""),
        "paths": [visible(path) for path in element.paths],
        "style": _style(cell, hottest),
        "state": "gap" if not cell.memories else "verify" if cell.challenged else "known",
        "facts": list(cell_facts(cell)),
        "memories": memories,
        "text": unicodedata.normalize("NFC", prose(" ".join(spoken))).lower(),
        "label": f"{prose(element.name)}: {', '.join(cell_facts(cell))}",
    }


def cell_facts(cell: Cell) -> Iterator[str]:
    """What is told of an element in a few words each."""
    if not cell.memories:
        yield "nothing known"
    else:
        yield "1 memory" if len(cell.memories) == 1 else f"{len(cell.memories)} memories"
        if cell.pitfalls:
            yield count_of(cell.pitfalls, "pitfall")
        if cell.challenged:
            yield f"{cell.challenged} to verify"
        if cell.is_all_doubted:
            yield f"0 of {len(cell.memories)} fresh"
        elif cell.freshness is not None:
            yield f"{round(100 * cell.freshness)} % fresh"
    yield count_of(cell.churn, "commit")
    yield count_of(cell.files, "file")


def _memory(one: Known) -> dict[str, Any]:
    memory = one.memory
    return {
        "label": prose(memory.title or memory.id),
        "id": visible(memory.id),
        "kind": memory.kind.value.replace("_", " "),
        "summary": prose(memory.summary),
        "warning": prose(one.warning),
        "challenged": one.is_challenged,
        "known_at": one.known_at.isoformat() if one.known_at else "",
        "file": visible(memory.file),
    }


def _style(cell: Cell, hottest: int) -> str:
    """The class of its colour: f0 (long ago) to f4 (fresh) of what is known, doubted where all is to be verified, gap0 to gap3 (changes most) where nothing is."""
    if not cell.memories:
        share = cell.churn / hottest if hottest else 0.0
        return f"gap{sum(share >= bound for bound in _HEAT)}"
    if cell.is_all_doubted:
        return "doubted"
    fresh = cell.freshness if cell.freshness is not None else 0.0
    return f"f{min(int(fresh * (_FRESHEST + 1)), _FRESHEST)}"


def _order(drawn: KnowledgeMap) -> list[int]:
    """The list's order: gaps as the text has them, then what is known, what changes most first."""
    numbers = {cell.element.name: number for number, cell in enumerate(drawn.cells)}
    known = sorted((cell for cell in drawn.cells if cell.memories), key=lambda one: -one.churn)
    return [numbers[cell.element.name] for cell in (*drawn.gaps, *known)]
