from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from gitmem.model.change import Commit, Person
from gitmem.model.validation import Validation
from gitmem.model.verdict import BaselineHow, Finding, Verdict
from gitmem.report.explain import explain, remarks
from gitmem.report.look import Look
from gitmem.report.sanitise import is_unsafe
from gitmem.usecases.story import Resting, Story
from tests.support.judgements import BASELINE, HEAD, HOSTILE, STRIPPED, hostile, judged

V = Verdict
COMMENTS = Finding(V.COSMETIC, "comments only", path="gateway/it's.go")


STORY = Story(
    globs=("gateway/**",),
    paths=("gateway/headers.go", "gateway/it's.go"),
    resting=(
        Resting("symbol gateway/headers.go#StripHeaders", "gateway/headers.go", (40, 58), "s3f9c01ab42d1", "s77e01ab42d1"),
        Resting("key package.json#scripts.lint", "package.json", None, "5ab1", "5ab1", '"eslint ."'),
    ),
    validation=Validation("m-021", date(2026, 6, 1), "ada", file=".ai/validations/m-021/20260601-abcde.yaml"),
    named=BASELINE,
    is_here=True,
    trusted="origin/main",
    commit=Commit(BASELINE, "7" * 40, (), Person("Kim", "k@e"), "2026-05-30T10:00:00+09:00", Person("Kim", "k@e"),
                  "2026-05-31T10:00:00+09:00", "Cap headers"),
)  # fmt: skip
NAMED = f'commit {BASELINE} (2026-05-31 Kim: "Cap headers")'


def test_everything_behind_a_verdict_can_be_checked_by_hand() -> None:
    one = judged(
        "m-021",
        V.CHANGED,
        STRIPPED,
        COMMENTS,
        warning="VERIFY — the code under this changed",
        notes=("see ADR-17",),
        matched=2,
    )
    assert explain(one, HEAD, story=STORY) == [
        "m-021  Header limit",
        "says       the gateway strips custom headers longer than 8 KB",
        "file       .ai/memory/m-021.yaml (approved: origin/main holds it)",
        "validated  2026-06-01 by ada, who looked (.ai/validations/m-021/20260601-abcde.yaml)",
        f"baseline   {NAMED}, named by the validation",
        f"judged at  {HEAD}",
        "scope      gateway/** matches 2 paths",
        "           gateway/headers.go",
        "           gateway/it's.go",
        "verdict    CHANGED, challenged",
        "",
        "what it rests on (derived from its words)",
        "CHANGED    symbol gateway/headers.go#StripHeaders",
        "           signature changed, 61% of its lines",
        '           by 3 commits, last 4f2a91c 2026-07-01 Kim: "Drop header cap"',
        "           now lines 40–58, digest s3f9c01ab4 then, s77e01ab42 now",
        "FRESH      key package.json#scripts.lint",
        '           value "eslint .", same content: digest 5ab1 then and now',
        "",
        "elsewhere in its scope",
        "COSMETIC   gateway/it's.go  comments only",
        "",
        "challenged because something it rests on changed in substance",
        "agents are told: VERIFY — the code under this changed",
        "note:            see ADR-17",
        f"""see it:          git diff {BASELINE} {HEAD} -- gateway/headers.go""",
        "still true:      gitmem confirm m-021",
        "no longer true:  mend the words in .ai/memory/m-021.yaml, or remove them, and have it merged",
    ]


def test_a_fresh_memory_shows_each_watch_and_why() -> None:
    story = replace(STORY, resting=(replace(STORY.resting[0], now=STORY.resting[0].then),))
    lines = explain(judged("m", V.FRESH), HEAD, story=story)
    assert lines[-5:] == [
        "what it rests on (derived from its words)",
        "FRESH      symbol gateway/headers.go#StripHeaders",
        "           now lines 40–58, same content: digest s3f9c01ab4 then and now",
        "",
        "fresh because its watch holds what was recorded, and nothing in its scope differs from the baseline",
    ]


def test_what_moved_is_shown_at_its_new_place() -> None:
    moved = Finding(V.RELOCATED, "moved to b.go", watch="symbol a.go#F", path="a.go", new_path="b.go")
    story = replace(STORY, resting=(Resting("symbol a.go#F", "b.go", (3, 3), "s1", "s1"),), derived=False)
    lines = explain(judged("m", V.RELOCATED, moved, patch=(("a.go", "b.go"),)), HEAD, story=story)
    at = lines.index("what it rests on (as its file says)")
    assert lines[at + 1 : at + 4] == [
        "RELOCATED  symbol a.go#F",
        "           a.go → b.go: moved to b.go",
        "           now b.go line 3, same content: digest s1 then and now",
    ]
    assert lines[-1] == "follow it:       gitmem confirm m --apply"


def test_a_row_that_a_watch_tells_is_not_told_twice() -> None:
    watched = Finding(V.CHANGED, "changed", watch="file a.go", path="a.go")
    row = Finding(V.TOUCHED, "changed", path="a.go")
    assert "elsewhere in its scope" not in explain(judged("m", V.CHANGED, watched, row), HEAD)


