"""Harder edits of a definition in every language: what they mean, with the old tree at hand and from the mark alone."""

from __future__ import annotations

import re

import pytest

from gitmem.drift.content.reading import outline
from gitmem.model.watch import parse_watch
from tests.drift.edits.compiled import GO, JAVA, RUST, SWIFT, C
from tests.drift.edits.language import Edits
from tests.drift.edits.managed import CPP, CSHARP, KOTLIN
from tests.drift.edits.scripted import JAVASCRIPT, PHP, PYTHON, RUBY, SHELL, TYPESCRIPT
from tests.support.tree_view import Files, judged

LANGUAGES = (TYPESCRIPT, JAVASCRIPT, PYTHON, RUBY, PHP, SHELL, GO, RUST, JAVA, SWIFT, C, CPP, CSHARP, KOTLIN)
ROWS = [
    pytest.param(one, *row, id=f"{one.path}: {row[1]} -> {row[2]}") for one in LANGUAGES for row in one.rows
]
EACH = pytest.mark.parametrize("edits", LANGUAGES, ids=[one.path for one in LANGUAGES])


def verdict(path: str, name: str, old: Files, new: Files, *, history: bool = True) -> str:
    """The verdict, a definition that changed for the most part among those that changed."""
    found = str(judged(parse_watch("symbol", f"{path}#{name}"), old, new, history=history).verdict)
    return "changed" if found == "rewritten" else found


@pytest.mark.parametrize(("edits", "name", "old", "new", "expected"), ROWS)
def test_an_edit_means(edits: Edits, name: str, old: str, new: str, expected: str) -> None:
    path, source = edits.path, edits.source
    assert old in source
    there = {path: source.replace(old, new, 1)}
    found = verdict(path, name, {path: source}, there)
    assert found == expected
    alone = verdict(path, name, {path: source}, there, history=False)
    # From the mark alone nothing can be compared where a syntax error hides the definition.
    assert alone == expected or (alone == "unknown" and not _is_whole(path, there[path]))


def _is_whole(path: str, text: str) -> bool:
    found = outline(path, text.encode())
    return found is not None and found.level == "syntax"


@EACH
def test_a_source_parses_whole(edits: Edits) -> None:
    found = outline(edits.path, edits.source.encode())
    assert found is not None
    assert (found.level, found.note) == ("syntax", None)


@EACH
@pytest.mark.parametrize("encode", ["crlf", "bom", "both"])
def test_line_ends_and_byte_order_marks_are_layout(edits: Edits, encode: str) -> None:
    text = edits.source.replace("\n", "\r\n") if encode != "bom" else edits.source
    text = "\ufeff" + text if encode != "crlf" else text
    name, old, new = edits.main
    assert verdict(edits.path, name, {edits.path: edits.source}, {edits.path: text}) == "cosmetic"
    assert verdict(edits.path, name, {edits.path: text}, {edits.path: edits.source}) == "cosmetic"
    logic = edits.source.replace(old, new)
    assert logic != edits.source
    assert verdict(edits.path, name, {edits.path: text}, {edits.path: logic}) == "changed"


@EACH
def test_korean_names_and_comments_are_read_as_any(edits: Edits) -> None:
    name, old, new = edits.main
    head, _, bare = name.rpartition(".")
    mark = "#" if edits.path.endswith((".py", ".rb", ".sh")) else "//"
    korean = re.sub(rf"\b{bare}\b", "결제_하기", edits.source)
    named = f"{head}.결제_하기" if head else "결제_하기"
    commented = korean + f"{mark} 결제를 다시 시도한다\n"
    assert verdict(edits.path, named, {edits.path: korean}, {edits.path: commented}) == "cosmetic"
    logic = korean.replace(old, new)
    assert verdict(edits.path, named, {edits.path: korean}, {edits.path: logic}) == "changed"


MOVES = [
    ("ts", "wait", "function wait(n) {\n  const x = n + 1;\n  return x;\n}\n", "export function wait(n) {\n  const x = n + 1;\n  return x;\n}\n", "wait"),
    ("ts", "wait", "export default function wait(n) {\n  const x = n + 1;\n  return x;\n}\n", "export function hold(n) {\n  const x = n + 1;\n  return x;\n}\n", "hold"),
    ("ts", "A.go", "class A {\n  go(n) { return n - 1; }\n}\n", "export class B {\n  go(n) { return n - 1; }\n}\n", "B.go"),
    ("go", "C.Send", "package a\n\nfunc (c *C) Send(n int) int {\n\tx := n + 1\n\treturn x\n}\n", "package a\n\nfunc (c *C) Post(n int) int {\n\tx := n + 1\n\treturn x\n}\n", "C.Post"),
    ("rs", "go", "fn go(n: u8) -> u8 {\n    n + 1\n}\n", "impl A {\n    fn go(n: u8) -> u8 {\n        n + 1\n    }\n}\n", "A.go"),
    ("py", "go", "def go(n):\n    x = n + 1\n    return x\n", "def run(n):\n    x = n + 1\n    return x\n", "run"),
    ("kt", "top", "fun top(n: Int): Int {\n    return n + 1\n}\n", "object Tools {\n    fun top(n: Int): Int {\n        return n + 1\n    }\n}\n", "Tools.top"),
    ("kt", "A.top", "class A {\n    fun top(n: Int): Int {\n        return n + 1\n    }\n}\n", "fun top(n: Int): Int {\n    return n + 1\n}\n", "top"),
    ("rb", "top", "def top(n)\n  n + 1\nend\n", "module T\n  def top(n)\n    n + 1\n  end\nend\n", "T.top"),
    ("cs", "A.Go", "class A\n{\n    int Go(int n) => n + 1;\n}\n", "static partial class B { int Go(int n) => n + 1; }\n", "B.Go"),
    ("swift", "go", "func go(n: Int) -> Int {\n    return n + 1\n}\n", "extension A {\n    func go(n: Int) -> Int {\n        return n + 1\n    }\n}\n", "A.go"),
    ("php", "A.go", "<?php\nclass A\n{\n    private function go($n)\n    {\n        return $n + 1;\n    }\n}\n", "<?php\n\nnamespace B;\n\ntrait T {\n    private function go($n) { return $n + 1; }\n}\n", "T.go"),
    ("c", "helper", "int helper(int n)\n{\n\tint x = n + 1;\n\treturn x;\n}\n", "#include <x.h>\n\nint other(int n) {\n    int x = n + 1;\n    return x;\n}\n", "other"),
    ("cpp", "go", "int go(int n)\n{\n    return n + 1;\n}\n", "namespace a::b {\nint go(int n) { return n + 1; }\n}\n", "go"),
    ("sh", "go", "go() {\n    x=1\n    echo $x\n}\n", "function run {\n    x=1\n    echo $x\n}\n", "run"),
]  # fmt: skip


