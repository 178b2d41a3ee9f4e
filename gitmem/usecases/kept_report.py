"""The report from what was kept: only a memory that something speaks against is judged at once.

Of ten thousand memories most are fresh, and most answers only count those. What is said of them stays packed until
somebody reads them one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from gitmem.model.verdict import BaselineHow, Judgement, Judgements, Verdict, tells
from gitmem.store.packed import Packed
from gitmem.usecases.basis import Facts, Found, fresh, judge, worst_first
from gitmem.usecases.garbage import seldom_collected

if TYPE_CHECKING:
    from gitmem.model.problem import Problem


class Known(NamedTuple):
    """The memories of one vantage, with what a report says of them besides.

    Args:
        total: How many there are.
        facts: `Facts` of each memory as plain tuples, by file.
        marked: Positions of those that somebody challenged.
        dated: Positions of those with a date, by that date: challenged once it is past.
        problems: As in `DriftReport`, frozen.
        challenge_on: The policy's verdicts that challenge.
        reviewed_at: Where history was asked for reviews; None when it was not.
    """

    total: int
    facts: Packed
    marked: Sequence[int]
    dated: Mapping[str, Sequence[int]]
    problems: tuple[tuple[Any, ...], ...]
    challenge_on: tuple[str, ...]
    reviewed_at: tuple[str | None, str] | None

    def plain(self) -> tuple[Any, ...]:
        """The same of plain values alone."""
        return (self.total, self.facts.data, *self[2:])


class Matched(NamedTuple):
    """What the first pass settled.

    Args:
        total: How many memories.
        by_place: How many paths match, by position.
    """

    total: int
    by_place: Packed

    @classmethod
    def of(cls, matched: Mapping[int, int]) -> Matched:
        return cls(len(matched), Packed.of(dict(matched)))


def known_from(plain: Sequence[Any]) -> Known:
    """What `Known.plain` made plain."""
    total, facts, *others = plain
    return Known(total, Packed(facts), *others)


def known_of(
    facts: Sequence[Facts],
    problems: tuple[tuple[Any, ...], ...],
    challenge_on: Iterable[Verdict],
    reviewed_at: tuple[str | None, str] | None,
) -> Known:
    """What is kept of the memories of one check; `problems` frozen."""
    dated: dict[str, list[int]] = {}
    for place, one in enumerate(facts):
        for day in dict.fromkeys(filter(None, (one.review, one.expiry))):
            dated.setdefault(day, []).append(place)
    return Known(
        len(facts),
        Packed.of(tuple(map(tuple, facts))),
        tuple(place for place, one in enumerate(facts) if one.marked),
        dated,
        problems,
        tuple(sorted(one.value for one in challenge_on)),
        reviewed_at,
    )


def judge_known(
    known: Known, matched: Matched, close: Mapping[int, Found], today: str
) -> tuple[Judgements, tuple[Problem, ...]]:
    """The judgements, worst first, and the problems.

    Args:
        known: The memories.
        matched: Those that the first pass settled.
        close: What a close look found on the others, by position.
        today: The day to judge dates at, ``YYYY-MM-DD``.
    """
    challenge_on = frozenset(map(Verdict, known.challenge_on))
    due = _due(known, close, today)
    facts = known.facts.value if due or close else ()
    counts = matched.by_place.value if due else {}
    found = {**{place: fresh(Facts._make(facts[place]), counts[place]) for place in due}, **close}
    judged = [judge(Facts._make(facts[at]), one, today, challenge_on) for at, one in found.items()]
    told = tuple(worst_first(filter(tells, judged)))
    quiet = [one for one in judged if not tells(one)]

    def others() -> list[Judgement]:
        with seldom_collected():
            return _by_id([*_fresh(known.facts.value, matched.by_place.value, due), *quiet])

    return Judgements(told, known.total - len(told), others), _problems(known)


def _due(known: Known, close: Mapping[int, Found], today: str) -> Collection[int]:
    """Positions of those that the first pass settled and something challenges all the same; no policy challenges the fresh."""
    past = (places for day, places in known.dated.items() if day < today)
    return sorted(set(known.marked).union(*past).difference(close))


def _problems(known: Known) -> tuple[Problem, ...]:
    if not known.problems:
        return ()
    from gitmem.store.freezing import thaw_problems

    return thaw_problems(known.problems)


def _fresh(
    facts: Sequence[Sequence[Any]], matched: Mapping[int, int], due: Collection[int]
) -> Iterable[Judgement]:
    """The judgements on those that the first pass settled and nothing challenges, as `judge` would make them."""
    make, new, recorded, content = tuple.__new__, Verdict.FRESH, BaselineHow.RECORDED, BaselineHow.CONTENT
    left_out = frozenset(due)
    for place, count in matched.items():
        if place in left_out:
            continue
        name, title, label, file, summary, merged, at, _, _, _, _, commit = facts[place]
        status = "active" if merged else "proposed"
        how = recorded if commit else content
        values = (name, title, label, file, summary, new, status, not merged, commit, how, at, (), "", (), (), count, (), "")  # fmt: skip
        yield make(Judgement, values)


def _by_id(judgements: list[Judgement]) -> list[Judgement]:
    """In the order of `worst_first`, which puts the fresh last."""
    judgements.sort(key=_PROPOSED)
    judgements.sort(key=_ID)  # what has equal ids keeps its order; one text is compared faster than a pair
    return judgements


_ID, _PROPOSED = itemgetter(0), itemgetter(7)
