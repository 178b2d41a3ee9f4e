"""What is too little to be told at all: the ranking always has a first, and nothing is better than junk.

A document is told for a word, identifier or CJK pair of its own that says something, for a place that it names, or for
what vectors find alike. 3-grams and the words of every sentence rank what was found so; alone they find nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from gitmem.recall.stemming import stem
from gitmem.recall.tokens import GRAMS, PAIRS, WORDS

LEAST_SIMILARITY = 0.02
"""Where 1 is the best text of the question."""
LEAST_PLACE = 0.03
"""What the path prior must add where nothing else speaks for a document."""
STRONG = 0.5
"""Share of the best score from which on a hit pulls in what it links to, or stands beside a better one left out."""
_OF_EVERY_SENTENCE = """
a about after all also an and any are as at be been before but by can could did do does for from had has have how i if in
into is it its may me must my no not of on or our out over should so some than that the their them then there these they
this to up us was we were what when where which who why will with would you your
"""
_FUNCTION = frozenset(map(stem, _OF_EVERY_SENTENCE.split()))
_OF_EVERY_ENDING = "니다 합니 습니 입니 한다 된다 하고 하는 하지 있다 으로 에서 です ます した する から"
_ENDINGS = frozenset(_OF_EVERY_ENDING.split())


def telling(terms: Iterable[str]) -> Iterable[str]:
    """The terms of a question that find something by themselves."""
    return (
        term
        for term in terms
        if term[0] != GRAMS
        and not (term[0] != PAIRS and term[1:] in _FUNCTION)
        and not (term[0] in {PAIRS, WORDS} and term[1:] in _ENDINGS)
        and not (term[0] != PAIRS and _SHORT.fullmatch(term, 1))
    )


_SHORT = re.compile(r"[a-z_]|[0-9]{1,2}")
"""One letter, or a number of one or two digits, stands in anything."""


def telling_words(terms: Iterable[str]) -> Iterable[str]:
    """The words of a question that similar commits are looked for by: a subject with the same article says nothing."""
    return (term for term in telling(terms) if term[0] == WORDS)


def found_by(postings: Iterable[tuple[str, Sequence[int]]]) -> frozenset[int]:
    """Documents that have one of the telling terms.

    Args:
        postings: Numbers of the documents of each term.
    """
    by_term = dict(postings)
    found: set[int] = set()
    for term in telling(by_term):
        found.update(by_term[term])
    return frozenset(found)
