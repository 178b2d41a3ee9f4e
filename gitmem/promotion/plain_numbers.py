"""The spellings of a number that nobody can take for another one, in one form."""

from __future__ import annotations

import re
from typing import Final

from gitmem.promotion.quantities import Quantity

_PLAIN: Final = re.compile(r"(?P<number>-?(?:0|[1-9]\d*)(?:\.\d+)?)[ \t-]?(?P<unit>\S*)")
_WORDS: Final = {
    word: str(value)
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
        ]
    )
}
_NATIVE: Final = {
    word: str(value)
    for value, word in enumerate(["한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열"], 1)
}
_SAFE_UNITS: Final = {
    name: names[0]
    for names in (
        line.split()
        for line in (
            "ms msec msecs millisecond milliseconds 밀리초",
            "seconds s sec secs second 초",
            "minutes min mins minute",
            "hours hr hrs hour h",
            "days day d",
            "weeks week",
            "months month",
            "years year",
            "% percent 퍼센트",
            "KB",
            "KiB",
            "MB",
            "MiB",
            "GB",
            "GiB",
            "TB",
            "TiB",
            "bytes byte 바이트",
        )
    )
    for name in names
}
"""Units by how they are written. ``m``, ``b`` and ``k`` may mean several things, so they stay; so do Korean ones that also count
other things (``분``, ``일``)."""
_TIMES: Final = re.compile(
    r"(?:까지|만|씩|이상|이나|넘게|더)?\s*(?:다시|재시도|재전송|재요청|재호출|시도|호출|실패|반복|연속|이상|넘게|더)"
)
_SPELLED: Final = re.compile(r"(?P<number>[A-Za-z]+)(?:[ -](?P<unit>\S+))?")
_COUNTED: Final = re.compile(
    r"(?P<number>\d+|[가-힣]+?)\s?(?P<counter>번|개월|개|명|가지|건|곳|배|글자|시간)"
)
"""What may also be numbered is left out: ``3행`` is the third row, ``세 행`` are three."""


def plain_number(one: Quantity, text: str) -> str | None:
    """How a number of a text is spelled for comparison; None when it stays as it is written."""
    return _counted(one, text) or _with_unit(one) or _in_words(one)


def _with_unit(one: Quantity) -> str | None:
    match = _PLAIN.fullmatch(one.text)
    if match is None or one.unit == "clock":
        return None
    if not match["unit"]:
        return match["number"]
    unit = _SAFE_UNITS.get(match["unit"])
    return f"{match['number']} {unit}" if unit else None


def _in_words(one: Quantity) -> str | None:
    match = _SPELLED.fullmatch(one.text)
    number = _WORDS.get(match["number"].lower()) if match else None
    if match is None or number is None:
        return None
    if not match["unit"]:
        return number
    unit = _SAFE_UNITS.get(match["unit"])
    return f"{number} {unit}" if unit else None


def _counted(one: Quantity, text: str) -> str | None:
    """A Korean count. ``2번`` before a thing is the second one, ``두 번`` twice; before what is done both are twice."""
    match = _COUNTED.fullmatch(one.text)
    if match is None:
        return None
    number = match["number"] if match["number"].isdigit() else _NATIVE.get(match["number"])
    is_twice = match["counter"] != "번" or not match["number"].isdigit() or _TIMES.match(text, one.end)
    if number is None or not is_twice or number != str(int(number)):
        return None
    return f"{number} {match['counter']}"