@pytest.mark.parametrize(("extension", "name", "old", "new", "became"), MOVES)
def test_what_moved_under_another_roof_or_name_is_followed(
    extension: str, name: str, old: str, new: str, became: str
) -> None:
    then, now = {f"a/one.{extension}": old, "b.txt": "x"}, {f"b/two.{extension}": new, "b.txt": "x"}
    seen = judged(parse_watch("symbol", f"a/one.{extension}#{name}"), then, now)
    assert str(seen.verdict) == "relocated", seen.findings
    assert seen.moved is not None
    assert (seen.moved.path, seen.moved.name) == (f"b/two.{extension}", became)


def test_a_definition_that_a_syntax_error_hides_is_unknown_from_the_mark_alone() -> None:
    now = {"A.java": JAVA.source.replace("Retry {", "Retry {\n    void bad( { ", 1)}
    watch = parse_watch("symbol", "A.java#Retry.send")
    seen = judged(watch, {"A.java": JAVA.source}, now, history=False)
    assert str(seen.verdict) == "unknown"
    assert "syntax errors" in seen.findings[0].reason
    gone = {"A.java": now["A.java"].replace("send", "post")}
    assert str(judged(watch, {"A.java": JAVA.source}, gone).verdict) == "gone"


BRACES = [
    ("a.c", "int f(int n) { if (n) return 1; else return n - 1; }"),
    ("a.cpp", "int f(int n) { if (n) return 1; else return n - 1; }"),
    ("A.java", "class A { int f(int n) { if (n > 1) return 1; else return n - 1; } }"),
    ("a.cs", "class A { int f(int n) { if (n > 1) return 1; else return n - 1; } }"),
    ("a.js", "function f(n) { if (n) return 1; else return n - 1; }"),
    ("a.ts", "function f(n) { if (n) return 1; else return n - 1; }"),
    ("a.php", "<?php function f($n) { if ($n) return 1; else return $n - 1; }"),
]


@pytest.mark.parametrize(("path", "bare"), BRACES)
def test_braces_around_one_statement_are_style(path: str, bare: str) -> None:
    braced = bare.replace("return 1;", "{\n return 1;\n}")
    assert verdict(path, "f", {path: bare}, {path: braced}) == "cosmetic"
    assert verdict(path, "f", {path: braced}, {path: bare}) == "cosmetic"
    assert (
        verdict(path, "f", {path: bare}, {path: braced.replace("return 1;", "g(); return 1;")}) == "changed"
    )
    assert verdict(path, "f", {path: bare}, {path: bare.replace("else ", "")}) == "changed"


def test_what_left_a_file_that_no_longer_parses_is_followed() -> None:
    old = "class A {\n  int go(int n) {\n    return n + 1;\n  }\n  int run() { return go(1); }\n}\n"
    now = {
        "A.java": "class A { \n  int run() { return go(1); }\n void bad( {\n}\n",
        "B.java": "class B {\n  int go(int n) {\n    return n + 1;\n  }\n}\n",
    }
    seen = judged(parse_watch("symbol", "A.java#A.go"), {"A.java": old}, now)
    assert str(seen.verdict) == "relocated"


def test_what_went_from_a_file_that_never_parsed_is_gone_and_what_stayed_is_judged() -> None:
    old = "#define API(t) t\nAPI(int) one(int n);\n\nint two(int n)\n{\n\treturn n + 1;\n}\nAPI(int) three(void) BROKEN {\n"
    assert verdict("a.c", "two", {"a.c": old}, {"a.c": old.replace("n + 1", "n + 2")}) == "changed"
    without = old.replace("int two(int n)\n{\n\treturn n + 1;\n}\n", "int four(void) { return two(1); }\n")
    assert verdict("a.c", "two", {"a.c": old}, {"a.c": without}) == "gone"


def test_one_of_two_overloads_that_changed_or_went_is_a_change() -> None:
    other = "    public Answer send(String order) {\n        return send(order, 1);\n    }\n\n"
    two = JAVA.source.replace("    static class", other + "    static class")
    for text in (JAVA.source, two.replace("order, 1", "order, 2")):
        assert verdict("A.java", "Retry.send", {"A.java": two}, {"A.java": text}) == "changed"
    three = two.replace("    static class", "    void send() {}\n\n    static class")
    assert verdict("A.java", "Retry.send", {"A.java": two}, {"A.java": three}) == "touched"
