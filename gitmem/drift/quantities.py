"""Numbers in a statement that say how much, how many, how long or which port: "7+ digits", "max 3", "port 8976", "최대 5회".

Pure on text. A version, a date, the number of an item, a section, an issue or a step is no quantity.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gitmem.drift.concrete import value_forms
from gitmem.drift.speaking import telling_words, with_english
from gitmem.drift.statuses import SAID, STATUS, status_names

_N = r"(?P<n>\d[\d_,]*(?:\.\d+)?)"
_AHEAD = r"(?<![A-Za-z0-9_.,:/#$§~^=<>@-])"
_CUE = (
    r"(?:max(?:imum)?|min(?:imum)?|at\s+(?:most|least)|up\s+to|no\s+more\s+than|fewer\s+than|less\s+than|more\s+than|over|under|above|below|exceed(?:s|ing)?"
    r"|limit(?:ed|s)?|cap(?:ped|s)?|ports?|threshold|timeouts?|retr(?:y|ies)|within|after|every|status|returns?|HTTP|exactly|defaults?|of|to|by|is|are|=|×|x)"
)
_UNIT_WORD = (
    r"(?:times?|retries|attempts?|tries|digits?|char(?:acter)?s?|letters?|words?|bytes?|bits?|[kmg]i?b|ms|millis\w*|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?"
    r"|months?|items?|entries|rows?|records?|lines?|workers?|threads?|connections?|requests?|pages?|results?|levels?|columns?|tokens?|px|pixels?|percent|%|users?"
    r"|members?|files?|slots?|rounds?|iterations?|samples?|messages?|events?|jobs?|tasks?|instances?|replicas?|shards?|partitions?|dimensions?|points?)"
)
_UNIT_CJK = r"(?:자리|자|회|번|개|초|분|시간|일|주|개월|바이트|글자|줄|행|페이지|명|건|배|桁|回|個|秒|分|時間|日|文字|行|件|名|次|个|小时|天|字符|位)"
_COUNTED = re.compile(
    rf"{_AHEAD}{_N}(?P<more>\+)?(?:[\s-]?(?:to|or|[-–])\s?\d[\d_,]*)?(?:(?P<cjk>\s?{_UNIT_CJK})|[\s-]?`?(?P<unit>{_UNIT_WORD})(?![\w]))"
)
_TOLD = re.compile(
    rf"(?i)(?<![A-Za-z0-9_.-])(?:{_CUE}(?:\s+(?:to|of|at|is|are|a|the|about|around))?|최대|최소|최장|포트|상한|하한|제한|매|最大|最小|最多|最少|上限|ポート|端口)[\s:=]{{0,9}}`?{_N}(?![A-Za-z0-9_]|[.,]\d)"
)
_ASSIGNED = re.compile(rf"(?<=[\w`)] )(?:=|==|≤|<=|>=|≥|<|>)\s{{0,9}}`?{_N}(?![A-Za-z0-9_]|[.,]\d)")
_CELL = re.compile(rf"(?<=\|)\s*`?{_N}`?\s*(?=\|)")
"""A cell of a table that holds a number alone."""
_ORDINAL = re.compile(
    r"(?i)(?:step|section|phase|issue|pr|rule|chapter|figure|table|version|v|node|python|react|level|part|section|adr|rfc|pep|tier)\W{0,3}$"
)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])(?=\s|$)|\n")


class Quantity(NamedTuple):
    """One number that says how much.

    Args:
        number: As code may write it; of a time also in seconds and milliseconds, of a status of HTTP its names.
        words: Telling words of its sentence, those of its unit among them.
        unit: The word of its unit; empty where it has none.
    """

    number: frozenset[str]
    words: frozenset[str]
    unit: str = ""


def quantities(text: str) -> tuple[Quantity, ...]:
    """The quantities of a statement in the order in which they stand there, each once."""
    found: dict[int, tuple[str, str]] = {}
    for match in _COUNTED.finditer(text):
        if _ORDINAL.search(text[: match.start()]) is None:
            found[match.start("n")] = (match["n"], (match["unit"] or match["cjk"] or "").strip())
    for pattern in SAID:
        found |= {match.start("n"): (match["n"], STATUS) for match in pattern.finditer(text)}
    for pattern in (_TOLD, _ASSIGNED, _CELL):
        for match in pattern.finditer(text):
            if _ORDINAL.search(text[: match.start("n")].rstrip("`")) is None:
                found.setdefault(match.start("n"), (match["n"], ""))
    every = (
        Quantity(_forms(number, unit), _words(text, at, number), unit)
        for at, (number, unit) in sorted(found.items())
    )
    return tuple(dict.fromkeys(one for one in every if one.number))


def _forms(number: str, unit: str) -> frozenset[str]:
    """None of nought and one, which are everywhere."""
    plain = number.rstrip(",_.")
    if unit == STATUS:
        return frozenset({plain}) | status_names(plain)
    forms = value_forms(f"{plain}{unit.lower()}") | value_forms(plain)
    return frozenset(one for one in forms if one not in {"0", "1"})


def _words(text: str, at: int, number: str) -> frozenset[str]:
    first = max((one.end() for one in _SENTENCE_END.finditer(text, 0, at)), default=0)
    end = _SENTENCE_END.search(text, at)
    sentence = text[first : end.start() if end else len(text)]
    return frozenset(
        one for one in telling_words(with_english(sentence)) if one not in number and not one.isdecimal()
    )
