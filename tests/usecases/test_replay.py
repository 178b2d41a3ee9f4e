"""Probes of memories and candidates run for real in clean checkouts, and what follows from what they say."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from gitmem.errors import NotFoundError, NotServedError
from gitmem.git.opening import open_repository
from gitmem.model.event import Event
from gitmem.model.memory import Evidence, Kind, Memory, Scope, Status, Verification
from gitmem.promotion.replayed import newest_replay, replay_holds, replayed_blobs
from gitmem.store.ledger import RunLedger
from gitmem.usecases.candidates import load_candidates, record_candidate
from gitmem.usecases.listing import load_listing
from gitmem.usecases.replay import Replayed, ReplayRequest, Watcher, exit_code, replay
from gitmem.usecases.runs.inbox import inbox
from gitmem.usecases.runs.recording import Teller
from tests.support.drifting import confirmed, judged, shallow
from tests.support.memories import hosted, memory, path_of
from tests.support.repo import Repo

NOW = datetime.fromisoformat("2026-07-20T10:00:00+09:00")
TELLER = Teller("codex", "s-1")
TWICE = "def send(order):\n    ship(order)\n    ship(order)\n"
ONCE = "def send(order):\n    ship(order)\n"
CHECK = 'test "$(grep -c "ship(order)" src/shop.py)" = 1\n'
ABOUT = "'`send` ships an order once'"


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where checkouts are made; nothing of them may be left there."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


def lesson(probe: str | None = None, **fields: str) -> str:
    if probe is not None:
        fields["verification"] = f"{{probe: '{probe}'}}"
    return memory(summary=ABOUT, **fields)


def about(repo: Repo, probe: str | None, **fields: str) -> str:
    """Commit a memory with a probe; give the commit."""
    return repo.commit("Remember", {"src/shop.py": ONCE, path_of(): lesson(probe, **fields)})


def fixed(repo: Repo) -> str:
    """Commit a mistake and its fix, which brings the test; give the fix."""
    repo.commit("Start", {"src/shop.py": TWICE, "README.md": "# Shop\n"})
    return repo.commit("Fix", {"src/shop.py": ONCE, "tests/check.sh": CHECK})


def replayed(
    repo: Repo, *ids: str, limit: float | None = 30, watcher: Watcher | None = None
) -> tuple[Replayed, ...]:
    with open_repository(repo.path) as repository, RunLedger.open(repo.path) as ledger:
        request = ReplayRequest(ids or ("m-001",), "Ada", TELLER, NOW, limit)
        return replay(repository, ledger, request, watcher)


def one(repo: Repo, *ids: str, limit: float | None = 30, watcher: Watcher | None = None) -> Replayed:
    (found,) = replayed(repo, *ids, limit=limit, watcher=watcher)
    return found


def outcomes(found: Replayed) -> list[tuple[str, str]]:
    return [(side.role, side.outcome.value) for side in found.card.sides]


def log_of(repo: Repo, found: Replayed, name: str = "replay-m-001-head.log") -> str:
    assert found.event is not None
    return repo.git("show", f"{found.event.commit}:artifacts/{name}")


def events(repo: Repo) -> list[Event]:
    with RunLedger.open(repo.path) as ledger:
        return list(inbox(ledger).events())


# verdicts and what follows
def test_a_probe_that_fails_before_the_fix_and_passes_after_it_is_strong(repo: Repo) -> None:
    fix = fixed(repo)
    head = about(repo, "sh tests/check.sh", evidence=f"{{commits: [{fix}]}}")

    found = one(repo)

    assert found.card.verdict == "strong"
    assert outcomes(found) == [("before", "failed"), ("after", "passed"), ("head", "passed")]
    assert [side.at for side in found.card.sides] == [repo.git("rev-parse", f"{fix}~1"), fix, head]
    assert found.card.sides[0].taken == ("tests/check.sh",)
    assert exit_code([found]) == 0


def test_the_code_itself_is_never_taken_from_the_fix(repo: Repo) -> None:
    fix = fixed(repo)
    probe = 'test "$(grep -c "ship(order)" src/shop.py)" = 1'
    about(repo, probe, evidence=f"{{commits: [{fix}]}}")

    assert outcomes(one(repo))[0] == ("before", "failed")


def test_a_script_that_the_fix_brought_and_the_probe_runs_is_taken_from_it(repo: Repo) -> None:
    repo.commit("Start", {"src/shop.py": TWICE})
    fix = repo.commit("Fix", {"src/shop.py": ONCE, "tools/check.sh": CHECK})
    about(repo, "sh -e ./tools/check.sh", evidence=f"{{commits: [{fix}]}}")

    assert one(repo).card.verdict == "strong"


def test_a_fix_that_is_head_is_run_on_its_two_sides_alone(repo: Repo) -> None:
    repo.commit("Start", {"src/shop.py": TWICE, path_of(): lesson("sh tests/check.sh")})
    fix = repo.commit("Fix", {"src/shop.py": ONCE, "tests/check.sh": CHECK})
    candidate(repo, "sh tests/check.sh", fix)

    found = one(repo, "candidate-1")

    assert (found.card.verdict, outcomes(found)) == ("strong", [("before", "failed"), ("after", "passed")])


def test_passing_at_head_writes_a_validation_and_takes_a_challenge_back(repo: Repo) -> None:
    about(repo, "grep -q ship src/shop.py")
    confirmed(repo.path)
    repo.commit("Change", {"src/shop.py": "def send(order):\n    log(order)\n    ship(order)\n"})
    assert judged(repo.path).status == "challenged"

    found = one(repo)

    assert (found.card.verdict, found.move) == ("passed", None)
    assert found.validation is not None
    assert "how: replay\n" in repo.read(found.validation)
    repo.commit("Validate")
    assert judged(repo.path).status == "active"
    assert [event.type for event in events(repo)] == ["promotion_decided", "memory_confirmed"]


def test_failing_challenges_what_was_active_and_deprecates_what_was_challenged(repo: Repo) -> None:
    about(repo, "grep -q nowhere src/shop.py")

    first = one(repo)
    assert first.move is not None
    assert (first.card.verdict, first.move.old, first.move.new) == (
        "failed",
        Status.ACTIVE,
        Status.CHALLENGED,
    )
    assert "status: challenged\n" in repo.read(path_of())
    assert "replay failed: exit 1" in repo.read(path_of())
    assert exit_code([first]) == 1

    repo.commit("Challenge")
    second = one(repo)
    assert second.move is not None
    assert (second.move.old, second.move.new) == (Status.CHALLENGED, Status.DEPRECATED)
    assert "status: deprecated\n" in repo.read(path_of())
    assert not (repo.path / ".ai/validations").exists()


CANNOT_RUN = {
    "no-such-tool --check": "command missing or refused",
    "./src/shop.py": "permission missing or refused",
    "kill -9 $$": "signal 9 ended it",
    "kill -9 $PPID; sleep 300": "it killed what watched it",
    "sleep 300": "it did not end within 0.2 s",
}


def test_a_probe_that_cannot_run_is_unknown_and_changes_nothing(repo: Repo) -> None:
    ids = [f"m-{number}00" for number, _ in enumerate(CANNOT_RUN, 1)]
    files = {
        path_of(name): memory(name, verification=f"{{probe: '{probe}'}}")
        for name, probe in zip(ids, CANNOT_RUN, strict=True)
    }
    repo.commit("Remember", {"src/shop.py": ONCE, **files})

    found = (*replayed(repo, *ids[:-1]), *replayed(repo, ids[-1], limit=0.2))

    for each, reason in zip(found, CANNOT_RUN.values(), strict=True):
        assert each.card.verdict == "unknown"
        assert reason in each.card.sides[0].reason
        assert (each.validation, each.move) == (None, None)
    assert exit_code(found) == 3
    assert repo.git("status", "--porcelain") == ""
    assert {event.type for event in events(repo)} == {"promotion_decided"}


def test_a_memory_without_a_probe_is_unknown_and_not_recorded(repo: Repo) -> None:
    about(repo, None)

    found = one(repo)

    assert (found.card.verdict, found.card.sides, found.event) == ("unknown", (), None)
    assert found.notes == ("it names no probe: write verification.probe",)


def test_what_is_retired_is_replayed_and_stays_so(repo: Repo) -> None:
    about(repo, "true", status="deprecated")

    found = one(repo)

    assert (found.card.verdict, found.validation, found.notes) == (
        "passed",
        None,
        ("it is deprecated, and stays so",),
    )


# candidates
def candidate(repo: Repo, probe: str, fixed_by: str | None = None, *, evidence: tuple[str, ...] = ()) -> None:
    proposed = Memory(
        id="candidate-1",
        file="",
        kind=Kind.PITFALL,
        type="verified_fix_pattern",
        status=Status.CANDIDATE,
        summary="An order is shipped once",
        scope=Scope(paths=("src/**",), does_not_apply_to=("none",)),
        evidence=Evidence(commits=evidence),
        verification=Verification(probe=probe),
    )
    with RunLedger.open(repo.path) as ledger:
        record_candidate(inbox(ledger), proposed, TELLER, fixed_by=fixed_by)


def newest(repo: Repo) -> Any:
    with RunLedger.open(repo.path) as ledger:
        found = load_candidates(ledger).by_id["candidate-1"]
    return newest_replay(found.decisions, found.commit)


def test_a_candidate_gets_the_scorecard_of_exactly_its_words(repo: Repo) -> None:
    fix = fixed(repo)
    repo.commit("Later", {"README.md": "# The shop\n"})
    candidate(repo, "sh tests/check.sh", fix)

    found = one(repo, "candid")  # the beginning of its id

    card = newest(repo)
    assert replay_holds(card)
    assert (card["verdict"], card["command"]) == ("strong", "sh tests/check.sh")
    assert [(side["role"], side["outcome"]) for side in card["sides"]] == outcomes(found)
    assert repo.git("status", "--porcelain") == ""
    candidate(repo, "true")  # other words under the same id
    assert newest(repo) is None


def test_a_fix_that_is_no_commit_here_leaves_head_to_decide(repo: Repo) -> None:
    fixed(repo)
    for fix in ("f" * 40, "main"):  # a branch may name anything tomorrow
        candidate(repo, "sh tests/check.sh", fix)

        found = one(repo, "candidate-1")

        assert found.card.verdict == "passed"
        assert outcomes(found) == [("before", "unknown"), ("after", "unknown"), ("head", "passed")]
        assert "is not in this clone" in found.card.sides[0].reason


def test_a_shallow_clone_says_how_to_get_the_side_that_is_cut_off(repo: Repo, tmp_path: Path) -> None:
    fix = fixed(repo)
    cut = shallow(repo, tmp_path / "cut")
    candidate(cut, "sh tests/check.sh", evidence=(fix,))

    found = one(cut, "candidate-1")

    assert found.card.sides[0].reason == "history is cut here: git fetch --unshallow"
    assert (found.card.verdict, outcomes(found)[1]) == ("passed", ("after", "passed"))


def test_a_head_without_the_fix_says_so(repo: Repo) -> None:
    start = repo.commit("Start", {"src/shop.py": TWICE})
    fix = repo.commit("Fix", {"src/shop.py": ONCE, "tests/check.sh": CHECK})
    repo.git("checkout", "-q", "--detach", start)
    candidate(repo, "sh tests/check.sh", fix)

    found = one(repo, "candidate-1")

    assert outcomes(found)[:2] == [("before", "failed"), ("after", "passed")]
    assert found.card.sides[2].notes == (f"HEAD does not contain the fixing commit {fix[:12]}",)


# whose probe
POLICY = ".ai/policies/memory-policy.yaml"


def test_a_name_is_looked_up_in_the_policy_that_the_trusted_branch_holds(tmp_path: Path) -> None:
    policy = "version: 1\nprobes: {unit: grep -q ship src/shop.py}\nbudgets: {replay_seconds: 7}\n"
    _, clone = hosted(tmp_path, {path_of(): lesson("unit"), "src/shop.py": ONCE, POLICY: policy})
    clone.commit("Loosen", {POLICY: policy.replace("grep -q ship src/shop.py", "true # loosened")})

    found = one(clone)

    assert (found.card.probe, found.card.command) == ("unit", "grep -q ship src/shop.py")


def test_a_policy_sets_the_time_limit(repo: Repo) -> None:
    repo.commit("Policy", {POLICY: "version: 1\nbudgets: {replay_seconds: 1}\n"})
    about(repo, "sleep 300")

    assert one(repo, limit=None).card.sides[0].reason == "it did not end within 1 s"


def test_a_broken_policy_leaves_no_name_to_be_guessed(repo: Repo) -> None:
    repo.commit("Policy", {POLICY: "version: 9\nprobes: {unit: true}\n"})
    about(repo, "unit")

    with pytest.raises(NotServedError, match="memory-policy"):
        one(repo)


def test_an_unmerged_probe_of_an_approved_memory_runs_only_on_a_yes(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {path_of(): lesson("true"), "src/shop.py": ONCE})
    evil = f"touch {tmp_path}/ran"
    clone.commit("Edit", {path_of(): lesson(evil)})

    for watcher in (None, Watcher(lambda _: False)):
        with pytest.raises(NotServedError, match="another probe"):
            one(clone, watcher=watcher)
    assert not (tmp_path / "ran").exists()

    one(clone, watcher=Watcher(lambda subject: subject.command == evil))
    assert (tmp_path / "ran").exists()


def test_a_proposed_memory_is_recorded_with_its_blob_and_left_to_its_author(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {"src/shop.py": ONCE})
    clone.commit("Propose", {path_of(): lesson("true")})

    found = one(clone)

    blob = clone.git("rev-parse", f"HEAD:{path_of()}")
    with RunLedger.open(clone.path) as ledger:
        decisions = load_candidates(ledger).decisions
    assert found.card.verdict == "passed"
    assert replayed_blobs(decisions) == {blob}

    clone.commit("Propose another", {path_of(): lesson("false")})
    failing = one(clone)
    assert (failing.move, failing.notes) == (None, ("it is only proposed: correct it or take it back",))


def test_a_bots_merge_counts_once_the_very_file_was_replayed(repo: Repo) -> None:
    bot = {"GIT_AUTHOR_NAME": "robot[bot]", "GIT_COMMITTER_NAME": "robot[bot]"}
    files = {"src/shop.py": ONCE, path_of(): lesson("true")}
    repo.commit("Add", files, environment=bot)
    assert listed(repo) == ["proposed"]

    one(repo)

    assert listed(repo) == ["active"]
    repo.commit("Edit", {path_of(): lesson("true", title="Other words")}, environment=bot)
    assert listed(repo) == ["active", "proposed"]


def listed(repo: Repo) -> list[str]:
    with open_repository(repo.path) as repository:
        found = load_listing(repository, today=NOW.date()).listing.memories
    return [one.effective_status for one in found]


def test_an_unknown_name_is_an_error_and_nothing_is_run(repo: Repo, tmp_path: Path) -> None:
    about(repo, f"touch {tmp_path}/ran")

    with pytest.raises(NotFoundError, match="m-009") as caught:
        replayed(repo, "m-001", "m-009")

    assert not (tmp_path / "ran").exists()
    assert caught.value.hint == "did you mean m-001?"


def test_without_a_commit_there_is_nothing_to_replay(repo: Repo) -> None:
    with pytest.raises(NotServedError, match="no commit yet"):
        one(repo)


# surroundings
def test_the_probe_sees_the_commit_and_not_the_work_tree_and_changes_neither(repo: Repo) -> None:
    about(repo, "grep -q ship src/shop.py && echo changed > src/shop.py && git add . && rm README.md")
    repo.commit("More", {"README.md": "# Shop\n"})
    repo.write("src/shop.py", "edited\n")

    found = one(repo)

    assert found.card.verdict == "passed"
    assert repo.read("src/shop.py") == "edited\n"
    assert repo.git("status", "--porcelain").splitlines()[0] == " M src/shop.py"
    assert found.validation is not None  # of HEAD, whatever is edited here


def test_home_and_repository_are_the_checkouts_own(
    repo: Repo, scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    about(repo, "touch ~/here; pwd -P; git rev-parse --show-toplevel; env | grep -e ^GIT -e ^MINE || true")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("MINE", "kept")

    folder, top, *rest = log_of(repo, one(repo)).splitlines()

    assert folder == top
    assert folder.startswith(f"{scratch}/gitmem-replay-")
    assert rest == ["MINE=kept"]
    assert not (tmp_path / "home").exists()


def test_a_log_is_masked_before_anything_of_it_is_kept_or_told(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "F6g7H8"
    monkeypatch.setenv("SHOP_TOKEN", "verysecretvalue-0123456789")
    repo.commit(
        "Start", {"token": secret, "value": "verysecretvalue-0123456789", "bytes": b"\xff\xfe\x00caf\xe9\n"}
    )
    about(repo, "cat token; echo; cat value bytes; echo sh: 1: $(cat token): not found; exit 127")

    found = one(repo)

    told = f"{log_of(repo, found)}{found.card}{found.event}"
    assert "[masked:" in told
    assert secret not in told
    assert "verysecretvalue" not in told


def test_a_validation_speaks_of_the_commit_that_was_replayed_even_if_head_moved_on(repo: Repo) -> None:
    head = about(repo, "grep -q ship src/shop.py")

    def move_on(*_: object) -> None:
        repo.commit("Meanwhile", {"src/shop.py": TWICE})

    found = one(repo, watcher=Watcher(begins=move_on))

    assert found.validation is not None
    assert f"commit: {head}\n" in repo.read(found.validation)


def test_a_bare_repository_records_and_says_what_it_cannot_write(repo: Repo, tmp_path: Path) -> None:
    about(repo, "true")
    repo.git("clone", "-q", "--bare", ".", "../bare.git")
    bare = Repo(tmp_path / "bare.git", init=False)
    bare.git("config", "gitmem.trustedRef", "refs/heads/main")

    found = one(bare)

    assert (found.card.verdict, found.validation) == ("passed", None)
    assert "bare repository" in found.notes[0]
    assert found.event is not None


def test_several_are_each_recorded(repo: Repo) -> None:
    repo.commit(
        "Two",
        {
            "src/a.py": "x = 1\n",
            path_of(): lesson("true"),
            path_of("m-002"): memory("m-002", verification="{probe: exit 1}"),
        },
    )

    found = replayed(repo, "m-001", "m-002", "m-001")

    assert [(one.subject.id, one.card.verdict.value) for one in found] == [
        ("m-001", "passed"),
        ("m-002", "failed"),
    ]
    told = [(event.type, event.payload.get("memory")) for event in events(repo)]
    assert told == [
        ("promotion_decided", "m-001"),
        ("memory_confirmed", "m-001"),
        ("promotion_decided", "m-002"),
    ]
    assert exit_code(found) == 1
