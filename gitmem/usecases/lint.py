"""Lint: every file below ``.ai`` judged, alone and against the others; pure, and one bad file never hides another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from datetime import date

from gitmem.model.element import Elements
from gitmem.model.memory import Memory
from gitmem.model.problem import Problem
from gitmem.model.text_folding import folded, hidden_characters
from gitmem.model.validation import Validation
from gitmem.store.elements import FILE as ELEMENTS
from gitmem.store.elements import parse_elements
from gitmem.store.memories import parse_memory
from gitmem.store.notes import parse_note
from gitmem.store.policies import (
    COMPACTION_POLICY,
    MEMORY_POLICY,
    ROUTES,
    parse_compaction_policy,
    parse_memory_policy,
    parse_routes,
)
from gitmem.store.validations import parse_validation
from gitmem.store.yaml_reading import FILE_LIMITS
from gitmem.usecases.lint_globs import Paths, element_problems, route_problems
from gitmem.usecases.lint_memories import Store, memory_problems

_MEMORY = ".ai/memory/"
_VALIDATIONS = ".ai/validations/"
_HIDDEN_SHOWN = 20


def lint_files(
    files: Mapping[str, bytes],
    tree_paths: Collection[str],
    *,
    symlinks: Collection[str] = (),
    approved: Collection[str] = (),
    generated: frozenset[str] = frozenset(),
    today: date | None = None,
) -> tuple[Problem, ...]:
    """Judge the files of gitmem.

    Args:
        files: Repository path and bytes of everything below ``.ai``.
        tree_paths: Every path of the tree, submodules included.
        symlinks: Paths below ``.ai`` that are symbolic links; they are never followed.
        approved: Paths that the trusted tip holds: of two files with one id, the approved one counts.
        generated: Globs that ``.gitattributes`` marks as generated or vendored.
        today: When given, dates that lie after it are noted.

    Returns:
        Problems by file and line; an error keeps a file from loading, a warning does not.
    """
    problems: list[Problem] = []
    store, validations = _load(files, tree_paths, generated, problems)
    problems += memory_problems(store, today, approved)
    problems += _validation_problems(validations, store)
    problems += _symlink_problems(symlinks)
    problems += _same_path_problems(files)
    for path, data in files.items():
        if path.endswith((".yaml", ".yml", ".md")):
            problems += _hidden_problems(path, data)
    return tuple(sorted(set(problems)))


def _load(
    files: Mapping[str, bytes],
    tree_paths: Collection[str],
    generated: frozenset[str],
    problems: list[Problem],
) -> tuple[Store, list[Validation]]:
    memories: list[Memory] = []
    validations: list[Validation] = []
    policy = elements = None
    paths = Paths(tree_paths)
    for path in sorted(files):
        data = files[path]
        if path.startswith(_MEMORY):
            memories += _memory(path, data, problems)
        elif path.startswith(_VALIDATIONS):
            validation, found = (
                parse_validation(path, data) if path.endswith((".yaml", ".yml")) else (None, ())
            )
            validations += [validation] if validation else []
            problems += found
        elif path == MEMORY_POLICY:
            policy, found = parse_memory_policy(path, data)
            problems += found
        elif path == ELEMENTS:
            elements, found = parse_elements(path, data)
            problems += found
            problems += element_problems(path, data, elements, paths, generated) if elements else ()
        elif path in _POLICIES:
            problems += _POLICIES[path](path, data)
        elif path == ROUTES:
            routes, found = parse_routes(path, data)
            problems += found
            problems += route_problems(path, data, routes, files) if routes else ()
    # A broken elements or policy file is a problem of its own; what it would have said is not held against memories.
    elements = elements if elements or ELEMENTS in files else Elements()
    return Store(tuple(memories), files, paths, elements, policy), validations


def _memory(path: str, data: bytes, problems: list[Problem]) -> list[Memory]:
    if not path.endswith((".yaml", ".yml", ".md")):
        return []
    parsed = parse_note(path, data) if path.endswith(".md") else parse_memory(path, data)
    problems += parsed.problems
    return [parsed.memory] if parsed.memory else []


def _compaction(path: str, data: bytes) -> tuple[Problem, ...]:
    return parse_compaction_policy(path, data).problems


_POLICIES: dict[str, Callable[[str, bytes], tuple[Problem, ...]]] = {COMPACTION_POLICY: _compaction}


def _warning(
    path: str, message: str, hint: str = "", *, line: int = 0, column: int = 0, field: str = ""
) -> Problem:
    return Problem(path, line, column, field, message, hint, "warning")


def _validation_problems(validations: list[Validation], store: Store) -> list[Problem]:
    """A validation lies in the folder of its memory, and that memory exists."""
    problems = []
    known = {memory.id for memory in store.memories}
    unread = {path.rpartition("/")[2].rpartition(".")[0] for path in store.files if path.startswith(_MEMORY)}
    for validation in validations:
        folder = validation.file.removeprefix(_VALIDATIONS).partition("/")[0]
        if folder != validation.memory:
            message = f"says memory: {validation.memory}, but lies in the folder of {folder}"
            problems.append(_warning(validation.file, message, "move it", field="memory"))
        if validation.memory not in known | unread:
            message = f"there is no memory {validation.memory}"
            problems.append(_warning(validation.file, message, "remove it with git rm", field="memory"))
    return problems


def _symlink_problems(symlinks: Collection[str]) -> list[Problem]:
    hint = "replace it by the file itself: links below .ai are never followed"
    return [Problem(path, 0, 0, "", "is a symbolic link", hint) for path in symlinks]


def _same_path_problems(files: Mapping[str, bytes]) -> list[Problem]:
    """Paths that a case-insensitive or normalising file system holds as one."""
    seen: dict[str, str] = {}
    problems = []
    for path in sorted(files):
        other = seen.setdefault(folded(path), path)
        if other != path:
            problems.append(
                _warning(path, f"differs from {other} by case or composition alone", "rename one")
            )
    return problems


def _hidden_problems(path: str, data: bytes) -> list[Problem]:
    if len(data) > FILE_LIMITS.size:  # named by its size already, whatever it holds
        return []
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    found = list(hidden_characters(text))
    problems: list[Problem] = []
    for start, character in found[: _HIDDEN_SHOWN + 1]:
        line = text.count("\n", 0, start) + 1
        column = start - text.rfind("\n", 0, start)
        message = f"hidden character U+{ord(character):04X}"
        if len(problems) == _HIDDEN_SHOWN:
            rest = Counter(character for _, character in found[_HIDDEN_SHOWN:])
            message = f"more hidden characters from here on: {_counted(rest)}"
        problems.append(_warning(path, message, "remove it", line=line, column=column))
    return problems


def _counted(characters: Counter[str]) -> str:
    """Code points with how often each is there, the most frequent first, and how many more there are."""
    told = [f"{count} × U+{ord(character):04X}" for character, count in characters.most_common(_HIDDEN_SHOWN)]
    more = len(characters) - len(told)
    return ", ".join(told) + (f" and {more} others" if more else "")
