"""Lint the files below ``.ai/`` as they stand in the work tree, and take out validations that newer ones replaced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from gitmem.drift.exclusions import generated_globs
from gitmem.errors import NotFoundError, NotServedError
from gitmem.git.interface import Repository
from gitmem.model.change import MODE_SYMLINK, TreeEntry
from gitmem.model.problem import Problem
from gitmem.model.validation import Validation
from gitmem.store.validations import parse_validation
from gitmem.trust.effective import newest
from gitmem.usecases.ai_files import AI_FOLDER, is_validation_file
from gitmem.usecases.lint import lint_files
from gitmem.usecases.lint_watches import watch_problems
from gitmem.usecases.trusted import trusted_branch


@dataclass(frozen=True, slots=True)
class Linted:
    """What lint found, and how many files it read."""

    problems: tuple[Problem, ...]
    files: int


def lint_work_tree(repo: Repository, wanted: Sequence[str] = (), *, today: date | None = None) -> Linted:
    """Judge every file below ``.ai/``; tell the problems of the wanted ones.

    Args:
        repo: A repository with a work tree.
        wanted: Repository paths of files or folders; all when empty.
        today: When given, dates that lie after it are noted.

    Raises:
        NotFoundError: When nothing below ``.ai/`` is at a wanted path.
        NotServedError: In a bare repository.
    """
    entries = repo.worktree_entries()
    ours = [one for one in entries if one.path == AI_FOLDER or one.path.startswith(f"{AI_FOLDER}/")]
    for path in wanted:
        if not any(_is_inside(one.path, path) for one in ours):
            raise NotFoundError(
                f"{path}: no such file below {AI_FOLDER}/",
                hint="gitmem lint without a file checks all",
                path=path,
            )
    symlinks = [one.path for one in ours if one.mode == MODE_SYMLINK]
    files = {one.path: _content(repo, one) for one in ours if one.mode != MODE_SYMLINK}
    paths = [one.path for one in entries]
    generated = _generated(repo, entries)
    found = lint_files(
        files, paths, symlinks=symlinks, approved=_merged(repo), generated=generated, today=today
    )
    problems = sorted({*found, *watch_problems(repo, files)})
    told = [one for one in problems if not wanted or any(_is_inside(one.file, path) for path in wanted)]
    counted = [path for path in files if not wanted or any(_is_inside(path, one) for one in wanted)]
    return Linted(tuple(told), len(counted))


def _content(repo: Repository, entry: TreeEntry) -> bytes:
    return repo.worktree_blob(entry.path) or b""


def _generated(repo: Repository, entries: Iterable[TreeEntry]) -> frozenset[str]:
    """Globs that the attributes of the work tree mark as generated or vendored."""
    marked: frozenset[str] = frozenset()
    for one in entries:
        folder, _, name = one.path.rpartition("/")
        if name == ".gitattributes" and one.mode != MODE_SYMLINK:
            marked |= generated_globs(_content(repo, one), folder)
    return marked


def _merged(repo: Repository) -> frozenset[str]:
    """Paths below ``.ai/`` that the trusted tip holds."""
    tip = trusted_branch(repo).commit
    return frozenset(one.path for one in repo.list_tree(tip, under=AI_FOLDER)) if tip else frozenset()


def _is_inside(path: str, wanted: str) -> bool:
    folder = wanted.rstrip("/")
    return folder in {".", path} or path.startswith(f"{folder}/")


def tidy(repo: Repository) -> tuple[str, ...]:
    """Remove from the work tree the validations that a newer one replaced; the newest merged one always stays.

    Only committed files are removed, so git can bring each one back. Nothing is committed here.

    Returns:
        Paths removed.

    Raises:
        NotServedError: In a bare repository, or when a validation is not committed yet: removing one and adding a
            similar one in the same commit reads as a rename and conflicts.
    """
    top = repo.layout.work_tree
    head = repo.head()
    if top is None or head is None:
        raise NotServedError("there is no commit in a work tree to tidy", hint="commit first")
    committed = {one.path: one.oid for one in repo.list_tree(head, under=AI_FOLDER)}
    present = [one for one in repo.worktree_entries() if is_validation_file(one.path)]
    fresh = next((one.path for one in present if committed.get(one.path) != one.oid), None)
    if fresh is not None:
        raise NotServedError(
            f"{fresh} is not committed", hint="commit it, then tidy in a commit of its own", path=fresh
        )
    replaced = _replaced(repo, present)
    for path in replaced:
        (top / path).unlink()
    return replaced


def _replaced(repo: Repository, present: Iterable[TreeEntry]) -> tuple[str, ...]:
    merged = _merged(repo)
    by_memory: dict[str, list[Validation]] = {}
    for one in present:
        parsed = parse_validation(one.path, _content(repo, one)).validation
        if parsed is not None:
            by_memory.setdefault(parsed.memory, []).append(parsed)
    kept = set()
    for some in by_memory.values():
        for last in (newest(some), newest(one for one in some if one.file in merged)):
            kept |= {last.file} if last else set()
    everything = (one.file for some in by_memory.values() for one in some)
    return tuple(sorted(set(everything) - kept))
