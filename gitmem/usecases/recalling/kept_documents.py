"""Where the index of recall's documents is kept, and what it stands for; light, since every recall asks."""

# pathlib is a slow import:
# ruff: noqa: PTH118
from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING, NamedTuple

from gitmem.store.shelf import source_state
from gitmem.store.term_index import TermIndex, load_index

if TYPE_CHECKING:
    from datetime import date

    from gitmem.git.interface import Repository
    from gitmem.recall.testified import Outcome
    from gitmem.trust.branch import Trusted


class Source(NamedTuple):
    """What an index is made from.

    Args:
        trusted: The branch, its commit the one whose memories count.
        ai: Id of that commit's ``.ai`` folder; empty when it cannot be told cheaply.
        outcomes: What came of sessions.
        file: Where the index is kept; empty keeps none.
        today: The day after which nothing can have been found true yet; None knows of none.
    """

    trusted: Trusted
    ai: str
    outcomes: tuple[Outcome, ...] = ()
    file: str = ""
    today: date | None = None


def index_file(repo: Repository) -> str:
    return os.path.join(os.fspath(repo.layout.common_dir), "gitmem", "cache", "recall.sqlite")


def documents_edition() -> str:
    """Names the modules that decide what an index holds."""
    return source_state(("recall", "usecases/recalling", "store", "model", "redaction"))


def document_state(source: Source) -> str:
    """What an index of this source stands for; empty when nothing kept can be trusted to stand for it."""
    if not source.ai:
        return ""
    sessions = "\n".join(f"{one.session} {one.commit}" for one in source.outcomes)
    told = zlib.crc32(sessions.encode("utf-8", "surrogatepass"))
    return f"{documents_edition()} {source.ai} {told:08x}"


def load_documents(source: Source) -> TermIndex | None:
    """The kept index of exactly this source; None when it has to be made."""
    state = document_state(source)
    return load_index(source.file, state) if state and source.file else None
