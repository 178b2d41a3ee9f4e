from __future__ import annotations

import pytest

from gitmem.model.verdict import BaselineHow, Finding, Verdict
from gitmem.report.explain import explain
from gitmem.report.look import Look
from gitmem.report.sanitise import is_unsafe
from gitmem.report.width import width
from tests.support.judgements import BASELINE, HEAD, STRIPPED, hostile, judged

V = Verdict
COMMENTS = Finding(V.COSMETIC, "comments only", path="gateway/it's.go")


def test_everything_behind_a_verdict_can_be_checked_by_hand() -> None:
    one = judged(
        "m-021",
        V.CHANGED,
        STRIPPED,
        COMMENTS,
        warning="VERIFY — the code under this changed",
        notes=("see ADR-17",),
    )
    assert explain(one, HEAD, paths=["gateway/headers.go", "gateway/it's.go"]) == [
        "m-021  Header limit",
        "says       the gateway strips custom headers longer than 8 KB",
        "file       .ai/memory/m-021.yaml (approved)",
        f"validated  2026-06-01, at commit {BASELINE} (recorded)",
        f"judged at  {HEAD}",
        "scope      matches 3 paths",
        "           gateway/headers.go",
        "           gateway/it's.go",
        "verdict    CHANGED, challenged",
        "",
        "what it rests on",
        "CHANGED    gateway/headers.go  StripHeaders",
        "           signature changed, 61% of its lines",
        '           by 3 commits, last 4f2a91c 2026-07-01 Kim: "Drop header cap"',
        "",
        "elsewhere in its scope",
        "COSMETIC   gateway/it's.go",
        "           comments only",
        "",
        "challenged because something it rests on changed in substance",
        "VERIFY — the code under this changed",
        "note: see ADR-17",
        f"""see it:          git diff {BASELINE} {HEAD} -- gateway/headers.go 'gateway/it'"'"'s.go'""",
        "still true:      gitmem confirm m-021",
        "no longer true:  mend the words in .ai/memory/m-021.yaml, or remove them, and have it merged",
    ]


def test_a_fresh_memory_says_so_and_asks_for_nothing() -> None:
    assert (
        explain(judged("m", V.FRESH), HEAD)[-1]
        == "fresh because nothing it rests on differs from the baseline"
    )


def test_a_date_that_challenges_comes_before_the_code() -> None:
    one = judged("m", V.FRESH, status="challenged", challenged_by=("review",))
    expected = "challenged because its review date has passed; of the code itself, nothing it rests on differs from the baseline"
    assert expected in explain(one, HEAD)


def test_unknown_gives_its_reason_once() -> None:
    one = judged(
        "m", V.UNKNOWN, warning="could not be checked: no scope", baseline=None, how=None, validated_at=None
    )
    lines = explain(one, HEAD)
    assert lines[-2:] == ["", "could not be checked: no scope"]
    assert "validated  no baseline: it was never confirmed with one" in lines


@pytest.mark.parametrize(
    ("how", "words"),
    [
        (BaselineHow.RECORDED, f"2026-06-01, at commit {BASELINE} (recorded)"),
        (BaselineHow.INFERRED, f"2026-06-01, at commit {BASELINE} (inferred from the history of its file)"),
        (BaselineHow.RANGE, f"2026-06-01; judged over a range from commit {BASELINE}"),
        (BaselineHow.CONTENT, "2026-06-01, by the content recorded then (its commit is not in this clone)"),
        (None, "2026-06-01, no baseline"),
    ],
)
def test_where_the_baseline_comes_from_is_said(how: BaselineHow | None, words: str) -> None:
    assert f"validated  {words}" in explain(judged("m", V.FRESH, how=how), HEAD)


@pytest.mark.parametrize(
    ("head", "command"),
    [
        (HEAD, f"git diff {BASELINE} {HEAD} -- gateway/headers.go"),
        ("worktree", f"git diff {BASELINE} -- gateway/headers.go"),
        ("staged", f"git diff --cached {BASELINE} -- gateway/headers.go"),
    ],
)
def test_the_command_shows_what_was_judged(head: str, command: str) -> None:
    assert f"see it:          {command}" in explain(judged("m", V.CHANGED, STRIPPED), head)


def test_no_command_is_offered_for_a_path_that_cannot_be_shown() -> None:
    odd = Finding(V.CHANGED, "logic", path="src/\x1b.py")
    assert not any("git diff" in line for line in explain(judged("m", V.CHANGED, odd), HEAD))


def test_many_paths_are_counted() -> None:
    assert "           … 15 more" in explain(
        judged("m", V.FRESH), HEAD, paths=[f"src/{n}" for n in range(25)]
    )


@pytest.mark.parametrize("verdict", list(V))
def test_nothing_hidden_or_obeyed_reaches_a_terminal(verdict: Verdict) -> None:
    found = hostile(verdict)
    lines = explain(found.judgements[0], found.head, paths=["\x1b[0m\n::error::x"])
    assert not any(is_unsafe(character) for line in lines for character in line)
    assert not any(line.lstrip().startswith("::") for line in lines)


def test_a_terminal_cuts_by_width() -> None:
    assert all(width(line) <= 50 for line in explain(judged("m", V.CHANGED, STRIPPED), HEAD, Look(width=50)))
