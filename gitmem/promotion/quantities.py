"""Numbers with their units, as prose writes them in English, Korean, Japanese and Chinese.

``3s``, ``3 seconds``, ``three seconds``, ``삼 초`` and ``3초`` are one quantity, and so are ``90 seconds`` and ``1.5 minutes``. Digits
inside names, versions glued to a word (``utf8``) and list numbers are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final, NamedTuple


class Quantity(NamedTuple):
    """One number.

    Args:
        value: In the base unit.
        unit: ``ms``, ``months``, ``KB``, ``KiB``, ``%``…, or empty for a plain count. Those that no fixed factor converts are apart.
        text: As written, with its unit.
        noun: The word behind a plain count.
        start: Where it stands.
        end: One past its last character.
    """

    value: Decimal
    unit: str
    text: str
    noun: str
    start: int
    end: int

    @property
    def key(self) -> tuple[Decimal, str]:
        return self.value, self.unit

    @property
    def dimension(self) -> str:
        """What its unit measures: ``30 days`` and ``1 month`` are two times."""
        return "" if self.unit.startswith("version") else _DIMENSIONS.get(self.unit, self.unit)

    @property
    def spelling(self) -> str:
        """How `unified` spells it."""
        if self.unit.startswith("version") or self.unit == "every":
            return self.text
        digits = f"{self.value:f}"
        value = digits.rstrip("0").rstrip(".") if "." in digits else digits
        return f"{value} {self.unit}".strip()


_TIME: Final = {
    "ms": (1, "ms msec msecs millisecond milliseconds millis 밀리초 ミリ秒 毫秒"),
    "s": (1_000, "s sec secs second seconds 초 초간 秒 秒間 秒钟"),
    "m": (60_000, "m min mins minute minutes 분 분간 分 分間 分钟"),
    "h": (3_600_000, "h hr hrs hour hours 시간 時間 小时"),
    "d": (86_400_000, "d day days 일 일간 日 日間 天"),
    "w": (604_800_000, "w week weeks 주 주일 주간 週間 周"),
}
_MONTHS: Final = {
    "mo": (1, "month months 개월 달 か月 ヶ月 个月"),
    "y": (12, "year years 년 년간 年 年間"),
}
_SIZES: Final = {
    "bytes": "b byte bytes 바이트 バイト 字节",
    "KB": "kb k kilobyte kilobytes 킬로바이트",
    "KiB": "kib kibibyte kibibytes",
    "MB": "mb megabyte megabytes meg megs 메가바이트 메가",
    "MiB": "mib mebibyte mebibytes",
    "GB": "gb gigabyte gigabytes 기가바이트 기가",
    "GiB": "gib gibibyte gibibytes",
    "TB": "tb terabyte terabytes",
    "TiB": "tib tebibyte tebibytes",
}
_BITS: Final = {
    "Kbit": "Kb kbit kbits kilobits",
    "Mbit": "Mb mbit mbits megabits",
    "Gbit": "Gb gbit gbits gigabits",
}
"""``10 Mb`` are bits and ``10 MB`` bytes: here alone letter case says something."""
_SHARE: Final = {"%": (1, "% percent 퍼센트 프로 パーセント")}
_DIMENSIONS: Final = dict.fromkeys((*_SIZES, *_BITS), "size") | {"ms": "time", "months": "time"}


def _units() -> dict[str, tuple[int, str]]:
    table: dict[str, tuple[int, str]] = {}
    for dimension, base in ((_TIME, "ms"), (_MONTHS, "months"), (_SHARE, "%")):
        for factor, names in dimension.values():
            table.update(dict.fromkeys(names.split(), (factor, base)))
    for base, names in (_SIZES | _BITS).items():
        table.update(dict.fromkeys(names.split(), (1, base)))
    return table


_UNITS: Final = _units()
_ENGLISH: Final = {
    word: value
    for value, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen")
    )
} | {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90, "hundred": 100, "thousand": 1000,
    "once": 1, "twice": 2, "thrice": 3, "dozen": 12, "half": 0.5,
}  # fmt: skip
_NATIVE: Final = {
    "한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10, "스무": 20,
}  # fmt: skip
_DIGITS: Final = {
    "영": 0, "공": 0, "일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "육": 6, "칠": 7, "팔": 8, "구": 9,
    "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
}  # fmt: skip
_TENS: Final = {"십": 10, "백": 100, "천": 1000, "十": 10, "百": 100, "千": 1000}
_COUNTERS: Final = "번|회|개월|개|명|가지|단계|줄|건|곳|차례|배|자리|글자|문자|요청|시도|행|페이지|호출|스레드|커넥션|回|个|個|次|件|人|行"
_CJK_UNITS: Final = "|".join(
    sorted((re.escape(name) for name in _UNITS if ord(name[0]) > 0x2FFF), key=len, reverse=True)
)
_LATIN_UNITS: Final = "|".join(
    sorted((re.escape(name) for name in _UNITS if ord(name[0]) < 0x2FFF), key=len, reverse=True)
)
_ARABIC: Final = re.compile(
    rf"(?i)(?<![\w.#/@:-])(?P<sign>-)?(?P<number>\d{{1,3}}(?:[,_]\d{{3}})+|\d+(?:\.\d+)*)"
    rf"(?P<scale>만|억|천|k\b|K\b)?[ \t-]?(?:(?P<unit>{_CJK_UNITS}|(?:{_LATIN_UNITS})(?![A-Za-z0-9]))|(?P<counter>{_COUNTERS})|(?![A-Za-z_/]))?"
)
_SCALES: Final = {"만": 10_000, "억": 100_000_000, "천": 1_000, "k": 1_000}
_SPELLED: Final = re.compile(
    rf"(?i)(?<![\w-])(?P<number>{'|'.join(_ENGLISH)})(?![\w])(?:[ -](?P<unit>{_LATIN_UNITS})(?!\w))?"
)
_KOREAN: Final = re.compile(
    rf"(?<![\w])(?:(?P<native>{'|'.join(_NATIVE)})|(?P<sino>(?!이\s)[일이삼사오육칠팔구십백천]+)|(?P<han>[一二两三四五六七八九十百]+))\s?"
    rf"(?:(?P<unit>{_CJK_UNITS})|(?P<counter>{_COUNTERS}))"
)
_NATIVE_COUNT: Final = re.compile(rf"(?<![\w])(?P<native>{'|'.join(_NATIVE)})\s(?=[가-힣]{{2,}})(?P<unit>)")
_HAN: Final = re.compile(
    rf"(?P<han>[一二两三四五六七八九十百]+)(?:(?P<unit>{_CJK_UNITS})|(?P<counter>{_COUNTERS}))"
)
_LATIN_NOUN: Final = re.compile(
    r"[ \t-]+(?:more |times? |full |failed |parallel |concurrent )*([A-Za-z]{3,})"
)
_ONCE_ONLY: Final = re.compile(r" (?:per|a|every|only|at most|in)\b|[.,;]|$")
_NO_COUNT: Final = re.compile(r"(?i)\b(?:this|that|the|no|any|every|each|which|last|another|some)\s$")
_PRONOUN: Final = re.compile(
    r"\s(?:of|another|that|which|who|by|or|and|is|has|can|must|should)\b|\W*$|[.,;:!?)]"
)


def quantities(text: str) -> tuple[Quantity, ...]:
    """Every number of a text in order."""
    found = sorted(
        (*_clock(text), *_often(text), *_arabic(text), *_spelled(text), *_korean(text), *_days(text)),
        key=lambda one: (one.start, -one.end),
    )
    kept: list[Quantity] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return tuple(kept)


def unified(text: str) -> tuple[str, tuple[Quantity, ...]]:
    """The text with each number in one spelling, and the numbers as they were written."""
    found = quantities(text)
    for one in reversed(found):
        text = f"{text[: one.start]}{one.spelling}{text[one.end :]}"
    return text, found


def _clock(text: str) -> Iterator[Quantity]:
    for match in re.finditer(r"(?<![\w.:])(\d{1,2}):([0-5]\d)(?![\w:])", text):
        yield Quantity(Decimal(int(match[1]) * 60 + int(match[2])), "clock", match[0], "", *match.span())


_OFTEN: Final = {
    "매분": "m", "매시간": "h", "hourly": "h", "매일": "d", "daily": "d", "nightly": "d", "毎日": "d", "每天": "d", "매주": "w", "weekly": "w",
    "毎週": "w", "每周": "w", "매달": "mo", "매월": "mo", "monthly": "mo", "毎月": "mo", "每月": "mo", "매년": "y", "yearly": "y", "annually": "y",
}  # fmt: skip
_HOW_OFTEN: Final = re.compile(rf"(?i)(?<![\w-])(?:{'|'.join(_OFTEN)})(?![A-Za-z-])")


_MONTH_IN_MS: Final = 2_592_000_000
_EVERY: Final = _TIME | {unit: (factor * _MONTH_IN_MS, "") for unit, (factor, _) in _MONTHS.items()}


def _often(text: str) -> Iterator[Quantity]:
    for match in _HOW_OFTEN.finditer(text):
        factor, _ = _EVERY[_OFTEN[match[0].lower()]]
        yield Quantity(Decimal(factor), "every", match[0], "", *match.span())


def _arabic(text: str) -> Iterator[Quantity]:
    for match in _ARABIC.finditer(text):
        digits = re.sub("[,_]", "", match["number"])
        if _is_written_so(digits) or match["unit"] in _NO_UNITS:
            yield Quantity(Decimal(0), f"version {match[0].strip()}", match[0].strip(), "", *match.span())
            continue
        value = (
            Decimal(digits) * _SCALES.get((match["scale"] or "").lower(), 1) * (-1 if match["sign"] else 1)
        )
        yield _quantity(text, match, value, match["unit"])


_NO_UNITS: Final = frozenset("BDHMSW")
"""``3D`` is no time."""
_MOST_DIGITS: Final = 20


def _is_written_so(digits: str) -> bool:
    """Whether a number is what its digits are: a version, a mode, the number of an agent or of an account."""
    is_version = digits.count(".") > 1 or ("." in digits and digits.endswith("0"))
    return is_version or (digits[0] == "0" and digits[1:2].isdigit()) or len(digits) >= _MOST_DIGITS


def _spelled(text: str) -> Iterator[Quantity]:
    for match in _SPELLED.finditer(text):
        word = match["number"].lower()
        if not (word in {"one", "once"} and _counts_nothing(text, match)):
            yield _quantity(text, match, _ENGLISH[word], match["unit"])


def _counts_nothing(text: str, match: re.Match[str]) -> bool:
    """Whether "one" is a pronoun, or "once" a conjunction."""
    behind, word = text[match.end() :], match["number"].lower()
    if word == "once":
        return not _ONCE_ONLY.match(behind)
    return _NO_COUNT.search(text[: match.start()]) is not None or _PRONOUN.match(behind) is not None


def _korean(text: str) -> Iterator[Quantity]:
    for pattern in (_KOREAN, _NATIVE_COUNT, _HAN):
        for match in pattern.finditer(text):
            native = match.groupdict().get("native")
            value = _NATIVE[native] if native else _composed(match.groupdict().get("sino") or match["han"])
            yield _quantity(text, match, value, match["unit"])


_DAYS: Final = {
    "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8, "아흐레": 9, "열흘": 10, "보름": 15,
}  # fmt: skip
_DAY: Final = re.compile(
    rf"(?<![가-힣])(?:{'|'.join(_DAYS)})(?=\s|간|에|마다|만|까지|동안|이|가|을|를|$|[,.])"
)


def _days(text: str) -> Iterator[Quantity]:
    for match in _DAY.finditer(text):
        yield Quantity(Decimal(_DAYS[match[0]] * _TIME["d"][0]), "ms", match[0], "", *match.span())


def _composed(word: str) -> int:
    total, digit = 0, 0
    for letter in word:
        if letter in _TENS:
            total += (digit or 1) * _TENS[letter]
            digit = 0
        else:
            digit = _DIGITS[letter]
    return total + digit


def _quantity(whole: str, match: re.Match[str], value: Decimal | float, unit: str | None) -> Quantity:
    factor, base = (_UNITS.get(unit) or _UNITS[unit.lower()]) if unit else (1, "")
    noun = "" if unit else _noun(whole, match)
    text = match[0].rstrip(" \t-")
    return Quantity(Decimal(value) * factor, base, text, noun, match.start(), match.start() + len(text))


def _noun(text: str, match: re.Match[str]) -> str:
    behind = _LATIN_NOUN.match(text, match.end())
    return behind[1] if behind else ""
