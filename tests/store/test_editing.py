from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gitmem.errors import InvalidDataError
from gitmem.store.editing import set_scalar
from gitmem.store.yaml_reading import plain, read_yaml
from tests.store.strategies import texts, words

FILE = """\
# yaml-language-server: $schema=x

id: m-001   # the id
status:   active  # keep me
title: "Quoted"   # c
single: 'it''s'
empty:    # nothing yet
nothing: null
scope:
    paths: # where
      - a/**   # first
      - b
flow: {a: b, c: [d]}
body: |
  line one
  # not a comment

  line two

# between
long: plain text
  that goes on  # c
verification:
  probe: make x
last: x  # end
"""

EDITS = [
    ("status", "challenged", "status:   active  # keep me", "status:   challenged  # keep me"),
    ("title", 'New: "x"', '"Quoted"', '"New: \\"x\\""'),
    ("single", "don't", "'it''s'", "'don''t'"),
    ("single", "a: b", "'it''s'", '"a: b"'),
    ("empty", "now", "empty:    # nothing yet", "empty: now    # nothing yet"),
    ("nothing", "true", "nothing: null", 'nothing: "true"'),
    ("scope.exclude", "x/**", "      - b\n", "      - b\n    exclude: x/**\n"),
    ("flow.a", "z, y", "{a: b,", '{a: "z, y",'),
    ("flow.e", "z", "c: [d]}", "c: [d], e: z}"),
    ("flow.a", None, "{a: b, c: [d]}", "{c: [d]}"),
    ("body", "short", "|\n  line one\n  # not a comment\n\n  line two\n", "short\n"),
    ("body", None, "body: |\n  line one\n  # not a comment\n\n  line two\n", ""),
    ("long", "one", "plain text\n  that goes on  # c", "one  # c"),
    ("last", None, "last: x  # end\n", ""),
    ("verification.probe", "make y", "make x", "make y"),
    ("verification.probe", None, "verification:\n  probe: make x\n", ""),
    ("empty.child", "x", "empty:    # nothing yet\n", "empty:    # nothing yet\n  child: x\n"),
    ("nothing.child", "x", "nothing: null\n", "nothing:\n  child: x\n"),
    (
        "challenged_at",
        "2026-07-13T10:00:00+09:00",
        "# end\n",
        "# end\nchallenged_at: 2026-07-13T10:00:00+09:00\n",
    ),
    ("new.deep", "1e5", "# end\n", '# end\nnew:\n  deep: "1e5"\n'),
    ("last", "한국어 #x", "last: x ", 'last: "한국어 #x" '),
]


@pytest.mark.parametrize(("field", "value", "old", "new"), EDITS)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_only_the_one_scalar_changes(
    field: str, value: str | None, old: str, new: str, line_end: str
) -> None:
    assert FILE.count(old) == 1
    before = FILE.replace("\n", line_end).encode()
    after = FILE.replace(old, new).replace("\n", line_end).encode()
    assert set_scalar(before, field, value) == after


@pytest.mark.parametrize(
    ("before", "field", "value", "after"),
    [
        ("a: b", "c", "d", "a: b\nc: d\n"),
        ("", "a.b", "c", "a:\n  b: c\n"),
        ("# note\n", "a", "b", "# note\na: b\n"),
        ("\ufeffa: b\n", "a", "c", "\ufeffa: c\n"),
        ("---\na: |+\n  x\n\n\n...\n", "c", "d", "---\nc: d\na: |+\n  x\n\n\n...\n"),
        ("--- {a: b}\n", "c", "d", "--- {a: b, c: d}\n"),
        (
            '{\n  "id": "m",\n  "status": "candidate"\n}\n',
            "status",
            "active",
            '{\n  "id": "m",\n  "status": "active"\n}\n',
        ),
        ('{"id": "m"}', "at", "2026-07-13", '{"id": "m", "at": "2026-07-13"}'),
        ("a: b\n", "a", "b", "a: b\n"),
        ("a: b\nc:\n", "c", None, "a: b\nc:\n"),
        ("a: b\n", "c.d", None, "a: b\n"),
        ("a: b\n", "a", None, ""),
        ("a: >\n  x\n  y\n\n  z\nb: c\n", "b", "d", "a: >\n  x\n  y\n\n  z\nb: d\n"),
        ("a: >-  # fold\n  x\n  y\nb: c\n", "a", "z", "a: z  # fold\nb: c\n"),
    ],
)
def test_odd_layouts(before: str, field: str, value: str | None, after: str) -> None:
    assert set_scalar(before.encode(), field, value).decode() == after


