"""A tree in memory that the drift rules can look at: a mapping of paths to text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from gitmem.drift.content.outline import Outline
from gitmem.drift.content.parts import Parts, parts_of
from gitmem.drift.content.reading import code_names, code_words, outline
from gitmem.drift.interval import Interval
from gitmem.drift.marks import capture_mark
from gitmem.drift.pairing import pair_listings
from gitmem.drift.seen import Seen
from gitmem.drift.watching import judge_mark
from gitmem.model.change import MODE_FILE, TreeEntry
from gitmem.model.glob import parse_glob
from gitmem.model.validation import Mark
from gitmem.model.watch import Watch

Files = Mapping[str, str | bytes]
"""Path to content."""


class TreeOfText:
    """One state of the code."""

    def __init__(self, files: Mapping[str, str | bytes]) -> None:
        self.files = {path: _bytes(content) for path, content in sorted(files.items())}

    def paths(self) -> Mapping[str, str]:
        return {path: hashlib.sha1(data).hexdigest() for path, data in self.files.items()}

    def is_folder(self, path: str) -> bool:
        return any(one.startswith(path + "/") for one in self.files)

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def outline(self, path: str) -> Outline | None:
        data = self.files.get(path)
        return outline(path, data) if data is not None else None

    def parts(self, path: str, name: str) -> Parts | None:
        data = self.files.get(path)
        return parts_of(path, data, name) if data is not None else None

    def code_words(self, path: str) -> frozenset[str]:
        data = self.files.get(path)
        return code_words(path, data) if data is not None else frozenset()

    def code_names(self, path: str) -> frozenset[str]:
        data = self.files.get(path)
        return code_names(path, data) if data is not None else frozenset()

    def preload(self, paths: Iterable[str]) -> None:
        pass

    def files_with(self, words: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        return {
            word: tuple(path for path, data in self.files.items() if _has_word(word, data)) for word in words
        }

    def folder_id(self, path: str) -> str | None:
        inside = [(one, oid) for one, oid in self.paths().items() if one.startswith(path + "/")]
        return hashlib.sha1(repr(inside).encode()).hexdigest() if inside else None

    def matching(self, globs: Sequence[str]) -> tuple[str, ...]:
        """The files that a scope matches."""
        parsed = [parse_glob(glob) for glob in globs]
        return tuple(path for path in self.files if any(glob.matches(path.encode()) for glob in parsed))


def _bytes(content: str | bytes) -> bytes:
    return content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content


def _has_word(word: str, data: bytes) -> bool:
    return re.search(rb"(?<!\w)" + re.escape(word.encode()) + rb"(?!\w)", data) is not None


def between(then: Files, now: Files, folds: Sequence[tuple[Files, Files]] = ()) -> Interval:
    """What lies between two trees, rows paired as git pairs them."""
    old, new = TreeOfText(then), TreeOfText(now)
    rows = pair_listings(_entries(old), _entries(new), old.read, new.read)
    return Interval(new, old, rows, [(TreeOfText(one), TreeOfText(other)) for one, other in folds])


def without_history(now: Files) -> Interval:
    """The judged tree alone, as in a clone that lacks the baseline's commit."""
    return Interval(TreeOfText(now), None)


def _entries(view: TreeOfText) -> list[TreeEntry]:
    return [TreeEntry(path, MODE_FILE, oid) for path, oid in view.paths().items()]


def mark_of(watch: Watch, files: Files, scope: Sequence[str] = ("**",)) -> Mark:
    """What a watch holds in a tree."""
    view = TreeOfText(files)
    return capture_mark(watch, view, view.matching(scope))


def judged(
    watch: Watch,
    then: Files,
    now: Files,
    *,
    scope: Sequence[str] = ("**",),
    folds: Sequence[tuple[Files, Files]] = (),
    history: bool = True,
) -> Seen:
    """What became of a watch between two trees; without history the stored mark alone speaks for the old one."""
    interval = between(then, now, folds) if history else without_history(now)
    return judge_mark(mark_of(watch, then, scope), interval, TreeOfText(now).matching(scope))
