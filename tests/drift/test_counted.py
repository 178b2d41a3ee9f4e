"""Counted lists, universal presence, and scripts in which only paths moved."""

from __future__ import annotations

import pytest

from gitmem.drift.counted import counts
from tests.drift.test_grounding import judged
from tests.support.tree_view import Files


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Two regression anchors live there: `a` and `b`.", 2),
        ("The 3 layers are `a`, `b`, `c`.", 3),
        ("네 가지 파일이 있다", 4),
        ("テストは3つある", 3),
        ("有两个文件", 2),
    ],
)
def test_a_number_of_things_is_a_count(text: str, number: int) -> None:
    assert counts(text, number)
    assert not counts(text, number + 1)


@pytest.mark.parametrize(
    "text",
    [
        "See step 2 of `a` and `b`",
        "Tests: `a`, `b` (two minutes)",
        "`a` and `b` use v2 modules",
        "이 두꺼운 파일",
    ],
)
def test_another_number_counts_nothing(text: str) -> None:
    assert not counts(text, 2)


ANCHORS: Files = {
    "tests/io/test_load.py": "x = 1\n",
    "tests/io/test_save.py": "x = 2\n",
    "tests/io/conftest.py": "x = 3\n",
}
LISTS = [
    "Two regression anchors live there: `test_load.py` and `test_save.py`.",
    "회귀 테스트 두 개가 있다: `test_load.py`, `test_save.py`.",
    "テストは2つある: `test_load.py`と`test_save.py`。",
]


@pytest.mark.parametrize("text", LISTS)
@pytest.mark.parametrize(
    ("came", "verdict"),
    [
        ("tests/io/test_run.py", "changed"),
        ("tests/io/helpers.py", "touched"),
        ("tests/other/test_run.py", "fresh"),
    ],
)
def test_another_file_of_its_pattern_breaks_a_counted_list(text: str, came: str, verdict: str) -> None:
    assert judged(text, "tests/io/**", then=ANCHORS, now={**ANCHORS, came: "x = 4\n"}).verdict == verdict


def test_a_list_without_a_count_is_open() -> None:
    text = "Regression anchors live there: `test_load.py` and `test_save.py`."
    assert (
        judged(text, "tests/io/**", then=ANCHORS, now={**ANCHORS, "tests/io/test_run.py": "x = 4\n"}).verdict
        == "touched"
    )


APPS: Files = {f"apps/{one}/{name}": f"{name}\n" for one in "abcdef" for name in (".npmrc", "index.js")}
UNIVERSAL = [
    "Every app **must** have an `.npmrc` file with:",
    "모든 앱에는 `.npmrc` 파일이 있어야 한다:",
    "すべてのアプリに`.npmrc`が必要です。",
    "每个应用都必须有 `.npmrc`。",
]


def without(*apps: str) -> Files:
    return {
        path: text
        for path, text in APPS.items()
        if not (path.endswith(".npmrc") and path.split("/")[1] in apps)
    }


@pytest.mark.parametrize("text", UNIVERSAL)
def test_what_every_place_must_have_is_gone_with_most_of_it(text: str) -> None:
    assert judged(text, "apps/*/.npmrc", then=APPS, now=without(*"abcde")).verdict == "gone"
    assert judged(text, "apps/*/.npmrc", then=APPS, now=without("a")).verdict == "touched"


def test_files_that_moved_are_not_gone() -> None:
    text = UNIVERSAL[0]
    moved = {path.replace("apps/", "packages/"): data for path, data in APPS.items()}
    assert judged(text, "apps/*/.npmrc", then=APPS, now=moved).verdict not in {"gone", "rewritten", "changed"}


SCRIPT = '{"scripts": {"test:unit": "jest --ignore=tests/rls/"}}\n'
FILES = {
    f"tests/rls/{one}.test.ts": f"test({one!r})\ncheck({one!r})\n" for one in ("users", "orders", "levels")
}
RUN: Files = {"package.json": SCRIPT, **FILES}
MOVED: Files = {path.replace("tests/rls", "tests/db/rls"): data for path, data in FILES.items()}
UNIT = [
    "`npm run test:unit` - only unit tests (without the RLS tests)",
    "`npm run test:unit` - 유닛 테스트만 실행",
    "`npm run test:unit` - ユニットテストのみ実行 (RLSテストを除く)",
]


@pytest.mark.parametrize("text", UNIT)
@pytest.mark.parametrize(
    ("new", "now", "verdict"),
    [
        ("tests/db/", MOVED, "touched"),
        ("tests/db/rls/", MOVED, "touched"),
        ("tests/other/", MOVED, "changed"),
        ("tests/db/", FILES, "changed"),
        ("tests/db/ --watch", MOVED, "changed"),
    ],
)
def test_a_script_in_which_only_a_path_followed_its_files_is_touched(
    text: str, new: str, now: Files, verdict: str
) -> None:
    package = SCRIPT.replace("tests/rls/", new)
    assert judged(text, "package.json", then=RUN, now={"package.json": package, **now}).verdict == verdict
