"""Where a repository lies, asked of git once; everything after it names the repository explicitly.

The variables that git sets for hooks are dropped. ``GIT_DIR`` counts only where no repository is found from the folder
upwards: a person who is outside any names one so, and git's own rules then say what the work tree is (``GIT_WORK_TREE``,
else the repository's configuration, else that folder). Inside a repository it is passed over, since a hook of another
one may have set it. Git's check of ownership is made here, since git makes none once a repository is named explicitly.

A bare repository lying inside another repository's work tree is refused: its configuration may have come with a
commit (the attack that ``safe.bareRepository=explicit`` stops). The bare directory of that very work tree is not.
"""

from __future__ import annotations

import os
from pathlib import Path

from gitmem.errors import NotFoundError, NotServedError
from gitmem.git.failures import discovery_failure
from gitmem.git.interface import Layout
from gitmem.git.parsing import lines, text
from gitmem.wire.spawn import run_git

_SETTINGS = ("--no-pager", "-c", "core.fsmonitor=false", "-c", "safe.bareRepository=all")
_FLAGS = ("--show-object-format", "--is-bare-repository", "--is-shallow-repository")
_PLACES = ("--absolute-git-dir", "--path-format=absolute", "--git-common-dir", "--show-toplevel")


def discover(start: Path | str | None = None) -> Layout:
    """The repository that a folder lies in.

    Args:
        start: Where to look from, upwards; the working directory when None. Where none is found, ``GIT_DIR`` counts.

    Raises:
        NotFoundError: No such folder, or no repository there, nor at ``GIT_DIR``.
        NotServedError: Owned by another user, of an unknown format, or a bare repository inside a work tree.
    """
    folder = os.path.realpath(os.fspath(start) if start is not None else ".")
    if not Path(folder).is_dir():
        raise NotFoundError(f"no such folder: {folder}", hint="-C DIR names the folder to work in")
    git_dir = _inside_git_dir(folder)
    if git_dir is not None:
        folder = str(Path(git_dir).parent)
    try:
        layout = _asked(folder)
    except NotFoundError:
        git_dir = os.environ.get("GIT_DIR")
        if not git_dir:
            raise
        return _named(folder, git_dir)
    if layout.git_dir.name != ".git" and Path(folder).is_relative_to(layout.git_dir):
        _refuse_embedded(layout)
    return layout


def _inside_git_dir(folder: str) -> str | None:
    """The ``.git`` that a folder lies in; git's answers from inside it would lack the work tree."""
    parts = folder.split("/")
    if ".git" not in parts:
        return None
    last = len(parts) - 1 - parts[::-1].index(".git")
    return "/".join(parts[: last + 1])


def _named(folder: str, git_dir: str) -> Layout:
    """The repository that the environment names, as git takes it from a folder."""
    where = [f"--git-dir={git_dir}"]
    if work_tree := os.environ.get("GIT_WORK_TREE"):
        where.append(f"--work-tree={work_tree}")
    try:
        return _asked(folder, *where)
    except NotFoundError:
        raise NotFoundError(
            f"not a git repository: {folder}, nor is GIT_DIR: {git_dir}",
            hint="run inside a repository, or name one with -C DIR",
        ) from None


def _asked(folder: str, *where: str) -> Layout:
    status, out, err = _rev_parse(folder, *_FLAGS, *_PLACES, where=where)
    told = lines(out)
    if len(told) < len(_FLAGS):
        raise discovery_failure(folder, err)
    object_format, bare, shallow = told[:3]
    places = told[3:]
    if len(places) != (2 if bare == "true" else 3):
        # a line break in a folder's name
        places = [_place(folder, option, where) for option in _PLACES if option != "--path-format=absolute"]
    if status and bare != "true":
        raise discovery_failure(folder, err)
    return Layout(
        git_dir=Path(places[0]),
        common_dir=Path(places[1]),
        work_tree=None if bare == "true" else Path(places[2]),
        object_format=object_format,
        shallow=shallow == "true",
    )


def _place(folder: str, option: str, where: tuple[str, ...]) -> str:
    _, out, _ = _rev_parse(folder, "--path-format=absolute", option, where=where)
    return text(out).removesuffix("\n")


def _rev_parse(folder: str, *arguments: str, where: tuple[str, ...] = ()) -> tuple[int, bytes, bytes]:
    try:
        return run_git((*where, "rev-parse", *arguments), cwd=folder, settings=_SETTINGS)
    except FileNotFoundError as error:
        raise NotServedError(
            "the git program was not found", hint="install git, or put it on PATH"
        ) from error


def _refuse_embedded(layout: Layout) -> None:
    above = layout.git_dir.parent
    status, out, _ = _rev_parse(
        str(above), "--path-format=absolute", "--is-bare-repository", "--git-common-dir"
    )
    if status:
        return
    bare, _, place = text(out).removesuffix("\n").partition("\n")
    if bare == "true" or Path(place) == layout.common_dir:
        return
    raise NotServedError(
        f"bare repository inside the work tree of another: {layout.git_dir}",
        hint="its configuration may have come with a commit; run from the outer repository, or move it out",
    )
