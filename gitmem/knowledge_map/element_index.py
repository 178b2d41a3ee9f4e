"""All the words that elements are found by, counted once to be asked for many tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from gitmem.knowledge_map.cells import Known, belonging
from gitmem.knowledge_map.covering import Holders
from gitmem.knowledge_map.terms import terms_of
from gitmem.model.element import Element
from gitmem.model.memory import Memory


class Field(NamedTuple):
    """What one field of one element has in common with a task.

    Args:
        hits: The task's terms in it, each as often as it occurs.
        length: Its terms, or for files how many there are.
        example: The part that has most of the task.
    """

    hits: Counter[str]
    length: int
    example: str = ""


class _Text(NamedTuple):
    """A text by its terms, and how many it has in all."""

    counts: Mapping[str, int]
    length: int

    def hits(self, written: Collection[str]) -> Counter[str]:
        return Counter({term: self.counts[term] for term in written if term in self.counts})


class _Files(NamedTuple):
    """The files of one element: for each term the positions of the paths that have it below the element's own folder."""

    postings: Mapping[str, Sequence[int]]
    total: int


class ElementIndex:
    """The words of elements, of the memories that speak of them, and of their files.

    Args:
        elements: The elements.
        paths: Every path of the tree.
        memories: All that may speak of elements; those that document nothing are passed over.
    """

    def __init__(
        self, elements: Sequence[Element], paths: Collection[str], memories: Iterable[Known]
    ) -> None:
        self.elements = tuple(elements)
        holders = Holders(elements)
        self._living = [one for one in memories if one.documents]
        self._spoken = list(map(sorted, belonging(elements, holders, paths, self._living)))
        said = [_text(_told(one.memory)) for one in self._living]
        self._lengths = [sum(said[number].length for number in numbers) for numbers in self._spoken]
        self._saying: dict[str, list[tuple[int, int]]] = {}
        for number, one in enumerate(said):
            for term, count in one.counts.items():
                self._saying.setdefault(term, []).append((number, count))
        self._plain = {
            "name": [_text(one.name) for one in elements],
            "tags": [_text("\n".join([*one.tags, one.description or ""])) for one in elements],
            "paths": [_text("\n".join(one.paths)) for one in elements],
        }
        self._paths = sorted(paths)
        self._files = _files(elements, holders, self._paths)

    def fields(self, written: Collection[str]) -> Mapping[str, list[Field]]:
        """Each field of each element, in their order.

        Args:
            written: The task's terms.
        """
        plain = {
            name: [Field(one.hits(written), one.length) for one in texts]
            for name, texts in self._plain.items()
        }
        hits: dict[int, dict[str, int]] = {}
        for term in written:
            for number, count in self._saying.get(term, ()):
                hits.setdefault(number, {})[term] = count
        return {
            **plain,
            "memories": [
                self._memories(hits, numbers, length)
                for numbers, length in zip(self._spoken, self._lengths, strict=True)
            ],
            "files": [self._found(one, written) for one in self._files],
        }

    def _memories(self, hits: Mapping[int, Mapping[str, int]], numbers: Sequence[int], length: int) -> Field:
        counted: Counter[str] = Counter()
        found = [number for number in numbers if number in hits]
        for number in found:
            counted.update(hits[number])
        best = max(found, key=lambda number: len(hits[number]), default=None)
        example = "" if best is None else self._living[best].memory.title or self._living[best].memory.id
        return Field(counted, length, example)

    def _found(self, files: _Files, written: Collection[str]) -> Field:
        held = {term: files.postings[term] for term in written if term in files.postings}
        having = Counter(at for positions in held.values() for at in positions)
        best = min(having, key=lambda at: (-having[at], at), default=None)
        hits = Counter({term: len(positions) for term, positions in held.items()})
        return Field(hits, files.total, "" if best is None else self._paths[best])


def _told(memory: Memory) -> str:
    return "\n".join((*memory.aliases, memory.text, *memory.scope.paths))


def _text(text: str) -> _Text:
    counts = Counter(terms_of(text))
    return _Text(counts, counts.total())


def _files(elements: Sequence[Element], holders: Holders, paths: Sequence[str]) -> list[_Files]:
    """Names of the files and of the folders below the element's own; each term once a file."""
    leads = [max((path.rstrip("*").count("/") for path in one.paths), default=0) for one in elements]
    postings: list[dict[str, list[int]]] = [{} for _ in elements]
    counts = [0] * len(elements)
    known: dict[str, frozenset[str]] = {}
    for at, path in enumerate(paths):
        held = holders.of(path)
        names = path.split("/") if held else []
        for name in names:
            if name not in known:
                known[name] = frozenset(terms_of(name))
        for number in held:
            counts[number] += 1
            for term in frozenset[str]().union(*(known[name] for name in names[leads[number] :])):
                postings[number].setdefault(term, []).append(at)
    return [_Files(*one) for one in zip(postings, counts, strict=True)]
