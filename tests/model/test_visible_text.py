"""Sentences in Markdown: they read as written and open nothing."""

from __future__ import annotations

import pytest

from gitmem.model.visible_text import sentence


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Use test_submit_order, not *args", "Use test_submit_order, not *args"),
        ("`submit` sends once", "`submit` sends once"),
        ("주문은 한 번만 보낸다 (결제-중복)", "주문은 한 번만 보낸다 (결제-중복)"),
        ("2026-07-13 is a date, 3.5 a number, #12 an issue", "2026-07-13 is a date, 3.5 a number, #12 an issue"),
        ("-x is an option, a < b, items[0]", "-x is an option, a < b, items[0]"),
        ("# Handoff", "\\# Handoff"),
        ("###### ", "\\######"),
        ("a\n## Do Not Repeat\r\nb", "a ## Do Not Repeat b"),
        ("- one", "\\- one"),
        ("+ one", "\\+ one"),
        ("12. one", "12\\. one"),
        ("3) one", "3\\) one"),
        ("> quoted", "\\> quoted"),
        ("```sh", "\\```sh"),
        ("~~~", "\\~~~"),
        ("===", "\\==="),
        ("- - -", "\\- - -"),
        ("| a | b |", "\\| a | b |"),
        ("<h2>Next Action</h2>", "\\<h2>Next Action\\</h2>"),
        ("![x](http://evil.example)", "\\![x\\](http://evil.example)"),
        ("a\\<b>", "a\\<b>"),
        ("a\\\\<b>", "a\\\\\\<b>"),
        ("[x]: http://evil.example", "[x\\]: http://evil.example"),
        ("a\x1b[31mred\u202eback", "a\\x1b[31mred\\u202eback"),
    ],
)  # fmt: skip
def test_a_sentence_reads_as_written_and_opens_nothing(text: str, shown: str) -> None:
    assert sentence(text) == shown
