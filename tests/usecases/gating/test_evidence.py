"""Evidence looked up for real: tests seen to pass, merged commits, documents, reviews and artifacts of the ledger."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gitmem.model.memory import Evidence
from gitmem.promotion.case import Proof
from gitmem.store.ledger import RunLedger
from gitmem.usecases.gating.proofs import ProofReader, Standpoint
from gitmem.usecases.gating.told import Told, load_told, source_events
from tests.support.candidates import LESSON
from tests.support.memories import hosted, hosted_copy
from tests.support.repo import Repo

TEST = "tests/test_shop.py::test_once"
FILES = {
    "src/shop.py": "def send():\n    return 1\n",
    "tests/test_shop.py": "def test_once():\n    assert True\n\n\ndef test_twice():\n    assert True\n",
    "docs/adr.md": "# Orders\n",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    hosted(folder, FILES)
    return folder


@pytest.fixture
def clone(made: Path, tmp_path: Path) -> Repo:
    return hosted_copy(made, tmp_path)[1]


class Work:
    """A run in a clone, told event by event."""

    def __init__(self, repo: Repo, run: str = "run-1") -> None:
        self.repo = repo
        self.run = run

    def tell(self, event_type: str, payload: dict[str, Any] | None = None, **more: Any) -> str:
        with RunLedger.open(self.repo.path) as ledger:
            return (
                ledger.run(self.run)
                .append(event_type=event_type, actor="codex", payload=payload, **more)
                .commit
            )

    def passed(self, *tests: str, **more: Any) -> str:
        return self.tell("test_passed", {"command": "pytest -v", "tests": list(tests), **more})


def look_up(
    repo: Repo, *, fixed_by: str | None = None, run: str | None = None, **evidence: tuple[str, ...]
) -> Proof:
    """The proof of the first reference, from HEAD, with origin/main as the trusted branch."""
    with RunLedger.open(repo.path) as ledger:
        trusted = repo.git("rev-parse", "refs/remotes/origin/main", check=False) or None
        standpoint = Standpoint(
            repo.head(), trusted if trusted and " " not in trusted else None, "origin/main"
        )
        reader = ProofReader(ledger, load_told(ledger), standpoint)
        return reader.proofs(replace(LESSON, evidence=Evidence(**evidence)), fixed_by, run)[0]


def state(proof: Proof) -> tuple[bool | None, bool]:
    return proof.exists, proof.counts


# tests
def test_a_test_that_is_not_there_is_no_evidence(clone: Repo) -> None:
    Work(clone).passed("tests/test_shop.py::test_gone")
    assert state(look_up(clone, tests=("tests/test_shop.py::test_gone",))) == (False, False)


def test_a_test_that_was_never_seen_to_pass_exists_and_names_the_command(clone: Repo) -> None:
    proof = look_up(clone, tests=(TEST,))
    assert state(proof) == (True, False)
    assert proof.said == "it exists and was never seen to pass"
    assert proof.cure == "gitmem run exec --as test -- COMMAND"


def test_a_pass_without_names_says_how_to_name_the_test(clone: Repo) -> None:
    Work(clone).passed(command="pytest -q")
    proof = look_up(clone, tests=(TEST,))
    assert state(proof) == (True, False)
    assert proof.said.startswith("`pytest -q` passed ")
    assert proof.said.endswith("its output names no test")
    named = f"gitmem run exec --as test -- COMMAND {TEST}"
    assert (
        proof.cure
        == f"{named}, or one that lists what passed: pytest -v, go test -v, gitmem run exec --junit FILE"
    )


def test_a_pass_that_lists_the_test_counts(clone: Repo) -> None:
    Work(clone).passed("tests/test_shop.py::test_twice", TEST)
    proof = look_up(clone, tests=(TEST,))
    assert state(proof) == (True, True)
    assert clone.head()[:12] in proof.said


def test_a_pass_of_another_test_does_not(clone: Repo) -> None:
    Work(clone).passed("tests/test_shop.py::test_twice")
    assert state(look_up(clone, tests=(TEST,))) == (True, False)


@pytest.mark.parametrize(
    ("payload", "counts"),
    [
        ({"command": f"pytest -q {TEST}", "counts": {"passed": 1, "failed": 0}}, True),
        ({"command": f"pytest -q '{TEST}'", "counts": {"passed": 1}}, True),
        ({"command": f"pytest -q {TEST}", "counts": {"passed": 1, "skipped": 1}}, False),
        ({"command": f"pytest -q {TEST}"}, False),
        ({"command": f"pytest -q {TEST}_more", "counts": {"passed": 1}}, False),
        ({"command": "pytest -q", "counts": {"passed": 9}}, False),
    ],
)
def test_a_command_that_asked_for_this_test_alone_lists_it(
    clone: Repo, payload: dict[str, Any], counts: bool
) -> None:
    Work(clone).tell("test_passed", payload)
    assert look_up(clone, tests=(TEST,)).counts is counts


def test_a_later_failure_takes_it_back_and_a_later_pass_brings_it_again(clone: Repo) -> None:
    work = Work(clone)
    work.passed(TEST)
    work.tell("test_failed", {"command": "pytest", "failing": [TEST]})
    proof = look_up(clone, tests=(TEST,))
    assert state(proof) == (True, False)
    assert proof.said.startswith("it failed when it was last seen")
    work.passed(TEST)
    assert state(look_up(clone, tests=(TEST,))) == (True, True)


def test_a_pass_before_the_fix_does_not_count(clone: Repo) -> None:
    Work(clone).passed(TEST)
    fix = clone.commit("Fix", {"src/shop.py": "def send():\n    return 2\n"})
    proof = look_up(clone, fixed_by=fix, tests=(TEST,))
    assert state(proof) == (True, False)
    assert proof.said.endswith(f"on code without {fix[:12]}")
    Work(clone).passed(TEST)
    assert state(look_up(clone, fixed_by=fix, tests=(TEST,))) == (True, True)


def test_the_commits_of_the_evidence_are_the_change_where_no_fix_is_named(clone: Repo) -> None:
    Work(clone).passed(TEST)
    fix = clone.commit("Fix", {"src/shop.py": "def send():\n    return 2\n"})
    assert state(look_up(clone, tests=(TEST,), commits=(fix,))) == (True, False)


def test_a_pass_on_uncommitted_files_counts_when_they_are_those_of_the_fix(clone: Repo) -> None:
    clone.write("src/shop.py", "def send():\n    return 2\n")
    blob = clone.git("hash-object", "src/shop.py")
    before = clone.head()
    fix = clone.commit("Fix")
    work = Work(clone)
    dirty = {"command": "pytest -v", "tests": [TEST], "dirty_files": {"src/shop.py": blob}}
    work.tell("test_passed", dirty, code=before)
    assert state(look_up(clone, fixed_by=fix, tests=(TEST,))) == (True, True)


def test_a_pass_on_other_uncommitted_files_does_not(clone: Repo) -> None:
    fix = clone.commit("Fix", {"src/shop.py": "def send():\n    return 2\n"})
    dirty = {"command": "pytest -v", "tests": [TEST], "dirty_files": {"src/shop.py": "1" * 40}}
    Work(clone).tell("test_passed", dirty)
    assert state(look_up(clone, fixed_by=fix, tests=(TEST,))) == (True, False)


def test_a_fix_that_was_rebased_counts_under_its_new_name(clone: Repo) -> None:
    old = clone.commit("Fix", {"src/shop.py": "def send():\n    return 2\n"})
    clone.git("commit", "-q", "--amend", "-m", "Fix it")
    new = clone.head()
    work = Work(clone)
    work.tell("commits_rewritten", {"pairs": [[old, new]]})
    work.passed(TEST)
    assert state(look_up(clone, fixed_by=old, tests=(TEST,))) == (True, True)


def test_a_test_that_is_not_committed_yet_cannot_be_told(clone: Repo) -> None:
    clone.write("tests/test_new.py", "def test_new():\n    assert True\n")
    clone.write(
        "tests/test_shop.py", FILES["tests/test_shop.py"] + "\n\ndef test_thrice():\n    assert True\n"
    )
    for reference in ("tests/test_new.py::test_new", "tests/test_shop.py::test_thrice"):
        proof = look_up(clone, tests=(reference,))
        assert (state(proof), proof.cure) == ((None, False), "commit it")
    assert state(look_up(clone, tests=("tests/test_other.py::test_new",))) == (False, False)


# commits
def test_a_merged_commit_counts_and_an_unmerged_one_only_exists(clone: Repo) -> None:
    merged = clone.head()
    own = clone.commit("Own", {"src/shop.py": "x = 1\n"})
    assert state(look_up(clone, commits=(merged,))) == (True, True)
    assert state(look_up(clone, commits=(merged[:10],))) == (True, True)
    proof = look_up(clone, commits=(own,))
    assert (state(proof), proof.said) == ((True, False), "not merged in origin/main")


@pytest.mark.parametrize("reference", ["0" * 40, "main", "HEAD", "HEAD~1", "--all", "", "deadbeef", "v1"])
def test_what_is_no_commit_here_is_no_evidence(clone: Repo, reference: str) -> None:
    assert state(look_up(clone, commits=(reference,))) == (False, False)


def test_a_shallow_clone_cannot_tell_that_a_commit_is_gone(clone: Repo, tmp_path: Path) -> None:
    old = clone.head()
    clone.commit("More", {"src/shop.py": "x = 1\n"})
    clone.git("push", "-q")
    clone.git("clone", "-q", "--depth=1", f"file://{tmp_path}/server.git", str(tmp_path / "shallow"))
    proof = look_up(Repo(tmp_path / "shallow", init=False), commits=(old,))
    assert (state(proof), proof.cure) == ((None, False), "git fetch --unshallow")


# documents
@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("docs/adr.md", (True, True)),
        ("docs/adr.md#orders", (True, True)),
        ("./docs/adr.md", (True, True)),
        ("docs/new.md", (True, False)),
        ("docs", (False, False)),
        ("docs/gone.md", (False, False)),
        ("docs/draft.md", (None, False)),
        ("../secret", (False, False)),
        ("/etc/passwd", (False, False)),
        ("https://example.org/adr", (None, False)),
    ],
)
def test_a_document_counts_on_the_trusted_branch(
    clone: Repo, reference: str, told: tuple[bool | None, bool]
) -> None:
    clone.commit("New", {"docs/new.md": "# New\n"})
    clone.write("docs/draft.md", "# Draft\n")
    assert state(look_up(clone, documents=(reference,))) == told


# reviews and artifacts
def test_a_review_counts_when_the_newest_of_its_artifact_passed(clone: Repo) -> None:
    work = Work(clone)
    review = {"artifacts": {"review.json": b'{"issues": [{"id": "issue-3"}]}'}}
    work.passed(TEST)
    assert state(look_up(clone, reviews=("review.json#issue-3",))) == (False, False)
    work.tell("review_failed", {"artifact": "review.json", "findings": ["x"]}, **review)
    assert state(look_up(clone, reviews=("review.json#issue-3",))) == (True, False)
    work.tell("review_passed", {"artifact": "review.json"}, **review)
    assert state(look_up(clone, reviews=("review.json#issue-3",))) == (True, True)
    assert state(look_up(clone, reviews=("review.json",))) == (True, True)


def test_an_item_that_the_review_does_not_have_cannot_be_told(clone: Repo) -> None:
    Work(clone).tell("review_passed", {"artifact": "review.json"}, artifacts={"review.json": b"{}"})
    assert state(look_up(clone, reviews=("review.json#issue-9",))) == (None, False)


def test_a_review_is_named_by_its_event_its_reviewer_or_a_finding(clone: Repo) -> None:
    commit = Work(clone).tell("review_passed", {"findings": ["one", "two"]}, id="review-7")
    for reference in (commit, commit[:12], "review-7", "codex", "codex#2"):
        assert state(look_up(clone, reviews=(reference,))) == (True, True), reference
    assert state(look_up(clone, reviews=("https://example.org/pull/7",))) == (None, False)


def test_a_saved_file_that_nobody_reviewed_is_no_review(clone: Repo) -> None:
    Work(clone).tell("artifact_saved", {"path": "review.json"}, artifacts={"review.json": b"{}"})
    assert state(look_up(clone, reviews=("review.json",))) == (True, False)


def test_an_artifact_of_the_ledger_exists_and_counts_for_nothing(clone: Repo) -> None:
    Work(clone).tell("artifact_saved", {"path": "build.log"}, artifacts={"build.log": b"line 7: error\n"})
    assert state(look_up(clone, artifacts=("build.log",))) == (True, False)
    assert state(look_up(clone, artifacts=("build.log#line 7",))) == (True, False)
    assert state(look_up(clone, artifacts=("build.log#line 8",))) == (None, False)
    assert state(look_up(clone, artifacts=("other.log",))) == (False, False)


def test_a_clone_without_the_run_cannot_tell_that_a_review_is_gone(clone: Repo) -> None:
    for proof in (look_up(clone, reviews=("review.json",)), look_up(clone, artifacts=("build.log",))):
        assert (state(proof), proof.cure) == ((None, False), "gitmem sync")
    Work(clone, "run-2").passed(TEST)
    assert state(look_up(clone, run="run-1", reviews=("review.json",))) == (None, False)
    assert state(look_up(clone, run="run-2", reviews=("review.json",))) == (False, False)


def test_the_artifact_of_its_own_run_is_looked_at_first(clone: Repo) -> None:
    Work(clone, "run-1").tell("review_passed", {"artifact": "review.json"}, artifacts={"review.json": b"{}"})
    Work(clone, "run-2").tell("review_failed", {"artifact": "review.json"}, artifacts={"review.json": b"{}"})
    assert state(look_up(clone, run="run-1", reviews=("review.json",))) == (True, True)
    assert state(look_up(clone, run="run-2", reviews=("review.json",))) == (True, False)


# the ledger
def test_what_was_read_of_the_runs_is_kept_until_one_moves(clone: Repo) -> None:
    work = Work(clone)
    work.passed(TEST)
    with RunLedger.open(clone.path) as ledger:
        first, second = load_told(ledger), load_told(ledger)
    assert [one._replace(extra={}) for one in second.events] == [
        one._replace(extra={}) for one in first.events
    ]
    work.passed("tests/test_shop.py::test_twice")
    with RunLedger.open(clone.path) as ledger:
        assert len(load_told(ledger).events) == 2


def test_source_events_are_found_by_commit_id_and_position(clone: Repo) -> None:
    commit = Work(clone).tell("test_failed", {"failure_class": "agent_failure"}, id="action-12")
    with RunLedger.open(clone.path) as ledger:
        wanted = (commit, commit[:10], "action-12", "#1", "run-1#1", "action-13", "0" * 40)
        found = source_events(ledger, wanted, ("run-1", None, "No Run"))
    assert [one.type for one in found] == ["test_failed"] * 5 + ["", ""]
    assert (found[0].failure_class, found[0].actor, found[0].code) == ("agent_failure", "codex", clone.head())


def test_commits_that_were_rewritten_in_a_circle_end() -> None:
    assert Told().successor("a") == "a"
