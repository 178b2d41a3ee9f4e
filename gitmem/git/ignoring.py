"""Which paths a repository's own ``.gitignore`` files leave out of it."""

from __future__ import annotations

from collections.abc import Iterable

from gitmem.git.interface import Layout
from gitmem.git.parsing import text
from gitmem.git.runner import Runner
from gitmem.wire.spawn import SETTINGS

_NONE_IGNORED = 1
_LITERAL = "--literal-pathspecs"
_SETTINGS = (*(one for one in SETTINGS if one != _LITERAL), "-c", "core.excludesFile=/dev/null")
"""``check-ignore`` takes names alone, and refuses to be told so."""


def ignored_paths(layout: Layout, paths: Iterable[str]) -> frozenset[str]:
    """Those of some paths that are not tracked and that git ignores here.

    The user's own exclude file does not count, since others do not have it.

    Args:
        layout: The repository; without a work tree nothing is ignored.
        paths: Paths from the root. What leads out of it, or into a submodule, is none.
    """
    wanted = sorted({path for path in paths if _is_inside(path)})
    if layout.work_tree is None or not wanted:
        return frozenset()
    names = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in wanted)
    status, out, _ = Runner(layout).run("check-ignore", "-z", "--stdin", stdin=names, settings=_SETTINGS)
    if status > _NONE_IGNORED:  # one of them cannot be asked about, such as one inside a submodule
        return frozenset()
    return frozenset(text(name) for name in out.split(b"\0") if name)


def _is_inside(path: str) -> bool:
    return (
        bool(path)
        and not path.startswith(("/", "-", ":"))
        and ".." not in path.split("/")
        and "\0" not in path
    )
