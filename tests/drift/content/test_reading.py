from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.drift.content import packing
from gitmem.drift.content.difference import Difference, comparable
from gitmem.drift.content.language import language_of
from gitmem.drift.content.reading import code_words, compare, key_names, key_value, line_share, outline
from tests.drift.content.test_languages import MATRIX
from tests.drift.content.test_symbols import NAMES

COSMETIC, SUBSTANTIVE = Difference.COSMETIC, Difference.SUBSTANTIVE


@pytest.mark.parametrize(
    ("path", "data", "language"),
    [
        ("a/b.py", b"", "python"),
        ("a/b.TSX", b"", "tsx"),
        ("Dockerfile", b"", "docker"),
        ("a/Makefile", b"", "make"),
        ("bin/run", b"#!/usr/bin/env python3\n", "python"),
        ("bin/run", b"#!/bin/bash -e\n", "shell"),
        ("bin/run", b"", "text"),
        ("requirements-dev.txt", b"", "requirements"),
        ("notes.txt", b"", "prose"),
        (".env.local", b"", "dotenv"),
        ("py", b"", "text"),
    ],
)
def test_tells_the_language_by_name_then_by_first_line(path: str, data: bytes, language: str) -> None:
    assert language_of(path, data) == language


@pytest.mark.parametrize(
    ("path", "old", "new", "expected", "level"),
    [
        ("a.md", b"a  b\n\nc", b"a b c\n", COSMETIC, "text"),
        ("a.md", b"a b", b"a c", SUBSTANTIVE, "text"),
        ("a.css", b"a { b: c }", b"a {\n  b: c; /* why */\n}", SUBSTANTIVE, "leaves"),
        ("a.css", b"a { b: c; }", b"a {\n  b: c; /* why */\n}", COSMETIC, "leaves"),
        ("a.sql", b"select a -- why\nfrom b", b"select a from b", COSMETIC, "leaves"),
        ("a.sql", b"select 'a  b'", b"select 'a b'", SUBSTANTIVE, "leaves"),
        ("a.bin", b"\0a", b"\0b", SUBSTANTIVE, "text"),
        ("a.txt", b"\xff a", b"\xff  a", COSMETIC, "text"),
    ],
)
def test_other_files_are_compared_coarsely(
    path: str, old: bytes, new: bytes, expected: Difference, level: str
) -> None:
    there = compare(path, old, new)
    assert (there.difference, there.level) == (expected, level)


def test_binary_content_has_no_outline() -> None:
    assert outline("a.py", b"x = 1\0") is None
    assert outline("a.py", b"x = 1\n" * 2000 + b"\0") is not None


def test_a_large_file_is_compared_by_white_space_and_says_so() -> None:
    old = b"x = 1\n" * 180_000
    there = compare("a.py", old, old.replace(b"= 1", b"=  1"))
    assert (there.difference, there.level) == (COSMETIC, "text")
    assert "1 MiB" in (there.note or "")


def test_a_grammar_that_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    from gitmem.drift.content import grammar

    monkeypatch.setitem(sys.modules, "tree_sitter_typescript", None)
    grammar.tools_of.cache_clear()
    try:
        there = compare("a.ts", b"f( a )", b"f(\n a )")
        assert there == (COSMETIC, "text", "TypeScript compared by white space: install gitmem-ledger[full]")
    finally:
        monkeypatch.undo()
        grammar.tools_of.cache_clear()
    assert compare("a.ts", b"f( a )", b"f(\na)").level == "syntax"


def test_digests_of_different_levels_do_not_compare() -> None:
    good, bad = outline("a.py", b"x = 1"), outline("a.py", b"x = = 1")
    assert good
    assert bad
    assert not comparable(good.digest, bad.digest)
    assert comparable(good.digest, good.core)


@pytest.mark.parametrize(
    ("path", "source", "there", "absent"),
    [
        (
            "a.py",
            (
                "\"\"\"Doc gone1.\"\"\"\nimport pkg.mod\n\n\ndef f(a):  # gone2\n    '''Doc gone3.'''\n"
                '    return g("kept-one", a.b) + """kept2"""\n\n\nLIST = [\n    """kept3""",\n    """kept4"""\n]\n'
            ),
            "pkg mod pkg.mod f a g kept-one kept one a.b b kept2 kept3 kept4 LIST",
            "Doc gone1 gone2 gone3",
        ),
        (
            "a.ts",
            "// gone1\nimport { A } from '@scope/next-auth/react'; /* gone2 */\nconst $x = 'http://kept/y'; 주문(결제);\n",
            "A @scope/next-auth/react next-auth next-auth/react react scope $x x kept 주문 결제",
            "gone1 gone2",
        ),
        ("a.js", "x = /[/*]/; kept1(); y = `// kept2`; // gone\n", "kept1 kept2", "gone"),
        ("a.rs", '/// gone1\nfn f<\'a>() { println!("kept"); } // gone2\n', "f println kept", "gone1 gone2"),
        ("a.go", "package a\n\n// gone\nvar x = `kept1 // kept2`\n", "x kept1 kept2", "gone"),
        ("a.rb", "=begin\ngone1\n=end\n# gone2\nfoo('kept-a')\n", "foo kept-a", "gone1 gone2"),
        ("a.sh", "# gone\nrun-it --no-verify ${#kept}\n", "run-it no-verify kept", "gone"),
        ("package.json", '{"dependencies": {"next-auth": "^4"}}', "dependencies next-auth", ""),
        ("a.yaml", "key-a: value-b # gone\n", "key-a value-b", "gone"),
        ("a.css", ".btn-main { color: red } /* gone */", "btn-main color red", "gone"),
        ("requirements.txt", "next-auth>=1 # gone\n", "next-auth", "gone"),
        ("README.md", "kept", "", "kept"),
        ("docs/a.rst", "kept", "", "kept"),
        ("yarn.lock", "kept", "", "kept"),
        ("a.bin", "kept\0", "", "kept"),
    ],
)
def test_words_are_those_of_the_code(path: str, source: str, there: str, absent: str) -> None:
    words = code_words(path, source.encode())
    assert set(there.split()) <= words
    assert words.isdisjoint(absent.split())


