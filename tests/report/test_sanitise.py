from __future__ import annotations

import json
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.report.sanitise import (
    code,
    fenced,
    inert,
    is_unsafe,
    prose,
    visible,
    visible_block,
    visible_json,
    without_workflow_commands,
    workflow_data,
    workflow_property,
)

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
EMOJI = [
    "👍🏽",
    "👩\u200d💻",
    "❤\ufe0f",
    "1\ufe0f\u20e3",
    "👨\u200d👩\u200d👧\u200d👦",
    "🏳\ufe0f\u200d🌈",
    "🇰🇷",
    "☺\ufe0e",
]


class TestEveryCodePoint:
    def test_no_hidden_category_passes(self) -> None:
        passed = [
            point
            for point in range(sys.maxunicode + 1)
            if unicodedata.category(chr(point)) in HIDDEN and not visible(chr(point)).isascii()
        ]
        assert passed == []

    def test_whatever_passes_is_visible_or_a_space(self) -> None:
        for point in range(sys.maxunicode + 1):
            shown = visible(chr(point))
            assert len(shown) == 1 or shown[0] == "\\", hex(point)
            assert all(unicodedata.category(one) not in HIDDEN for one in shown), hex(point)

    def test_blocks_keep_line_breaks_and_tabs_alone(self) -> None:
        kept = [
            chr(point)
            for point in range(0xA0)
            if chr(point) == visible_block(chr(point)) and not chr(point).isprintable()
        ]
        assert kept == ["\t", "\n"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("\x9b31m", r"\x9b31m"),
        ("a\nb\tc\rd", r"a\nb\tc\rd"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("pass\u00adword", r"pass\xadword"),
        ("a\u200bb\u2060c\ufeffd", r"a\u200bb\u2060c\ufeffd"),
        ("\U000e0041\U000e0042", r"\U000e0041\U000e0042"),
        ("a\ufe0f", r"a\ufe0f"),
        ("葛\U000e0100", r"葛\U000e0100"),
        ("x\u3164y\uffa0\u115f\u1160\u034f\u2800", r"x\u3164y\uffa0\u115f\u1160\u034f\u2800"),
        ("caf\udce9", r"caf\xe9"),
        ("\ud800", r"\ud800"),
        ("\ue000\U0010ffff", r"\ue000\U0010ffff"),
        ("👍\u200d", r"👍\u200d"),
        ("\u200d👍", r"\u200d👍"),
        ("👍\ufe0f\ufe0f", "👍\ufe0f" + r"\ufe0f"),
        ("a\u200d💻", r"a\u200d💻"),
    ],
)
def test_hidden_and_obeyed_characters_become_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        *EMOJI,
        "한국어, 日本語、中文。 Ünïcödé",
        "\u1112\u1161\u11ab",
        "か\u3099 が",
        "e\u0301 n\u0303",
        "全角\u3000空白 a\u00a0b",
        "ไทย עברית العربية हिन्दी",
        r"C:\path\x1b",
    ],
)
def test_letters_marks_spaces_and_emoji_stay(text: str) -> None:
    assert visible(text) == text


@given(st.text())
def test_shown_once_is_shown_for_good(text: str) -> None:
    assert visible(visible(text)) == visible(text)


def test_prose_is_one_line() -> None:
    assert prose("  one\r\n two\t\tthree\n\n") == "one two three"
    assert prose("fake\rline\u2028two") == r"fake\rline\u2028two"


@given(st.text())
def test_json_shown_reads_back_equal(text: str) -> None:
    shown = visible_json(json.dumps({"k": text}, ensure_ascii=False, indent=2))
    assert json.loads(shown) == {"k": text}
    assert not any(is_unsafe(character) for character in shown.replace("\n", ""))


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("plain", "`plain`"),
        ("a `b` c", "``a `b` c``"),
        ("`edge", "`` `edge ``"),
        ("``` fence ```", "```` ``` fence ``` ````"),
        (" padded ", "`  padded  `"),
        ("two\nlines", r"`two\nlines`"),
        ("", "` `"),
        ("   ", "`   `"),
    ],
)
def test_code_spans_cannot_be_left(text: str, span: str) -> None:
    assert code(text) == span


def test_fences_are_longer_than_any_in_the_text() -> None:
    assert fenced("a\n````\nb\x1b", "diff") == ["`````diff", "a", "````", r"b\x1b", "`````"]
    assert fenced("a") == ["```", "a", "```"]


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("The gateway strips headers", "The gateway strips headers"),
        ("ping @team and #12 now", "ping `@team` and `#12` now"),
        ("see https://evil.example/x.png", "see `https://evil.example/x.png`"),
        ("www.evil.example GH-7", "`www.evil.example` `GH-7`"),
        ("mail me@x.org", "mail `me@x.org`"),
        ("costs $x$", "costs `$x$`"),
        ("![i](u) <img src=x> [a](b)", r"!\[i\](u) \<img src=x\> \[a\](b)"),
        ("</details><script>", r"\</details\>\<script\>"),
        ("a **b** _c_ ~~d~~ `e` &lt; |", r"a \*\*b\*\* \_c\_ \~\~d\~\~ \`e\` \&lt; \|"),
        ("# not a heading", "`#` not a heading"),
        ("- item", r"\- item"),
        ("1. item", r"1\. item"),
        ("12) item", r"12\) item"),
        ("--- rule", r"\-\-\- rule"),
        ("=== rule", r"\=\=\= rule"),
        ("two\n\n# lines", "two `#` lines"),
        ("esc \x1b[0m", r"esc \\x1b\[0m"),
        ("", ""),
    ],
)
def test_inert_markdown_renders_as_the_sentence(text: str, markdown: str) -> None:
    assert inert(text) == markdown


def test_workflow_commands_cannot_be_forged() -> None:
    assert workflow_data("50% \r\n::error::x\x1b") == r"50%25 %0A::error::x\x1b"
    assert workflow_property("a:b,c%\n") == "a%3Ab%2Cc%25%0A"
    assert without_workflow_commands(["::add-mask::a"], "t1") == [
        "::stop-commands::t1",
        "::add-mask::a",
        "::t1::",
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(see https://x.example/z):", "(see `https://x.example/z`):"),
        ("ask @team, then merge", "ask `@team`, then merge"),
        ("fixes #12.", "fixes `#12`."),
        ("「@team」", "「`@team`」"),
        ("`@a/b`:", "`` `@a/b` ``:"),
        ("@", "`@`"),
        ("...", "..."),
    ],
)
def test_punctuation_stays_outside_the_code_span_of_a_word(text: str, shown: str) -> None:
    assert inert(text) == shown
