"""A candidate becomes a memory file: in the work tree, on a branch of its own, or past a person on the trusted branch."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from gitmem.errors import (
    GitmemError,
    InvalidDataError,
    LifecycleError,
    NotFoundError,
    NotServedError,
    RaceError,
)
from gitmem.git.opening import open_repository
from gitmem.model.candidate import Standing
from gitmem.model.memory import Status
from gitmem.store.ledger import RunLedger
from gitmem.store.memories import parse_memory
from gitmem.store.validations import parse_validation
from gitmem.usecases.candidates import record_decision
from gitmem.usecases.knowledge import load_knowledge
from gitmem.usecases.propose import Draft
from gitmem.usecases.runs.inbox import inbox
from tests.support.candidates import ADA, LESSON, candidate, lesson, proposed, told
from tests.support.drifting import CODE, checked
from tests.support.memories import hosted, hosted_copy, memory, path_of
from tests.support.repo import Repo

ID = "orders-are-sent-once-evhy6"
FILE = f".ai/memory/module-constraint/{ID}.yaml"
BRANCH = f"gitmem/{ID}"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    hosted(folder, dict(CODE))
    return folder


@pytest.fixture
def clone(made: Path, tmp_path: Path) -> Repo:
    """A clone with a server, and a candidate in its ledger."""
    _, clone = hosted_copy(made, tmp_path)
    told(clone)
    return clone


def state(repo: Repo) -> tuple[str, str, str, bytes, str]:
    """All that a proposal branch must leave alone."""
    index = (repo.path / repo.git("rev-parse", "--git-path", "index")).read_bytes()
    return (
        repo.git("--no-optional-locks", "status", "--porcelain=v2", "--branch"),
        repo.git("symbolic-ref", "HEAD", check=False),
        repo.git("stash", "list"),
        index,
        repo.git("config", "--local", "--list"),
    )


# the file
def test_the_file_says_what_the_candidate_said_and_claims_nothing_of_itself(clone: Repo) -> None:
    told(clone, lesson(approved_by="mallory", last_validated_at=date(2026, 7, 1), validated_by="human"))
    proposal = proposed(clone)
    data = clone.git("show", f"{BRANCH}:{FILE}").encode() + b"\n"
    parsed = parse_memory(FILE, data)
    assert parsed.problems == ()
    written = parsed.memory
    assert written == proposal.memory
    assert written is not None
    assert (written.id, written.status, written.summary) == (ID, Status.ACTIVE, LESSON.summary)
    assert (written.scope, written.origin.candidate, written.created_by) == (LESSON.scope, LESSON.id, "human")
    assert (written.approved_by, written.last_validated_at, written.validated_by) == (None, None, None)


def test_a_workaround_expires_by_the_policys_retention(clone: Repo) -> None:
    told(clone, lesson(type="temporary_workaround"))
    written = proposed(clone).memory
    assert written is not None
    assert (written.expires_at, written.review_after) == (date(2026, 8, 3), None)


def test_what_it_supersedes_is_named_by_id(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {**CODE, path_of(): memory(title="Old words")})
    told(clone, lesson(supersedes=("Old words",)))
    written = proposed(clone).memory
    assert written is not None
    assert written.supersedes == ("m-001",)


def test_a_decision_that_it_supersedes_goes_along(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {**CODE, path_of("m-007"): memory("m-007", "Older")})
    told(clone)
    with RunLedger.open(clone.path) as ledger:
        for name in ("m-007", "candidate-other"):
            record_decision(inbox(ledger), LESSON.id, "superseded", ADA, memory=name, reason="newer")
    written = proposed(clone).memory
    assert written is not None
    assert written.supersedes == ("m-007",)


def test_drift_has_a_baseline_from_the_start(clone: Repo) -> None:
    proposed(clone)
    clone.git("switch", "-q", BRANCH)
    (one,) = checked(clone.path).judgements
    assert (str(one.verdict), one.proposed, one.baseline) == ("fresh", True, clone.git("rev-parse", "main"))
    clone.commit("Change", {"src/shop.py": CODE["src/shop.py"].replace("ship(order)", "hold(order)")})
    (one,) = checked(clone.path).judgements
    assert str(one.verdict) == "changed"
    (file,) = (clone.path / ".ai/validations" / ID).iterdir()
    validation = parse_validation(f".ai/validations/{ID}/{file.name}", file.read_bytes()).validation
    assert validation is not None
    assert validation.baseline is not None
    assert [str(mark.watch) for mark in validation.baseline.marks] == ["symbol src/shop.py#send"]


# on a branch
def test_a_branch_leaves_work_tree_index_head_hooks_and_config_alone(clone: Repo, tmp_path: Path) -> None:
    clone.write("src/shop.py", "half = 'done'\n")
    clone.write("src/staged.py", "x = 1\n")
    clone.git("add", "src/staged.py")
    clone.write("untracked", "mine")
    for name in ("pre-commit", "post-commit", "reference-transaction", "post-checkout", "commit-msg"):
        clone.write(f".git/hooks/{name}", f"#!/bin/sh\necho {name} >> {tmp_path}/ran\nexit 1\n").chmod(0o755)
    before = state(clone)
    proposal = proposed(clone)
    assert state(clone) == before
    assert not (tmp_path / "ran").exists()
    assert proposal.where is not None
    assert (proposal.where.place, proposal.where.branch) == ("branch", BRANCH)
    assert clone.git("rev-parse", BRANCH, f"{BRANCH}^") == f"{proposal.where.commit}\n{clone.head()}"
    added = clone.git("diff", "--name-status", "--no-renames", f"main..{BRANCH}").splitlines()
    assert [row[0] for row in added] == ["A", "A"]
    assert clone.git("fsck", "--strict") == ""


@pytest.mark.parametrize("where", ["detached", "worktree", "bare", "topic"])
def test_a_branch_can_be_made_from_anywhere(clone: Repo, tmp_path: Path, where: str) -> None:
    path = clone.path
    if where == "detached":
        clone.git("checkout", "-q", "--detach")
    elif where == "topic":
        clone.git("switch", "-qc", "topic")
        clone.commit("Half done", {"src/half.py": "x = 1\n"})
    elif where == "worktree":
        path = tmp_path / "linked"
        clone.git("worktree", "add", "-q", "-b", "linked", str(path))
    else:
        path = tmp_path / "bare.git"
        clone.git("clone", "-q", "--bare", str(clone.path), str(path))
        Repo(path, init=False).git("remote", "remove", "origin")
        told(path)
    proposed(path)
    tip = Repo(path, init=False).git("rev-parse", "main")
    assert Repo(path, init=False).git("rev-parse", f"{BRANCH}^") == tip


def test_proposals_of_several_candidates_do_not_build_on_each_other(clone: Repo) -> None:
    told(clone, lesson("candidate-2", "`log` prints the order", title="Orders are printed"))
    first, second = proposed(clone), proposed(clone, "candidate-2")
    assert first.memory != second.memory
    for one in (first, second):
        assert one.where is not None
        assert clone.git("rev-parse", f"{one.where.commit}^") == clone.head()


def test_the_branch_starts_at_the_trusted_tip_not_at_unpushed_work(clone: Repo) -> None:
    clone.commit("Not pushed", {"src/new.py": "x = 1\n"})
    proposed(clone)
    assert clone.git("rev-parse", f"{BRANCH}^") == clone.git("rev-parse", "origin/main")


def test_without_a_trusted_branch_there_is_nothing_to_propose_to(tmp_path: Path) -> None:
    clone = Repo(tmp_path / "clone")
    clone.git("remote", "add", "origin", "https://example.invalid/x.git")
    clone.commit("Start", CODE)
    told(clone)
    with pytest.raises(NotServedError, match="no trusted branch"):
        proposed(clone)
    assert candidate(clone).standing is Standing.OPEN


def test_code_that_is_not_on_the_trusted_branch_yet_comes_with_its_memory(clone: Repo) -> None:
    clone.git("switch", "-qc", "topic")
    clone.commit("New module", {"src/new.py": "def fresh():\n    return 1\n"})
    told(clone, lesson(summary="`fresh` returns one", scope=replace(LESSON.scope, paths=("src/new.py",))))
    with pytest.raises(NotServedError, match="matches no file of origin/main"):
        proposed(clone)
    found = proposed(clone, way="worktree").where
    assert found is not None
    assert found.place == "worktree"


def test_a_branch_called_gitmem_is_in_the_way_and_named(clone: Repo) -> None:
    clone.git("branch", "gitmem")
    with pytest.raises(GitmemError, match="gitmem"):
        proposed(clone)
    clone.git("branch", "-D", "gitmem")
    assert proposed(clone).where is not None


def test_a_file_that_somebody_wrote_for_it_by_hand_is_its_proposal(clone: Repo) -> None:
    clone.git("switch", "-qc", "topic")
    clone.commit("By hand", {path_of("by-hand"): memory("by-hand", origin=f"{{candidate: {LESSON.id}}}")})
    found = proposed(clone).where
    assert found is not None
    assert (found.place, found.memory, found.branch) == ("head", "by-hand", "topic")


# again
def test_proposing_again_says_where_it_is(clone: Repo) -> None:
    first = proposed(clone)
    again = proposed(clone)
    assert (again.already, again.where, again.memory) == (True, first.where, first.memory)
    assert len(candidate(clone).decisions) == 1
    clone.git("push", "-q", "origin", f"{BRANCH}:main")
    clone.git("fetch", "-q")
    merged = proposed(clone)
    assert merged.where is not None
    assert (merged.where.place, merged.where.branch, merged.where.file) == ("merged", "origin/main", FILE)


def test_a_pushed_branch_whose_local_one_is_gone_is_found(clone: Repo) -> None:
    proposed(clone)
    clone.git("push", "-q", "origin", BRANCH)
    clone.git("branch", "-qD", BRANCH)
    found = proposed(clone).where
    assert found is not None
    assert (found.place, found.branch) == ("branch", f"origin/{BRANCH}")


def test_a_proposal_that_is_gone_is_made_again_under_the_same_id(clone: Repo) -> None:
    first = proposed(clone)
    clone.git("branch", "-qD", BRANCH)
    told(clone, lesson(title="Other words"))
    again = proposed(clone)
    assert (again.already, again.memory and again.memory.id) == (False, first.memory and first.memory.id)


def test_two_who_propose_at_once_make_one_branch(clone: Repo) -> None:
    """The second finds the first's branch, even where it has not seen the decision."""
    proposed(clone)
    ledger = clone.git("for-each-ref", "--format=%(refname)", "refs/ai/runs/inbox")
    clone.git("update-ref", ledger, f"{ledger}~1")
    with pytest.raises(RaceError):
        proposed(clone)
    assert clone.git("for-each-ref", "--format=%(refname:short)", "refs/heads/gitmem") == BRANCH


