from __future__ import annotations

import pytest
import yaml

from gitmem.errors import InvalidDataError
from gitmem.store.yaml_reading import Entry, Fields, Items, Limits, Text, plain, read_yaml

HOSTILE = {
    "open brackets": (b"[" * 65_536, "nest"),
    "open braces": (b"{" * 65_536, "nest"),
    "explicit keys": (b"? " * 32_000, "list or mapping used as a key"),
    "dashes": (b"- " * 32_000, "nested more than 20 deep"),
    "colons": (b":" * 65_536, "mapping values are not allowed"),
    "nested flow": (b"a: " + b"[" * 21 + b"]" * 21, "nested more than 20 deep"),
    "alias bomb": (b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]", "anchor &a"),
    "alias": (b"a: *b", "*"),
    "merge key": (b"<<: {status: active}\nid: a", "merge key"),
    "quoted merge key": (b'"<<": {status: active}', "merge key"),
    "python tag": (b"a: !!python/object/apply:os.system [x]", "tag tag:yaml.org,2002:python"),
    "local tag": (b"a: !x y", "tag !x"),
    "bare tag": (b"a: ! y", "tag !"),
    "long tag": (b"a: !" + b"t" * 60_000 + b" y", "tag !ttt"),
    "string tag": (b"a: !!str y", "tag tag:yaml.org,2002:str"),
    "version directive": (b"%YAML 1.1\n---\na: yes", "directive"),
    "tag directive": (b"%TAG ! tag:x,2000:\n---\na: b", "directive"),
    "many directives": (b"%" * 65_000, "not readable as YAML"),
    "second document": (b"a: b\n---\nc: d", "second document"),
    "many documents": (b"---\n" * 16_000, "second document"),
    "list as key": (b"? [a, b]\n: c", "list or mapping used as a key"),
    "no key": (b"'': a", "a key is empty"),
    "number as key": (b"1: a", "key '1' is not a text"),
    "null as key": (b"~: a", "key '~' is not a text"),
    "yes as key": (b"yes: a", "key 'yes' is not a text"),
    "empty key": (b": a", ""),
    "too many values": (b"a: [" + b"x," * 30_000 + b"]", "more than 2000 values"),
    "too many keys": (b"".join(b"k%d: v\n" % number for number in range(6_000)), "more than 2000 values"),
    "too many bytes": (b"a" * 65_537, "over the limit of 65536"),
    "not UTF-8": (b"a: \xff", "byte 0xff is not UTF-8"),
    "UTF-16": ("a: b".encode("utf-16"), "not UTF-8"),
    "NUL": (b"a: b\0", "U+0000"),
    "escape character": (b"a: \x1b[31m", "U+001B"),
    "delete": (b"a: \x7f", "U+007F"),
    "C1": ("a: \u009b31m".encode(), "U+009B"),
    "next line": ("a: b\u0085status: active".encode(), "U+0085"),
    "line separator": ("a: b\u2028status: active".encode(), "U+2028"),
    "paragraph separator": ("a: b\u2029status: active".encode(), "U+2029"),
    "second byte order mark": ("a: b\n\ufeffc: d".encode(), "byte order mark U+FEFF"),
    "lone carriage return": (b"a: b\rstatus: active", "carriage return"),
    "encoded surrogate": (b"a: \xed\xa0\x80", "not UTF-8"),
    "surrogate escape": (b'a: "\\ud800"', ""),
    "tab after a colon": (b"a:\tb", "tab"),
    "tab as indentation": (b"a:\n\tb: c", ""),
    "tab in a plain text": (b"a: b\tc", "tab outside quotes"),
    "tab before a comment": (b"a: b\t# c", "tab outside quotes"),
    "tab in a comment": (b"a: b # c\td", "tab outside quotes"),
    "tab below a block scalar": (b"a: |\n  x\n\ty\n", ""),
    "tabs in a row": (b"\t" * 65_000, ""),
    "unclosed quote full of tabs": (b'a: "' + b"\t" * 65_000, ""),
    "many quoted tabs": (
        b"".join(b'k%d: "' % n + b"\t" * 50 + b'"\n' for n in range(1_050)),
        "more than 2000",
    ),
    "anchors in a row": (b"&a " * 20_000, "anchor"),
    "scalars in a row": (b'"a" ' * 16_000, "not readable as YAML"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_with_their_place(name: str) -> None:
    data, words = HOSTILE[name]
    with pytest.raises(InvalidDataError) as caught:
        read_yaml(".ai/memory/x.yaml", data)
    assert words in caught.value.message
    assert caught.value.path == ".ai/memory/x.yaml"
    assert len(caught.value.message) < 300
    if "limit" not in words:
        assert f".ai/memory/x.yaml:{caught.value.line}:{caught.value.column}: " in caught.value.message


@pytest.mark.parametrize("name", HOSTILE)
def test_without_libyaml_the_same_files_are_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(yaml, "CBaseLoader")
    with pytest.raises(InvalidDataError):
        read_yaml("x.yaml", HOSTILE[name][0])


GOOD = {
    b"a: b": {"a": "b"},
    b"\xef\xbb\xbfa: b": {"a": "b"},
    b"a: b\r\nc: d\r\n": {"a": "b", "c": "d"},
    b'a: "x\ty"': {"a": "x\ty"},
    b"a: 'x\ty'": {"a": "x\ty"},
    b'a: "x\\ty"': {"a": "x\ty"},
    b"a: |\n  x\n  \ty\n   z\tz\nb: c": {"a": "x\n\ty\n z\tz\n", "b": "c"},
    b"": None,
    b"# only a comment\n": None,
    b"---\na: b\n...\n": {"a": "b"},
    b"a: yes\nb: 1e5\nc: 2026-07-13\nd: 0x1f\ne: 12:30:45": {
        "a": "yes",
        "b": "1e5",
        "c": "2026-07-13",
        "d": "0x1f",
        "e": "12:30:45",
    },
    b"a: null\nb: ~\nc:\nd: ''\ne: Null\nf: [~, x]": {
        "a": None,
        "b": None,
        "c": None,
        "d": None,
        "e": None,
        "f": [None, "x"],
    },
    b"a: 'null'\nb: \"~\"\nc: '  '": {"a": "null", "b": "~", "c": "  "},
    b'"yes": a\n"1": b': {"yes": "a", "1": "b"},
    '제목: "결제 [[Title]]"\n日本: 語'.encode(): {"제목": "결제 [[Title]]", "日本": "語"},
    b'{"a": {"b": ["c", {}]}, "d": []}': {"a": {"b": ["c", {}]}, "d": []},
}


@pytest.mark.parametrize("data", GOOD)
def test_every_scalar_is_a_text(data: bytes) -> None:
    assert plain(read_yaml("x.yaml", data).root) == GOOD[data]


@pytest.mark.parametrize("data", GOOD)
def test_without_libyaml_the_same_is_read(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = read_yaml("x.yaml", data)
    monkeypatch.delattr(yaml, "CBaseLoader")
    assert plain(read_yaml("x.yaml", data).root) == plain(expected.root)


def test_keys_and_values_know_their_line_and_column() -> None:
    root = read_yaml("x.yaml", b"a: b\nlist:\n  - c\n  - {d: 'e'}\n").root
    assert root == Fields(
        {
            "a": Entry("a", Text("b", 1, 4), 1, 1),
            "list": Entry(
                "list",
                Items(
                    (Text("c", 3, 5), Fields({"d": Entry("d", Text("e", 4, 9, quoted=True), 4, 6)}, 4, 5)),
                    3,
                    3,
                ),
                2,
                1,
            ),
        },
        1,
        1,
    )


def test_a_key_given_twice_is_told_and_the_first_one_counts() -> None:
    document = read_yaml("x.yaml", b"a: 1\nb: {c: 2, c: 3}\na: 4\n")
    assert plain(document.root) == {"a": "1", "b": {"c": "2"}}
    assert [(one.key, one.line, one.column, one.first_line) for one in document.duplicates] == [
        ("c", 2, 11, 2),
        ("a", 3, 1, 1),
    ]


def test_the_limits_can_be_wider() -> None:
    data = b"a: [" + b"x," * 3_000 + b"]"
    held = plain(read_yaml("x.yaml", data, Limits(65_536, nodes=4_000)).root)
    assert len(held["a"]) == 3_000
