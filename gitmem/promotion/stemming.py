"""Words folded to their stems, crudely: enough to see that two texts hold the same words in other forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


STOP: Final = _words(
    "a an the this that these those it its they them their we our you your is are was were be been being am do does did done "
    "has have had will would shall should must may might can could to of in on at by for with from into onto as and or but so "
    "then than if when while because since there here any all each every both also too very just only use uses used using "
    "which who what where how please make sure ensure always never not no"
)
_SUFFIXES: Final = (
    "ations",
    "ation",
    "ingly",
    "ings",
    "ing",
    "edly",
    "ies",
    "ied",
    "ers",
    "er",
    "ed",
    "es",
    "ly",
    "s",
    "e",
)
PARTICLES: Final = "에서는 에서만 에서도 으로만 으로는 에게는 이라는 이라고 라는 에서 에게 으로 까지 부터 처럼 보다 마다 에는 에도 에만 에게만 에게도 만은 만이 이나 은 는 이 가 을 를 의 에 로 와 과 도 만 나"
_PARTICLES: Final = re.compile(rf"(?<=[가-힣])(?:{PARTICLES.replace(' ', '|')})$")
_ONLY_PARTICLE: Final = _words(f"{PARTICLES} 에서의 로는 으로 들 들은 들을 들이 라고 이라 하고")
_KOREAN_STOP: Final = _words(
    "하 되 안 못 않 수 것 때 경우 위해 대신 말 아니 없이 있 반드시 모두 모든 항상 절대 꼭 및 또는 그리고 또 한 그 이 저 해 할 함 된 됨 하는 되는 이다 위한 대한 대해 통해 따라"
)
_ENDINGS: Final = re.compile(
    r"(?<=[가-힣])(?:는다|습니다|ㅂ니다|으므로|므로|으니|니까|으면서|면서|으면|으며|지만|어야|아야|어도|아도|어서|아서|도록|려면|으려면|거나|든지|는데|은|는|을|던|다|세요|어요|아요|며|고|지|면|니|게|기|서|라|자|야|도)$"
)
_LIGHT_VERB: Final = re.compile(r"(?<=[가-힣])(?:하시|하|해|한|할|함|된|될|됨|되|돼|시키|시켜|했|됐|받)$")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9_']*(?:-[A-Za-z0-9]+)*|\d[\d.,]*|[가-힣]+|[ァ-ヺー]+|[㐀-鿿]+")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")


class Term(NamedTuple):
    """A word that carries meaning.

    Args:
        stem: Its stem, case folded.
        start: Where its word stands; parts of one compound share it.
        end: One past its word's last character.
    """

    stem: str
    start: int
    end: int


def terms(text: str, start: int = 0, end: int | None = None) -> Iterator[Term]:
    """Words that carry meaning in a part of a text, in order; compounds in their parts."""
    for match in _WORD.finditer(text, start, len(text) if end is None else end):
        word = match[0]
        if "가" <= word[0] <= "힣":
            glued = match.start() > 0 and re.match(r"[\w`)\]\"']", text[match.start() - 1]) is not None
            stem = "" if glued and word in _ONLY_PARTICLE else korean_stem(word)
            if stem and stem not in _KOREAN_STOP:
                yield Term(stem, *match.span())
        elif word[0].isascii():
            parts = [part.casefold() for part in _CAMEL.split(word) if part]
            if len(parts) > 1 or parts[0] not in STOP:
                yield from (Term(english_stem(part), *match.span()) for part in parts)
        else:
            yield from _east_asian(word, match.start())


def _east_asian(word: str, start: int) -> Iterator[Term]:
    """A word in Katakana; of a run of Han every two characters, since nothing stands between its words."""
    if "ァ" <= word[0] <= "ー" or len(word) < _PAIR:
        yield Term(word, start, start + len(word))
        return
    for at in range(len(word) - 1):
        yield Term(word[at : at + _PAIR], start + at, start + at + _PAIR)


_PAIR: Final = 2


def english_stem(word: str) -> str:
    """A crude stem: what stays when an inflection is cut off."""
    if word.isdigit() or len(word) < 4:
        return word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3 and not word.endswith("ss"):
            word = word[: -len(suffix)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word.rstrip("iy") if len(word) > 4 else word


def korean_stem(word: str) -> str:
    """A word without its particle or ending; one syllable always stays."""
    cut = _PARTICLES.sub("", _without_ending(word))
    return _LIGHT_VERB.sub("", cut) or word


def _without_ending(word: str) -> str:
    for _ in range(2):
        shorter = _plain_verb(_ENDINGS.sub("", word) if len(word) > 1 else word, word)
        if shorter == word:
            break
        word = shorter
    return word


def _plain_verb(cut: str, word: str) -> str:
    """``보내`` of ``보낸다`` and ``거치`` of ``거쳐``: an ending may be part of the syllable before it."""
    code = ord(cut[-1]) - _FIRST
    if cut != word and word.endswith(("다", "므로")) and code % 28 == _NIEUN:
        return cut[:-1] + chr(_FIRST + code - _NIEUN)
    if len(cut) > 1 and code % 28 == 0 and code // 28 % 21 == _YEO:
        return cut[:-1] + chr(_FIRST + code + (_I - _YEO) * 28)
    return cut


_FIRST: Final = 0xAC00
_NIEUN: Final = 4
_YEO: Final = 6
_I: Final = 20
