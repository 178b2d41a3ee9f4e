"""Links between memories: what each one pulls in behind it (domain.md section 5, "links").

A link names a memory by its title, an alias or its id, else an element, else a decision record. One that names nothing is
pending: it connects itself when something of that name appears.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import NamedTuple

from gitmem.model.link import decision_number, links_in
from gitmem.model.text_folding import folded

ELEMENT, DECISION, MEMORY, PENDING = "element", "adr", "memory", "pending"


class Target(NamedTuple):
    """What a link leads to.

    Args:
        what: ``memory``, ``element``, ``adr`` or ``pending``.
        name: The memory's id, the element's name, the record's number, or the link as written.
    """

    what: str
    name: str


class Placed(NamedTuple):
    """One place of an answer.

    Args:
        target: What stands there.
        via: Id of the memory that links to it; None when none does.
        is_pulled: Whether it stands there for that link alone.
    """

    target: Target
    via: str | None
    is_pulled: bool = False


def linked(
    texts: Mapping[str, str],
    names: Iterable[tuple[str, str]],
    elements: Iterable[str],
    memories: Iterable[str] = (),
) -> dict[str, tuple[Target, ...]]:
    """Targets of the links of each memory that has some, in the order of its text, each once.

    Args:
        texts: Whole text by memory id.
        names: Title or alias, and the id of the memory that has it; where two have one name, the first counts.
        elements: Names of the elements.
        memories: Ids, which name a memory where no title does.
    """
    by_name: dict[str, str] = {}
    for name, memory in (*names, *((memory, memory) for memory in memories)):
        by_name.setdefault(folded(name), memory)
    by_element = {folded(name): name for name in elements}
    found: dict[str, tuple[Target, ...]] = {}
    for memory, text in texts.items():
        targets = dict.fromkeys(_target(one.target, by_name, by_element) for one in links_in(text))
        targets.pop(Target(MEMORY, memory), None)
        if targets:
            found[memory] = tuple(targets)
    return found


def _target(written: str, by_name: Mapping[str, str], by_element: Mapping[str, str]) -> Target:
    name = folded(written)
    if name in by_name:
        return Target(MEMORY, by_name[name])
    if name in by_element:
        return Target(ELEMENT, by_element[name])
    number = decision_number(written)
    return Target(PENDING, written) if number is None else Target(DECISION, str(number))


MOST_LINKED = 3
"""Places behind an answer for what its links lead to."""


def placed(
    hits: Sequence[str],
    links: Mapping[str, Sequence[Target]],
    *,
    strong: Container[str],
    may_pull: Callable[[str], bool] = lambda _: True,
) -> list[Placed]:
    """The places of an answer: the hits, and behind them at most three that the links of strong hits lead to.

    A hit that is also linked keeps its place and is told to be linked all the same. Links are followed from what was
    pulled in too, the nearest first; a cycle ends where it meets itself.

    Args:
        hits: Memory ids, best first.
        links: By memory id.
        strong: Those hits whose links pull something in.
        may_pull: Whether a memory may be pulled in.
    """
    chosen: dict[Target, str | None] = {Target(MEMORY, hit): None for hit in hits}
    waiting = list(hits)
    for memory in waiting:
        for target in _pulled(memory, links, may_pull):
            if target in chosen:
                chosen[target] = chosen[target] or memory
            elif len(chosen) < len(hits) + MOST_LINKED and (memory in strong or memory not in hits):
                chosen[target] = memory
                waiting += [target.name] if target.what == MEMORY else []
    return [Placed(target, via, place >= len(hits)) for place, (target, via) in enumerate(chosen.items())]


def _pulled(
    memory: str, links: Mapping[str, Sequence[Target]], may_pull: Callable[[str], bool]
) -> Iterable[Target]:
    return [
        target
        for target in links.get(memory, ())
        if target.what != PENDING and (target.what != MEMORY or may_pull(target.name))
    ]
