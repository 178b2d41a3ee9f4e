from __future__ import annotations

import re

import pytest

from gitmem.model.problem import Problem
from gitmem.model.verdict import Finding, Verdict
from gitmem.report.drift_markdown import format_markdown
from gitmem.report.sanitise import is_unsafe
from tests.support.judgements import STRIPPED, hostile, judged, many, report

V = Verdict


def test_is_a_list_worst_first_with_the_counts_below() -> None:
    found = report(
        judged("m-1", V.FRESH),
        judged("m-2", V.UNKNOWN),
        judged("m-3", V.CHANGED, STRIPPED),
        judged("m-4", V.TOUCHED),
        remarks=("history is cut",),
        problems=(Problem("a.yaml", 1, 1, "", "bad date"),),
    )
    assert format_markdown(found) == [
        "### gitmem drift: 1 of 4 memories challenged",
        "",
        "- **CHANGED** `m-3` ApiGateway – the gateway strips custom headers longer than 8 KB",
        '  - `gateway/headers.go` `StripHeaders`: signature changed, 61% of its lines – 3 commits, last 4f2a91c 2026-07-01 Kim: "Drop header cap"',
        "- **UNKNOWN** `m-2` ApiGateway – the gateway strips custom headers longer than 8 KB",
        "  - it could not be checked",
        "- could not be read: `a.yaml` bad date",
        "",
        "history is cut",
        "",
        "4 checked: 1 fresh, 1 touched, 1 unknown, 1 challenged",
    ]


def test_nothing_checked_is_said() -> None:
    assert format_markdown(report()) == ["### gitmem drift: nothing was checked", ""]


def test_what_is_too_long_is_cut_with_a_count() -> None:
    lines = format_markdown(many(300, 0), limit=5_000)
    assert len("\n".join(lines)) < 5_200
    shown = sum(line.startswith("- **") for line in lines)
    assert f"- … and {300 - shown} more" in lines
    assert lines[-1] == "300 checked: 0 touched, 300 challenged"


def test_very_many_are_put_into_proportion() -> None:
    assert format_markdown(many(30, 0))[2].startswith("Very many at once")


def test_further_findings_are_counted() -> None:
    findings = [Finding(V.CHANGED, "logic changed", path=f"src/{n}.py") for n in range(7)]
    assert "  - … 2 more" in format_markdown(report(judged("m", V.CHANGED, *findings)))


@pytest.mark.parametrize("verdict", list(V))
def test_hostile_text_is_inert(verdict: Verdict) -> None:
    lines = format_markdown(hostile(verdict))
    assert not any(is_unsafe(character) for line in lines for character in line)
    outside = [_outside_code(line.removeprefix("### ").removeprefix("- **")) for line in lines]
    assert not [line for line in outside if re.search(r"[@#<`\[]|://|\b_|__|~~", line)]


def _outside_code(line: str) -> str:
    """What a Markdown parser takes for markup: the line without backslash escapes and code spans, left to right."""
    return re.sub(r"\\[!-/:-@\[-`{-~]|(`+)(?!`).*?(?<!`)\1(?!`)", "", line)
