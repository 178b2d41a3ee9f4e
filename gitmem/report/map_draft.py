"""`gitmem map --draft` as text and as JSON."""

from __future__ import annotations

from typing import Any

from gitmem.report.counts import count_of
from gitmem.store.elements import FILE
from gitmem.usecases.drafting import Drafted


def draft_document(drafted: Drafted) -> dict[str, Any]:
    """The elements, and what became of the file."""
    return {
        "file": FILE,
        "outcome": drafted.outcome,
        "elements": [
            {"name": one.name, "level": str(one.level), "paths": list(one.paths), "inside": one.inside}
            for one in drafted.elements.elements
        ],
        "text": drafted.text,
    }


def draft_sentence(drafted: Drafted) -> str:
    """What became of the file, and what to do next."""
    count = count_of(len(drafted.elements.elements), "element")
    return {
        "made": f"wrote {FILE} with {count}: rename, merge and remove at will, then commit",
        "renewed": f"renewed {FILE}: {count}",
        "same": f"{FILE} has these {count} already; nothing was changed",
        "kept": f"{FILE} was edited and is kept; this is what a new draft would hold ({count})",
        "bare": f"a bare repository has no work tree to write to; this is the draft ({count})",
        "empty": "HEAD holds no source code to draw elements from; nothing was written",
    }[drafted.outcome]
