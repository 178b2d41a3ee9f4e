"""Cases for the gate's rules, from literals: a lesson that every rule lets through, with one thing changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from gitmem.model.memory import Evidence, Kind, Memory, Origin, Scope, Status
from gitmem.model.policy import MemoryPolicy
from gitmem.model.verdict import Verdict
from gitmem.promotion.case import Case, Facts, Proof, Source

TODAY = date(2026, 7, 13)
PASSED = Proof(Source.PASSING_TEST, "tests/test_api.py::test_once", exists=True, counts=True, said="passed")
REVIEWED = Proof(Source.ACCEPTED_REVIEW, "review.json#issue-3", exists=True, counts=True, said="passed")
LESSON = Memory(
    id="candidate-20260713-7k2mq",
    file="run-1 #7",
    kind=Kind.CONVENTION,
    type="module_constraint",
    status=Status.CANDIDATE,
    summary="Orders are sent once.",
    scope=Scope(paths=("src/checkout/**",), does_not_apply_to=("none",)),
    evidence=Evidence(tests=(PASSED.reference,), reviews=(REVIEWED.reference,)),
    origin=Origin(),
)
FACTS = Facts(TODAY, proofs=(PASSED, REVIEWED), matched=3, verdict=Verdict.FRESH)


def case(
    text: str = LESSON.summary,
    *,
    facts: dict[str, Any] | None = None,
    policy: MemoryPolicy | None = None,
    actor: str = "claude-code",
    review: bool = False,
    is_file: bool = False,
    **fields: Any,
) -> Case:
    """A case that the gate accepts, but for what is said otherwise.

    Args:
        text: The lesson's summary.
        facts: Fields of `Facts` that differ.
        policy: Another policy than the default one.
        actor: Who proposed it.
        review: Whether its author asks for a person.
        is_file: Whether it is a memory file.
        **fields: Fields of the memory that differ.
    """
    return Case(
        replace(LESSON, summary=text, **fields),
        policy or MemoryPolicy(),
        replace(FACTS, **(facts or {})),
        actor,
        review,
        is_file,
    )
