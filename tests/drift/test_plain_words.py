"""Plain lower-case words in backticks: methods by the words around them."""

from __future__ import annotations

import pytest

from gitmem.drift.derive import derive
from gitmem.drift.plain_words import is_said_to_act, is_said_value
from gitmem.drift.words import Token, code_tokens
from gitmem.model.memory import Scope
from gitmem.model.verdict import Verdict
from tests.support.tree_view import TreeOfText, judged

PARSER = (
    "class Parser:\n    def __init__(self):\n        self.cache = {}\n\n    def parse(self, text):\n        if text not in self.cache:\n"
    "            self.cache[text] = text.split()\n        return self.cache[text]\n"
)
MACHINE = "class Vm:\n    halt = False\n\n    def stop(self):\n        self.halt = True\n\n\nclass Board:\n    def halt(self):\n        return 1\n"
RUST = "pub struct Vm {\n    halt: bool,\n}\n\npub struct Board;\n\nimpl Board {\n    pub fn halt(&self) -> i32 {\n        1\n    }\n}\n"
TYPESCRIPT = "export const parse = 1;\n\nexport class Parser {\n  parse(text: string) {\n    return cache.get(text);\n  }\n}\n"
MORE = {f"src/more{at}.py": f"def more_{at}():\n    return {at}\n" for at in range(8)}


def word(text: str) -> Token:
    return next(token for token in code_tokens(text) if token.ticked)


def watches(text: str, files: dict[str, str]) -> list[str]:
    view = TreeOfText(files)
    return [
        str(one) for one in derive([text], Scope(paths=("**",)), view, files=view.matching(["**"])).watches
    ]


@pytest.mark.parametrize(
    "text",
    [
        "`parse` caches its results.",
        "`parse` never raises.",
        "`parse` must return a list.",
        "`parse` always lazily loads it.",
        "The `parse` method is pure.",
        "The method `parse` is pure.",
        "Handlers call `parse` once.",
        "`parse`는 결과를 캐시한다.",
        "`parse` 는 목록을 반환합니다.",
        "`parse` 함수",
        "먼저 `parse`를 호출한다.",
        "`parse`は結果を返す。",
        "`parse` 返回列表。",
    ],
)
def test_words_that_say_that_it_acts(text: str) -> None:
    assert is_said_to_act(text, word(text))


@pytest.mark.parametrize(
    "text",
    [
        "`halt` is a flag of the machine.",
        "`open` tickets are closed at night.",
        "`halt` has two states.",
        "`parse` module",
        "The status is `open`.",
        "`halt`는 플래그입니다.",
    ],
)
def test_words_that_do_not(text: str) -> None:
    assert not is_said_to_act(text, word(text))


@pytest.mark.parametrize(
    "text",
    [
        "The status is `open`.",
        "One of `open`, `shut`.",
        "`open` or shut.",
        "`halt` is a flag of the machine.",
        "`open` tickets are closed at night.",
        "Set the mode `open`.",
        "`open` 상태",
    ],
)
def test_words_that_show_a_value(text: str) -> None:
    assert is_said_value(text, word(text))


@pytest.mark.parametrize("more", [{}, MORE], ids=["narrow", "wide"])
@pytest.mark.parametrize(
    "text", ["`parse` caches its results.", "Errors in `parse` are kept.", "`parse`는 결과를 캐시한다."]
)
def test_the_only_method_of_the_name_is_watched(text: str, more: dict[str, str]) -> None:
    assert watches(text, {"src/parser.py": PARSER, **more}) == ["symbol src/parser.py#Parser.parse"]


@pytest.mark.parametrize(
    ("text", "path", "code", "watch"),
    [
        ("`halt` returns 1.", "vm.py", MACHINE, "symbol vm.py#Board.halt"),
        ("`halt()` returns 1.", "vm.py", MACHINE, "symbol vm.py#Board.halt"),
        ("`halt` returns 1.", "vm.rs", RUST, "symbol vm.rs#Board.halt"),
        ("`parse` caches per text.", "a.ts", TYPESCRIPT, "symbol a.ts#Parser.parse"),
    ],
)
def test_a_value_of_the_same_name_does_not_win_over_what_acts(
    text: str, path: str, code: str, watch: str
) -> None:
    assert watches(text, {path: code}) == [watch]


@pytest.mark.parametrize("text", ["`halt` is a flag of the machine.", "The status is `halt`."])
def test_what_is_said_to_be_a_value_is_no_method(text: str) -> None:
    assert watches(text, {"vm.py": MACHINE}) == []


def test_of_two_methods_none_is_meant() -> None:
    two = {"src/a.py": PARSER, "src/b.py": PARSER.replace("Parser", "Reader")}
    assert watches("`parse` caches its results.", two) == []


def test_a_function_of_the_module_is_meant_before_a_method() -> None:
    files = {"a.py": "def parse(text):\n    return 1\n", "b.py": PARSER}
    assert watches("`parse` returns 1.", files) == ["symbol a.py#parse"]


def test_a_script_of_that_name_is_watched_beside_the_method() -> None:
    files = {
        "package.json": '{"scripts": {"build": "vite build"}}',
        "a.ts": "class A {\n  build() {\n    return 1;\n  }\n}\n",
    }
    assert watches("`build` bundles it.", files) == ["symbol a.ts#A.build", "key package.json#scripts.build"]
    assert watches("Run `build` first.", files) == ["key package.json#scripts.build"]


def test_another_body_is_told() -> None:
    before = {"src/parser.py": PARSER, **MORE}
    view = TreeOfText(before)
    scope = Scope(paths=("**",))
    (watch,) = derive(["`parse` caches its results."], scope, view, files=view.matching(["**"])).watches
    after = {**before, "src/parser.py": PARSER.replace("        if text not in self.cache:\n    ", "")}
    assert judged(watch, before, after).verdict is Verdict.CHANGED
