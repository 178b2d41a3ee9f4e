"""Numbers and units as prose writes them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from gitmem.promotion.quantities import quantities, unified


def keys(text: str) -> list[tuple[Decimal, str]]:
    return [one.key for one in quantities(text)]


@pytest.mark.parametrize(
    "text", ["3s", "3 s", "3 seconds", "three seconds", "3000ms", "3초", "삼 초", "3 초", "3秒", "三秒"]
)
def test_a_span_of_time_is_one_quantity_however_it_is_written(text: str) -> None:
    assert keys(f"wait {text}") == [(Decimal(3000), "ms")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("30%", "30 percent"),
        ("30%", "30퍼센트"),
        ("8 KB", "8kb"),
        ("1 year", "12개월"),
        ("사흘 동안", "3일 동안"),
        ("1.5 minutes", "90 seconds"),
        ("1,000 rows", "1000 rows"),
        ("세 번", "3번"),
        ("十个", "10个"),
        ("2만 건", "20,000건"),
        ("sixteen rows", "16 rows"),
    ],
)
def test_two_spellings_are_one_quantity(one: str, other: str) -> None:
    assert keys(one) == keys(other) != []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3s", "3 minutes"),
        ("3.1", "3.10"),
        ("16:00", "16:30"),
        ("8 KB", "8 MB"),
        ("-1", "1"),
        ("8 KB", "8 KiB"),
        ("10 MB", "10 Mb"),
        ("30 days", "1 month"),
        ("0644", "644"),
        ("007", "7"),
        ("이틀 동안", "하루 동안"),
        ("1234567.8", "1234567.9"),
        ("3.1415926", "3.1415927"),
        ("99.9999999%", "100%"),
        ("12345678901234567890", "12345678901234567891"),
        ("3D", "3 days"),
    ],
)
def test_two_quantities_differ(one: str, other: str) -> None:
    assert keys(one) != keys(other)


@pytest.mark.parametrize(
    "text", ["utf8", "src/v2/a.py", "the one that fails", "no one", "once it is done", "이 일은 끝났다"]
)
def test_what_counts_nothing_is_no_quantity(text: str) -> None:
    assert keys(text) == []


def test_unifying_keeps_the_words() -> None:
    text, found = unified("retry three times within 2 minutes")
    assert text == "retry 3 times within 120000 ms"
    assert [one.text for one in found] == ["three", "2 minutes"]