def test_the_decision_names_the_memory_its_blob_and_the_scorecard(clone: Repo) -> None:
    proposed(clone)
    (decision,) = candidate(clone).decisions
    assert (decision.decision, decision.memory) == ("proposed", ID)
    assert decision.blob == clone.git("rev-parse", f"{BRANCH}:{FILE}")
    assert decision.scorecard["of"] == candidate(clone).commit
    assert {rule["rule"] for rule in decision.scorecard["rules"]} >= {"type_allowed"}


# stopped
def test_what_the_gate_refuses_is_not_written(clone: Repo) -> None:
    told(clone, lesson(type="gossip"))
    before = clone.git("for-each-ref")
    proposal = proposed(clone)
    assert proposal.where is None
    assert proposal.gate is not None
    assert [one.rule for one in proposal.gate.lacking][:1] == ["type_allowed"]
    assert clone.git("for-each-ref") == before


@pytest.mark.parametrize("decision", ["denied", "withdrawn"])
def test_a_closed_candidate_is_refused_with_who_and_why(clone: Repo, decision: str) -> None:
    with RunLedger.open(clone.path) as ledger:
        record_decision(inbox(ledger), LESSON.id, decision, ADA, reason="true of the old gateway")
    with pytest.raises(LifecycleError, match=f"was {decision} by human .*: true of the old gateway;"):
        proposed(clone)


