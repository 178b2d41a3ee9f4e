"""What the drift rules may ask of one state of the code; pure rules see trees only through this.

`gitmem.usecases` builds it from a commit, the index or the work tree; tests build it from a mapping.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from gitmem.drift.content.outline import Outline
from gitmem.drift.content.parts import Parts


class TreeView(Protocol):
    """One state of the code."""

    def paths(self) -> Mapping[str, str]:
        """Every file, symbolic link and gitlink of the tree: path to object id, in path order."""

    def is_folder(self, path: str) -> bool:
        """Whether the path (no trailing slash) is a folder in this tree."""

    def read(self, path: str) -> bytes | None:
        """Content of a file; None when it is absent, a gitlink, or over the size limit."""

    def outline(self, path: str) -> Outline | None:
        """Parsed content of a file; None when `read` has none or the file is binary."""

    def parts(self, path: str, name: str) -> Parts | None:
        """The parts of the definitions of a dotted name; None where no syntax tree tells them."""

    def code_words(self, path: str) -> frozenset[str]:
        """Names that occur in the file's code, comments and docstrings left out; empty for prose and lock files."""

    def code_names(self, path: str) -> frozenset[str]:
        """The same without what strings say, in languages in which a string is text."""

    def preload(self, paths: Iterable[str]) -> None:
        """Read many files in one batch before they are asked for one by one."""

    def files_with(self, words: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        """For each word the files of the whole tree whose text has it as a word, in path order; one search for all.

        Comments and prose count here: `code_words` of the few files found decides whether code has the name.
        """

    def folder_id(self, path: str) -> str | None:
        """Tree id of a folder (no trailing slash); None when there is no such folder."""
