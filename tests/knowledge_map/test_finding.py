"""Which elements a task is about, by words in English and Korean, and by vectors when they are there."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gitmem.knowledge_map.cells import Known
from gitmem.knowledge_map.finding import Match, find_elements, reasons_in_words
from gitmem.model.element import Element
from tests.support.maps import known

ORDERS = Element("OrderProcessor", paths=("src/orders/**",))
MAIL = Element("Mailer", paths=("src/mail/**",), tags=("notifications",), description="알림을 보낸다")
LEDGER = Element("ledger", paths=("lib/**",))
ELEMENTS = (ORDERS, MAIL, LEDGER)
PATHS = (
    "src/orders/checkoutRetry.py",
    "src/orders/a.py",
    "src/mail/smtp_client.py",
    "lib/book.py",
    "lib/결제/a.py",
)


def found(task: str, *memories: Known, semantic: dict[str, float] | None = None) -> tuple[Match, ...]:
    return find_elements(task, ELEMENTS, PATHS, memories, semantic=semantic)


def names(task: str, *memories: Known, semantic: dict[str, float] | None = None) -> list[str]:
    return [one.element.name for one in found(task, *memories, semantic=semantic)]


def test_a_task_finds_an_element_by_its_files() -> None:
    match, *others = found("the checkout fails on retries")
    assert (match.element, others) == (ORDERS, [])
    assert [(one.field, one.words, one.example) for one in match.reasons] == [
        ("files", ("checkout", "retries"), "src/orders/checkoutRetry.py")
    ]


def test_a_task_finds_an_element_by_what_its_memories_say() -> None:
    memory = known(paths=["lib/**"], title="Sums", summary="At checkout the sum is rounded once")
    assert names("round at checkout", memory)[0] == "ledger"
    match = found("round", memory)[0]
    assert list(reasons_in_words(match)) == ["memory “Sums” (round)"]


def test_names_are_split_and_weigh_most() -> None:
    assert names("order history") == ["OrderProcessor"]
    assert names("the ledger") == ["ledger"]
    assert names("smtp") == ["Mailer"]
    assert names("notification settings") == ["Mailer"]


def test_korean_is_found_as_english_is() -> None:
    assert names("결제가 실패한다") == ["ledger"]
    assert names("알림이 안 온다") == ["Mailer"]
    assert names("주문을 취소", known(elements=["OrderProcessor"], summary="주문은 한 번만 취소된다")) == [
        "OrderProcessor"
    ]


def test_nothing_in_common_finds_nothing() -> None:
    for task in ("zzz", "the of and", "!!!", "x" * 100_000):
        assert names(task) == []
    assert find_elements("order", [], [], []) == ()


def test_a_huge_task_answers_by_its_first_words() -> None:
    assert names("checkout " + " ".join(f"word{number}" for number in range(20_000))) == ["OrderProcessor"]


def test_vectors_find_what_no_word_does() -> None:
    semantic = {"OrderProcessor": 0.2, "Mailer": 0.9, "ledger": 0.25}
    matches = found("e-post", semantic=semantic)
    assert matches[0].element is MAIL
    assert matches[0].score == 1
    assert matches[0].reasons[0].field == "semantic"
    assert names("ledger", semantic=semantic)[:2] == ["Mailer", "ledger"]


def test_what_is_not_living_does_not_speak() -> None:
    assert names("rounding", known(paths=["lib/**"], summary="rounding", status="deprecated")) == []


@given(st.text(max_size=60))
def test_scores_fall_from_one_and_every_answer_has_a_reason(task: str) -> None:
    matches = found(task, known(paths=["lib/**"], summary=task))
    assert [one.score for one in matches] == sorted((one.score for one in matches), reverse=True)
    assert all(0 < one.score <= 1 and one.reasons for one in matches)
    assert not matches or matches[0].score == 1
