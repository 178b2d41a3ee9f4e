"""Imports that a statement says are there: "the workers import `src/sim/**` directly", "`src/sim` 을 직접 import 한다".

What is named must be a folder or file of code that the scope imports already; which of the two is the importer is then
no matter of grammar. A sentence that prohibits anything says no import.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from gitmem.drift.content.language import language_of
from gitmem.drift.imported import occurrences
from gitmem.drift.places import Places
from gitmem.drift.view import TreeView
from gitmem.drift.words import code_spans
from gitmem.model.watch import Watch, WatchKind

MOST_IMPORTS = 3
_IMPORTS = re.compile(
    r"(?i)(?<![\w./-])(?:re-?)?import(?:s|ed|ing)?(?![a-z0-9_-])|임포트|불러\s?(?:오|온|와)|インポート|导入|導入|引入|匯入"
)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])(?=\s|$)|[;；]|\n")
_PATH = re.compile(r"\.{0,2}/?[\w@.+-]+(?:/[\w@.+-]+)*/?")


def said_imports(
    text: str, view: TreeView, files: Sequence[str], places: Places, banned: Iterable[int]
) -> Iterator[Watch]:
    """Watches of the folders and files that a statement says the scope imports.

    Args:
        text: The statement.
        view: The tree.
        files: The files that the scope matches.
        places: Looks paths up.
        banned: Where prohibited names stand.
    """
    named = dict.fromkeys(_named(text, places, view, tuple(banned)))
    for name in list(named)[:MOST_IMPORTS]:
        watch = Watch(WatchKind.IMPORT, name=name)
        if occurrences(watch, view, files):
            yield watch


def _named(text: str, places: Places, view: TreeView, banned: Sequence[int]) -> Iterator[str]:
    spans = [(first + width, last - width) for first, last, width in code_spans(text)]
    plain = text
    for first, last in spans:
        plain = plain[:first] + " " * (last - first) + plain[last:]
    for begin, end in _sentences(text):
        if _IMPORTS.search(plain, begin, end) is None or any(begin <= at < end for at in banned):
            continue
        for first, last in spans:
            if begin <= first < end and (path := _place(text[first:last].strip(), places, view)):
                yield path


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for found in _SENTENCE_END.finditer(text):
        yield begin, found.start()
        begin = found.end()
    yield begin, len(text)


def _place(said: str, places: Places, view: TreeView) -> str | None:
    """A folder, or a file of code, by a path with a slash in it; a glob of all that is below means the folder."""
    plain = re.sub(r"/\*{1,2}(?:/\*)?$", "/", said)
    if "/" not in plain.strip("/") or not _PATH.fullmatch(plain):
        return None
    path = f"{plain.rstrip('/')}/" if view.is_folder(plain.rstrip("/")) else places.find(plain)
    if path is None or path.endswith("/"):
        return path
    return path if language_of(path) not in {"prose", "text", "json", "yaml", "toml"} else None
