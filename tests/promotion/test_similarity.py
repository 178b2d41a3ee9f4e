"""The five bands, on literals in English and Korean, and as properties."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.model.memory import Scope
from gitmem.promotion.similarity import Band, compare
from gitmem.promotion.slot import SlotKind
from gitmem.promotion.statement import Statement


def words(text: str) -> list[str]:
    return text.split()


FRAGMENTS = words(
    "the cart calls `retry_policy` src/a.py before after not never 3 seconds three times 30% Redis must be stored without instead of "
    "재시도는 Repository가 하지 않는다 관리한다 전에 후에 세 번 3초 대신 없으면 キャッシュを使わない 不要 使用 , . ; --no-cache >="
)
TEXTS = st.one_of(
    st.text(alphabet="ab AB.,1 3만초不é않", min_size=1, max_size=40),
    st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=12).map(" ".join),
)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Retry a failed upload 3 times.", "retry a failed  upload three times"),
        ("`retry_limit` is read at start-up.", "retry_limit is read at start-up"),
        ("업로드 실패는 3번 재시도한다.", "업로드 실패는 3번 재시도한다"),
        ("금액은 **정수**로 저장한다", "금액은 정수로 저장한다"),
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


@pytest.mark.parametrize(
    ("ours", "theirs", "band"),
    [
        (("CLAUDE.md", "Rules › Web"), ("CLAUDE.md", "Rules › Server"), Band.CLOSE),
        (("CLAUDE.md", "Rules › Web"), ("CLAUDE.md", "Rules › Web"), Band.CONFLICT),
        (("CLAUDE.md", "Rules › Web"), ("AGENTS.md", "Rules › Server"), Band.CONFLICT),
        (("CLAUDE.md", ""), ("CLAUDE.md", "Rules › Server"), Band.CONFLICT),
        (("", ""), ("", ""), Band.CONFLICT),
    ],
)
def test_one_file_that_says_both_under_different_headings_contradicts_nothing(
    ours: tuple[str, str], theirs: tuple[str, str], band: Band
) -> None:
    one = Statement("Run `npm test` before you commit", section=ours)
    assert compare(one, Statement("Run `pytest` before you commit", section=theirs)).band is band


def test_scopes_that_cannot_meet_and_an_heir_lift_a_conflict() -> None:
    ours, theirs = "Retry a failed upload 3 times", "Retry a failed upload 5 times"
    web, api = Scope(paths=("web/**",)), Scope(paths=("api/**",))
    assert compare(Statement(ours, scope=web), Statement(theirs, scope=api)).band is Band.CLOSE
    assert compare(Statement(ours, scope=web), Statement(theirs, scope=web)).band is Band.CONFLICT
    assert compare(Statement(ours, supersedes=("m-1",)), Statement(theirs, id="m-1")).band is Band.CLOSE


def test_what_has_nothing_in_common_is_different() -> None:
    one, other = Statement("Retry a failed upload 3 times"), Statement("The docs are built by mkdocs")
    assert compare(one, other).band is Band.DIFFERENT


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_comparing_is_symmetric(one: str, other: str) -> None:
    there, back = compare(Statement(one), Statement(other)), compare(Statement(other), Statement(one))
    assert (there.band, there.similarity) == (back.band, back.similarity)


@settings(deadline=None)
@given(TEXTS, st.sampled_from(["{}.", "  {} ", "{}!", "\u201c{}\u201d"]))
def test_marks_and_spaces_around_it_do_not_change_a_fact(text: str, frame: str) -> None:
    if text.strip()[-1:].isalnum():
        assert compare(Statement(text), Statement(frame.format(text.strip()))).band is Band.SAME


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=12),
    st.sampled_from(["7", "9 minutes", "not", "--force"]),
)
def test_a_word_more_is_never_merged(said: list[str], more: str) -> None:
    assert compare(Statement(" ".join(said)), Statement(" ".join([*said, more]))).band is not Band.SAME


@settings(deadline=None)
@given(TEXTS)
def test_every_text_is_the_same_as_itself(text: str) -> None:
    assert compare(Statement(text), Statement(text)).band is Band.SAME


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Commit .env", "Commit env"),
        ("Call `__init__` first", "Call `init` first"),
        ("Match `*.ts` only", "Match `.ts` only"),
        ("Use `map` here", "Use `Map` here"),
        ("Pass `--no-cache`", "Pass `--cache`"),
        ("Compare with `>=`", "Compare with `<=`"),
        ("Requires Python 3.1", "Requires Python 3.10"),
        ("The worker stops", "The work stops"),
        ("설정은 서버가 읽는다", "설정은 서버를 읽는다"),
    ],
)
def test_what_differs_in_a_mark_of_code_or_a_particle_is_not_merged(ours: str, theirs: str) -> None:
    assert compare(Statement(ours), Statement(theirs)).band is not Band.SAME


def test_the_same_words_for_two_places_are_two_facts() -> None:
    web, api = Scope(paths=("web/**",)), Scope(paths=("api/**",))
    text = "Retry a failed upload 3 times"
    assert compare(Statement(text, scope=web), Statement(text, scope=api)).band is Band.SAME_MAYBE


def test_titles_and_bodies_count_where_both_have_one() -> None:
    one = Statement("The limit holds per user", title="Upload limit", body="It is 3 MB.")
    other = Statement("The limit holds per user", title="Upload limit", body="It is 5 MB.")
    assert compare(one, other).band is Band.CONFLICT
    assert compare(one, Statement(one.summary)).band is Band.SAME
    assert compare(one, Statement(one.summary, title="Download quota")).band is Band.SAME_MAYBE


def test_a_cosine_sees_a_topic_that_words_do_not() -> None:
    ours, theirs = (
        Statement("Rate limits begin at 100 requests"),
        Statement("Throttling starts above a hundred calls"),
    )
    assert compare(ours, theirs).band is Band.DIFFERENT
    assert compare(ours, theirs, cosine=0.85).band is Band.CLOSE
    assert compare(ours, theirs, cosine=0.97).band is Band.SAME_MAYBE
    assert compare(ours, theirs, cosine=0.5).band is Band.DIFFERENT


def test_a_low_cosine_hides_no_conflict_that_words_see() -> None:
    ours, theirs = Statement("Retry three times"), Statement("Never retry three times")
    assert compare(ours, theirs, cosine=0.6) == replace(compare(ours, theirs), similarity=0.6)
    assert compare(ours, theirs).band is Band.CONFLICT


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Retry the call when the gateway is busy", "Retry the call when a deploy is running"),
        (
            "게이트웨이가 바쁘면 호출을 1초 간격으로 세 번까지 다시 시도한다",
            "배포가 진행되면 호출을 1초 간격으로 세 번까지 다시 시도한다",
        ),
    ],
)
def test_the_same_rule_for_two_cases_is_two_facts_and_no_contradiction(ours: str, theirs: str) -> None:
    likeness = compare(Statement(ours), Statement(theirs))
    assert (likeness.band, [slot.kind for slot in likeness.slots]) == (Band.CLOSE, [SlotKind.CONDITION])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Use pnpm instead of npm here", "Use npm instead of pnpm here"),
        ("여기서는 npm 대신 pnpm을 쓴다", "여기서는 pnpm 대신 npm을 쓴다"),
        ("Close the file before renaming it", "Rename the file before closing it"),
        ("The cart calls the pricing service", "The pricing service calls the cart"),
        ("가격 서비스가 장바구니를 호출한다", "장바구니가 가격 서비스를 호출한다"),
        ("このキャッシュを本番環境で使ってはいけない", "このキャッシュを本番環境で使う"),
        ("不要使用全局缓存", "使用全局缓存"),
    ],
)
def test_the_other_way_round_is_a_possible_conflict(ours: str, theirs: str) -> None:
    assert compare(Statement(ours), Statement(theirs)).band is Band.CONFLICT


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Before you commit, run `make codegen`", "Run `make codegen` before you commit"),
        ("The cart calls the pricing service", "The pricing service is called by the cart"),
        ("재시도 정책은 Repository가 관리한다", "Repository가 재시도 정책을 관리한다"),
        ("관리자만 접근할 수 있다", "관리자가 아니면 접근할 수 없다"),
        ("Set the `retry_policy` in the job", "Set the retry policy in the job"),
        ("The parser accepts at most 64 levels", "The parser accepts no more than 64 levels"),
    ],
)
def test_the_same_said_another_way_is_no_conflict(ours: str, theirs: str) -> None:
    assert compare(Statement(ours), Statement(theirs)).band in {Band.SAME, Band.SAME_MAYBE, Band.CLOSE}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Compare with `==`", "Compare with `!=`"),
        ("`==`로 비교한다", "`!=`로 비교한다"),
        ("Columns are separated by `,`", "Columns are separated by `;`"),
        ("내보내기의 열 구분자는 `,` 이다", "내보내기의 열 구분자는 `;` 이다"),
        ("Use `<` here", "Use `>` here"),
        ("Requires foo >=2.0", "Requires foo <=2.0"),
        ("Pass `--no-cache`", "Pass `--cache`"),
        ("빌드에는 `--no-cache`를 쓴다", "빌드에는 `--cache`를 쓴다"),
        ("Call `save!`", "Call `save?`"),
        ("The API is served over HTTP", "The API is served over HTTPS"),
        ("API는 HTTP로 제공한다", "API는 HTTPS로 제공한다"),
        ("The core is written in C", "The core is written in C++"),
    ],
)
def test_one_sign_or_name_that_differs_is_a_possible_conflict(ours: str, theirs: str) -> None:
    assert compare(Statement(ours), Statement(theirs)).band is Band.CONFLICT


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Retry the upload unless it was cancelled", "Retry the upload if it was cancelled"),
        ("The handler is idempotent", "The handler is non-idempotent"),
        ("The list is complete", "The list is incomplete"),
        ("The cursor is stable", "The cursor is unstable"),
        ("핸들러는 멱등이다", "핸들러는 비멱등이다"),
        ("인증된 요청만 받는다", "미인증된 요청만 받는다"),
        ("이 필드는 필요하다", "이 필드는 불필요하다"),
        ("캐시를 켜 둔다", "캐시를 꺼 둔다"),
        ("익명 접근을 허용한다", "익명 접근을 금지한다"),
        ("로그는 이틀 보관한다", "로그는 하루 보관한다"),
    ],
)
def test_one_word_against_its_contrary_is_a_possible_conflict(ours: str, theirs: str) -> None:
    assert compare(Statement(ours), Statement(theirs)).band is Band.CONFLICT


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Client A trusts Client B", "Client B trusts Client A"),
        ("Copy the data from staging to production", "Copy the data from production to staging"),
        ("A 서비스는 B 서비스에 의존한다", "B 서비스는 A 서비스에 의존한다"),
        ("스테이징에서 운영으로 복사한다", "운영에서 스테이징으로 복사한다"),
    ],
)
def test_two_that_stand_for_each_other_are_a_possible_conflict(ours: str, theirs: str) -> None:
    assert compare(Statement(ours), Statement(theirs)).band is Band.CONFLICT


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Retry the upload unless it was cancelled", "Retry the upload if it was not cancelled"),
        ("Install `a` and `b`", "Install `b` and `a`"),
        ("`a`와 `b`를 설치한다", "`b`와 `a`를 설치한다"),
        ("`retry_policy` is read", "`retryPolicy` is read"),
        ("Use the key `foo:`", "Use the key `foo`"),
        ("The input is valid", "The input is not invalid"),
    ],
)
def test_what_may_be_one_fact_in_another_spelling_is_told_and_no_conflict(ours: str, theirs: str) -> None:
    assert compare(Statement(ours), Statement(theirs)).band in {Band.SAME_MAYBE, Band.CLOSE}
