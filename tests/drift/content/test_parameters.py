"""Calls go on to fit where parameters stand and only optional ones came."""

from __future__ import annotations

import pytest

from gitmem.drift.content.parameters import parameters, takes_same_calls


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("def f(cls) -> None:", "def f(cls, **kwargs: Any) -> None:", True),
        ("def f(a, b=1):", "def f(a, b=1, *, deep: bool = False):", True),
        ("def f(a):", "def f(a, b):", False),
        ("def f(a, b=1):", "def f(a, b):", False),
        ("def f(a, b):", "def f(b, a):", False),
        ("def f(a, b):", "def f(a):", False),
        ("def f(a):", "def f(x):", False),
        ("function f(a: string) {", "function f(a: string, b?: number) {", True),
        (
            "f<T>(a: Map<string, T>, cb: (x: T) => void)",
            "f<T>(a: Map<string, T>, cb: (x: T) => void, n = 1)",
            True,
        ),
        ("f(cb: (x: number) => void)", "f(cb: (x: number) => void, n: number)", False),
        ("fun f(a: Int)", "fun f(a: Int, b: Int = 0)", True),
        ("func f(a int)", "func f(a int, b int)", False),
        ("f(a)", "f(a, ...rest)", True),
        ('def f(a=","):', 'def f(a=",", b=")"):', True),
        ("class f:", "class f:", False),
    ],
)
def test_takes_same_calls(old: str, new: str, same: bool) -> None:
    assert takes_same_calls(old, new, "f") is same


def test_parameters_of_a_list_that_is_never_closed() -> None:
    assert parameters("def f(a, b", "f") == ("a",)
