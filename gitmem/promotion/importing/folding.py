"""Facts that several files say, as one: CLAUDE.md is often a copy of AGENTS.md."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gitmem.model.memory import Scope
from gitmem.promotion.importing.fact import Fact
from gitmem.promotion.sameness import is_said_again
from gitmem.promotion.similarity import Band, compare, fact_key
from gitmem.promotion.statement import Statement


def folded_facts(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The facts without those that say the same as an earlier one, which then holds in the places of both.

    Only the same fact is folded (`Band.SAME`); near ones stay apart, for a person to see.
    """
    kept: dict[str, list[Fact]] = {}
    for fact in facts:
        same = kept.setdefault(fact_key(fact.summary), [])
        at = next((at for at, one in enumerate(same) if _is_same(one, fact)), None)
        if at is None:
            same.append(fact)
        else:
            same[at] = _joined(same[at], fact)
    return tuple(
        sorted((one for same in kept.values() for one in same), key=lambda one: (one.source, one.line))
    )


def _is_same(one: Fact, other: Fact) -> bool:
    if (other.body or other.title) and not (
        is_said_again(one.body, other.body) and is_said_again(one.title or "", other.title or "")
    ):
        return False
    return compare(Statement(one.summary), Statement(other.summary)).band is Band.SAME


def _joined(first: Fact, again: Fact) -> Fact:
    return replace(first, scope=_union(first.scope, again.scope), also=(*first.also, again.place))


def _union(one: Scope, other: Scope) -> Scope:
    if one.project or other.project:
        return Scope(project=True)
    paths = tuple(dict.fromkeys((*one.paths, *other.paths)))
    below = [path for path in paths if path.endswith("/**")]
    return Scope(paths=tuple(path for path in paths if not any(_covers(wide, path) for wide in below)))


def _covers(wide: str, path: str) -> bool:
    return wide != path and path.startswith(wide.removesuffix("**"))
