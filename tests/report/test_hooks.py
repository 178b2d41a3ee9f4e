"""Hooks as lines: short paths, cures, and the line to put in by hand."""

from __future__ import annotations

from pathlib import Path

from gitmem.report.hooks import hooks_lines
from gitmem.usecases.hooks import HookState, line_to_add

TOP = Path("/srv/project/sub")


def test_a_path_outside_of_the_work_tree_is_told_the_short_way() -> None:
    inside = HookState("post-commit", TOP / ".husky/post-commit", "added")
    outside = HookState("post-merge", Path("/srv/project/.git/modules/sub/hooks/post-merge"), "kept")
    assert list(hooks_lines([inside, outside], TOP)) == [
        "added     .husky/post-commit",
        "kept      ../.git/modules/sub/hooks/post-merge",
    ]


def test_the_line_follows_wherever_the_cure_speaks_of_it() -> None:
    one = HookState(
        "post-commit", TOP / "h", "missing", "it is written for python3", "call the line below from it"
    )
    assert list(hooks_lines([one], TOP))[1:] == [
        "          call the line below from it",
        f"          {line_to_add('post-commit')}",
    ]
