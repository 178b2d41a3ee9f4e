"""Judging a quoted line by what the statement says of it: a line that is written otherwise and still says it is touched.

Told of a line are its numbers, the code spans that stand in it, and its words, as far as the statement has them. A line with none
of the first two is judged by its text alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from gitmem.drift.code_lines import spelled
from gitmem.drift.content.language import language_of
from gitmem.drift.content.leaves import decode, with_blank_comments
from gitmem.drift.interval import Interval
from gitmem.drift.quantities import quantities
from gitmem.drift.seen import Seen
from gitmem.drift.speaking import telling_words, with_english
from gitmem.drift.statuses import STATUS
from gitmem.drift.words import code_spans
from gitmem.model.validation import Mark
from gitmem.model.verdict import CHALLENGING, Verdict
from gitmem.model.watch import WatchKind

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")


class _Told(NamedTuple):
    """What a statement says of one line."""

    numbers: frozenset[str]
    spans: tuple[str, ...]
    words: frozenset[str]

    def is_in(self, code: str) -> bool:
        return (
            self.numbers <= _numbers(code)
            and all(span in " ".join(code.split()) for span in self.spans)
            and self.words <= telling_words(spelled(code))
        )


def standing(text: str, seen: Sequence[tuple[Mark, Seen]], interval: Interval) -> list[tuple[Mark, Seen]]:
    """What became of each watch, lines that still say what the statement tells of them softened.

    Args:
        text: The statement.
        seen: The watches, derived from its words, and what became of them.
        interval: Baseline to judged tree.
    """
    return [(mark, _stood(text, mark, one, interval)) for mark, one in seen]


def _stood(text: str, mark: Mark, seen: Seen, interval: Interval) -> Seen:
    quote = mark.watch.quote
    if mark.watch.kind is not WatchKind.LINES or seen.verdict not in CHALLENGING or quote is None:
        return seen
    found = seen.findings[0]
    told = _told(text, quote.exact)
    place = found.new_path or mark.watch.path or ""
    if "\n" in quote.exact or told is None:
        return seen
    line = next((number for number, code in _code(place, interval) if told.is_in(code)), None)
    if line is None:
        return seen
    says = ", ".join((*sorted(told.numbers), *told.spans))
    reason = f"the quoted line is written otherwise; {place}:{line} still says {says}"
    return replace(seen, findings=(replace(found, verdict=Verdict.TOUCHED, reason=reason, share=None),))


def _told(text: str, line: str) -> _Told | None:
    spans = (" ".join(text[first + width : last - width].split()) for first, last, width in code_spans(text))
    told = quantities(text)
    forms = frozenset(form for one in told for form in one.number)
    statuses = sorted(form for one in told if one.unit == STATUS for form in one.number)
    held = tuple(dict.fromkeys(one for one in (*spans, *statuses) if len(one) > 1 and one in line))
    numbers = _numbers(line) & (forms | _numbers(text))
    words = telling_words(with_english(text)) & telling_words(spelled(line))
    return _Told(numbers, held, frozenset(words)) if held or (numbers and words) else None


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(re.sub(r"(?<=\d)[_,](?=\d)", "", text)))


def _code(path: str, interval: Interval) -> Iterator[tuple[int, str]]:
    data = interval.now.read(path)
    if data is not None:
        code = with_blank_comments(language_of(path), decode(data))
        yield from enumerate(code.split("\n"), 1)
