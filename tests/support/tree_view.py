"""A tree in memory that the drift rules can look at: a mapping of paths to text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from gitmem.drift.content.outline import Outline
from gitmem.drift.content.reading import code_words, outline
from gitmem.model.glob import parse_glob


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

    def code_words(self, path: str) -> frozenset[str]:
        data = self.files.get(path)
        return code_words(path, data) if data is not None else frozenset()

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
