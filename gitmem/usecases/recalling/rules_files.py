"""Which memories only repeat what the rules files of HEAD say, kept by the ids of those files."""

from __future__ import annotations

from gitmem.git.interface import Repository
from gitmem.store.shelf import Shelf
from gitmem.store.term_index import TermIndex
from gitmem.usecases.recalling.cards import card_of

RULES_FILES = (
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    ".github/copilot-instructions.md",
    ".claude/CLAUDE.md",
)
"""Files that agents load by themselves at the start of every session."""
RULES_FOLDERS = (".cursor/rules", ".github/instructions", ".claude/rules")
"""Of files of which only some are loaded always: `gitmem.recall.repeating.is_always_loaded`."""
_LARGEST = 256 * 1024


def repeating(repo: Repository, index: TermIndex, head: str) -> frozenset[str]:
    """Ids of the memories to leave out.

    Args:
        repo: The repository.
        index: Of the memories.
        head: Commit whose rules files count.
    """
    told = repo.find_objects([f"{head}:{path}" for path in (*RULES_FILES, *RULES_FOLDERS)])
    files = [one.oid for one in told if one is not None and one.kind == "blob"]
    folders = [
        folder
        for folder, one in zip(RULES_FOLDERS, told[len(RULES_FILES) :], strict=True)
        if one is not None and one.kind == "tree"
    ]
    if not files and not folders:
        return frozenset()
    from gitmem.recall.repeating import is_always_loaded, repeated

    ids = " ".join(one.oid for one in told if one is not None)
    shelf, key = Shelf(repo.layout.common_dir), f"{index.state} {ids}"
    held = shelf.get("repeats", key) if index.state else None
    if held is not None:
        return frozenset(held)
    parts = [entry for folder in folders for entry in repo.list_tree(head, under=folder)]
    names = [*("" for _ in files), *(entry.path for entry in parts)]
    blobs = repo.read_blobs([*files, *(entry.oid for entry in parts)], limit=_LARGEST)
    texts = [
        (name, (one.data or b"").decode("utf-8", "replace")) for name, one in zip(names, blobs, strict=True)
    ]
    cards = (card_of(plain) for _, plain in index.cards())
    found = repeated(
        {card.id: card.summary for card in cards},
        (text for name, text in texts if is_always_loaded(name, text)),
    )
    if index.state:
        shelf.put("repeats", key, tuple(sorted(found)))
    return found
