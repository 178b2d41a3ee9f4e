"""What a statement says that a definition or a place is for, where that decides what an edit or a move means.

"Add the provider to the `models` map" speaks of a place that grows: entries that come and go are what it asks for, and it is
doubted once most of it is another. "The old screens are still in `legacy/`" says that nobody moved them yet: once somebody did
it is false, though a path alone would only have moved. "`serializer` is deprecated" says that it still is there, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gitmem.drift.interval import Interval
from gitmem.drift.placing import ANOTHER_SHARE
from gitmem.drift.seen import Seen
from gitmem.drift.words import code_spans
from gitmem.model.validation import Mark
from gitmem.model.verdict import Verdict
from gitmem.model.watch import WatchKind

_FAR = 120
_ADD = re.compile(
    r"(?i)\b(?:add|append|insert|register|list|include|declare|put)(?:s|ed|ing)?\b[^.;\n]{0,80}\b(?:to|in|into|under|on)\s+(?:[A-Za-z'-]{1,20}\s+){0,3}$"
)
_ADDED_CJK = re.compile(
    r"(?:\(\))?`?\s?(?:[가-힣]{1,4}\s?)?에(?:도|만|는)?\s[^.\n]{0,40}?(?:추가|등록|넣)|(?:\(\))?`?\s?(?:に|へ)(?:も)?[^。\n]{0,40}?(?:追加|登録)"
)
_ADD_HAN = re.compile(r"(?:添加|加入|注册|註冊|登记|登記)(?:到|至|进|進|在)?\s?$")
_STILL = re.compile(
    r"(?i)\bstill\b|\bremains?\b|\bnot\s+(?:yet\s+)?(?:been\s+)?(?:moved|migrated)\b|아직|여전히|まだ|依然|仍|还在|還在"
)
_CLAUSE = re.compile(r"[^.;,()\n。、；，（）]*(?:\.(?=[\w/])[^.;,()\n。、；，（）]*)*")


def by_purpose(text: str, seen: Sequence[tuple[Mark, Seen]], interval: Interval) -> list[tuple[Mark, Seen]]:
    """The findings, with those of places to add to softened and those of what is said to be there still hardened.

    Args:
        text: The statement.
        seen: What was found of each watch.
        interval: Baseline to judged tree.
    """
    return [(mark, _meant(text, mark, one, interval)) for mark, one in seen]


def _meant(text: str, mark: Mark, seen: Seen, interval: Interval) -> Seen:
    first, kind = seen.findings[0], mark.watch.kind
    if mark.watch.is_prohibition and kind is WatchKind.IDENT and first.verdict in _KEPT:
        ended = is_deprecated(text, mark.watch.name or "") and _left(mark, interval)
        return (
            _told(seen, Verdict.CHANGED, ", and the words say that it is deprecated, no more")
            if ended
            else seen
        )
    if first.verdict is Verdict.CHANGED and kind in {WatchKind.SYMBOL, WatchKind.KEY}:
        grows = (first.share or 0.0) < ANOTHER_SHARE and is_added_to(text, _last_name(mark))
        return _told(seen, Verdict.TOUCHED, "; the words say to add to it") if grows else seen
    if (
        first.verdict is Verdict.RELOCATED
        and kind is WatchKind.PATH
        and is_still_at(text, mark.watch.path or "")
    ):
        return _told(seen, Verdict.CHANGED, ", and the words say that it still is there")
    return seen


_KEPT = frozenset({Verdict.FRESH, Verdict.TOUCHED})


def _left(mark: Mark, interval: Interval) -> bool:
    """Whether files of the scope had the name and none of them has it now; a file that went tells nothing."""
    held = [path for path, _ in mark.sample[: mark.counts[0]]] if mark.counts else []
    here = [path for path in held if path in interval.now.paths()]
    return bool(held) and len(here) == len(held) and not any(_has(mark, path, interval) for path in here)


def _has(mark: Mark, path: str, interval: Interval) -> bool:
    return (mark.watch.name or "") in interval.now.code_words(path)


def _last_name(mark: Mark) -> str:
    return (mark.watch.name or "").rpartition(".")[2]


def _told(seen: Seen, verdict: Verdict, because: str) -> Seen:
    first, *others = seen.findings
    return replace(seen, findings=(replace(first, verdict=verdict, reason=first.reason + because), *others))


def is_added_to(text: str, name: str) -> bool:
    """Whether a statement tells people to add something to what is called so."""
    return bool(name) and any(
        _ADD.search(text, max(0, first - _FAR), first) is not None
        or _ADD_HAN.search(text, max(0, first - _FAR), first) is not None
        or _ADDED_CJK.match(text, last) is not None
        for first, last in _places(text, name)
    )


def _places(text: str, name: str) -> Iterator[tuple[int, int]]:
    """Where the name stands, as code or as a whole word; without its backtick before it."""
    for found in re.finditer(rf"(?<![\w.])(?:[\w.]{{1,60}}\.)?{re.escape(name)}(?![\w])", text):
        yield found.start() - text.startswith("`", found.start() - 1), found.end()


def is_deprecated(text: str, name: str) -> bool:
    """Whether a statement says of a name that it is deprecated, which only what is there can be."""
    return bool(name) and any(_DEPRECATED.match(text, last) is not None for _, last in _places(text, name))


_DEPRECATED = re.compile(
    r"[^.;\n。]{0,60}?(?:\b(?:is|are|was|were)\s+(?:now\s+)?deprecated\b|deprecated(?:다|이|되|로)|사용\s?중단|非推奨|(?:已|被)(?:弃用|棄用))"
)


def is_still_at(text: str, path: str) -> bool:
    """Whether a statement says of a path that something still is there."""
    whole = f"/{path.strip('/')}"
    spans = [
        (first, text[first + width : last - width].strip().strip("./"))
        for first, last, width in code_spans(text)
    ]
    named = [first for first, told in spans if told and whole.endswith(f"/{told}")]
    clauses = (found.span() for found in _CLAUSE.finditer(text) if _STILL.search(found[0]))
    return any(begin <= at < end for begin, end in clauses for at in named)
