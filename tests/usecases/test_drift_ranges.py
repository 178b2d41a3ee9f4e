"""Ranges over a history in which things moved before the range began."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.model.verdict import BaselineHow
from gitmem.usecases.request import Target
from tests.support.drifting import (
    ABOUT_SEND,
    CODE,
    PROSE,
    SEND,
    SHOP,
    checked,
    confirmed,
    judged,
    shallow,
    validated,
    verdict,
)
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

WATCH = "[{symbol: 'src/shop.py#send'}]"
TELL = ("    log(order)\n", "    tell(order)\n")


def moved_before(repo: Repo, new: str = "src/door.py", content: str | None = None) -> str:
    repo.move("src/shop.py", new)
    return repo.commit("Move", {new: content} if content is not None else {})


@pytest.mark.parametrize("watch", [WATCH, "", "[{file: src/shop.py}]", "[{lines: 'src/shop.py:1-4'}]"])
@pytest.mark.parametrize("scope", ["{paths: [src/**]}", "{paths: [src/shop.py]}"])
def test_what_moved_before_the_range_is_followed(repo: Repo, watch: str, scope: str) -> None:
    validated(repo, watch=watch, scope=scope)
    moved_before(repo)
    assert verdict(repo.path, since="HEAD") == ("fresh", "active")
    repo.commit("Other", {"other.txt": "x\n"})
    assert verdict(repo.path, since="HEAD~1") == ("fresh", "active")
    repo.commit("Tell", {"src/door.py": SHOP.replace(*TELL)})
    found = judged(repo.path, since="HEAD~1")
    assert (str(found.verdict), found.findings[0].path) == ("changed", "src/door.py")


def test_what_moved_and_changed_before_the_range_is_followed(repo: Repo) -> None:
    validated(repo, watch=WATCH)
    moved_before(repo, content=SHOP.replace(*TELL))
    assert verdict(repo.path, since="HEAD") == ("fresh", "active")
    repo.commit("Delete", {"src/door.py": SHOP.replace(SEND, "")})
    assert verdict(repo.path, since="HEAD~1") == ("gone", "challenged")


def test_a_scope_that_moved_before_the_range_is_followed(repo: Repo) -> None:
    validated(
        repo,
        PROSE,
        {f"src/pay/{name}.py": f"{name} = 1\nb = 2\nc = 3\n" for name in "abc"},
        scope="{paths: [src/pay/**]}",
    )
    repo.move("src/pay", "lib/pay")
    repo.commit("Move")
    assert verdict(repo.path, since="HEAD") == ("fresh", "active")
    repo.commit("New", {"lib/pay/a.py": "a = 9\nb = 8\nc = 7\n"})
    found = judged(repo.path, since="HEAD~1")
    assert (found.status, found.matched, found.findings[0].path) == ("challenged", 3, "lib/pay/a.py")


def test_what_was_gone_before_the_range_is_not_its_doing(repo: Repo) -> None:
    validated(repo, watch=WATCH)
    repo.commit("Delete", {"src/shop.py": SHOP.replace(SEND, "")})
    repo.commit("Other", {"other.txt": "x\n"})
    assert verdict(repo.path) == ("gone", "challenged")
    found = judged(repo.path, since="HEAD~1")
    assert found.status == "active"
    assert "left out, since it did not hold before this range: symbol src/shop.py#send" in found.notes


def test_a_move_within_the_range_is_told_by_the_range(repo: Repo) -> None:
    validated(repo, watch=WATCH)
    moved_before(repo)
    assert verdict(repo.path, since="HEAD~1") == ("relocated", "active")


def test_the_baseline_may_lie_inside_the_range(repo: Repo) -> None:
    repo.commit("Start", {"README.md": "# Shop\n"})
    validated(repo, watch=WATCH)
    assert judged(repo.path, since="HEAD~2").status == "active"
    moved_before(repo)
    assert judged(repo.path, since="HEAD~3").status == "active"
    repo.commit("Tell", {"src/door.py": SHOP.replace(*TELL)})
    assert judged(repo.path, since="HEAD~4").status == "challenged"


def test_the_stored_marks_are_followed_where_the_baseline_is_missing(repo: Repo, tmp_path: Path) -> None:
    validated(repo, watch=WATCH)
    moved_before(repo)
    repo.commit("Other", {"other.txt": "x\n"})
    clone = shallow(repo, tmp_path / "shallow", depth=2)
    assert verdict(clone.path, since="HEAD~1") == ("fresh", "active")


def test_watches_that_nobody_validated_are_followed_from_where_history_says(repo: Repo) -> None:
    repo.commit("Start", {**CODE, path_of(): memory(summary=ABOUT_SEND, watch=WATCH)})
    moved_before(repo)
    repo.commit("Tell", {"src/door.py": SHOP.replace(*TELL)})
    assert verdict(repo.path, since="HEAD") == ("fresh", "active")
    assert verdict(repo.path, since="HEAD~1") == ("changed", "challenged")


def test_words_that_changed_since_are_read_at_the_start_of_the_range(repo: Repo) -> None:
    validated(repo)
    repo.commit("Reword", {path_of(): memory(summary="'`log` prints'")})
    repo.commit("Quiet", {"src/shop.py": SHOP.replace("print(order)", "write(order)")})
    assert verdict(repo.path) == ("unknown", "active")
    assert verdict(repo.path, since="HEAD~1") == ("changed", "challenged")


def test_a_range_is_called_a_range(repo: Repo) -> None:
    validated(repo)
    found = judged(repo.path, Target("commit", "HEAD"), since="HEAD")
    assert (found.baseline, found.how) == (repo.head(), BaselineHow.RANGE)


def test_a_range_with_several_baselines(repo: Repo) -> None:
    validated(repo, watch=WATCH)
    moved_before(repo)
    repo.write(path_of("m-002"), memory("m-002", "'`log` prints'", watch="[{symbol: 'src/door.py#log'}]"))
    repo.commit("Second")
    confirmed(repo.path, "m-002")
    repo.commit("Validate")
    repo.move("src/door.py", "src/gate.py")
    repo.commit("Move again")
    repo.commit("Tell", {"src/gate.py": SHOP.replace(*TELL)})
    found = {one.id: str(one.verdict) for one in checked(repo.path, since="HEAD~1").judgements}
    assert found["m-001"] == "changed"
    assert found["m-002"] in {"cosmetic", "touched"}
    assert {str(one.verdict) for one in checked(repo.path, since="HEAD").judgements} == {"fresh"}


def test_a_move_that_the_memory_knows_is_no_move_before_the_range(repo: Repo) -> None:
    """The validation came after the move, so that the words and the scope name the new place already."""
    repo.commit("Start", CODE)
    start = repo.git("rev-parse", "HEAD").strip()
    moved_before(repo)
    validated(repo, watch="[{symbol: 'src/door.py#send'}]", files={}, scope="{paths: [src/door.py]}")
    found = judged(repo.path, since=start)
    assert str(found.verdict) in {"fresh", "relocated"}
    assert not any("before this range" in note or "scope patch" in note for note in found.notes)
    assert found.patch == ()
