"""Names that files define which no parser here reads are watched by those files, never by the name alone."""

from __future__ import annotations

import pytest

from gitmem.drift.derive import derive
from gitmem.model.memory import Scope
from tests.support.tree_view import TreeOfText

MODULE = (
    "local M = {}\nfunction M.send(x)\n  retry(3)\nend\nlocal limit = function() return 1 end\nreturn M\n"
)
LUA = {f"src/x{number}.lua": "return 1\n" for number in range(7)} | {
    "src/m.lua": MODULE,
    "src/n.lua": 'local m = require("m")\n-- function send\nm.send(1)\n',
}


def watches(text: str, tree: dict[str, str]) -> list[str]:
    view = TreeOfText(tree)
    return [
        str(one)
        for one in derive([text], Scope(paths=("src/**",)), view, files=view.matching(("src/**",))).watches
    ]


@pytest.mark.parametrize(
    "text",
    [
        "`send` retries three times.",
        "`M.send()` retries three times.",
        "`send`는 세 번 재시도한다.",
        "`limit` returns one.",
    ],
)
def test_the_file_that_defines_a_name_is_watched(text: str) -> None:
    assert watches(text, LUA) == ["file src/m.lua"]


def test_a_name_that_a_file_only_uses_is_watched_by_name() -> None:
    assert watches("`doneTwice` is called at the end.", LUA | {"src/n.lua": "doneTwice()\n"}) == [
        "ident doneTwice"
    ]


def test_a_name_that_many_files_define_means_none_in_particular() -> None:
    many = {f"src/x{number}.lua": "function send() end\n" for number in range(7)}
    assert not any(one.startswith("file ") for one in watches("`send` retries.", many))


def test_a_parsed_definition_is_watched_as_such() -> None:
    tree = LUA | {"src/a.py": "def send(x):\n    return x\n"}
    assert watches("`send` retries three times.", tree) == ["symbol src/a.py#send"]


@pytest.mark.parametrize("name", ["nginx.conf", "page.html"])
def test_settings_and_pages_define_nothing(name: str) -> None:
    found = watches("`send_all` is on.", {f"src/{name}": "server {\n  send_all on;\n}\n"})
    assert not any(one.startswith("file ") for one in found)
