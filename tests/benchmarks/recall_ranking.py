"""How well recall ranks: ``python -m tests.benchmarks.recall_ranking FOLDER`` prints MRR@10 for each clone found there.

FOLDER holds bare clones as ``owner+name/repo``. Beside recall's own ranking stand plain BM25 over words and SQLite's
FTS5 with its trigram tokenizer, over the same rules and tasks. The text of the task alone counts, then with the hint of
history, then with one touched path. Without a folder a small corpus made here is ranked, in English and Korean.
"""

from __future__ import annotations

import re
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gitmem.git.discovery import discover
from gitmem.git.subjects import subjects
from gitmem.recall.documents import Document, terms_of
from gitmem.recall.floor import telling_words
from gitmem.recall.query import query_terms
from gitmem.recall.similarity import Similarities
from gitmem.recall.text_score import Channel, text_scores
from gitmem.recall.tokens import CHANNELS, WORDS
from gitmem.recall.touching import (
    GUESSED_SHARE,
    KNOWN_SHARE,
    confidence,
    guessed_rarity,
    place_scores,
    relative_rarity,
    scaled,
    touched,
)
from gitmem.store.term_index import TermIndex
from gitmem.store.term_writing import Indexed, Wanted, renewed
from gitmem.usecases.recalling.commits import guessed_by, place_rarity
from gitmem.usecases.recalling.indexing_commits import MOST_COMMITS, index_commit
from tests.benchmarks.recall_corpora import (
    Corpus,
    Rule,
    Task,
    cited_commits,
    decision_records,
    git,
    rules_files,
)

PLACES = 10
Rank = Callable[[Task], list[str]]


class Source(NamedTuple):
    """A corpus of recall.md: its clone, how it is built, and the goals for text (with history) and with a path."""

    clone: str
    build: Callable[[Path], Corpus]
    goal: float
    goal_with_path: float | None = None


SOURCES = (
    Source("git+git", lambda clone: cited_commits(clone, 2_000, 800), 0.66, 0.69),
    Source("v0o0v+planet-blitz", lambda clone: decision_records(clone, "docs/adr"), 0.55),
    Source(
        "lablup+backend.ai",
        lambda clone: rules_files(clone, "2026-07-01", ("AGENTS.md", "CLAUDE.md", "KNOWLEDGE.md")),
        0.57,
    ),
    Source("PrefectHQ+prefect", lambda clone: rules_files(clone, "2026-04-20", ("AGENTS.md",)), 0.51),
)


def main(arguments: Sequence[str]) -> int:
    """Print one line a corpus."""
    print(
        f"{'corpus':<22}{'rules':>6}{'tasks':>6}{'words':>7}{'fts5':>7}{'text':>7}{'+history':>9}{'+path':>7}  goal"
    )
    folder = Path(arguments[0]) if arguments else None
    for source in SOURCES if folder is not None else ():
        clone = folder / source.clone / "repo" if folder is not None else Path()
        if clone.exists():
            _print(
                source.clone.partition("+")[2], source.build(clone), clone, source.goal, source.goal_with_path
            )
        else:
            print(f"{source.clone:<22} not run: no clone at {clone}")
    if folder is None:
        _print("made here", made_corpus(), None, 0.9, None)
    return 0


def _print(name: str, corpus: Corpus, clone: Path | None, goal: float, with_path: float | None) -> None:
    figures = measure(corpus, clone)
    wanted = f"{goal:.2f}" + (f" ({with_path:.2f})" if with_path else "")
    met = max(figures["text"], figures["history"]) >= goal and figures["path"] >= (with_path or 0)
    columns = "".join(
        f"{figures[one]:>{size}.3f}"
        for one, size in (("words", 7), ("fts5", 7), ("text", 7), ("history", 9), ("path", 7))
    )
    print(
        f"{name:<22}{len(corpus.rules):>6}{len(corpus.tasks):>6}{columns}  {wanted} {'ok' if met else 'MISSED'}",
        flush=True,
    )


