"""`gitmem action` on changes: real checkouts of a real server, a forge on the loopback, events as GitHub writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.action.conftest import AFTER, BEFORE, LIMITS, SUBMIT, Shop
from tests.support.cli import Done, gitmem
from tests.support.forge import TOKEN, Forge
from tests.support.leaking import HERE, leaking, told_of
from tests.support.memories import path_of
from tests.support.repo import Repo
from tests.support.workflow import Step, checkout, pull_request_event, push_event

FILE = path_of("limit-three")


def look(
    shop: Shop, step: Step, tmp_path: Path, *arguments: str, at: str = "", depth: int | None = None
) -> Done:
    path = tmp_path / f"checkout{len(list(tmp_path.iterdir()))}"
    repo = checkout(shop.server, path, at or shop.head, depth=depth)
    return gitmem("action", *arguments, at=repo.path, environment=step.environment)


def proposed(shop: Shop, text: str = LIMITS, **files: str) -> str:
    head = shop.work.commit("Propose", {FILE: text, **files})
    shop.work.git("push", "-q", "origin", "feature")
    return head


def test_what_a_change_challenges_is_told_with_both_sides_and_the_ways_to_answer(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, shop.head), forge)
    done = look(shop, step, tmp_path, "--sarif", str(tmp_path / "out" / "gitmem.sarif"))
    assert (done.code, done.err) == (0, "")
    (comment,) = forge.comments
    body = comment["body"]
    assert body.startswith("<!-- gitmem:report -->\n### gitmem: 1 challenged by this change\n")
    for said in (
        "returns None when the order was sent.",
        "-        return None",
        "+        raise ValueError(order)",
    ):
        assert said in body
    assert "/acme/shop/edit/main/.ai/memory/submit-once.yaml)" in body
    assert "/acme/shop/edit/feature/.ai/memory/submit-once.yaml)" in body
    assert "supersedes: [submit-once]" in body
    assert "::warning file=src/pay.py,line=6,title=memory submit-once%3A changed::" in done.out
    log = json.loads((tmp_path / "out" / "gitmem.sarif").read_text("utf-8"))
    assert [one["ruleId"] for one in log["runs"][0]["results"]] == ["memory/changed"]
    assert (step.outputs["challenged"], step.outputs["gate"], step.outputs["comment"]) == (
        "1",
        "none",
        comment["html_url"],
    )
    assert "1 challenged by this change" in step.summary
    token = re.search(r"--seen ([0-9a-f]+)", body)
    assert token is not None
    assert gitmem("confirm", "submit-once", "--seen", token[1], at=shop.work.path).code == 0


def test_the_comment_is_found_again_and_strangers_who_write_its_marker_are_not_taken_for_it(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    stolen = {"id": 77, "user": {"login": "mallory", "type": "User"}, "body": "<!-- gitmem:report --> mine"}
    forge.comments.append(stolen)
    forge.statuses["GET", "^/user$"] = [403]
    event = pull_request_event(shop.base, shop.head)
    for name in ("one", "two"):
        look(shop, Step(tmp_path / name, "pull_request", event, forge), tmp_path)
    assert [one["id"] for one in forge.comments] == [77, 2]
    assert forge.comments[0]["body"] == "<!-- gitmem:report --> mine"
    settled = shop.work.commit("Back", {"src/pay.py": BEFORE})
    shop.work.git("push", "-q", "origin", "feature")
    look(
        shop,
        Step(tmp_path / "three", "pull_request", pull_request_event(shop.base, settled), forge),
        tmp_path,
        at=settled,
    )
    assert "nothing to do" in forge.comments[1]["body"]
    assert len(forge.comments) == 2


def test_where_there_is_nothing_to_say_nobody_is_written_to(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    shop.work.git("checkout", "-q", "-b", "docs", "main")
    head = shop.work.commit("Docs", {"docs/other.md": "x\n"})
    shop.work.git("push", "-q", "origin", "docs")
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, head), forge)
    assert look(shop, step, tmp_path, at=head).code == 0
    assert forge.comments == []
    assert "nothing challenged" in step.summary


@pytest.mark.parametrize(
    ("reviewer", "permission", "wrote", "said"),
    [
        ("kim", "write", [], "approved by `kim`"),
        ("kim", "read", [], "who approved has no write access (`kim`)"),
        ("kim", "write", ["Kim"], "who wrote a change cannot approve it"),
        ("dana", "admin", [], "who wrote a change cannot approve it"),
        ("", "admin", [], "no person has approved it yet"),
    ],
)  # fmt: skip
def test_an_approving_review_answers_what_needs_a_person(
    shop: Shop, forge: Forge, tmp_path: Path, *, reviewer: str, permission: str, wrote: list[str], said: str
) -> None:
    rule = LIMITS.replace("type: module_constraint", "type: architecture_rule")
    head = proposed(shop, rule)
    if reviewer:
        forge.review(reviewer, "APPROVED", head)
    forge.permissions, forge.wrote = {reviewer: permission}, wrote
    event = pull_request_event(shop.base, head, review={"state": "approved"})
    step = Step(tmp_path / "step", "pull_request_review", event, forge)
    done = look(shop, step, tmp_path, "--fail-on", "unapproved", at=head)
    is_approved = said.startswith("approved by")
    assert (done.code, step.outputs["approved"]) == ((0, "yes") if is_approved else (1, "no"))
    assert said in step.summary
    assert (step.outputs["gate"] == "needs_human") is not is_approved, step.summary


def test_an_approval_of_other_words_counts_no_more(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    first = proposed(shop)
    head = proposed(shop, LIMITS.replace("gives up", "asks a person"))
    forge.review("kim", "APPROVED", first)
    forge.permissions["kim"] = "admin"
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, head), forge)
    look(shop, step, tmp_path, at=head)
    assert "the approval is of other words" in step.summary
    other = shop.work.commit("Code alone", {"docs/x.md": "x\n"})
    shop.work.git("push", "-q", "origin", "feature")
    forge.review("kim", "APPROVED", head)
    again = Step(tmp_path / "again", "pull_request", pull_request_event(shop.base, other), forge)
    look(shop, again, tmp_path, at=other)
    assert again.outputs["approved"] == "yes"


def test_a_change_that_answers_itself_is_not_asked_again(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    assert gitmem("confirm", "submit-once", at=shop.work.path).code == 1
    token = gitmem("confirm", "submit-once", "--json", at=shop.work.path).document["asks"][0]["token"]
    assert gitmem("confirm", "submit-once", "--seen", token, at=shop.work.path).code == 0
    head = shop.work.commit("Confirm")
    shop.work.git("push", "-q", "origin", "feature")
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, head), forge)
    done = look(shop, step, tmp_path, at=head)
    assert "`submit-once` src/pay.py" in step.summary
    assert "confirmed in this change by Ada Tester" in step.summary
    assert "::warning " not in done.out
    assert step.outputs["challenged"] == "0"


@pytest.mark.parametrize(
    ("files", "how"),
    [
        ({path_of("submit-once"): SUBMIT.replace("returns None", "raises ValueError")}, "other words are proposed"),
        ({path_of("submit-twice"): SUBMIT.replace("submit-once", "submit-twice").replace("returns None", "raises ValueError") + "supersedes: [submit-once]\n"}, "submit-twice is to take its place"),
        ({}, "its file is removed"),
    ],
)  # fmt: skip
def test_other_words_an_heir_and_removal_are_answers_too(
    shop: Shop, forge: Forge, tmp_path: Path, files: dict[str, str], how: str
) -> None:
    if not files:
        shop.work.remove(path_of("submit-once"))
    head = shop.work.commit("Answer", files)
    shop.work.git("push", "-q", "origin", "feature")
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, head), forge)
    look(shop, step, tmp_path, at=head)
    assert how in step.summary
    assert step.outputs["challenged"] == "0"
    assert ("Removed by this change" in step.summary) is (not files)


@pytest.mark.parametrize(
    "text", [SUBMIT, f"{SUBMIT}aliases: [payment]\n", f"{SUBMIT}review_after: 2031-01-01\n"]
)
def test_a_file_that_moves_or_changes_beside_its_words_is_no_answer(
    shop: Shop, forge: Forge, tmp_path: Path, text: str
) -> None:
    shop.work.move(path_of("submit-once"), path_of("pay/submit-once"))
    head = shop.work.commit("Move", {path_of("pay/submit-once"): text})
    shop.work.git("push", "-q", "origin", "feature")
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, head), forge)
    look(shop, step, tmp_path, at=head)
    assert step.outputs["challenged"] == "1", step.summary


def test_a_policy_of_the_base_that_cannot_be_read_lets_nothing_pass(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    shop.work.git("checkout", "-q", "main")
    base = shop.work.commit("Break", {".ai/policies/memory-policy.yaml": "version: 99\n"})
    shop.work.git("checkout", "-q", "-b", "more")
    head = shop.work.commit("Propose", {FILE: LIMITS})
    shop.work.git("push", "-q", "origin", "more", "main")
    step = Step(tmp_path / "step", "pull_request", pull_request_event(base, head), forge)
    done = look(shop, step, tmp_path, at=head)
    assert (done.code, step.outputs["gate"]) == (1, "refuse")
    assert "The gate could not judge: " in step.summary


def test_an_edited_date_beside_the_code_is_said_to_count_for_nothing(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    dated = f"{SUBMIT}last_validated_at: 2030-01-01T00:00:00+00:00\n"
    head = shop.work.commit("Date", {path_of("submit-once"): dated})
    shop.work.git("push", "-q", "origin", "feature")
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, head), forge)
    look(shop, step, tmp_path, at=head)
    assert step.outputs["challenged"] == "1"
    assert "Its date is edited in this change too, which counts for nothing" in step.summary
    assert "or, once this is merged, in a change of its own, set `last_validated_at: " in step.summary


def test_dates_and_what_was_in_doubt_before_are_not_the_changes_doing(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    shop.work.git("checkout", "-q", "main")
    base = shop.work.commit("Due", {FILE: f"{LIMITS}review_after: 2020-01-01\n", "src/pay.py": AFTER})
    shop.work.git("checkout", "-q", "-b", "docs")
    head = shop.work.commit("Docs", {"docs/other.md": "x\n"})
    shop.work.git("push", "-q", "origin", "docs", "main")
    step = Step(tmp_path / "step", "pull_request", pull_request_event(base, head), forge)
    done = look(shop, step, tmp_path, "--fail-on", "challenged", at=head)
    assert (done.code, step.outputs["challenged"], "::warning " in done.out) == (0, "0", False)
    assert "2 challenged before this change" in step.summary
    assert forge.comments == []


def test_a_fork_is_judged_and_never_written_to(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    event = pull_request_event(shop.base, shop.head, fork=True)
    step = Step(tmp_path / "step", "pull_request", event, forge)
    done = look(shop, step, tmp_path, "--fail-on", "challenged")
    assert done.code == 1
    assert forge.comments == []
    assert {one.method for one in forge.asked} <= {"GET"}
    assert "comes from a fork" in step.summary
    assert "::warning " in done.out


def test_a_token_that_may_only_read_leaves_summary_and_annotations(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    forge.statuses["POST", "comments"] = [403]
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, shop.head), forge)
    done = look(shop, step, tmp_path)
    assert (done.code, step.outputs["comment"]) == (0, "")
    assert "the comment could not be written" in step.summary
    assert TOKEN not in done.out + done.err + step.summary


def test_without_a_token_nobody_is_asked(shop: Shop, tmp_path: Path) -> None:
    head = proposed(shop)
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, head), token="")
    assert look(shop, step, tmp_path, at=head).code == 0
    assert step.outputs["approved"] == "unknown"
    assert "no token was given" in step.summary


def test_a_loosened_policy_is_told_and_that_of_the_base_counts(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    guess = LIMITS.replace("is the number", "is probably the number")
    policy = "version: 1\ndurable_memory:\n  deny: []\npromotion:\n  reject_if: []\n"
    head = proposed(shop, guess, **{".ai/policies/memory-policy.yaml": policy})
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, head), forge)
    done = look(shop, step, tmp_path, at=head)
    assert step.outputs["gate"] == "refuse"
    assert done.code == 1
    assert "red because of: refused" in done.err
    assert "is looser than that of" in step.summary
    assert "edits what the check itself goes by: .ai/policies/memory-policy.yaml" in step.summary
    assert f"::error file={FILE},line=1" in done.out


def test_a_shallow_checkout_is_deepened_as_far_as_it_needs(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, shop.head), forge)
    done = look(shop, step, tmp_path, depth=1)
    assert (done.code, step.outputs["challenged"]) == (0, "1")
    assert "no common ancestor" not in step.summary


def test_a_trial_merge_is_judged_against_the_side_that_it_is_merged_into(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    shop.work.git("checkout", "-q", "main")
    shop.work.commit("Meanwhile", {path_of("other"): LIMITS.replace("limit-three", "other")})
    shop.work.git("merge", "-q", "--no-ff", "-m", "Trial", "feature")
    trial = shop.work.head()
    shop.work.git("push", "-q", "origin", f"{trial}:refs/pull/7/merge")
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, shop.head), forge)
    look(shop, step, tmp_path, at=trial)
    assert step.outputs["challenged"] == "1"
    assert f"against `{shop.work.git('rev-parse', 'HEAD^1')[:12]}`" in step.summary


def test_a_merge_queue_and_a_push_to_another_branch_are_changes_without_a_comment(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    group = {
        "repository": {"full_name": "acme/shop", "default_branch": "main"},
        "merge_group": {"base_sha": shop.base, "head_sha": shop.head},
    }
    queued = Step(tmp_path / "queued", "merge_group", group, forge)
    look(shop, queued, tmp_path)
    pushed = Step(
        tmp_path / "pushed", "push", push_event("0" * 40, shop.head, ref="refs/heads/feature"), forge
    )
    look(shop, pushed, tmp_path, depth=1)
    for step in (queued, pushed):
        assert (step.outputs["challenged"], step.outputs["approved"]) == ("1", "none")
    assert forge.comments == []


def test_what_is_pushed_to_another_branch_is_said_to_be_merged_nowhere(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    head = proposed(shop)
    event = push_event("0" * 40, head, ref="refs/heads/feature")
    step = Step(tmp_path / "step", "push", event, forge)
    assert look(shop, step, tmp_path, "--fail-on", "unapproved", at=head).code == 0
    assert (step.outputs["proposed"], step.outputs["approved"]) == ("1", "no")
    assert (
        "What is proposed here is not merged, so not approved: its merge into `main` approves it."
        in step.summary
    )


@pytest.mark.parametrize(
    ("review", "number", "approved"), [("APPROVED", 7, "yes"), ("", 7, "no"), ("APPROVED", None, "unknown")]
)
def test_a_merge_queue_asks_for_the_approval_of_what_it_merges(
    shop: Shop, forge: Forge, tmp_path: Path, *, review: str, number: int | None, approved: str
) -> None:
    head = proposed(shop)
    if review:
        forge.review("kim", review, head)
    forge.permissions["kim"] = "write"
    ref = f"refs/heads/gh-readonly-queue/main/pr-{number}-{shop.base}" if number else "refs/heads/queue"
    group = {
        "repository": {"full_name": "acme/shop", "default_branch": "main"},
        "merge_group": {"base_sha": shop.base, "head_sha": head, "head_ref": ref},
    }
    step = Step(tmp_path / "step", "merge_group", group, forge)
    done = look(shop, step, tmp_path, "--fail-on", "unapproved", at=head)
    assert (step.outputs["proposed"], step.outputs["approved"]) == ("1", approved)
    assert done.code == (0 if approved == "yes" else 1)
    assert ("names no pull request" in step.summary) is (number is None)


def test_words_that_nobody_confirmed_are_told_before_the_merge_and_redden_it_where_that_is_wanted(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    text = SUBMIT.replace("submit-once", "submit-raises").replace("returns None", "raises ValueError")
    head = shop.work.commit("Remember", {path_of("submit-raises"): text})
    shop.work.git("push", "-q", "origin", "feature")
    event = pull_request_event(shop.base, head)
    step = Step(tmp_path / "step", "pull_request", event, forge)
    done = look(shop, step, tmp_path, "--fail-on", "unconfirmed", at=head)
    assert (done.code, step.outputs["unconfirmed"], step.outputs["challenged"]) == (1, "1", "1")
    assert "**Not confirmed in this change: merged like this they are doubtful**" in step.summary
    assert "confirm it: gitmem confirm submit-raises" in step.summary
    assert (
        "::notice file=.ai/memory/submit-raises.yaml,line=1,title=memory submit-raises%3A not confirmed"
        in done.out
    )
    assert gitmem("confirm", "submit-raises", at=shop.work.path).code == 0
    head = shop.work.commit("Confirm")
    shop.work.git("push", "-q", "origin", "feature")
    again = Step(tmp_path / "again", "pull_request", pull_request_event(shop.base, head), forge)
    done = look(shop, again, tmp_path, "--fail-on", "unconfirmed", at=head)
    assert (done.code, again.outputs["unconfirmed"]) == (0, "0")


def test_a_proposed_memory_whose_code_changed_after_it_was_confirmed_is_in_doubt(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    text = SUBMIT.replace("submit-once", "submit-raises").replace("returns None", "raises ValueError")
    shop.work.write(path_of("submit-raises"), text)
    assert gitmem("confirm", "submit-raises", "--worktree", at=shop.work.path).code == 0
    shop.work.commit("Remember")
    head = shop.work.commit(
        "Quietly", {"src/pay.py": AFTER.replace("raise ValueError(order)", "return order")}
    )
    shop.work.git("push", "-q", "origin", "feature")
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, head), forge)
    look(shop, step, tmp_path, at=head)
    assert step.outputs["challenged"] == "2"
    assert "`submit-raises` (proposed)" in step.summary
    assert "changed again after it was confirmed by Ada Tester" in step.summary


def _confirm(shop: Shop, *more: str) -> None:
    token = gitmem("confirm", "submit-once", "--json", at=shop.work.path).document["asks"][0]["token"]
    assert gitmem("confirm", "submit-once", "--seen", token, *more, at=shop.work.path).code == 0


def _confirm_and_change(shop: Shop) -> None:
    _confirm(shop)
    shop.work.commit("Confirm", {"src/pay.py": AFTER.replace("ValueError", "TypeError")})


def _confirm_then_go_back(shop: Shop) -> None:
    _confirm(shop)
    shop.work.commit("Confirm")
    shop.work.write("src/pay.py", BEFORE)


def _reword(shop: Shop) -> None:
    shop.work.write(path_of("submit-once"), SUBMIT.replace("returns None", "raises ValueError"))


def _retire(shop: Shop) -> None:
    shop.work.write(path_of("submit-once"), SUBMIT.replace("status: active", "status: deprecated"))


def _remember(shop: Shop) -> None:
    shop.work.write(path_of("submit-raises"), SUBMIT.replace("submit-once", "submit-raises"))


@pytest.mark.parametrize(
    ("edit", "challenged", "unconfirmed", "answered"),
    [
        (lambda _: None, ["submit-once"], [], []),
        (_confirm, [], [], ["submit-once"]),
        (_confirm_and_change, ["submit-once"], [], []),
        (_confirm_then_go_back, ["submit-once"], [], []),
        (_reword, [], ["submit-once"], ["submit-once"]),
        (_retire, [], [], ["submit-once"]),
        (_remember, ["submit-once"], ["submit-raises"], []),
    ],
)
def test_a_pull_request_and_a_range_leave_the_same_open(
    shop: Shop,
    forge: Forge,
    tmp_path: Path,
    *,
    edit: Callable[[Shop], None],
    challenged: list[str],
    unconfirmed: list[str],
    answered: list[str],
) -> None:
    edit(shop)
    head = shop.work.commit("Edit", {"docs/x.md": "x\n"})
    shop.work.git("push", "-q", "origin", "feature")
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, head), forge)
    done = look(shop, step, tmp_path, "--json", at=head).document
    ranged = gitmem("drift", "--range", "main..feature", "--json", at=shop.work.path).document["memories"]
    found = [
        [one["id"] for one in done["doubts"]],
        [one["id"] for one in done["unconfirmed_memories"]],
        [one["id"] for one in done["settled"]],
    ]
    assert found == [challenged, unconfirmed, answered]
    assert found == [
        [one["id"] for one in ranged if one["status"] == "challenged"],
        [one["id"] for one in ranged if one["course"] == "unconfirmed"],
        [one["id"] for one in ranged if one["course"] == "answered"],
    ]


@pytest.mark.parametrize(
    ("words", "said"), [("never,refused", "never contradicts refused"), (" , ", "names nothing")]
)
def test_conditions_that_contradict_each_other_are_refused(words: str, said: str, shop: Shop) -> None:
    done = gitmem("action", "--fail-on", words, at=shop.work.path)
    assert done.code == 2
    assert said in done.err
    assert "hint: " in done.err


def test_a_base_that_is_nowhere_is_an_error_with_its_cure(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    step = Step(tmp_path / "step", "pull_request", pull_request_event("1" * 40, shop.head), forge)
    done = look(shop, step, tmp_path)
    assert done.code == 3
    assert "fetch-depth: 0" in done.err


def test_hostile_names_command_nothing(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    evil = "::error::x\n::set-output name=gate::accept `@team` #1 </details><img src=x>"
    summary = json.dumps("`submit` " + evil, ensure_ascii=False)
    text = SUBMIT.replace("submit-once", "evil-one").replace(
        "'`submit` returns None when the order was sent.'", summary
    )
    head = proposed(shop, LIMITS, **{path_of("evil-one"): text, "src/```\n::warning::y.py": "x = 1\n"})
    event = pull_request_event(shop.base, head, branch="x](http://e.example)\n::error::z")
    event["pull_request"]["title"] = evil
    event["pull_request"]["user"]["login"] = "d\n::error::"
    step = Step(tmp_path / "step", "pull_request", event, forge)
    done = look(shop, step, tmp_path, at=head)
    outside = re.sub(r"(?ms)^::stop-commands::([0-9a-f]+)$.*?^::\1::$", "", done.out)
    assert all(re.match(r"::(warning|error|notice) [a-z]+=", line) for line in outside.splitlines() if line)
    body = forge.comments[0]["body"]
    assert "(http://e.example)" not in body
    prose = re.sub(r"(?ms)^ *(`{3,})diff$.*?^ *\1$", "", body)
    spans = re.sub(r"(?<!\\)(`+)(?!`).+?(?<!`)\1(?!`)", "", prose)
    assert "@team" not in spans
    assert "<img" not in spans
    assert step.outputs["gate"] != ""
    assert set(step.outputs) == {
        "checked", "challenged", "touched", "unchecked", "unconfirmed", "proposed", "gate", "approved", "unreviewed", "marked", "comment", "sarif-file",
    }  # fmt: skip


def test_a_long_diff_is_cut_and_says_so(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    long = "".join(f"\n    total += {number}" for number in range(400))
    head = shop.work.commit(
        "Long", {"src/pay.py": AFTER.replace("    if order.sent:", f"{long}\n    if order.sent:")}
    )
    shop.work.git("push", "-q", "origin", "feature")
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, head), forge)
    look(shop, step, tmp_path, at=head)
    assert len(forge.comments[0]["body"]) < 65_536
    assert "more lines" in forge.comments[0]["body"]


def test_what_is_removed_needs_approval_as_what_is_added(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    shop.work.remove(path_of("submit-once"))
    head = shop.work.commit("Remove")
    shop.work.git("push", "-q", "origin", "feature")
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, head), forge)
    done = look(shop, step, tmp_path, "--fail-on", "unapproved", at=head)
    assert done.code == 1
    assert f"- `{path_of('submit-once')}`: not approved yet" in step.summary
    forge.review("kim", "APPROVED", head)
    forge.permissions["kim"] = "write"
    agreed = Step(tmp_path / "again", "pull_request", pull_request_event(shop.base, head), forge)
    done = look(shop, agreed, tmp_path / "again", "--fail-on", "unapproved", at=head)
    assert (done.code, "not approved yet" in agreed.summary) == (0, False)


def test_the_validations_of_a_memory_are_named_when_removed(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    shop.work.git("rm", "-rq", ".ai/validations")
    shop.work.git("commit", "-qm", "Forget")
    head = shop.work.git("rev-parse", "HEAD")
    shop.work.git("push", "-q", "origin", "feature")
    step = Step(tmp_path / "step", "pull_request", pull_request_event(shop.base, head), forge)
    done = look(shop, step, tmp_path, "--fail-on", "unapproved", at=head)
    assert done.code == 1
    assert "- `.ai/validations/submit-once/" in step.summary


def test_no_secret_of_a_memory_or_of_its_code_leaves_the_runner(forge: Forge, tmp_path: Path) -> None:
    work = leaking(tmp_path / "work")
    server = Repo(tmp_path / "server.git", bare=True)
    work.git("remote", "add", "origin", str(server.path))
    work.git("branch", "-q", "feature")
    work.git("reset", "-q", "--hard", "HEAD~1")
    work.git("push", "-q", "origin", "main", "feature")
    base, head = (work.git("rev-parse", one) for one in ("main", "feature"))
    step = Step(tmp_path / "step", "pull_request", pull_request_event(base, head), forge)
    path = tmp_path / "checkout"
    repo = checkout(server, path, head)
    sarif = tmp_path / "out.sarif"
    done = gitmem("action", "--sarif", str(sarif), at=repo.path, environment={**step.environment, **HERE})
    (comment,) = forge.comments
    assert "1 challenged by this change" in step.summary
    told = (done.out, done.err, comment["body"], step.summary, str(step.outputs), sarif.read_text("utf-8"))
    assert [told_of(one) for one in told] == [[]] * len(told)
