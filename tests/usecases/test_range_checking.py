"""What a change leaves open: confirmations in it, words of its own, moves and ends, and what comes after the merge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.git.opening import open_repository
from gitmem.model.verdict import Judgement
from gitmem.usecases.range_checking import check_range
from gitmem.usecases.request import Request
from tests.support.drifting import (
    ABOUT_SEND,
    CODE,
    SEND,
    SHOP,
    TODAY,
    checked,
    confirmed,
    judged,
    validated,
    verdict,
)
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

TOLD = SHOP.replace("    log(order)\n", "    tell(order)\n")
AGAIN = TOLD.replace("    ship(order)\n", "    ship(order, twice=True)\n")
NEW = "def refund(order):\n    check(order)\n    return order.refund()\n"
ADA = "Ada Tester <ada@example.org>"
ABOUT_REFUND = "'`refund` checks the order first'"


@pytest.fixture
def branch(repo: Repo) -> Repo:
    """A validated memory on main, and a branch beside it."""
    validated(repo)
    repo.git("checkout", "-q", "-b", "feature")
    return repo


def change(repo: Repo, code: str = TOLD) -> str:
    return repo.commit("Change", {"src/shop.py": code})


def look(
    repo: Repo, *, at: str = "2026-07-15T10:00:00+09:00", worktree: bool = False, name: str = "m-001"
) -> None:
    confirmed(repo.path, name, at=at, worktree=worktree, ask=lambda _: True)


def confirm(repo: Repo, *, at: str = "2026-07-15T10:00:00+09:00") -> str:
    look(repo, at=at)
    return repo.commit("Confirm")


def told(repo: Repo, base: str = "main") -> Judgement:
    return judged(repo.path, since=base)


def merged(repo: Repo, how: str) -> Judgement:
    """The memory once the branch is merged."""
    repo.git("checkout", "-q", "main")
    if how == "squash":
        repo.git("merge", "-q", "--squash", "feature")
        repo.git("commit", "-q", "-m", "Squashed")
        repo.git("branch", "-q", "-D", "feature")
        repo.git("reflog", "expire", "--expire=now", "--all")
        repo.git("gc", "-q", "--prune=now")
    elif how == "merge":
        repo.git("merge", "-q", "--no-ff", "-m", "Merge", "feature")
    else:
        repo.git("merge", "-q", "--ff-only", "feature")
    return judged(repo.path)


# confirmed in the change
def test_what_the_change_confirms_is_answered_and_says_by_whom(branch: Repo) -> None:
    change(branch)
    assert told(branch).status == "challenged"
    confirm(branch)
    found = told(branch)
    assert (str(found.verdict), found.status, found.course) == ("changed", "active", "answered")
    assert found.notes[-1] == f"confirmed in this change by Ada, committed by {ADA}"
    assert found.challenged_by == ()


def test_a_validation_in_the_name_of_another_says_who_committed_it(branch: Repo) -> None:
    change(branch)
    look(branch)
    branch.git("add", "-A")
    branch.git("commit", "-qm", "Confirm", "--author", "Mallory <mallory@example.org>")
    assert told(branch).notes[-1].endswith("by Ada, committed by Mallory <mallory@example.org>")


def test_one_in_the_name_of_its_author_says_it_once(branch: Repo) -> None:
    change(branch)
    look(branch)
    branch.git("add", "-A")
    branch.git("commit", "-qm", "Confirm", "--author", "Ada <ada@example.org>")
    assert told(branch).notes[-1] == "confirmed in this change by Ada"


def test_what_changes_after_it_was_confirmed_is_challenged_from_there_on(branch: Repo) -> None:
    change(branch)
    confirm(branch)
    change(branch, AGAIN)
    found = told(branch)
    assert (found.status, found.course) == ("challenged", "")
    assert found.notes[-1] == f"changed again after it was confirmed by Ada, committed by {ADA}"
    confirm(branch, at="2026-07-16T10:00:00+09:00")
    assert told(branch).course == "answered"


def test_a_change_back_to_before_what_was_confirmed_is_challenged_too(branch: Repo) -> None:
    change(branch)
    confirm(branch)
    change(branch, SHOP)
    assert told(branch).status == "challenged"
    assert merged(branch, "merge").status == "challenged"


def test_a_confirmation_of_the_work_tree_in_the_very_commit_counts(branch: Repo) -> None:
    branch.write("src/shop.py", TOLD)
    look(branch, worktree=True)
    branch.commit("Change and confirm")
    assert told(branch).course == "answered"
    branch.commit("Other", {"other.txt": "x\n"})
    assert told(branch).course == "answered"


@pytest.mark.parametrize(
    ("how", "worktree"), [("squash", True), ("squash", False), ("merge", True), ("fast-forward", False)]
)
def test_what_was_answered_is_not_challenged_by_its_merge(branch: Repo, how: str, *, worktree: bool) -> None:
    if worktree:
        branch.write("src/shop.py", TOLD)
        look(branch, worktree=True)
        branch.commit("Change and confirm")
    else:
        change(branch)
        confirm(branch)
    assert told(branch).course == "answered"
    assert merged(branch, how).status == "active"


def test_a_confirmation_before_the_change_answers_nothing(branch: Repo) -> None:
    branch.commit("Other", {"other.txt": "x\n"})
    confirm(branch)
    change(branch)
    assert told(branch).status == "challenged"


def test_a_confirmation_of_the_base_answers_nothing(branch: Repo) -> None:
    change(branch)
    confirm(branch)
    base = branch.head()
    change(branch, AGAIN)
    assert told(branch, base).status == "challenged"
    assert told(branch, base).notes == ()


def test_what_returns_to_how_it_was_found_true_needs_no_look(repo: Repo) -> None:
    validated(repo)
    change(repo)
    repo.git("checkout", "-q", "-b", "feature")
    change(repo, SHOP)
    found = told(repo)
    assert (found.course, found.notes[-1]) == (
        "answered",
        "what it rests on is as it was when it was last found true",
    )


def test_dates_and_marks_are_not_the_changes_doing(repo: Repo) -> None:
    validated(repo)
    repo.commit("Due", {path_of(): memory(summary=ABOUT_SEND, review_after="2026-07-16")})
    assert judged(repo.path).challenged_by == ("review",)
    report = checked(repo.path, since="HEAD~1")
    assert [one.status for one in report.judgements] == ["active"]
    assert report.remarks == (
        "1 memory is challenged by a date or a mark, which is not this range's doing: gitmem drift",
    )


# where the change begins
def test_what_others_changed_meanwhile_is_not_this_changes_doing(branch: Repo) -> None:
    branch.commit("Docs", {"docs.md": "x\n"})
    branch.git("checkout", "-q", "main")
    change(branch)
    branch.git("checkout", "-q", "feature")
    report = checked(branch.path, since="main")
    assert [one.status for one in report.judgements] == ["active"]
    assert "the two parted at" in report.remarks[0]
    branch.git("merge", "-q", "--no-ff", "-m", "Bring main", "main")
    assert checked(branch.path, since="main").remarks == ()
    assert told(branch).status == "active"


def test_a_merge_inside_the_change_keeps_its_confirmation(branch: Repo) -> None:
    change(branch)
    confirm(branch)
    branch.git("checkout", "-q", "main")
    branch.commit("Docs", {"docs.md": "x\n"})
    branch.git("checkout", "-q", "feature")
    branch.git("merge", "-q", "--no-ff", "-m", "Bring main", "main")
    assert told(branch).course == "answered"


def test_without_a_common_ancestor_all_that_differs_is_told(branch: Repo) -> None:
    branch.git("checkout", "-q", "--orphan", "other")
    branch.commit("Alone", {"src/shop.py": TOLD})
    report = checked(branch.path, since="main")
    assert report.remarks[0].startswith("no common ancestor is known here")
    assert [one.status for one in report.judgements] == ["challenged"]


def test_a_shallow_clone_knows_the_confirmation_by_its_content(branch: Repo, tmp_path: Path) -> None:
    change(branch)
    confirm(branch)
    branch.commit("Other", {"other.txt": "x\n"})
    branch.git("branch", "-q", "-D", "main")
    branch.git("branch", "-q", "main", "HEAD~3")
    path = tmp_path / "shallow"
    branch.git("clone", "-q", "--depth", "3", "--no-single-branch", f"file://{branch.path}", str(path))
    clone = Repo(path, init=False)
    report = checked(clone.path, since="origin/main")
    assert [one.course for one in report.judgements] == ["answered"]


# words of the change
def added(repo: Repo, code: str, *, confirmed: bool = False, summary: str = ABOUT_SEND) -> None:
    repo.write(path_of("m-002"), memory("m-002", summary))
    repo.write("src/shop.py", code)
    if confirmed:
        look(repo, worktree=True, name="m-002")
    repo.commit("Remember with code")


def second(repo: Repo, since: str | None = "main") -> Judgement:
    return next(one for one in checked(repo.path, since=since).judgements if one.id == "m-002")


@pytest.fixture
def empty(repo: Repo) -> Repo:
    """Code without a memory on main, and a branch beside it."""
    repo.commit("Start", CODE)
    repo.git("checkout", "-q", "-b", "feature")
    return repo


@pytest.mark.parametrize("how", ["squash", "merge", "fast-forward"])
def test_the_daily_case_is_silent_before_and_after_the_merge(empty: Repo, how: str) -> None:
    added(empty, TOLD, confirmed=True)
    found = second(empty)
    assert (str(found.verdict), found.status, found.course, found.notes) == ("fresh", "proposed", "", ())
    assert merged(empty, how).status == "active"


@pytest.mark.parametrize("how", ["squash", "fast-forward"])
def test_words_beside_an_edit_that_nobody_confirmed_are_told_before_the_merge(empty: Repo, how: str) -> None:
    added(empty, TOLD)
    found = second(empty)
    assert (found.status, found.course) == ("proposed", "unconfirmed")
    assert "once merged it is judged from before the change" in found.notes[-1]
    assert found.notes[-1].endswith("confirm it: gitmem confirm m-002")
    assert merged(empty, how).status == "challenged"


@pytest.mark.parametrize(
    ("how", "files"),
    [("squash", {"src/refund.py": NEW}), ("merge", {"src/shop.py": SHOP + "\n\n" + NEW})],
)
def test_words_about_code_that_comes_with_them_hold_there(
    empty: Repo, how: str, files: dict[str, str]
) -> None:
    empty.write(path_of("m-002"), memory("m-002", ABOUT_REFUND))
    empty.commit("Remember what is new", files)
    found = second(empty)
    assert (found.status, found.course) == ("proposed", "")
    assert merged(empty, how).status == "active"


@pytest.mark.parametrize(
    ("how", "status"), [("fast-forward", "challenged"), ("merge", "challenged"), ("squash", "active")]
)
def test_new_code_that_changes_after_the_words_is_told_while_history_knows_it(
    empty: Repo, how: str, status: str
) -> None:
    added(empty, SHOP + "\n\n" + NEW, summary=ABOUT_REFUND)
    empty.commit("Change it", {"src/shop.py": SHOP + "\n\n" + NEW.replace("check(order)", "hope(order)")})
    found = second(empty)
    assert (found.status, found.course) == ("proposed", "unconfirmed")
    assert "what it rests on changed after it was written, which a squash would hide" in found.notes[-1]
    merged(empty, how)
    assert second(empty, since=None).status == status


BOTH = SHOP + "\n\n" + NEW
OTHER = BOTH.replace("check(order)", "hope(order)")


def test_new_code_that_changes_before_the_words_is_what_they_are_of(empty: Repo) -> None:
    empty.commit("Try", {"src/shop.py": OTHER})
    empty.commit("Do it", {"src/shop.py": BOTH})
    added(empty, BOTH, summary=ABOUT_REFUND)
    merged(empty, "merge")
    assert second(empty, since=None).status == "active"


def test_a_branch_that_was_merged_into_the_branch_is_read_too(empty: Repo) -> None:
    empty.git("checkout", "-q", "-b", "sub")
    added(empty, BOTH, summary=ABOUT_REFUND)
    empty.commit("Change it", {"src/shop.py": OTHER})
    empty.git("checkout", "-q", "feature")
    empty.git("merge", "-q", "--no-ff", "-m", "Merge sub", "sub")
    merged(empty, "merge")
    assert second(empty, since=None).status == "challenged"
    confirmed(empty.path, "m-002", at="2026-07-15T10:00:00+09:00", ask=lambda _: True)
    empty.commit("Confirm")
    assert second(empty, since=None).status == "active"


def test_a_merged_side_that_a_shallow_clone_lacks_leaves_it_unknown_and_says_the_cure(
    empty: Repo, tmp_path: Path
) -> None:
    added(empty, BOTH, summary=ABOUT_REFUND)
    empty.commit("Change it", {"src/shop.py": OTHER})
    merged(empty, "merge")
    empty.git("clone", "-q", "--depth=2", f"file://{empty.path}", str(tmp_path / "cut"))
    cut = Repo(tmp_path / "cut", init=False)
    found = checked(cut.path)
    (one,) = [told for told in found.judgements if told.id == "m-002"]
    assert (str(one.verdict), found.history_missing) == ("unknown", True)
    cut.git("fetch", "-q", "--unshallow")
    assert second(cut, since=None).status == "challenged"


def test_words_that_were_confirmed_and_whose_code_changed_since_are_challenged(empty: Repo) -> None:
    added(empty, TOLD, confirmed=True)
    change(empty, AGAIN)
    found = second(empty)
    assert (found.status, found.proposed, found.course) == ("challenged", True, "")
    assert merged(empty, "squash").status == "challenged"


def test_words_without_an_edit_of_their_code_need_no_note(empty: Repo) -> None:
    empty.commit("Remember", {path_of("m-002"): memory("m-002", ABOUT_SEND)})
    found = second(empty)
    assert (found.status, found.course, found.notes) == ("proposed", "", ())
    assert merged(empty, "squash").status == "active"


def test_other_words_answer_for_the_old_ones_and_want_to_be_confirmed(branch: Repo) -> None:
    branch.commit(
        "Reword", {path_of(): memory(summary="'`send` tells before it answers'"), "src/shop.py": TOLD}
    )
    old, new = sorted(checked(branch.path, since="main").judgements, key=lambda one: one.proposed)
    assert (old.course, old.notes[-1]) == ("answered", "other words are proposed in this change")
    assert (new.status, new.course) == ("proposed", "unconfirmed")
    assert "its new words are not confirmed in this change" in new.notes[-1]
    look(branch)
    branch.commit("Confirm")
    assert [one.course for one in checked(branch.path, since="main").judgements] == ["answered", ""]
    assert merged(branch, "squash").status == "active"


def _narrowed(repo: Repo) -> None:
    repo.write(path_of(), memory(summary=ABOUT_SEND, scope="{paths: [src/bank.py]}"))


def _renamed(repo: Repo) -> None:
    repo.move(path_of(), path_of("shop/m-001"))


@pytest.mark.parametrize("edit", [_narrowed, _renamed])
def test_a_file_that_moves_or_changes_beside_its_words_lets_nothing_off(
    branch: Repo, edit: Callable[[Repo], None]
) -> None:
    edit(branch)
    change(branch)
    assert told(branch).status == "challenged"
    confirm(branch)
    assert told(branch).status == "active"


@pytest.mark.parametrize(
    ("status", "how"),
    [("", "its file is removed in this change"), ("deprecated", "it is retired in this change")],
)
def test_its_end_answers_for_a_memory(branch: Repo, status: str, how: str) -> None:
    if status:
        branch.write(path_of(), memory(summary=ABOUT_SEND, status=status))
    else:
        branch.remove(path_of())
    change(branch)
    (found,) = checked(branch.path, since="main").judgements
    assert (found.course, found.notes[-1]) == ("answered", how)


def test_an_heir_answers_for_what_it_replaces(branch: Repo) -> None:
    branch.write(path_of("m-002"), memory("m-002", "'`send` tells first'", supersedes="[m-001]"))
    change(branch)
    found = {one.id: one for one in checked(branch.path, since="main").judgements}
    assert found["m-001"].notes[-1] == "m-002 is to take its place in this change"
    assert found["m-002"].course == "unconfirmed"


def test_a_range_within_the_trusted_branch_is_judged_alike(repo: Repo) -> None:
    validated(repo)
    start = repo.head()
    change(repo)
    confirm(repo)
    assert told(repo, start).course == "answered"
    repo.remove(path_of())
    repo.commit("Remove")
    assert checked(repo.path, since=start).judgements == ()


def test_where_it_could_not_be_checked_since_nothing_is_answered(branch: Repo) -> None:
    """Words that changed before the range, confirmed by nobody: what the range does is not known to be looked at."""
    branch.commit("Reword", {path_of(): memory(summary="'`log` prints'")})
    branch.git("checkout", "-q", "main")
    branch.git("merge", "-q", "feature")
    change(branch, SHOP.replace("print(order)", "write(order)"))
    assert verdict(branch.path) == ("unknown", "active")
    assert verdict(branch.path, since="HEAD~1") == ("changed", "challenged")


def test_each_judgement_of_a_range_tells_the_check_that_it_comes_from(branch: Repo) -> None:
    change(branch)
    confirm(branch)
    change(branch, AGAIN)
    with open_repository(branch.path) as repository:
        found = check_range(repository, Request(since="main", today=TODAY))
        (one,) = found.report.judgements
        of, origin = found.found_by(one)
    assert of is found.stands
    assert origin in of.judgements


def test_deleted_code_is_answered_by_nothing_but_a_look(branch: Repo) -> None:
    change(branch, SHOP.replace(SEND, ""))
    assert str(told(branch).verdict) == "gone"
    assert told(branch).status == "challenged"
    confirm(branch)
    assert told(branch).course == "answered"
