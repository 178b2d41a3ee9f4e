from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Literal

import pytest

from gitmem.git.opening import open_repository
from gitmem.model.validation import Validation
from gitmem.store.ledger import RunLedger
from gitmem.store.validations import format_validation
from gitmem.usecases.candidates import record_decision
from gitmem.usecases.knowledge import load_knowledge
from gitmem.usecases.listing import Listed, Listing, history, list_memories
from gitmem.usecases.runs.inbox import inbox
from gitmem.usecases.runs.recording import Teller
from tests.support.cli import gitmem
from tests.support.memories import hosted, memory, path_of
from tests.support.repo import Repo

BOB = {"GIT_AUTHOR_NAME": "Bob", "GIT_AUTHOR_EMAIL": "bob@example.org"}
BOB |= {"GIT_COMMITTER_NAME": "Bob", "GIT_COMMITTER_EMAIL": "bob@example.org"}


def listing(repo: Repo) -> Listing:
    with open_repository(repo.path) as opened:
        knowledge = load_knowledge(opened)
        return list_memories(opened, knowledge, drift=None, today=date(2026, 8, 1))


def only(repo: Repo, name: str = "m-001") -> Listed:
    (one,) = [one for one in listing(repo).memories if one.memory.id == name]
    return one


def topic(clone: Repo, name: str = "m-002") -> None:
    clone.git("switch", "-qc", "topic")
    clone.commit(f"Add {name}", {path_of(name): memory(name)})
    clone.git("switch", "-q", "main")


def test_a_direct_push_names_its_commit(repo: Repo) -> None:
    commit = repo.commit("Add", {path_of(): memory()}, environment=BOB)
    approval = only(repo).approval
    assert (approval.state, approval.review, approval.by, approval.commit) == (
        "merged",
        "direct",
        "Bob",
        commit,
    )
    assert approval.verified is False


