"""Runs on real repositories: what is appended is what is read, by gitmem and by plain git."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from gitmem.errors import GitmemError, InvalidDataError, NotFoundError, RaceError, UsageError
from gitmem.git.opening import Backend, open_repository
from gitmem.redaction.masking import Masker, masker_of
from gitmem.store.appending import LARGEST_PAYLOAD
from gitmem.store.ledger import RunLedger
from gitmem.wire.locks import acquire_lock, release_lock
from tests.redaction.planted import planted
from tests.support.other_user import as_other_user
from tests.support.repo import Repo, sealed_environment
from tests.support.writers import check_history, ledger

AT = "2026-07-13T09:28:00+09:00"


@pytest.fixture(autouse=True)
def _sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in sealed_environment(tmp_path).items():
        monkeypatch.setenv(name, value)


@pytest.fixture(params=["program", "library"])
def backend(request: pytest.FixtureRequest) -> Backend:
    chosen: Backend = request.param
    return chosen


@pytest.fixture
def book(repo: Repo, backend: Backend) -> RunLedger:
    repo.commit("first", {"a.py": "1"})
    return ledger(repo.path, backend=backend)


def test_an_appended_event_is_read_back(book: RunLedger, repo: Repo) -> None:
    run = book.run("run-1")
    written = [
        run.append(
            event_type="task_created", actor="human", payload={"task": "checkout", "goal": "없앤다"}, at=AT
        ),
        run.append(event_type="plan_approved", actor="human", session="s1", artifacts={"plan.json": b"{}"}),
        run.append(
            event_type="my_own_type", actor="codex", payload={"deep": [{"a": 1.5}, None, True]}, id="mine"
        ),
    ]

    assert list(run.events()) == written
    assert [event.seq for event in written] == [1, 2, 3]
    assert {event.code for event in written} == {repo.head()}
    assert written[0].at == AT
    assert run.artifact("plan.json") == b"{}"
    loaded = run.load()
    assert (loaded.snapshot.task, loaded.snapshot.phase, loaded.problems) == ("checkout", "implementing", ())
    assert run.snapshot() == loaded.snapshot
    assert run.snapshot(at=1).phase == "created"
    assert book.verify("run-1") == (3, ())


def test_plain_git_shows_a_run(book: RunLedger, repo: Repo) -> None:
    run = book.run("run-1")
    run.append(event_type="task_created", actor="human", payload={"task": "checkout"}, at=AT)
    run.append(event_type="handoff_written", actor="codex", files={"handoff.md": b"# Handoff\n"})
    book.set_current(run)

    assert repo.git("show", "AI_RUN:handoff.md") == "# Handoff"
    assert repo.git("log", "--format=%s", "AI_RUN").split("\n") == [
        "#2 handoff_written",
        "#1 task_created: checkout",
    ]
    assert repo.git("log", "-1", "--format=%an %cn %aI %cI", "AI_RUN~1") == f"Ada Tester Ada Tester {AT} {AT}"
    body = repo.git("log", "-1", "--format=%b", "AI_RUN~1")
    assert json.loads(body)["payload"] == {"task": "checkout"}
    assert repo.git("log", "--oneline", "--glob=refs/ai/runs/run-1").count("\n") == 1
    assert repo.git("status", "--porcelain") == ""
    assert repo.git("rev-list", "--count", "HEAD") == "1"


def test_the_pseudo_ref_belongs_to_each_work_tree(book: RunLedger, repo: Repo, tmp_path: Path) -> None:
    book.run("run-1").append(event_type="task_created", actor="human")
    book.run("run-2").append(event_type="task_created", actor="human")
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))
    with ledger(tmp_path / "linked") as other:
        book.set_current(book.run("run-1"))
        other.set_current(other.run("run-2"))

        current, elsewhere = book.current(), other.current()

        assert current is not None
        assert elsewhere is not None
        assert (current.id, elsewhere.id) == ("run-1", "run-2")
        assert other.writer() == book.writer()
        book.set_current(None)
        assert book.current() is None
        assert other.current() is not None
    with pytest.raises(NotFoundError):
        book.set_current(book.run("absent"))


def test_only_session_test_and_handoff_events_say_whether_the_work_tree_is_dirty(
    book: RunLedger, repo: Repo
) -> None:
    run = book.run("run-1")
    types = ["session_started", "test_failed", "handoff_written", "finding_noted"]
    clean = [run.append(event_type=one, actor="codex").dirty for one in types]
    repo.write("a.py", "2")
    dirty = [run.append(event_type=one, actor="codex").dirty for one in types]

    assert clean == [False, False, False, None]
    assert dirty == [True, True, True, None]


def test_a_large_payload_lies_in_the_tree_and_is_read_as_if_it_did_not(book: RunLedger, repo: Repo) -> None:
    payload = {"log": "줄\n" * LARGEST_PAYLOAD, "failing": ["T.x"]}

    event = book.run("run-1").append(event_type="test_failed", actor="test-runner", payload=payload, id="big")

    assert event.artifacts == ("payload-big.json",)
    assert len(repo.git("cat-file", "-p", event.commit)) < 1000
    assert book.run("run-1").events()[0].payload == payload
    failure = book.run("run-1").snapshot().last_failure
    assert failure is not None
    assert (failure.failing, failure.artifact) == (("T.x",), None)
    assert book.verify("run-1").ok
    just_fits = {"log": "x" * (LARGEST_PAYLOAD - 10)}
    assert book.run("run-1").append(event_type="x", actor="a", payload=just_fits).artifacts == ()


def test_an_append_tried_again_with_its_id_is_recognised(
    book: RunLedger, repo: Repo, backend: Backend
) -> None:
    run = book.run("run-1")
    first = run.append(event_type="finding_noted", actor="a", payload={"finding": "x"}, id="call-1")
    run.append(event_type="finding_noted", actor="a")

    again = run.append(event_type="finding_noted", actor="a", payload={"finding": "x"}, id="call-1")
    with ledger(repo.path, backend=backend) as other:
        elsewhere = other.run("run-1").append(event_type="finding_noted", actor="a", id="call-1")

    assert again == elsewhere == first
    assert [event.seq for event in run.events()] == [1, 2]


@pytest.mark.parametrize(
    "given",
    [
        {"event_type": "Bad Type"},
        {"event_type": ""},
        {"actor": "  "},
        {"id": "a b"},
        {"code": "main"},
        {"at": "yesterday"},
        {"at": "2026-07-13T09:28:00"},
        {"payload": {"finding": 3}},
        {"payload": {"x": float("nan")}},
        {"payload": {"x": object()}},
        {"artifacts": {"../x": b""}},
        {"artifacts": {"a/b": b""}},
        {"artifacts": {"more-1": b""}},
        {"artifacts": {".git": b""}},
        {"files": {"ledger.json": b""}},
    ],
)
def test_what_an_event_cannot_have_is_refused_and_nothing_is_written(
    repo: Repo, given: dict[str, object]
) -> None:
    with ledger(repo.path) as book:
        call = {"event_type": "finding_noted", "actor": "a", **given}
        with pytest.raises(UsageError):
            book.run("run-1").append(**call)  # type: ignore[arg-type]  # wrong on purpose

    assert repo.git("for-each-ref") == ""
    assert repo.git("cat-file", "--batch-all-objects", "--batch-check") == ""


def test_names_of_artifacts_and_keys_hold_no_secret_and_stay_apart(book: RunLedger, repo: Repo) -> None:
    run = book.run("run-1")
    one, other = "AKIAABCDEFGHIJKLMNOP", "AKIAABCDEFGHIJKLMNO2"
    event = run.append(
        event_type="artifact_saved",
        actor=f"agent {one}",
        payload={"artifact": f"{one}.log", "deep": [{f"key {other}": 1}]},
        artifacts={f"{one}.log": b"first", f"{other}.log": b"second"},
    )

    assert event.artifacts == ("masked-aws_key.log", "2-masked-aws_key.log")
    assert event.payload == {"artifact": "masked-aws_key.log", "deep": [{"key [masked:aws_key]": 1}]}
    assert (run.artifact("masked-aws_key.log"), run.artifact("2-masked-aws_key.log")) == (b"first", b"second")
    objects = repo.git("cat-file", "--batch-all-objects", "--batch")
    assert "AKIAAB" not in objects + repo.git("ls-tree", "-r", event.commit)


@pytest.mark.parametrize("run", ["", "Run", "-x", "a/b", "a..b", "../x", "x" * 64, "ruń"])
def test_a_run_id_cannot_lead_astray(repo: Repo, run: str) -> None:
    with ledger(repo.path) as book, pytest.raises(UsageError):
        book.run(run)


def test_no_secret_and_no_home_folder_reaches_an_object(book: RunLedger, repo: Repo) -> None:
    masker = masker_of({"DEPLOY_TOKEN": "plain-words-here", "HOME": "/srv/people/ada"})
    secrets = planted(200)
    with RunLedger(book.repository, masker=masker) as sealed:
        run = sealed.run("run-1")
        for number in range(0, 200, 20):
            texts = [text for _, text in secrets[number : number + 20]]
            run.append(
                event_type="finding_noted",
                actor="codex",
                payload={"finding": texts[0], "nested": [{"more": texts[1:8]}]},
                session=texts[8],
                artifacts={"log.txt": "\n".join(texts[9:15]).encode()},
                files={"handoff.md": "\n".join(texts[15:]).encode()},
            )
        last = run.append(event_type="x", actor="a", payload={"t": "plain-words-here /srv/people/ada/x"})

    everything = repo.git("cat-file", "--batch-all-objects", "--batch")
    left = [secret for secret, _ in secrets if any(part in everything for part in secret.split("\n"))]
    assert left == []
    assert "plain-words-here" not in everything
    assert "people/ada" not in everything
    assert last.payload == {"t": "[masked:environment] ~/x"}
    assert last.extra == {"masked": {"environment": 1, "home_path": 1}}


def test_ten_thousand_names_do_not_grow_a_tree(book: RunLedger, repo: Repo) -> None:
    if type(book.repository).__name__ == "ProgramRepository":
        pytest.skip("the same code; 250 processes more")
    run = book.run("run-1")
    for first in range(0, 250, 10):
        names = {f"log-{number}.txt": f"{number}".encode() for number in range(first, first + 10)}
        event = run.append(event_type="artifact_saved", actor="a", artifacts=names)
    book.set_current(run)

    assert event.artifacts[-1] == "more-2/log-249.txt"
    assert repo.git("show", f"AI_RUN:artifacts/{event.artifacts[-1]}") == "249"
    assert repo.git("show", "AI_RUN:artifacts/log-7.txt") == "7"
    listed = [name for event in run.events() for name in event.artifacts]
    assert len(set(listed)) == 250
    sizes = [
        len(repo.git("ls-tree", f"AI_RUN:{folder}").split("\n"))
        for folder in ("artifacts", "artifacts/more-1")
    ]
    assert sizes == [102, 100]
    assert book.verify("run-1").ok


def test_the_same_name_again_takes_the_place_of_the_old_one_which_stays_with_its_event(
    book: RunLedger,
) -> None:
    run = book.run("run-1")
    first = run.append(event_type="test_failed", actor="a", artifacts={"test-result.json": b"1"})
    run.append(event_type="test_passed", actor="a", artifacts={"test-result.json": b"2"})

    assert run.artifact("test-result.json") == b"2"
    assert run.artifact("test-result.json", event=first) == b"1"
    assert run.artifact("never-saved.json") is None


def test_a_fork_has_all_events_up_to_a_seq_and_goes_on_by_itself(book: RunLedger) -> None:
    run = book.run("run-1")
    for kind in ("task_created", "plan_approved", "test_failed"):
        run.append(event_type=kind, actor="a")

    forked = book.fork(run, at=2)
    added = forked.append(event_type="approach_adopted", actor="a", payload={"approach": "x"})

    assert [event.type for event in forked.events()] == ["task_created", "plan_approved", "approach_adopted"]
    assert added.seq == 3
    assert (forked.snapshot().phase, run.snapshot().phase) == ("implementing", "failed_test")
    assert book.verify(forked.id).ok
    assert set(book.runs()) == {"run-1", forked.id}
    with pytest.raises(NotFoundError):
        book.fork(run, at=9)


def test_an_unknown_run_is_not_found_and_has_no_events(book: RunLedger) -> None:
    run = book.run("run-1")

    assert not run.exists()
    assert run.events() == ()
    for ask in (run.load, run.snapshot, run.ref):
        with pytest.raises(NotFoundError, match="run-1"):
            ask()


def test_a_busy_lock_is_a_lost_race_and_nothing_is_half_done(book: RunLedger, repo: Repo) -> None:
    descriptor = acquire_lock(repo.path / ".git" / "gitmem" / "lock", timeout=1)
    try:
        impatient = RunLedger(book.repository, wait=0.05)
        with pytest.raises(RaceError):
            impatient.run("run-1").append(event_type="x", actor="a")
    finally:
        release_lock(descriptor)
    assert repo.git("for-each-ref", "refs/ai") == ""


def test_a_stale_lock_of_a_killed_git_is_recovered(book: RunLedger, repo: Repo) -> None:
    run = book.run("run-1")
    run.append(event_type="x", actor="a")
    lock = repo.path / ".git" / f"{run.ref()}.lock"
    lock.touch()
    os.utime(lock, (1, 1))

    assert run.append(event_type="x", actor="a").seq == 2
    assert not lock.exists()


def test_a_fresh_lock_is_waited_for_until_the_deadline(book: RunLedger, repo: Repo) -> None:
    run = RunLedger(book.repository, wait=0.2).run("run-1")
    run.append(event_type="x", actor="a")
    (repo.path / ".git" / f"{run.ref()}.lock").touch()

    with pytest.raises(RaceError):
        run.append(event_type="x", actor="a")
    assert [event.seq for event in run.events()] == [1]


@pytest.mark.parametrize("situation", ["unborn", "detached", "bare", "subfolder", "sha256", "no identity"])
def test_every_kind_of_repository(tmp_path: Path, situation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = Repo(
        tmp_path / "odd",
        bare=situation == "bare",
        object_format="sha256" if situation == "sha256" else "sha1",
    )
    place = repo.path
    if situation in {"detached", "subfolder"}:
        repo.commit("first", {"deep/a": "1"})
        repo.git("checkout", "-q", "--detach")
        place = repo.path / "deep"
    if situation == "no identity":
        for name in ("GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"):
            monkeypatch.delenv(name)
        repo.git("config", "user.useConfigOnly", "true")

    with RunLedger.open(place) as book:
        run = book.run("run-1")
        event = run.append(event_type="test_passed", actor="a", artifacts={"log": b"x"})
        book.set_current(run)

    assert (event.code is not None) == (situation in {"detached", "subfolder"})
    events = check_history(repo, "run-1", {"a": [event.commit]})
    assert events == [event]
    assert repo.git("show", "AI_RUN:artifacts/log") == "x"


def test_times_that_git_cannot_hold_do_not_keep_an_event_from_being_written(
    book: RunLedger, repo: Repo
) -> None:
    run = book.run("run-1")
    for at in ("1950-01-01T00:00:00+00:00", "2126-01-01T00:00:00-11:30", "9999-12-31T23:59:59+00:00"):
        assert run.append(event_type="x", actor="a", at=at).at == at

    assert [event.seq for event in run.events()] == [1, 2, 3]
    assert repo.git("fsck", "--full", "--strict") == ""


def test_a_copied_clone_writes_to_a_ref_of_its_own(book: RunLedger, repo: Repo, tmp_path: Path) -> None:
    book.run("run-1").append(event_type="task_created", actor="a")
    shutil.copytree(repo.path, tmp_path / "copy")
    book.run("run-1").append(event_type="plan_approved", actor="a")

    with ledger(tmp_path / "copy") as copied:
        event = copied.run("run-1").append(event_type="plan_approved", actor="a")

        assert event.writer != book.writer()
        assert event.seq == 2
        assert len(copied.run("run-1").tips()) == 2
        assert copied.verify("run-1").ok


def test_a_missing_own_tip_stops_the_writer(repo: Repo, backend: Backend) -> None:
    with ledger(repo.path, backend=backend) as book:
        event = book.run("run-1").append(event_type="x", actor="a")
    (repo.path / ".git" / "objects" / event.commit[:2] / event.commit[2:]).unlink()

    with ledger(repo.path, backend=backend) as book, pytest.raises(GitmemError, match=event.commit):
        book.run("run-1").append(event_type="x", actor="a")


@pytest.mark.parametrize("part", ["", "gitmem", "objects", "refs"])
def test_a_read_only_repository_is_told_and_can_still_be_read(
    book: RunLedger, repo: Repo, backend: Backend, part: str
) -> None:
    book.run("run-1").append(event_type="x", actor="a")
    book.close()

    def work(path: Path) -> tuple[str, int]:
        top = path / ".git" / part
        folders = [path for path in (top, *top.rglob("*")) if path.is_dir()]
        files = [path for path in top.rglob("lock") if path.is_file()]
        for one in (*folders, *files):
            one.chmod(0o500)
        try:
            with ledger(path, backend=backend, wait=0.2) as again:
                with pytest.raises(GitmemError) as told:
                    again.run("run-1").append(event_type="x", actor="a", payload={"new": part})
                return told.value.message, len(again.run("run-1").events())
        finally:
            for one in (*folders, *files):
                one.chmod(0o700)

    message, count = as_other_user(work, repo.path)
    assert count == 1
    assert message


def test_nothing_is_appended_to_a_tip_that_is_no_event(book: RunLedger, repo: Repo) -> None:
    run = book.run("run-1")
    run.append(event_type="x", actor="a")
    repo.git("update-ref", run.ref(), "HEAD")

    with pytest.raises(InvalidDataError, match="cannot be read"):
        run.append(event_type="x", actor="a")


def test_the_default_masker_masks_by_rules(repo: Repo) -> None:
    with RunLedger(open_repository(repo.path)) as book:
        event = book.run("run-1").append(event_type="x", actor="a", payload={"k": "AKIAABCDEFGHIJKLMNOP"})

    assert event.payload == {"k": "[masked:aws_key]"}
    assert Masker().mask("nothing").text == "nothing"
