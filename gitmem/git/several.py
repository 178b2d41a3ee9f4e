"""Questions that one call of git answers for many things at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.git import parsing
from gitmem.git.failures import failure
from gitmem.git.history import DIFF
from gitmem.git.interface import Tip
from gitmem.git.runner import Runner
from gitmem.model.change import Change


def tips(runner: Runner, names: Sequence[str]) -> Mapping[str, Tip] | None:
    """See `interface.Repository.tips`."""
    if not names:
        return {}
    form = "--format=%(objectname) %(refname) %(symref)"
    status, out, err = runner.run("for-each-ref", form, *names)
    if status or err:
        return None
    rows = (line.split(" ") for line in parsing.lines(out))
    return {name: Tip(oid, target or None) for oid, name, target in rows if name in names}


def settings(runner: Runner, pattern: str) -> Mapping[str, str]:
    """See `interface.Repository.settings`."""
    # Without our own settings, which would answer for core.hooksPath.
    status, out, err = runner.run("config", "-z", "--get-regexp", pattern, settings=("--no-pager",))
    if status > 1 or (status and err):
        raise failure("config", status, err)
    rows = (row.partition("\n") for row in parsing.text(out).split("\0") if row)
    return {key: value for key, _, value in rows}


def diffs(runner: Runner, trees: Sequence[str], count: int) -> list[tuple[Change, ...]] | None:
    """Whole-tree comparisons of several root trees with the last of them, renames paired.

    Args:
        runner: Where they lie.
        trees: Their ids, those that are here.
        count: How many there should be.

    Returns:
        None when git could not make all comparisons.
    """
    if len(trees) != count:
        return None
    *olds, new = trees
    pairs = "".join(f"{old} {new}\n" for old in olds).encode("ascii")
    status, out, _ = runner.run("diff-tree", "--stdin", *DIFF, stdin=pairs)
    found = None if status else parsing.compared_trees(out)
    return found if found is not None and len(found) == len(olds) else None
