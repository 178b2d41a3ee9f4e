from __future__ import annotations

import pytest

from gitmem.drift.content.difference import Difference
from gitmem.drift.content.reading import compare, key_names, key_value, outline

COSMETIC, SUBSTANTIVE = Difference.COSMETIC, Difference.SUBSTANTIVE

CASES = [
    ("a.json", '{"a": [1, 2], "b": "x"}', '{\n  "b": "x",\n  "a": [1,\n 2]\n}\n', COSMETIC),
    ("a.json", '{"a": 1}', '// why\n{\n  /* so */ "a": 1,\n}\n', COSMETIC),
    ("a.json", '{"a": "// no comment, }"}', '{"a": "// another, }"}', SUBSTANTIVE),
    ("a.json", '{"a": [1, 2]}', '{"a": [2, 1]}', SUBSTANTIVE),
    ("a.json", '{"a": 1}', '{"a": "1"}', SUBSTANTIVE),
    ("a.json", '{"a": true}', '{"a": 1}', SUBSTANTIVE),
    ("a.toml", "[a]\nb = 'x'\n", 'a.b = "x" # why\n', COSMETIC),
    ("a.toml", "a = 1\n", "a = 1.0\n", SUBSTANTIVE),
    ("a.toml", "a = 2020-01-01\n", "a = '2020-01-01'\n", SUBSTANTIVE),
    ("a.yaml", "a:\n- b\n- 'c'\n", '# why\na: [b, "c"]\n', COSMETIC),
    ("a.yaml", "a: |\n  x\n", 'a: "x\\n"\n', COSMETIC),
    ("a.yaml", "a: &k [b]\nc: *k\n", "a: [b]\nc: [b]\n", COSMETIC),
    ("a.yaml", "a: 3.10\n", "a: '3.10'\n", SUBSTANTIVE),
    ("a.yaml", "a: 3.10\n", "a: 3.1\n", SUBSTANTIVE),
    ("a.yaml", "a: true\n", "a: 'true'\n", SUBSTANTIVE),
    ("a.yaml", "a:\n", "a: ''\n", SUBSTANTIVE),
    ("a.yaml", "a: !Ref b\n", "a: b\n", SUBSTANTIVE),
    ("a.yaml", "a: 1\n", "a: 1\n---\nb: 1\n", SUBSTANTIVE),
    ("setup.cfg", "[a]\nb = c\n", "; why\n[a]\nb=c\n", COSMETIC),
    ("setup.cfg", "[a]\nb = c\n", "[a]\nb = d\n", SUBSTANTIVE),
    ("Makefile", "a: b c\n\techo  x\n", "# why\na:  b \\\n  c\n\n\techo x\n", COSMETIC),
    ("Makefile", "a: b\n\techo x\n", "a: b\n\techo y\n", SUBSTANTIVE),
    ("Makefile", "a: b\n", "a: c\n", SUBSTANTIVE),
    ("justfile", "a x='1': b\n  run {{x}}\n", "# why\na  x='1':  b\n\n    run  {{x}}\n", COSMETIC),
    ("justfile", "a:\n  run\n", "a:\n  walk\n", SUBSTANTIVE),
    ("justfile", "a: b\n", "a: c\n", SUBSTANTIVE),
    ("justfile", "a x:\n  run\n", "a y:\n  run\n", SUBSTANTIVE),
    ("Makefile", "X = 1\n", "X ?= 2\n", SUBSTANTIVE),
    ("go.mod", "module a\n\ngo 1.21\n", "module a // why\ngo 1.21\n", COSMETIC),
    ("requirements.txt", "a>=1\nb\n", "# why\nb\na >= 1\n", COSMETIC),
    ("requirements.txt", "a>=1\n", "a>=2\n", SUBSTANTIVE),
]


@pytest.mark.parametrize(("path", "old", "new", "expected"), CASES)
def test_configuration_is_compared_by_value(path: str, old: str, new: str, expected: Difference) -> None:
    assert compare(path, old.encode(), new.encode()) == (expected, "value", None)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.json", "{"),
        ("a.json", "[" * 100_000),
        ("a.toml", "a = = 1\n"),
        ("a.yaml", "a: [\n"),
        ("a.yaml", "{{ helm }}: x: y"),
        (
            "a.yaml",
            "".join(f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10) if n else 'x'}]\n" for n in range(20)),
        ),
        ("a.yaml", "? [a]\n: b\n"),
    ],
)
def test_what_does_not_parse_is_compared_by_white_space_and_says_so(path: str, source: str) -> None:
    found = outline(path, source.encode())
    assert found
    assert found.level == "text"
    assert "compared by white space" in (found.note or "")
    assert key_value(path, source.encode(), "a") is None
    assert key_names(path, source.encode()) == ()


