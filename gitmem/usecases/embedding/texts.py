"""Every text whose vector is wanted, by its key: memories, outcomes of sessions, candidates, elements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gitmem.model.link import without_links
from gitmem.recall.tokens import words_of
from gitmem.store.vectors import text_key
from gitmem.usecases.recalling.cards import OUTCOME

if TYPE_CHECKING:
    from gitmem.model.element import Element
    from gitmem.model.memory import Memory
    from gitmem.recall.testified import Outcome
    from gitmem.usecases.candidates import Candidates
    from gitmem.usecases.knowledge import Knowledge

BODY = 1_000
"""Characters of a body; a model reads no more of it, or takes the mean of all."""
_DEAD = frozenset({"archived"})


def memory_text(memory: Memory) -> str:
    """All that a memory says, its names first; not what its links name, which is said by another one."""
    names = (name for name in (memory.title, *memory.aliases) if name)
    said = (without_links(memory.summary), without_links(memory.body or "")[:BODY])
    return "\n".join((*names, *said)).strip() or memory.summary


def element_text(element: Element) -> str:
    """What an element is called, with its name's parts as words."""
    parts = " ".join(dict.fromkeys(words_of(element.name)))
    return "\n".join((f"{element.name} {parts}", element.description or "", " ".join(element.tags))).strip()


def document_key(indexed: str) -> str:
    """Key of the vector of a document of recall's index, whose own key begins with its blob or its session."""
    first = indexed.partition(" ")[0]
    return first if first.startswith(OUTCOME) else f"blob:{first}"


def wanted_texts(
    knowledge: Knowledge, candidates: Candidates, outcomes: Iterable[Outcome], elements: Iterable[Element]
) -> dict[str, str]:
    """Each text once; the ones that recall needs first."""
    return dict(_texts(knowledge, candidates, outcomes, elements))


def _texts(
    knowledge: Knowledge, candidates: Candidates, outcomes: Iterable[Outcome], elements: Iterable[Element]
) -> Iterator[tuple[str, str]]:
    living = [one for one in knowledge.memories if one.memory.status not in _DEAD]
    for one in living:
        yield f"blob:{one.blob}", memory_text(one.memory)
    for outcome in outcomes:
        yield f"{OUTCOME}{outcome.session}", outcome.summary
    summaries = [one.memory.summary for one in living]
    summaries += [one.memory.summary for one in candidates.candidates]
    for text in (*summaries, *(element_text(element) for element in elements)):
        yield text_key(text), text
