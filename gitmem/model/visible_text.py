r"""Text as it can be seen: what a terminal or a Markdown reader would obey instead of show becomes visible.

Characters that a terminal obeys, and those that nobody can see, become escapes such as ``\x1b`` and ``\u202e``; letters
of every script, combining marks, spaces and well-formed emoji stay as they are.
"""

from __future__ import annotations

import re
import unicodedata

# Printable by category and yet invisible: fillers, joiners, variation selectors, the blank Braille cell.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_EMOJI = (
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u27bf\u2934\u2935\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
_EMOJI_ELEMENT = f"{_EMOJI}(?:[\ufe0e\ufe0f]|[\U0001f3fb-\U0001f3ff])?"
_EMOJI_SEQUENCE = re.compile(f"([0-9#*]\ufe0f?\u20e3|{_EMOJI_ELEMENT}(?:\u200d{_EMOJI_ELEMENT})*)")
_EMOJI_GLUE = frozenset("\u200d\ufe0e\ufe0f")
_INLINE = re.compile(r"(?<!\\)((?:\\\\)*)(<(?=[A-Za-z/!?])|!(?=\[)|\](?=[(:\[]))")
_BRACKETED = re.compile(r"(?<!\\)((?:\\\\)*)(<(?=[A-Za-z/!?])|!(?=\[)|[\[\]])")
_MARK = re.compile(
    r"\[\W*(?:VERIFY|(?:RULE|PITFALL|CONVENTION|NOTE|SESSION_OUTCOME|OUTCOME|ELEMENT|ADR)\b)", re.IGNORECASE
)
"""What gitmem itself says of a memory: its doubt, its kind."""
_BLOCK_START = re.compile(r"(?=#{1,6}(?:\s|$)|[>|]|[-+*](?:\s|$)|`{3}|~{3}|[-*_=](?:\s*[-*_=])*\s*$)")
_NUMBERED = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_NAMED = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def is_unsafe(character: str) -> bool:
    """Whether one character, alone, is hidden or obeyed: Cc, Cf, Cs, Co, Cn, Zl, Zp or an invisible filler."""
    if character.isprintable():
        return _INVISIBLE.match(character) is not None
    return unicodedata.category(character) != "Zs"


def is_shown(text: str) -> bool:
    """Whether every character is seen as it is; the fast way for almost all text."""
    return text.isprintable() and not _INVISIBLE.search(text)


def visible(text: str) -> str:
    r"""One line of text as a terminal may show it; line breaks and tabs become ``\n`` and ``\t``."""
    if is_shown(text):
        return text
    pieces = _EMOJI_SEQUENCE.split(text)
    return "".join(
        piece if index % 2 and _is_whole_emoji(piece) else "".join(map(escape, piece))
        for index, piece in enumerate(pieces)
    )


def visible_block(text: str) -> str:
    """Several lines of text: line breaks and tabs stay, the rest as in `visible`."""
    return "\n".join("\t".join(map(visible, line.split("\t"))) for line in text.split("\n"))


def prose(text: str) -> str:
    """A sentence on one line: line breaks and runs of white space become one space."""
    return visible(re.sub(r"(?:[ \t\n]|\r\n)+", " ", text).strip(" "))


def code(text: str) -> str:
    """Markdown code span that no backtick in the text can leave."""
    shown = visible(text)
    if not shown.strip(" "):
        return f"`{shown or ' '}`"
    fence = "`" * (_longest_backticks(shown) + 1)
    pad = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def fenced(text: str, language: str = "") -> list[str]:
    """Markdown code block, as lines, that no fence in the text can close."""
    shown = visible_block(text)
    fence = "`" * max(3, _longest_backticks(shown) + 1)
    return [f"{fence}{language}", *shown.split("\n"), fence]


def inline(text: str) -> str:
    """Some words amid a line of Markdown that read as written: no image, link, HTML or mark of gitmem's own is in them.

    Identifiers keep their underscores and asterisks, since an agent copies them from the raw text.
    """
    shown = prose(text)  # what stands behind an odd number of backslashes is escaped already
    return (_BRACKETED if _MARK.search(shown) else _INLINE).sub(r"\1\\\2", shown)


def sentence(text: str) -> str:
    """A sentence in Markdown that reads as written, on one line: as `inline`, and it opens no block."""
    shown = inline(text)
    if _BLOCK_START.match(shown):
        return f"\\{shown}"
    numbered = _NUMBERED.match(shown)
    return f"{numbered[1]}\\{shown[numbered.end(1) :]}" if numbered else shown


def _longest_backticks(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _is_whole_emoji(sequence: str) -> bool:
    return all(character.isprintable() or character in _EMOJI_GLUE for character in sequence)


def escape(character: str) -> str:
    """One character, as an escape when it is unsafe."""
    if not is_unsafe(character):
        return character
    number = ord(character)
    if 0xDC80 <= number <= 0xDCFF:  # a byte that is not UTF-8, as Python carries it
        return f"\\x{number - 0xDC00:02x}"
    if number < 0x100:
        return _NAMED.get(character, f"\\x{number:02x}")
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
