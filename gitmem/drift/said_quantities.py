"""Binding a statement's quantities to the one line of code that gives each: a limit, a pattern, a default.

The line has the number, as code or a pattern writes it, and a word of the sentence, in itself or in the name of what holds it. That was
found in one place, so it was verified there; a number that several lines could mean is bound to none. What a setting is told
to be (`gitmem.drift.binding`) is bound by the setting's name alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gitmem.drift.code_lines import CodeLines, Line, lines_watch, spelled
from gitmem.drift.concrete import Concern, concrete_things, value_forms
from gitmem.drift.quantities import Quantity, quantities
from gitmem.drift.speaking import telling_words, with_english
from gitmem.drift.statuses import STATUS
from gitmem.drift.view import TreeView
from gitmem.model.watch import Watch

MOST_QUANTITIES = 4
_TERMS = {
    "retry": "attempt",
    "retri": "attempt",
    "attempt": "retri",
    "time": "count",
    "char": "character",
    "sec": "second",
    "min": "minute",
}
"""What code and sentences call alike."""
_IMPORT = re.compile(r"\s*(?:import|from|use|using|#include|require)\b")


def said_quantities(text: str, view: TreeView, files: Sequence[str]) -> Iterator[Watch]:
    """Watches of the lines that give the quantities of a statement.

    Args:
        text: The statement.
        view: The tree.
        files: The files that the scope matches.
    """
    settings = (one.value for one in concrete_things(text) if one.kind is Concern.SETTING)
    given = frozenset(form for value in settings for form in value_forms(value))
    told = [one for one in quantities(text) if given.isdisjoint(one.number) and not _is_all(one)][
        :MOST_QUANTITIES
    ]
    if not told:
        return
    lines = CodeLines(view, files, sorted({form for one in told for form in one.number}))
    for one in told:
        line = _the_line(one, lines)
        if line is not None:
            yield lines_watch([line])


def _the_line(one: Quantity, lines: CodeLines) -> Line | None:
    """The line that shares most words with the sentence; None when several do."""
    number = _number(one)
    meant = _with_terms(one.words)
    ranked: list[tuple[int, Line]] = []
    for line in lines:
        plain = _plain(line.code)
        if number.search(plain) and not _IMPORT.match(plain):
            shared = meant & _with_terms(telling_words(spelled(plain)))
            if _is_enough(one, shared):
                ranked.append((len(shared), line))
    best = max((shared for shared, _ in ranked), default=0)
    first = [line for shared, line in ranked if shared == best]
    return first[0] if len(first) == 1 and len(ranked) <= MOST_ALIKE else None


def _is_all(one: Quantity) -> bool:
    return "100" in one.number and one.unit in {"%", "percent"}


MOST_ALIKE = 4
"""Lines with the number and a word of the sentence; of more none is meant for sure."""


_SPREAD = re.compile(
    r"(?i)(?:ms|millis\w*|s|secs?|seconds?|m|mins?|minutes?|h|hours?|days?|weeks?|months?|[kmg]i?b|bytes?|%|percent|times?)"
)
"""Units that numbers of all sorts have."""


def _is_enough(one: Quantity, shared: frozenset[str]) -> bool:
    """Two words; one for a number of three digits, or where it is the unit and a rare one; a status needs none."""
    if one.unit == STATUS or not shared or len(shared) > 1:
        return one.unit == STATUS or bool(shared)
    rare = not one.unit.isascii() or _SPREAD.fullmatch(one.unit) is None
    return (min(map(len, one.number)) > TELLING_DIGITS and one.number.isdisjoint(_ROUND)) or (
        bool(one.unit) and rare and not shared.isdisjoint(telling_words(with_english(one.unit)))
    )


TELLING_DIGITS = 2
_ROUND = frozenset({"100", "128", "200", "256", "500", "512", "1000", "1024", "10000"})
"""Numbers that are anywhere."""


def _number(one: Quantity) -> re.Pattern[str]:
    forms = "|".join(sorted(map(re.escape, one.number), key=len, reverse=True))
    if one.unit == STATUS:  # ``HTTP_404_NOT_FOUND``, ``http.StatusNotFound``
        return re.compile(rf"(?<![A-Za-z0-9])(?:{forms})(?![A-Za-z0-9])")
    return re.compile(rf"(?<![\w.])(?:{forms})(?![\d.]|[A-Za-z]{{3,}}\d)")


def _plain(code: str) -> str:
    return re.sub(r"(?<=\d)_(?=\d)", "", code)


def _with_terms(words: frozenset[str]) -> frozenset[str]:
    return words | {_TERMS[one] for one in words if one in _TERMS}
