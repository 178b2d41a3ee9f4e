"""What filling in vectors came to, as text and as the JSON document of `gitmem embed`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gitmem.report.counts import count_of
from gitmem.report.sanitise import visible
from gitmem.usecases.embedding.filling import Filled


def filled_lines(filled: Filled) -> Iterator[str]:
    """One or two lines."""
    if filled.settings is None:
        if not filled.problem:
            yield "No provider of vectors is configured, so recall goes by words alone."
            yield "git config gitmem.embed.model offline, or gitmem.embed.url and gitmem.embed.model (gitmem embed -h)"
        return
    by = f"{filled.settings.model} ({filled.settings.host})" if filled.settings.url else "the offline model"
    if not filled.wanted and not filled.problem:
        yield "Nothing is known here yet: there is no memory, candidate or element to make a vector of."
        return
    kept = filled.wanted - filled.missing
    yield visible(f"{count_of(filled.added, 'vector')} made by {by}, {kept} of {filled.wanted} are here")


def filled_document(filled: Filled) -> dict[str, Any]:
    """The ``embed`` document."""
    settings = filled.settings
    return {
        "model": settings.model if settings else None,
        "url": settings.url if settings else None,
        "wanted": filled.wanted,
        "added": filled.added,
        "missing": filled.missing,
        "problem": filled.problem,
    }
