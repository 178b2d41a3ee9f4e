"""The lines of code in which a statement's words are looked for: those of its scope, without comments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from gitmem.drift.content.language import is_lock, language_of
from gitmem.drift.content.leaves import decode, with_blank_comments
from gitmem.drift.exclusions import is_excluded, is_rules_file
from gitmem.drift.places import is_test
from gitmem.drift.view import TreeView
from gitmem.model.watch import Quote, Watch, WatchKind

MOST_FILES = 40
"""Files that are read for one statement; of a wider scope those that have its words."""
LONGEST = 400
"""Characters of a line that a person wrote."""


_PATTERNS = (
    (re.compile(r"\\d|\[0-9\]"), " digit "),
    (re.compile(r"\\w|\[[a-zA-Z0-9_\\-]{3,}\]"), " character letter "),
)


class Line(NamedTuple):
    """One line: its file, its number from 1, as written, and without its comment."""

    path: str
    number: int
    raw: str
    code: str


class CodeLines:
    """The lines of the code in a scope; tests count only where nothing else is there.

    Args:
        view: The tree.
        files: The files that the scope matches.
        words: One of them must be in a file of a wide scope.
    """

    def __init__(self, view: TreeView, files: Sequence[str], words: Iterable[str]) -> None:
        self._view, self._words = view, tuple(dict.fromkeys(words))
        self._files = [path for path in files if is_code(path)]

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The files that are read; none when too many of them have the words."""
        chosen = [path for path in self._files if not is_test(path)] or self._files
        if len(chosen) > MOST_FILES and self._words:
            hits = {path for found in self._view.files_with(self._words).values() for path in found}
            chosen = [path for path in chosen if path in hits]
        if len(chosen) > MOST_FILES:
            return ()
        self._view.preload(chosen)
        return tuple(chosen)

    def __iter__(self) -> Iterator[Line]:
        return iter(self._lines)

    @cached_property
    def _lines(self) -> tuple[Line, ...]:
        return tuple(line for path in self.files for line in self.of(path))

    def of(self, path: str) -> Iterator[Line]:
        """The lines of one file that have code."""
        text = decode(self._view.read(path) or b"")
        code = with_blank_comments(language_of(path), text).split("\n")
        for number, (raw, plain) in enumerate(zip(text.split("\n"), code, strict=True), 1):
            if plain.strip() and len(plain) <= LONGEST:
                yield Line(path, number, raw, plain)


def is_code(path: str) -> bool:
    """Whether a file holds code or settings that somebody wrote."""
    return not (language_of(path) == "prose" or is_lock(path) or is_excluded(path) or is_rules_file(path))


def lines_watch(lines: Sequence[Line]) -> Watch:
    """A watch of consecutive lines of one file."""
    quote = Quote("\n".join(line.raw.strip() for line in lines))
    return Watch(WatchKind.LINES, path=lines[0].path, lines=(lines[0].number, lines[-1].number), quote=quote)


def spelled(code: str) -> str:
    """Code with what its patterns match in words, so that ``[0-9]{7}`` speaks of digits."""
    for pattern, words in _PATTERNS:
        code = pattern.sub(words, code)
    return code
