"""Importing plain files: what is not there is said, what was edited is refused, and nothing is imported by half."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from gitmem.errors import InvalidDataError, NotServedError, UsageError
from gitmem.git.opening import open_repository
from gitmem.model.event import Event, not_saved
from gitmem.store.drafts import Draft
from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.exporting import export_run
from gitmem.usecases.runs.importing import Imported, import_runs
from gitmem.usecases.runs.starting import start_run
from tests.support.repo import Repo, sealed_environment

AT = "2026-07-13T09:28:00+09:00"
ONE = {"seq": 1, "type": "plan_approved", "at": AT, "actor": "human"}
TWO = {"seq": 2, "type": "test_failed", "at": AT, "actor": "test-runner"}


@pytest.fixture(autouse=True)
def _sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in sealed_environment(tmp_path).items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def other(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "other")
    made.commit("first", {"a": "1"})
    return made


@pytest.fixture
def folder(repo: Repo, tmp_path: Path) -> Path:
    """An exported run with an artifact and a decision."""
    repo.commit("first", {"a": "1"})
    with RunLedger.open(repo.path) as ledger:
        run, _ = start_run(ledger, "checkout", actor="human", run="run-1")
        run.append(event_type="plan_approved", actor="codex", artifacts={"plan.json": b"{}", "log": b"one"})
        run.append(event_type="handoff_written", actor="codex", files={"decisions.md": b"none\n"})
        return export_run(ledger, run, tmp_path / "out")


def ledger_file(folder: Path, *events: dict[str, Any], **more: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ledger.json").write_text(json.dumps({"version": 1, "events": list(events), **more}))
    return folder


def imported(repo: Repo, source: Path) -> Imported:
    with RunLedger.open(repo.path) as ledger:
        (one,) = import_runs(ledger, source)
        return one


def events(repo: Repo, run: str) -> tuple[Event, ...]:
    with RunLedger.open(repo.path) as ledger:
        assert ledger.verify(run).problems == ()
        return ledger.run(run).events()


def refs(repo: Repo) -> str:
    return repo.git("for-each-ref", "refs/ai")


def test_events_from_elsewhere_say_nothing_of_the_commit_and_work_tree_here(
    other: Repo, tmp_path: Path
) -> None:
    (other.path / "a").write_text("dirty")
    known = {**TWO, "seq": 3, "code": "a" * 40, "dirty": False, "session": "s1"}
    run = imported(other, ledger_file(tmp_path / "task", ONE, TWO, known)).run
    told = [(event.code, event.dirty, event.session) for event in events(other, run)]
    assert told == [(None, None, None)] * 3 + [("a" * 40, False, "s1")]


def test_an_artifact_without_a_file_stays_named_and_is_told(other: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("secret")
    where = ledger_file(
        tmp_path / "task",
        {
            **ONE,
            "artifacts": ["plan.json", "gone.json", "link", "a/log", "b/log"],
            "artifact": "only-named.txt",
        },
        {**TWO, "artifacts": ["../outside"]},
    )
    (where / "artifacts" / "a").mkdir(parents=True)
    (where / "artifacts" / "b").mkdir()
    (where / "artifacts" / "plan.json").write_text("{}")
    (where / "artifacts" / "a" / "log").write_text("a")
    (where / "artifacts" / "b" / "log").write_text("b")
    (where / "artifacts" / "link").symlink_to(tmp_path / "outside")
    done = imported(other, where)
    assert done.not_saved == {
        "gone.json": "no such file",
        "link": "a symbolic link, which gitmem does not follow",
        "only-named.txt": "no such file",
        "../outside": "not an artifact name",
    }
    first, second = events(other, done.run)[-2:]
    assert first.artifacts == ("plan.json", "log", "b-log")
    assert first.payload["artifact"] == "only-named.txt"
    assert (not_saved(first), not_saved(second)) == (("gone.json", "link"), ("../outside",))
    with RunLedger.open(other.path) as ledger:
        again = export_run(ledger, ledger.run(done.run), tmp_path / "again")
    rows = json.loads((again / "ledger.json").read_text())["events"]
    assert [row.get("not_saved") for row in rows[1:]] == [["gone.json", "link"], ["../outside"]]


def test_a_folder_of_artifacts_that_is_a_link_is_not_followed(other: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "plan.json").write_text("secret")
    where = ledger_file(tmp_path / "task", {**ONE, "artifacts": ["plan.json"]})
    (where / "artifacts").symlink_to(tmp_path / "outside")
    done = imported(other, where)
    assert "symbolic link" in done.not_saved["plan.json"]
    assert events(other, done.run)[-1].artifacts == ()


def test_an_export_without_its_history_keeps_ids_commits_and_large_payloads(
    repo: Repo, tmp_path: Path
) -> None:
    repo.commit("first", {"a": "1"})
    with RunLedger.open(repo.path) as ledger:
        run, _ = start_run(ledger, "checkout", actor="human", run="run-1")
        run.append(event_type="finding_noted", actor="codex", payload={"finding": "x" * 20_000})
        before = run.events()
        where = export_run(ledger, run, tmp_path / "out")
    (where / "history.bundle").unlink()
    (where / "artifacts" / before[1].artifacts[0]).unlink()
    other = Repo(tmp_path / "other")
    assert imported(other, where) == Imported("run-1")
    told = events(other, "run-1")
    assert [(one.id, one.payload, one.code) for one in told] == [
        (one.id, one.payload, one.code) for one in before
    ]


@pytest.mark.parametrize("name", ["artifacts/plan.json", "decisions.md"])
@pytest.mark.parametrize("how", ["edited", "linked"])
def test_what_was_edited_beside_the_history_is_refused(
    folder: Path, other: Repo, name: str, how: str
) -> None:
    if how == "edited":
        (folder / name).write_text("mallory")
    else:
        (folder / name).rename(folder.parent / "aside")
        (folder / name).symlink_to(folder.parent / "aside")
    with pytest.raises(InvalidDataError, match=Path(name).name) as caught:
        imported(other, folder)
    assert caught.value.hint
    assert not refs(other)


def test_what_the_history_does_not_know_is_told_and_what_it_has_may_be_missing(
    folder: Path, other: Repo
) -> None:
    (folder / "artifacts" / "new.txt").write_text("x")
    (folder / "artifacts" / "log").unlink()
    assert imported(other, folder) == Imported("run-1", left_out=("artifacts/new.txt",))
    with RunLedger.open(other.path) as ledger:
        assert ledger.run("run-1").artifact("log") == b"one"


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("cut", "damaged: "),
        ("flipped", "damaged: "),
        ("headless", "damaged: its head has no end"),
        ("garbage", "no git bundle"),
        ("empty", "no git bundle"),
        ("link", "a symbolic link"),
        ("dangling", "a symbolic link"),
        ("folder", "no regular file"),
        ("pipe", "no regular file"),
        ("sha256", "its object format is 'sha256', that of this repository is 'sha1'"),
        ("needs", "needs commits that it does not hold"),
    ],
)
def test_a_history_that_cannot_be_read_is_told_as_a_file(
    folder: Path, other: Repo, damage: str, said: str
) -> None:
    bundle = folder / "history.bundle"
    content = bundle.read_bytes()
    bundle.unlink()
    head, _, _ = content.partition(b"\n\n")
    first, _, rest = content.partition(b"\n")
    made = {
        "cut": content[:-30],
        "flipped": content[: len(head) + 40]
        + bytes([content[len(head) + 40] ^ 1])
        + content[len(head) + 41 :],
        "headless": head,
        "garbage": b"no bundle",
        "empty": b"",
        "sha256": b"# v3 git bundle\n@object-format=sha256\n" + rest,
        "needs": first + b"\n-" + b"a" * 40 + b" x\n" + rest,
    }
    if damage in made:
        bundle.write_bytes(made[damage])
    elif damage == "link":
        (folder.parent / "aside").write_bytes(content)
        bundle.symlink_to(folder.parent / "aside")
    elif damage == "dangling":
        bundle.symlink_to("nowhere")
    elif damage == "folder":
        bundle.mkdir()
    else:
        os.mkfifo(bundle)
    with pytest.raises(InvalidDataError, match=said) as caught:
        imported(other, folder)
    assert (caught.value.path, caught.value.exit_code) == (str(bundle), 3)
    assert caught.value.hint
    assert not refs(other)


def test_all_refs_are_looked_at_before_one_moves(repo: Repo, other: Repo, tmp_path: Path) -> None:
    for _ in range(2):
        with RunLedger.open(repo.path) as ledger:
            ledger.run("run-1").append(event_type="finding_noted", actor="codex")
            where = export_run(ledger, ledger.run("run-1"), tmp_path / "out")
        (repo.path / ".git/gitmem/writer").unlink()
    last = repo.git("for-each-ref", "--format=%(refname)", "refs/ai").splitlines()[-1]
    other.git("update-ref", last, other.head())
    with pytest.raises(NotServedError, match="another history"):
        imported(other, where)
    assert refs(other).split()[2:] == [last]


def test_two_ledgers_that_begin_alike_are_two_runs(other: Repo, tmp_path: Path) -> None:
    one = ledger_file(tmp_path / "one", ONE, TWO)
    two = ledger_file(tmp_path / "two", ONE, {**TWO, "actor": "codex"})
    first, second = imported(other, one).run, imported(other, two).run
    assert first != second
    assert [event.actor for event in events(other, second)] == ["gitmem", "human", "codex"]
    again = ledger_file(tmp_path / "elsewhere" / "one", ONE, {**TWO, "actor": "codex"})
    with pytest.raises(InvalidDataError, match=r"events\[1\] is another than run-20260713-\w+ has") as caught:
        imported(other, again)
    assert "run id of its own" in caught.value.hint
    assert len(events(other, first)) == 3


def test_a_ledger_that_cannot_be_imported_whole_leaves_nothing(other: Repo, tmp_path: Path) -> None:
    bad = {**TWO, "payload": {"command": 3}}
    where = ledger_file(tmp_path / "task", ONE, bad)
    with pytest.raises(InvalidDataError, match=r"events\[1\]: test_failed: command must be text"):
        imported(other, where)
    assert not refs(other)
    assert other.git("count-objects").startswith("3 objects")


def test_many_events_are_appended_in_one_go_and_once(other: Repo, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {**TWO, "seq": seq, "payload": {"command": f"pytest {seq}"}} for seq in range(1, 301)
    ]
    where = ledger_file(tmp_path / "task", *rows[:200], run="run-1")
    imported(other, where)
    assert len(other.git("rev-list", "--all", "--glob=refs/ai").splitlines()) == 202
    with RunLedger.open(other.path) as ledger:
        ledger.run("run-1").append(event_type="finding_noted", actor="codex", id="mine")
    ledger_file(where, *rows, run="run-1")
    imported(other, where)
    imported(other, where)
    told = events(other, "run-1")
    assert [event.seq for event in told] == list(range(1, 303))
    assert [event.payload.get("command") for event in told if event.type == "test_failed"] == [
        row["payload"]["command"] for row in rows
    ]
    other.git("fsck", "--strict")


def test_what_another_clone_has_imported_is_not_doubled(other: Repo, tmp_path: Path) -> None:
    where = ledger_file(tmp_path / "task", ONE, TWO)
    run = imported(other, where).run
    before = refs(other)
    (other.path / ".git/gitmem/writer").unlink()
    assert imported(other, where).run == run
    assert refs(other) == before


@pytest.mark.parametrize("step", ["blobs", "read", "tree", "commit"])
def test_an_import_that_is_stopped_leaves_no_ref(other: Repo, step: str) -> None:
    def stop(at: str) -> None:
        if at == step:
            raise KeyboardInterrupt

    rows = [
        Draft("finding_noted", "codex", {"finding": str(one)}, f"id-{one}", artifacts={"a": b"%d" % one})
        for one in range(3)
    ]
    with RunLedger(RunLedger.open(other.path).repository, step=stop) as ledger:
        with pytest.raises(KeyboardInterrupt):
            ledger.append_all("run-1", rows)
        assert not refs(other)
    with RunLedger.open(other.path) as ledger:
        assert ledger.append_all("run-1", rows) == 3
    assert [event.id for event in events(other, "run-1")] == ["id-0", "id-1", "id-2"]


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_many_events_go_through_the_git_program_alone(tmp_path: Path, form: str) -> None:
    Repo(tmp_path / "seed").git("init", "-q", f"--object-format={form}", str(tmp_path / form))
    rows = [
        Draft("finding_noted", "codex", {"finding": str(one)}, f"id-{one}", artifacts={"a": b"%d" % one})
        for one in range(3)
    ]
    with RunLedger(open_repository(tmp_path / form, prefer="program")) as ledger:
        assert ledger.append_all("run-1", rows) == 3
        assert ledger.append_all("run-1", rows) == 0
        assert [event.id for event in ledger.run("run-1").events()] == ["id-0", "id-1", "id-2"]
        assert ledger.run("run-1").artifact("a") == b"2"
        assert ledger.verify("run-1").ok


def test_one_bad_event_among_many_appends_none(other: Repo) -> None:
    rows = [Draft("finding_noted", "codex", id="a"), Draft("two words", "codex", id="b")]
    with RunLedger.open(other.path) as ledger, pytest.raises(UsageError, match="two words"):
        ledger.append_all("run-1", rows)
    assert not refs(other)
