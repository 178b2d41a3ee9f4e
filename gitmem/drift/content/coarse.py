"""How a file was compared, when that was not by its syntax or its values: in words, for evidence."""

from __future__ import annotations

from gitmem.drift.content import grammar
from gitmem.drift.content.language import basename, language_of, title
from gitmem.drift.content.outline import Outline

INSTALL = "pip install 'gitmem-ledger[full]'"


def compared(path: str, *sides: Outline | None) -> str:
    """Why and how the two sides were compared coarsely; empty when by syntax tree or by value.

    Args:
        path: Path of the file.
        sides: Both outlines; None for a side that has none (binary content, a file that is too large).
    """
    if None in sides:
        return "compared whole: binary, or too large to be read"
    coarsest = max((one for one in sides if one is not None), key=lambda one: _ORDER[one.level])
    if coarsest.level in {"syntax", "value"}:
        return ""
    if coarsest.note:
        return coarsest.note
    how = "by white space" if coarsest.level == "text" else "without comments and white space"
    return f"compared {how}: {_no_parser(path, coarsest.language)}"


_ORDER = {"syntax": 0, "value": 0, "leaves": 1, "text": 2}


def _no_parser(path: str, language: str) -> str:
    if language == "prose":
        return "it is prose"
    if language != "text":
        return f"no parser for {title(language)}"
    _, dot, extension = basename(path).rpartition(".")
    return f"no parser for .{extension}" if dot and extension else "no parser for files of this name"


def cosmetic_words(how: str) -> str:
    """What differs when nothing that counts does, by how the two sides were compared."""
    if not how:
        return "only comments, docstrings or formatting"
    return "only white space" if "by white space" in how else "only comments or formatting"


def has_parser(title_of_language: str) -> bool:
    """Whether the parser of a language, named as people write it, is installed here."""
    return any(
        title(language) == title_of_language and grammar.is_installed(language)
        for language in grammar.LANGUAGES
    )


def missing_parser(path: str) -> str | None:
    """The language of a file whose parser exists and is not installed here; None for every other file."""
    language = language_of(path)
    if language not in grammar.LANGUAGES or grammar.is_installed(language):
        return None
    return title(language)
