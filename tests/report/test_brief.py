"""The brief as text: never over its limit, what matters most first to stay, all that is left out named."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.compaction import Compacted, LeftOut, Material, Part, Saved, compact, compact_memories
from gitmem.model.policy import CompactionPolicy
from gitmem.model.snapshot import Approach, Snapshot
from gitmem.model.stamp import Stamp
from gitmem.recall.factors import Factors
from gitmem.recall.ranking import Score
from gitmem.recall.similarity import Similarity
from gitmem.report.brief import (
    BriefText,
    Cost,
    _cost_of,
    _keep,
    _lines,
    brief_document,
    estimated_tokens,
    format_brief,
)
from gitmem.usecases.brief import Brief
from gitmem.usecases.brief_memories import Memories, Remembered, remembered
from gitmem.usecases.recall import Item
from gitmem.usecases.recalling.cards import Card
from tests.test_compaction import MATERIAL
from tests.test_handoff import OPENS, states

POLICY = CompactionPolicy()
NO_SCORE = Score(Similarity(0.0, None, 0.0), Factors(1.0, 1.0, 1.0, 1.0))


def shown(material: Material, *, budget: int | None = None, most_bytes: int = 9000) -> BriefText:
    return format_brief(
        Brief("run-1", material, compact(material, POLICY)), budget=budget, most_bytes=most_bytes
    )


def test_all_of_a_small_run() -> None:
    text = shown(MATERIAL).text
    assert text.startswith("# gitmem brief\n\nrun `run-1`\n\n## Current Goal\n\nOrders are sent once\n\n")
    assert '## Plan\n\n```\n{"steps": 1}\n```\n\n## Changed (diff.patch)\n\n1 file, +2 -1: `git show' in text
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
    text, left_out, _ = shown(replace(MATERIAL, failure={"log_tail": log[-6000:]}))
    assert len(text.encode()) <= 9000
    assert "줄 1999\n```" in text
    assert "\n```\n…\n줄 " in text
    assert left_out[0].what == "Latest Failure: a part of it"


def test_of_a_long_plan_the_beginning_stays() -> None:
    plan = Saved("plan.json", "".join(f"step {number}\n" for number in range(500)))
    text, left_out, _ = shown(replace(MATERIAL, plan=plan), most_bytes=3000)
    assert "```\nstep 0\n" in text
    assert "Plan: a part of it" in [one.what for one in left_out]


def test_do_not_repeat_stays_whole_when_there_is_not_room_for_all() -> None:
    rejected = tuple(Approach(f"approach {number} {'x' * 80}", None, number) for number in range(25))
    state = replace(MATERIAL.snapshot, rejected_approaches=rejected)
    text = shown(replace(MATERIAL, snapshot=state, failure={"log_tail": "y\n" * 3000}), most_bytes=4000).text
    assert [line for line in text.splitlines() if line.startswith("- approach")] == [
        f"- {one.approach}" for one in rejected
    ]


def rejected_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("- approach")]


@pytest.mark.parametrize("word", ["word ", "결제 "])
def test_rejected_approaches_that_have_no_room_are_shortened_all_of_them(word: str) -> None:
    rejected = tuple(
        Approach(f"approach {number} {word * 70}", f"because {number} {word * 70}", number)
        for number in range(42)
    )
    state = Snapshot(run_id="run-1", goal="g", next_step="go on", rejected_approaches=rejected)
    text, left_out, _ = shown(Material(state, Stamp()))
    kept = rejected_lines(text)
    assert [line.split()[2] for line in kept] == [str(number) for number in range(42)]
    assert all(f"… – because {number} " in line for number, line in enumerate(kept))
    assert "## Current Goal\n\ng\n" in text
    assert "## Next Action\n\ngo on\n" in text
    assert left_out[0] == ("Do Not Repeat: its lines are shortened", "gitmem run handoff run-1")
    assert "- Do Not Repeat: its lines are shortened: `gitmem run handoff run-1`" in text


def test_short_ones_stay_whole_among_long_ones() -> None:
    rejected = (
        Approach("approach short", "as it is", 1),
        *(Approach(f"approach {'x' * 300}", "y" * 300, number) for number in range(40)),
    )
    text = shown(Material(Snapshot(run_id="run-1", rejected_approaches=rejected), Stamp())).text
    assert rejected_lines(text)[0] == "- approach short – as it is"


def test_more_rejected_approaches_than_there_is_room_for_at_their_shortest_are_counted() -> None:
    rejected = tuple(Approach(f"approach {number} {'x' * 80}", None, number) for number in range(200))
    state = Snapshot(run_id="run-1", goal="g", rejected_approaches=rejected)
    text, left_out, _ = shown(Material(state, Stamp()), most_bytes=3000)
    kept = rejected_lines(text)
    assert [line.split()[2] for line in kept] == [str(number) for number in range(len(kept))]
    over = 200 - len(kept)
    assert left_out[0].what == f"Do Not Repeat: {over} of 200 lines"
    assert f"\n- … {over} more: `gitmem run handoff run-1`\n" in text


def test_an_approach_that_reads_as_what_is_left_out_is_none() -> None:
    rejected = (Approach("a", None, 1), Approach("… 1 more: `gitmem run handoff run-2`", None, 2))
    material = Material(Snapshot(run_id="run-1", rejected_approaches=rejected), Stamp())
    assert shown(material).left_out == ()


@pytest.mark.parametrize("budget", [10, 15, 30, 60, 100, 200])
def test_of_a_small_budget_something_says_that_there_is_more(budget: int) -> None:
    rejected = tuple(Approach(f"approach {number} {'x' * 80}", "y" * 80, number) for number in range(20))
    state = replace(MATERIAL.snapshot, rejected_approaches=rejected)
    text, left_out, _ = shown(replace(MATERIAL, snapshot=state), budget=budget)
    assert left_out
    assert re.search(r"^(Left out: .*|## Left Out|- … \d+ more: )", text, re.MULTILINE)
    assert "`gitmem brief`" in text
    assert estimated_tokens(text) <= budget


def test_a_small_budget_takes_the_header_first() -> None:
    material = replace(
        MATERIAL, stamp=Stamp("2026-07-13T10:00:00+09:00", "a" * 40, "main", stale="HEAD moved on")
    )
    text, left_out, _ = shown(material, budget=40)
    assert text.startswith("# gitmem brief\n\nrun `run-1`\n\n## Current Goal\n")
    assert ("as of when it was told", "gitmem brief") in left_out


def test_the_command_that_shows_the_rest_names_a_run_that_is_not_current() -> None:
    text = shown(replace(MATERIAL, stamp=Stamp(ref="refs/ai/runs/run-1/w")), budget=30).text
    assert "`gitmem brief --run run-1`" in text


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


TEXTS = st.text(max_size=300) | st.text("가나다 결제재시도", max_size=1500)


@st.composite
def memories(draw: st.DrawFn) -> Memories:
    told = []
    for number, summary in enumerate(draw(st.lists(TEXTS, max_size=8))):
        label, warning, probe = draw(TEXTS), draw(TEXTS), draw(st.none() | TEXTS)
        card = Card(f"m-{number}", None, summary, "pitfall", label, applies_to=(draw(TEXTS),), probe=probe)
        item = Item(card, NO_SCORE, "active", warning, "", 3, 0, draw(st.none() | TEXTS))
        told.append(remembered(item))
    return Memories(tuple(told))


@settings(deadline=None, max_examples=100)
@given(memories(), st.none() | st.integers(1, 3000), st.integers(1, 9000), st.booleans(), TEXTS)
def test_no_memory_makes_it_longer_than_its_limit_or_opens_a_heading(
    told: Memories, budget: int | None, most_bytes: int, has_run: bool, remark: str
) -> None:
    texts = tuple(one.text for one in told.told)
    brief = (
        Brief("run-1", MATERIAL, compact(replace(MATERIAL, memories=texts), POLICY), memories=told)
        if has_run
        else Brief(compacted=compact_memories(texts, POLICY), remark=remark, memories=told)
    )
    text, left_out, ids = format_brief(brief, budget=budget, most_bytes=most_bytes)
    assert len(text.encode()) <= most_bytes
    assert budget is None or estimated_tokens(text) <= budget
    assert not any(
        OPENS.match(line.lstrip("- "))
        for line in text.splitlines()
        if not line.startswith(("# gitmem brief", "## ", "```", "- **"))
    )
    missing = [one for one in left_out if one.what.startswith("Approved Memory")]
    assert (not text or len(ids) == len(texts)) or missing
    assert all(f"(id: `{name}`)" in text for name in ids)
    assert format_brief(brief, budget=budget, most_bytes=most_bytes) == (text, left_out, ids)


def test_of_memories_the_first_stay_and_the_others_are_counted() -> None:
    told = Memories(
        tuple(Remembered(f"m-{n}", f"- **결제** [PITFALL]: {'멱등 키 ' * 60}(id: `m-{n}`)") for n in range(5))
    )
    brief = Brief(compacted=compact_memories(tuple(one.text for one in told.told), POLICY), memories=told)
    text, left_out, ids = format_brief(brief, budget=900)
    assert ids == ("m-0", "m-1", "m-2")
    assert left_out == (LeftOut("Approved Memory: 2 of 5 memories", "gitmem list"),)
    assert text.endswith("## Left Out\n\n- Approved Memory: 2 of 5 memories: `gitmem list`\n")
    assert brief_document(brief, BriefText(text, left_out, ids))["memories"] == list(ids)


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("abcd", 1), ("abcde", 2), ("가나", 2), ("가abcd", 2), ("é", 1)]
)
def test_tokens_are_estimated_by_script(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens


def test_a_kind_without_a_rank_comes_last() -> None:
    assert format_brief(Brief("run-1", MATERIAL, Compacted(()))).text == ""


def test_all_else_goes_before_a_rejected_approach_does() -> None:
    rejected = tuple(f"- approach {number} " + "가" * 60 for number in range(20))
    short = tuple(f"- approach {number}" for number in range(20))
    parts = (
        Part("current_handoff", "Do Not Repeat", rejected, "gitmem run handoff", shorter=(short,)),
        Part("approved_memory", "Approved Memory", ("- a memory " + "x" * 100,), "gitmem list"),
    )
    need = _cost_of(_lines(parts[0]._replace(lines=short)))
    room = Cost(need.bytes + 20, need.quarters + 20)
    kept, left_out = _keep(parts, room, room)
    assert kept == {parts[0]: _lines(parts[0]._replace(lines=short))}
    assert [one.what for one in left_out] == ["Do Not Repeat: its lines are shortened", "Approved Memory"]
