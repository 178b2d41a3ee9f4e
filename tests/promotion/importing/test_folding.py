"""Facts that several files say, as one."""

from __future__ import annotations

from gitmem.model.memory import Scope
from gitmem.promotion.importing.fact import Fact
from gitmem.promotion.importing.folding import folded_facts

PROJECT = Scope(project=True)


def fact(summary: str, source: str = "AGENTS.md", line: int = 1, scope: Scope = PROJECT) -> Fact:
    return Fact(summary, source, line, scope)


def below(*globs: str) -> Scope:
    return Scope(paths=globs)


def test_a_copy_is_folded_and_its_place_kept() -> None:
    first, copy = fact("Never use floats for money."), fact("never use floats for money", "CLAUDE.md", 4)
    (kept,) = folded_facts([first, copy])
    assert (kept.place, kept.also) == ("AGENTS.md:1", ("CLAUDE.md:4",))


def test_near_facts_stay_apart() -> None:
    facts = [fact("Retry uploads 3 times"), fact("Retry uploads 5 times", line=2)]
    assert folded_facts(facts) == tuple(facts)


def test_a_folded_fact_holds_in_the_places_of_both() -> None:
    said = "Never use floats for money"
    one, other = fact(said, "a/AGENTS.md", 1, below("a/**")), fact(said, "b/AGENTS.md", 1, below("b/**"))
    assert folded_facts([one, other])[0].scope.paths == ("a/**", "b/**")
    inner = fact(said, "a/x/AGENTS.md", 1, below("a/x/**"))
    assert folded_facts([one, inner])[0].scope.paths == ("a/**",)
    assert folded_facts([one, fact(said)])[0].scope.project