def measure(corpus: Corpus, clone: Path | None) -> dict[str, float]:
    """MRR@10 of each way to rank."""
    ranking = Ranking(corpus, clone)
    ways: dict[str, Rank] = {
        "words": _plain_words(corpus),
        "fts5": _trigrams(corpus),
        "text": lambda task: ranking.rank(task, {}),
        "history": lambda task: ranking.rank(task, ranking.guessed(task)),
        "path": lambda task: ranking.rank(task, ranking.known(task)),
    }
    return {name: mean_reciprocal_rank(corpus, way) for name, way in ways.items()}


def mean_reciprocal_rank(corpus: Corpus, rank: Rank) -> float:
    """Mean of one over the place of the first right answer among ten; 0 where there is none."""
    since = {rule.id: rule.at for rule in corpus.rules}
    total = 0.0
    for task in corpus.tasks:
        order = [one for one in rank(task) if not corpus.only_older or since[one] < task.at][:PLACES]
        total += next((1 / place for place, one in enumerate(order, 1) if one in task.relevant), 0.0)
    return total / max(1, len(corpus.tasks))


class Ranking:
    """Recall's own ranking of one corpus, without the factors that a corpus knows nothing of."""

    def __init__(self, corpus: Corpus, clone: Path | None) -> None:
        self._rules = corpus.rules
        self._only_older = corpus.only_older
        self._index = _index(corpus.rules, _indexed_rule)
        self._channels = {one: Channel(self._index.lengths(one), self._index.count) for one in CHANNELS}
        self._commits: TermIndex | None = None
        self._order: dict[str, int] = {}
        if clone is not None:
            start = git(clone, "rev-parse", corpus.history).strip()
            most = 200_000 if corpus.only_older else MOST_COMMITS
            listed = list(subjects(discover(clone), start, most=most))
            self._order = {one.oid: place for place, one in enumerate(listed)}
            self._commits = _index(listed, lambda one: index_commit(one.subject, one.paths))

    def rank(self, task: Task, places: Mapping[int, float]) -> list[str]:
        """Ids, best first."""
        totals = Similarities(self.text(task), places).totals()
        ids = [rule.id for rule in self._rules]
        return [ids[one] for one in sorted(totals, key=lambda one: (-totals[one], ids[one]))]

    def text(self, task: Task) -> dict[int, float]:
        """Text scores."""
        weights = query_terms(task.text)
        return dict(text_scores(weights, self._index.postings(weights), self._channels))

    def guessed(self, task: Task) -> dict[int, float]:
        """What history says; of a task that is history itself, only what was before it."""
        if self._commits is None:
            return {}
        first = self._order.get(task.id, -1) + 1
        before = range(first, first + MOST_COMMITS) if self._only_older else None
        weights = query_terms(task.text)
        words = {term: weights[term] for term in telling_words(weights)}
        paths = guessed_by(self._commits, words, before)
        terms = touched(paths)
        postings = self._postings(terms)
        having = {term: len(found) for term, found in postings.items()}
        rare = guessed_rarity(place_rarity(self._commits, postings), self._index.count, having)
        scores = scaled(place_scores(paths, terms, postings, rare.__getitem__)) if paths else {}
        share = GUESSED_SHARE * confidence(self._commits.count)
        return {number: share * score for number, score in scores.items()}

    def known(self, task: Task) -> dict[int, float]:
        """What one touched path says."""
        paths = dict.fromkeys(task.paths[:1], 1.0)
        terms = touched(paths)
        postings = self._postings(terms)
        rare = {term: relative_rarity(self._index.count, len(found)) for term, found in postings.items()}
        scores = place_scores(paths, terms, postings, rare.__getitem__)
        return {number: KNOWN_SHARE * score for number, score in scores.items()}

    def _postings(self, terms: Mapping[str, Sequence[str]]) -> dict[str, Sequence[int]]:
        wanted = {one for some in terms.values() for one in some}
        return {term: found.documents for term, found in self._index.postings(wanted)}


