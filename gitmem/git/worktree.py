"""What stands in the work tree and the index, as git would store it, with nothing written and nothing run.

Listing asks one ``ls-files`` for what is tracked, changed, removed and untracked. What changed is hashed by
``update-index --info-only`` into a copy of the index in a temporary folder, so line ends, modes, symbolic links,
submodules and conflicts come out as ``git add`` would make them; the repository's own index and object store are not
touched. What is staged is, in a hook, what git is about to commit (`gitmem.git.pending_index`).

Filter programs (``filter.NAME.clean``) are switched off in every call, because git would run them for a file as old as
its index. A path with such a filter counts as unchanged when size and time are those in the index; otherwise its raw
bytes count.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from gitmem.errors import NotServedError
from gitmem.git import parsing
from gitmem.git.interface import Blob, Status
from gitmem.git.parsing import IndexRow
from gitmem.git.pending_index import pending_index
from gitmem.git.runner import Runner
from gitmem.model.change import MODE_GITLINK, TreeEntry
from gitmem.wire.work_tree import STATUS, filters_off

_LIST = ("ls-files", "-z", "-s", "-t")
_EVERYTHING = ("-c", "-m", "-d", "-o", "--exclude-standard")
_ATTRIBUTES = ("filter", "ident", "working-tree-encoding")
_INTENT_TO_ADD = 1 << 29
_EMPTY_BLOBS = (
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)
# Under this many paths are named to git one by one; beyond, everything is listed.
_NAMED = 200


def entries(runner: Runner, *, staged: bool) -> tuple[TreeEntry, ...]:
    """See `interface.Repository.worktree_entries`. Of a conflict the index counts as our side, else theirs.

    A repository that lies untracked in the work tree is no file and is left out.

    Raises:
        NotServedError: In a bare repository.
    """
    top = _work_tree(runner)
    if staged:
        return _staged(runner)
    env = without_filters(runner)
    rows = parsing.index_rows(runner.output(*_LIST, *_EVERYTHING, env=env))
    gone, fresh = _differing(top, rows)
    fresh = _truly_changed(runner, top, fresh)
    if fresh:
        with _copied_index(runner) as index:
            _add(runner, fresh, env | index, "--info-only")
            rows = parsing.index_rows(runner.output(*_LIST, "-c", env=env | index))
    return tuple(entry for entry in _chosen(rows) if entry.path not in gone)


def blob(runner: Runner, read: Callable[[str], Blob], path: str, *, staged: bool) -> bytes | None:
    """See `interface.Repository.worktree_blob`."""
    if staged:
        return _index_blob(runner, read, path, "HSM", pending_index(runner.layout))
    top = _work_tree(runner)
    data = _on_disk(top, path)
    if data is None:
        return _index_blob(runner, read, path, "S")  # sparse checkout: not there on purpose
    if os.path.islink(_at(top, path)) or not _may_be_converted(data):
        return data
    attributes = _attributes(runner, [path])[path]
    drivers = _drivers(runner)
    if attributes["filter"] in drivers:
        return data
    if b"\r" not in data and b"$Id" not in data and attributes["working-tree-encoding"] == "unspecified":
        return data
    return _converted(runner, path, without_filters(runner))


def status(runner: Runner, rows: bytes | None = None) -> Status:
    """See `interface.Repository.status`; a conflicting path counts as unstaged, a submodule by its commit.

    Args:
        runner: Of the repository.
        rows: What git answered to `STATUS`, where it was asked just now.
    """
    top = _work_tree(runner)
    staged, unstaged, untracked = [], [], []
    told = runner.output(*STATUS, env=without_filters(runner)) if rows is None else rows
    for record in parsing.records(told):
        kind, _, rest = record.partition(" ")
        if kind == "?":
            untracked.append(rest)
        elif kind == "u":
            unstaged.append(rest.split(" ", 9)[9])
        else:
            path = rest.split(" ", 7)[7]
            if rest[0] != ".":
                staged.append(path)
            if rest[1] != ".":
                unstaged.append(path)
    return Status(tuple(staged), tuple(_truly_changed(runner, top, unstaged)), tuple(untracked))


def _work_tree(runner: Runner) -> Path:
    if runner.layout.work_tree is None:
        raise NotServedError(
            f"bare repository has no work tree: {runner.layout.git_dir}", hint="name a revision instead"
        )
    return runner.layout.work_tree


def _staged(runner: Runner) -> tuple[TreeEntry, ...]:
    env = pending_index(runner.layout)
    chosen = _chosen(parsing.index_rows(runner.output(*_LIST, "-c", env=env)))
    doubtful = [entry.path for entry in chosen if entry.oid in _EMPTY_BLOBS]
    facts = _index_facts(runner, doubtful, env)
    promised = {path for path, (_, _, flags) in facts.items() if flags & _INTENT_TO_ADD}
    return tuple(entry for entry in chosen if entry.path not in promised)


def _chosen(rows: Iterable[IndexRow]) -> list[TreeEntry]:
    """One entry a path: stage 0, of a conflict ours, else theirs; a path both removed is left out."""
    found: dict[str, IndexRow] = {}
    for row in rows:
        if row.tag in "HSM" and row.stage != 1 and (row.path not in found or row.stage == 2):
            found[row.path] = row
    return [TreeEntry(row.path, row.mode, row.oid) for row in found.values()]


def _differing(top: Path, rows: Sequence[IndexRow]) -> tuple[set[str], list[str]]:
    """Paths that are gone from the work tree, and paths to be hashed."""
    gone, fresh = {row.path for row in rows if row.tag == "R"}, []
    real_folders: dict[str, bool] = {}
    for row in rows:
        unmerged = row.tag == "M"
        if row.tag not in "C?M" or row.path in gone or row.path.endswith("/"):
            continue
        if _storable(top, row, real_folders):
            fresh.append(row.path)
        elif row.tag == "C" or unmerged:
            gone.add(row.path)
    return gone, list(dict.fromkeys(fresh))


def _storable(top: Path, row: IndexRow, real_folders: dict[str, bool]) -> bool:
    if not _reached_without_links(top, row.path, real_folders):
        return False
    try:
        mode = os.lstat(_at(top, row.path)).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    return stat.S_ISREG(mode) or stat.S_ISLNK(mode) or (stat.S_ISDIR(mode) and row.mode == MODE_GITLINK)


def _reached_without_links(top: Path, path: str, known: dict[str, bool]) -> bool:
    """Whether no folder on the way is a symbolic link; what lies behind one is not in the repository."""
    folder = path.rpartition("/")[0]
    if not folder:
        return True
    if folder not in known:
        known[folder] = not os.path.islink(_at(top, folder)) and _reached_without_links(top, folder, known)
    return known[folder]


def _at(top: Path, path: str) -> bytes:
    return os.fsencode(top) + b"/" + path.encode("utf-8", "surrogateescape")


def _on_disk(top: Path, path: str) -> bytes | None:
    """Bytes of a file, text of a symbolic link; None for everything else."""
    if not _reached_without_links(top, path, {}):
        return None
    place = _at(top, path)
    try:
        mode = os.lstat(place).st_mode
        if stat.S_ISLNK(mode):
            return os.readlink(place)
        if not stat.S_ISREG(mode):
            return None
        with open(os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _may_be_converted(data: bytes) -> bool:
    """Whether line ends, ``$Id$`` or an encoding could matter; plain ASCII text with LF is stored as it is."""
    return not data.isascii() or any(mark in data for mark in (b"\r", b"$Id", b"\0", b"\x1b"))


def _index_blob(
    runner: Runner, read: Callable[[str], Blob], path: str, tags: str, env: dict[str, str] | None = None
) -> bytes | None:
    rows = parsing.index_rows(runner.output(*_LIST, "-c", "--", path, env=env))
    chosen = _chosen(row for row in rows if row.path == path and row.tag in tags)
    return read(chosen[0].oid).data if chosen else None


def _drivers(runner: Runner) -> frozenset[str]:
    """Names of the configured filters."""
    _, out, _ = runner.run("config", "-z", "--name-only", "--get-regexp", r"^filter\..*\.(clean|process)$")
    return frozenset(key.partition(".")[2].rpartition(".")[0] for key in parsing.records(out))


def without_filters(runner: Runner) -> dict[str, str]:
    """Variables that switch off every configured filter; by variables because a name may hold ``=``."""
    return filters_off(sorted(_drivers(runner)))


def _attributes(runner: Runner, paths: Sequence[str]) -> dict[str, dict[str, str]]:
    stdin = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
    parts = parsing.records(runner.output("check-attr", "-z", "--stdin", *_ATTRIBUTES, stdin=stdin))
    found: dict[str, dict[str, str]] = {path: {} for path in paths}
    for path, name, value in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        found[path][name] = value
    return found


def _truly_changed(runner: Runner, top: Path, paths: Sequence[str]) -> list[str]:
    """Without those that only look changed because their filter was not run."""
    drivers = _drivers(runner) if paths else frozenset()
    if not drivers:
        return list(paths)
    filtered = [path for path, told in _attributes(runner, paths).items() if told["filter"] in drivers]
    facts = _index_facts(runner, filtered)
    same = {path for path in filtered if path in facts and _same_stat(_at(top, path), facts[path])}
    return [path for path in paths if path not in same]


def _same_stat(place: bytes, facts: tuple[str, int, int]) -> bool:
    try:
        now = os.lstat(place)
    except OSError:
        return False
    seconds, _, nanoseconds = facts[0].partition(":")
    same_time = now.st_mtime_ns // 10**9 == int(seconds) and (
        nanoseconds == "0" or now.st_mtime_ns % 10**9 == int(nanoseconds)
    )
    return same_time and now.st_size & 0xFFFFFFFF == facts[1]


def _index_facts(
    runner: Runner, paths: Sequence[str], env: dict[str, str] | None = None
) -> dict[str, tuple[str, int, int]]:
    """Of each path in the index: time of change ``SECONDS:NANOSECONDS``, size, flags."""
    if not paths:
        return {}
    named = ("--", *paths) if len(paths) <= _NAMED else ()
    parts = parsing.text(runner.output("ls-files", "-z", "--debug", *named, env=env)).split("\0")
    found = {}
    for number in range(len(parts) - 1):
        path = parts[number] if number == 0 else parts[number].split("\n", 5)[5]
        _, changed, _, _, last = parts[number + 1].split("\n", 5)[:5]
        size, flags = last.split("\t")
        found[path] = (
            changed.partition(": ")[2],
            int(size.partition(": ")[2]),
            int(flags.partition(": ")[2], 16),
        )
    return found


@contextmanager
def _copied_index(runner: Runner, *, objects: bool = False) -> Iterator[dict[str, str]]:
    """Variables under which git works on a copy of the index, and writes objects beside it when asked to."""
    import shutil  # loads compressors, and most commands copy no index
    import tempfile

    with tempfile.TemporaryDirectory(prefix="gitmem-") as folder:
        index = Path(folder, "index")
        if (own := runner.layout.git_dir / "index").exists():
            # With its time: a file as old as its index is compared by content, and git here may know seconds alone.
            shutil.copy2(own, index)
        env = {"GIT_INDEX_FILE": str(index)}
        if objects:
            store = Path(folder, "objects")
            store.mkdir()
            env["GIT_OBJECT_DIRECTORY"] = str(store)
            env["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = _quoted(runner.layout.common_dir / "objects")
        yield env


def _quoted(folder: Path) -> str:
    return '"' + str(folder).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _add(runner: Runner, paths: Sequence[str], env: dict[str, str], *options: str) -> None:
    stdin = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
    runner.output(
        "update-index", *options, "--add", "--remove", "--replace", "-z", "--stdin", stdin=stdin, env=env
    )


def _converted(runner: Runner, path: str, quiet: dict[str, str]) -> bytes | None:
    with _copied_index(runner, objects=True) as index:
        env = quiet | index
        _add(runner, [path], env)
        rows = _chosen(parsing.index_rows(runner.output(*_LIST, "-c", "--", path, env=env)))
        return runner.output("cat-file", "blob", rows[0].oid, env=env) if rows else None
