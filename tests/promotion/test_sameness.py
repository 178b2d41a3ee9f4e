"""What is one fact said twice, and what only looks like it: whole kinds, in English and Korean."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings

from gitmem.model.candidate import Candidate
from gitmem.model.memory import Kind, Memory, Origin, Status
from gitmem.promotion.importing.fact import Fact
from gitmem.promotion.importing.folding import folded_facts
from gitmem.promotion.repetition import KnownFacts
from gitmem.promotion.sameness import is_said_again
from gitmem.promotion.similarity import Band, compare, fact_key
from gitmem.promotion.statement import Statement
from tests.promotion.test_similarity import TEXTS

FRAMES = (
    "Columns are separated by {} here",
    "Only {}",
    "내보내기의 열 구분자는 {} 이다",
    "`a` 뒤에는 {}를 쓴다",
)
MARKS = (",", ";", ".", ":", "'", '"', '""', "()", "[]", "*", "-", "–", "!", "?", "…", "build", "*build*", "foo", "foo:",
         "save", "save!", "save?", "**/a", "`", "a, b", "a b", "Map", "map", "-v", "-V", "0644", "644", "8 KB", "8KB")  # fmt: skip
NUMBERS = (
    "1234567.8", "1234567.9", "3.1415926", "3.1415927", "99.9999999%", "100%", "12345678901234567890", "12345678901234567891",
    "0644", "644", "007", "7", "10 MB", "10 Mb", "8 KB", "8 KiB", "30 days", "1 month", "5 m", "5 min", "3D", "3 days", "-1", "1",
    "- 1", "1.0", "1…5", "15", "1,5", "2 100", "200",
)  # fmt: skip


def is_same(one: str, other: str) -> bool:
    bands = {
        compare(Statement(one), Statement(other)).band is Band.SAME,
        compare(Statement(other), Statement(one)).band is Band.SAME,
    }
    assert len(bands) == 1
    return bands.pop()


@pytest.mark.parametrize("frame", FRAMES)
def test_what_stands_in_backticks_is_compared_as_it_is(frame: str) -> None:
    said = [frame.format(f"`` {mark} ``" if "`" in mark else f"`{mark}`") for mark in MARKS]
    assert [pair for pair in combinations(said, 2) if is_said_again(*pair)] == []


@pytest.mark.parametrize("frame", FRAMES)
def test_what_stands_in_quotes_is_compared_as_it_is(frame: str) -> None:
    said = [frame.format(f"“{mark}”") for mark in MARKS]
    assert [pair for pair in combinations(said, 2) if is_said_again(*pair)] == []


@pytest.mark.parametrize("frame", ["Set it to {} here", "값은 {} 로 둔다", "Use {}"])
def test_two_numbers_are_never_one(frame: str) -> None:
    said = [frame.format(number) for number in NUMBERS]
    assert [pair for pair in combinations(said, 2) if is_said_again(*pair)] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The decimal mark is .", "The decimal mark is ,"),
        ("Use the key foo:", "Use the key foo"),
        ("Retry the upload?", "Retry the upload"),
        ("Ignore *build*", "Ignore build"),
        ("- 1", "1"),
        ("Import 5m rows", "Import 5 minutes rows"),
        ("2번 서버로 보낸다", "두 번 서버로 보낸다"),
        ("Log the errors", "Log the error"),
        ("Lock a row", "Lock the row"),
        ("A 서비스는 B 서비스에 의존한다", "서비스는 B 서비스에 의존한다"),
        ("Pass -v", "Pass -V"),
        ("Join words with `or`", "Join words with or"),
        ("Use `a` prefix", "Use a prefix"),
        ("Ask US first", "Ask us first"),
        ("Use Map here", "Use map here"),
        ("3행을 지운다", "세 행을 지운다"),
        ("기본 서버는 2번", "기본 서버는 두 번"),
        ("3단계에서 멈춘다", "세 단계에서 멈춘다"),
        ("Ports 5 – 10", "Ports 5, 10"),
        ("Use \ue000 and \U000f0000", "Use \ue000 and \U000f0001"),
        ("Use `\U000f0000 !`", "Use `\U000f0001 !`"),
    ],
)
def test_a_lone_mark_or_letter_may_be_the_fact(one: str, other: str) -> None:
    assert not is_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("On a timeout, retry, never fail fast", "On a timeout, retry never, fail fast"),
        ("On a timeout, retry; never fail fast", "On a timeout; retry, never fail fast"),
        ("실패하면 중단, 재시도 안 함", "실패하면 중단 재시도, 안 함"),
        ("Run when not (staging and dry run)", "Run when (not staging) and dry run"),
        ("If a or (b and c) holds", "If (a or b) and c holds"),
        ("(a 또는 b) 그리고 c이면 실행한다", "a 또는 (b 그리고 c)이면 실행한다"),
        ("No, retry the upload", "No retry the upload"),
        ("Stop: never retry", "Stop never: retry"),
        ("Do not stop. Retry", "Do not. Stop retry"),
    ],
)
def test_the_marks_of_a_sentence_stand_at_the_same_places_in_one_fact(one: str, other: str) -> None:
    assert not is_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("- Retry an upload.", "retry an  upload"),
        ("“Use tabs.”", "Use tabs"),
        ("**Never** log tokens", "NEVER log tokens!"),
        ("Run `make codegen` first", "Run make codegen first"),
        ("`make`로 빌드한다", "make로 빌드한다."),
        ("Use `t()`; no literals", "Use t(), no literals"),
        ("Wait 15 minutes", "Wait fifteen min"),
        ("At most 8 KB", "At most 8KB"),
        ("85% 아래면 실패한다", "85퍼센트 아래면 실패한다"),
        ("세 번 재시도한다", "3번 재시도한다"),
        ("The cart calls the store", "Cart calls store"),
    ],
)
def test_what_says_nothing_is_folded(one: str, other: str) -> None:
    assert is_same(one, other)
    assert fact_key(one) == fact_key(other)


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_one_fact_has_one_key(one: str, other: str) -> None:
    assert not is_said_again(one, other) or fact_key(one) == fact_key(other)


def test_no_length_is_left_out() -> None:
    long = "Retry the upload " * 400
    assert not is_same(f"{long} never", f"{long} always")


EXCEPTION = "Unless the order is younger than an hour; then the gateway voids it."


def lesson(name: str, body: str | None = None, title: str | None = None, imported: str = "") -> Memory:
    made = Memory(
        name, "", Kind.NOTE, None, Status.ACTIVE, "Refunds go through the ledger", title=title, body=body
    )
    return replace(made, origin=Origin(imported=imported or None))


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (None, EXCEPTION),
        ("Since May.", EXCEPTION),
        ("Since May. " * 60, "Since May. " * 60 + EXCEPTION),
        ("환불은 장부를 거친다.", "환불은 장부를 거친다. 단, 한 시간 안의 주문은 예외다."),
    ],
)
def test_a_body_that_says_more_is_never_thrown_away(held: str | None, said: str) -> None:
    facts = KnownFacts([lesson("m-1", held)], completes=True)
    answer = facts.answer(lesson("c-2", said))
    assert answer.is_new
    assert [one.id for one in answer.similar_to] == ["m-1"]
    assert facts.answer(lesson("c-3", held)).repeats == "m-1"
    assert facts.answer(lesson("c-4")).repeats == "m-1"


def test_a_title_that_says_more_is_never_thrown_away() -> None:
    facts = KnownFacts([lesson("m-1")])
    assert facts.answer(lesson("c-2", title="On staging only")).is_new


def test_only_an_open_candidate_that_is_completed_takes_a_body_in() -> None:
    waiting = [Candidate(lesson("c-1"), "run-1", "a" * 40)]
    assert KnownFacts(candidates=waiting).answer(lesson("c-2", EXCEPTION)).is_new
    assert KnownFacts(candidates=waiting, completes=True).answer(lesson("c-2", EXCEPTION)).waits == "c-1"


def test_where_a_file_says_a_rule_is_no_part_of_it() -> None:
    facts = KnownFacts([lesson("m-1", "Since May.\n\nUnder: Shop", imported="AGENTS.md:3")])
    again = lesson("c-2", "Since May.\n\nUnder: Pay\n\nAlso said in B.md:1", imported="B.md:2")
    assert facts.answer(again).repeats == "m-1"


def test_facts_of_two_files_with_two_bodies_stay_two() -> None:
    said = lesson("m").summary
    facts = [
        Fact(said, name, 1, lesson("m").scope, body=body)
        for name, body in (("A.md", ""), ("B.md", EXCEPTION))
    ]
    assert len(folded_facts(facts)) == len(facts)
