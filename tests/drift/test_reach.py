"""A reach says no only where no scope holds a path."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.drift.reach import is_reached, reach_of
from gitmem.drift.scopes import ScopeIndex, ScopeSpec

PARTS = st.sampled_from(
    ["a", "b.py", "c.d.py", "*", "**", "*.py", "a*", "?", "[ab]", "{a,b.py}", "*b*", ".x"]
)
GLOBS = st.lists(PARTS, min_size=1, max_size=4).map("/".join)
PATHS = st.lists(st.sampled_from(["a", "b", "b.py", "c.d.py", "ab", ".x"]), min_size=1, max_size=4).map(
    "/".join
)


@given(st.lists(GLOBS, min_size=1, max_size=3), PATHS, st.booleans())
def test_whatever_a_scope_holds_is_reached(globs: list[str], path: str, gitlink: bool) -> None:
    try:
        index = ScopeIndex([ScopeSpec(tuple(globs))])
    except ValueError:
        return
    if index.matching(path.encode(), gitlink=gitlink):
        assert is_reached(reach_of(globs, ()), path.encode())


@pytest.mark.parametrize(
    ("path", "reached"),
    [
        ("src/pay.py", True),
        ("src/pay.pyi", False),
        ("src/deep/gate.py", True),
        ("src/deep/gate.ts", False),
        ("docs", True),
        ("docs/a/b.md", True),
        ("doc", False),
        ("index.ts", True),
        ("x/y/index.ts", True),
        ("x/y/index.tsx", False),
    ],
)
def test_where_globs_begin_and_what_they_end_in(path: str, reached: bool) -> None:
    reach = reach_of(("src/pay.py", "src/**/*.py", "**/index.ts"), ("docs",))
    assert is_reached(reach, path.encode()) is reached
