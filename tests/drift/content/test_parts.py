from __future__ import annotations

import pytest

from gitmem.model.watch import parse_watch
from tests.support.tree_view import judged


@pytest.mark.parametrize(
    ("place", "old", "new", "said"),
    [
        ("a.py#f", "@cache\ndef f(a):\n    return 1\n", "@lru\ndef f(a):\n    return 1\n", "decorator changed"),
        ("a.py#f", "def f(a):\n    return 1\n", "def f(a, b):\n    return 1\n", "signature changed"),
        ("a.py#f", "def f(a):\n    return 1\n", "async def f(a):\n    return 2\n", "signature and body changed"),
        ("a.py#f", "@a\ndef f():\n    return 1\n", "@b\ndef f(x):\n    return 2\n", "decorator, signature and body changed"),
        ("a.py#C", "class C(A):\n    x = 1\n", "class C(B):\n    x = 1\n", "base classes changed"),
        ("a.py#C", "class C:\n    x = 1\n    def f(self): pass\n", "class C:\n    x = 2\n    def g(self): pass\n", "body changed (x, f gone, g new)"),
        ("a.py#LIMIT", "LIMIT = 1\n", "LIMIT = 2\n", "1 → 2"),
        ("a.ts#C", "@I('a')\nexport class C { f() {} }\n", "@I('b')\nexport class C { f() {} }\n", "decorator changed"),
        ("a.ts#C.f", "class C { @I('a') f() {} }\n", "class C { @I('b') f() {} }\n", "decorator changed"),
        ("a.ts#C", "class C extends A { f() {} }\n", "class C extends B { f() {} }\n", "declaration changed"),
        ("A.java#A.f", "class A { @T(1) int f() { return 1; } }\n", "class A { @T(2) int f() { return 1; } }\n", "annotation changed"),
        ("a.rs#f", "#[inline]\nfn f() -> u8 { 1 }\n", "#[cold]\nfn f() -> u8 { 1 }\n", "attribute changed"),
        ("a.go#f", "func f(a int) int { return 1 }\n", "func f(a int) int { return 2 }\n", "body changed"),
    ],
)  # fmt: skip
def test_the_part_that_changed_is_named(place: str, old: str, new: str, said: str) -> None:
    path, _, name = place.partition("#")
    seen = judged(parse_watch("symbol", place), {path: old}, {path: new})
    assert seen.findings[0].reason == f"{name}: {said}"


def test_without_the_old_state_no_part_is_claimed() -> None:
    seen = judged(
        parse_watch("symbol", "a.py#f"),
        {"a.py": "@a\ndef f():\n    return 1\n"},
        {"a.py": "@b\ndef f():\n    return 1\n"},
        history=False,
    )
    assert seen.findings[0].reason == "f: its content changed"
