"""Servers that refuse, hide, keep silent or are of another kind, and what a sync says of them."""

from __future__ import annotations

import socket
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from gitmem.errors import NotServedError
from gitmem.git import transport
from gitmem.git.transport_failures import (
    RefusedError,
    UnreachableError,
    telling_line,
    transport_failure,
)
from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.standing import run_state
from gitmem.usecases.runs.syncing import PUBLIC, unsynced
from tests.support.cli import gitmem
from tests.support.clones import clone, synced
from tests.support.repo import Repo


def note(repo: Repo, text: str = "one", run: str = "run-1") -> None:
    with RunLedger.open(repo.path) as ledger:
        ledger.run(run).append(event_type="finding_noted", actor="human", payload={"finding": text})


def hook(remote: Repo, name: str, text: str) -> None:
    file = remote.path / "hooks" / name
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)


@pytest.fixture
def http(remote: Repo) -> Iterator[str]:
    """The remote over http: whoever likes may list its refs, and nobody may push."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            service = self.path.rpartition("service=")[2]
            may = service == "git-upload-pack"
            self.send_response(200 if may else 403)
            self.send_header("Content-Type", f"application/x-{service}-advertisement")
            self.end_headers()
            if may:
                call = ["git", "upload-pack", "--stateless-rpc", "--advertise-refs", str(remote.path)]
                told = subprocess.run(call, capture_output=True, check=True).stdout
                self.wfile.write(b"001e# service=git-upload-pack\n0000" + told)

        def log_message(self, *_: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/x.git"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_push_that_http_forbids_is_refused_and_not_offline(ada: Repo, http: str) -> None:
    ada.git("remote", "set-url", "origin", http)
    note(ada)
    done = synced(ada)
    (rejected,) = done.rejected
    assert (done.offline, done.waiting) == ("", (rejected.ref,))
    assert "forbidden with these credentials" in rejected.reason
    told = gitmem("sync", at=ada.path)
    assert told.code == 4
    assert "403" in told.out
    assert "nothing new" not in told.out


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("fatal: unable to access 'https://h/x/': The requested URL returned error: 403", RefusedError),
        ("error: RPC failed; HTTP 403 curl 22\nfatal: the remote end hung up unexpectedly", RefusedError),
        ("fatal: unable to access 'https://h/x/': The requested URL returned error: 503", UnreachableError),
        ("ssh: connect to host h port 22: Connection timed out\nfatal: Could not read from remote repository.", UnreachableError),
        ("git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.", RefusedError),
        ("fatal: 'zz' does not appear to be a git repository\nfatal: Could not read from remote repository.", NotServedError),
        ("fatal: the receiving end does not support this repository's hash algorithm\nfatal: the remote end hung up unexpectedly", NotServedError),
    ],
)  # fmt: skip
def test_what_git_says_is_told_apart(said: str, kind: type) -> None:
    assert type(transport_failure("origin", said.encode())) is kind


def test_the_line_that_names_the_host_is_the_reason() -> None:
    said = "ssh: Could not resolve hostname h: Name or service not known\nfatal: Could not read from remote repository.\n"
    assert telling_line(said) == "ssh: Could not resolve hostname h: Name or service not known"
    assert telling_line("") == "no reason given"


@pytest.mark.parametrize("setting", ["", "ssh -4"])
def test_a_server_that_never_answers_is_not_waited_for(
    ada: Repo, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    monkeypatch.setattr(transport, "ANSWER_SECONDS", 0.3)
    if setting:
        ada.git("config", "core.sshCommand", setting)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        ada.git("remote", "set-url", "origin", f"git://127.0.0.1:{silent.getsockname()[1]}/x")
        note(ada)
        done = synced(ada)
        told = gitmem("sync", at=ada.path)
    assert "no answer within 0.3 seconds" in done.offline
    assert len(done.waiting) == 1
    assert told.code == 0
    assert told.out.splitlines()[1] == "1 ref waiting to be sent: gitmem sync again"


def test_limits_that_the_user_configured_stay(ada: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    from gitmem.git.opening import open_repository

    for name in ("GIT_SSH", "GIT_SSH_COMMAND"):
        monkeypatch.delenv(name, raising=False)
    repo = open_repository(ada.path)
    settings, env = transport._patience(repo)
    assert "http.lowSpeedTime=60" in settings
    assert env["GIT_SSH_COMMAND"] == "ssh -o ConnectTimeout=20"
    ada.git("config", "http.https://h/.lowSpeedTime", "5")
    ada.git("config", "core.sshCommand", "ssh -4")
    assert transport._patience(repo) == ((), {})
    ada.git("config", "--unset", "core.sshCommand")
    monkeypatch.setenv("GIT_SSH", "/usr/bin/ssh")
    assert transport._patience(repo) == ((), {})
    repo.close()


def test_what_a_hook_of_the_server_says_is_shown(remote: Repo, ada: Repo) -> None:
    hook(remote, "pre-receive", 'echo "the ledger goes to the private mirror" >&2; exit 1')
    for run in ("run-1", "run-2"):
        note(ada, "one", run)
    done = synced(ada)
    assert len(done.rejected) == 2
    assert all("the ledger goes to the private mirror" in one.reason for one in done.rejected)
    with RunLedger.open(ada.path) as ledger:
        assert len(unsynced(ledger).refused) == 2
        assert "a hook of the server declined it" in run_state(ledger).refused
    told = gitmem("status", at=ada.path)
    assert "the remote refused at the last try" in told.out
    (remote.path / "hooks" / "pre-receive").unlink()
    synced(ada)
    with RunLedger.open(ada.path) as ledger:
        assert run_state(ledger).refused == ""


def test_a_server_that_takes_and_hides_is_told_at_once_and_nothing_vanished(
    remote: Repo, ada: Repo, bo: Repo
) -> None:
    remote.git("config", "uploadpack.hideRefs", "refs/ai")
    note(ada)
    for _ in range(2):
        done = synced(ada)
        assert [one.what for one in done.reported] == ["hidden"]
        assert (done.rejected, done.waiting) == ((), ())
    assert done.pushed == ()
    told = gitmem("sync", at=bo.path)
    assert told.out.startswith("origin: nothing there: no run was sent to it yet, or it hides refs/ai")
    remote.git("config", "--unset", "uploadpack.hideRefs")
    assert synced(ada).reported == ()
    assert len(synced(bo).fetched) == 1


def test_a_server_that_begins_to_hide_everything_is_told_once_in_words(remote: Repo, ada: Repo) -> None:
    note(ada)
    synced(ada)
    remote.git("config", "transfer.hideRefs", "refs/ai")
    done = synced(ada)
    (rejected,) = done.rejected
    assert "hides refs/ai" in rejected.reason
    assert not any("sent again" in one.message for one in done.reported)
    assert gitmem("sync", at=ada.path).code == 4


@pytest.mark.parametrize("is_empty", [True, False])
def test_a_remote_of_another_object_format_is_named(ada: Repo, tmp_path: Path, is_empty: bool) -> None:
    there = Repo(tmp_path / "long.git", bare=True, object_format="sha256")
    if not is_empty:
        other = Repo(tmp_path / "long", object_format="sha256")
        other.commit("first", {"a": "1"})
        other.git("push", "-q", str(there.path), "HEAD:refs/ai/runs/run-9/w1")
    ada.git("remote", "set-url", "origin", str(there.path))
    note(ada)
    with pytest.raises(NotServedError, match="object format"):
        synced(ada)


def test_a_setting_that_names_no_remote_is_named(ada: Repo) -> None:
    ada.git("config", "gitmem.syncRemote", "zz")
    with pytest.raises(NotServedError, match=r"gitmem\.syncRemote names it") as caught:
        synced(ada)
    assert "git config gitmem.syncRemote" in caught.value.hint


def test_whoever_sends_for_the_first_time_is_told_before_who_can_read_it(
    remote: Repo, ada: Repo, bo: Repo
) -> None:
    note(ada)
    synced(ada)
    said: list[str] = []
    synced(bo, before_first=said.append)
    assert said == []
    note(bo, "two")
    hook(remote, "pre-receive", "exit 1")
    synced(bo, before_first=said.append)
    assert said == [PUBLIC]
    (remote.path / "hooks" / "pre-receive").unlink()
    told = gitmem("sync", at=bo.path)
    assert f"note: {PUBLIC}" in told.err
    note(bo, "three")
    assert PUBLIC not in gitmem("sync", at=bo.path).err


def test_nothing_new_is_not_said_above_what_is_wrong(remote: Repo, ada: Repo) -> None:
    note(ada)
    note(ada)
    synced(ada)
    third = clone(remote, "third")
    synced(third)
    assert gitmem("sync", at=third.path).out == "origin: nothing new\n"
    (ref,) = remote.git("for-each-ref", "--format=%(refname)", "refs/ai").split()
    remote.git("update-ref", ref, f"{ref}~1")
    told = gitmem("sync", at=third.path)
    assert told.out.startswith("rewritten: ")
