"""What a session touches, and whether a memory bears on that."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.errors import GitmemError
from gitmem.git.program import ProgramRepository
from gitmem.recall.reminding import is_worth_telling
from gitmem.trust.branch import Trusted
from gitmem.usecases.recalling.cards import Card
from gitmem.usecases.trusted import trusted_branch

_MOST_PATHS = 30


def bears_on(card: Card, asked: str, touched: Sequence[str]) -> bool:
    """Whether to tell a memory to an agent that did not ask for it."""
    told = " ".join((card.label, card.title or "", card.summary, *card.elements))
    return is_worth_telling(asked, touched, told=told, paths=card.paths, exclude=card.exclude)


def has_memories(repo: ProgramRepository, trusted: Trusted | None = None) -> bool:
    """Whether the trusted branch has a ``.ai`` folder at all; asked first, since most projects begin without."""
    tip = (trusted or trusted_branch(repo)).commit
    return tip is not None and repo.find_objects([f"{tip}:.ai"])[0] is not None


def touched_paths(repo: ProgramRepository, more: Sequence[str]) -> tuple[str, ...]:
    """What differs from HEAD in the work tree, and some more paths; not too many."""
    dirty: list[str] = []
    if repo.layout.work_tree is not None:
        try:
            dirty = sorted(repo.status().all)
        except GitmemError:
            dirty = []
    return tuple(dict.fromkeys([*dirty[:_MOST_PATHS], *more[-_MOST_PATHS:]]))