def test_an_identifier_shows_where_code_has_it() -> None:
    rest = Resting("ident send", places=("a.go", "b.go", "c.go", "d.go"))
    lines = explain(judged("m", V.FRESH), HEAD, story=Story(resting=(rest,)))
    assert "           in code at a.go, b.go, c.go and 1 more" in lines


def test_without_anything_recorded_a_fresh_memory_still_says_why() -> None:
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
        "m", V.UNKNOWN, notes=("could not be checked: no scope",), baseline=None, how=None, validated_at=None
    )
    lines = explain(one, HEAD)
    assert lines[-2:] == [
        "unknown because it could not be checked: no scope",
        "once checked:    gitmem confirm m",
    ]
    assert "validated  never" in lines
    assert "baseline   none" in lines


@pytest.mark.parametrize(
    ("proposed", "story", "words"),
    [
        (False, Story(), "approved"),
        (True, Story(), "proposed, not merged to the trusted branch"),
        (True, Story(trusted="main"), "proposed, not merged to main"),
        (
            True,
            Story(trusted="main", edits=True),
            "proposed, an edit of the approved memory, not merged to main",
        ),
        (
            True,
            Story(untrusted="main has no commit"),
            "proposed: nothing is approved here, main has no commit",
        ),
    ],
)
def test_whether_it_is_approved_is_said_with_the_branch(*, proposed: bool, story: Story, words: str) -> None:
    one = judged("m", V.FRESH, proposed=proposed)
    assert f"file       .ai/memory/m.yaml ({words})" in explain(one, HEAD, story=story)


def test_the_command_confirms_what_was_judged() -> None:
    one = judged("m", V.CHANGED, STRIPPED)
    assert "still true:      gitmem confirm m --worktree" in explain(one, "worktree")
    bare = explain(one, HEAD, story=Story(bare=True))
    assert "still true:      gitmem confirm m  (in a clone that has a work tree)" in bare


OTHER = "7" * 40
UNNAMED = replace(STORY, named=None)
ABSENT = replace(STORY, named=OTHER, is_here=False)


@pytest.mark.parametrize(
    ("how", "story", "words"),
    [
        (BaselineHow.RECORDED, STORY, f"{NAMED}, named by the validation"),
        (BaselineHow.RECORDED, replace(STORY, is_here=False, commit=None),
         f"the content recorded with the validation; its commit {BASELINE} is not in this clone (rebased, squashed or not fetched)"),
        (BaselineHow.RECORDED, UNNAMED,
         f"{NAMED}, which brought the validation (its validation was made in the work tree and names no commit)"),
        (BaselineHow.RECORDED, ABSENT,
         f"{NAMED}, which holds the content recorded; its commit {OTHER} is not in this clone (rebased, squashed or not fetched)"),
        (BaselineHow.INFERRED, replace(UNNAMED, validation=None), f"{NAMED}, inferred from the history of its file: no validation names one"),
        (BaselineHow.RANGE, STORY, f"the start of the range, {NAMED}"),
        (BaselineHow.CONTENT, UNNAMED, "the content recorded with the validation; it was made in the work tree and names no commit"),
        (BaselineHow.CONTENT, replace(ABSENT, shallow=True),
         f"the content recorded with the validation; its commit {OTHER} is not in this clone (a shallow clone: git fetch --unshallow brings it)"),
        (None, STORY, "none"),
    ],
)  # fmt: skip
def test_where_the_baseline_comes_from_is_said(how: BaselineHow | None, story: Story, words: str) -> None:
    assert f"baseline   {words}" in explain(judged("m", V.FRESH, how=how), HEAD, story=story)


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
    story = Story(paths=tuple(f"src/{n}" for n in range(25)))
    assert "           … 15 more" in explain(judged("m", V.FRESH), HEAD, story=story)


HOSTILE_STORY = Story(
    trusted=HOSTILE,
    globs=(HOSTILE,),
    exclude=(HOSTILE,),
    paths=(HOSTILE,),
    resting=(Resting(HOSTILE, HOSTILE, (1, 2), HOSTILE, HOSTILE, HOSTILE, (HOSTILE,)),),
    validation=Validation(HOSTILE, date(2026, 6, 1), HOSTILE, file=HOSTILE),
    named=HOSTILE,
    commit=Commit(HOSTILE, HOSTILE, (), Person(HOSTILE, ""), HOSTILE, Person(HOSTILE, ""), HOSTILE, HOSTILE),
)


@pytest.mark.parametrize("verdict", list(V))
def test_nothing_hidden_or_obeyed_reaches_a_terminal(verdict: Verdict) -> None:
    found = hostile(verdict)
    lines = explain(found.judgements[0], found.head, story=HOSTILE_STORY) + remarks(found)
    assert not any(is_unsafe(character) for line in lines for character in line)
    assert not any(line.lstrip().startswith("::") for line in lines)


def test_a_terminal_gets_every_line_whole() -> None:
    one = judged("m", V.CHANGED, STRIPPED)
    assert explain(one, HEAD, Look(width=50)) == explain(one, HEAD)
