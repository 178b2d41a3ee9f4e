from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from gitmem.model.verdict import Verdict
from gitmem.promotion.gate import Judged
from gitmem.promotion.ruling import GateDecision, failed, needs_human, weigh
from gitmem.report.action import COMMENT_LIMIT, MARKER, comment, headline, quiet_comment, summary
from gitmem.report.action_data import action_annotations, action_document, outputs
from gitmem.report.action_parts import Place
from gitmem.report.sanitise import is_unsafe
from gitmem.trust.reviews import Reviewed
from gitmem.usecases.acting.answer import ActionAnswer, Arrived, Doubt, Marked, Proposed, Settled, failures
from gitmem.usecases.acting.occasion import Occasion, PullRequest
from gitmem.usecases.gate import Gated
from tests.support.judgements import BASELINE, COMMIT, HEAD, HOSTILE, STRIPPED, hostile, judged, report

NOW = datetime(2026, 7, 13, 10, tzinfo=UTC)
PULL = PullRequest(7, "dana", HEAD, "feature", "main", "acme/shop", is_fork=False)
CHANGE = Occasion("pull_request", "change", "acme/shop", "main", base=BASELINE, pull=PULL)
BRANCH = Occasion("push", "branch", "acme/shop", "main", before=BASELINE)


def where(occasion: Occasion = CHANGE) -> Place:
    return Place("https://forge.example", occasion, NOW)


def doubt(id_: str, patch: str = "-old\n+new\n", summary_: str = "it strips") -> Doubt:
    return Doubt(judged(id_, Verdict.CHANGED, STRIPPED, summary=summary_), "body", patch, "3f9c01ab42")


def answer(*doubts: Doubt, occasion: Occasion = CHANGE, **fields: Any) -> ActionAnswer:
    since = BASELINE if occasion.kind == "change" else None
    found = report(*(one.judgement for one in doubts), judged("k-1", Verdict.FRESH))
    return ActionAnswer(occasion, HEAD, since, found, doubts=doubts, **fields)


def gated(*results: Any, subject: str = "m-9", file: str = ".ai/memory/m-9.yaml") -> Gated:
    return Gated(subject, Judged(weigh(results), results), file=file)


REFUSED = Proposed(
    gated(failed("evidence", "there is none", "name a test")), Reviewed("waiting", (), "nobody")
)
WAITING = Proposed(
    gated(needs_human("accepted_review", "nobody", "merge it")), Reviewed("waiting", (), "nobody")
)


def test_the_headline_counts_what_matters() -> None:
    assert headline(answer()) == "nothing challenged"
    assert headline(answer(doubt("m-1"), proposed=(REFUSED,))) == (
        "1 challenged by this change, 1 proposed, 1 refused, 1 not approved yet"
    )
    assert headline(ActionAnswer(BRANCH, HEAD, None, report())) == "no memory to check"


def test_each_challenged_memory_has_its_statement_the_diff_and_the_ways_to_answer() -> None:
    body = comment(answer(doubt("m-1")), where(), job="https://forge.example/run/1")
    assert body.startswith(f"{MARKER}\n### gitmem: 1 challenged by this change\n")
    for said in (
        "- **CHANGED** `m-1` ApiGateway – it strips",
        "  -old\n  +new",
        "`gitmem confirm m-1 --seen 3f9c01ab42`",
        "once this is merged, in a change of its own, set `last_validated_at: 2026-07-13T10:00:00+00:00`",
        "in [`.ai/memory/m-1.yaml`](https://forge.example/acme/shop/edit/main/.ai/memory/m-1.yaml)",
        "(https://forge.example/acme/shop/edit/feature/.ai/memory/m-1.yaml), or a memory that says `supersedes: [m-1]`",
    ):
        assert said in body


def test_what_challenges_is_not_buried_under_softer_changes() -> None:
    soft = [STRIPPED.__class__(Verdict.TOUCHED, "changed", path=f"src/{number}.py") for number in range(9)]
    one = Doubt(judged("m-1", Verdict.CHANGED, STRIPPED, *soft), None, "", "3f9c01ab42")
    body = comment(answer(one), where())
    assert "`StripHeaders`: signature changed" in body
    assert "9 softer changes in its scope" in body
    assert "src/0.py" not in body


@pytest.mark.parametrize(
    ("letter", "number"), [("x", 1), ("x", 40), ("x", 1_000), ("規", 40), ("🙂", 40), ("🙂", 140)]
)
def test_the_comment_fits_and_says_what_was_left_out(letter: str, number: int) -> None:
    patch = "".join(f"+{letter * 90}\n" for _ in range(200))
    one = answer(*(doubt(f"m-{at}", patch, letter * 60) for at in range(number)))
    body = comment(one, where(), job="https://forge.example/run/1")
    assert len(body.encode("utf-16-le")) // 2 <= COMMENT_LIMIT
    shown = body.count("- **CHANGED**")
    if shown < number:
        assert f"- … and {number - shown} more" in body
        assert f"This text was cut: {number - shown} entries left out." in body
        assert "[the summary of this run](https://forge.example/run/1)" in body
    assert number in {shown, 140, 1_000}
    assert body.rstrip().endswith("</sub>")
    assert body.count("</details>") == body.count("<details>")
    assert len(summary(one, where()).encode()) < 1 << 20


