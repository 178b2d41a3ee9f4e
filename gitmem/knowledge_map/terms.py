"""Words as elements are found by them: those of recall, words and pairs of CJK characters, without words that say nothing."""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.recall.tokens import pairs_of, words_of

_SAY_NOTHING = frozenset(
    [
        "a",
        "after",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "before",
        "behind",
        "by",
        "can",
        "do",
        "does",
        "for",
        "from",
        "has",
        "have",
        "how",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "not",
        "of",
        "on",
        "one",
        "only",
        "or",
        "so",
        "that",
        "the",
        "their",
        "then",
        "there",
        "this",
        "to",
        "was",
        "we",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "will",
        "with",
        "without",
        "you",
        "your",
    ]
)
"""Few elements hold little text, so that here, unlike in recall, a word's rarity alone does not take these out."""


def terms_of(text: str) -> Iterator[str]:
    """Terms of a text, each as often as it occurs."""
    yield from (word for word in words_of(text) if word not in _SAY_NOTHING)
    # A word may be a pair too; marked, the two never count for one another.
    yield from (f"\0{pair}" for pair in pairs_of(text))
