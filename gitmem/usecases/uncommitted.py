"""The patch between a commit and what is not committed yet, for display.

It is made here, since git would run the filters that the repository configures, or write objects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import unified_diff

from gitmem.git.interface import Repository
from gitmem.store.path_quoting import quote_path
from gitmem.usecases.views import EntriesView

LONGEST = 256 * 1024
"""Bytes on either side above which a file is named and not shown."""
_ABSENT = "/dev/null"


def uncommitted_patch(repository: Repository, tree: str, view: EntriesView, paths: Sequence[str]) -> str:
    """Unified patch of some paths, as git would write it.

    Args:
        repository: Where the older side is.
        tree: The older side, a tree or commit.
        view: The newer side, the index or the work tree.
        paths: Paths of either side.
    """
    return "".join(piece for path in paths for piece in _one(repository, tree, view, path))


def _one(repository: Repository, tree: str, view: EntriesView, path: str) -> Iterator[str]:
    entry = repository.entry(tree, path)
    oid = view.paths().get(path)
    if (entry.oid if entry is not None else None) == oid:
        return
    a, b = quote_path(f"a/{path}"), quote_path(f"b/{path}")
    yield f"diff --git {a} {b}\n"
    if entry is None:
        yield "new file mode 100644\n"
    if oid is None:
        yield "deleted file mode 100644\n"
    old = repository.read_blob(entry.oid, limit=LONGEST).data if entry is not None else b""
    new = view.read(path) if oid is not None else b""
    if old is None or new is None or len(new) > LONGEST or b"\0" in old or b"\0" in new:
        yield f"Binary files {a} and {b} differ\n"
        return
    names = (a if entry is not None else _ABSENT, b if oid is not None else _ABSENT)
    yield from _ended(unified_diff(_lines(old), _lines(new), *names))


def _lines(data: bytes) -> list[str]:
    *lines, last = data.decode("utf-8", "surrogateescape").split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _ended(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
