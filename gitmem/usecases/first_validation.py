"""The validation that a proposal brings along, so that drift has a baseline from the start."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, NamedTuple

from gitmem.drift.capturing import Captured, capture_memory, search_together
from gitmem.drift.scopes import ScopeSpec
from gitmem.git.interface import Repository
from gitmem.model.ids import random_suffix
from gitmem.model.memory import Memory
from gitmem.model.validation import Baseline, Validation
from gitmem.store.validations import validation_path
from gitmem.usecases.contents import Contents
from gitmem.usecases.request import Target
from gitmem.usecases.rewording import words_digest
from gitmem.usecases.states import State


class Looker(NamedTuple):
    """Who found it true, when and how."""

    by: str
    at: datetime
    how: Literal["looked", "replay"] = "looked"


class First(NamedTuple):
    """A first validation, how many paths of the code the memory's scope matches there, and what it rests on."""

    validation: Validation
    matched: int
    captured: Captured


def first_validation(
    repository: Repository, memory: Memory, spec: ScopeSpec, commit: str, looker: Looker
) -> First:
    """Capture a memory that lies in no file yet.

    Args:
        repository: The repository.
        memory: The memory as its file will say it.
        spec: Its scope, elements replaced by their paths.
        commit: The state of the code that it is captured in.
        looker: Who found it true.
    """
    view = State(repository, Target("commit", commit), Contents(repository)).view
    search_together([memory], view)
    matched = view.matched_paths(spec)
    captured = capture_memory(memory, view, matched, spec.include)
    baseline = Baseline(
        commit=commit,
        tree=repository.tree_of(commit),
        scope=view.match(spec).digest,
        marks=captured.marks,
        unparsed=captured.unparsed,
    )
    file = validation_path(memory.id, looker.at, random_suffix())
    words = words_digest(memory)
    validation = Validation(memory.id, looker.at, looker.by, looker.how, words, baseline, file)
    return First(validation, len(matched), captured)
