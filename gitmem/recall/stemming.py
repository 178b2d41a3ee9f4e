"""Light stemming of English words: plurals and the endings of verbs, so that "retries", "retried" and "retry" are one term."""

from __future__ import annotations

from functools import lru_cache

_SHORTEST = 3
_VOWELS = frozenset("aeiouy")
_KEPT_DOUBLE = frozenset("lsz")


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of a case-folded word; anything but plain ASCII letters as it is."""
    if len(word) <= _SHORTEST or not (word.isascii() and word.isalpha()):
        return word
    return _without_e(_without_verb_ending(_singular(word)))


def _singular(word: str) -> str:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def _without_verb_ending(word: str) -> str:
    if word.endswith("ied") and len(word) > 4:
        return f"{word[:-3]}y"
    for ending in ("ing", "ed"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= _SHORTEST and _VOWELS.intersection(rest):
            return _undoubled(rest)
    return word


def _undoubled(rest: str) -> str:
    return rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in _KEPT_DOUBLE else rest


def _without_e(word: str) -> str:
    return word[:-1] if len(word) > _SHORTEST + 1 and word.endswith("e") else word
