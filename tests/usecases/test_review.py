"""The review queue: what waits, why, since when; and a person's answer to a contradiction."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

import pytest

from gitmem.errors import InvalidDataError, LifecycleError, NotServedError
from gitmem.git.opening import open_repository
from gitmem.model.candidate import Conflict, Standing
from gitmem.model.memory import Evidence, Origin
from gitmem.store.ledger import RunLedger
from gitmem.usecases.marking import challenge
from gitmem.usecases.reviewing.loading import load_queue, mine
from gitmem.usecases.reviewing.queue import Item, Queue, in_order
from gitmem.usecases.reviewing.resolving import Resolution, Resolved, resolve
from gitmem.usecases.reviewing.rewording import reword, words_of
from gitmem.usecases.reviewing.waiting import Queued, waiting
from gitmem.usecases.runs.inbox import inbox
from gitmem.usecases.runs.recording import Teller
from tests.support.candidates import ADA, LESSON, candidate, lesson, proposed, told
from tests.support.drifting import ABOUT_SEND, CODE, SHOP, TODAY, checked, confirmed, validated
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

BROKEN = SHOP.replace("    ship(order)\n", "")
AT = datetime.fromisoformat("2026-07-15T10:00:00+09:00")


def queue(repo: Repo, *, today: date = TODAY) -> Queue:
    with RunLedger.open(repo.path) as ledger:
        return load_queue(ledger, today=today)


def only(repo: Repo) -> Item:
    (item,) = queue(repo).items
    return item


def said(repo: Repo, event_type: str, **payload: str) -> None:
    with RunLedger.open(repo.path) as ledger:
        inbox(ledger).append(
            event_type=event_type, actor="codex", payload=payload, at="2026-07-18T10:00:00+09:00"
        )


def counted(repo: Repo) -> Queued:
    with RunLedger.open(repo.path) as ledger:
        return waiting(ledger, today=TODAY)


# memories
def test_nothing_waits_where_all_is_well(repo: Repo) -> None:
    validated(repo)
    assert queue(repo).items == ()


def test_a_memory_whose_code_moved_waits_since_the_commit_that_did_it(repo: Repo) -> None:
    validated(repo)
    when = {"GIT_AUTHOR_DATE": "2026-07-16T09:00:00+09:00", "GIT_COMMITTER_DATE": "2026-07-16T09:00:00+09:00"}
    repo.commit("Break", {"src/shop.py": BROKEN}, environment=when)
    item = only(repo)
    assert (item.id, item.reason, item.since[:10]) == ("m-001", "challenged", "2026-07-16")
    assert "src/shop.py" in item.detail


def test_what_says_something_else_than_was_validated_waits_and_is_counted(repo: Repo) -> None:
    validated(repo)
    repo.commit("Break", {"src/shop.py": BROKEN})
    repo.commit("Reword", {path_of(): memory(summary="'`send` ships at once, for good'")})
    item = only(repo)
    assert (item.reason, "gitmem confirm m-001" in item.detail) == ("unchecked", True)
    checked(repo.path)
    assert counted(repo).number == 1


def test_a_mark_waits_since_it_was_set(repo: Repo) -> None:
    validated(repo)
    with open_repository(repo.path) as opened:
        challenge(opened, ["m-001"], "I doubt it", AT)
    repo.commit("Doubt")
    item = only(repo)
    assert (item.reason, item.since[:10]) == ("challenged", "2026-07-15")
    assert "I doubt it" in item.detail


@pytest.mark.parametrize(("field", "reason"), [("review_after", "review"), ("expires_at", "expired")])
def test_a_day_that_has_passed_is_told_apart_from_doubt(repo: Repo, field: str, reason: str) -> None:
    validated(repo, ABOUT_SEND, CODE, **{field: "2026-07-16"})
    item = only(repo)
    assert (item.reason, item.since) == (reason, "2026-07-16")


def test_retention_of_the_policy_has_it_reviewed(repo: Repo) -> None:
    validated(repo, type="verified_fix_pattern")
    item = queue(repo, today=date(2027, 3, 1)).items[0]
    assert (item.reason, item.since) == ("review", "2027-01-10")


def test_a_claim_without_a_look_waits_first_until_somebody_looks(repo: Repo) -> None:
    validated(repo)
    told(repo)
    said(repo, "memory_confirmed", memory="m-001", how="claimed")
    first = queue(repo).items[0]
    assert (first.id, first.reason, first.since[:10]) == ("m-001", "claimed", "2026-07-18")
    assert "codex says that it holds" in first.detail
    checked(repo.path)
    assert counted(repo) == (2, "2026-07-18")
    confirmed(repo.path, at="2026-07-19T10:00:00+09:00")
    repo.commit("Looked")
    assert [one.reason for one in queue(repo).items] == ["candidate"]
    checked(repo.path)
    assert counted(repo).number == 1


def test_a_repetition_is_no_claim(repo: Repo) -> None:
    validated(repo)
    said(repo, "memory_confirmed", memory="m-001", how="repeated")
    assert queue(repo).items == ()


def test_what_nobody_cites_and_what_nothing_checks_waits_too(repo: Repo) -> None:
    """Five sessions that cite what helped them were given m-001, and none of them named it."""
    validated(repo)
    repo.commit("Add", {path_of("m-002"): memory("m-002", "No scope", scope="")})
    with RunLedger.open(repo.path) as ledger:
        run = ledger.run("run-1")
        for number in range(5):
            session = f"s-{number}"
            for kind, payload in (
                ("memory_delivered", {"ids": ["m-001", "m-002"]}),
                ("session_ended", {"session": session, "used_memories": ["m-002"]}),
            ):
                run.append(event_type=kind, actor="codex", session=session, payload=payload)
    assert {one.id: one.reason for one in queue(repo).items} == {"m-001": "ignored", "m-002": "unchecked"}
    checked(repo.path)
    assert counted(repo).number == 2  # as the queue has it: one number for one concept


def test_what_was_retired_does_not_wait(repo: Repo) -> None:
    repo.commit("Add", {path_of(): memory(status="deprecated", expires_at="2026-07-01")})
    assert queue(repo).items == ()


# proposals and candidates
def test_a_candidate_waits_with_what_it_lacks(repo: Repo) -> None:
    repo.commit("Start", CODE)
    told(repo, lesson(scope=replace(LESSON.scope, does_not_apply_to=())))
    item = only(repo)
    assert (item.id, item.reason) == (LESSON.id, "candidate")
    assert item.gated is not None
    assert item.gated.decision.value == "hold"
    assert "anti_scope" in item.detail


def test_a_proposal_waits_for_its_merge_wherever_it_stands(repo: Repo) -> None:
    repo.commit("Start", CODE)
    told(repo)
    made = proposed(repo).memory
    assert made is not None
    item = only(repo)
    assert (item.id, item.reason, item.detail) == (made.id, "proposed", f"on gitmem/{made.id}")
    repo.git("switch", "-q", f"gitmem/{made.id}")
    item = only(repo)
    assert (item.id, item.reason) == (made.id, "proposed")
    repo.git("switch", "-q", "main")
    repo.git("merge", "-q", f"gitmem/{made.id}")
    assert queue(repo).items == ()


def test_a_proposal_is_judged_against_todays_code_before_it_can_be_approved(repo: Repo) -> None:
    repo.commit("Start", CODE)
    told(repo)
    made = proposed(repo).memory
    assert made is not None
    repo.commit("Break", {"src/shop.py": BROKEN})
    assert "the code is changed since it was learnt" in only(repo).detail
    repo.git("switch", "-q", f"gitmem/{made.id}")
    repo.git("merge", "-q", "-m", "Take in", "main")
    assert "VERIFY" in only(repo).detail


def test_a_proposal_that_is_not_in_this_clone_still_waits(repo: Repo) -> None:
    repo.commit("Start", CODE)
    told(repo)
    made = proposed(repo).memory
    assert made is not None
    repo.git("branch", "-qD", f"gitmem/{made.id}")
    assert only(repo).detail.startswith("not in this clone")


def test_closed_candidates_do_not_wait(repo: Repo) -> None:
    repo.commit("Start", CODE)
    told(repo)
    said(repo, "promotion_decided", candidate=LESSON.id, decision="denied")
    assert queue(repo).items == ()


def test_evidence_that_is_gone_is_told_and_the_rest_is_listed(repo: Repo) -> None:
    repo.commit("Start", CODE)
    told(
        repo,
        lesson(evidence=Evidence(commits=("f" * 40,), documents=("docs/gone.md",))),
        lesson(
            "candidate-2",
            "`log` prints every order",
            origin=Origin(system="human", source_events=("e" * 40,)),
        ),
    )
    assert {one.id for one in queue(repo).items} == {LESSON.id, "candidate-2"}


def test_a_broken_policy_leaves_candidates_unjudged_and_says_so(repo: Repo) -> None:
    repo.commit("Start", {**CODE, ".ai/policies/memory-policy.yaml": "version: 9\n"})
    told(repo)
    found = queue(repo)
    assert [(one.reason, one.detail) for one in found.items] == [("candidate", "the gate could not be asked")]
    assert "candidates could not be judged" in found.remarks[0]


def test_in_an_empty_repository_candidates_are_listed_all_the_same(repo: Repo) -> None:
    told(repo)
    assert [one.id for one in queue(repo).items] == [LESSON.id]


def test_mine_is_what_i_told_or_wrote(repo: Repo) -> None:
    repo.commit("Start", {**CODE, path_of(): memory(expires_at="2026-07-01", created_by="claude-code/ada")})
    repo.commit(
        "Other", {path_of("m-002"): memory("m-002", "Other", expires_at="2026-07-01", created_by="bob")}
    )
    told(repo)
    with RunLedger.open(repo.path) as ledger:
        found = {one.id for one in mine(ledger, load_queue(ledger, today=TODAY))}
    assert found == {"m-001", LESSON.id}


def test_the_oldest_of_each_kind_comes_first_and_what_cannot_say_last() -> None:
    rows = [
        ("a", "candidate", "2026-07-02T00:00:00+09:00"),
        ("b", "challenged", ""),
        ("c", "candidate", "2026-07-01T23:00:00-09:00"),
        ("d", "challenged", "2026-07-09"),
        ("e", "claimed", "2026-07-19"),
    ]
    items = [Item(name, reason, since, "", LESSON) for name, reason, since in rows]
    assert [one.id for one in in_order(items)] == ["e", "d", "b", "c", "a"]


# contradictions
FIVE = "Retry a failed payment 5 times before giving up"
THREE = "Retry a failed payment 3 times before giving up"


@pytest.fixture
def contradicted(repo: Repo) -> Repo:
    repo.commit("Start", {**CODE, path_of(): memory(summary=THREE)})
    scope = replace(LESSON.scope, paths=("src/**",))
    told(repo, lesson(summary=FIVE, title=None, scope=scope), conflicts=[Conflict("m-001", "3 against 5")])
    return repo


def answered(repo: Repo, resolution: Resolution, reason: str = "the gateway was changed") -> list[Resolved]:
    with RunLedger.open(repo.path) as ledger:
        return list(resolve(ledger, inbox(ledger), ADA, LESSON.id, resolution=resolution, reason=reason))


def conflict(repo: Repo) -> Item | None:
    return next((one for one in queue(repo).items if one.reason == "conflict"), None)


def test_a_contradiction_waits_with_both_sides(contradicted: Repo) -> None:
    item = conflict(contradicted)
    assert item is not None
    assert (item.id, [one.id for one in item.conflicts]) == (LESSON.id, ["m-001"])
    assert "m-001 may say otherwise" in item.detail


def test_keeping_what_is_known_withdraws_the_candidate(contradicted: Repo) -> None:
    assert [(one.existing, one.already) for one in answered(contradicted, "kept_existing")] == [
        ("m-001", False)
    ]
    assert candidate(contradicted).standing is Standing.WITHDRAWN
    assert [one.already for one in answered(contradicted, "kept_existing")] == [True]
    assert len(candidate(contradicted).decisions) == 1
    with pytest.raises(LifecycleError):
        answered(contradicted, "superseded")


def test_superseding_goes_into_the_proposal(contradicted: Repo) -> None:
    answered(contradicted, "superseded")
    assert conflict(contradicted) is None
    made = proposed(contradicted)
    assert made.memory is not None
    assert made.memory.supersedes == ("m-001",)


def test_what_is_proposed_already_is_answered_in_its_file(contradicted: Repo) -> None:
    answered(contradicted, "superseded")
    proposed(contradicted)
    with pytest.raises(LifecycleError, match="is proposed as"):
        answered(contradicted, "both_hold")


def test_both_hold_keeps_both_with_the_reason(contradicted: Repo) -> None:
    answered(contradicted, "both_hold", "one for each gateway")
    assert conflict(contradicted) is None
    (decision,) = candidate(contradicted).decisions
    assert (decision.decision, decision.memory, decision.reason) == (
        "both_hold",
        "m-001",
        "one for each gateway",
    )
    made = proposed(contradicted)
    assert made.memory is not None
    assert made.memory.supersedes == ()


@pytest.mark.parametrize(
    ("resolution", "standing"),
    [
        ("kept_existing", (Standing.OPEN, Standing.WITHDRAWN)),
        ("superseded", (Standing.WITHDRAWN, Standing.OPEN)),
        ("both_hold", (Standing.OPEN, Standing.OPEN)),
    ],
)
def test_between_two_candidates_one_answer_settles_both(
    repo: Repo, resolution: Resolution, standing: tuple[Standing, Standing]
) -> None:
    repo.commit("Start", CODE)
    scope = replace(LESSON.scope, paths=("src/**",))
    told(
        repo,
        lesson("candidate-there", THREE, title=None, scope=scope),
        lesson(summary=FIVE, title=None, scope=scope),
    )
    assert conflict(repo) is not None
    answered(repo, resolution)
    assert (candidate(repo, "candidate-there").standing, candidate(repo).standing) == standing
    assert conflict(repo) is None


def test_an_unanswered_contradiction_is_not_proposed(contradicted: Repo) -> None:
    assert proposed(contradicted).where is None


def test_there_must_be_something_to_answer(repo: Repo) -> None:
    repo.commit("Start", CODE)
    told(repo)
    with pytest.raises(NotServedError, match="nothing that is known here contradicts"):
        answered(repo, "both_hold")


# other words
def test_a_candidate_is_reworded_under_its_id(repo: Repo) -> None:
    repo.commit("Start", CODE)
    told(repo, teller=Teller("codex", "s-1"), requires_human_review=True)
    text = words_of(candidate(repo)).replace("before it answers", "and then answers")
    with RunLedger.open(repo.path) as ledger:
        reword(inbox(ledger), ADA, candidate(repo), text)
        reword(inbox(ledger), ADA, candidate(repo), text)
    found = candidate(repo)
    assert (found.memory.summary, found.actor) == ("`send` ships an order and then answers", "human")
    assert found.requires_human_review is True
    assert (
        repo.git(
            "log",
            "--format=%s",
            "refs/ai/runs/inbox/"
            + repo.git("for-each-ref", "--format=%(refname:lstrip=4)", "refs/ai/runs/inbox"),
        ).count("memory_candidate")
        == 2
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("summary:", "summery:", "summary is missing"),
        (LESSON.id, "candidate-other", "the id must stay"),
        ("kind: convention", "kind: [", "line"),
    ],
)
def test_words_that_no_candidate_can_have_change_nothing(
    repo: Repo, old: str, new: str, message: str
) -> None:
    told(repo)
    with RunLedger.open(repo.path) as ledger, pytest.raises(InvalidDataError, match=message):
        reword(inbox(ledger), ADA, candidate(repo), words_of(candidate(repo)).replace(old, new))
    assert candidate(repo).memory.summary == LESSON.summary


# the one line
def test_how_many_wait_is_counted_from_what_is_kept(repo: Repo) -> None:
    validated(repo, ABOUT_SEND)
    assert counted(repo) == (0, "")
    told(repo, LESSON, lesson("candidate-2", "`log` prints"))
    today = datetime.now().astimezone().date()
    assert counted(repo).number == 2
    assert abs((date.fromisoformat(counted(repo).since) - today).days) <= 1
    repo.commit("Break", {"src/shop.py": BROKEN})
    checked(repo.path)
    assert counted(repo).number == 3
    assert counted(repo).since == "2026-07-13"
    said(repo, "promotion_decided", candidate="candidate-2", decision="denied")
    assert counted(repo).number == 2


def test_a_proposal_counts_until_it_is_merged(repo: Repo) -> None:
    repo.commit("Start", CODE)
    told(repo)
    made = proposed(repo).memory
    assert made is not None
    assert counted(repo) == (1, counted(repo).since)
    repo.git("switch", "-q", f"gitmem/{made.id}")
    checked(repo.path)
    assert counted(repo).number == 1
    repo.git("switch", "-q", "main")
    repo.git("merge", "-q", f"gitmem/{made.id}")
    assert counted(repo).number == 0
    checked(repo.path)
    assert counted(repo).number == 0


def test_counting_reads_no_yaml(repo: Repo) -> None:
    import subprocess
    import sys

    validated(repo)
    told(repo)
    checked(repo.path)
    script = (
        "import sys\n"
        "from datetime import date\n"
        "from gitmem.git.opening import open_repository\n"
        "from gitmem.store.ledger import RunLedger\n"
        "from gitmem.usecases.reviewing.waiting import waiting\n"
        f"ledger = RunLedger(open_repository({str(repo.path)!r}))\n"
        "print(waiting(ledger, today=date(2026, 7, 20)).number)\n"
        "print(sorted({'yaml', 'ruamel', 'pydantic', 'tree_sitter'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n[]\n"
