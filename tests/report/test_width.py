from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.report.width import cut, cut_beginning, pad, width


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("abc", 3),
        ("é", 1),
        ("e\u0301", 1),
        ("한국어", 6),
        ("\u1112\u1161\u11ab", 2),  # 한 in conjoining letters
        ("日本語と中文", 12),
        ("か\u3099", 2),
        ("ﾊﾝｶｸ", 4),
        ("Ａ", 2),
        ("👍🏽", 2),
        ("👩\u200d💻", 2),
        ("❤\ufe0f", 2),
        ("1\ufe0f\u20e3", 2),
        ("한 👩\u200d💻!", 6),
    ],
)
def test_width_is_what_a_terminal_gives_it(text: str, columns: int) -> None:
    assert width(text) == columns


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("ab cdef", 4, "ab…"),
        ("한국어", 6, "한국어"),
        ("한국어", 5, "한국…"),
        ("한국어", 4, "한…"),
        ("ab👩\u200d💻cd", 5, "ab👩\u200d💻…"),
        ("ab👩\u200d💻cd", 4, "ab…"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
        ("abc", None, "abc"),
    ],
)
def test_cut_never_splits_a_letter(text: str, columns: int | None, shown: str) -> None:
    assert cut(text, columns) == shown


@given(st.text(), st.integers(0, 40))
def test_what_is_cut_fits(text: str, columns: int) -> None:
    assert width(cut(text, columns)) <= columns


def test_pad_counts_columns_not_letters() -> None:
    assert pad("한", 4) + "|" == "한  |"


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [("abcdef", 6, "abcdef"), ("abcdef", 5, "…cdef"), ("한국어", 5, "…국어"), ("한국어", 4, "…어"), ("e\u0301e\u0301", 1, "…"), ("abc", 0, "")],
)  # fmt: skip
def test_a_beginning_is_cut_between_letters(text: str, columns: int, shown: str) -> None:
    assert cut_beginning(text, columns) == shown
