"""The patch that `confirm` shows to somebody who is about to say that a memory still holds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gitmem.model.verdict import Finding, Verdict
from gitmem.report.confirm import PATCH_LINES, asking_lines
from gitmem.usecases.confirm import Asking
from gitmem.usecases.confirmed import rested_on
from tests.support.judgements import BASELINE, HOSTILE, judged

SHORT = BASELINE[:12]


def shown(patch: str, *paths: str) -> Sequence[str]:
    findings = [Finding(Verdict.CHANGED, "changed", path=path) for path in paths or ("src/a.py",)]
    asking = Asking(judged("m-1", Verdict.CHANGED, *findings), None, "0123456789", patch)
    lines = list(asking_lines(asking))
    start = 2 + len(findings)
    return lines[start:-1]


def test_shows_the_hunks_under_the_evidence() -> None:
    patch = (
        "diff --git a/src/a.py b/src/a.py\nindex 1111111..2222222 100644\n--- a/src/a.py\n+++ b/src/a.py\n"
    )
    assert shown(f"{patch}@@ -1 +1 @@ def f():\n-old\n+new\n") == [
        "  src/a.py",
        "  @@ -1 +1 @@ def f():",
        "  -old",
        "  +new",
    ]


def test_says_why_a_patch_is_not_shown_and_what_shows_it() -> None:
    assert shown("\x1b[1mdiff --git a/src/a.py b/src/a.py\x1b[m\n") == [
        f"  patch not shown, line 1 is coloured: git diff {SHORT} HEAD -- src/a.py"
    ]


def test_says_how_much_of_a_long_patch_is_left_out_and_what_shows_it() -> None:
    added = "".join(f"+line {number}\n" for number in range(200))
    lines = shown(f"--- /dev/null\n+++ b/src/a.py\n@@ -0,0 +1,200 @@\n{added}")
    assert len(lines) == PATCH_LINES + 1
    assert lines[-1] == f"  … {202 - PATCH_LINES} more lines left out: git diff {SHORT} HEAD -- src/a.py"


def test_shows_nothing_where_there_is_no_patch() -> None:
    assert shown("") == []


@pytest.mark.parametrize(
    ("paths", "behind"),
    [
        (["src/a.py", "src/b c.py"], " -- src/a.py 'src/b c.py'"),
        (["문서/설계.md"], " -- '문서/설계.md'"),
        ([f"{number}.py" for number in range(6)], ""),
        (["src/a.py", ":(top)x"], ""),
        (["src/*.py"], ""),
        (["a; rm x"], ""),
        (["a\nb"], ""),
        ([HOSTILE], ""),
    ],
)
def test_the_command_names_only_paths_that_mean_themselves(paths: list[str], behind: str) -> None:
    assert shown("what no reader knows\n", *paths)[0].endswith(f": git diff {SHORT} HEAD{behind}")


def test_counts_the_files_that_it_does_not_rest_on_and_says_what_shows_them() -> None:
    others = tuple(f"src/{number}.py" for number in range(41))
    watched = Finding(Verdict.CHANGED, "changed", watch="symbol src/a.py#f", path="src/a.py")
    soft = [Finding(Verdict.TOUCHED, "changed", path=path) for path in others]
    judgement = judged("m-1", Verdict.CHANGED, watched, *soft)
    patch = "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-old\n+new\n"
    lines = list(asking_lines(Asking(judgement, None, "0123456789", patch, others=others)))
    assert lines[-2] == f"  and 41 other files of the scope changed: git diff {SHORT} HEAD"
    assert rested_on(judgement) == (("src/a.py",), others)


def test_without_a_watch_that_changed_the_files_that_challenge_come_first() -> None:
    fresh = Finding(Verdict.FRESH, "unchanged", watch="symbol src/b.py#f", path="src/b.py")
    gone = Finding(Verdict.GONE, "deleted", path="src/c.py")
    soft = Finding(Verdict.TOUCHED, "changed", path="src/d.py")
    found = rested_on(judged("m-1", Verdict.GONE, fresh, gone, soft))
    assert found == (("src/c.py",), ("src/b.py", "src/d.py"))
