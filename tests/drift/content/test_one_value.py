from __future__ import annotations

import pytest

from gitmem.drift.content.one_value import line_of, value_in
from gitmem.drift.content.reading import outline
from gitmem.model.watch import parse_watch
from tests.support.tree_view import judged

LANGUAGES = [
    ("a.py", "LIMIT: Final[int] = {}  # why\n", "LIMIT"),
    ("a.py", "class A:\n    LIMIT = {}\n", "A.LIMIT"),
    ("a.ts", "export const LIMIT: number = {}; // why\n", "LIMIT"),
    ("a.ts", "class A {{\n  static readonly limit = {};\n}}\n", "A.limit"),
    ("a.ts", "export const C = {{\n  limit: {},\n  other: 1,\n}};\n", "C.limit"),
    ("a.ts", "enum E {{\n  A = {},\n  B = 9,\n}}\n", "E.A"),
    ("a.js", "var LIMIT = {};\n", "LIMIT"),
    ("a.go", "package a\n\nconst Limit = {}\n", "Limit"),
    ("a.go", "package a\n\nconst (\n\tLimit time.Duration = {}\n)\n", "Limit"),
    ("a.go", "package a\n\nvar (\n\tA = 1\n\tLimit = {}\n)\n", "Limit"),
    ("a.rs", "pub const LIMIT: usize = {};\n", "LIMIT"),
    ("a.rs", "impl A {{\n    const LIMIT: usize = {};\n}}\n", "A.LIMIT"),
    ("A.java", "class A {{\n  static final int LIMIT = {};\n}}\n", "A.LIMIT"),
    ("a.swift", "let limit: Int = {}\n", "limit"),
    ("a.kt", "const val LIMIT = {}\n", "LIMIT"),
    ("a.c", "#define LIMIT {}\n", "LIMIT"),
    ("a.cpp", "constexpr int limit = {};\n", "limit"),
    ("a.cs", "class A {{\n  public const int Limit = {};\n}}\n", "A.Limit"),
    ("a.rb", "LIMIT = {}\n", "LIMIT"),
    ("a.php", "<?php\nclass A {{\n  const LIMIT = {};\n}}\n", "A.LIMIT"),
    ("a.sh", "LIMIT={}\n", "LIMIT"),
]


@pytest.mark.parametrize(("path", "source", "name"), LANGUAGES)
def test_another_value_of_a_constant_is_told_and_no_rewriting(path: str, source: str, name: str) -> None:
    watch = parse_watch("symbol", f"{path}#{name}")
    then, now = {path: source.format(3)}, {path: source.format(5)}
    (known,) = judged(watch, then, now).findings
    assert (str(known.verdict), known.reason) == ("changed", f"{name}: 3 → 5")
    (alone,) = judged(watch, then, now, history=False).findings
    assert (str(alone.verdict), alone.reason) == ("changed", f"{name}: value changed, now 5")


def test_a_constant_of_several_lines_is_rewritten_as_other_code_is() -> None:
    watch = parse_watch("symbol", "a.py#ALL")
    then, now = "ALL = [\n    1,\n    2,\n    3,\n]\n", "ALL = [\n    4,\n    5,\n    6,\n]\n"
    assert str(judged(watch, {"a.py": then}, {"a.py": now}).verdict) == "changed"
    assert str(judged(watch, {"a.py": then}, {"a.py": "ALL = read()\n"}).verdict) == "rewritten"


def test_a_function_in_one_line_is_no_value() -> None:
    source = b"def f(): return 3\n"
    found = outline("a.py", source)
    assert found is not None
    assert line_of(found.symbols[0], source) is None


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("A = 'x # y'  # why", "A", "'x # y'"),
        ("A = 1  // why", "A", "1"),
        ("A", "A", None),
        ("", "A", None),
        ("A = " + "x" * 100, "A", "x" * 59 + "…"),
        (None, "A", None),
    ],
)
def test_the_value_in_a_line(line: str | None, name: str, value: str | None) -> None:
    assert value_in(line, name) == value
