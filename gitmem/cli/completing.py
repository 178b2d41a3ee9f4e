"""What a shell completes beside words and options: ids of memories, candidates and runs, types of events, names.

What a parameter takes is told by its metavar, the same words as in the help. Completing never fails and never speaks: where
something cannot be read, nothing is offered. It writes nothing but the cache. Names come from the repository, and bash puts
a word into the command line as it is: one that a shell would read as more than a word is not offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

import click
from click.shell_completion import CompletionItem

from gitmem.cli.invocation import Invocation

_MOST: Final = 200
_PLAIN_MARKS: Final = dict.fromkeys(map(ord, "_.:@/+-"))
Offered = Iterable[tuple[str, str]]
"""Words with what a shell that can shows beside them."""


def offer_ids(command: click.Command) -> None:
    """Let every parameter of a command that takes ids complete them."""
    for parameter in command.params:
        source = _SOURCES.get((parameter.metavar or "").strip("[].…"))
        if source is not None:
            parameter.shell_complete = partial(_complete, source)  # type: ignore[method-assign]  # the constructor is the command's own


def _complete(
    source: Callable[[Invocation], Offered], context: click.Context, incomplete: str
) -> list[CompletionItem]:
    invocation = context.find_object(Invocation) or Invocation()
    try:
        invocation.enter()
        found = [one for one in source(invocation) if one[0].startswith(incomplete) and _is_plain(one[0])]
    except Exception:  # noqa: BLE001 - whatever it is, a shell that completes must not print it
        return []
    return [CompletionItem(word, help=_short(told)) for word, told in found[:_MOST]]


def _is_plain(word: str) -> bool:
    """Whether every shell takes it for one word that means itself."""
    letters = word.translate(_PLAIN_MARKS)
    return word[:1] not in {"-", "+"} and (not letters or letters.isalnum())


def _short(told: str) -> str:
    from gitmem.report.sanitise import prose

    return prose(told)[:60]


def _memories(invocation: Invocation) -> Offered:
    from gitmem.usecases.knowledge import load_knowledge

    known = load_knowledge(invocation.repository())
    return [(one.memory.id, one.memory.title or one.memory.summary) for one in known.memories]


def _candidates(invocation: Invocation) -> Offered:
    from gitmem.model.candidate import Standing
    from gitmem.usecases.candidates import load_candidates

    waiting = load_candidates(invocation.ledger()).standing(Standing.OPEN)
    return [(one.id, one.memory.summary) for one in reversed(waiting)]


def _both(invocation: Invocation) -> Offered:
    return [*_memories(invocation), *_candidates(invocation)]


def _runs(invocation: Invocation) -> Offered:
    from gitmem.usecases.runs.listing import list_runs

    rows = list_runs(invocation.ledger(), everything=True, archived=False).rows
    return [(row.run, row.task or "") for row in rows]


def _types(_: Invocation) -> Offered:
    from gitmem.model.event import PAYLOAD_FIELDS

    return [(name, ", ".join(fields)) for name, fields in PAYLOAD_FIELDS.items()]


def _elements(invocation: Invocation) -> Offered:
    from gitmem.usecases.knowledge import load_knowledge

    elements = load_knowledge(invocation.repository()).elements.elements
    return [(one.name, one.description or "") for one in elements]


def _agents(_: Invocation) -> Offered:
    from gitmem.agents.table import AGENTS

    return [(name, agent.title) for name, agent in AGENTS.items()]


def _topics(_: Invocation) -> Offered:
    from gitmem.cli.concepts import topics
    from gitmem.cli.table import SECTIONS

    words = [
        (word, entry.help)
        for section in SECTIONS.values()
        for word, entry in section.items()
        if not entry.hidden
    ]
    return [*((name, "") for name in topics()), *words]


_SOURCES: Final[Mapping[str, Callable[[Invocation], Offered]]] = {
    "ID": _both,
    "CANDIDATE": _candidates,
    "CANDIDATE|FILE": _candidates,
    "RUN": _runs,
    "TYPE": _types,
    "E": _elements,
    "NAME": _agents,
    "TOPIC | COMMAND": _topics,
}
