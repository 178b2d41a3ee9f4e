"""Which memories an agent is told that did not ask."""

from __future__ import annotations

import pytest

from gitmem.recall.reminding import is_worth_telling


@pytest.mark.parametrize(
    ("asked", "touched", "told", "worth"),
    [
        ("retry a failed payment", (), "A failed payment is retried three times", True),
        ("please fix this test", (), "Please always fix what this test tells", False),
        ("where is the payment code", (), "A failed payment is retried three times", False),
        ("look at retry_limit again, payment", (), "`retry_limit` holds for each payment", True),
        ("중복 제출 방지", (), "중복 제출은 서버에서 막는다", True),
        ("안녕", (), "중복 제출은 서버에서 막는다", False),
        ("go on", ("src/pay/a.py",), "A failed payment is retried", True),
        ("go on", ("src/pay/gen/a.py",), "A failed payment is retried", False),
        ("go on", ("docs/a.md",), "A failed payment is retried", False),
        ("", (), "", False),
    ],
)
def test_touching_or_sharing_telling_words_makes_it_worth(
    asked: str, touched: tuple[str, ...], told: str, worth: bool
) -> None:
    assert (
        is_worth_telling(asked, touched, told=told, paths=["src/pay/**"], exclude=["src/pay/gen/**"]) is worth
    )


def test_a_scope_that_holds_everything_is_no_reason() -> None:
    assert not is_worth_telling("go on", ["a.py"], told="x", paths=["**"])
