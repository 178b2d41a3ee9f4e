from __future__ import annotations

import pytest

from gitmem.errors import InvalidDataError
from gitmem.store.item_editing import add_item, replace_item
from gitmem.store.yaml_reading import plain, read_yaml

FILE = b"""\
# about it
id: m-1
summary: src/a.py rules   # stays
scope:
  paths:
    - src/a.py        # first
    - "src/b/**"
  exclude: [src/a.py, 'src/c.py']
watch:
  - symbol: src/a.py#run
"""


def test_only_the_item_of_that_list_changes_and_comments_stay() -> None:
    edited = replace_item(FILE, ("scope", "paths"), "src/a.py", "lib/a.py")
    assert edited == FILE.replace(b"    - src/a.py        # first", b"    - lib/a.py        # first")


def test_a_quoted_item_keeps_its_quotes() -> None:
    edited = replace_item(FILE, ("scope", "paths"), "src/b/**", "lib/b/**")
    assert edited == FILE.replace(b'"src/b/**"', b'"lib/b/**"')


def test_a_value_inside_a_list_of_mappings_is_found() -> None:
    edited = replace_item(FILE, ("watch",), "src/a.py#run", "lib/a.py#run")
    assert plain(read_yaml("f", edited).root)["watch"] == [{"symbol": "lib/a.py#run"}]


def test_what_does_not_stand_there_changes_nothing() -> None:
    assert replace_item(FILE, ("scope", "paths"), "src/c.py", "x") == FILE
    assert replace_item(FILE, ("scope", "nothing"), "src/c.py", "x") == FILE


@pytest.mark.parametrize(
    "new", ["a: b", "- x", "# not a comment", "'", '"', "한글/**", "*", "&a", "[x]", "yes", ""]
)
def test_any_new_text_reads_back_as_itself_or_is_refused(new: str) -> None:
    try:
        edited = replace_item(FILE, ("scope", "paths"), "src/a.py", new)
    except InvalidDataError:
        assert new == ""
        return
    assert plain(read_yaml("f", edited).root)["scope"]["paths"] == [new, "src/b/**"]


def test_windows_line_ends_stay() -> None:
    data = FILE.replace(b"\n", b"\r\n")
    assert replace_item(data, ("scope", "paths"), "src/a.py", "z.py") == data.replace(
        b"- src/a.py ", b"- z.py "
    )


def added(data: bytes, new: str = "lib/**") -> list[str]:
    edited = add_item(data, ("scope", "paths"), new)
    paths: list[str] = plain(read_yaml("f", edited).root)["scope"]["paths"]
    return paths


def test_an_item_is_added_behind_the_last_and_comments_stay() -> None:
    edited = add_item(FILE, ("scope", "paths"), "lib/**")
    assert edited == FILE.replace(b'    - "src/b/**"\n', b'    - "src/b/**"\n    - "lib/**"\n')


@pytest.mark.parametrize(
    "data",
    [
        b"scope: {paths: [src/**]}\n",
        b"scope:\n  paths: [src/**]  # one\n",
        b"scope:\n  paths:\n  - src/**",
        b"scope:\n  paths: src/**\n",
        b"scope:\r\n  paths:\r\n    - src/**\r\nid: m\r\n",
        b'{"scope": {"paths": ["src/**"]}}\n',
    ],
)
def test_an_item_is_added_in_any_layout(data: bytes) -> None:
    assert added(data) == ["src/**", "lib/**"]
    assert added(data, "src/a b, c: {d}.py") == ["src/**", "src/a b, c: {d}.py"]


def test_nothing_is_added_twice_or_where_there_is_no_list() -> None:
    assert add_item(FILE, ("scope", "paths"), "src/a.py") == FILE
    assert add_item(b"scope: {elements: [a]}\n", ("scope", "paths"), "x") == b"scope: {elements: [a]}\n"
