"""What a context receives: the policy's order and limits, and that whatever is left out is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import pytest

from gitmem.compaction import (
    SHORTER,
    Compacted,
    LeftOut,
    Material,
    Part,
    Saved,
    compact,
    compact_memories,
    kind_of,
)
from gitmem.model.policy import CompactionPolicy
from gitmem.model.run import fold
from gitmem.model.stamp import Stamp
from gitmem.patches.stat import DiffStat, FileStat
from tests.test_handoff import after

TOLD: tuple[tuple[str, Mapping[str, object]], ...] = (
    ("task_created", {"goal": "Orders are sent once"}),
    ("plan_approved", {"artifact": "plan.json"}),
    ("implementation_completed", {"changed_files": ["a.py"]}),
    ("review_failed", {"findings": ["no guard"], "artifact": "review-1.json"}),
    ("implementation_completed", {}),
    ("review_passed", {"artifact": "review-2.json"}),
    ("test_failed", {"command": "make", "exit_code": 1, "failing": ["t1"], "artifact": "test.log"}),
)
MATERIAL = Material(
    after(*TOLD),
    Stamp(),
    plan=Saved("plan.json", '{"steps": 1}\n'),
    diff=DiffStat("diff.patch", (FileStat("a.py", "modified", 2, 1),), see="git show AI_RUN:artifacts/diff.patch"),
    failure={"log_tail": "one\ntwo\n"},
    artifacts=("build.log", "diff.patch", "diff-1.patch", "plan.json", "session.jsonl", "result.json"),
)  # fmt: skip
DEFAULT = CompactionPolicy()


def kinds(compacted: Compacted) -> list[str]:
    return list(dict.fromkeys(part.kind for part in compacted.parts))


def part(compacted: Compacted, kind: str) -> Part:
    return next(one for one in compacted.parts if one.kind == kind)


def test_the_default_policy() -> None:
    compacted = compact(MATERIAL, DEFAULT)
    assert kinds(compacted) == [
        "current_handoff",
        "current_plan",
        "current_diff_stat",
        "latest_failure",
        "previous_attempts",
        "previous_reviews",
        "long_tool_outputs",
    ]
    assert part(compacted, "current_plan").block == '{"steps": 1}'
    assert part(compacted, "current_diff_stat").lines == (
        "1 file, +2 -1: `git show AI_RUN:artifacts/diff.patch`",
        "",
        "- M `a.py` +2 -1",
    )
    assert part(compacted, "latest_failure").block == "one\ntwo"
    assert part(compacted, "previous_attempts").lines == (
        "- attempt 1 (#3, codex): review_failed (#4) – no guard",
    )
    assert part(compacted, "previous_reviews").lines == (
        "- review_failed (#4), 1 finding: `git show AI_RUN:artifacts/review-1.json`",
    )
    assert part(compacted, "long_tool_outputs").lines == ("- `git show AI_RUN:artifacts/result.json`",)


def test_what_is_archived_never_comes_and_is_named() -> None:
    assert compact(MATERIAL, DEFAULT).left_out == (
        LeftOut("1 full log", "git show AI_RUN:artifacts/build.log"),
        LeftOut("1 previous diff", "git show AI_RUN:artifacts/diff-1.patch"),
        LeftOut("1 transcript", "git show AI_RUN:artifacts/session.jsonl"),
    )
    several = compact(replace(MATERIAL, artifacts=("a.log", "b.log")), DEFAULT).left_out
    assert LeftOut("2 full logs", "git ls-tree -r --name-only AI_RUN artifacts/") in several


def test_a_kind_that_is_archive_only_is_not_injected_even_when_both_are_written() -> None:
    policy = replace(DEFAULT, archive_only=("latest_failure",))
    compacted = compact(MATERIAL, policy)
    assert "latest_failure" not in kinds(compacted)
    assert LeftOut("latest_failure: archive only", "git show AI_RUN:artifacts/test.log") in compacted.left_out


def test_the_order_is_the_policys() -> None:
    policy = replace(
        DEFAULT, inject=("latest_failure", "no_such_kind", "current_handoff", "latest_failure"), summarize=()
    )
    compacted = compact(MATERIAL, policy)
    assert kinds(compacted) == ["latest_failure", "current_handoff"]
    assert {one.what for one in compacted.left_out} >= {
        "current_plan: not in the policy",
        "current_diff_stat: not in the policy",
        "previous_attempts: not in the policy",
        "long_tool_outputs: not in the policy",
    }


def test_files_over_the_limit_are_named() -> None:
    compacted = compact(MATERIAL, replace(DEFAULT, max_injected_files=2))
    assert kinds(compacted)[:3] == ["current_handoff", "current_plan", "previous_attempts"]
    assert compacted.left_out[:2] == (
        LeftOut("Changed (diff.patch): over max_injected_files 2", "git show AI_RUN:artifacts/diff.patch"),
        LeftOut("Latest Failure: over max_injected_files 2", "git show AI_RUN:artifacts/test.log"),
    )


def test_the_log_tail_is_within_the_limit_and_without_colours() -> None:
    material = replace(MATERIAL, failure={"log_tail": "x" * 50 + "\r\n\x1b[31mlast\x1b[0m\n"})
    compacted = compact(material, replace(DEFAULT, max_log_tail_characters=20))
    assert part(compacted, "latest_failure").block == "last"
    assert compacted.left_out[0] == LeftOut(
        "log: 51 characters before its tail", "git show AI_RUN:artifacts/test.log"
    )


@pytest.mark.parametrize(("most", "shown"), [(0, []), (1, ["3"]), (2, ["2", "3"]), (9, ["1", "2", "3"])])
def test_only_the_newest_previous_attempts_come(most: int, shown: list[str]) -> None:
    state = after(*([("implementation_completed", {})] * 4))
    compacted = compact(Material(state, Stamp()), replace(DEFAULT, max_previous_attempts=most))
    lines = [line for one in compacted.parts if one.kind == "previous_attempts" for line in one.lines]
    assert [line.split()[2] for line in lines] == shown
    named = [one for one in compacted.left_out if "attempts" in one.what]
    assert named == (
        [LeftOut(f"{3 - len(shown)} earlier attempts", "gitmem run log run-1")] if len(shown) < 3 else []
    )


def test_what_another_part_says_at_length_is_not_said_twice() -> None:
    headings = [one.heading for one in compact(MATERIAL, DEFAULT).parts]
    assert headings.count("Latest Failure") == 1
    assert "Changed Files" not in headings
    without = compact(replace(MATERIAL, diff=None), DEFAULT)
    assert "Changed Files" in [one.heading for one in without.parts]


def test_a_diff_that_cannot_be_told_is_named() -> None:
    compacted = compact(replace(MATERIAL, diff=None, no_diff="Changed: not here"), DEFAULT)
    assert LeftOut("Changed: not here", "gitmem run show run-1") in compacted.left_out


def test_decisions_come_with_their_reasons() -> None:
    state = after(("decision_recorded", {"decision": "one ref a writer", "reason": "nothing to merge"}))
    decisions = next(
        one for one in compact(Material(state, Stamp()), DEFAULT).parts if one.heading == "Decisions"
    )
    assert decisions.lines == ("- one ref a writer – nothing to merge",)


def test_a_long_plan_is_cut_and_named() -> None:
    compacted = compact(replace(MATERIAL, plan=Saved("plan.json", "가" * 5000)), DEFAULT)
    assert len(part(compacted, "current_plan").block) == 4000
    assert (
        LeftOut("plan: 1000 characters at its end", "git show AI_RUN:artifacts/plan.json")
        in compacted.left_out
    )


def test_memories_come_where_the_policy_puts_them() -> None:
    material = replace(MATERIAL, memories=("- **ApiGateway** [PITFALL]: rule", "- second"))
    assert part(compact(material, DEFAULT), "approved_memory").lines == (
        "- **ApiGateway** [PITFALL]: rule",
        "- second",
    )


def test_memories_without_a_run_follow_the_policy_too() -> None:
    told = compact_memories(("- first", "- second"), replace(DEFAULT, max_injected_files=1))
    assert (told.parts[0].kind, told.parts[0].lines) == ("approved_memory", ("- first",))
    assert told.left_out == (LeftOut("1 memories", "gitmem list"),)
    assert compact_memories((), DEFAULT) == Compacted(())
    for policy in (
        replace(DEFAULT, inject=("current_plan",)),
        replace(DEFAULT, archive_only=("approved_memory",)),
    ):
        refused = compact_memories(("- first",), policy)
        assert refused == Compacted((), (LeftOut("approved_memory: not in the policy", "gitmem list"),))


def test_an_empty_run_has_only_its_phase() -> None:
    compacted = compact(Material(fold([], run_id="run-1"), Stamp()), DEFAULT)
    assert [one.heading for one in compacted.parts] == ["Current Phase", "Next Action"]
    assert compacted.left_out == ()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("plan.json", "current_plan"),
        ("diff.patch", "current_diff_stat"),
        ("diff-1.patch", "previous_diffs"),
        ("more-2/old.diff", "previous_diffs"),
        ("test.LOG", "full_build_logs"),
        ("session.jsonl", "raw_agent_transcripts"),
        ("Transcript-1.txt", "raw_agent_transcripts"),
        ("review-1.json", "previous_reviews"),
        ("code_review.md", "previous_reviews"),
        ("preview.png", "long_tool_outputs"),
        ("test-result.json", "long_tool_outputs"),
    ],
)
def test_an_artifacts_kind_is_told_by_its_name(name: str, kind: str) -> None:
    assert kind_of(name) == kind


def test_a_long_payload_is_no_output_of_a_tool() -> None:
    named = (*MATERIAL.artifacts, "payload-0123456789abcdef.json")
    compacted = compact(replace(MATERIAL, artifacts=named), DEFAULT)
    assert part(compacted, "long_tool_outputs") == part(compact(MATERIAL, DEFAULT), "long_tool_outputs")


def test_there_is_no_wide_step_between_two_lengths_of_a_rejected_approach() -> None:
    assert all(shorter >= 0.88 * longer for longer, shorter in pairwise(SHORTER))
