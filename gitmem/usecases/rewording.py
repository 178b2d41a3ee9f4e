"""Whether an edit of a memory's words says something else, or only says the same in another form.

Nobody confirms by an edit. One of the title or of the form alone, a comma or a capital, lifts no doubt; a statement that was
written anew is the word of whoever merged it, and yet unknown where what it rests on had changed before (drift.md, "The
validation and its baseline").
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final

from gitmem.drift.words_digest import text_digest
from gitmem.git.interface import Repository
from gitmem.model.memory import Memory
from gitmem.store.memories import parse_memory

MEMORY_FOLDER: Final = ".ai/memory"


def words_digest(memory: Memory) -> str:
    """Digest of the words a person approved: title, summary, body and watch."""
    return text_digest(memory.title, memory.summary, memory.body, memory.watch)


def is_restated(before: Memory, after: Memory) -> bool:
    """Whether the statement itself, or what it is watched by, differs in more than case, punctuation and white space."""
    return _statement(before) != _statement(after)


def _statement(memory: Memory) -> tuple[str, str]:
    return _folded(memory.summary or memory.title or ""), text_digest(None, "", None, memory.watch)


def _folded(text: str) -> str:
    """Letters and digits alone: what punctuation stands for in code (``-x``, ``!ok``) follows in backticks, and is kept there."""
    parts = unicodedata.normalize("NFKC", text).split("`")
    plain = ("".join(one for one in part.casefold() if one.isalnum()) for part in parts[::2])
    code = ("".join(part.split()) for part in parts[1::2])
    return "\0".join((*plain, "", *code))


def words_as_validated(repository: Repository, tip: str, wanted: Mapping[str, str]) -> Mapping[str, Memory]:
    """Memories as they were when somebody validated them, from one walk over the first-parent history.

    Args:
        repository: The repository.
        tip: Commit whose history is walked.
        wanted: By the path of a memory's file, the digest of the words that were validated.

    Returns:
        By the same path; what history does not have, by that path or its earlier names, is left out.
    """
    names, found = {path: path for path in wanted}, dict[str, Memory]()
    for _, changes in repository.log_changes(until=tip, under=[MEMORY_FOLDER], first_parent=True):
        for row in changes:
            file = names.get(row.new_path or "")
            if file is None or row.old_path is None or row.old_oid is None:
                continue
            data = repository.read_blob(row.old_oid).data
            memory = parse_memory(row.old_path, data).memory if data is not None else None
            if memory is not None and words_digest(memory) == wanted[file]:
                found[file] = memory
                names.pop(row.new_path or "")
            elif row.old_path != row.new_path:
                names[row.old_path] = names.pop(row.new_path or "")
        if not names:
            break
    return found
