"""Walking history through the git program: ids from ``rev-list``, contents from the ``cat-file`` child."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime

from gitmem.errors import InvalidDataError
from gitmem.git.interface import Layout
from gitmem.git.parsing import commits_with_changes, text
from gitmem.git.runner import Runner
from gitmem.model.change import Change, Commit

DIFF = ("-r", "-z", "--raw", "-M", "-l0", "--no-abbrev", "--ignore-submodules=none")

ReadCommits = Callable[[Sequence[str]], Iterator[Commit | None]]

_STEPS_ALONE = 16
_WINDOW = 128
_FIRST_STRETCH = 1_024
_NEAR = 256
"""Commits of a line that are searched by themselves for what touched some folders, before all that lie behind them."""


def without_index(layout: Layout) -> dict[str, str]:
    """The environment of a comparison in which the index has no say, for git would read all of it first.

    Not with renames: whether contents are compared as text may depend on attributes that the index holds.
    """
    return {"GIT_INDEX_FILE": f"{layout.common_dir}/gitmem/no-index"}


def first_parents(runner: Runner, read: ReadCommits, commit: str, limit: int | None) -> Iterator[Commit]:
    """The first steps one object at a time, since most callers stop soon; then everything at once."""
    last = None
    given = 0
    for last in _steps(read, commit, _STEPS_ALONE if limit is None else min(limit, _STEPS_ALONE)):
        given += 1
        yield last
    if given < _STEPS_ALONE or given == limit or last is None or not last.parents:
        return
    bound = () if limit is None else (f"--max-count={limit - given}",)
    status, out, _ = runner.run("rev-list", "--first-parent", *bound, last.parents[0])
    for last in present(read, text(out).split()):
        given += 1
        yield last
    if status and last.parents:
        # Where the history's end is missing, rev-list stops before the last commit that is there.
        yield from _steps(read, last.parents[0], None if limit is None else limit - given)


def _steps(read: ReadCommits, commit: str, limit: int | None) -> Iterator[Commit]:
    step: str | None = commit
    while step is not None and (limit is None or limit > 0):
        one = next(read([step]))
        if one is None:
            return
        yield one
        step = one.parents[0] if one.parents else None
        limit = None if limit is None else limit - 1


def present(read: ReadCommits, oids: Sequence[str]) -> Iterator[Commit]:
    for first in range(0, len(oids), _WINDOW):
        yield from (one for one in read(oids[first : first + _WINDOW]) if one is not None)


def log_ids(
    runner: Runner, since: str | None, until: str, paths: Sequence[str], limit: int | None
) -> list[str]:
    bound = () if limit is None else (f"--max-count={limit}",)
    beyond = () if since is None else (f"^{since}",)
    return text(runner.output("rev-list", *bound, until, *beyond, "--", *paths)).split()


def straight_line(
    runner: Runner, since: str, until: str, paths: Sequence[str]
) -> list[tuple[str, frozenset[str]]] | None:
    """See `interface.Repository.straight_line`."""
    line = _steps_between(runner, since, until)
    if line is None:
        return None
    asked = "".join(f"{oid}\n" for oid in line).encode()
    options = ("-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=none")
    out = runner.output("diff-tree", "--stdin", *options, "--", *paths, stdin=asked)
    touched = {oid: _names(changes) for oid, changes in commits_with_changes(out)}
    return [(oid, touched.get(oid, frozenset())) for oid in line]


def _steps_between(runner: Runner, since: str, until: str) -> list[str] | None:
    """The commits above `since` up to `until`, newest first; None when one of them has not one parent.

    Read in stretches: told to stop at a commit, git walks far beyond it where clocks disagree, and all merges before the first
    is seen.
    """
    line: list[str] = []
    size, step = _FIRST_STRETCH, until
    while step != since:
        rows = text(
            runner.output("rev-list", "--first-parent", "--parents", f"--max-count={size}", step, "--")
        )
        for row in rows.splitlines():
            oid, *parents = row.split(" ")
            if oid == since:
                return line
            if len(parents) != 1:
                return None
            line.append(oid)
            step = parents[0]
        size *= 2
    return line


def _names(changes: Sequence[Change]) -> frozenset[str]:
    return frozenset(path for row in changes if (path := row.new_path or row.old_path))


def log_changes(
    runner: Runner,
    read: ReadCommits,
    *,
    until: str,
    since_date: str | None,
    under: Sequence[str],
    first_parent: bool,
) -> Iterator[tuple[Commit, tuple[Change, ...]]]:
    """Renames are paired over the whole tree before the changes below `under` are picked."""
    prefixes = tuple(f"{folder.rstrip('/')}/" for folder in under)
    for oids in _log_windows(runner, until, since_date, under, first_parent=first_parent):
        for first in range(0, len(oids), _WINDOW):
            window = oids[first : first + _WINDOW]
            compared = dict(_against_first_parent(runner, window))
            for oid, commit in zip(window, read(window), strict=True):
                if commit is not None:
                    rows = compared.get(oid, ())
                    yield commit, tuple(row for row in rows if not under or _touches(row, prefixes, under))


def _log_windows(
    runner: Runner, until: str, since_date: str | None, under: Sequence[str], *, first_parent: bool
) -> Iterator[list[str]]:
    """Ids of the commits asked for, newest first, no further back at once than a caller that stops early needs.

    What few commits touched is as a rule found near the tip, and git would walk the whole history for the next one.
    """
    line = ("--first-parent",) if first_parent else ()
    start = until
    if since_date is None and under and first_parent:
        near = text(runner.output("rev-list", *line, f"--max-count={_NEAR + 1}", until, "--")).split()
        yield _touching(runner, near[:_NEAR], under)
        if len(near) <= _NEAR:
            return
        start = near[_NEAR]
    bound = () if since_date is None else (f"--since={_checked_date(since_date)}",)
    yield text(runner.output("rev-list", *line, *bound, start, "--", *under)).split()


def _touching(runner: Runner, oids: Sequence[str], under: Sequence[str]) -> list[str]:
    """Those of some commits that differ from their first parent in some folders, in order."""
    asked = "".join(f"{oid}\n" for oid in oids).encode()
    options = ("--root", "--diff-merges=first-parent", "-r", "-z", "--raw", "--no-renames", "--no-abbrev")
    out = runner.output(
        "diff-tree", "--stdin", *options, "--ignore-submodules=none", "--", *under, stdin=asked
    )
    return [oid for oid, _ in commits_with_changes(out)]


def changes_of(runner: Runner, oids: Sequence[str]) -> dict[str, tuple[Change, ...]]:
    """See `interface.Repository.changes_of`."""
    return dict(_against_first_parent(runner, oids)) if oids else {}


def touched_since(
    runner: Runner, until: str, since_date: str, cut: Collection[str] = ()
) -> Iterator[tuple[str, ...]]:
    """See `interface.Repository.touched_since`.

    Args:
        runner: Runs git.
        until: The commit.
        since_date: The date.
        cut: Commits whose parents this clone lacks.
    """
    bound = f"--since={_checked_date(since_date)}"
    listed = runner.output("rev-list", "--no-merges", bound, until).split()
    oids = b"".join(oid + b"\n" for oid in listed if oid.decode("ascii") not in cut)
    options = ("--root", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--ignore-submodules=none")
    out = runner.output("diff-tree", "--stdin", *options, stdin=oids) if oids else b""
    return (tuple(_names(changes)) for _, changes in commits_with_changes(out))


def _against_first_parent(runner: Runner, oids: Sequence[str]) -> list[tuple[str, tuple[Change, ...]]]:
    out = runner.output(
        "diff-tree",
        "--stdin",
        "--root",
        "--always",
        "--diff-merges=first-parent",
        *DIFF,
        stdin="".join(f"{oid}\n" for oid in oids).encode(),
    )
    return commits_with_changes(out)


def _touches(row: Change, prefixes: tuple[str, ...], under: Sequence[str]) -> bool:
    return any(
        path is not None and (path.startswith(prefixes) or path in under)
        for path in (row.old_path, row.new_path)
    )


def _checked_date(value: str) -> str:
    try:
        datetime.fromisoformat(value)
    except ValueError as error:
        raise InvalidDataError(f"not an RFC 3339 time: {value!r}") from error
    return value
