"""Same fact, close fact, contradiction: precision and recall on labelled pairs, English and Korean apart.

``python -m tests.benchmarks.similarity [--half development|held-out|both] [--wrong]``

The pairs lie in ``tests/benchmarks/pairs``; the form stands at the head of ``english.txt``. Those in ``…_held_out.txt`` were never
tuned on, and are what the table shows. A pair is one topic unless its
kind is ``unlike``; it should be a possible conflict when a denial, a number, a name or the order differs. ``sibling`` pairs
count only for the worst error, a merge of two facts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from gitmem.promotion.similarity import Band, Likeness, compare
from gitmem.promotion.statement import Statement
from tests.benchmarks.rows import Row

HALVES: Final = {"development": "", "held-out": "_held_out"}
FOLDER: Final = Path(__file__).parent / "pairs"
GOALS: Final = {"english": (0.87, 0.73, 0.88), "korean": (0.96, 0.88, 0.94)}
"""Precision and recall of conflicts, F1 of the topic (recall.md)."""
CONFLICTS: Final = frozenset({"flip", "number", "name", "order"})
ONE_FACT: Final = frozenset({"same", "paraphrase", "detail", "reworded"})


class Pair(NamedTuple):
    """Two statements and how they stand to each other."""

    kind: str
    one: str
    other: str


class Judged(NamedTuple):
    """A pair with the answer."""

    pair: Pair
    likeness: Likeness

    @property
    def is_right(self) -> bool:
        band, kind = self.likeness.band, self.pair.kind
        if kind in CONFLICTS:
            return band is Band.CONFLICT
        if kind == "same":
            return band is Band.SAME
        if kind in ONE_FACT:
            return band in {Band.SAME, Band.SAME_MAYBE, Band.CLOSE}
        return band is Band.DIFFERENT if kind == "unlike" else band is not Band.SAME


class Score(NamedTuple):
    """Precision and recall; 1 where there is nothing to find."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def load_pairs(language: str, half: str = "both") -> list[Pair]:
    """The pairs of a language, in order: ``development``, ``held-out`` or ``both``."""
    found, base = [], ""
    for name in (half,) if half in HALVES else HALVES:
        for line in (FOLDER / f"{language}{HALVES[name]}.txt").read_text(encoding="utf-8").splitlines():
            if line.startswith("= "):
                base = line.removeprefix("= ")
            elif " | " in line and not line.startswith("#"):
                kind, _, other = line.partition(" | ")
                found.append(Pair(kind, base, other))
    return found


def judged(pairs: Iterable[Pair]) -> list[Judged]:
    return [Judged(pair, compare(Statement(pair.one), Statement(pair.other))) for pair in pairs]


def conflict_score(answers: Sequence[Judged]) -> Score:
    counted = [one for one in answers if one.pair.kind != "sibling"]
    said = [one.likeness.band is Band.CONFLICT for one in counted]
    return _score(said, [one.pair.kind in CONFLICTS for one in counted])


def topic_score(answers: Sequence[Judged]) -> Score:
    counted = [one for one in answers if one.pair.kind != "sibling"]
    said = [one.likeness.band is not Band.DIFFERENT for one in counted]
    return _score(said, [one.pair.kind != "unlike" for one in counted])


def merged(answers: Iterable[Judged]) -> list[Judged]:
    """Pairs of two facts that would be stored as one."""
    return [one for one in answers if one.likeness.band is Band.SAME and one.pair.kind not in ONE_FACT]


def _score(said: Sequence[bool], true: Sequence[bool]) -> Score:
    hits = sum(one and other for one, other in zip(said, true, strict=True))
    return Score(hits / sum(said) if any(said) else 1.0, hits / sum(true) if any(true) else 1.0)


def rows(quick: bool) -> Iterator[Row]:
    """Precision and recall per language on the held-out half; ``quick`` changes nothing, it takes a second."""
    del quick
    for language, (precision, recall, topic) in GOALS.items():
        answers = judged(load_pairs(language, "held-out"))
        conflict, said = conflict_score(answers), topic_score(answers)
        detail = f"{len(answers)} held-out pairs; " + ", ".join(_by_kind(answers))
        yield Row(
            f"conflict, {language}: precision",
            "held-out pairs",
            precision,
            conflict.precision,
            None,
            detail,
            True,
        )
        yield Row(
            f"conflict, {language}: recall", "held-out pairs", recall, conflict.recall, None, detail, True
        )
        yield Row(f"one topic, {language}: F1", "held-out pairs", topic, said.f1, None, detail, True)
        everything = judged(load_pairs(language))
        yield Row(
            f"two facts merged, {language}",
            f"{len(everything)} pairs",
            0,
            float(len(merged(everything))),
            None,
        )


def _by_kind(answers: Sequence[Judged]) -> Iterator[str]:
    for kind in sorted({one.pair.kind for one in answers}):
        of_kind = [one for one in answers if one.pair.kind == kind]
        yield f"{kind} {sum(one.is_right for one in of_kind)}/{len(of_kind)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the scores, and with ``--wrong`` each pair that was judged wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.similarity")
    parser.add_argument("--half", default="both", choices=["development", "held-out", "both"])
    parser.add_argument("--wrong", action="store_true")
    options = parser.parse_args(arguments)
    for language in GOALS:
        answers = judged(load_pairs(language, options.half))
        conflict, topic = conflict_score(answers), topic_score(answers)
        print(
            f"{language:<8} {len(answers)} pairs · conflict P {conflict.precision:.3f} R {conflict.recall:.3f}"
            f" · topic P {topic.precision:.3f} R {topic.recall:.3f} F1 {topic.f1:.3f} · merged {len(merged(answers))}"
        )
        print("  " + ", ".join(_by_kind(answers)))
        for one in answers if options.wrong else ():
            if not one.is_right:
                print(
                    f"  {one.pair.kind:<10} {one.likeness.band:<9} {one.likeness.similarity:.2f} {one.likeness.reason}"
                )
                print(f"      {one.pair.one}\n      {one.pair.other}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
