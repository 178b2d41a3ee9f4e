"""Written watches that name nothing in the work tree: drift could say no more of them than unknown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gitmem.drift.absence import absence
from gitmem.git.interface import Repository
from gitmem.model.memory import Memory, Status
from gitmem.model.problem import Problem
from gitmem.store.elements import FILE as ELEMENTS
from gitmem.store.elements import parse_elements
from gitmem.store.memories import parse_memory
from gitmem.store.positions import memory_position
from gitmem.usecases.ai_files import is_memory_file
from gitmem.usecases.contents import Contents
from gitmem.usecases.request import Target
from gitmem.usecases.states import State
from gitmem.usecases.subjects import spec_of

_LIVE = frozenset({Status.CANDIDATE, Status.ACTIVE, Status.CHALLENGED})


def watch_problems(repo: Repository, files: Mapping[str, bytes]) -> Iterator[Problem]:
    """A warning for each watch that finds nothing, at its place in the file, with the nearest that there is.

    Args:
        repo: A repository with a work tree.
        files: Repository path and bytes of everything below ``.ai``, as in the work tree.
    """
    memories = [
        memory
        for path, data in files.items()
        if is_memory_file(path) and b"watch" in data and (memory := parse_memory(path, data).memory)
    ]
    watching = [one for one in memories if one.watch and one.status in _LIVE]
    if not watching:
        return
    view = State(repo, Target("worktree"), Contents(repo)).view
    elements = parse_elements(ELEMENTS, files[ELEMENTS]).elements if ELEMENTS in files else None
    for memory in watching:
        named = elements.paths_of(memory.scope.elements) if elements is not None else ()
        scope = view.matched_paths(spec_of((*memory.scope.paths, *named), memory.scope.exclude))
        for number, watch in enumerate(memory.watch or ()):
            words = absence(watch, view, scope)
            if words is not None:
                yield _problem(memory, files[memory.file], number, f"{watch}: {words}")


def _problem(memory: Memory, data: bytes, number: int, message: str) -> Problem:
    line, column = memory_position(memory.file, data, "watch", number)
    hint = "correct it: drift cannot check what is not there"
    return Problem(memory.file, line, column, "watch", message, hint, "warning")
