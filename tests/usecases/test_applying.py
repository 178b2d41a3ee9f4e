"""`confirm --apply`: after it, and only after it, the memory follows what it speaks of; only what is true is said."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from gitmem.errors import NotServedError
from tests.support.cli import Done, gitmem
from tests.support.drifting import ABOUT_SEND, CODE, confirmed, remembered, validated, verdict
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

UTIL = "def tidy():\n    return 1\n"
SHOPS = {**CODE, "src/till/util.py": UTIL, "lib/x.py": "X = 1\n"}


def scope(*globs: str) -> str:
    return f"{{paths: [{', '.join(globs)}], does_not_apply_to: [none]}}"


def move(repo: Repo, old: str, new: str) -> None:
    (repo.path / new).parent.mkdir(parents=True, exist_ok=True)
    repo.git("mv", old, new)
    repo.commit("Move")


def apply(repo: Repo) -> Done:
    done = gitmem("confirm", "m-001", "--apply", at=repo.path)
    assert done.code == 0, done.err
    repo.commit("Confirm")
    return done


class Move(NamedTuple):
    glob: str
    old: str
    new: str
    patched: str
    now: list[str]


@pytest.mark.parametrize(
    "moved",
    [
        Move("src/**", "src", "app", "src/** → app/**", ["app/**"]),
        Move("src/shop.py", "src/shop.py", "lib/door.py", "src/shop.py → lib/door.py", ["lib/door.py"]),
        Move("src/**", "src/shop.py", "lib/shop.py", "scope also lib/shop.py", ["src/**", "lib/shop.py"]),
    ],
)
@pytest.mark.parametrize("watch", ["", "[{symbol: 'src/shop.py#send'}]"], ids=["derived", "written"])
def test_the_scope_follows_what_left_it(repo: Repo, moved: Move, watch: str) -> None:
    validated(repo, ABOUT_SEND, SHOPS, scope=scope(moved.glob), watch=watch)
    move(repo, moved.old, moved.new)
    assert "follow it: gitmem confirm m-001 --apply" in gitmem("drift", at=repo.path).out
    out = apply(repo).out
    assert f"patched {path_of()}: {moved.patched}; approved again when merged" in out
    (shown,) = gitmem("show", "m-001", "--json", at=repo.path).document["memories"]
    assert shown["scope"]["paths"] == moved.now
    (judged,) = gitmem("drift", "--explain", "--json", at=repo.path).document["memories"]
    assert (judged["verdict"], judged["status"]) == ("fresh", "active")
    assert [rest["watch"].endswith("#send") for rest in judged["rests_on"]] == [True]


@pytest.mark.parametrize("change", ["moved within its scope", "renamed"])
def test_derived_watches_follow_without_a_patch(repo: Repo, change: str) -> None:
    validated(repo, ABOUT_SEND, SHOPS)
    if change == "renamed":
        repo.commit("Rename", {"src/shop.py": CODE["src/shop.py"].replace("def send(", "def post(")})
    else:
        move(repo, "src/shop.py", "src/till/shop.py")
    drift = gitmem("drift", at=repo.path).out
    assert "follow it: gitmem confirm m-001\n" in drift
    assert "scope patch" not in drift
    out = apply(repo).out
    assert "--apply" not in out
    assert "patched" not in out
    place = "symbol src/shop.py#post" if change == "renamed" else "symbol src/till/shop.py#send"
    assert place in out
    assert verdict(repo.path) == ("fresh", "active")


def test_a_followed_watch_survives_later_confirmations(repo: Repo) -> None:
    validated(repo, ABOUT_SEND, SHOPS)
    repo.commit("Rename", {"src/shop.py": CODE["src/shop.py"].replace("def send(", "def post(")})
    apply(repo)
    (again,) = confirmed(repo.path, at="2027-01-15T10:00:00+09:00").confirmed
    assert [str(mark.watch) for mark in again.captured.marks] == ["symbol src/shop.py#post"]


def test_without_apply_what_it_would_write_is_said_and_the_watch_is_kept(repo: Repo) -> None:
    validated(repo, ABOUT_SEND, SHOPS)
    move(repo, "src/shop.py", "lib/shop.py")
    done = gitmem("confirm", "m-001", at=repo.path)
    assert f"moved: scope also lib/shop.py (--apply writes it into {path_of()})" in done.out
    assert "symbol lib/shop.py#send" in done.out


def test_a_glob_of_an_element_is_told_apart(repo: Repo) -> None:
    elements = "version: 1\nelements:\n  till: [src/**]\n"
    validated(repo, ABOUT_SEND, {**SHOPS, ".ai/elements.yaml": elements}, scope="{elements: [till]}")
    move(repo, "src", "app")
    done = gitmem("confirm", "m-001", "--apply", at=repo.path)
    assert done.code == 3
    assert "correct .ai/elements.yaml" in done.err


# what cannot be confirmed
def refused(repo: Repo, *, worktree: bool = False) -> NotServedError:
    with pytest.raises(NotServedError) as caught:
        confirmed(repo.path, worktree=worktree)
    return caught.value


def test_a_scope_that_matches_nothing_is_named_with_its_line(repo: Repo) -> None:
    remembered(repo, ABOUT_SEND, CODE, scope=scope("source/**"))
    error = refused(repo)
    assert (
        error.message
        == f"{path_of()}:6: m-001 cannot be confirmed: its scope (source/**) matches nothing in HEAD"
    )
    assert f"correct scope.paths in {path_of()}:6" in error.hint
    assert "in the work tree" in refused(repo, worktree=True).message
    assert not (repo.path / ".ai/validations").exists()


def test_where_the_files_went_the_patch_is_the_cure(repo: Repo) -> None:
    validated(repo, ABOUT_SEND, CODE, scope=scope("src/shop.py"))
    move(repo, "src/shop.py", "lib/door.py")
    assert "gitmem confirm m-001 --apply writes where its files went" in refused(repo).hint


def test_elements_without_paths_are_named(repo: Repo) -> None:
    remembered(repo, ABOUT_SEND, CODE, scope="{elements: [till]}")
    assert "its elements (till) have no paths in .ai/elements.yaml" in refused(repo).message


def test_a_file_that_does_not_load_is_named_with_line_and_fault(repo: Repo) -> None:
    repo.commit("Start", {**CODE, path_of(): memory(kind="pitfal")})
    done = gitmem("confirm", "m-001", at=repo.path)
    assert done.code == 3
    assert f"{path_of()} cannot be read: line 2: unknown kind pitfal" in done.err
    assert "did you mean pitfall?" in done.err


def test_without_anything_to_check_the_reason_is_said(repo: Repo) -> None:
    remembered(repo, "Orders ship daily", CODE, scope="project")
    out = gitmem("confirm", "m-001", at=repo.path).out
    assert (
        "watches nothing, so it cannot be checked (it applies to the whole project and watches nothing)"
        in out
    )