@pytest.mark.parametrize(
    ("text", "field", "value", "words"),
    [
        (FILE, "scope.paths", "x", "scope.paths is a list or mapping"),
        (FILE, "scope", "x", "scope is a list or mapping"),
        (FILE, "status.x", "y", "status is no mapping, so it has no x"),
        (FILE, "status", " ", "an empty text says nothing"),
        (FILE, "status", "\ud800", "U+D800"),
        ("- a\n", "a", "b", "the file is no mapping"),
        ("a: 1\na: 2\n", "b", "c", "'a' is given twice"),
        ("a: &b c\n", "a", "d", "anchor"),
    ],
)
def test_what_cannot_be_edited_is_refused(text: str, field: str, value: str | None, words: str) -> None:
    with pytest.raises(InvalidDataError) as caught:
        set_scalar(text.encode(), field, value, path="x.yaml")
    assert words in caught.value.message


def rendered(tree: dict[str, Any], style: int, line_end: str) -> str:
    """The tree as one of several layouts, with a comment after each line."""
    lines: list[str] = ["# head"]
    for number, (key, value) in enumerate(tree.items()):
        note = f"  # note {number}"
        if isinstance(value, dict) and style % 2:
            lines.append(f"{key}: {{{', '.join(f'{k}: {v}' for k, v in value.items())}}}{note}")
        elif isinstance(value, dict):
            lines.append(f"{key}:{note}")
            lines += [f"    {inner}: '{held}'{note}" for inner, held in value.items()]
        else:
            lines.append(f"{key}:   {(value, f'{value!r}', chr(34) + value + chr(34))[style % 3]}{note}")
        if style % 5 == 4:
            lines.append("")
    return line_end.join(lines) + (line_end if style % 7 else "")


safe = st.from_regex(r"[b-m]{2,8}( [b-m]{2,5})?", fullmatch=True)
trees = st.dictionaries(
    words.filter(lambda word: word not in {"y", "n", "no", "on", "off", "yes", "true", "false", "null"}),
    st.one_of(safe, st.dictionaries(safe.map(lambda text: text[:2]), safe, min_size=1, max_size=3)),
    min_size=1,
    max_size=6,
)


@settings(max_examples=120, deadline=None)
@given(trees, st.data(), st.integers(0, 209), st.sampled_from(["\n", "\r\n"]), st.one_of(st.none(), texts))
def test_only_that_field_differs(
    tree: dict[str, Any], data: st.DataObject, style: int, line_end: str, value: str | None
) -> None:
    fields = [
        (key, inner) if inner else (key,)
        for key, held in tree.items()
        for inner in (held if isinstance(held, dict) else [""])
    ]
    field = data.draw(st.sampled_from([*fields, ("added",), ("added", "below")]))
    assume("added" not in tree)
    text = rendered(tree, style, line_end).encode()
    before = plain(read_yaml("x", text).root)
    assume(before == tree)
    if value is not None and not value.strip():
        with pytest.raises(InvalidDataError):
            set_scalar(text, field, value)
        return
    edited = set_scalar(text, field, value)
    expected = changed(before, field, value)
    assert plain(read_yaml("x", edited).root) == (expected or None)
    kept = [line for line in text.decode().split(line_end) if line.startswith("#")]
    assert [line for line in edited.decode().split(line_end) if line.startswith("#")] == kept
    if value is not None:
        assert text.decode().count("# note") == edited.decode().count("# note") - value.count("# note")


def changed(tree: dict[str, Any], field: tuple[str, ...], value: str | None) -> dict[str, Any]:
    head, *rest = field
    below = changed(tree.get(head, {}), tuple(rest), value) or None if rest else value
    kept = {key: held for key, held in tree.items() if key != head}
    return kept if below is None else {**kept, head: below}
