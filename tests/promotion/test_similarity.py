"""The five bands, on literals in English and Korean, and as properties."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.model.memory import Scope
from gitmem.promotion.similarity import Band, compare
from gitmem.promotion.slot import SlotKind
from gitmem.promotion.statement import Statement

TEXTS = st.text(alphabet="ab AB.,1 3만초不é않", min_size=1, max_size=40)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Retry a failed upload 3 times.", "retry a failed  upload three times"),
        ("`retry_limit` is read at start-up.", "retry_limit is read at start-up"),
        ("업로드 실패는 3번 재시도한다.", "업로드 실패는 3번 재시도한다"),
        (
            unicodedata.normalize("NFD", "캐시는 요청마다 비운다"),
            unicodedata.normalize("NFC", "캐시는 요청마다 비운다"),
        ),
    ],
)
def test_the_same_words_are_the_same_fact(ours: str, theirs: str) -> None:
    assert compare(Statement(ours), Statement(theirs)).band is Band.SAME


@pytest.mark.parametrize(
    ("ours", "theirs", "kind"),
    [
        ("Retry a failed upload 3 times", "Retry a failed upload 5 times", SlotKind.NUMBER),
        ("The probe times out after 3s", "The probe times out after 30 seconds", SlotKind.NUMBER),
        ("프로브 타임아웃은 3초다", "프로브 타임아웃은 오 초다", SlotKind.NUMBER),
        ("Repository manages the retry policy", "UseCase manages the retry policy", SlotKind.NAME),
        ("재시도 정책은 Repository가 관리한다", "재시도 정책은 UseCase가 관리한다", SlotKind.NAME),
        ("Never log tokens in production", "Always log tokens in production", SlotKind.POLARITY),
        ("운영에서는 토큰을 로그에 남기지 않는다", "운영에서는 토큰을 로그에 남긴다", SlotKind.POLARITY),
        ("The exporter runs synchronously", "The exporter runs asynchronously", SlotKind.OPPOSITE),
        ("내보내기는 동기로 실행된다", "내보내기는 비동기로 실행된다", SlotKind.OPPOSITE),
    ],
)
def test_a_slot_that_differs_is_a_possible_conflict(ours: str, theirs: str, kind: SlotKind) -> None:
    likeness = compare(Statement(ours), Statement(theirs))
    assert likeness.band is Band.CONFLICT
    assert [slot.kind for slot in likeness.slots] == [kind]
    assert " against " in likeness.reason


def test_scopes_that_cannot_meet_and_an_heir_lift_a_conflict() -> None:
    ours, theirs = "Retry a failed upload 3 times", "Retry a failed upload 5 times"
    web, api = Scope(paths=("web/**",)), Scope(paths=("api/**",))
    assert compare(Statement(ours, scope=web), Statement(theirs, scope=api)).band is Band.CLOSE
    assert compare(Statement(ours, scope=web), Statement(theirs, scope=web)).band is Band.CONFLICT
    assert compare(Statement(ours, supersedes=("m-1",)), Statement(theirs, id="m-1")).band is Band.CLOSE


def test_what_has_nothing_in_common_is_different() -> None:
    one, other = Statement("Retry a failed upload 3 times"), Statement("The docs are built by mkdocs")
    assert compare(one, other).band is Band.DIFFERENT


@given(TEXTS, TEXTS)
def test_comparing_is_symmetric(one: str, other: str) -> None:
    there, back = compare(Statement(one), Statement(other)), compare(Statement(other), Statement(one))
    assert (there.band, there.similarity) == (back.band, back.similarity)


@given(TEXTS)
def test_every_text_is_the_same_as_itself(text: str) -> None:
    assert compare(Statement(text), Statement(text)).band is Band.SAME
