"""Whether a statement says of a file only where it is and what it is for.

"The queue is in `src/queue.py`" holds as long as the file is there and is what it was; an edit of a tenth of its lines is no
reason to doubt it. A number, a negation, an order or a rule says more than that, and then every edit that speaks of the
words counts.
"""

from __future__ import annotations

import re
from typing import Final

from gitmem.drift.words import TokenKind, code_spans, code_tokens

ANOTHER_SHARE: Final = 0.6
"""Of a file's lines: what differs in as many is another file, as in following moves (drift.md, "The steps" 3)."""

_MORE = re.compile(
    r"(?i)\b(?:not?|never|none|without|only|always|must|should|shall|may|cannot|can't|don't|doesn't|isn't|aren't|won't|except|unless"
    r"|both|exactly|at\s+(?:most|least)|default(?:s|ed)?|before|after|instead|requires?|first|last|same)\b"
    r"|[0-9]"
    r"|않|없|못|말아|마라|마세요|금지|만\s|뿐|항상|반드시|기본|이전|이후|먼저|대신"
    r"|ない|ません|ず|だけ|のみ|必ず|常に|禁止|前に|後に|デフォルト"
    r"|不|没|沒|无|無|仅|僅|只|必须|必須|总是|總是|禁止|默认|預設"
)


def says_more_than_where(text: str) -> bool:
    """Whether a statement's prose, code aside, says what an edit of the file could make false."""
    prose, at = [], 0
    for first, last, _ in code_spans(text):
        prose.append(text[at:first])
        at = last
    return _MORE.search(" ".join((*prose, text[at:]))) is not None


def loses_a_name(text: str, old: bytes, new: bytes) -> bool:
    """Whether a file had a product or name of the statement, as a word of its own, and has it no more."""
    names = {
        one.text.lower() for one in code_tokens(text) if one.kind in _NAMES and len(one.text) > _SHORTEST
    }
    before, after = (data.decode("utf-8", "replace").lower() for data in (old, new))
    return any(_has(one, before) and not _has(one, after) for one in names)


_NAMES: Final = frozenset({TokenKind.PRODUCT, TokenKind.IDENTIFIER, TokenKind.WORD, TokenKind.MODULE})
_SHORTEST: Final = 2


def _has(name: str, text: str) -> bool:
    return name in text and re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", text) is not None
