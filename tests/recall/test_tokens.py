"""Text as terms: compounds kept and split, light stems, Korean without particles, pairs of CJK characters."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.recall.hangul import without_particle
from gitmem.recall.tokens import grams_of, pairs_of, place_words, words_of


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("idArgumentResolvers", {"id", "argument", "resolver", "idargumentresolvers"}),
        ("snake_case_name", {"snak", "case", "name", "snake_case_name"}),
        ("HTTPServer2Go", {"http", "server", "2", "go", "httpserver2go"}),
        ("src/checkout/api.ts#run", {"src", "checkout", "api", "ts", "run", "src/checkout/api.ts#run"}),
        ("X-Request-Id", {"x", "request", "id", "x-request-id"}),
        ("v1.2.3", {"v", "1", "2", "3", "v1.2.3"}),
        ("retries retried retrying", {"retry"}),
        ("caches cached caching", {"cach"}),
        ("결제를 결제가 결제에서", {"결제"}),
        ("設定キャッシュ", {"設定", "キャッシュ"}),
        ("Straße", {"strass"}),
        ("", set()),
    ],
)
def test_words_are_kept_whole_and_split(text: str, wanted: set[str]) -> None:
    assert wanted <= set(words_of(text))


def test_a_word_is_the_same_in_either_normal_form() -> None:
    text = "결제 재시도 café"
    assert list(words_of(unicodedata.normalize("NFD", text))) == list(words_of(text))


def test_pairs_run_over_the_whole_run_and_never_over_a_space() -> None:
    assert list(pairs_of("재시도 정책 abc 값")) == ["재시", "시도", "정책", "값"]


def test_grams_hold_the_edges_of_a_word() -> None:
    assert list(grams_of("Api 한글")) == [" ap", "api", "pi "]


def test_words_of_a_scope_leave_wildcards_out() -> None:
    assert set(place_words(["src/checkout/**/*.ts"])) == {"src", "checkout", "ts"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("정책을", "정책이"),
        ("재시도는", "재시도를"),
        ("게이트웨이에서", "게이트웨이로"),
        ("배포합니다", "배포하면"),
        ("캐시까지", "캐시만"),
    ],
)
def test_variants_of_a_korean_word_match(one: str, other: str) -> None:
    assert without_particle(one) == without_particle(other)


NOUNS = st.sampled_from(["정책", "결제", "재시도", "게이트웨이", "캐시", "토큰", "배포"])
PARTICLES = st.sampled_from(["", "은", "는", "이", "가", "을", "를", "에서", "으로", "부터", "까지"])


@given(NOUNS, PARTICLES, PARTICLES)
def test_any_two_particles_behind_one_noun_give_one_term(noun: str, one: str, other: str) -> None:
    assert without_particle(noun + one) == without_particle(noun + other)


def test_a_word_of_one_syllable_and_a_particle_stays_whole() -> None:
    assert without_particle("값을") == "값을"


@settings(max_examples=40)
@given(st.text(max_size=100))
def test_any_text_gives_terms_of_bounded_length(text: str) -> None:
    for split in (words_of, pairs_of, grams_of):
        assert all(0 < len(term) <= 64 for term in split(text))


def test_a_word_of_megabytes_is_cut() -> None:
    assert max(map(len, words_of("a" * 1_000_000))) <= 64
