"""Claims of presence that one file more or many files less make false.

- **A counted list**, "Two anchors live there: `test_a.py` and `test_b.py`": the count is closed, so that another file of the
  same folder and pattern tells against it.
- **A universal one**, "every app must have an `.npmrc`": false once most of the files of that name that the scope matched are
  gone. Files whose one content went to a single place are one that moved, however many they were.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from os.path import commonprefix
from posixpath import basename, dirname, splitext

from gitmem.drift.interval import Interval
from gitmem.drift.scope_change import ScopeAt
from gitmem.drift.seen import Seen
from gitmem.drift.words import code_spans
from gitmem.model.validation import Mark
from gitmem.model.verdict import CHALLENGING, Verdict
from gitmem.model.watch import WatchKind

MOST_GONE = 0.6
LEAST_FILES = 3
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_KOREAN = ("", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열")
_HAN = ("", "一", "两", "三", "四", "五", "六", "七", "八", "九", "十")
_EVERY = re.compile(r"(?i)\b(?:every|each|all)\b|모든|마다|각\s|전부|すべて|全て|各|ごとに|每个|每個|所有|都")


def counts(text: str, number: int) -> bool:
    """Whether a text counts this many of something: "Two anchors", "네 가지", "3つ", "两个"."""
    if not 1 < number < len(_NUMBERS):
        return False
    english = rf"(?i)(?<![\w.-])(?:{_NUMBERS[number]}|{number})\s+(?:[a-z-]+\s+){{0,3}}?[a-z]+s\b"
    korean = (
        rf"(?:(?<![가-힣]){_KOREAN[number]}|(?<![A-Za-z\d_.-]){number})\s?(?:가지|개|종|곳|군데|파일|단계)"
    )
    han = rf"(?:{_HAN[number]}|(?<![A-Za-z\d_.-]){number})\s?(?:つ|個|个|種|种|件|ファイル|文件)"
    prose = re.sub(r"`[^`]*`|\([^()]*\)", " ", text)
    return any(re.search(pattern, prose) is not None for pattern in (english, korean, han))


def recounted(text: str, seen: Sequence[tuple[Mark, Seen]], interval: Interval) -> list[tuple[Mark, Seen]]:
    """What became of each watch, files of a counted list challenged by one that came beside them.

    Args:
        text: The statement.
        seen: The watches, derived from its words, and what became of them.
        interval: Baseline to judged tree.
    """
    paths = [mark.watch.path or "" for mark, _ in seen if mark.watch.kind is WatchKind.PATH]
    files = [path for path in paths if not path.endswith("/")]
    came = _beside(files, interval) if counts(text, len(files)) else None
    if came is None:
        return list(seen)
    reason = f"{came} came beside it, and the words count {len(files)}"
    return [(mark, _more(one, reason) if mark.watch.path in files[:1] else one) for mark, one in seen]


def _more(seen: Seen, reason: str) -> Seen:
    if seen.verdict in CHALLENGING:
        return seen
    first, *others = seen.findings
    return replace(seen, findings=(replace(first, verdict=Verdict.CHANGED, reason=reason), *others))


def _beside(files: Sequence[str], interval: Interval) -> str | None:
    """A file that came into the folder of these files, called by their pattern; they were most of those there."""
    folder, suffix = dirname(files[0]), splitext(files[0])[1]
    lead = commonprefix([basename(path) for path in files])  # noqa: RUF071 - letters that the names share are meant
    lead = lead[: max((lead.rfind(sign) for sign in "_-."), default=-1) + 1]
    if interval.then is None or any(dirname(path) != folder or splitext(path)[1] != suffix for path in files):
        return None
    alike = re.compile(
        rf"{re.escape(f'{folder}/' if folder else '')}{re.escape(lead)}[^/_][^/]*{re.escape(suffix)}"
    )
    then = [path for path in interval.then.paths() if alike.fullmatch(path)]
    if 2 * len(files) <= len(then):
        return None
    moved = {row.new_path for row in interval.changes if row.status == "renamed" and row.old_path in then}
    new = interval.now.paths().keys() - interval.then.paths().keys() - moved
    return min((path for path in new if alike.fullmatch(path)), default=None)


def swept(text: str, scope: ScopeAt, interval: Interval) -> str | None:
    """In words, that most of the files that every place must have are gone; None when they are not, or it is not said.

    Args:
        text: The statement.
        scope: What its scope matches on both sides.
        interval: Baseline to judged tree.
    """
    if interval.then is None or _EVERY.search(text) is None:
        return None
    spans = (text[first + width : last - width].strip() for first, last, width in code_spans(text))
    for name in dict.fromkeys(basename(one) for one in spans):
        then = [path for path in scope.old if basename(path) == name]
        left = [path for path in then if path not in interval.now.paths()]
        if len(then) < LEAST_FILES or len(left) < MOST_GONE * len(then):
            continue
        places = {interval.follow_file(path, interval.then.paths().get(path)) for path in left} - {None}
        if len(left) - len(places) >= MOST_GONE * len(then):
            return f"{len(left) - len(places)} of {len(then)} files called {name} are gone"
    return None
