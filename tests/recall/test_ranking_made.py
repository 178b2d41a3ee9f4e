"""The corpus made here is ranked better than by plain words or by FTS5, in English and in Korean."""

from __future__ import annotations

from tests.benchmarks.recall_ranking import made_corpus, mean_reciprocal_rank, measure


def test_recall_ranks_the_made_corpus_far_better_than_words_and_trigrams() -> None:
    figures = measure(made_corpus(), None)
    assert figures["text"] >= 0.9
    assert figures["path"] >= figures["text"] - 0.02
    assert figures["text"] > figures["words"] + 0.1
    assert figures["text"] > figures["fts5"] + 0.1


def test_the_measure_counts_the_place_of_the_first_right_answer() -> None:
    corpus = made_corpus()
    right = {task.id: next(iter(task.relevant)) for task in corpus.tasks}
    wrong = corpus.rules[0].id
    assert mean_reciprocal_rank(corpus, lambda task: [right[task.id]]) == 1.0
    assert mean_reciprocal_rank(corpus, lambda _: []) == 0.0
    half = mean_reciprocal_rank(
        corpus, lambda task: ["mail-3-ko" if right[task.id] != "mail-3-ko" else wrong, right[task.id]]
    )
    assert half == 0.5
