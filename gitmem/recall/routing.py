"""The router: which memories a task domain reads, and which it must not (domain.md section 5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from gitmem.model.glob import Glob, parse_glob

AI_ROOT = ".ai/"


def is_routed(
    domain: str,
    include: Sequence[str],
    *,
    file: str,
    project: bool,
    applies_to: Iterable[str] = (),
    does_not_apply_to: Iterable[str] = (),
) -> bool:
    """Whether a memory is read for a domain: never against its anti-scope; else when the domain's entries hold its
    file, it is for the whole project, or it says itself that it applies there.

    Args:
        domain: The domain.
        include: Its entries: paths or globs relative to ``.ai/``.
        file: Of the memory.
        project: Whether it is delivered everywhere.
        applies_to: Domains that it names.
        does_not_apply_to: Domains that it excludes.
    """
    if domain in does_not_apply_to:
        return False
    return project or domain in applies_to or is_within(file.removeprefix(AI_ROOT), include)


def is_within(path: str, globs: Iterable[str]) -> bool:
    """Whether one of some globs holds a path; one that cannot be read holds nothing."""
    try:
        name = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a character, as JSON may name one: no path has it
        return False
    return any(one is not None and one.matches(name) for one in map(_glob, globs))


@lru_cache(maxsize=1_000)
def _glob(text: str) -> Glob | None:
    try:
        return parse_glob(text.removeprefix(AI_ROOT))
    except ValueError:
        return None
