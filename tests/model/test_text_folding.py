from __future__ import annotations

import pytest

from gitmem.model.text_folding import folded, hidden_characters

HIDDEN = (
    "\x00\x07\x1b\x7f\x85\x9b\xad\u034f\u061c\u115f\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202e"
    "\u2060\u2066\u2069\u2800\u3164\ue000\ufe0f\ufeff\uffa0\ufff9\U000e0001\U000e0041\U000e0100\U000f0000\U0001d173\ud800"
)


@pytest.mark.parametrize("character", HIDDEN)
def test_what_cannot_be_seen_is_found(character: str) -> None:
    assert list(hidden_characters(f"ab{character}c")) == [(2, character)]


@pytest.mark.parametrize(
    "text",
    [
        "plain text\n\tand tab\r\n",
        "결제 日本語 ひらがな 中文",
        "e\u0301 ñ ß Ω Ж",
        "🙂 👍🏽 👩\u200d💻 ❤\ufe0f 👁\ufe0f\u200d🗨\ufe0f 1\ufe0f\u20e3",
        "a\u00a0b – “x”",
    ],
)
def test_what_can_be_seen_is_not(text: str) -> None:
    assert list(hidden_characters(text)) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("ABC", "abc"), ("é", "e\u0301"), (" a  b ", "a b"), ("ẞ", "ss"), ("각", "\u1100\u1161\u11a8")],
)
def test_names_that_fold_alike(one: str, other: str) -> None:
    assert folded(one) == folded(other)
