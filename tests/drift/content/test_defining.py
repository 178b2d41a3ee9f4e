"""Whatever a parser finds at the top of a file may be defined there by its text; most files that use it may not."""

from __future__ import annotations

import pytest

from gitmem.drift.content.defining import may_define
from gitmem.drift.content.reading import outline
from gitmem.drift.marks import _top_level

FILES = {
    "a.py": "import os\nA = 1\nB: int = 2\nC, D = 3, 4\n(E, F) = 5, 6\nG = H = 7\n\n\n@dec\nasync def run():\n    pass\n\n\nclass Big:\n    x = 1\n"
    "\nif True:\n    LATE = 1\nfor item in A:\n    pass\n",
    "a.rs": "pub const A: u8 = 1;\nstatic mut B: u8 = 2;\npub(crate) async unsafe fn run<T>() {}\nstruct Big { x: u8 }\nenum E { X }\n"
    "pub trait Tr {}\ntype Al = u8;\nmod inner { pub fn deep() {} }\nmacro_rules! mac { () => {} }\nunion U { a: u8 }\nimpl Tr for Big {}\nimpl Other { fn m() {} }\n",
    "a.go": "package a\n\nfunc Run() {}\nfunc (b *Big) M() {}\n\ntype Big struct{ X int }\ntype (\n\tOne int\n\tTwo = int\n)\n\nvar A, B = 1, 2\n"
    "const (\n\tC = iota\n\tD\n)\n\nvar E int\n",
    "a.ts": "export const a = 1, b = 2;\nconst { c, d: e } = o;\nexport async function run<T>() {}\nfunction* gen() {}\nexport default class Big {}\n"
    "interface I {}\nexport type T = 1;\nenum E { X }\ndeclare module 'x.svg' { const y: 1; }\nnamespace N { export const deep = 1 }\nlet [f, g] = h;\n"
    "abstract class Ab {}\nexport const enum Ce { A }\n",
    "a.js": "exports.one = 1;\nmodule.exports.two = function () {};\nvar three = 3;\nconst\n  four = 4,\n  five = 5;\nclass Six {}\n",
}


@pytest.mark.parametrize("path", FILES)
def test_what_a_file_defines_it_may_define(path: str) -> None:
    data = FILES[path].encode()
    names = [one.name.rpartition(".")[2] for one in _top_level(outline(path, data)) if one.kind != "import"]
    assert len(names) > 5
    assert [name for name in names if not may_define(name, path, data)] == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "from b import send\n\nsend(1)\nprint(x.send)\n"),
        ("a.rs", "use b::send;\n\nfn f() { send(1); x.send(); }\n"),
        (
            "a.go",
            "package a\n\nfunc f() { x.send(1) }\n".replace("func f() { ", "func f() {\n").replace(
                "x.", "\tb."
            ),
        ),
        ("a.ts", "import { send } from './b';\n\nsend(1);\nx.send(2);\n"),
    ],
)
def test_a_file_that_uses_a_name_defines_nothing(path: str, text: str) -> None:
    assert not may_define("send", path, text.encode())


def test_where_a_language_does_not_tell_every_file_may() -> None:
    assert may_define("send", "a.java", b"x.send();")
    assert may_define("send", "a.c", b"send();")
