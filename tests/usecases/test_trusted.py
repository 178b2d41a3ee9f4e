from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gitmem.errors import NotServedError
from gitmem.git.opening import open_repository
from gitmem.trust.branch import Trusted
from gitmem.usecases.trusted import ask_server, trusted_branch
from tests.support.memories import hosted, memory, path_of
from tests.support.repo import Repo


def ask(repo: Repo) -> tuple[Trusted, str]:
    with open_repository(repo.path) as opened:
        return ask_server(opened, trusted_branch(opened))


def test_the_server_bears_out_what_it_holds(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    trusted, sentence = ask(clone)
    assert trusted.verified is True
    assert "origin says so too" in sentence


def test_a_forged_remote_tracking_ref_is_not_borne_out(tmp_path: Path) -> None:
    server, clone = hosted(tmp_path)
    clone.commit("Forge", {path_of("m-002"): memory("m-002")})
    clone.git("update-ref", "refs/remotes/origin/main", clone.head())
    trusted, sentence = ask(clone)
    assert (trusted.verified, trusted.commit) == (True, server.git("rev-parse", "HEAD"))
    assert "git fetch origin; judged as origin says" in sentence


def test_a_forged_remote_head_is_not_borne_out_by_a_pushed_branch(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.git("switch", "-qc", "topic")
    clone.commit("Forge", {path_of("m-002"): memory("m-002")})
    clone.git("push", "-q", "origin", "topic")
    clone.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/topic")
    assert ask(clone)[0].commit == clone.git("rev-parse", "refs/remotes/origin/main")


def test_a_forged_setting_is_not_borne_out(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.git("switch", "-qc", "topic")
    clone.commit("Forge", {path_of("m-002"): memory("m-002")})
    clone.git("config", "gitmem.trustedRef", "refs/heads/topic")
    trusted, _ = ask(clone)
    assert (trusted.name, trusted.verified) == ("topic", False)


def test_a_clone_that_lags_behind_is_told_to_fetch(tmp_path: Path) -> None:
    server, clone = hosted(tmp_path)
    other = Repo(tmp_path / "other", init=False)
    clone.git("clone", "-q", str(server.path), str(other.path))
    other.commit("Ahead", {"b": "c"})
    other.git("push", "-q")
    assert ask(clone)[0].verified is False
    clone.git("fetch", "-q")
    assert ask(clone)[0].verified is True


def test_a_server_that_is_gone_is_an_error(tmp_path: Path) -> None:
    server, clone = hosted(tmp_path)
    shutil.rmtree(server.path)
    with pytest.raises(NotServedError, match="origin could not be asked"):
        ask(clone)


def test_without_a_remote_there_is_nobody_to_ask(repo: Repo) -> None:
    repo.commit("Start", {"a": "b"})
    with pytest.raises(NotServedError, match="no remote to ask"):
        ask(repo)
