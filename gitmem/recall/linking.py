"""Links between memories: what each one pulls in behind it (domain.md section 5, "links").

A link names a memory by its title or an alias, else an element, else a decision record. One that names nothing is
pending: it connects itself when something of that name appears.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
        via: Id of the memory that links to it; None when it came alone.
    """

    target: Target
    via: str | None


def linked(
    texts: Mapping[str, str], names: Iterable[tuple[str, str]], elements: Iterable[str]
) -> dict[str, tuple[Target, ...]]:
    """Targets of the links of each memory that has some, in the order of its text, each once.

    Args:
        texts: Whole text by memory id.
        names: Title or alias, and the id of the memory that has it; where two have one name, the first counts.
        elements: Names of the elements.
    """
    by_name: dict[str, str] = {}
    for name, memory in names:
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


def placed(
    ranked: Sequence[str],
    links: Mapping[str, Sequence[Target]],
    most: int,
    *,
    may_pull: Callable[[str], bool] = lambda _: True,
) -> list[Placed]:
    """The first places of an answer: ranked memories, and behind each what its links lead to.

    What also stands further up on its own keeps that place and is told to be linked all the same. Links are followed
    from what was pulled in too; a cycle ends where it meets itself.

    Args:
        ranked: Memory ids, best first.
        links: By memory id.
        most: How many places there are.
        may_pull: Whether a memory may be pulled in.
    """
    chosen: dict[Target, str | None] = {}

    def place(memory: str) -> None:
        waiting: list[tuple[Target, str | None]] = [(Target(MEMORY, memory), None)]
        while waiting:
            target, via = waiting.pop(0)
            if target in chosen:
                chosen[target] = chosen[target] or via
            elif len(chosen) < most:
                chosen[target] = via
                waiting[:0] = [(other, target.name) for other in _pulled(target, links, may_pull)]

    for memory in ranked:
        if len(chosen) < most:
            place(memory)
    return [Placed(target, via) for target, via in chosen.items()]


def _pulled(
    target: Target, links: Mapping[str, Sequence[Target]], may_pull: Callable[[str], bool]
) -> Iterable[Target]:
    if target.what != MEMORY:
        return ()
    return [
        other
        for other in links.get(target.name, ())
        if other.what != PENDING and (other.what != MEMORY or may_pull(other.name))
    ]
