"""Damaged objects: named, the memories that rest on them unknown, the others judged."""

from __future__ import annotations

import pytest

from gitmem.git.opening import open_repository
from gitmem.model.verdict import Judgement
from gitmem.usecases.drift import examine
from gitmem.usecases.request import HEAD, Request, Target
from tests.support.drifting import (
    ABOUT_SEND,
    CODE,
    PROSE,
    SHOP,
    TODAY,
    WORKTREE,
    checked,
    confirmed,
    validated,
)
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

TOLD = SHOP.replace("    log(order)\n", "    tell(order)\n")


def damage(repo: Repo, named: str) -> str:
    """Truncate one loose object; give its id."""
    oid = repo.git("rev-parse", named)
    file = repo.path / ".git/objects" / oid[:2] / oid[2:]
    file.chmod(0o644)
    file.write_bytes(file.read_bytes()[:20] + b"\0" * 20)
    return oid


def two_memories(repo: Repo) -> None:
    """One about `send` in shop.py, one about `LIMIT` in bank.py."""
    watch = "[{symbol: 'src/bank.py#LIMIT'}]"
    repo.write(path_of("m-002"), memory("m-002", "The limit is four", watch=watch))
    validated(repo)
    confirmed(repo.path, "m-002")
    repo.commit("Validate the other")


def judged_both(repo: Repo, target: Target = HEAD) -> dict[str, Judgement]:
    return {one.id: one for one in checked(repo.path, target).judgements}


@pytest.mark.parametrize("target", [HEAD, WORKTREE])
def test_what_rests_on_a_damaged_file_is_unknown_and_the_others_are_judged(
    repo: Repo, target: Target
) -> None:
    two_memories(repo)
    repo.commit("Change", {"src/shop.py": TOLD, "src/bank.py": "LIMIT = 5\n"})
    oid = damage(repo, "HEAD:src/shop.py")
    if target is WORKTREE:
        repo.write("src/bank.py", "LIMIT = 6\n")
    found = judged_both(repo, target)
    assert (str(found["m-002"].verdict), found["m-002"].status) == ("changed", "challenged")
    assert (str(found["m-001"].verdict), found["m-001"].status) == ("unknown", "active")
    assert found["m-001"].notes == (
        f"could not be checked: src/shop.py cannot be read: damaged object {oid}; git fsck --full tells more",
    )


def test_a_damaged_file_of_the_baseline_leaves_the_stored_marks(repo: Repo) -> None:
    two_memories(repo)
    repo.commit("Change", {"src/shop.py": TOLD})
    damage(repo, "HEAD~1:src/shop.py")
    assert str(judged_both(repo)["m-001"].verdict) == "changed"


def test_a_damaged_file_that_nothing_asks_for_does_no_harm(repo: Repo) -> None:
    two_memories(repo)
    damage(repo, "HEAD:README.md")
    repo.commit("Change", {"src/bank.py": "LIMIT = 5\n"})
    found = judged_both(repo)
    assert [str(found[name].verdict) for name in ("m-001", "m-002")] == ["touched", "changed"]


def test_what_may_have_gone_into_a_damaged_file_is_unknown(repo: Repo) -> None:
    two_memories(repo)
    repo.commit("Move", {"src/bank.py": "X = 1\n", "src/limits.py": "Y = 2\nLIMIT = 4\n"})
    oid = damage(repo, "HEAD:src/limits.py")
    found = judged_both(repo)["m-002"]
    assert str(found.verdict) == "unknown"
    assert f"src/limits.py cannot be read: damaged object {oid}" in found.notes[0]


def test_a_name_is_looked_for_file_by_file(repo: Repo) -> None:
    validated(repo, PROSE, {**CODE, "src/other.py": "y = 1\n"}, watch="[{ident: LIMIT}]")
    repo.commit("Change", {"src/bank.py": "LIMIT = 5\n", "src/other.py": "y = 2\n"})
    damage(repo, "HEAD:src/other.py")
    (found,) = checked(repo.path).judgements
    assert str(found.verdict) == "touched"


def test_a_renamed_file_whose_old_content_is_damaged(repo: Repo) -> None:
    two_memories(repo)
    repo.move("src/shop.py", "src/door.py")
    repo.commit("Move", {"src/door.py": TOLD, "src/bank.py": "LIMIT = 5\n"})
    damage(repo, "HEAD~1:src/shop.py")
    found = judged_both(repo)
    assert str(found["m-002"].verdict) == "changed"


def test_a_memory_captured_at_a_damaged_baseline(repo: Repo) -> None:
    repo.commit("Start", {**CODE, path_of(): memory(summary=ABOUT_SEND)})
    repo.commit("Change", {"src/shop.py": TOLD})
    damage(repo, "HEAD~1:src/shop.py")
    with open_repository(repo.path) as repository:
        (found,) = examine(repository, Request(today=TODAY)).judgements
    assert found.status == "active"
