"""Of several definitions of a name those that the words tell apart, and enumerations with all their values."""

from __future__ import annotations

import pytest

from gitmem.drift.derive import derive
from gitmem.model.memory import Scope
from tests.support.tree_view import TreeOfText

SHOP = {
    f"src/{one}/api.py": f"class {one.title()}:\n    def retry(self):\n        return {at}\n\n\ndef connect():\n    return {at}\n"
    for at, one in enumerate(("cart", "order", "user", "pay"))
} | {"src/connect.py": "def connect():\n    return 9\n"}
KINDS = {
    "src/k.rs": "pub enum Kind {\n    Fast,\n    Slow,\n    Steady,\n}\n",
    "src/color.py": "from enum import Enum\n\n\nclass Color(Enum):\n    RED = 1\n    GREEN = 2\n",
    "src/box.py": "class Box:\n    LEFT = 1\n    RIGHT = 2\n\n    def open(self):\n        return 1\n",
    "src/mode.ts": 'export enum Mode { On = "on", Off = "off" }\nexport type Way = "in" | "out";\n',
}


def watches(text: str, tree: dict[str, str]) -> list[str]:
    view = TreeOfText(tree)
    return [
        str(one)
        for one in derive([text], Scope(paths=("src/**",)), view, files=view.matching(("src/**",))).watches
    ]


@pytest.mark.parametrize(
    ("text", "watch"),
    [
        ("The `connect` function never blocks.", "symbol src/connect.py#connect"),
        ("`connect` 함수는 절대 막지 않는다.", "symbol src/connect.py#connect"),
        ("In `cart`, `retry` never raises.", "symbol src/cart/api.py#Cart.retry"),
        ("`cart` 모듈의 `retry`는 예외를 던지지 않는다.", "symbol src/cart/api.py#Cart.retry"),
        ("`Order` is closed before `retry` runs.", "symbol src/order/api.py#Order.retry"),
    ],
)
def test_the_words_tell_which_definition_is_meant(text: str, watch: str) -> None:
    found = watches(text, SHOP)
    assert watch in found
    assert [one for one in found if one.startswith("symbol ")] == [watch]


def test_where_nothing_tells_no_single_definition_is_picked() -> None:
    assert not [one for one in watches("`retry` never raises.", SHOP) if one.startswith("symbol ")]


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("`Kind` is one of `Fast`, `Slow` and `Steady`.", "symbol src/k.rs#Kind"),
        ("`Kind`는 `Fast`, `Slow`, `Steady` 중 하나다.", "symbol src/k.rs#Kind"),
        ("Allowed: `RED`, `GREEN` (`Color`).", "symbol src/color.py#Color"),
        ("`Color`는 `RED`와 `GREEN`이 있다.", "symbol src/color.py#Color"),
        ("A `Way` is `in` or `out`.", "symbol src/mode.ts#Way"),
    ],
)
def test_an_enumeration_of_all_values_rests_on_what_holds_them(text: str, owner: str) -> None:
    assert owner in watches(text, KINDS)


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("`Kind` has `Fast`, beside others.", "symbol src/k.rs#Kind"),
        ("`Kind`에는 `Fast`와 `Slow`도 있다.", "symbol src/k.rs#Kind"),
        ("`Box` has `LEFT` and `RIGHT`.", "symbol src/box.py#Box"),
    ],
)
def test_some_of_the_values_or_a_class_with_methods_rest_on_the_members(text: str, owner: str) -> None:
    found = watches(text, KINDS)
    assert owner not in found
    assert any(one.startswith(f"{owner}.") for one in found)
