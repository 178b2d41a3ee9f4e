"""Edited files that moved are found by a sketch of their lines where the old tree is missing; a name alone finds nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.drift.sketch import likeness, sketch
from gitmem.model.verdict import Verdict
from gitmem.model.watch import parse_watch
from tests.support.tree_view import judged

GUIDE = "".join(f"Step {number}: do what step {number * 7} says.\n" for number in range(60))
EDITED = GUIDE.replace("Step 3:", "Third step:").replace("Step 40:", "Fortieth step:")
OTHER = "".join(f"Nothing of chapter {number} is the same.\n" for number in range(60))
FILE, PATH = parse_watch("file", "docs/guide.md"), parse_watch("path", "docs/guide.md")


def test_an_edited_file_that_moved_is_found_without_the_old_tree() -> None:
    then, now = (
        {"docs/guide.md": GUIDE, "a.py": "x = 1\n"},
        {"docs/agents/guide.md": EDITED, "a.py": "x = 1\n"},
    )
    seen = judged(PATH, then, now, history=False)
    assert seen.verdict is Verdict.RELOCATED
    assert seen.moved == parse_watch("path", "docs/agents/guide.md")
    seen = judged(FILE, then, now, history=False)
    assert (seen.verdict, seen.findings[0].new_path) == (Verdict.CHANGED, "docs/agents/guide.md")


@pytest.mark.parametrize("watch", [FILE, PATH])
@pytest.mark.parametrize(
    "now",
    [
        {"docs/agents/guide.md": OTHER},
        {"docs/agents/handbook.md": EDITED},
        {"a/guide.md": EDITED, "b/guide.md": GUIDE.replace("Step 5:", "Fifth:")},
        {"a.py": "x = 1\n"},
    ],
    ids=["other lines", "another name", "two of them", "nowhere"],
)
def test_a_file_that_is_not_surely_the_lost_one_is_none(watch: object, now: dict[str, str]) -> None:
    assert judged(watch, {"docs/guide.md": GUIDE}, now, history=False).verdict is Verdict.GONE  # type: ignore[arg-type]  # a watch


@pytest.mark.parametrize("watch", [FILE, PATH])
def test_a_twin_that_was_there_before_is_not_where_it_went(watch: object) -> None:
    then = {"docs/guide.md": GUIDE, "old/guide.md": EDITED}
    assert judged(watch, then, {"old/guide.md": EDITED}, history=False).verdict is Verdict.GONE  # type: ignore[arg-type]  # a watch


def test_with_the_old_tree_it_is_not_asked() -> None:
    then, now = {"docs/guide.md": GUIDE}, {"docs/agents/guide.md": EDITED}
    assert judged(PATH, then, now).verdict is Verdict.RELOCATED


@pytest.mark.parametrize("data", [None, b"", b"one\ntwo\n", b"a\0b\n" * 40, b"same\n" * 40])
def test_what_has_few_lines_has_no_sketch(data: bytes | None) -> None:
    assert sketch(data) is None


@given(st.sets(st.text("abc", min_size=4, max_size=9), min_size=20, max_size=60), st.integers(0, 60))
def test_likeness_tells_how_many_lines_are_common(lines: set[str], count: int) -> None:
    listed = sorted(lines)
    changed = [f"{line}!" if number < count else line for number, line in enumerate(listed)]
    one, other = sketch("\n".join(listed).encode()), sketch("\n".join(changed).encode())
    assert one is not None
    assert other is not None
    assert likeness(one, one) == 1
    assert likeness(one, other) == likeness(other, one)
    if count == 0:
        assert likeness(one, other) == 1
    if count >= len(listed):
        assert likeness(one, other) < 0.2
