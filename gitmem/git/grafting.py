"""A tree with a few files more, and a commit's way onto a branch, with no work tree, index or hook involved.

Only the folders on the way to a new file are listed and written again, so the cost does not grow with the repository.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.errors import InvalidDataError
from gitmem.git.interface import Layout
from gitmem.git.parsing import text
from gitmem.git.runner import Runner
from gitmem.model.change import MODE_FILE, MODE_TREE

_Rows = dict[bytes, tuple[bytes, str]]
"""Mode and object id by name."""


def tree_with(layout: Layout, base: str, files: Mapping[str, str]) -> str:
    """Write the tree that is another one with some files added or replaced.

    Args:
        layout: The repository.
        base: Commit or tree.
        files: Blob id by repository path.

    Returns:
        Id of the new root tree.

    Raises:
        InvalidDataError: Something else than a folder stands on the way to a file, or a folder in its place.
    """
    paths = {path.encode("utf-8", "surrogateescape"): oid for path, oid in files.items()}
    return _grafted(Runner(layout), f"{base}^{{tree}}", b"", paths)


def _grafted(runner: Runner, tree: str | None, folder: bytes, files: Mapping[bytes, str]) -> str:
    rows = _rows(runner, tree) if tree is not None else {}
    below: dict[bytes, dict[bytes, str]] = {}
    for path, oid in files.items():
        name, _, rest = path.partition(b"/")
        held = rows.get(name)
        if (held is not None and held[0] == b"040000") != bool(rest) and held is not None:
            shown = text(folder + name)
            raise InvalidDataError(
                f"{shown} is {'no folder' if rest else 'a folder'} there",
                hint=f"move {shown} away",
                path=shown,
            )
        if rest:
            below.setdefault(name, {})[rest] = oid
        else:
            rows[name] = (f"{MODE_FILE:06o}".encode(), oid)
    for name, some in below.items():
        under = rows[name][1] if name in rows else None
        rows[name] = (f"{MODE_TREE:06o}".encode(), _grafted(runner, under, folder + name + b"/", some))
    return _written(runner, rows)


def _rows(runner: Runner, tree: str) -> _Rows:
    out = runner.output("ls-tree", "-z", "--full-tree", "--end-of-options", tree)
    rows: _Rows = {}
    for record in out.split(b"\0"):
        facts, _, name = record.partition(b"\t")
        if name:
            mode, _, oid = facts.split(b" ", 2)
            rows[name] = (mode, text(oid))
    return rows


def _written(runner: Runner, rows: _Rows) -> str:
    kinds = {b"040000": b"tree", b"160000": b"commit"}
    stdin = b"".join(
        b"%b %b %b\t%b\0" % (mode, kinds.get(mode, b"blob"), oid.encode(), name)
        for name, (mode, oid) in rows.items()
    )
    # What a partial clone left out is still part of its trees.
    return text(runner.output("mktree", "-z", "--missing", stdin=stdin)).strip()


def places_of(layout: Layout, ref: str) -> tuple[str, ...]:
    """Folders of the work trees, this one too, that have a branch checked out."""
    out = text(Runner(layout).output("worktree", "list", "--porcelain"))
    places = []
    for record in out.split("\n\n"):
        told = dict(line.partition(" ")[::2] for line in record.splitlines())
        if told.get("branch") == ref:
            places.append(told.get("worktree", ""))
    return tuple(places)


def staged_paths(layout: Layout, paths: Sequence[str]) -> tuple[str, ...]:
    """Those of some paths, files or folders, that the index has anything at."""
    out = Runner(layout).output("--literal-pathspecs", "ls-files", "-z", "--", *paths)
    return tuple(text(name) for name in out.split(b"\0") if name)


def stage_new(layout: Layout, files: Mapping[str, str]) -> None:
    """Add files to the index whose content is in the work tree already.

    Raises:
        GitmemError: Another git process holds the index, or it cannot be written; it is as it was.
    """
    rows = "".join(f"{MODE_FILE:06o} {oid}\t{path}\0" for path, oid in files.items())
    Runner(layout).output(
        "update-index", "--add", "-z", "--index-info", stdin=rows.encode("utf-8", "surrogateescape")
    )


def unstage_new(layout: Layout, paths: Sequence[str]) -> None:
    """Take files out of the index again."""
    stdin = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
    Runner(layout).output("update-index", "--force-remove", "-z", "--stdin", stdin=stdin)
