"""BM25 over channels, and where a task touches, over small literal indexes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gitmem.recall.documents import Document, terms_of, touches
from gitmem.recall.query import query_terms
from gitmem.recall.text_score import Channel, text_scores
from gitmem.recall.touching import confidence, guessed_paths, guessed_rarity, place_scores, scaled, touched
from gitmem.store.term_index import TermIndex
from gitmem.store.term_writing import Indexed, Wanted, renewed


def document(name: str, summary: str, *globs: str, title: str = "", body: str = "") -> Document:
    return Document(name, (title,) if title else (), summary, body, (), globs)


def index_of(*documents: Document) -> TermIndex:
    by_key = {one.id: one for one in documents}
    ids = sorted(by_key)

    def made(keys: Sequence[str]) -> list[Indexed]:
        return [Indexed(terms_of(by_key[key], grams=True), key) for key in keys]

    return renewed("", Wanted("", ids, made, lambda numbers: sorted(numbers, key=numbers.__getitem__)))


def best(index: TermIndex, query: str) -> list[str]:
    weights = query_terms(query)
    channels = {channel: Channel(index.lengths(channel), index.count) for channel in "wbgp"}
    scores = text_scores(weights, index.postings(weights), channels)
    names = index.heads
    return [names[number] for number in sorted(scores, key=lambda one: (-scores[one], names[one]))]


DOCUMENTS = (
    document(
        "a-retry", "A failed payment is tried again three times", "src/pay/**", title="Retry of payments"
    ),
    document("b-header", "The gateway strips X-Internal headers", "gateway/headers.go"),
    document("c-재시도", "결제 재시도는 멱등 키가 있어야 한다", "src/pay/retry.ts"),
    document("d-cache", "キャッシュは設定ファイルで無効にする", "src/cache/**"),
)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("payments retried", "a-retry"),
        ("xInternalHeader", "b-header"),
        ("재시도를 결제에서", "c-재시도"),
        ("멱등", "c-재시도"),
        ("キャッシュ 無効", "d-cache"),
        ("headers.go", "b-header"),
    ],
)
def test_the_document_that_speaks_of_it_comes_first(query: str, wanted: str) -> None:
    assert best(index_of(*DOCUMENTS), query)[0] == wanted


def test_a_word_in_the_title_counts_more_than_one_in_the_body() -> None:
    index = index_of(
        document("a", "one thing", title="Timeout", body="words " * 5),
        document("b", "one thing", title="Other", body="words words words words timeout"),
    )
    assert best(index, "timeout") == ["a", "b"]


def test_words_that_every_document_has_still_find_them_when_there_are_no_others() -> None:
    index = index_of(*(document(f"m-{number}", "same words here") for number in range(30)))
    assert len(best(index, "same words")) == 30


def test_nothing_is_found_for_words_that_nobody_wrote() -> None:
    assert best(index_of(*DOCUMENTS), "zebra quux") == []


# places
def places(index: TermIndex, paths: dict[str, float]) -> dict[str, float]:
    terms = touched(paths)
    postings = {
        term: found.documents
        for term, found in index.postings({one for some in terms.values() for one in some})
    }
    rare = {term: 1.0 / len(numbers) for term, numbers in postings.items()}
    names = index.heads
    return {
        names[number]: score
        for number, score in place_scores(paths, terms, postings, rare.__getitem__).items()
    }


def test_the_narrowest_place_that_both_name_counts_and_nothing_is_excluded() -> None:
    told = places(index_of(*DOCUMENTS), {"src/pay/retry.ts": 1.0})
    assert told["c-재시도"] > told["a-retry"] > told["d-cache"] > 0
    assert "b-header" not in told
    assert told["c-재시도"] == pytest.approx(1.0)


def test_a_file_of_the_same_name_elsewhere_says_a_little() -> None:
    assert places(index_of(*DOCUMENTS), {"moved/headers.go": 1.0})["b-header"] > 0


@pytest.mark.parametrize(
    ("glob", "wanted"),
    [
        ("src/pay/**", ["src/", "src/pay/"]),
        ("src/pay/", ["src/", "src/pay/"]),
        ("src/a.ts", ["src/", "*/a.ts", "src/a.ts", "src/a.ts/"]),
        ("**/*.ts", []),
        ("src/*.{ts,js}", ["src/"]),
    ],
)
def test_a_glob_touches_what_stands_before_its_first_wildcard(glob: str, wanted: list[str]) -> None:
    assert list(touches([glob])) == wanted


def test_a_similar_commit_shares_out_its_weight_over_its_paths() -> None:
    assert guessed_paths([(2.0, ["a", "b"]), (1.0, ["a"])]) == {"a": 2.0, "b": 1.0}


def test_scaling_puts_the_best_at_one() -> None:
    assert scaled({1: 0.2, 2: 0.1}) == {1: 1.0, 2: 0.5}
    assert scaled({}) == scaled({1: 0.0}) == {}


def test_what_is_next_to_nothing_is_not_scaled_up() -> None:
    assert scaled({1: 0.0005})[1] < 0.2


def test_a_folder_that_every_scope_names_is_not_rare_however_few_commits_touch_it() -> None:
    alike = {"src/": 0.65, "src/pay/": 0.65}
    rare = guessed_rarity(alike, 2, {"src/": 2, "src/pay/": 1})
    assert rare["src/pay/"] == 0.65
    assert rare["src/"] ** 2 < 0.1 * rare["src/pay/"] ** 2


def test_a_guess_from_few_commits_is_worth_little() -> None:
    assert confidence(0) == 0
    assert confidence(2) < 0.1
    assert 0.9 < confidence(1_000) < 1
