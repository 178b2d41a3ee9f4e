from __future__ import annotations

from tests.support.cli import gitmem
from tests.support.drifting import remembered
from tests.support.repo import Repo

NOBODY = {f"GIT_{who}_{what}": "" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def test_a_second_confirmation_says_that_there_is_nothing_to_write(repo: Repo) -> None:
    remembered(repo)
    first = gitmem("confirm", "m-001", "--json", at=repo.path).document
    again = gitmem("confirm", "m-001", at=repo.path)
    assert again.code == 0
    assert "already confirmed at" in again.out
    assert "nothing to write" in again.out
    document = gitmem("confirm", "m-001", "--json", at=repo.path).document
    assert (document["confirmed"], document["asks"]) == ([], [])
    assert document["already"][0]["file"] == first["captured"][0]["file"]


def test_an_empty_token_is_a_usage_error(repo: Repo) -> None:
    remembered(repo)
    for token in ("", " "):
        done = gitmem("confirm", "m-001", "--seen", token, at=repo.path)
        assert (done.code, "--seen" in done.err) == (2, True)
    assert not (repo.path / ".ai/validations").exists()


def test_a_token_that_was_not_needed_is_noted(repo: Repo) -> None:
    remembered(repo)
    gitmem("confirm", "m-001", at=repo.path)
    repo.commit("Validate")
    done = gitmem("confirm", "m-001", "--seen", "0123456789", at=repo.path)
    assert done.code == 0
    assert "names no evidence here" in done.err


def test_without_a_name_the_validation_is_written_and_the_cure_is_told(repo: Repo) -> None:
    remembered(repo)
    done = gitmem("confirm", "m-001", "--json", at=repo.path, environment={**NOBODY, "EMAIL": ""})
    assert done.code == 0
    assert "by: gitmem" in repo.read(done.document["captured"][0]["file"])
    assert "hint: " in done.err
    assert "user.name" in done.err
    assert "--actor" in done.err


def test_with_a_name_or_an_actor_nothing_is_said(repo: Repo) -> None:
    remembered(repo)
    assert "user.name" not in gitmem("confirm", "m-001", at=repo.path).err
    (repo.path / ".ai/validations").rename(repo.path / "aside")
    done = gitmem("confirm", "m-001", "--actor", "ada", at=repo.path, environment={**NOBODY, "EMAIL": ""})
    assert (done.code, "user.name" in done.err) == (0, False)
