"""Denying, withdrawing, retiring: each move of the lifecycle, once, with its reason."""

from __future__ import annotations

from datetime import datetime

import pytest

from gitmem.errors import LifecycleError, NotFoundError, NotServedError, UsageError
from gitmem.git.opening import open_repository
from gitmem.model.candidate import Standing
from gitmem.store.ledger import RunLedger
from gitmem.usecases.deny import deny
from gitmem.usecases.knowledge import Knowledge, load_knowledge
from gitmem.usecases.marking import Move
from gitmem.usecases.retire import RetireRequest, retire
from gitmem.usecases.runs.inbox import inbox
from tests.support.candidates import ADA, LESSON, candidate, lesson, proposed, told
from tests.support.drifting import CODE
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

NOW = datetime.fromisoformat("2026-07-15T10:00:00+09:00")


def denied(repo: Repo, word: str = LESSON.id, reason: str = "no evidence") -> Move:
    with RunLedger.open(repo.path) as ledger:
        return deny(ledger, inbox(ledger), ADA, word, reason)


def retired(
    repo: Repo, word: str = "m-001", *, reason: str = "gone", by: str | None = None, archive: bool = False
) -> Move:
    with RunLedger.open(repo.path) as ledger:
        return retire(ledger, inbox(ledger), ADA, RetireRequest(word, reason, NOW, by, archive))


def known(repo: Repo) -> Knowledge:
    with open_repository(repo.path) as opened:
        return load_knowledge(opened)


def steps(move: Move) -> tuple[str, str, str]:
    return (move.old.value, move.new.value, move.reason)


# candidates
def test_a_denied_candidate_keeps_who_when_and_why(repo: Repo) -> None:
    told(repo)
    assert steps(denied(repo)) == ("candidate", "denied", "no evidence")
    (decision,) = candidate(repo).decisions
    assert (decision.decision, decision.by, decision.reason) == ("denied", "human", "no evidence")
    assert candidate(repo).standing is Standing.DENIED


def test_denied_again_nothing_is_added(repo: Repo) -> None:
    told(repo)
    denied(repo)
    assert steps(denied(repo, reason="another")) == ("denied", "denied", "no evidence")
    assert len(candidate(repo).decisions) == 1


def test_a_proposal_is_denied_by_its_memorys_id(repo: Repo) -> None:
    repo.commit("Start", CODE)
    told(repo)
    made = proposed(repo).memory
    assert made is not None
    assert denied(repo, made.id).id == LESSON.id
    assert candidate(repo).standing is Standing.DENIED


def test_what_was_merged_is_no_candidate_any_more(repo: Repo) -> None:
    repo.commit("Start", CODE)
    told(repo)
    proposed(repo, way="commit", ask=lambda _: True)
    for close in (denied, retired):
        with pytest.raises(LifecycleError, match=r"became the memory .*, which is active") as caught:
            close(repo, LESSON.id)
        assert "gitmem retire orders-are-sent-once-" in caught.value.hint


def test_a_candidate_is_withdrawn(repo: Repo) -> None:
    told(repo)
    assert steps(retired(repo, LESSON.id, reason="said better elsewhere")) == (
        "candidate",
        "archived",
        "said better elsewhere",
    )
    assert steps(retired(repo, LESSON.id))[:2] == ("archived", "archived")
    with pytest.raises(LifecycleError, match="no move from archived to denied"):
        denied(repo)


def test_a_denied_candidate_is_archived(repo: Repo) -> None:
    told(repo)
    denied(repo)
    assert steps(retired(repo, LESSON.id))[:2] == ("denied", "archived")


def test_a_candidate_has_no_heir(repo: Repo) -> None:
    repo.commit("Add", {path_of(): memory()})
    told(repo)
    with pytest.raises(UsageError, match="is a candidate"):
        retired(repo, LESSON.id, by="m-001")
    assert candidate(repo).standing is Standing.OPEN


