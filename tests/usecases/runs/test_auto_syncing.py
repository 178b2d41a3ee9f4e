"""Syncing without being asked: at the end of a run, or beside a push."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gitmem.errors import UsageError
from gitmem.git.opening import open_repository
from gitmem.store.ledger import RunLedger
from gitmem.usecases.hooks import hook_states, install, uninstall
from gitmem.usecases.runs.auto_syncing import auto_sync, auto_sync_setting
from gitmem.usecases.runs.starting import start_run
from gitmem.wire.locks import acquire_lock, release_lock
from tests.support.cli import gitmem
from tests.support.clones import refs
from tests.support.repo import Repo


@pytest.fixture
def pushing(ada: Repo) -> Repo:
    """A clone that syncs beside each push, with a run."""
    ada.git("config", "gitmem.autoSync", "pre-push")
    install(open_repository(ada.path))
    with RunLedger.open(ada.path) as ledger:
        start_run(ledger, "task", actor="human", run="run-1")
    return ada


@contextmanager
def told(pipe: Path) -> Iterator[list[str]]:
    """What somebody in the background writes into a pipe, once it has."""
    os.mkfifo(pipe)
    descriptor = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    said: list[str] = []
    try:
        yield said
        ready, _, _ = select.select([descriptor], [], [], 60)
        assert ready, "nobody wrote"
        said.append(os.read(descriptor, 4096).decode())
    finally:
        os.close(descriptor)


@contextmanager
def received(remote: Repo) -> Iterator[None]:
    """Goes on when the remote has received refs of the ledger."""
    pipe = remote.path / "pipe"
    hook = remote.path / "hooks" / "post-receive"
    hook.write_text(f"#!/bin/sh\ngrep -q refs/ai/ && echo ledger >{pipe}\nexit 0\n")
    hook.chmod(0o755)
    with told(pipe) as said:
        yield
    assert said == ["ledger\n"]


def test_off_is_the_default_and_other_words_are_refused(ada: Repo) -> None:
    with RunLedger.open(ada.path) as ledger:
        assert auto_sync_setting(ledger.repository) == "off"
        assert auto_sync(ledger, "session-end") == auto_sync(ledger, "pre-push") == (None, "")
        ada.git("config", "gitmem.autoSync", "always")
        with pytest.raises(UsageError, match="'always'"):
            auto_sync_setting(ledger.repository)
        assert "always" in auto_sync(ledger, "session-end").failed


def test_the_end_of_a_run_syncs_where_that_is_configured(remote: Repo, ada: Repo) -> None:
    for setting in ("pre-push", "off", "session-end"):
        ada.git("config", "gitmem.autoSync", setting)
        assert not refs(remote)
        assert gitmem("run", "start", "task", at=ada.path).code == 0
        done = gitmem("run", "end", "--json", at=ada.path)
        assert done.code == 0
    assert refs(remote) == refs(ada)
    assert "3 refs pushed" in done.err


def test_a_remote_that_fails_fails_no_end(ada: Repo) -> None:
    ada.git("config", "gitmem.autoSync", "session-end")
    ada.git("remote", "set-url", "origin", "/nowhere")
    gitmem("run", "start", "task", at=ada.path)
    done = gitmem("run", "end", at=ada.path)
    assert (done.code, "not synced" in done.err) == (0, True)
    ada.git("remote", "remove", "origin")
    gitmem("run", "start", "task", at=ada.path)
    done = gitmem("run", "end", at=ada.path)
    assert (done.code, "not synced" in done.err) == (0, True)


def test_the_hook_is_installed_only_where_it_is_configured(ada: Repo) -> None:
    repository = open_repository(ada.path)
    assert "pre-push" not in [one.hook for one in install(repository)]
    ada.git("config", "gitmem.autoSync", "pre-push")
    before = (ada.path / ".git" / "hooks" / "pre-push").exists()
    assert ("pre-push", "added") in [(one.hook, one.state) for one in install(repository)]
    assert ("pre-push", "installed") in [(one.hook, one.state) for one in hook_states(repository)]
    ada.git("config", "--unset", "gitmem.autoSync")
    assert "pre-push" in [one.hook for one in uninstall(repository)]
    assert (before, (ada.path / ".git" / "hooks" / "pre-push").exists()) == (False, False)


def test_a_push_sends_the_ledger_beside_it(remote: Repo, pushing: Repo) -> None:
    pushing.commit("second", {"a": "2"})
    with received(remote):
        pushing.git("push", "-q", "origin", "main")
    assert refs(remote) == refs(pushing)
    assert not (pushing.path / ".git" / "gitmem" / "hook.log").exists()


def test_a_hook_that_stood_there_gets_its_input_and_decides(remote: Repo, pushing: Repo) -> None:
    uninstall(open_repository(pushing.path))
    hook = pushing.path / ".git" / "hooks" / "pre-push"
    hook.write_text("#!/bin/sh\ncat >seen\nexit 1\n")
    hook.chmod(0o755)
    install(open_repository(pushing.path))
    pushing.commit("second", {"a": "2"})
    before = remote.git("rev-parse", "main")
    with received(remote):
        pushing.git("push", "-q", "origin", "main", check=False)
    assert pushing.read("seen").startswith("refs/heads/main ")
    assert remote.git("rev-parse", "main") == before
    assert refs(remote) == refs(pushing)


def test_a_sync_that_goes_wrong_fails_no_push_and_leaves_a_line(remote: Repo, pushing: Repo) -> None:
    pushing.git("config", "gitmem.syncRemote", "/nowhere")
    pushing.commit("second", {"a": "2"})
    with told(pushing.path / ".git" / "gitmem" / "hook.log") as said:
        pushing.git("push", "-q", "origin", "main")
    assert remote.git("rev-parse", "main") == pushing.head()
    assert "/nowhere" in said[0]


def test_one_sync_at_a_time_and_none_that_was_switched_off(
    remote: Repo, pushing: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gitmem.githooks import SYNC_LOCK, sync_beside_push

    monkeypatch.chdir(pushing.path)
    held = acquire_lock(pushing.path / ".git" / SYNC_LOCK, timeout=1)
    sync_beside_push()
    release_lock(held)
    assert not refs(remote)
    pushing.git("config", "gitmem.autoSync", "off")
    sync_beside_push()
    assert not refs(remote)
    pushing.git("config", "gitmem.autoSync", "pre-push")
    sync_beside_push()
    assert refs(remote) == refs(pushing)
