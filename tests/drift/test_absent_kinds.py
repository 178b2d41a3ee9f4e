"""That there is none of a kind of tool: told false by new lines that name one, and by no others."""

from __future__ import annotations

import pytest

from gitmem.drift.absent_kinds import absent_kinds, came
from gitmem.drift.speaking import Edited

OLD = b'{\n  "scripts": {\n    "build": "next build"\n  }\n}\n'


@pytest.mark.parametrize(
    "text",
    [
        "No test framework is configured.",
        "There are no tests.",
        "Tests are not set up here.",
        "We don't have a test runner.",
        "테스트 프레임워크가 없다.",
        "テストフレームワークはない。",
        "没有测试框架。",
    ],
)
def test_a_kind_that_is_said_to_be_absent_is_known_by_its_tools(text: str) -> None:
    assert {"test", "jest"} <= absent_kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "Never mock the database in tests.",
        "Tests must not be skipped.",
        "No new dependency without a review.",
        "All tests use pytest.",
    ],
)
def test_other_denials_are_none(text: str) -> None:
    assert absent_kinds(text) == frozenset()


@pytest.mark.parametrize(
    ("line", "tells"),
    [
        (b'    "test": "vitest run",', True),
        (b'    "e2e": "playwright",', True),
        (b'    "format": "prettier --check .",', False),
        (b'    "nextra": "^4.6.1",', False),
    ],
)
def test_a_new_line_tells_by_the_name_of_a_tool(line: bytes, *, tells: bool) -> None:
    new = OLD.replace(b'    "build"', line + b'\n    "build"')
    assert came(absent_kinds("No test framework is configured."), Edited("package.json", OLD, new)) is tells
