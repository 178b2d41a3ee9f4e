"""How alike two texts are, letter by letter: no meaning, no model (recall.md "Same fact, close fact, contradiction").

Both measures are between 0 and 1, symmetric, and 1 for equal texts. They take text as `gitmem.promotion.statement.bare`
leaves it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache


def token_sort_ratio(one: str, other: str) -> float:
    """Share of letters in common, in order, once the words of both stand in alphabetical order."""
    return indel_ratio(_sorted(one), _sorted(other))


@lru_cache(maxsize=4096)
def _sorted(text: str) -> str:
    return " ".join(sorted(text.split()))


def indel_ratio(one: str, other: str) -> float:
    """Twice the longest common subsequence by the length of both."""
    total = len(one) + len(other)
    return 2 * _common_subsequence(one, other) / total if total else 1.0


def _common_subsequence(one: str, other: str) -> int:
    """Its length, with one machine word per letter of `one` (Hyyrö 2004: bit-parallel)."""
    places = _places(one)
    mask = (1 << len(one)) - 1
    open_places = mask
    for letter in other:
        hit = open_places & places.get(letter, 0)
        open_places = ((open_places + hit) | (open_places - hit)) & mask
    return len(one) - open_places.bit_count()


@lru_cache(maxsize=4096)
def _places(text: str) -> dict[str, int]:
    """For each letter the bits of the places where it stands."""
    places: dict[str, int] = {}
    for at, letter in enumerate(text):
        places[letter] = places.get(letter, 0) | 1 << at
    return places


def dice(one: str, other: str) -> float:
    """Dice's coefficient over the 3-grams of both texts, each word padded with a blank."""
    ours, theirs = _counted_grams(one), _counted_grams(other)
    total = len(one) + len(other)
    common = sum(min(count, theirs[gram]) for gram, count in ours.items() if gram in theirs)
    return 2 * common / total if total else float(one == other)


@lru_cache(maxsize=4096)
def _counted_grams(text: str) -> Counter[str]:
    return Counter(grams(text))


def grams(text: str) -> list[str]:
    """The 3-grams of a text in order."""
    padded = f" {text} "
    return [padded[at : at + 3] for at in range(len(padded) - 2)]


def dice_of_words(one: Sequence[str], other: Sequence[str]) -> float:
    """Dice's coefficient over words; 1 when there are none."""
    total = len(one) + len(other)
    return 2 * (Counter(one) & Counter(other)).total() / total if total else 1.0


def shared_words(one: Sequence[str], other: Sequence[str]) -> float:
    """Dice's coefficient over words; when the shorter text lies within the longer one, at least its share of that.

    A word or two in common say nothing, so from fewer than three it is 0.
    """
    ours, theirs = Counter(one), Counter(other)
    common, shorter = (ours & theirs).total(), min(len(one), len(other))
    if common < _LEAST:
        return 0.0
    return max(2 * common / (len(one) + len(other)), _WITHIN * common / shorter)


_LEAST = 3
_WITHIN = 0.8
"""Weight of lying within: four in five words of the shorter text reach the threshold of a topic."""