@pytest.mark.parametrize(
    ("old", "new", "share"),
    [
        (b"a\nb\nc\nd\n", b"a\nb\nc\nd\n", 0.0),
        (b"a\nb\nc\nd\n", b"a\n x\nc\nd\ne\n", 0.25),
        (b"a\n\n\nb\n", b"", 1.0),
        (b"a  b\r\n", b"a b\n", 0.0),
        (b"a\na\nb\nb\n", b"a\nb\nb\n", 0.25),
        (b"a\nb\n", b"b\na\n", 0.0),
        (b"", b"a\n", 0.0),
    ],
)
def test_the_share_of_lines_lost(old: bytes, new: bytes, share: float) -> None:
    assert line_share(old, new) == share


@given(st.binary(max_size=400), st.binary(max_size=400))
def test_the_share_is_a_part(old: bytes, new: bytes) -> None:
    assert 0.0 <= line_share(old, new) <= 1.0
    assert line_share(old, old + b"\n" + new) == 0.0


_line_parts = st.lists(
    st.sampled_from([b"a", b"b", b" ", b"\t", b"\n", b"\r\n", b"\r", b"\x0c"]), max_size=30
)


@given(_line_parts.map(b"".join), _line_parts.map(b"".join))
def test_lines_are_compared_as_bags_with_white_space_collapsed(old: bytes, new: bytes) -> None:
    bags = [
        Counter(b" ".join(words) for line in re.split(rb"[\r\n]", one) if (words := line.split()))
        for one in (old, new)
    ]
    lost = (bags[0] - bags[1]).total()
    assert line_share(old, new) == (lost / bags[0].total() if lost else 0.0)


SOURCES = [(path, source) for path, source, _ in NAMES] + [(path, base) for path, base, _ in MATRIX.values()]
SOURCES += [
    ("a.py", "class A:\n    @x\n    def f(self, *a: int) -> str:\n        return f'{a!r:>{w}}' + self.g()\n")
]
SOURCES += [
    ("a.json", '{"a": [1, {"b": null}]}'),
    ("a.yaml", "a: &x [1, *y]\nb: !t |\n  c\n"),
    ("a.toml", "[a]\nb = 1\n"),
]
SOURCES += [
    ("Makefile", "a: b\n\tc\n"),
    ("a.ini", "[a]\nb = c\n"),
    ("go.mod", "go 1\n"),
    ("a.css", "a { b: c }"),
]


def read_all(path: str, data: bytes) -> None:
    """Everything that may be asked of a file."""
    found = outline(path, data)
    if found:
        assert packing.unpack(packing.pack(found)) == found
        lines = data.count(b"\n") + data.count(b"\r") + 1
        assert all(1 <= one.start <= one.end <= lines for one in found.symbols)
        assert len({one.name for one in found.symbols}) == len(found.symbols)
    code_words(path, data)
    for name in key_names(path, data)[:3]:
        key_value(path, data, name)


@pytest.mark.parametrize("path", sorted({path for path, _ in SOURCES}))
@settings(max_examples=25, deadline=None)
@given(data=st.binary(max_size=300))
def test_random_bytes_never_raise(path: str, data: bytes) -> None:
    read_all(path, data)
    compare(path, data, data + b"\n")


@pytest.mark.parametrize(
    ("path", "source"), SOURCES, ids=[f"{at}-{path}" for at, (path, _) in enumerate(SOURCES)]
)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_damaged_source_never_raises(path: str, source: str, data: st.DataObject) -> None:
    text = source.encode()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    new = text[:start] + data.draw(st.binary(max_size=10)) + text[end:]
    read_all(path, new)
    compare(path, text, new)


@pytest.mark.parametrize(
    "path", ["a.py", "a.ts", "a.go", "a.rs", "A.java", "a.swift", "a.kt", "a.json", "a.yaml", "a.toml"]
)
@pytest.mark.parametrize(
    "piece", ["(", "[", "{", "a(", "-", "a.b", "if x: ", "not ", '"', "<a>", "a?b:", "#", "f=>", "x;"]
)
def test_deep_and_repeated_input_is_answered(path: str, piece: str) -> None:
    read_all(path, piece.encode() * 20_000)


@pytest.mark.parametrize(
    ("path", "source"), SOURCES, ids=[f"{at}-{path}" for at, (path, _) in enumerate(SOURCES)]
)
def test_packed_outlines_are_stable(path: str, source: str) -> None:
    found = outline(path, source.encode())
    assert found
    assert packing.from_plain(packing.to_plain(found)) == found
    assert packing.pack(found) == packing.pack(packing.unpack(packing.pack(found)))


@pytest.mark.parametrize(
    "data", [b"", b"x", b"\xe3", packing.pack.__doc__.encode() if packing.pack.__doc__ else b"y"]
)
def test_damaged_packing_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="outline"):
        packing.unpack(data)
