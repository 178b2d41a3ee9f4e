from __future__ import annotations

from datetime import date

import pytest

from gitmem.model.change import Commit, Person
from gitmem.model.memory import Kind, Memory, Status
from gitmem.trust.approval import Brought, approval_facts, claim_problems, is_bot, person, trailers

ADA = Person("Ada", "ada@example.org")
BOB = Person("Bob", "bob@example.org")
BOT = Person("merge-robot[bot]", "1+merge-robot[bot]@users.noreply.github.com")
GITHUB = Person("GitHub", "noreply@github.com")


def brought(
    message: str = "Add m-001",
    *,
    author: Person = ADA,
    committer: Person | None = None,
    parents: int = 1,
    authors: tuple[Person, ...] | None = None,
) -> Brought:
    commit = Commit(
        "c" * 40,
        "t" * 40,
        tuple(str(number) * 40 for number in range(parents)),
        author,
        "2026-07-13T10:00:00+09:00",
        committer or author,
        "2026-07-14T10:00:00+09:00",
        message,
    )
    return Brought(commit, authors or (author,))


def memory(**fields: object) -> Memory:
    return Memory("m-001", ".ai/memory/m-001.yaml", Kind.NOTE, None, Status.ACTIVE, "s", **fields)  # type: ignore[arg-type] # literals of the tests


def test_a_plain_commit_is_direct_and_by_its_committer() -> None:
    facts = approval_facts(brought(author=ADA, committer=BOB))
    assert (facts.state, facts.review, facts.by, facts.commit) == ("merged", "direct", "Bob", "c" * 40)
    assert facts.at == "2026-07-14T10:00:00+09:00"
    assert facts.verified is False


def test_a_merge_is_by_who_merged() -> None:
    facts = approval_facts(brought("Merge", author=BOB, committer=GITHUB, parents=2, authors=(ADA,)))
    assert (facts.by, facts.review) == ("Bob", "direct")


def test_a_squash_by_a_forge_is_by_its_author() -> None:
    assert approval_facts(brought(author=ADA, committer=GITHUB)).by == "Ada"


@pytest.mark.parametrize("key", ["Reviewed-by", "Approved-by", "reviewed-By"])
def test_a_trailer_that_names_somebody_else_is_a_review(key: str) -> None:
    facts = approval_facts(brought(f"Add m-001\n\nWhy.\n\n{key}: Bob <bob@example.org>\n"))
    assert (facts.review, facts.by) == ("reviewed", "Bob")


@pytest.mark.parametrize(
    "message",
    [
        "Add\n\nReviewed-by: Ada <ada@example.org>",
        "Add\n\nReviewed-by: Another Name <ADA@example.org>",
        "Add\n\nReviewed-by: ada",
        "Add\n\nReviewed-by: merge-robot[bot] <x@y>",
        "Add\n\nCo-authored-by: Bob <bob@example.org>\nReviewed-by: Bob <bob@example.org>",
        "Add\n\nReviewed-by: Bob <bob@example.org>\n\nnot the last paragraph",
        "Reviewed-by: Bob <bob@example.org>",
        "Add\n\nSigned-off-by: Bob <bob@example.org>",
        "Add\n\nReviewed-by:",
    ],
)
def test_own_trailers_bots_and_text_elsewhere_are_no_review(message: str) -> None:
    facts = approval_facts(brought(message))
    assert (facts.review, facts.by) == ("direct", "Ada")


def test_the_author_of_the_content_cannot_review_it_in_the_merge() -> None:
    message = "Merge\n\nApproved-by: Ada <ada@example.org>"
    assert approval_facts(brought(message, author=BOB, parents=2, authors=(ADA,))).review == "direct"
    assert approval_facts(brought(message, author=BOB, parents=2, authors=(BOB,))).review == "reviewed"


def test_require_review_takes_direct_for_unmerged() -> None:
    assert approval_facts(brought(), require_review=True).state == "unmerged"
    reviewed = brought("Add\n\nReviewed-by: Bob <bob@example.org>")
    assert approval_facts(reviewed, require_review=True).state == "merged"
    assert approval_facts(None, require_review=True).state == "unmerged"


def test_a_bot_counts_only_with_a_replay_or_a_person_beside_it() -> None:
    alone = brought("Merge", author=BOT, parents=2)
    assert approval_facts(alone).state == "unmerged"
    assert approval_facts(alone, replayed=True).state == "merged"
    assert approval_facts(brought("Merge\n\nReviewed-by: Bob <bob@x>", author=BOT)).state == "merged"


def test_history_out_of_reach_is_unknown() -> None:
    facts = approval_facts(None)
    assert (facts.state, facts.review, facts.commit, facts.by) == ("merged", "unknown", None, None)


def test_trailers_are_the_last_paragraph() -> None:
    assert list(trailers("s\r\n\r\nb\r\n\r\nA-b: c\r\nnot one\r\nD: e")) == [("a-b", "c"), ("d", "e")]
    assert list(trailers("")) == []


def test_people_are_read_as_trailers_write_them() -> None:
    assert person("김민수 <kim@example.org>") == Person("김민수", "kim@example.org")
    assert person("@kim") == Person("@kim", "")
    assert is_bot(Person("x", "49699333+dependabot[bot]@users.noreply.github.com"))
    assert not is_bot(Person("Bot Person", "bot@example.org"))


@pytest.mark.parametrize(
    "claim", ["Ada", "ADA@example.org", "Ada <ada@example.org>", "@ada", "claude-code/ada", "human", "Human"]
)
def test_a_claim_that_history_bears_out_is_no_problem(claim: str) -> None:
    way = brought()
    assert claim_problems(memory(approved_by=claim), approval_facts(way), way) == ()


def test_a_claimed_name_that_history_does_not_know_is_reported() -> None:
    way = brought()
    (problem,) = claim_problems(memory(approved_by="alice"), approval_facts(way), way)
    assert problem.field == "approved_by"
    assert problem.severity == "warning"
    assert "alice" in problem.message
    assert "Ada" in problem.message


def test_every_claim_of_an_unmerged_memory_is_reported() -> None:
    claimed = memory(approved_by="Ada", approved_at=date(2026, 7, 13))
    told = claim_problems(claimed, approval_facts(None, require_review=True), None)
    assert [one.field for one in told] == ["approved_by", "approved_at"]


@pytest.mark.parametrize(
    ("day", "reported"),
    [
        (date(2026, 7, 12), False),
        (date(2026, 7, 14), False),
        (date(2026, 7, 15), False),
        (date(2026, 7, 10), True),
        (date(2026, 7, 17), True),
    ],
)
def test_a_claimed_date_must_lie_around_the_merge(day: date, reported: bool) -> None:
    way = brought()
    assert bool(claim_problems(memory(approved_at=day), approval_facts(way), way)) is reported


def test_nothing_is_said_where_history_does_not_reach() -> None:
    assert claim_problems(memory(approved_by="alice"), approval_facts(None), None) == ()
