from __future__ import annotations

import pytest

from gitmem.store.memories import parse_memory
from gitmem.usecases.rewording import is_restated
from tests.support.memories import memory, path_of


def restated(before: str, after: str) -> bool:
    old, new = (
        parse_memory(path_of(), memory(summary=f"'{one}'").encode()).memory for one in (before, after)
    )
    assert old is not None
    assert new is not None
    return is_restated(old, new)


@pytest.mark.parametrize(
    "after",
    [
        "Send ships first",
        "send, ships first.",
        "send　ｓｈｉｐｓ first",
    ],
)
def test_case_marks_and_width_say_the_same(after: str) -> None:
    assert not restated("send ships first", after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("send ships first", "send ships last"),
        ("`send` ships", "`Send` ships"),
        ("`-x` is set", "`x` is set"),
        ("`send` 은 먼저 보낸다", "`send` 은 먼저 보내지 않는다"),
        ("注文は一度だけ送る", "注文は二度送る"),
        ("timeout is 30 s", "timeout is 3 s"),
    ],
)
def test_other_words_and_other_code_are_another_statement(before: str, after: str) -> None:
    assert restated(before, after)