def test_an_unknown_candidate_is_named(clone: Repo) -> None:
    with pytest.raises(NotFoundError, match="no candidate 'candidate-9'"):
        proposed(clone, "candidate-9")


def test_a_file_or_link_in_the_way_stops_it(clone: Repo, tmp_path: Path) -> None:
    (clone.path / ".ai").symlink_to(tmp_path)
    with pytest.raises(NotServedError, match="symbolic link"):
        proposed(clone, way="worktree")
    assert candidate(clone).standing is Standing.OPEN


def test_what_no_memory_file_can_hold_is_refused_with_the_reason(clone: Repo) -> None:
    told(clone, lesson(origin=replace(LESSON.origin, root_cause="because " * 12_000)))
    before = clone.git("for-each-ref", "refs/heads")
    with pytest.raises(InvalidDataError, match=r"no memory file can hold: .*limit"):
        proposed(clone)
    assert clone.git("for-each-ref", "refs/heads") == before


# in the work tree
def test_into_the_work_tree(clone: Repo) -> None:
    proposal = proposed(clone, way="worktree")
    assert proposal.where is not None
    assert (proposal.where.place, proposal.where.file) == ("worktree", FILE)
    assert clone.git("status", "--porcelain") == "?? .ai/"
    clone.commit("Propose")
    found = proposed(clone).where
    assert found is not None
    assert (found.place, found.branch) == ("head", "main")


