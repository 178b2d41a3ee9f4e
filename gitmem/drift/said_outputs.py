"""Files that a statement says code writes, "목록을 `var/pages.yaml`에 저장": their names as text of the scope's code.

Such a file is often not in the tree, and one that is there may stay when the code goes on to write another. Its name stood as a
string in the code of the scope, which was verified, and is watched to go on standing there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from posixpath import basename

from gitmem.drift.code_lines import CodeLines
from gitmem.drift.view import TreeView
from gitmem.drift.words import code_spans
from gitmem.model.watch import Watch, WatchKind

MOST_FILES = 3
"""Files of the scope whose code has the name; of more none in particular writes it."""
_FILE = re.compile(r"(?:[~.]?[\w.@{}<>$-]*/)*(?P<name>[\w-][\w.-]*\.[a-z][a-z0-9]{1,5})", re.ASCII)
_WRITTEN = re.compile(
    r"(?i)\b(?:writ(?:es?|ten|ing)|sav(?:es?|ed|ing)|stor(?:es?|ed|ing)|dump(?:s|ed)?|outputs?|emit(?:s|ted)?|generat(?:es?|ed|ing)|creat(?:es?|ed|ing)"
    r"|produc(?:es?|ed)|export(?:s|ed)?|persist(?:s|ed)?|record(?:s|ed)?|append(?:s|ed)?|logs?\s+to|logged)\b"
    r"|저장|기록|생성|출력|내보내|만든다|만듭니다|쓴다|씁니다|保存|出力|生成|書き|書き込|記録|作成|写入|寫入|输出|輸出|存储|記錄|记录"
)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])(?=\s|$)|\n")


def said_outputs(text: str, view: TreeView, files: Sequence[str], banned: Iterable[int]) -> Iterator[Watch]:
    """Watches of the names of files that the code of a statement's scope writes.

    Args:
        text: The statement.
        view: The tree.
        files: The files that the scope matches.
        banned: Where prohibited names stand.
    """
    without, scope = tuple(banned), {basename(path) for path in files}
    for name in dict.fromkeys(_named(text, without)):
        if name in scope:
            continue
        lines = CodeLines(view, files, [name])
        whole = re.compile(rf"[\"'`/]{re.escape(name)}[\"'`]")
        places = {line.path for line in lines if whole.search(line.code)}
        if 0 < len(places) <= MOST_FILES and all(name in view.code_words(path) for path in places):
            yield Watch(WatchKind.IDENT, name=name)


_MADE = re.compile(
    r"(?i)\b(?:writes?|written|writing|saves?|saved|dump(?:s|ed)?|outputs?|emit(?:s|ted)?|generat(?:es?|ed|ing)|creat(?:es|ed|ing)|produc(?:es?|ed)"
    r"|export(?:s|ed)?\s+(?:to|as|into))\b|저장(?=하|한|합|된|됩)|기록(?=하|한|합|된|됩)|생성(?=하|한|합|된|됩)|출력(?=하|한|합|된|됩)|保存(?=し|さ|する)|出力(?=し|さ|する)|生成|書き出|書き込|写入|寫入|输出到|輸出到"
)


def is_made(text: str, start: int, end: int) -> bool:
    """Whether the sentence around a path of a text says that something writes it, so that no tree need have it."""
    begin = max((one.end() for one in _SENTENCE_END.finditer(text, 0, start)), default=0)
    close = _SENTENCE_END.search(text, end)
    return _MADE.search(text[begin:start] + text[end : close.start() if close else len(text)]) is not None


def _named(text: str, without: Sequence[int]) -> Iterator[str]:
    for first, last, width in code_spans(text):
        found = _FILE.fullmatch(text[first + width : last - width].strip())
        if found is None or any(first <= at < last for at in without):
            continue
        begin = max((one.end() for one in _SENTENCE_END.finditer(text, 0, first)), default=0)
        end = _SENTENCE_END.search(text, last)
        if _WRITTEN.search(text[begin:first] + text[last : end.start() if end else len(text)]):
            yield found["name"]
