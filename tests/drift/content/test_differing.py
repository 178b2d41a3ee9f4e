"""Comparing by the parts that differ says what comparing the outlines says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.drift.content.difference import Difference, of_outlines
from gitmem.drift.content.differing import differing
from gitmem.drift.content.reading import outline

HEAD = {
    "a.go": "package a\n",
    "a.ts": "",
    "a.rs": "",
    "A.java": "package a;\n",
    "a.swift": "",
    "a.kt": "package a\n",
    "a.rb": "",
}
PARTS = {
    "a.go": [
        'import "fmt"\n',
        'import "os"\n',
        "// Run runs.\nfunc Run(a int) int { return a + 1 }\n",
        "func Run(a int) int {\n\t// one more\n\treturn a + 1\n}\n",
        "func Run(a int64) int { return a + 1 }\n",
        "const (\n\tOne = iota\n\tTwo\n)\n",
        "const (\n\tTwo = iota\n\tOne\n)\n",
        "// Deprecated: use Run.\nfunc Go() {}\n",
    ],
    "a.ts": [
        "import { a } from 'a';\n",
        'import { a } from "a"\n',
        "export function run(a: number) { return a + 1; }\n",
        "export function run(a) { return a + 1 }\n",
        "@sealed\nclass A { x = 1; }\n",
        "class A { x = 1 }\n",
        "// a\n",
        "let b = `x ${1}`;\n",
    ],
    "a.rs": [
        "use std::io;\n",
        "#[inline]\nfn run(a: u8) -> u8 { a + 1 }\n",
        "fn run(a: u8) -> u8 { a + 1 }\n",
        "/// says\nfn run(a: u8) -> u8 { a + 1 }\n",
        "#[deprecated]\nstruct A;\n",
        "struct A;\n",
    ],
    "A.java": [
        "import a.B;\n",
        "@Deprecated\nclass A { int x() { return 1; } }\n",
        "class A { int x() { return 1; } /* */ }\n",
        "class A { int x() { return 2; } }\n",
        "interface B {}\n",
    ],
    "a.swift": [
        "import A\n",
        "func run() -> Int { 1 }\n",
        "func run() -> Int { 2 }\n",
        "struct A { let a = 1 }\n",
        "// a\n",
    ],
    "a.kt": ["import a.b\n", "fun run() = 1\n", "fun run(): Int = 1\n", "class A(val a: Int)\n", "// a\n"],
    "a.rb": ["require 'a'\n", "def run\n  1\nend\n", 'A = "a"\n', "A = 'a'\n", "# a\n"],
}


@st.composite
def versions(draw: st.DrawFn) -> tuple[str, bytes, bytes]:
    """A path, and two contents made of the same few parts."""
    path = draw(st.sampled_from(sorted(PARTS)))
    parts = st.lists(st.sampled_from(PARTS[path]), min_size=1, max_size=6)
    old, new = ((HEAD[path] + "\n".join(draw(parts))).encode() for _ in range(2))
    return path, old, new


@given(versions())
def test_the_parts_that_differ_say_what_whole_outlines_say(case: tuple[str, bytes, bytes]) -> None:
    path, old, new = case
    found = differing(path, old, new)
    before, after = outline(path, old), outline(path, new)
    assert before is not None
    assert after is not None
    fine = before.level == after.level == "syntax"
    assert found == (of_outlines(before, after) if fine else None)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.py", b"a = 1\n", b"a = 2\n"),
        ("a.txt", b"a\n", b"b\n"),
        ("a.go", b"package a\nfunc (\n", b"package a\n"),
        ("a.go", b"package a\n\0", b"package a\n"),
    ],
    ids=["no grammar", "prose", "does not parse", "binary"],
)
def test_what_takes_outlines_is_left_to_them(path: str, old: bytes, new: bytes) -> None:
    assert differing(path, old, new) is None


def test_equal_parts_in_another_order_are_a_difference() -> None:
    one, other = b"func A() {}\n", b"func B() {}\n"
    assert (
        differing("a.go", b"package a\n" + one + other, b"package a\n" + other + one)
        is Difference.SUBSTANTIVE
    )