def test_a_repository_without_commits_gets_the_file_alone(repo: Repo) -> None:
    told(repo)
    proposed(repo, way="worktree")
    assert (repo.path / FILE).is_file()
    assert not (repo.path / ".ai/validations").exists()


def test_a_bare_repository_has_no_work_tree(tmp_path: Path) -> None:
    server, _ = hosted(tmp_path, dict(CODE))
    told(server)
    with pytest.raises(NotServedError, match="bare"):
        proposed(server, way="worktree")


# onto the trusted branch
@pytest.fixture
def alone(repo: Repo) -> Repo:
    """A repository without a remote, and a candidate in its ledger."""
    repo.commit("Start", CODE)
    told(repo)
    return repo


def yes(_: Draft) -> bool:
    return True


def approved(repo: Repo) -> list[str]:
    with open_repository(repo.path) as opened:
        return [one.id for one in load_knowledge(opened).approved]


def test_a_person_approves_at_once_where_there_is_no_remote(alone: Repo) -> None:
    alone.write("untracked", "mine")
    alone.write("src/bank.py", "LIMIT = 5\n")
    alone.git("add", "src/bank.py")
    shown: list[str] = []

    def look(draft: Draft) -> bool:
        shown.append(draft.memory.id)
        return True

    proposal = proposed(alone, way="commit", ask=look)
    assert shown == [ID]
    assert proposal.where is not None
    assert (proposal.where.place, proposal.where.commit) == ("merged", alone.head())
    assert approved(alone) == [ID]
    assert alone.git("status", "--porcelain") == "M  src/bank.py\n?? untracked"
    assert (alone.path / FILE).is_file()
    assert alone.git("show", "--name-only", "--format=").count(".ai/") == 2


def test_a_person_who_says_no_leaves_everything_as_it_was(alone: Repo) -> None:
    before = state(alone), alone.git("for-each-ref")
    proposal = proposed(alone, way="commit", ask=lambda _: False)
    assert (proposal.declined, proposal.where) == (True, None)
    assert (state(alone), alone.git("for-each-ref")) == before


