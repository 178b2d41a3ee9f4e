"""How two files of a language with a grammar differ, by those parts of them alone that are not alike.

What a part at the top of a file writes on the tape does not hang on the other parts, so the same parts at both ends add
the same to both tapes. One more on each side is taken along, since a mark may stand before the thing that it marks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from gitmem.drift.content import grammar
from gitmem.drift.content.difference import Difference
from gitmem.drift.content.language import language_of
from gitmem.drift.content.reading import MAX_BYTES, is_binary
from gitmem.drift.content.syntax import source_of, tape_of, tree_of_source
from gitmem.drift.content.tape import cored


class _File(NamedTuple):
    source: bytes
    parts: Sequence[Any]


def differing(path: str, old: bytes, new: bytes) -> Difference | None:
    """How the file's content changed; None where that takes outlines: no grammar, text that does not parse.

    Args:
        path: Path of the file.
        old: Content before; not `new`.
        new: Content now.
    """
    language = language_of(path, old)
    if language not in grammar.LANGUAGES or language != language_of(path, new):
        return None
    if any(is_binary(data) or len(data) > MAX_BYTES for data in (old, new)):
        return None
    before = _parsed(language, old)
    after = _parsed(language, new) if before is not None else None
    if before is None or after is None:
        return None
    if _differ_in_bag(language, before, after):
        return Difference.SUBSTANTIVE
    head, tail = _alike(before, after)
    one, other = (
        tape_of(language, file.source, file.parts[head : len(file.parts) - tail]) for file in (before, after)
    )
    if one.tokens == other.tokens:
        return Difference.COSMETIC
    return Difference.SOFT if cored(one) == cored(other) else Difference.SUBSTANTIVE


def _parsed(language: str, data: bytes) -> _File | None:
    try:
        source = source_of(data)
        tree = tree_of_source(language, source)
    except grammar.MissingGrammarError:
        return None
    if tree is None or tree.root_node.has_error:
        return None
    return _File(source, tree.root_node.children)


def _differ_in_bag(language: str, before: _File, after: _File) -> bool:
    """Whether some token, annotations and imports aside, stands more often in one file than in the other, in any order."""
    one, other = Counter(_texts(before)), Counter(_texts(after))
    bags = []
    for file, more in ((before, one - other), (after, other - one)):
        own = []
        for part, text in zip(file.parts, _texts(file), strict=True):
            if more[text] > 0:
                more[text] -= 1
                own.append(part)
        bags.append(Counter(cored(tape_of(language, file.source, own))))
    return bags[0] != bags[1]


def _alike(before: _File, after: _File) -> tuple[int, int]:
    """How many parts at the beginning and at the end are left out of the comparison."""
    one, other = _texts(before), _texts(after)
    most = min(len(one), len(other))
    head = next((at for at in range(most) if one[at] != other[at]), most)
    rest = most - head
    tail = next((at for at in range(rest) if one[-1 - at] != other[-1 - at]), rest)
    return max(0, head - 1), max(0, tail - 1)


def _texts(file: _File) -> list[tuple[int, bytes]]:
    return [(part.kind_id, file.source[part.start_byte : part.end_byte]) for part in file.parts]
