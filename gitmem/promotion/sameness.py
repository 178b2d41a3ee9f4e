"""Whether two texts say one thing in the same words: what may be folded before they are compared for equality.

Folded are white space, letter case of prose, the article "the", backticks around plain words, Markdown's bold, the mark that
ends the whole text, quotes around the whole text, a list bullet before it, and the few spellings of a number that cannot be
mistaken. Nothing else: what stands in backticks or quotes is compared as it is, and so are the marks inside a sentence, since
"retry, never fail" and "retry never, fail" hold the same words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from gitmem.drift.words import code_spans
from gitmem.promotion.plain_numbers import plain_number
from gitmem.promotion.quantities import quantities
from gitmem.promotion.stemming import STOP

_HELD: Final = 0xF0000
"""Stands for a part of the text that is kept as it is; characters from here on in the text itself are such parts too."""
_OPENED, _CLOSED = "\ufdd0", "\ufdd1"
"""Around a word that stood in backticks; the text's own ones are held."""
_OWN_MARKS: Final = re.compile("[\ufdd0-\ufdef\U000f0000-\U0010ffff]")
_QUOTED: Final = re.compile(
    r"\"[^\"\n]*\"|“[^“”\n]*”|‘[^‘’\n]*’|«[^«»\n]*»|「[^「」\n]*」|『[^『』\n]*』|(?<![^\s(\[])'[^'\n]+'(?![A-Za-z0-9])"
)
_AROUND: Final = ('""', "“”", "«»", "「」", "『』", "''", "‘’")
_BOLD: Final = re.compile(r"(?<![\w*/.])(\*\*|\*\*\*)(?=\w)([^*\n/]+)(?<=\w)\1(?![A-Za-z0-9_*/.])")
_BULLET: Final = re.compile(r"^\s*[-*+•]\s+(?=[^\W\d])")
_CLOSING: Final = re.compile(r"(?<=[^\s.!。！])[.!。！]\s*$")
_WIDE: Final = str.maketrans({"，": ",", "、": ",", "；": ";", "：": ":", "（": "(", "）": ")", "’": "'"})
_PLAIN: Final = re.compile(r"-{0,2}\w(?:[\w./@:+-]*\w)?|\w[\w./]*\(\)|\.\w+")
_COMMON: Final = (STOP - {"make"}) | {"none", "null", "nothing"}
_BETWEEN_SCRIPTS: Final = re.compile(r"(?<=[A-Za-z0-9_)\ufdd1\U000f0000-\U0010fffd])(?=[가-힣])")
_PROSE: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
"""A word in which the case of letters says nothing; that of ``-v`` and ``LOG_LEVEL`` does."""
_SHOUTED: Final = frozenset("do not no all any and or may must only".split())  # noqa: SIM905 - words, as a reader sees them
_LEAST_SHOUTED: Final = 5
_HEADED: Final = frozenset(".!?。！？:;—–,(")
"""Marks behind which a writer may begin with a capital."""
_STOPS: Final = ",;:.!?。！？"
_LONG_DASHES: Final = frozenset({"—", "–"})
_BREAKS: Final = _LONG_DASHES | {",", ";"}


class Piece(NamedTuple):
    """A word or mark of a text.

    Args:
        written: As written, but for white space.
        folded: Case folded.
        is_code: It stood in backticks or quotes.
        is_mark: It is a mark of the sentence beside a word: not itself what is spoken of.
    """

    written: str
    folded: str
    is_code: bool = False
    is_mark: bool = False

    def is_as(self, other: Piece) -> bool:
        """Whether both are one word, letter by letter."""
        return self.written == other.written

    def is_emphasised(self, other: Piece) -> bool:
        """Whether both are one word of prose that one text shouts: ``NEVER``, but not ``US`` for ``us``."""
        shouted = self.written.isupper() or other.written.isupper()
        is_long = len(self.written) >= _LEAST_SHOUTED or self.folded in _SHOUTED
        return shouted and is_long and self._is_one_in_prose(other)

    def is_capitalised(self, other: Piece) -> bool:
        """Whether both are one word of prose, with a capital in one text, as the head of a sentence has it."""
        return self.written[1:] == other.written[1:] and self._is_one_in_prose(other)

    def _is_one_in_prose(self, other: Piece) -> bool:
        is_prose = not (self.is_code or other.is_code) and _PROSE.fullmatch(self.written) is not None
        return is_prose and self.folded == other.folded


@lru_cache(maxsize=4096)
def pieces(text: str) -> tuple[Piece, ...]:
    """The words and marks of a text, in order, but for the articles."""
    held: list[str] = []
    plain = _numbers(_kept(_whole(text), held), held)
    found = [piece for chunk in plain.split() for piece in _of_chunk(chunk, held)]
    return tuple(one for one in found if one.is_code or one.written not in {"the", "The"})


def is_said_again(one: str, other: str) -> bool:
    """Whether two texts are equal once folded; no length of theirs is left out."""
    ours, theirs = pieces(one), pieces(other)
    if len(ours) != len(theirs):
        return False
    apart = apart_at(ours, theirs)
    return not apart or (len(apart) == 1 and _is_one_break(ours, theirs, apart[0]))