def test_nobody_to_ask_nobody_approves(alone: Repo) -> None:
    before = alone.git("for-each-ref")
    with pytest.raises(NotServedError, match="asks a person at a terminal"):
        proposed(alone, way="commit")
    assert alone.git("for-each-ref") == before


def test_with_a_remote_a_pull_request_is_the_way(clone: Repo) -> None:
    with pytest.raises(NotServedError, match="has a remote"):
        proposed(clone, way="commit", ask=yes)


def test_a_branch_that_is_checked_out_nowhere_moves_alone(alone: Repo) -> None:
    alone.git("switch", "-qc", "topic")
    before = state(alone)
    proposed(alone, way="commit", ask=yes)
    assert state(alone) == before
    assert approved(alone) == [ID]


def test_another_work_tree_that_has_the_branch_is_named(alone: Repo, tmp_path: Path) -> None:
    alone.git("worktree", "add", "-q", "-b", "topic", str(tmp_path / "linked"))
    with pytest.raises(NotServedError, match="checked out in another work tree"):
        proposed(tmp_path / "linked", way="commit", ask=yes)


@pytest.mark.parametrize("what", ["file", "staged", "merge"])
def test_what_conflicts_stops_it_before_anything_moves(alone: Repo, what: str) -> None:
    if what == "file":
        alone.write(FILE, "mine\n")
    elif what == "staged":
        alone.write(FILE, "mine\n")
        alone.git("add", FILE)
        (alone.path / FILE).unlink()
    else:
        alone.git("update-ref", "MERGE_HEAD", "HEAD")
    before = alone.head(), alone.git("status", "--porcelain")
    with pytest.raises(NotServedError):
        proposed(alone, way="commit", ask=yes)
    assert (alone.head(), alone.git("status", "--porcelain")) == before


def test_an_index_that_another_git_holds_leaves_nothing_half_done(alone: Repo) -> None:
    (alone.path / ".git/index.lock").touch()
    before = alone.head()
    with pytest.raises(GitmemError):
        proposed(alone, way="commit", ask=yes)
    assert alone.head() == before
    assert not (alone.path / FILE).exists()
    (alone.path / ".git/index.lock").unlink()
    assert alone.git("status", "--porcelain") == ""
    proposed(alone, way="commit", ask=yes)
    assert approved(alone) == [ID]


def test_a_branch_that_moved_while_the_person_looked_is_not_overwritten(alone: Repo) -> None:
    def slow(_: Draft) -> bool:
        alone.commit("Meanwhile", {"src/bank.py": "LIMIT = 6\n"})
        return True

    with pytest.raises(RaceError):
        proposed(alone, way="commit", ask=slow)
    assert alone.git("log", "-1", "--format=%s") == "Meanwhile"
    assert alone.git("status", "--porcelain") == ""
    proposed(alone, way="commit", ask=yes)
    assert approved(alone) == [ID]


# merged
@pytest.mark.parametrize("how", ["--no-ff", "--squash", "rebase", "renamed"])
def test_every_way_of_merging_approves_the_proposal(clone: Repo, how: str) -> None:
    proposed(clone)
    clone.commit("Meanwhile", {"src/bank.py": "LIMIT = 6\n"})
    if how == "rebase":
        clone.git("cherry-pick", BRANCH)
    else:
        clone.git("merge", "-q", "--squash" if how == "--squash" else "--no-ff", BRANCH)
    if how == "renamed":
        clone.move(FILE, f".ai/memory/elsewhere/{ID}.yaml")
    clone.commit("Merge")
    clone.git("push", "-q")
    assert approved(clone) == [ID]
    found = proposed(clone)
    assert found.where is not None
    assert (found.already, found.where.place) == (True, "merged")
    (one,) = checked(clone.path).judgements
    assert (str(one.verdict), one.status) == ("fresh", "active")