def test_a_merge_commit_is_what_brought_it(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    topic(clone)
    clone.git("merge", "-q", "--no-ff", "-m", "Merge topic", "topic", environment=BOB)
    clone.git("push", "-q")
    approval = only(clone, "m-002").approval
    assert (approval.by, approval.commit, approval.review) == ("Bob", clone.head(), "direct")


def test_a_review_trailer_in_a_merge_counts_against_the_author_of_the_content(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    topic(clone)
    message = "Merge topic\n\nReviewed-by: {}"
    clone.git(
        "merge",
        "-q",
        "--no-ff",
        "-m",
        message.format("Ada Tester <ada@example.org>"),
        "topic",
        environment=BOB,
    )
    clone.git("push", "-q")
    assert only(clone, "m-002").approval.review == "direct"
    clone.git("reset", "-q", "--hard", "HEAD^")
    clone.git(
        "merge", "-q", "--no-ff", "-m", message.format("Bob <bob@example.org>"), "topic", environment=BOB
    )
    clone.git("push", "-qf")
    approval = only(clone, "m-002").approval
    assert (approval.review, approval.by) == ("reviewed", "Bob")


def test_a_squash_is_what_brought_it(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    topic(clone)
    clone.git("merge", "-q", "--squash", "topic")
    commit = clone.commit("Squash (#1)\n\nApproved-by: Bob <bob@example.org>")
    clone.git("push", "-q")
    approval = only(clone, "m-002").approval
    assert (approval.commit, approval.review) == (commit, "reviewed")


def test_free_fields_and_moves_later_do_not_change_who_approved(repo: Repo) -> None:
    brought = repo.commit("Add", {path_of(): memory()}, environment=BOB)
    repo.commit("Mark", {path_of(): memory(status="challenged", challenged_at="2026-07-20")})
    repo.move(path_of(), ".ai/memory/deep/m-001.yaml")
    repo.commit("Move")
    approval = only(repo).approval
    assert (approval.commit, approval.by) == (brought, "Bob")


def test_an_edit_is_brought_by_its_own_commit(repo: Repo) -> None:
    repo.commit("Add", {path_of(): memory()}, environment=BOB)
    edit = repo.commit("Edit", {path_of(): memory(summary="Other words")})
    assert only(repo).approval.commit == edit


def test_two_files_that_swap_places_keep_their_stories(repo: Repo) -> None:
    one = repo.commit("One", {".ai/memory/a/m-001.yaml": memory()})
    two = repo.commit("Two", {".ai/memory/b/m-002.yaml": memory("m-002", "Quite another rule about retries")})
    repo.move(".ai/memory/a/m-001.yaml", ".ai/memory/c/m-001.yaml")
    repo.move(".ai/memory/b/m-002.yaml", ".ai/memory/a/m-002.yaml")
    repo.commit("Swap")
    assert only(repo, "m-001").approval.commit == one
    assert only(repo, "m-002").approval.commit == two


def test_a_shallow_clone_does_not_blame_its_boundary(tmp_path: Path) -> None:
    server, clone = hosted(tmp_path)
    clone.commit("Later", {"b": "c"})
    clone.git("push", "-q")
    clone.git("clone", "-q", "--depth=1", f"file://{server.path}", str(tmp_path / "shallow"))
    shallow = Repo(tmp_path / "shallow", init=False)
    approval = only(shallow).approval
    assert (approval.state, approval.review, approval.commit, approval.by) == (
        "merged",
        "unknown",
        None,
        None,
    )


def test_a_grafted_history_changes_nothing(repo: Repo) -> None:
    repo.commit("Start", {"a": "b"})
    brought = repo.commit("Add", {path_of(): memory()}, environment=BOB)
    other = repo.commit("Other", {"c": "d"})
    repo.write(".git/info/grafts", f"{other}\n")
    assert only(repo).approval.commit == brought


def test_a_forged_shallow_file_makes_history_unknown(repo: Repo) -> None:
    repo.commit("Add", {path_of(): memory()}, environment=BOB)
    other = repo.commit("Other", {"c": "d"})
    repo.write(".git/shallow", f"{other}\n")
    assert only(repo).approval.commit is None


def test_claims_that_history_does_not_bear_out_are_reported(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {path_of(): memory(approved_by="alice", approved_at="2020-01-01")})
    fields = [(one.field, one.severity) for one in listing(clone).problems]
    assert fields == [("approved_at", "warning"), ("approved_by", "warning")]


@pytest.mark.parametrize(
    ("claim", "words"),
    [("human", "says that somebody looked"), ("replay", "has a replay that passed")],
)
def test_a_claim_that_it_was_found_true_is_told_until_a_validation_bears_it_out(
    tmp_path: Path, claim: Literal["human", "replay"], words: str
) -> None:
    _, clone = hosted(tmp_path, {path_of(): memory(validated_by=claim), "src/a.py": "x = 1\n"})
    (problem,) = listing(clone).problems
    assert (problem.field, problem.severity) == ("validated_by", "warning")
    assert words in problem.message
    told = Validation("m-001", date(2026, 7, 14), "Ada", "looked" if claim == "human" else "replay")
    file = ".ai/validations/m-001/20260714-aaaaa.yaml"
    clone.commit("Validate", {file: format_validation(told)})
    assert listing(clone).problems == ()


@pytest.mark.parametrize(
    "fields", [{"approved_by": "human"}, {"validated_by": "human", "last_validated_at": "2026-07-13"}]
)
def test_who_merged_it_or_named_the_day_bears_that_out(tmp_path: Path, fields: dict[str, str]) -> None:
    _, clone = hosted(tmp_path, {path_of(): memory(**fields)})
    assert listing(clone).problems == ()


def test_proposed_memories_are_unmerged_and_proposed(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.commit("Add", {path_of("m-002"): memory("m-002", approved_by="Ada Tester")})
    one = only(clone, "m-002")
    assert (one.approval.state, one.approval.commit, one.effective_status) == ("unmerged", None, "proposed")
    assert [problem.field for problem in listing(clone).problems] == ["approved_by"]


def test_what_a_bot_brought_is_no_knowledge_until_its_replay_is_recorded(repo: Repo) -> None:
    bot = {"GIT_AUTHOR_NAME": "robot[bot]", "GIT_COMMITTER_NAME": "robot[bot]"}
    repo.commit("Add", {path_of(): memory()}, environment=bot)
    for _ in range(2):  # the second time from the cache
        assert states(repo) == [("m-001", False)]
    blob = repo.git("rev-parse", f"HEAD:{path_of()}")
    with RunLedger.open(repo.path) as ledger:
        card = {"of": blob, "verdict": "passed"}
        record_decision(inbox(ledger), "m-001", "replayed", Teller("ci"), blob=blob, scorecard=card)
    assert states(repo) == [("m-001", True)]


def test_an_edit_by_a_bot_hides_nothing_that_a_person_approved(repo: Repo) -> None:
    bot = {"GIT_AUTHOR_NAME": "robot[bot]", "GIT_COMMITTER_NAME": "robot[bot]"}
    repo.commit("Add", {path_of(): memory()})
    repo.commit("Edit", {path_of(): memory(summary="Other words")}, environment=bot)
    assert states(repo) == [("m-001", True), ("m-001", False)]
    with open_repository(repo.path) as opened:
        (approved,) = load_knowledge(opened).approved
    assert approved.summary != "Other words"
    assert "Other words" not in gitmem("recall", "other words", at=repo.path).out


def test_a_bots_merge_that_a_person_reviewed_counts(repo: Repo) -> None:
    bot = {"GIT_AUTHOR_NAME": "robot[bot]", "GIT_COMMITTER_NAME": "robot[bot]"}
    repo.commit("Add\n\nReviewed-by: Bo <bo@example.org>", {path_of(): memory()}, environment=bot)
    assert states(repo) == [("m-001", True)]


def test_why_a_merged_memory_does_not_count_is_said(repo: Repo) -> None:
    bot = {"GIT_AUTHOR_NAME": "robot[bot]", "GIT_COMMITTER_NAME": "robot[bot]"}
    repo.commit("Add", {path_of(): memory()}, environment=bot)
    assert "merged by a bot alone" in gitmem("show", "m-001", at=repo.path).out
    repo.commit("Ask", {".ai/policies/memory-policy.yaml": "version: 1\ntrust: {require_review: true}\n"})
    repo.commit("Add", {path_of("m-002"): memory("m-002")})
    assert "nobody else reviewed it" in gitmem("show", "m-002", at=repo.path).out


def states(repo: Repo) -> list[tuple[str, bool]]:
    with open_repository(repo.path) as opened:
        return [(one.memory.id, one.merged) for one in load_knowledge(opened).memories]


def test_history_follows_moves_and_leaves_merges_out(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path)
    clone.git("switch", "-qc", "topic")
    clone.move(path_of(), ".ai/memory/deep/m-001.yaml")
    clone.commit("Move")
    clone.commit("Edit", {".ai/memory/deep/m-001.yaml": memory(summary="Other words")})
    clone.git("switch", "-q", "main")
    clone.git("merge", "-q", "--no-ff", "-m", "Merge", "topic")
    clone.git("push", "-q")
    with open_repository(clone.path) as opened:
        knowledge = load_knowledge(opened)
        touched = history(opened, knowledge.memories[0], clone.head()).touched
    assert [(one.commit.subject, one.path) for one in touched] == [
        ("Edit", ".ai/memory/deep/m-001.yaml"),
        ("Move", ".ai/memory/deep/m-001.yaml"),
        ("Start", path_of()),
    ]
