"""How far a statement leans on a definition that it names: on its content, or on its name alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gitmem.drift.content.language import language_of
from gitmem.drift.content.one_value import line_of
from gitmem.drift.content.outline import Symbol
from gitmem.drift.names import is_type
from gitmem.drift.view import TreeView
from gitmem.drift.words import Token
from gitmem.model.watch import Quote, Watch, WatchKind

ROW = 200
"""Characters of a line of a glossary at most."""
_GLOSSED_AHEAD = re.compile(r"(?:^|\n)[\W\d]*(?:see\W+)?(?:`[^`\n]+`\W*)?$", re.IGNORECASE)
_GLOSSED = re.compile(r"`?\**\s*(?:\||[:：]|[-–—]\s)")
_PLAIN_VALUE = re.compile(
    r"=\s*(?P<quote>[\"']?)(?P<value>[^\"'\s(){}\[\],;]{1,80})(?P=quote)\s*[,;]?\s*(?:#.*|//.*)?$"
)
_WRITTEN_NUMBER = re.compile(r"(?P<digits>\d[\d_]*(?:\.\d+)?)_?(?:n|u?ll?|[iuf](?:8|16|32|64|128|size)?)?")
"""A number as code writes it: ``50_000``, ``50u8``, ``50n``."""
# In words: 50_000 and 50,000.
_SEPARATED = re.compile(r"(?<=\d)[_,](?=\d{3}(?!\d))")
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_NOUNS = r"(?:function|class|method|helper|hook|decorator|module|type|constant|interface|component|fixture|enum|struct|trait)s?\b"
_CODE_NOUN = re.compile(
    rf"`?\s*(?:{_NOUNS}|(?:이라는\s|라는\s)?(?:함수|클래스|메서드|메소드|훅|상수|모듈|헬퍼|타입|関数|クラス|メソッド|函数|方法|类))",
    re.IGNORECASE,
)
_CODE_NOUN_AHEAD = re.compile(
    rf"(?:\b{_NOUNS}|함수|클래스|메서드|메소드|훅|상수|모듈|헬퍼|関数|クラス|函数|方法|类)\s*(?:called\s|named\s)?`?$",
    re.IGNORECASE,
)


def is_glossed(text: str, token: Token) -> bool:
    """A line of a glossary, "`Order`: what a customer buys": it says what the name stands for, not what is in it."""
    ahead, behind = text[: token.start], text[token.end :]
    return len(text) < ROW and bool(_GLOSSED_AHEAD.search(ahead) and _GLOSSED.match(behind))


def has_untold_value(text: str, line: str) -> bool:
    """Whether a line gives a constant one plain value that the text does not tell.

    "Bump `SCHEMA_VERSION`" holds whatever its number is; "`LIMIT` is 50" does not.
    """
    found = _PLAIN_VALUE.search(line)
    if found is None:
        return False
    value, text = found["value"].lower(), _SEPARATED.sub("", text.lower())
    if number := _WRITTEN_NUMBER.fullmatch(value):
        value = number["digits"].replace("_", "")
    spelled = _NUMBERS[int(value)] if value.isdecimal() and int(value) < len(_NUMBERS) else value
    return not any(word in text for word in (value, spelled))


def is_named_only(text: str, token: Token, symbol: Symbol, data: bytes | None) -> bool:
    """Whether a definition is rested on by its name: a type in a glossary, a constant whose value is not told."""
    if is_type(symbol):
        return is_glossed(text, token)
    line = line_of(symbol, data) if "." not in symbol.name else None
    return line is not None and has_untold_value(text, line)


def set_in_cited(name: str, cited: Iterable[str], view: TreeView) -> Watch | None:
    """A variable that a cited file of variables (``.env.example``) sets: it is rested on in that file."""
    if not name.isupper():
        return None
    files = [one for one in cited if language_of(one) == "dotenv" and name in view.code_words(one)]
    return Watch(WatchKind.IDENT, name=name, inside=tuple(files[:1])) if files else None


def is_said_code(text: str, token: Token) -> bool:
    """Whether the words around a name say what kind of code it is: "the `x` helper", "`x` 함수"."""
    around = text[max(0, token.start - 24) : token.start], text[token.end : token.end + 24]
    return bool(_CODE_NOUN_AHEAD.search(around[0]) or _CODE_NOUN.match(around[1]))


def lines_watch(path: str, data: bytes | None, lines: tuple[int, int]) -> Watch | None:
    """A watch of cited lines with their quote; None when the file has not so many."""
    text = (data or b"").decode("utf-8", "replace").splitlines()
    first, last = lines
    if last > len(text):
        return None
    around = ("\n".join(text[max(0, first - 3) : first - 1]), "\n".join(text[last : last + 2]))
    quote = Quote("\n".join(text[first - 1 : last]), *around)
    return Watch(WatchKind.LINES, path=path, lines=lines, quote=quote)
