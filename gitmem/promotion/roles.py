"""What part a word plays in its sentence, by the words and particles around it: English and Korean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from gitmem.promotion.stemming import PARTICLES, Term

_PARTICLES: Final = PARTICLES.replace(" ", "|")
PASSIVE: Final = re.compile(
    r"\b(?:is|are|be|been|being|gets?|was|were)\s(?:\w+\s){0,2}?\w+(?:ed|en|wn|t)\s(?:\w+\s){0,2}?by\b"
)
_PARTICLE: Final = re.compile(rf"(?<=[가-힣A-Za-z0-9`)])({_PARTICLES})$")
_EOJEOL: Final = re.compile(r"[^\s,.;:]*")
_NEXT: Final = re.compile(r"\s+[^\s,.;:]+")
_PARTS: Final = {
    "이": "subject",
    "가": "subject",
    "을": "object",
    "를": "object",
    "에": "place",
    "에서": "place",
    "에게": "place",
    "으로": "goal",
    "로": "goal",
}
_AHEAD: Final = re.compile(
    r"(?i)(?:^|[.;:!?]\s|\b(?:the|an?|our|its|this|that|each|every|in|on|by|with|from|of|for|via|through|into|under|at|as|over|using|only)\s)\W*$"
)
_ENDS: Final = re.compile(
    r"(?i)\W*(?:$|[.,;:!?)]|(?:is|are|was|were|be|must|should|may|can|cannot|shall|will|do|does|has|have|only|and|or|but|not|never|in|on|at|by"
    r"|for|from|to|of|with|as|before|after|when|if|because|so|than|unless|until|instead|rather|via|through|into)\b"
    r"|[a-z]+s\s+(?:the|an?|all|each|every|our|its|no|only|to|in|from|on|by|with|for|that)\b)"
)


def role(text: str, term: Term) -> str | None:
    """``subject``, ``object`` or ``place`` by the particle of a Korean word, or of the next one that it belongs to."""
    word = _EOJEOL.match(text, term.end)
    ends = word.end() if word else term.end
    own = _PARTICLE.search(text[term.start : ends])
    if own is None:
        following = _NEXT.match(text, ends)
        own = following and _PARTICLE.search(following[0])
    return _PARTS.get(own[1]) if own else None


def is_noun_phrase(text: str, terms: Sequence[Term]) -> bool:
    """Whether words are a whole thing of their sentence: not a verb, nor a part of a longer name of a thing."""
    first, last = terms[0], terms[-1]
    word = text[last.start : last.end]
    if "가" <= word[-1] <= "힣":
        return re.search(rf"(?:{_PARTICLES})$", word) is not None and not re.search(
            r"(?:하는|되는|않는|있는|없는|이는|하은)$", word
        )
    behind = re.match(rf"[`)]?(?:{_PARTICLES})", text[last.end :])
    if behind is not None:
        return True
    return bool(_AHEAD.search(text[: first.start]) and _ENDS.match(text[last.end :]))
