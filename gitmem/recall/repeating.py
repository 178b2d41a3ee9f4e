"""Memories that only repeat a line of a rules file that every agent reads anyway (domain.md section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from gitmem.model.text_folding import folded

_BETWEEN = re.compile(r"[\W_]+")
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


def _plain(text: str) -> str:
    return _BETWEEN.sub(" ", folded(text)).strip()
