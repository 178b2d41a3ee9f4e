"""Memories that only repeat a line of a rules file that every agent reads anyway (domain.md section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from gitmem.model.text_folding import folded

_BETWEEN = re.compile(r"[\W_]+")
_LINK = re.compile(r"!?\[([^\[\]\n]*)\](?:\([^()\n]*\)|\[[^\[\]\n]*\])")
"""What a Markdown link leads to is no word of the sentence."""
_FRONT_MATTER = re.compile(r"\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"(?m)^([A-Za-z]+)[ \t]*:[ \t]*([^\r\n#]*[^\r\n# \t])?")
_SHORTEST = 12
"""Letters; a shorter text stands in any file by chance."""


def repeated(summaries: Mapping[str, str], rules: Iterable[str]) -> frozenset[str]:
    """Ids of the memories whose rule stands in one of the files, but for case, white space, markup and line ends.

    Args:
        summaries: Rule by memory id.
        rules: Texts of the files.
    """
    texts = [f" {_plain(text)} " for text in rules]
    plain = {memory: _plain(summary) for memory, summary in summaries.items()}
    return frozenset(
        memory
        for memory, rule in plain.items()
        if len(rule) >= _SHORTEST and any(f" {rule} " in text for text in texts)
    )


def is_always_loaded(path: str, text: str) -> bool:
    """Whether an agent reads a rules file in every session, as its front matter says it.

    Cursor wants ``alwaysApply: true``; Copilot's instructions an ``applyTo`` of everything; Claude Code's rules no ``paths``.

    Args:
        path: Of the file; a file outside of the folders of such rules is loaded always.
        text: Of the file.
    """
    head = _FRONT_MATTER.match(text)
    fields = dict(_FIELD.findall(head[1])) if head else {}
    if path.startswith(".cursor/rules/"):
        return path.endswith((".mdc", ".md")) and fields.get("alwaysApply", "").casefold() == "true"
    if path.startswith(".github/instructions/"):
        return fields.get("applyTo", "").strip("\"'") in {"**", "**/*"}
    return "paths" not in fields


def _plain(text: str) -> str:
    return _BETWEEN.sub(" ", folded(_LINK.sub(r"\1", text))).strip()
