"""score = similarity × kind × freshness × usage × drift: constants, profiles and what can never happen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.recall.factors import (
    MOST_USAGE,
    PROFILES,
    Factors,
    Profile,
    Usage,
    factors,
    freshness_factor,
    kind_factor,
    usage_factor,
)
from gitmem.recall.ranking import Ranking, estimated_tokens, within_budget
from gitmem.recall.similarity import NOISE, Similarities, Similarity, with_kept_place, without_noise

PROFILE = st.sampled_from(list(PROFILES.values()))
CITATIONS = st.integers(0, 10**6)
KIND = st.sampled_from(["pitfall", "convention", "note", "session_outcome", "other"])
AGES = st.integers(-400, 40_000)


def test_the_published_constants() -> None:
    classic = PROFILES["classic"]
    assert [kind_factor(kind, classic) for kind in ("pitfall", "convention", "note", "session_outcome")] == [
        3,
        2,
        1.5,
        1,
    ]
    assert freshness_factor(45, classic) == 0.5
    assert freshness_factor(90, classic) == 0.25
    assert usage_factor(Usage(1), classic) == 1.25
    assert usage_factor(Usage(0, ignored=True), classic) == 0.75
    assert factors("note", 0, Usage(), classic, challenged=True).drift == 0.6


def test_the_default_profile_floors_freshness_and_the_balanced_one_compresses() -> None:
    assert freshness_factor(5_000, PROFILES["default"]) == 0.8
    assert kind_factor("pitfall", PROFILES["balanced"]) == pytest.approx(1.15)
    assert kind_factor("session_outcome", PROFILES["balanced"]) == 1.0
    assert usage_factor(Usage(10**6), PROFILES["balanced"]) == pytest.approx(1.1)


@given(KIND, AGES, st.builds(Usage, CITATIONS, st.booleans()), st.booleans(), PROFILE)
def test_citing_once_more_never_lowers(
    kind: str, age: int, usage: Usage, challenged: bool, profile: Profile
) -> None:
    before = factors(kind, age, usage, profile, challenged=challenged)
    after = factors(kind, age, Usage(usage.citations + 1), profile, challenged=challenged)
    assert after.product >= before.product


@given(KIND, AGES, CITATIONS, PROFILE)
def test_drift_never_raises(kind: str, age: int, citations: int, profile: Profile) -> None:
    calm = factors(kind, age, Usage(citations), profile, challenged=False)
    assert 0 < factors(kind, age, Usage(citations), profile, challenged=True).product < calm.product


@given(CITATIONS, PROFILE)
def test_the_cap_of_usage_holds(citations: int, profile: Profile) -> None:
    assert 1.0 <= usage_factor(Usage(citations), profile) <= MOST_USAGE


@given(AGES, AGES, PROFILE)
def test_older_is_never_fresher_and_tomorrow_is_today(one: int, other: int, profile: Profile) -> None:
    older, newer = max(one, other), min(one, other)
    assert freshness_factor(older, profile) <= freshness_factor(newer, profile) <= 1.0


# similarity
def test_without_vectors_the_text_alone_counts() -> None:
    similar = Similarities({1: 4.0, 2: 2.0}, {2: 0.3})
    assert similar.of(1) == Similarity(1.0, None, 0.0)
    assert similar.totals() == {1: 1.0, 2: 0.8}


def test_with_vectors_both_are_mixed_and_cosines_are_stretched_for_each_query() -> None:
    similar = Similarities({1: 4.0, 2: 2.0}, {}, {1: 0.90, 2: 0.94, 3: 0.92})
    assert similar.of(1).total == pytest.approx(0.45)
    assert similar.of(2).total == pytest.approx(0.55 + 0.45 * 0.5)
    assert similar.of(3).total == pytest.approx(0.55 * 0.5)
    plain = Similarities({1: 4.0}, {}, {1: 0.9, 2: 0.8}, stretched=False)
    assert plain.of(1).total == pytest.approx(0.55 * 0.9 + 0.45)


def test_what_has_no_vector_yet_is_judged_by_its_text() -> None:
    similar = Similarities({1: 4.0, 2: 4.0}, {}, {1: 0.9, 3: 0.1})
    assert similar.of(2).total == 1.0


SCORES = st.dictionaries(st.integers(0, 30), st.floats(0.01, 100), max_size=20)


@given(SCORES, SCORES, SCORES)
def test_totals_are_exactly_those_of_the_parts(
    text: dict[int, float], places: dict[int, float], semantic: dict[int, float]
) -> None:
    similar = Similarities(text, places, semantic or None)
    assert similar.totals() == {name: similar.of(name).total for name in {*text, *places, *semantic}}


def test_one_of_the_first_five_places_is_kept_for_the_best_semantic_hit() -> None:
    ranked = list(range(10))
    assert with_kept_place(ranked, {8: 0.9, 0: 0.1}) == [0, 1, 2, 3, 8, 4, 5, 6, 7, 9]
    assert with_kept_place(ranked, {2: 0.9, 8: 0.1}) == ranked
    assert with_kept_place(ranked, {}) == ranked
    assert with_kept_place([], {3: 0.4}) == []


def test_noise_says_nothing_but_of_what_words_found() -> None:
    assert without_noise({1: 0.9, 2: NOISE, 3: 0.1, 4: -0.2}, {4}) == {1: 0.9, 2: NOISE, 4: -0.2}
    assert without_noise({}, ()) == {}


def test_what_stands_out_on_a_model_that_sets_languages_apart_is_no_noise() -> None:
    apart = {number: -0.15 + number / 1_000 for number in range(30)}
    assert without_noise({**apart, 99: 0.1}, ()) == {99: 0.1}
    assert without_noise({**apart, 99: -0.05}, ()) == {}
    few = {1: -0.15, 2: -0.15, 3: 0.1}
    assert without_noise(few, ()) == {}


# the order
def ranking(text: dict[int, float], semantic: dict[int, float] | None = None) -> Ranking:
    names = [f"{number:04}" for number in range(501)]
    similar = Similarities(text, {}, semantic)
    return Ranking(similar, lambda _: Factors(1, 1, 1, 1), [1.0] * 501, names, semantic)


@given(st.dictionaries(st.integers(0, 500), st.sampled_from([1.0, 2.0, 3.0]), max_size=200))
def test_the_order_is_stable_whatever_the_order_of_the_parts(text: dict[int, float]) -> None:
    backwards = dict(reversed(text.items()))
    ordered = list(ranking(text).best())
    assert ordered == list(ranking(backwards).best()) == sorted(text, key=lambda one: (-text[one], one))


@given(st.dictionaries(st.integers(0, 99), st.floats(0.1, 9), min_size=1), st.sets(st.integers(0, 99)))
def test_only_those_among_a_set_are_given(text: dict[int, float], among: set[int]) -> None:
    assert set(ranking(text).best(among)) == among & text.keys()


def test_the_score_is_exactly_the_product_of_its_parts() -> None:
    made = Ranking(Similarities({1: 2.0}, {1: 0.25}), lambda _: Factors(3, 0.8, 1.25, 0.6), [], [])
    score = made.score_of(1)
    assert score.value == pytest.approx(1.25 * 3 * 0.8 * 1.25 * 0.6)


def test_a_budget_lets_the_first_one_through_and_stops_at_what_does_not_fit() -> None:
    assert within_budget([500, 10], 100) == 1
    assert within_budget([40, 40, 40, 1], 100) == 2
    assert within_budget([], 100) == 0
    assert estimated_tokens("abcd한글") == 3
