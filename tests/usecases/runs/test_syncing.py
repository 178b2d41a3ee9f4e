"""Exchanging the ledger, on real clones with real remotes."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path

import pytest

from gitmem.errors import NotFoundError, NotServedError
from gitmem.git.transport_failures import RefusedError
from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.exchange import Synced
from gitmem.usecases.runs.starting import start_run
from gitmem.usecases.runs.syncing import sync, unsynced
from tests.support.clones import clone, refs, synced, writer
from tests.support.repo import Repo


def note(repo: Repo, text: str, run: str = "run-1") -> None:
    with RunLedger.open(repo.path) as ledger:
        ledger.run(run).append(event_type="finding_noted", actor="human", payload={"finding": text})


def log(repo: Repo, run: str = "run-1") -> list[tuple[int, str, str]]:
    with RunLedger.open(repo.path) as ledger:
        assert ledger.verify(run).ok
        return [(one.seq, one.writer, one.payload["finding"]) for one in ledger.run(run).events()]


def untouched(repo: Repo) -> tuple[str, str, str]:
    """What a sync must never change: branches, the index and the configuration."""
    return (
        repo.git("for-each-ref", "refs/heads", "refs/remotes", "refs/tags"),
        repo.git("ls-files", "-s"),
        (repo.path / ".git" / "config").read_text(),
    )


def test_two_clones_that_worked_offline_show_the_same_log(remote: Repo, ada: Repo, bo: Repo) -> None:
    note(ada, "one")
    assert synced(ada).is_first
    assert len(synced(bo).fetched) == 1
    before = untouched(ada), untouched(bo)
    for number in range(3):
        note(ada, f"ada {number}")
        note(bo, f"bo {number}")
    for each in (ada, bo, ada):
        done = synced(each)
        assert not done.rejected
        assert not done.reported
        assert not done.waiting

    assert log(ada) == log(bo)
    assert log(ada)[0][2] == "one"
    assert len(log(ada)) == 7
    assert refs(ada) == refs(bo) == refs(remote)
    assert (untouched(ada), untouched(bo)) == before
    assert synced(ada) == Synced("origin")


def test_nothing_new_talks_to_the_remote_once(ada: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    note(ada, "one")
    synced(ada)
    from gitmem.git.runner import Runner

    talks: list[str] = []
    run = Runner.run

    def counted(self: Runner, *arguments: str, **given: object) -> object:
        talks.extend(word for word in arguments if word in {"ls-remote", "fetch", "push"})
        return run(self, *arguments, **given)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(Runner, "run", counted)
    synced(ada)
    assert talks == ["ls-remote"]


def test_prune_mirror_and_push_settings_of_the_user_change_nothing(ada: Repo, bo: Repo) -> None:
    for key, value in {
        "fetch.prune": "true",
        "fetch.pruneTags": "true",
        "remote.origin.mirror": "true",
        "push.followTags": "true",
        "push.default": "matching",
        "push.pushOption": "ci.skip",
        "push.gpgSign": "if-asked",
        "push.recurseSubmodules": "check",
        "remote.origin.tagOpt": "--tags",
    }.items():
        ada.git("config", key, value)
    note(ada, "unsent", "run-2")
    note(ada, "one")
    note(bo, "two")
    synced(bo)
    done = synced(ada)
    assert (len(done.fetched), len(done.pushed)) == (1, 2)
    assert not ada.git("for-each-ref", "refs/tags")
    ada.git("config", "--unset", "remote.origin.mirror")
    ada.git("fetch", "-q", "--prune", "origin")
    assert len(refs(ada)) == 3


def test_a_remote_that_rewrote_a_ref_is_reported_and_the_others_arrive(
    remote: Repo, ada: Repo, bo: Repo
) -> None:
    for run in ("run-1", "run-2"):
        note(ada, "one", run)
        note(ada, "two", run)
    synced(ada)
    synced(bo)
    ref = f"refs/ai/runs/run-1/{writer(ada)}"
    note(ada, "three", "run-2")
    synced(ada)
    remote.git("update-ref", ref, f"{ref}~1")
    older = synced(bo)
    assert [(one.ref, one.what) for one in older.reported] == [(ref, "rewritten")]
    assert "moved back" in older.reported[0].message
    assert len(older.fetched) == 1
    assert synced(bo).reported == ()
    tree = remote.git("rev-parse", f"{ref}^{{tree}}")
    forged = remote.git("commit-tree", tree, "-p", ref, "-m", "#2 finding_noted: forged")
    remote.git("update-ref", ref, forged)
    (told,) = synced(bo).reported
    assert (told.ref, told.what) == (ref, "rewritten")
    assert len(log(bo)) == 2
    (told,) = synced(ada).reported
    assert (told.ref, told.what) == (ref, "rewritten")
    assert remote.git("rev-parse", ref) == forged


def test_a_ref_that_vanished_is_reported_and_an_own_one_is_sent_again(
    remote: Repo, ada: Repo, bo: Repo
) -> None:
    note(ada, "one")
    synced(ada)
    synced(bo)
    ref = f"refs/ai/runs/run-1/{writer(ada)}"
    remote.git("update-ref", "-d", ref)
    (told,) = synced(bo).reported
    assert (told.ref, told.what) == (ref, "vanished")
    assert ref in refs(bo)
    done = synced(ada)
    assert ([one.what for one in done.reported], done.pushed) == (["vanished"], (ref,))
    assert synced(bo).reported == ()


def test_a_server_that_declines_says_why_and_the_rest_is_sent(remote: Repo, ada: Repo) -> None:
    hook = remote.path / "hooks" / "update"
    hook.write_text('#!/bin/sh\ncase $1 in *run-2*) echo "no run-2 here" >&2; exit 1;; esac\n')
    hook.chmod(0o755)
    for run in ("run-1", "run-2", "run-3"):
        note(ada, "one", run)
    done = synced(ada)
    assert len(done.pushed) == 2
    (rejected,) = done.rejected
    assert "run-2" in rejected.ref
    assert "a hook of the server declined it" in rejected.reason
    assert done.waiting == (rejected.ref,)


@pytest.mark.parametrize("url", ["https://localhost:9/nothing.git", "git://127.0.0.1:9/x"])
def test_offline_is_no_error_and_what_waits_is_counted(ada: Repo, url: str) -> None:
    ada.git("remote", "set-url", "origin", url)
    note(ada, "one")
    done = synced(ada)
    assert done.offline
    assert len(done.waiting) == 1


def test_no_remote_and_no_such_remote_are_errors_with_a_cure(repo: Repo, ada: Repo) -> None:
    with RunLedger.open(repo.path) as ledger:
        with pytest.raises(NotFoundError, match="no remote"):
            sync(ledger)
        assert unsynced(ledger).refs == ()
    with pytest.raises((NotServedError, RefusedError), match="nowhere"):
        synced(ada, "nowhere")
    with pytest.raises((NotServedError, RefusedError)):
        synced(ada, "--upload-pack=touch canary")
    assert not (ada.path / "canary").exists()


def test_a_private_remote_of_its_own_takes_the_ledger(ada: Repo, tmp_path: Path) -> None:
    private = Repo(tmp_path / "private.git", bare=True)
    ada.git("remote", "add", "private", str(private.path))
    ada.git("config", "gitmem.syncRemote", "private")
    note(ada, "one")
    assert synced(ada).remote == "private"
    assert refs(private) == refs(ada)


def test_each_remote_is_remembered_for_itself(remote: Repo, ada: Repo, tmp_path: Path) -> None:
    second = Repo(tmp_path / "second.git", bare=True)
    ada.git("remote", "add", "second", str(second.path))
    note(ada, "one")
    synced(ada, "origin")
    with RunLedger.open(ada.path) as ledger:
        assert unsynced(ledger, "origin").refs == ()
        assert len(unsynced(ledger, "second").refs) == 1
    assert len(synced(ada, "second").pushed) == 1
    assert refs(second) == refs(remote)


def test_a_copied_clone_writes_under_its_own_id(remote: Repo, ada: Repo) -> None:
    note(ada, "one")
    synced(ada)
    shutil.copytree(ada.path, ada.path.parent / "copy")
    copy = Repo(ada.path.parent / "copy", init=False)
    note(ada, "ada")
    note(copy, "copy")
    for each in (ada, copy, ada):
        done = synced(each)
        assert (done.rejected, done.reported) == ((), ())
    assert log(ada) == log(copy)
    assert len({one for _, one, _ in log(ada)}) == 2


def test_what_a_moved_clone_had_not_sent_is_sent_from_its_new_place(remote: Repo, ada: Repo) -> None:
    note(ada, "unsent")
    ada.path.rename(ada.path.parent / "moved")
    moved = Repo(ada.path.parent / "moved", init=False)
    note(moved, "after")
    assert len(synced(moved).pushed) == 2
    assert refs(remote) == refs(moved)


def test_runs_of_earlier_days_are_left_out_and_named(ada: Repo, bo: Repo) -> None:
    for run in ("run-20260101-aaaaa", "run-20260801-bbbbb", "inbox"):
        note(ada, "one", run)
    synced(ada)
    done = synced(bo, since=date(2026, 7, 1))
    assert done.left_out == ("run-20260101-aaaaa",)
    assert {ref.split("/")[3] for ref in refs(bo)} == {"run-20260801-bbbbb", "inbox"}
    assert len(synced(bo).fetched) == 1


def test_refs_of_other_tools_and_odd_names_are_not_taken(remote: Repo, ada: Repo) -> None:
    head = remote.git("rev-parse", "main")
    for ref in ("refs/ai/other/x", "refs/ai/runs/flat", "refs/ai/runs/a/b/c", "refs/ai/runs/UP/w1"):
        remote.git("update-ref", ref, head)
    assert synced(ada) == Synced("origin", is_empty=True)
    assert refs(ada) == {}


def test_a_push_that_is_cut_leaves_nothing_half_done(remote: Repo, ada: Repo) -> None:
    hook = remote.path / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\nkill -9 $PPID\n")
    hook.chmod(0o755)
    note(ada, "one")
    done = synced(ada)
    assert done.offline or done.rejected
    assert len(done.waiting) == 1
    hook.unlink()
    assert len(synced(ada).pushed) == 1
    assert refs(remote) == refs(ada)


@pytest.mark.parametrize("options", [["--depth=1"], ["--filter=blob:none"], ["--bare"], ["--no-checkout"]])
def test_every_kind_of_clone_takes_part(remote: Repo, ada: Repo, options: list[str]) -> None:
    note(ada, "one")
    synced(ada)
    remote.git("config", "uploadpack.allowFilter", "true")
    other = clone(remote, "other", *options)
    assert len(synced(other).fetched) == 1
    note(other, "two")
    synced(other)
    synced(ada)
    assert [text for _, _, text in log(ada)] == [text for _, _, text in log(other)] == ["one", "two"]


def test_a_damaged_memory_of_the_remote_is_no_memory(ada: Repo) -> None:
    note(ada, "one")
    synced(ada)
    (file,) = (ada.path / ".git/gitmem/remotes").iterdir()
    assert "origin" not in file.read_text()
    for text in ("", "[]", json.dumps({"seen": {"refs/ai/runs/run-1/x": "no commit"}})):
        file.write_text(text)
        assert synced(ada).reported == ()


def test_a_detached_session_syncs_with_origin(ada: Repo) -> None:
    ada.git("checkout", "-q", "--detach")
    with RunLedger.open(ada.path) as ledger:
        start_run(ledger, "task", actor="human")
    assert synced(ada).remote == "origin"


@pytest.fixture
def four(remote: Repo) -> list[Repo]:
    return [clone(remote, f"clone-{number}") for number in range(4)]


def test_four_clones_lose_and_double_nothing(remote: Repo, four: list[Repo]) -> None:
    for turn in range(3):
        for number, each in enumerate(four):
            note(each, f"{number} {turn}")
            if (turn + number) % 2:
                assert not synced(each).rejected
    for each in (*four, *four):
        synced(each)
    logs = [log(each) for each in four]
    assert all(one == logs[0] for one in logs)
    assert sorted(text for _, _, text in logs[0]) == sorted(f"{n} {t}" for n in range(4) for t in range(3))
    assert all(refs(each) == refs(remote) for each in four)
    remote.git("fsck", "--strict", "--no-dangling")
