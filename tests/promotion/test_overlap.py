"""Whether two scopes can mean one file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.model.glob import parse_glob
from gitmem.model.memory import Scope
from gitmem.promotion.overlap import overlaps


def do_overlap(one: str, other: str) -> bool:
    there = overlaps(Scope(paths=(one,)), Scope(paths=(other,)))
    assert there == overlaps(Scope(paths=(other,)), Scope(paths=(one,)))
    return there


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"src/\[b\]r*/y.py", "src/pay/**"),
        (r"src/\{id\}/**", "src/pay/**"),
        (r"src/\*/a.py", "src/pay/a.py"),
        ("src/pay*/a.py", "src/cart/**"),
        ("src/pay", "src/payment/**"),
        ("web/**", "api/**"),
        ("web/**", "website/**"),
        ("src/*.py", "src/*.ts"),
        ("src/결제/**", "src/장바구니*/**"),
    ],
)
def test_scopes_that_no_file_is_in_both_of_do_not_overlap(one: str, other: str) -> None:
    assert not do_overlap(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (r"src/\[b\]r*/y.py", r"src/\[b\]**/y.py"),
        (r"src/\[b\]/**", "src/[b]/**"),
        ("src/p*/a.py", "src/pay/**"),
        ("src/v1.2", "src/v1.2/a.py"),
        ("./src//pay/", "src/pay/a.py"),
        ("src/pay", "src/pay"),
        ("**", "src/결제/a.py"),
        ("{web,api}/a.py", "api/**"),
    ],
)
def test_scopes_that_a_file_may_be_in_both_of_overlap(one: str, other: str) -> None:
    assert do_overlap(one, other)


PARTS = ["a", "a*", "*", "**", "?b", r"\[a\]", "[ab]", "a.py", "*.py", r"a\*"]
GLOBS = st.lists(st.sampled_from(PARTS), min_size=1, max_size=3).map("/".join)
PATHS = st.lists(st.sampled_from(["a", "ab", "[a]", "a*", "b", "a.py", "b.py"]), min_size=1, max_size=4).map(
    "/".join
)


@given(GLOBS, GLOBS, PATHS)
def test_what_both_match_they_overlap_at(one: str, other: str, path: str) -> None:
    if all(parse_glob(glob).matches(path.encode()) for glob in (one, other)):
        assert do_overlap(one, other)