def test_what_is_neither_memory_nor_candidate_is_named(repo: Repo) -> None:
    repo.commit("Add", {path_of(): memory()})
    with pytest.raises(NotFoundError) as caught:
        retired(repo, "m-002")
    assert (caught.value.message, caught.value.hint) == (
        "no memory has the id m-002",
        "did you mean m-001?",
    )
    with pytest.raises(NotFoundError):
        denied(repo, "m-001")


# memories
def test_retiring_changes_its_own_lines_alone(repo: Repo) -> None:
    text = f"# the author's comment\n{memory()}# and another\n"
    repo.commit("Add", {path_of(): text})
    assert steps(retired(repo, reason="주문 서버가 없어졌다")) == (
        "active",
        "deprecated",
        "주문 서버가 없어졌다",
    )
    after = repo.read(path_of())
    assert after.splitlines() == [
        *text.replace("status: active", "status: deprecated").splitlines()[:-1],
        "x-retired-at: 2026-07-15T10:00:00+09:00",
        "x-retired-because: 주문 서버가 없어졌다",
        "# and another",
    ]


def test_an_unmerged_retirement_retires_nobody(repo: Repo) -> None:
    repo.commit("Add", {path_of(): memory()})
    repo.git("switch", "-qc", "topic")
    retired(repo)
    repo.commit("Retire")
    assert [(one.merged, one.memory.status.value) for one in known(repo).memories] == [
        (True, "active"),
        (False, "deprecated"),
    ]
    repo.git("switch", "-q", "main")
    repo.git("merge", "-q", "topic")
    assert [(one.merged, one.memory.status.value) for one in known(repo).memories] == [(True, "deprecated")]


def test_an_heir_takes_its_place(repo: Repo) -> None:
    repo.commit("Add", {path_of(): memory(), path_of("m-002"): memory("m-002", "Newer")})
    retired(repo, by="m-002")
    repo.commit("Retire")
    assert known(repo).heirs == {"m-001": "m-002"}


def test_retired_so_already_nothing_is_written(repo: Repo) -> None:
    repo.commit("Add", {path_of(): memory(), path_of("m-002"): memory("m-002", "Newer")})
    retired(repo, reason="first")
    before = repo.read(path_of())
    assert steps(retired(repo, reason="second")) == ("deprecated", "deprecated", "first")
    assert repo.read(path_of()) == before
    with pytest.raises(LifecycleError, match="is deprecated already"):
        retired(repo, by="m-002")


def test_only_what_is_deprecated_is_archived(repo: Repo) -> None:
    repo.commit("Add", {path_of(): memory()})
    with pytest.raises(LifecycleError, match="no move from active to archived") as caught:
        retired(repo, archive=True)
    assert "active → deprecated" in caught.value.hint
    retired(repo)
    assert steps(retired(repo, archive=True))[:2] == ("deprecated", "archived")
    with pytest.raises(LifecycleError, match="no move from archived"):
        retired(repo)


@pytest.mark.parametrize(
    ("by", "files", "message"),
    [
        ("m-001", {}, "cannot take its own place"),
        ("m-003", {}, "no memory has the id m-003"),
        ("m-002", {"status": "deprecated"}, "is deprecated itself"),
        ("m-002", {"superseded_by": "[m-001]"}, "takes the place of m-002 already"),
    ],
)
def test_an_heir_must_be_one(repo: Repo, by: str, files: dict[str, str], message: str) -> None:
    repo.commit("Add", {path_of(): memory(), path_of("m-002"): memory("m-002", "Newer", **files)})
    before = repo.read(path_of())
    with pytest.raises((UsageError, NotFoundError), match=message):
        retired(repo, by=by)
    assert repo.read(path_of()) == before


def test_a_file_that_is_not_checked_out_is_named(repo: Repo) -> None:
    repo.commit("Add", {path_of(): memory()})
    (repo.path / path_of()).unlink()
    with pytest.raises(NotServedError, match="is not in the work tree"):
        retired(repo)


def test_the_words_of_a_candidate_do_not_matter(repo: Repo) -> None:
    told(repo, lesson(summary="\u202edeny\x1b[2J me"))
    assert steps(denied(repo))[:2] == ("candidate", "denied")
