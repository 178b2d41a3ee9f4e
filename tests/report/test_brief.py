"""The brief as text: never over its limit, what matters most first to stay, all that is left out named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.compaction import Compacted, Material, Saved, compact
from gitmem.model.policy import CompactionPolicy
from gitmem.model.snapshot import Approach, Snapshot
from gitmem.model.stamp import Stamp
from gitmem.report.brief import BriefText, brief_document, estimated_tokens, format_brief
from gitmem.usecases.brief import Brief
from tests.test_compaction import MATERIAL
from tests.test_handoff import OPENS, states

POLICY = CompactionPolicy()


def shown(material: Material, *, budget: int | None = None, most_bytes: int = 9000) -> BriefText:
    return format_brief(
        Brief("run-1", material, compact(material, POLICY)), budget=budget, most_bytes=most_bytes
    )


def test_all_of_a_small_run() -> None:
    text = shown(MATERIAL).text
    assert text.startswith("# gitmem brief\n\nrun `run-1`\n\n## Current Goal\n\nOrders are sent once\n\n")
    assert '## Plan\n\n```\n{"steps": 1}\n```\n\n## Changed (diff.patch)\n\n1 file, +2 -1\n' in text
    assert "`git show AI_RUN:artifacts/test.log`\n\n```\none\ntwo\n```\n\n## Previous Attempts\n" in text
    assert text.endswith(
        "## Left Out\n\n"
        "- 1 full log: `git show AI_RUN:artifacts/build.log`\n"
        "- 1 previous diff: `git show AI_RUN:artifacts/diff-1.patch`\n"
        "- 1 transcript: `git show AI_RUN:artifacts/session.jsonl`\n"
    )
    assert shown(MATERIAL).text == text


def test_nothing_when_there_is_nothing() -> None:
    assert format_brief(Brief()) == BriefText("", ())
    assert brief_document(Brief(), format_brief(Brief())) == {
        "text": "",
        "bytes": 0,
        "run": None,
        "memories": [],
        "left_out": [],
    }


def test_a_remark_is_one_visible_line() -> None:
    assert format_brief(Brief("run-1", remark="a\x1b[31m\n# b")).text == "a\\x1b[31m # b\n"


def test_stale_stands_before_everything() -> None:
    text = shown(replace(MATERIAL, stamp=Stamp(stale="HEAD moved on by 2 commits"))).text
    assert "\n\n> STALE: HEAD moved on by 2 commits\n\n## Current Goal" in text


def test_of_a_long_log_the_end_stays_and_the_cut_is_named() -> None:
    log = "".join(f"줄 {number}\n" for number in range(2000))
    text, left_out = shown(replace(MATERIAL, failure={"log_tail": log[-6000:]}))
    assert len(text.encode()) <= 9000
    assert "줄 1999\n```" in text
    assert "\n```\n…\n줄 " in text
    assert left_out[0].what == "Latest Failure: a part of it"


def test_of_a_long_plan_the_beginning_stays() -> None:
    plan = Saved("plan.json", "".join(f"step {number}\n" for number in range(500)))
    text, left_out = shown(replace(MATERIAL, plan=plan), most_bytes=3000)
    assert "```\nstep 0\n" in text
    assert "Plan: a part of it" in [one.what for one in left_out]


def test_do_not_repeat_stays_whole_when_there_is_not_room_for_all() -> None:
    rejected = tuple(Approach(f"approach {number} {'x' * 80}", None, number) for number in range(25))
    state = replace(MATERIAL.snapshot, rejected_approaches=rejected)
    text = shown(replace(MATERIAL, snapshot=state, failure={"log_tail": "y\n" * 3000}), most_bytes=4000).text
    assert [line for line in text.splitlines() if line.startswith("- approach")] == [
        f"- {one.approach}" for one in rejected
    ]


def test_more_rejected_approaches_than_there_is_room_are_counted_each_whole() -> None:
    rejected = tuple(Approach(f"approach {number} {'x' * 80}", None, number) for number in range(200))
    state = Snapshot(run_id="run-1", goal="g", rejected_approaches=rejected)
    text, left_out = shown(Material(state, Stamp()), most_bytes=3000)
    kept = [line for line in text.splitlines() if line.startswith("- approach")]
    assert kept == [f"- {one.approach}" for one in rejected[: len(kept)]]
    assert left_out[0].what == f"Do Not Repeat: {200 - len(kept)} of 200 lines"
    assert "gitmem run handoff run-1" in text


@settings(deadline=None, max_examples=100)
@given(states(), st.integers(1, 3000), st.integers(1, 9000), st.text(max_size=2000))
def test_no_state_makes_it_longer_than_its_limit_or_opens_a_heading(
    state: Snapshot, budget: int, most_bytes: int, log: str
) -> None:
    material = Material(state, Stamp(), plan=Saved("plan.json", log), failure={"log_tail": log})
    text = shown(material, budget=budget, most_bytes=most_bytes).text
    assert len(text.encode()) <= most_bytes
    assert estimated_tokens(text) <= budget
    fence = ""
    for line in text.splitlines():
        if fence:
            fence = "" if line == fence else fence
        elif line.startswith("```"):
            fence = line
        else:
            assert line.startswith(("# gitmem brief", "## ")) or not OPENS.match(line.lstrip("-> "))
    assert not fence


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("abcd", 1), ("abcde", 2), ("가나", 2), ("가abcd", 2), ("é", 1)]
)
def test_tokens_are_estimated_by_script(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens


def test_a_kind_without_a_rank_comes_last() -> None:
    assert format_brief(Brief("run-1", MATERIAL, Compacted(()))).text == ""
