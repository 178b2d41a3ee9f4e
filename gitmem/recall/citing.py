"""Memories that an agent cites in what it says: ``(memory: m-021)``, ``(memories: m-021, m-040)``. Pure.

Being cited is testimony, so only this form counts: an id that merely occurs may be one that a tool printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from gitmem.model.ids import is_memory_id

_CITATION = re.compile(r"\(\s*memor(?:y|ies):\s*([^()\n]{3,600})\)", re.IGNORECASE)
_PARTS = re.compile(r"[\s,;`\"'*]+")
_MOST = 200


def cited_ids(texts: Iterable[str]) -> tuple[str, ...]:
    """Ids in order of their first citation.

    Args:
        texts: What the agent said.
    """
    found: dict[str, None] = {}
    for text in texts:
        for citation in _CITATION.finditer(text):
            for word in _PARTS.split(citation[1]):
                if is_memory_id(word) and len(found) < _MOST:
                    found[word] = None
    return tuple(found)
