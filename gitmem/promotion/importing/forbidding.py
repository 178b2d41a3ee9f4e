"""Lists of what must not be done: their opening forbids, and an item without it would say the opposite."""

from __future__ import annotations

import re
from typing import Final

_NOT: Final = (
    r"(?:(?:must|shall|should|may|can|do)\s+not|mustn['’]t|shouldn['’]t|don['’]t|can['’]t|cannot|never)"
)
_THESE: Final = r"(?:(?:do|use|any\s+of|all\s+of|the|these|this|those|following|things?|ever|under\s+any\s+circumstances)\s*){0,5}"
_FORBIDS: Final = re.compile(
    rf"(?i)(?:(?!if\b|when\b|where\b|that\b|which\b|because\b|why\b|what\b)[\w/'’-]+\s+){{0,4}}{_NOT}(?:\s+{_THESE})?"
    r"|don['’]?ts|(?:things\s+to|what\s+to|please)?\s*avoid(?:\s+(?:these|the\s+following))?|(?:what|things)\s+not\s+to\s+do|no-?gos?"
    r"|(?:(?:these|the\s+following)(?:\s+\w+){0,2}\s+(?:are|is)\s+)?(?:strictly\s+|explicitly\s+)?(?:forbidden|prohibited|not\s+allowed|disallowed)(?:\s+\w+)?"
    r"|(?:[가-힣\w]+\s){0,3}(?:금지(?:\s?(?:사항|행위|목록|패턴|한다|합니다))?|하지\s?(?:말\s?것|않는다|않습니다|말아야\s?(?:할\s?것|한다|합니다)|마세요|마라)|해서는\s?안\s?(?:된다|됩니다|되는\s?것)|하면\s?안\s?(?:된다|됩니다|되는\s?것))"
    r"|(?:\w+の)?禁止(?:事項|行為|パターン)?|(?:以下を?)?(?:しない|してはいけない)(?:こと|もの)?|やってはいけないこと"
    r"|(?:严禁|嚴禁|禁止|切勿|不要|不得|请勿|請勿)(?:以下)?(?:事项|事項|行为|行為|操作)?"
)
_SAYS_IT_ITSELF: Final = re.compile(
    r"(?i)^\W*(?:never|don['’]?t|do\s+not|avoid|no|not|always|prefer|instead|must|cannot|can['’]t|forbidden|prohibited)\b"
    r"|(?:금지|않는다|않습니다|않음|말\s?것|마세요|마라|안\s?된다|안\s?됩니다)\W*$|(?:禁止|しないこと|しない|いけない)\W*$|^\W*(?:禁止|不要|不得|切勿|请勿|請勿|严禁|嚴禁)"
)
_LONGEST: Final = 80


def forbidding(opening: str) -> str:
    """The words by which a heading, or the last sentence before a list, forbids what stands below; else empty.

    Args:
        opening: On one line, without emphasis.
    """
    words = opening.strip(" \t:：.!#")
    return words if len(words) <= _LONGEST and _FORBIDS.fullmatch(words) else ""


def forbidden(opening: str, item: str) -> str:
    """The item as a rule of its own: with the words that forbid it in front, unless it forbids or demands by itself.

    Args:
        opening: As `forbidding` returned it.
        item: On one line.
    """
    return f"{opening}: {item}" if opening and not _SAYS_IT_ITSELF.search(item) else item
