"""A commit's files in a folder outside the user's work tree, with a repository of its own there.

Nothing of the user's repository is moved or configured for it, no work tree is registered, and nothing that a repository
configures is executed: contents are written as they are stored, no filter, line-end conversion or hook has a say. The new
repository borrows the objects (``objects/info/alternates``) and has HEAD detached at the commit, no remote and no branch,
so that a command such as ``git grep`` works there and cannot move anything here.

Paths come from a tree that anybody may have made: one that no checkout may hold is refused, and links are made when
everything else is there, so that nothing is written through one. What a link leads to is not looked at.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from gitmem.errors import GitmemError, InvalidDataError, NotServedError
from gitmem.git.failures import failure
from gitmem.git.interface import Blob, Layout, Repository
from gitmem.model.change import MODE_GITLINK, MODE_SYMLINK, TreeEntry
from gitmem.wire.spawn import run_git

_EXECUTABLE = 0o100
_IGNORED_BY_FILE_SYSTEMS = dict.fromkeys(
    [*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF]
)
_SETTINGS = "[core]\n\tautocrlf = false\n\thooksPath = /dev/null\n\tfsmonitor = false\n[gc]\n\tauto = 0\n"
_ATTRIBUTES = "* -filter -text -ident -working-tree-encoding\n"


class CheckedOut(NamedTuple):
    """What a folder was filled with.

    Args:
        paths: Every file and link.
        submodules: Paths of submodules, which are empty folders.
    """

    paths: frozenset[str]
    submodules: tuple[str, ...]


def check_out(
    repository: Repository, commit: str, folder: Path, instead: Mapping[str, TreeEntry] | None = None
) -> CheckedOut:
    """Fill an empty folder with a commit's files and make it a repository that stands at that commit.

    Args:
        repository: Where the commit lies.
        commit: Its id.
        folder: An existing, empty folder.
        instead: Files of another commit that take the place of those at their paths.

    Raises:
        NotServedError: Objects are missing in this clone, or a file cannot be written.
        InvalidDataError: A tree that no checkout may hold, or a damaged object.
    """
    _make_repository(repository.layout, folder, commit)
    entries = {one.path: one for one in repository.list_tree(commit)} | dict(instead or {})
    for path in entries:
        _refuse_unsafe(path)
    submodules = [path for path, one in entries.items() if one.mode == MODE_GITLINK]
    files = [one for one in entries.values() if one.mode not in {MODE_GITLINK, MODE_SYMLINK}]
    links = [one for one in entries.values() if one.mode == MODE_SYMLINK]
    try:
        _make_folders(folder, [*submodules, *(one.path.rpartition("/")[0] for one in (*files, *links))])
        for entry, data in _contents(repository, files):
            _write(folder, entry, data)
        for entry, data in _contents(repository, links):
            _place(folder, entry.path).symlink_to(os.fsdecode(data))
    except (OSError, ValueError) as error:
        raise NotServedError(
            f"{commit[:12]} cannot be checked out: {_reason(error)}",
            hint="see whether TMPDIR has room and allows it",
        ) from None
    _make_index(folder)
    return CheckedOut(frozenset(entries) - frozenset(submodules), tuple(submodules))


def _reason(error: OSError | ValueError) -> str:
    if not isinstance(error, OSError):
        return str(error)
    place = error.filename2 or error.filename
    return f"{place}: {error.strerror}" if place else error.strerror or str(error)


def _refuse_unsafe(path: str) -> None:
    for part in path.split("/"):
        plain = part.translate(_IGNORED_BY_FILE_SYSTEMS).casefold()
        if plain in {"", ".", "..", ".git", "git~1"} or "\0" in part:
            raise InvalidDataError(f"a tree with the path {path!r:.200} is not checked out", path=path)


def _make_folders(folder: Path, paths: Iterable[str]) -> None:
    for path in sorted({path for path in paths if path}):
        _place(folder, path).mkdir(parents=True, exist_ok=True)


def _contents(repository: Repository, entries: Sequence[TreeEntry]) -> Iterable[tuple[TreeEntry, bytes]]:
    for entry, blob in zip(entries, repository.read_blobs(one.oid for one in entries), strict=True):
        yield entry, _here(blob, entry.path)


def _here(blob: Blob, path: str) -> bytes:
    if blob.data is None:
        raise NotServedError(
            f"the content of {path} is not in this clone, which is a partial one",
            hint="git archive COMMIT >/dev/null fetches what is missing",
            path=path,
        )
    return blob.data


def _write(folder: Path, entry: TreeEntry, data: bytes) -> None:
    mode = 0o777 if entry.mode & _EXECUTABLE else 0o666
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(_place(folder, entry.path), flags, mode), "wb") as file:
        file.write(data)


def _place(folder: Path, path: str) -> Path:
    return folder / os.fsdecode(path.encode("utf-8", "surrogateescape"))


# the repository around it
def _make_repository(layout: Layout, folder: Path, commit: str) -> None:
    _git(folder, "init", "-q", "--template=", f"--object-format={layout.object_format}", ".")
    git_dir = folder / ".git"
    (git_dir / "info").mkdir(exist_ok=True)
    (git_dir / "info" / "attributes").write_text(_ATTRIBUTES, "ascii")
    with (git_dir / "config").open("a", encoding="ascii") as config:
        config.write(_SETTINGS)
    borrowed = os.fsencode(layout.common_dir / "objects")
    if b"\n" in borrowed or borrowed.startswith((b'"', b"#")):
        raise NotServedError(
            f"objects cannot be borrowed from a folder of this name: {layout.common_dir}", hint="rename it"
        )
    (git_dir / "objects" / "info").mkdir(exist_ok=True)
    (git_dir / "objects" / "info" / "alternates").write_bytes(borrowed + b"\n")
    cut = layout.common_dir / "shallow"
    if cut.is_file():
        (git_dir / "shallow").write_bytes(cut.read_bytes())
    (git_dir / "HEAD").write_text(f"{commit}\n", "ascii")


def _make_index(folder: Path) -> None:
    _git(folder, "read-tree", "HEAD")
    try:
        _git(folder, "update-index", "-q", "--refresh")
    except GitmemError:  # says by its status that files differ, as those of another commit do
        return


def _git(folder: Path, *arguments: str) -> None:
    where = [] if arguments[0] == "init" else [f"--git-dir={folder}/.git", f"--work-tree={folder}"]
    status, _, err = run_git((*where, *arguments), cwd=folder)
    if status:
        raise failure(arguments[0], status, err)
