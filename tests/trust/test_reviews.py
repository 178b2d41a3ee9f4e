from __future__ import annotations

import pytest

from gitmem.trust.reviews import Review, Reviewed, Reviewers, newest, review_of

HEAD, OLD = "a" * 40, "b" * 40
MAY = {"kim": True, "lee": True, "guest": False, "fog": None, "bot": True}


def given(*told: tuple[str, str] | tuple[str, str, str]) -> list[Review]:
    return [Review(one[0], one[0] != "bot", one[1], one[2] if len(one) == 3 else HEAD) for one in told]


@pytest.mark.parametrize(
    ("reviews", "expected"),
    [
        ([], ("waiting", (), "no person has approved it yet")),
        (given(("kim", "APPROVED")), ("approved", ("kim",), "")),
        (given(("kim", "APPROVED"), ("kim", "COMMENTED")), ("approved", ("kim",), "")),
        (given(("kim", "APPROVED"), ("kim", "DISMISSED")), ("waiting", (), "no person has approved it yet")),
        (given(("kim", "CHANGES_REQUESTED"), ("kim", "APPROVED")), ("approved", ("kim",), "")),
        (given(("Kim", "CHANGES_REQUESTED"), ("kim", "APPROVED")), ("approved", ("kim",), "")),
        (given(("lee", "APPROVED"), ("kim", "CHANGES_REQUESTED")), ("refused", ("kim",), "changes are requested")),
        (given(("lee", "APPROVED"), ("guest", "CHANGES_REQUESTED")), ("approved", ("lee",), "")),
        (given(("kim", "APPROVED", OLD)), ("waiting", ("kim",), "the approval is of other words")),
        (given(("kim", "APPROVED", OLD), ("lee", "APPROVED")), ("approved", ("lee",), "")),
        (given(("guest", "APPROVED")), ("waiting", ("guest",), "who approved has no write access")),
        (given(("fog", "APPROVED")), ("unknown", ("fog",), "who may write is not told")),
        (given(("fog", "APPROVED"), ("kim", "APPROVED")), ("approved", ("kim",), "")),
        (given(("bot", "APPROVED")), ("waiting", (), "a machine's approval counts for nothing")),
        (given(("Dana", "APPROVED")), ("waiting", (), "who wrote a change cannot approve it")),
        (given(("", "APPROVED")), ("waiting", (), "no person has approved it yet")),
        (given(("kim", "PENDING")), ("waiting", (), "no person has approved it yet")),
    ],
)  # fmt: skip
def test_what_reviews_say_of_a_file(reviews: list[Review], expected: tuple[object, ...]) -> None:
    people = Reviewers(["dana"], MAY)
    assert review_of(reviews, people, lambda commit: commit == HEAD) == Reviewed(*expected)  # type: ignore[arg-type]  # a row of the table


def test_the_newest_deciding_review_of_each_counts() -> None:
    reviews = given(("kim", "APPROVED"), ("lee", "COMMENTED"), ("KIM", "CHANGES_REQUESTED"))
    assert {key: one.state for key, one in newest(reviews).items()} == {"kim": "CHANGES_REQUESTED"}
