from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.mcp_server.capping import capped

TEXTS = st.text(st.characters(), max_size=60)  # lone surrogates too
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
)


def test_a_long_text_is_cut_and_says_so() -> None:
    assert capped({"text": "가" * 30}, longest=20) == {"text": "가" * 20 + " … (10 characters more)"}


def test_hidden_characters_are_seen_and_lines_stay() -> None:
    assert capped("a\u202eb\n\tc\U000e0041\x1b") == "a\\u202eb\n\tc\\U000e0041\\x1b"


def test_a_long_list_and_a_deep_one_are_bounded() -> None:
    deep: Any = "x"
    for _ in range(5_000):
        deep = [deep]
    assert capped(list(range(205)))[-1] == "… 5 more"
    assert len(json.dumps(capped(deep))) < 60


@settings(max_examples=40)
@given(VALUES)
def test_whatever_is_told_can_be_sent(value: object) -> None:
    sent = capped(value)
    assert json.loads(json.dumps(sent, ensure_ascii=False).encode()) == sent
