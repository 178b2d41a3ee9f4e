"""`gitmem action` on the default branch: pushes, schedules, and the mark that is written only when it is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.action.conftest import LIMITS, SUBMIT, Shop
from tests.support.cli import Done, gitmem
from tests.support.forge import TOKEN, Forge
from tests.support.memories import path_of
from tests.support.repo import Repo
from tests.support.workflow import Step, checkout, push_event, schedule_event

FILE = path_of("limit-three")


def on_main(shop: Shop, message: str = "Merge", files: dict[str, str] | None = None) -> str:
    shop.work.git("checkout", "-q", "main")
    commit = shop.work.commit(message, files)
    shop.work.git("push", "-q", "origin", "main")
    return commit


def merged(shop: Shop) -> str:
    shop.work.git("checkout", "-q", "main")
    shop.work.git("merge", "-q", "--ff-only", "feature")
    shop.work.git("push", "-q", "origin", "main")
    return shop.work.head()


def look(
    shop: Shop, step: Step, tmp_path: Path, *arguments: str, depth: int | None = None
) -> tuple[Done, Repo]:
    tip = shop.server.git("rev-parse", "main")
    repo = checkout(shop.server, tmp_path / f"checkout{len(list(tmp_path.iterdir()))}", tip, depth=depth)
    return gitmem("action", *arguments, at=repo.path, environment=step.environment), repo


def test_a_push_tells_what_the_branch_is_in_doubt_about_and_changes_nothing(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    head = merged(shop)
    step = Step(tmp_path / "step", "push", push_event(shop.base, head), forge)
    done, repo = look(shop, step, tmp_path)
    assert (done.code, step.outputs["challenged"], step.outputs["marked"]) == (0, "1", "0")
    assert "gitmem confirm submit-once --seen " in step.summary
    assert "or, set `last_validated_at: " in step.summary
    assert (repo.git("status", "--porcelain"), shop.server.git("rev-parse", "main")) == ("", head)


def test_the_mark_is_a_commit_of_the_actions_own(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    head = merged(shop)
    step = Step(tmp_path / "step", "push", push_event(shop.base, head), forge)
    done, repo = look(shop, step, tmp_path, "--mark", "commit")
    assert (done.code, step.outputs["marked"]) == (0, "1")
    said = shop.server.git("log", "-1", "--format=%an <%ae> %cn%n%P%n%s", "main").splitlines()
    assert said == [
        "github-actions[bot] <41898282+github-actions[bot]@users.noreply.github.com> github-actions[bot]",
        head,
        "Mark one memory as challenged",
    ]
    assert "status: challenged" in shop.server.git("show", f"main:{path_of('submit-once')}")
    assert shop.server.git("diff", "--name-only", head, "main") == path_of("submit-once")
    assert repo.git("status", "--porcelain") == ""
    again = Step(tmp_path / "again", "schedule", schedule_event(), forge)
    look(shop, again, tmp_path, "--mark", "commit")
    assert (again.outputs["challenged"], again.outputs["marked"]) == ("1", "0")


def test_a_mark_that_the_server_does_not_take_is_said(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    hook = shop.server.path / "hooks" / "pre-receive"
    head = merged(shop)
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho protected branch >&2\nexit 1\n")
    hook.chmod(0o755)
    step = Step(tmp_path / "step", "push", push_event(shop.base, head), forge)
    done, _ = look(shop, step, tmp_path, "--mark", "commit")
    assert (done.code, step.outputs["marked"]) == (0, "0")
    assert "The mark was not taken by the server" in step.summary


def test_a_commit_that_was_taken_back_does_not_return_with_a_mark(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    head = merged(shop)
    step = Step(tmp_path / "step", "push", push_event(shop.base, head), forge)
    repo = checkout(shop.server, tmp_path / "checkout", head)
    shop.server.git("update-ref", "refs/heads/main", shop.base)
    done = gitmem("action", "--mark", "commit", at=repo.path, environment=step.environment)
    assert (done.code, step.outputs["marked"]) == (0, "0")
    assert shop.server.git("rev-parse", "main") == shop.base
    assert "The mark was not taken by the server" in step.summary


@pytest.mark.parametrize(
    ("review", "permission", "unreviewed"),
    [("APPROVED", "write", "0"), ("APPROVED", "read", "1"), ("COMMENTED", "write", "1")],
)
def test_memory_that_came_without_an_approving_review_is_named(
    shop: Shop, forge: Forge, tmp_path: Path, *, review: str, permission: str, unreviewed: str
) -> None:
    head = on_main(shop, "Remember the limit (#7)", {FILE: LIMITS})
    forge.pulls[head] = [7]
    forge.review("kim", review, head)
    forge.permissions["kim"] = permission
    step = Step(tmp_path / "step", "push", push_event(shop.base, head), forge)
    done, _ = look(shop, step, tmp_path, "--fail-on", "unreviewed")
    assert (done.code, step.outputs["unreviewed"]) == (int(unreviewed), unreviewed)
    assert (f"`{FILE}` with `{head[:12]}` by `Ada Tester`" in step.summary) is (unreviewed == "1")
    assert (f"::warning file={FILE},line=1,title=not reviewed::" in done.out) is (unreviewed == "1")


def test_a_direct_push_is_without_review_and_a_trailer_is_one(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    on_main(shop, "Remember", {FILE: LIMITS})
    head = on_main(
        shop,
        "More\n\nReviewed-by: Kim <kim@example.org>",
        {path_of("other"): LIMITS.replace("limit-three", "other")},
    )
    step = Step(tmp_path / "step", "push", push_event(shop.base, head), forge)
    look(shop, step, tmp_path)
    assert step.outputs["unreviewed"] == "1"
    assert "no pull request" in step.summary


@pytest.mark.parametrize(
    ("review", "unreviewed"), [("APPROVED", "0"), ("COMMENTED", "1")], ids=["approved", "not approved"]
)
@pytest.mark.parametrize("folder", [".ai/memory", ".ai/validations"])
def test_what_a_push_removes_is_named_as_what_it_brings(
    shop: Shop, forge: Forge, tmp_path: Path, *, folder: str, review: str, unreviewed: str
) -> None:
    shop.work.git("checkout", "-q", "main")
    (file, *_) = shop.work.git("ls-files", folder).split()
    shop.work.git("rm", "-q", file)
    head = on_main(shop, "Forget (#7)")
    forge.pulls[head] = [7]
    forge.review("kim", review, head)
    forge.permissions["kim"] = "write"
    step = Step(tmp_path / "step", "push", push_event(shop.base, head), forge)
    done, _ = look(shop, step, tmp_path, "--fail-on", "unreviewed")
    assert (done.code, step.outputs["unreviewed"]) == (int(unreviewed), unreviewed)
    assert (f"`{file}` removed with `{head[:12]}` by `Ada Tester`" in step.summary) is (unreviewed == "1")
    assert (f"{file} was removed with {head[:12]}" in done.out) is (unreviewed == "1")


@pytest.mark.parametrize(("required", "approved"), [(False, "yes"), (True, "no")])
def test_a_removal_is_approved_as_the_policy_says(
    shop: Shop, forge: Forge, tmp_path: Path, *, required: bool, approved: str
) -> None:
    base = shop.base
    if required:
        base = on_main(shop, "Strict", {".ai/policies/memory-policy.yaml": REVIEW})
    shop.work.git("checkout", "-q", "main")
    shop.work.git("rm", "-q", path_of("submit-once"))
    head = on_main(shop, "Forget")
    step = Step(tmp_path / "step", "push", push_event(base, head), forge)
    look(shop, step, tmp_path)
    assert step.outputs["approved"] == approved


def test_free_fields_alone_need_no_review(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    head = on_main(shop, "Date", {path_of("submit-once"): f"{SUBMIT}review_after: 2030-01-01\n"})
    step = Step(tmp_path / "step", "push", push_event(shop.base, head), forge)
    look(shop, step, tmp_path)
    assert (step.outputs["unreviewed"], "without an approving review" in step.summary) == ("0", False)


def test_a_forge_that_does_not_answer_leaves_the_review_unknown(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    head = on_main(shop, "Remember", {FILE: LIMITS})
    forge.statuses["GET", "pulls$"] = [403]
    step = Step(tmp_path / "step", "push", push_event(shop.base, head), forge)
    done, _ = look(shop, step, tmp_path, "--fail-on", "unreviewed")
    assert (done.code, step.outputs["unreviewed"]) == (0, "0")
    assert (
        f"whether it was reviewed is not known**\n\n- `{FILE}` with `{head[:12]}` by `Ada Tester` – "
        in step.summary
    )
    assert step.outputs["approved"] == "yes"


REVIEW = "version: 1\ntrust:\n  require_review: true\n"
UNMERGED = "is as good as unmerged, and delivered to nobody"


@pytest.mark.parametrize(
    ("asks", "token", "approved", "code", "said"),
    [
        (False, True, "yes", 0, "`trust.require_review: false`: what came to `main` without a review counts as approved"),
        (False, False, "yes", 0, "no token was given"),
        (True, True, "no", 1, "no pull request; not approved: the policy asks for a review"),
        (True, False, "unknown", 1, "not approved unless it was: the policy asks for a review"),
    ],
)  # fmt: skip
def test_a_push_without_a_pull_request_says_who_merged_what_and_what_the_policy_makes_of_it(
    shop: Shop, forge: Forge, tmp_path: Path, *, asks: bool, token: bool, approved: str, code: int, said: str
) -> None:
    before = on_main(shop, "Policy", {".ai/policies/memory-policy.yaml": REVIEW}) if asks else shop.base
    head = on_main(shop, "Remember", {FILE: LIMITS})
    event = push_event(before, head)
    step = Step(tmp_path / "step", "push", event, forge, token=TOKEN if token else "")
    done, _ = look(shop, step, tmp_path, "--fail-on", "unapproved")
    assert (done.code, step.outputs["approved"]) == (code, approved), step.summary
    assert f"- `{FILE}` with `{head[:12]}` by `Ada Tester` – " in step.summary
    assert said in step.summary
    assert (UNMERGED in step.summary) is asks


def test_what_a_bot_brought_is_not_approved_and_an_approval_that_only_the_forge_saw_is_told(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    shop.work.git("checkout", "-q", "main")
    bot = {"GIT_AUTHOR_NAME": "robot[bot]", "GIT_COMMITTER_NAME": "robot[bot]"}
    head = shop.work.commit("Remember", {FILE: LIMITS}, environment=bot)
    shop.work.git("push", "-q", "origin", "main")
    step = Step(tmp_path / "step", "push", push_event(shop.base, head), forge)
    look(shop, step, tmp_path)
    assert step.outputs["approved"] == "no"
    assert "not approved: a bot alone brought it" in step.summary
    forge.pulls[head] = [7]
    forge.review("kim", "APPROVED", head)
    forge.permissions["kim"] = "write"
    again = Step(tmp_path / "again", "push", push_event(shop.base, head), forge)
    look(shop, again, tmp_path)
    assert again.outputs["approved"] == "yes"
    assert "approved on the forge alone" in again.summary


def test_a_schedule_tells_the_reviews_that_are_due(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    on_main(shop, "Date", {FILE: f"{LIMITS}review_after: 2020-01-01\n"})
    step = Step(tmp_path / "step", "schedule", schedule_event(), forge)
    done, _ = look(shop, step, tmp_path, "--fail-on", "challenged", depth=1)
    assert (done.code, step.outputs["challenged"]) == (1, "1"), step.summary
    assert "review was due 2020-01-01" in step.summary


def test_a_push_of_a_shallow_checkout_is_deepened_until_history_tells(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    on_main(shop, "Remember", {FILE: LIMITS})
    head = on_main(shop, "Later", {"docs/limits.md": "Four tries.\n"})
    step = Step(tmp_path / "step", "push", push_event(shop.base, head), forge)
    _, repo = look(shop, step, tmp_path, depth=1)
    assert step.outputs["unreviewed"] == "1", step.summary
    assert repo.git("rev-parse", "--is-shallow-repository") == "false"


def test_history_that_cannot_be_fetched_is_said_with_what_it_left_unchecked(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    on_main(shop, "Remember", {FILE: LIMITS})
    tip = on_main(shop, "Later", {"docs/other.md": "x\n"})
    repo = checkout(shop.server, tmp_path / "cut", tip, depth=1)
    repo.git("remote", "set-url", "origin", str(tmp_path / "nowhere"))
    step = Step(tmp_path / "step", "schedule", schedule_event(), forge)
    done = gitmem("action", "--fail-on", "unchecked", at=repo.path, environment=step.environment)
    assert (done.code, step.outputs["unchecked"]) == (1, "1")
    assert "> more history could not be fetched" in step.summary
    assert "**Could not be checked**\n\n- `limit-three` " in step.summary


def test_what_a_rewritten_branch_was_before_is_said_to_be_unknown(
    shop: Shop, forge: Forge, tmp_path: Path
) -> None:
    head = merged(shop)
    step = Step(tmp_path / "step", "push", push_event("1" * 40, head), forge)
    done, _ = look(shop, step, tmp_path)
    assert done.code == 0
    assert "which memory files this push brought is not known" in step.summary


@pytest.mark.parametrize(
    ("name", "event", "code", "said"),
    [
        ("push", push_event("1" * 40, "0" * 40, deleted=True), 0, "nothing to check: the branch was deleted"),
        ("pull_request_target", {}, 2, "use pull_request"),
        ("push", {"ref": 3}, 3, "default_branch"),
    ],
)  # fmt: skip
def test_other_events(
    shop: Shop, forge: Forge, tmp_path: Path, *, name: str, event: dict[str, object], code: int, said: str
) -> None:
    done, _ = look(shop, Step(tmp_path / "step", name, event, forge), tmp_path)
    assert (done.code, said in done.err) == (code, True)


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "cannot be read"), (b"\xff{", "is no JSON"), (b"[]", "holds no object"), (b"[" * 100_000, "is no JSON")],
)  # fmt: skip
def test_an_event_file_that_is_none(repo: Repo, tmp_path: Path, content: bytes | None, said: str) -> None:
    repo.commit("Start", {"a": "b\n"})
    step = Step(tmp_path / "step", "push", {})
    path = tmp_path / "step" / "event.json"
    path.unlink() if content is None else path.write_bytes(content)
    done = gitmem("action", at=repo.path, environment=step.environment)
    assert (done.code, said in done.err) == (3, True)


def test_without_a_runner_there_is_nothing_to_do(repo: Repo) -> None:
    repo.commit("Start", {"a": "b\n"})
    assert "was not started by a runner" in gitmem("action", at=repo.path).err
    assert gitmem("action", "--fail-on", "chalenged", at=repo.path).code == 2
