"""Knowledge maps from literals, for what shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from gitmem.knowledge_map.cells import Known, draw_map
from gitmem.model.element import Element
from gitmem.model.memory import Kind, Memory, Scope, Status
from gitmem.usecases.map import Mapped

TODAY = date(2026, 8, 1)


def known(
    name: str = "m-001",
    *,
    paths: Sequence[str] = (),
    elements: Sequence[str] = (),
    summary: str = "The gateway strips X- headers",
    title: str | None = None,
    kind: Kind = Kind.NOTE,
    status: str = "active",
    days: int | None = 0,
    warning: str = "",
    file: str = "",
    exclude: Sequence[str] = (),
) -> Known:
    """One memory, known to be true so many days ago."""
    memory = Memory(
        name,
        file or f".ai/memory/{name}.yaml",
        kind,
        "module_constraint",
        Status.ACTIVE,
        summary,
        title=title,
        scope=Scope(tuple(paths), tuple(exclude), tuple(elements)),
    )
    return Known(memory, status, None if days is None else TODAY - timedelta(days), warning)


def mapped(
    elements: Sequence[Element],
    paths: Sequence[str] = (),
    memories: Sequence[Known] = (),
    churn: Mapping[str, int] | None = None,
    *,
    shallow: bool = False,
    churn_problem: str = "",
    proposed: int = 0,
) -> Mapped:
    """A map as `load_map` gives it."""
    drawn = draw_map(elements, paths, memories, churn or {}, TODAY)
    return Mapped(drawn, "file", TODAY, shallow, churn_problem, proposed, ())
