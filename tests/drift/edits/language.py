"""Edits of one file in one language, with what each means for one definition in it."""

from __future__ import annotations

from typing import NamedTuple


class Edits(NamedTuple):
    """A file and what may become of it.

    Args:
        path: The file's name.
        source: Its text.
        main: A definition, a piece of its text and another one that changes it.
        rows: Definition, piece of the file, what replaces it, and the verdict on the definition.
    """

    path: str
    source: str
    main: tuple[str, str, str]
    rows: tuple[tuple[str, str, str, str], ...]