def test_remarks_without_end_do_not_push_the_text_past_its_limit() -> None:
    one = answer(doubt("m-1"), remarks=tuple(f"{'r' * 900} {number}" for number in range(200)))
    assert len(comment(one, where())) <= COMMENT_LIMIT
    assert "m-1" in comment(one, where())


@pytest.mark.parametrize("verdict", [Verdict.CHANGED, Verdict.GONE])
def test_hostile_text_is_inert(verdict: Verdict) -> None:
    found = hostile(verdict)
    (one,) = found.judgements
    pull = replace(PULL, branch=HOSTILE, target=HOSTILE, repository="mallory/x", author=HOSTILE)
    bad = replace(CHANGE, pull=pull, default_branch=HOSTILE)
    told = ActionAnswer(
        bad, HEAD, BASELINE, found,
        doubts=(Doubt(one, HOSTILE, f"{HOSTILE}\n```\n````\n</details>", "abc"),),
        settled=(Settled(one, HOSTILE),),
        proposed=(Proposed(gated(failed("r", HOSTILE, HOSTILE), subject=HOSTILE, file=HOSTILE), Reviewed("refused", (HOSTILE,), HOSTILE)),),
        removed=(HOSTILE,), arrived=(Arrived(HOSTILE, COMMIT, HOSTILE, "direct", HOSTILE), Arrived(HOSTILE, None, HOSTILE, "unknown", HOSTILE)),
        eased=(HOSTILE,), gate_failed=HOSTILE, marked=Marked((HOSTILE,), COMMIT, HOSTILE), remarks=(HOSTILE,),
    )  # fmt: skip
    body = comment(told, where(bad))
    assert not any(is_unsafe(character) for character in body if character != "\n")
    prose = re.sub(r"(?ms)^ *(`{3,})diff$.*?^ *\1$", "", body)
    bare = re.sub(r"(?<![\\`])(`+)(?!`)(.+?)(?<!`)\1(?!`)", "", prose)
    assert (
        re.search(
            r"@team|(?<!#)#1|\]\(http://e|(?<!\\)<(?!br>|sub>|/sub>|/?details>|summary>|/summary>|!-- gitmem)",
            bare,
        )
        is None
    )
    for line in action_annotations(told):
        assert re.match(r"::(warning|error|notice)( [a-z]+=[^:,]*(,[a-z]+=[^:,]*)*)?::", line)
        assert "\n" not in line
    assert all("\n" not in value for value in outputs(told).values())
    assert action_document(told)["removed"] == [HOSTILE]


def test_no_more_than_ten_annotations_of_a_kind_and_the_refused_first() -> None:
    many = tuple(REFUSED for _ in range(14))
    lines = action_annotations(answer(*(doubt(f"m-{at}") for at in range(12)), proposed=many))
    kinds = [line.partition(" ")[0] for line in lines]
    assert (kinds.count("::error"), kinds.count("::warning")) == (10, 10)
    assert kinds[0] == "::error"
    assert "4 more: refused" in "\n".join(lines)


def test_what_waits_for_a_person_is_a_notice() -> None:
    (line,) = action_annotations(answer(proposed=(WAITING,)))
    assert line.startswith("::notice file=.ai/memory/m-9.yaml,line=1,title=memory m-9%3A needs_human::")


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"proposed": (REFUSED,)}, "refused"),
        ({"gate_failed": "no policy"}, "refused"),
        ({"proposed": (WAITING,)}, "unapproved"),
        ({"arrived": (Arrived("f", None, "", "direct"),)}, "unreviewed"),
        ({"arrived": (Arrived("f", None, "", "unknown", doubt="bot"),)}, "unapproved"),
    ],
)  # fmt: skip
def test_only_what_is_asked_for_makes_the_check_red(fields: dict[str, Any], name: str) -> None:
    told = answer(**fields)
    everything = {"challenged", "refused", "unapproved", "unreviewed", "unchecked"}
    assert name in failures(told, frozenset(everything))
    assert failures(told, frozenset(everything - {name, "unapproved"})) == ()
    assert not told.is_quiet


def test_what_is_challenged_or_cannot_be_checked_makes_it_red_when_asked_for() -> None:
    assert failures(answer(doubt("m-1")), frozenset({"challenged"})) == ("challenged",)
    unknown = ActionAnswer(BRANCH, HEAD, None, report(judged("m-1", Verdict.UNKNOWN)))
    assert failures(unknown, frozenset({"unchecked", "challenged"})) == ("unchecked",)


def test_the_worst_decision_stands_for_all() -> None:
    assert outputs(answer(proposed=(WAITING, REFUSED)))["gate"] == GateDecision.REFUSE
    assert outputs(answer())["gate"] == "none"


def test_a_quiet_answer_replaces_the_comment_and_says_so() -> None:
    assert answer().is_quiet
    assert quiet_comment().startswith(MARKER)


def test_the_mark_and_what_is_not_known_are_told() -> None:
    told = answer(
        occasion=BRANCH,
        marked=Marked((".ai/memory/m-1.yaml",), COMMIT),
        arrived=(Arrived("f", None, "", "unknown", "no token"),),
    )
    text = summary(told, where(BRANCH))
    assert f"Marked as challenged with `{COMMIT[:12]}`: `.ai/memory/m-1.yaml`." in text
    assert "**Came to `main`; whether it was reviewed is not known**\n\n- `f` – no token\n" in text
