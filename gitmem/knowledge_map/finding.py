"""Which elements a task is about, told by words: of names, paths, files, and of the memories that speak of them.

Each field of an element is scored on its own by BM25 (k1 1.2, b 0.75) and the fields are added by weight, so that one
memory that speaks of checkout finds ``OrderProcessor``. Where vectors are there, they come in as a mapping and are
mixed as recall mixes them (domain.md section 5).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import log
from typing import NamedTuple

from gitmem.knowledge_map.cells import Known
from gitmem.knowledge_map.element_index import ElementIndex, Field
from gitmem.knowledge_map.terms import terms_of
from gitmem.model.element import Element

WEIGHTS: Mapping[str, float] = {"name": 3.0, "tags": 2.0, "paths": 1.5, "memories": 1.5, "files": 1.0}
SEMANTIC, LEXICAL = 0.55, 0.45
_K1, _B = 1.2, 0.75
_MOST_TERMS = 256
_LEAST_SHARE = 0.1
"""Of the best score: what is below is no answer but a word in common."""


class Reason(NamedTuple):
    """Why an element was found.

    Args:
        field: ``name``, ``tags``, ``paths``, ``files``, ``memories``, or ``semantic``.
        words: What of the task it has in common, as the task writes it.
        example: The file, or the memory, that has most of it; empty for the others.
    """

    field: str
    words: tuple[str, ...]
    example: str = ""


class Match(NamedTuple):
    """An element, how well it fits (1 is the best answer), and why, the strongest reason first."""

    element: Element
    score: float
    reasons: tuple[Reason, ...]


def find_elements(
    task: str,
    elements: Sequence[Element],
    paths: Collection[str],
    memories: Sequence[Known],
    *,
    semantic: Mapping[str, float] | None = None,
) -> tuple[Match, ...]:
    """Rank the elements that a task is about (`find_indexed`); an `ElementIndex` is kept to ask more than once.

    Args:
        task: What is to be done, in words.
        elements: The elements.
        paths: Every path of the tree.
        memories: All that may speak of elements; those that document nothing are passed over.
        semantic: Similarity by the name of the element, when a provider of vectors answered.
    """
    return find_indexed(task, ElementIndex(elements, paths, memories), semantic=semantic)


def find_indexed(
    task: str, index: ElementIndex, *, semantic: Mapping[str, float] | None = None
) -> tuple[Match, ...]:
    """Rank the elements that a task is about; those with nothing in common with it are left out.

    Args:
        task: What is to be done, in words.
        index: The elements.
        semantic: Similarity by the name of the element, when a provider of vectors answered.
    """
    elements = index.elements
    written = _written(task)
    fields = index.fields(written)
    scored = [_scores(written, name, fields[name]) for name in WEIGHTS]
    lexical = [sum(field[number] for field in scored) for number in range(len(elements))]
    best = max(lexical, default=0.0)
    mixed = _mixed([one / best if best else 0.0 for one in lexical], elements, semantic)
    found = []
    for number, element in enumerate(elements):
        if mixed[number] < _LEAST_SHARE or mixed[number] <= 0:
            continue
        strength = sorted(zip(WEIGHTS, (one[number] for one in scored), strict=True), key=lambda one: -one[1])
        reasons = [_reason(name, written, fields[name][number]) for name, score in strength if score > 0]
        if semantic and not reasons:
            reasons = [Reason("semantic", ())]
        found.append(Match(element, round(mixed[number], 3), tuple(reasons)))
    return tuple(sorted(found, key=lambda one: (-one.score, one.element.name)))


def _mixed(
    lexical: Sequence[float], elements: Sequence[Element], semantic: Mapping[str, float] | None
) -> list[float]:
    """Words and vectors in one score, the best answer at 1; cosines are spread over the range that they take."""
    if not semantic:
        return list(lexical)
    told = [semantic.get(element.name, 0.0) for element in elements]
    least, most = min(told), max(told)
    spread = [(one - least) / (most - least) if most > least else 0.0 for one in told]
    mixed = [SEMANTIC * one + LEXICAL * other for one, other in zip(spread, lexical, strict=True)]
    best = max(mixed)
    return [one / best if best else 0.0 for one in mixed]


def _written(task: str) -> dict[str, str]:
    """The task's terms, with the word of the task that each comes from."""
    written: dict[str, str] = {}
    for word in task.split():
        for term in terms_of(word):
            written.setdefault(term, word.strip(".,;:!?()[]{}\"'`"))
            if len(written) == _MOST_TERMS:
                return written
    return written


# the score


def _scores(written: Mapping[str, str], name: str, fields: Sequence[Field]) -> list[float]:
    """BM25 of one field of every element, times the field's weight."""
    total = sum(one.length for one in fields)
    mean = total / len(fields) if total else 1.0
    scores = [0.0] * len(fields)
    for term in written:
        holding = [number for number, one in enumerate(fields) if term in one.hits]
        rare = log(1 + (len(fields) - len(holding) + 0.5) / (len(holding) + 0.5))
        for number in holding:
            often, length = fields[number].hits[term], fields[number].length
            much = often * (_K1 + 1) / (often + _K1 * (1 - _B + _B * length / mean))
            scores[number] += WEIGHTS[name] * rare * much
    return scores


def _reason(name: str, written: Mapping[str, str], field: Field) -> Reason:
    words = dict.fromkeys(word for term, word in written.items() if term in field.hits)
    return Reason(name, tuple(words), field.example)


def reasons_in_words(match: Match) -> Iterator[str]:
    """Each reason as a few words, names and texts as they are."""
    for one in match.reasons:
        words = ", ".join(one.words)
        match one.field:
            case "semantic":
                yield "means nearly the same"
            case "files":
                yield f"file {one.example} ({words})"
            case "memories":
                yield f"memory “{one.example}” ({words})"
            case _:
                yield f"{one.field}: {words}"
