"""Prohibited names that a language gives to everybody, and dotted names that are imported by their parts."""

from __future__ import annotations

import pytest

from gitmem.drift.derive import derive
from gitmem.drift.imported import users
from gitmem.model.memory import Scope
from tests.support.tree_view import TreeOfText


def uses(name: str, path: str, text: str) -> bool:
    return bool(users(name, TreeOfText({path: text})))


@pytest.mark.parametrize(
    ("name", "path", "text", "used"),
    [
        ("eval", "a.py", "eval(x)\n", True),
        ("eval", "a.py", "x = [eval]\n", True),
        ("eval", "a.py", "builtins.eval(x)\n", True),
        ("eval", "a.py", "model.eval()\n", False),
        ("eval", "a.py", "def eval(self):\n    pass\n", False),
        ("eval", "a.py", "run(eval=True)\n", False),
        ("eval", "a.py", "x = 'eval(1)'  # eval(2)\n", False),
        ("print", "a.py", "console.print(1)\n", False),
        ("print", "a.py", "print(1)\n", True),
        ("eval", "a.js", "window.eval(x)\n", True),
        ("eval", "a.ts", "m.eval()\n", False),
        ("eval", "a.js", "const o = { eval: 1 }\n", False),
        ("fetch", "a.ts", "await fetch(url)\n", True),
        ("fetch", "a.ts", "await client.fetch(url)\n", False),
        ("innerHTML", "a.js", "e.innerHTML = x\n", True),
        ("unwrap", "a.rs", "fn f() { x.unwrap(); }\n", True),
        ("any", "a.ts", "function f(x: any) {}\n", True),
        ("any", "a.ts", "const x = y as any;\n", True),
        ("any", "a.tsx", "let x: Array<any>, y: any[];\n", True),
        ("any", "a.ts", "type T = any;\n", True),
        ("any", "a.ts", "type F = (x: string) => any;\n", True),
        ("any", "a.ts", "xs.any(); Promise.any(ps);\n", False),
        ("any", "a.ts", "// x: any\nconst s = ': any';\n", False),
        ("any", "a.ts", "const any = 1; any(any);\n", False),
        ("any", "a.py", "x: any = any(xs)\n", False),
        ("time.sleep", "a.py", "from time import sleep\n", True),
        ("time.sleep", "a.py", "from time import sleep as nap\n", True),
        ("time.sleep", "a.py", "time.sleep(1)\n", True),
        ("time.sleep", "a.py", "from asyncio import sleep\nimport time\n", False),
        ("time.sleep", "a.py", "from time import monotonic\nsleep = 1\n", False),
    ],
)
def test_what_uses_a_name(name: str, path: str, text: str, *, used: bool) -> None:
    assert uses(name, path, text) is used


@pytest.mark.parametrize(
    "text",
    [
        "No `any` in TypeScript.",
        "Never use `any`; use `unknown`.",
        "Do not use the `any` type.",
        "TypeScript에서 `any`를 쓰지 않는다.",
        "`any` 사용 금지.",
    ],
)
def test_a_type_word_is_a_name_where_it_is_prohibited(text: str) -> None:
    view = TreeOfText({"src/a.ts": "export const x = 1\n"})
    found = derive([text], Scope(paths=("src/**",)), view, files=("src/a.ts",))
    assert "ident any (prohibited)" in [str(one) for one in found.watches]


@pytest.mark.parametrize("text", ["Set it to `any` or `all`.", "값은 `any`이다."])
def test_elsewhere_it_is_a_value(text: str) -> None:
    view = TreeOfText({"src/a.ts": "export const any = 1\n"})
    assert derive([text], Scope(paths=("src/**",)), view, files=("src/a.ts",)).watches == ()