def _index(items: Sequence[Any], index_of: Callable[[Any], Indexed]) -> TermIndex:
    keys = [f"{place:08}" for place in range(len(items))]
    return renewed(
        "", Wanted("", keys, lambda some: [index_of(items[int(key)]) for key in some], lambda _: None)
    )


def _indexed_rule(rule: Rule) -> Indexed:
    summary, _, body = rule.text.partition("\n")
    return Indexed(
        terms_of(Document(rule.id, (rule.title,), summary, body, (), rule.globs), grams=True), None
    )


# what it is compared with
def _plain_words(corpus: Corpus) -> Rank:
    index = _index(corpus.rules, lambda rule: Indexed(_counted(f"{rule.title} {rule.text}"), None))
    channels = {WORDS: Channel(index.lengths(WORDS), index.count)}
    ids = [rule.id for rule in corpus.rules]

    def rank(task: Task) -> list[str]:
        weights = {term: float(count) for term, count in _counted(task.text).items()}
        scores = text_scores(weights, index.postings(weights), channels)
        return [ids[one] for one in sorted(scores, key=lambda one: (-scores[one], ids[one]))]

    return rank


def _counted(text: str) -> Counter[str]:
    return Counter(f"{WORDS}{word}" for word in re.findall(r"\w+", text.casefold()))


def _trigrams(corpus: Corpus) -> Rank:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE rules USING fts5(id UNINDEXED, title, text, tokenize = 'trigram')")
    database.executemany(
        "INSERT INTO rules VALUES (?, ?, ?)", [(one.id, one.title, one.text) for one in corpus.rules]
    )

    def rank(task: Task) -> list[str]:
        words = dict.fromkeys(word for word in re.findall(r"\w+", task.text) if len(word) >= 3)
        asked = " OR ".join(f'"{word}"' for word in words)
        if not asked:
            return []
        found: Iterable[tuple[str]] = database.execute(
            "SELECT id FROM rules WHERE rules MATCH ? ORDER BY rank, id", (asked,)
        )
        return [name for (name,) in found]

    return rank


# a corpus made here
def made_corpus() -> Corpus:
    """Rules about invented parts, asked for in other words: split identifiers, other endings, other particles."""
    parts = (
        ("checkout", "주문 결제", "OrderCheckout"),
        ("gateway", "게이트웨이 헤더", "HeaderGateway"),
        ("cache", "캐시 만료", "CacheExpiry"),
        ("billing", "청구 통화", "BillingCurrency"),
        ("search", "검색 색인", "SearchIndex"),
        ("mail", "메일 발송", "MailSender"),
    )
    faults = (
        ("retries a failed call", "재시도", "retried failed calls", "재시도를 할 때"),
        ("rounds every amount", "반올림", "amounts are rounded", "반올림이 되면"),
        ("locks the table", "잠금", "a locked table", "잠금까지 걸리면"),
        ("logs the request", "기록", "requests were logged", "기록에서는"),
    )
    rules, tasks = [], []
    for folder, korean, name in parts:
        for number, (verb, noun, asked, asked_korean) in enumerate(faults):
            one, other = f"{folder}-{number}-en", f"{folder}-{number}-ko"
            glob = (f"src/{folder}/**",)
            rules.append(Rule(one, f"{name} {verb}", f"The class {name} {verb} only once.", glob, 0))
            rules.append(Rule(other, f"{korean} {noun}", f"{korean}는 {noun}을 한 번만 한다.", glob, 0))
            words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
            tasks.append(
                Task(f"t-{one}", f"fix: {asked} in the {words}", (f"src/{folder}/a.py",), frozenset({one}), 1)
            )
            first, second = korean.split(" ")
            tasks.append(
                Task(
                    f"t-{other}",
                    f"{first}에서 {second}의 {asked_korean}",
                    (f"src/{folder}/a.py",),
                    frozenset({other}),
                    1,
                )
            )
    return Corpus(tuple(rules), tuple(tasks), "HEAD", only_older=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
