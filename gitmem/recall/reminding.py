"""Is a memory worth telling an agent that did not ask? Pure.

Ranking only says which memory comes first, and something always does. A memory is told unasked when the task touches what
it speaks about, or shares enough telling words with it: an identifier, a path or a word in Hangul, Kana or Han counts for
two, a plain word for one, words that stand in every request for none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from gitmem.recall.routing import is_within
from gitmem.recall.stemming import stem
from gitmem.recall.tokens import words_of

ENOUGH: Final = 2
_SHORTEST: Final = 4
_EVERYWHERE: Final = frozenset({"**", "**/*", "*", ".", "./**"})
_PLAIN: Final = frozenset(
    map(
        stem,
        [
            "about",
            "after",
            "again",
            "also",
            "before",
            "because",
            "both",
            "cannot",
            "change",
            "code",
            "could",
            "create",
            "does",
            "done",
            "each",
            "ensure",
            "every",
            "file",
            "files",
            "find",
            "first",
            "from",
            "function",
            "given",
            "good",
            "have",
            "here",
            "implement",
            "into",
            "just",
            "keep",
            "like",
            "line",
            "look",
            "made",
            "make",
            "many",
            "might",
            "more",
            "most",
            "must",
            "need",
            "never",
            "next",
            "only",
            "other",
            "over",
            "please",
            "project",
            "same",
            "should",
            "show",
            "since",
            "some",
            "something",
            "such",
            "sure",
            "take",
            "test",
            "tests",
            "than",
            "that",
            "their",
            "them",
            "then",
            "there",
            "these",
            "they",
            "thing",
            "this",
            "those",
            "through",
            "under",
            "until",
            "update",
            "using",
            "very",
            "want",
            "what",
            "when",
            "where",
            "which",
            "while",
            "will",
            "with",
            "without",
            "work",
            "works",
            "would",
            "write",
            "wrong",
            "your",
            "always",
        ],
    )
)


def is_worth_telling(
    asked: str, touched: Sequence[str], *, told: str, paths: Iterable[str], exclude: Iterable[str] = ()
) -> bool:
    """Whether to tell it.

    Args:
        asked: What the user said.
        touched: Paths of the task.
        told: The memory's own words: its label, title and rule.
        paths: Globs of its scope.
        exclude: Globs taken out of them.
    """
    own = [glob for glob in paths if glob not in _EVERYWHERE]
    taken_out = tuple(exclude)
    if any(is_within(path, own) and not is_within(path, taken_out) for path in touched):
        return True
    shared = set(words_of(asked)) & set(words_of(told))
    return sum(map(_weight, shared)) >= ENOUGH


def _weight(word: str) -> int:
    if not word.isascii():
        return 1 if len(word) > 1 else 0
    if not word.isalpha():
        return 2 if any(one.isalpha() for one in word) and len(word) > 2 else 0
    return 1 if len(word) >= _SHORTEST and word not in _PLAIN else 0
