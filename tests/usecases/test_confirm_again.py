"""Confirming what was confirmed just so, with tokens that fit and tokens that do not."""

from __future__ import annotations

import pytest

from gitmem.errors import NotFoundError, NotServedError
from gitmem.git.opening import open_repository
from gitmem.usecases.marking import challenge
from tests.support.drifting import ABOUT_SEND, CODE, SHOP, confirmed, remembered, validated
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

HOUR_LATER = "2026-07-14T11:00:00+09:00"
DAY_LATER = "2026-07-15T10:00:00+09:00"
CHANGED = SHOP.replace("    log(order)\n", "    tell(order)\n")


def files(repo: Repo) -> list[str]:
    return sorted(one.name for one in (repo.path / ".ai/validations").rglob("*.yaml"))


@pytest.mark.parametrize("commits", [True, False], ids=["committed", "not committed yet"])
def test_the_same_state_is_not_written_twice(commits: bool, repo: Repo) -> None:
    remembered(repo)
    (first,) = confirmed(repo.path).confirmed
    if commits:
        repo.commit("Validate")
    result = confirmed(repo.path, at=HOUR_LATER)
    assert (result.confirmed, result.asks) == ((), ())
    (known,) = result.already
    assert (known.id, known.file, known.at.isoformat()) == ("m-001", first.file, "2026-07-14T10:00:00+09:00")
    assert len(files(repo)) == 1


def test_what_was_seen_and_confirmed_does_not_ask_again_before_it_is_committed(repo: Repo) -> None:
    validated(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    (asking,) = confirmed(repo.path, at=HOUR_LATER).asks
    assert confirmed(repo.path, at=HOUR_LATER, seen=asking.token).confirmed
    again = confirmed(repo.path, at="2026-07-14T12:00:00+09:00")
    assert (again.confirmed, again.asks, len(again.already)) == ((), (), 1)


def test_freshness_starts_again_a_day_later(repo: Repo) -> None:
    validated(repo)
    assert confirmed(repo.path, at=DAY_LATER).confirmed


@pytest.mark.parametrize(
    "changed",
    [
        {"src/other.py": "x = 1\n"},
        {path_of(): memory(summary=ABOUT_SEND, scope="{paths: [src/shop.py], does_not_apply_to: [none]}")},
    ],
    ids=["code", "scope"],
)
def test_another_state_is_written(changed: dict[str, str], repo: Repo) -> None:
    validated(repo)
    repo.commit("Change", changed)
    result = confirmed(repo.path, at=HOUR_LATER)
    assert result.already == ()
    assert result.confirmed or result.asks


def test_a_mark_is_cleared_by_a_new_validation_of_the_same_state(repo: Repo) -> None:
    validated(repo)
    with open_repository(repo.path) as opened:
        from datetime import datetime

        challenge(opened, ["m-001"], "I doubt it", datetime.fromisoformat("2026-07-14T10:30:00+09:00"))
    repo.commit("Doubt")
    (asking,) = confirmed(repo.path, at=HOUR_LATER).asks
    assert confirmed(repo.path, at=HOUR_LATER, seen=asking.token).confirmed


# tokens that name nothing here
def test_a_token_for_what_is_fresh_is_passed_over_and_told(repo: Repo) -> None:
    validated(repo)
    result = confirmed(repo.path, at=DAY_LATER, seen="0123456789")
    assert [one.id for one in result.confirmed] == ["m-001"]
    assert result.passed_over == ("m-001",)


def test_a_token_that_names_nothing_does_not_confirm_what_changed_a_little(repo: Repo) -> None:
    validated(repo)
    repo.commit("Space", {"src/shop.py": SHOP + "\n\n# The end\n"})
    (asking,) = confirmed(repo.path, at=DAY_LATER, seen="0123456789").asks
    assert asking.stale_token
    assert confirmed(repo.path, at=DAY_LATER, seen=asking.token).confirmed


def test_a_token_of_one_memory_leaves_the_others_as_they_are(repo: Repo) -> None:
    repo.write(path_of("m-002"), memory("m-002", "'`log` prints'"))
    validated(repo)
    confirmed(repo.path, "m-002")
    repo.commit("Both")
    repo.commit("Tell", {"src/shop.py": CHANGED})
    (asking,) = confirmed(repo.path, "m-001", "m-002", at=DAY_LATER).asks
    result = confirmed(repo.path, "m-001", "m-002", at=DAY_LATER, seen=asking.token)
    assert ({one.id for one in result.confirmed} | {one.id for one in result.already}) == {"m-001", "m-002"}
    assert (result.asks, result.passed_over) == ((), ())


# what cannot be confirmed
@pytest.mark.parametrize("worktree", [True, False])
def test_a_committed_file_that_cannot_be_read_is_named_with_its_line(worktree: bool, repo: Repo) -> None:
    remembered(repo)
    repo.commit("Break", {path_of(): "id: m-001\nsummary: [a\nstatus: active\n"})
    with pytest.raises(NotFoundError, match=r"m-001\.yaml cannot be read: ") as caught:
        confirmed(repo.path, worktree=worktree)
    assert caught.value.line
    assert f"line {caught.value.line}" in caught.value.message


def test_a_file_that_is_not_committed_is_told_so(repo: Repo) -> None:
    repo.commit("Code", CODE)
    repo.write(path_of(), memory(summary=ABOUT_SEND))
    with pytest.raises(NotFoundError, match=r"not committed yet$"):
        confirmed(repo.path)


@pytest.mark.parametrize("other", ["m-404", "m-002", "m-003", "m-004"])
def test_one_bad_id_of_several_confirms_none_and_says_so(other: str, repo: Repo) -> None:
    repo.write(path_of("m-002"), "id: m-002\nsummary: [a\n")
    repo.write(path_of("m-004"), memory("m-004"))
    remembered(repo)
    repo.write(path_of("m-003"), memory("m-003"))
    repo.write(path_of("m-004"), memory("m-004", "Otherwise"))
    with pytest.raises((NotFoundError, NotServedError), match=r"; nothing was confirmed$"):
        confirmed(repo.path, "m-001", other)
    assert files(repo) == []


def test_what_is_gone_is_not_replaced_by_files_that_it_never_rested_on(repo: Repo) -> None:
    remembered(
        repo,
        "'Limits: `MOST_ITEMS` is 3'",
        {"src/conf.py": "MOST_ITEMS = 3\n", "src/shop.py": SHOP},
        scope="{paths: [src/**]}",
    )
    confirmed(repo.path)
    repo.commit("Validate")
    repo.git("rm", "-q", "src/conf.py")
    repo.commit("Delete")
    (asking,) = confirmed(repo.path, at=DAY_LATER).asks
    assert str(asking.judgement.verdict) == "gone"
    (again,) = confirmed(repo.path, at=DAY_LATER, seen=asking.token).confirmed
    assert again.captured.marks == ()