PACKAGE = '{"name": "x", "scripts": {"lint": "eslint .", "a.b": "y"}, "deps": {"next-auth": "^4"}, "list": [{"k": 1}]}'
VALUES = [
    ("package.json", PACKAGE, "scripts.lint", '"eslint ."'),
    ("package.json", PACKAGE, "scripts.a.b", '"y"'),
    ("package.json", PACKAGE, 'scripts."a.b"', '"y"'),
    ("package.json", PACKAGE, "scripts", '{"a.b":"y","lint":"eslint ."}'),
    ("package.json", PACKAGE, "deps.next-auth", '"^4"'),
    ("package.json", PACKAGE, "list[0].k", "1"),
    ("package.json", PACKAGE, "list.0.k", "1"),
    ("package.json", PACKAGE, "scripts.test", None),
    ("package.json", PACKAGE, "", None),
    ("package.json", '{"a": {"b": 1}, "a.b": 2}', "a.b", "2"),
    ("package.json", '{"a.b": {"d": 1}, "a": {"b.c": 2}}', "a.b.c", "2"),
    ("tsconfig.json", '{ // why\n "a": {"b": true,},\n}', "a.b", "true"),
    ("pyproject.toml", "[project]\nrequires-python = '>=3.11'\n", "project.requires-python", '">=3.11"'),
    ("pyproject.toml", "[tool.x]\nday = 2020-01-01\n", "tool.x.day", '{"$date":"2020-01-01"}'),
    ("ci.yml", "on: push\njobs:\n  build:\n    steps:\n    - run: x\n", "jobs.build.steps[0].run", '"x"'),
    ("ci.yml", "python: 3.10\nother: '3.10'\nnone: ~\n", "python", "3.10"),
    ("ci.yml", "python: 3.10\nother: '3.10'\nnone: ~\n", "other", '"3.10"'),
    ("ci.yml", "python: 3.10\nother: '3.10'\nnone: ~\n", "none", "null"),
    ("ci.yml", "a: 1\n---\nb: 2\n", "b", "2"),
    ("ci.yml", "a: !Sub {b: c}\n", "a.b", '"c"'),
    ("setup.cfg", "[metadata]\nName = x%y\n", "metadata.Name", '"x%y"'),
    (".env", "TOKEN=abc\n", "TOKEN", '"abc"'),
    (
        "Makefile",
        ".PHONY: t\nt: a b\n\t@echo  x\n\n# why\n\techo y\nV := 1\n",
        "t",
        '{"needs":["a","b"],"recipe":["@echo x","echo y"]}',
    ),
    ("Makefile", "V := 1\n", "V", '"1"'),
    ("justfile", "alias t := test\n\n[group('x')]\n@test:\n    cargo test\n", "t", '"test"'),
    ("justfile", "v := '1'\n", "w", None),
    ("Makefile", "t:\n\tx\n", "u", None),
    ("go.mod", "module a\ngo 1.21\nrequire (\n\tx.org/y v1\n)\n", "require.x.org/y", '"v1"'),
    ("requirements.txt", "flask>=2\n", "flask", '">=2"'),
    ("주문.json", '{"주문": {"결제": "카드"}}', "주문.결제", '"카드"'),
    ("a.py", "x = 1", "x", None),
]


@pytest.mark.parametrize(("path", "source", "key", "expected"), VALUES)
def test_finds_the_value_of_a_key(path: str, source: str, key: str, expected: str | None) -> None:
    assert key_value(path, source.encode(), key) == expected


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("package.json", '{"a": {"b.c": 1, "d": {}}, "e": [1]}', ("a", 'a."b.c"', "a.d", "e")),
        ("a.yaml", "a:\n  b: 1\n---\nc: 2\n", ("a", "a.b", "c")),
        ("Makefile", "a b: c\n\tx\nV = 1\n", ("a", "b", "V")),
        ("a.ini", "top = 1\n[s]\nk = 2\n", ("top", "s", "s.k")),
        ("a.txt", "a: b", ()),
    ],
)
def test_names_every_key(path: str, source: str, expected: tuple[str, ...]) -> None:
    found = key_names(path, source.encode())
    flat = [name for name in found if not name.endswith((".needs", ".recipe"))]
    assert tuple(flat) == expected
    assert all(key_value(path, source.encode(), name) is not None for name in found)
