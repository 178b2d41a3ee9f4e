"""Whether the edited lines of a file speak of a statement.

A file that is watched whole, because the words of a statement name nothing narrower, **rests on the lines that speak the
statement's words**. An edit of other lines is no reason to doubt it:

- Telling are the words of the statement that the watched files have, too: parts of identifiers, stems, numbers of two
  digits and more, pairs of Hangul, Han and Katakana letters, and the English of common technical terms. The words of a
  file's own path say nothing about its lines.
- The words of one code span tell together: of `bun publish` two must be there, so that ``bun build`` speaks of something else.
- A changed line, old or new, speaks by its own words, by those of what encloses it – the heads of definitions, sections
  and keys around it – and by the comments that belong to either; those of what encloses it must have two of the words, and
  what a class inherits from says nothing of its lines. Comments that changed alone and imports do not count.
- Where the watched files have none of the statement's words nothing can be told, and every edit counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from gitmem.drift.content.language import language_of
from gitmem.drift.content.leaves import decode, with_blank_comments
from gitmem.drift.vocabulary import ENGLISH_TERMS, UNTELLING
from gitmem.drift.words import code_spans

MOST_LINES = 6_000
"""Lines of a longer file are compared without their order, each by its own words."""
WHOLE = 1 / 3
"""What encloses more of a file than this is like the file itself."""
_WORD = re.compile(r"\d+(?:\.\d+)+|\d{2,}|[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]+")
_LETTERS = re.compile(r"[\u30a0-\u30ff]{2,}|[\u3400-\u9fff]{2,}|[\uac00-\ud7af]{2,}")
_ENDINGS = ("ing", "ed", "es", "s")
_SHORTEST = 3
_SECTION = re.compile(r"\s*(?:\[{1,2}[\w.\"'-][^\]]*\]{1,2}\s*$|#{1,6} \S)")
_IMPORT = re.compile(
    r"\s*+(?:import\b|from\s.+\simport\b|(?:pub\s+)?use\s|using\s|#include\b|export\s.+\sfrom\s|.*\brequire\([^)]*\);?$)"
)
_GO_IMPORT = re.compile(r"\s*+(?:import\s.*|(?:\w+\s)?\"[\w./-]+\")$")
_BASES = re.compile(r"\b((?:class|interface)\s+\w++)[^{]*+")
"""Of what encloses a line its own name speaks; what it inherits from says nothing of the line."""
_QUOTES = ("'", '"')
_FEW = 40
"""Lines; what is shorter is never taken for the whole file."""
_BRACKETS = frozenset("{}[]();, ")


class Edited(NamedTuple):
    """A watched file before and after."""

    path: str
    old: bytes
    new: bytes


def telling_words(text: str) -> frozenset[str]:
    """The words of a text by which a line of code can be told to speak of the same."""
    found = {_stem(word) for raw in _WORD.findall(text) if _tells(word := raw.lower())}
    for letters in _LETTERS.findall(text):
        found.update(letters[at : at + 2] for at in range(len(letters) - 1))
    return frozenset(found - UNTELLING)


_SCHEDULED = re.compile(
    r"(?i)\b(?:every|each)\s+(?:\d+\s+|other\s+)?(?:minutes?|hours?|days?|nights?|weeks?|months?)\b|\b(?:hourly|daily|nightly|weekly|monthly|twice\s+a\s+\w+)\b"
    r"|매일|매주|매월|매시간|시간마다|毎日|毎週|毎月|每天|每周|每月|每小时"
)


def with_english(text: str) -> str:
    """A statement with the English of the technical terms in it, as code writes them; a schedule is written as cron."""
    terms = [english for term, english in ENGLISH_TERMS.items() if term in text]
    return " ".join((text, *terms, *(["cron schedule"] if _SCHEDULED.search(text) else [])))


def _tells(word: str) -> bool:
    return word[0].isdigit() or (len(word) >= _SHORTEST and word not in UNTELLING)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word.removesuffix(ending)
    return word


def spoken(statement: str, files: Sequence[Edited]) -> tuple[bool | None, ...]:
    """Whether the edited lines of each file speak of a statement; None for each when its words tell nothing here.

    Args:
        statement: Title, summary and body.
        files: What is watched whole, edited or not.
    """
    said = [_said(statement).without(telling_words(one.path)) for one in files]
    if not any(words.all & telling_words(decode(one.old)) for words, one in zip(said, files, strict=True)):
        return (None,) * len(files)
    return tuple(_speaks(words, one) for words, one in zip(said, files, strict=True))


class _Said(NamedTuple):
    """The telling words of a statement: those of its prose, and those of each code span, which tell together."""

    words: frozenset[str]
    spans: tuple[frozenset[str], ...]

    @property
    def all(self) -> frozenset[str]:
        return self.words.union(*self.spans)

    def without(self, words: frozenset[str]) -> _Said:
        return _Said(self.words - words, tuple(span - words for span in self.spans))

    def is_in(self, words: frozenset[str], least: int = 1) -> bool:
        """Whether words speak of the statement: so many of its own, or those of one code span."""
        return len(self.words & words) >= min(least, max(1, len(self.words))) or any(
            span and len(span & words) >= min(_TOGETHER, len(span)) for span in self.spans
        )


_TOGETHER = 2
_AROUND = 2
"""Words of the statement that the comments of what encloses a line must have: one is soon found in a long docstring."""


def _said(statement: str) -> _Said:
    spans, prose = [], statement
    for first, last, width in code_spans(statement):
        spans.append(telling_words(statement[first + width : last - width]))
        prose = prose[:first] + " " * (last - first) + prose[last:]
    return _Said(telling_words(with_english(prose)), tuple(spans))


def _speaks(said: _Said, one: Edited) -> bool:
    old, new = _Lines(one.path, one.old), _Lines(one.path, one.new)
    if max(len(old.folded), len(new.folded)) > MOST_LINES:
        lines = set(old.folded) ^ set(new.folded)
        return any(said.is_in(telling_words(line)) for line in lines)
    matcher = SequenceMatcher(None, old.folded, new.folded, autojunk=False)
    return any(
        side.speaks(at, said)
        for kind, *ends in matcher.get_opcodes()
        if kind != "equal"
        for side, span in ((old, ends[:2]), (new, ends[2:]))
        for at in range(*span)
    )


class _Lines:
    """The lines of one file, as written and without comments."""

    def __init__(self, path: str, data: bytes) -> None:
        text = decode(data)
        language = language_of(path)
        self.raw = text.split("\n")
        self.code = with_blank_comments(language, text).split("\n")
        self.folded = [" ".join(line.split()) for line in self.code]
        self._imports = _GO_IMPORT if language == "go" else _IMPORT
        self._whole: dict[int, bool] = {}
        self._sections: list[int | None] = []
        for at, line in enumerate(self.code):
            last = self._sections[-1] if self._sections else None
            self._sections.append(at if _SECTION.match(line) else last)

    def speaks(self, at: int, said: _Said) -> bool:
        """Whether one line or what encloses it has one of the words."""
        if not self.folded[at] or self._imports.match(self.code[at]):
            return False
        heads = list(self._heads(at))
        own = [self.code[at], *self._comments(at), *(_BASES.sub(r"\1", self.code[head]) for head in heads)]
        if said.is_in(telling_words("\n".join(own))):
            return True
        around = (line for head in heads for line in self._comments(head))
        return said.is_in(telling_words("\n".join([*own, *around])), least=_AROUND)

    def _heads(self, at: int) -> Iterator[int]:
        """What encloses a line, by indentation and sections."""
        width = _indent(self.code[at])
        for above in range(at - 1, -1, -1):
            if not width:
                break
            line = self.code[above]
            if line.strip() and _indent(line) < width and not _BRACKETS.issuperset(line):
                width = _indent(line)
                if not self._is_whole(above):
                    yield above
        section = self._sections[at]
        if section is not None and section != at:
            yield section

    def _is_whole(self, head: int) -> bool:
        """Whether what begins at a line takes most of the file."""
        if head not in self._whole:
            width, end = _indent(self.code[head]), head + 1
            while end < len(self.code) and (not self.folded[end] or _indent(self.code[end]) > width):
                end += 1
            self._whole[head] = end - head > max(WHOLE * len(self.code), _FEW)
        return self._whole[head]

    def _comments(self, at: int) -> Iterator[str]:
        """The comments right above a line, and the docstring right below it."""
        for step in (-1, 1):
            near = at + step
            if step > 0 and not "".join(self.raw[near : near + 1]).lstrip(" rRuU").startswith(_QUOTES):
                return
            while 0 <= near < len(self.raw) and self.raw[near].strip() and not self.folded[near]:
                yield self.raw[near]
                near += step


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