def apart_at(ours: Sequence[Piece], theirs: Sequence[Piece]) -> list[int]:
    """Where two texts of as many pieces have different ones."""
    found: list[int] = []
    for at, (left, right) in enumerate(zip(ours, theirs, strict=True)):
        is_head = at == 0 or (ours[at - 1].is_mark and ours[at - 1].written in _HEADED)
        if not (left.is_as(right) or left.is_emphasised(right) or (is_head and left.is_capitalised(right))):
            found.append(at)
    return found


def words_of(text: str) -> tuple[Piece, ...]:
    """The pieces without the marks of the sentence."""
    return tuple(one for one in pieces(text) if not one.is_mark)


def _is_one_break(ours: Sequence[Piece], theirs: Sequence[Piece], at: int) -> bool:
    """Whether a comma stands for a semicolon or dash that is the one mark in its sentence, and not between numbers."""
    is_lone = sum(piece.is_mark for piece in ours) == 1 and {ours[at].written, theirs[at].written} <= _BREAKS
    is_number = ours[at + 1 :] and ours[at + 1].written[:1].isdigit()
    return is_lone and ours[at].is_mark and theirs[at].is_mark and not is_number


def _whole(text: str) -> str:
    """Without what stands around the text as a whole."""
    text = _CLOSING.sub("", unicodedata.normalize("NFC", text).strip())
    text = _BULLET.sub("", text)
    for opening, closing in _AROUND:
        inside = text[1:-1]
        if (
            len(text) > 2
            and text[0] == opening
            and text[-1] == closing
            and opening not in inside
            and closing not in inside
            and inside.strip(" .,;:!?'\"()")
        ):
            return _CLOSING.sub("", inside.strip())
    return text


def _kept(text: str, held: list[str]) -> str:
    """With code and quotations held; plain words in backticks are marked alone."""
    text = _OWN_MARKS.sub(lambda match: _hold(match[0], held), text)
    for start, end, width in reversed(code_spans(text)):
        inside = text[start + width : end - width]
        text = text[:start] + _code(inside, held) + text[end:]
    text = _QUOTED.sub(lambda match: _hold(_one_space(match[0]), held), text)
    return _BOLD.sub(r"\2", text.translate(_WIDE))


def _code(inside: str, held: list[str]) -> str:
    words = inside.split()
    is_common = all(
        word.casefold() in _COMMON for word in words
    )  # "`or`" is a word spoken of, not one that is said
    if is_common or quantities(inside) or not all(_PLAIN.fullmatch(word) for word in words):
        return _hold(f"`{_one_space(inside)}`", held)
    return " ".join(f"{_OPENED}{word}{_CLOSED}" for word in words)


def _one_space(text: str) -> str:
    return re.sub(r"(?<=\S)\s+(?=\S)", " ", text)


def _hold(text: str, held: list[str]) -> str:
    held.append(_opened(text, held))
    return chr(min(_HELD + len(held) - 1, 0x10FFFD))


def _numbers(text: str, held: list[str]) -> str:
    """With the numbers that have one meaning in one spelling."""
    for one in reversed(quantities(text)):
        spelling = plain_number(one, text)
        if spelling is not None:
            text = f"{text[: one.start]}{_hold(spelling, held)}{text[one.end :]}"
    return text


def _of_chunk(chunk: str, held: list[str]) -> Iterator[Piece]:
    """The pieces of what stands between two spaces."""
    if chunk in _LONG_DASHES:
        yield Piece(chunk, chunk, is_mark=True)
        return
    if not chunk.strip(_STOPS):
        yield Piece(chunk, chunk)
        return
    while chunk[:1] == "(" and not _closes(chunk):
        yield Piece(chunk[0], chunk[0], is_mark=True)
        chunk = chunk[1:]
    behind: list[Piece] = []
    while len(chunk) > 1 and (chunk[-1] in _STOPS or (chunk[-1] == ")" and "(" not in chunk)):
        behind.append(Piece(chunk[-1], chunk[-1], is_mark=True))
        chunk = chunk[:-1]
    for part in _BETWEEN_SCRIPTS.split(chunk):
        yield from _word(part, held)
    yield from reversed(behind)


def _word(part: str, held: list[str]) -> Iterator[Piece]:
    kept = _opened(part.replace(_OPENED, "").replace(_CLOSED, ""), held)
    if kept:
        is_kept = _OPENED in part or any(ord(letter) >= _HELD for letter in part)
        yield Piece(kept, kept.lower(), is_kept)


def _opened(text: str, held: list[str]) -> str:
    """With what is held in its place again."""
    return "".join(
        held[ord(letter) - _HELD] if 0 <= ord(letter) - _HELD < len(held) else letter for letter in text
    )


def _closes(chunk: str) -> bool:
    """Whether the bracket that opens a chunk is closed within it, before its end: ``(a)b``."""
    return ")" in chunk[1:].rstrip(_STOPS)[:-1]
