"""What `gitmem remember` answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gitmem.model.candidate import Candidate, Conflict, Similar
from gitmem.promotion.ruling import RuleResult
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.problems import problem_document
from gitmem.report.sanitise import prose, visible
from gitmem.usecases.lessons import Taken
from gitmem.usecases.remember import Remembered

_AWAITED = frozenset({"accepted_review", "requires_human_review", "human_approval_for_architecture_rules"})
"""What every candidate awaits, and its writer can do nothing about."""
_TOLD_ABOVE = frozenset(
    {"no_conflict_with_existing_memory", "duplicated_memory", "duplicated_note", "denied_before"}
)


def worth_telling(lacking: Iterable[RuleResult]) -> list[RuleResult]:
    """What the writer of a lesson can still do something about, gravest first."""
    return [one for one in lacking if one.rule not in _AWAITED | _TOLD_ABOVE]


def remembered_document(one: Remembered, lacking: Sequence[RuleResult] = ()) -> dict[str, Any]:
    """The ``remember`` document of cli.md, with the run it went to and what the gate would say."""
    return {
        "candidate": one.candidate,
        "run": one.run,
        "deduplicated": one.deduplicated,
        "added": list(one.added),
        "confirmed": one.confirmed,
        "similar_to": [near._asdict() for near in one.similar_to],
        "conflict": _conflict(one),
        "denied_before": _denied(one.denied),
        "lacks": [
            {"rule": rule.rule, "outcome": rule.outcome, "reason": rule.reason, "cure": rule.cure}
            for rule in lacking
        ],
    }


def conflict_document(candidate: str, conflict: Conflict) -> dict[str, Any]:
    """A possible conflict as domain.md section 3 has it; nobody but a person resolves it."""
    return {
        "conflict": True,
        "existing_memory": conflict.existing,
        "candidate_memory": candidate,
        "resolution": "waiting_human",
        "reason": conflict.reason,
    }


def _conflict(one: Remembered) -> dict[str, Any] | None:
    if not one.conflicts or one.candidate is None:
        return None
    document = conflict_document(one.candidate, one.conflicts[0])
    more = [conflict.existing for conflict in one.conflicts[1:]]
    return {**document, "others": more} if more else document


def _denied(candidate: Candidate | None) -> dict[str, Any] | None:
    closing = candidate.closing if candidate else None
    if candidate is None or closing is None:
        return None
    return {"candidate": candidate.id, "by": closing.by, "at": closing.at, "reason": closing.reason}


def remembered_lines(
    one: Remembered, lacking: Sequence[RuleResult] = (), look: Look = PLAIN
) -> Iterator[str]:
    """The same for people: the id first, then one line for each thing to know."""
    if one.confirmed:
        yield look.line(Span(visible(one.confirmed), "bold"), " says it already: counted as said again")
        return
    if one.denied is not None:
        yield look.line(*_denial(one.denied))
        return
    if one.deduplicated:
        said = f"added {', '.join(one.added)}" if one.added else "nothing was stored"
        yield look.line(Span(visible(one.candidate or ""), "bold"), f" says it already: {said}")
        if not one.added:
            return
    else:
        yield look.line(Span(visible(one.candidate or ""), "bold"), f"  in {visible(one.run)}")
    for conflict in one.conflicts:
        told = f"conflicts with {visible(conflict.existing)} ({prose(conflict.reason)}): a person decides"
        yield look.line(Span(told, "yellow"))
    for near in one.similar_to:
        yield look.line(_nearness(near))
    for rule in worth_telling(lacking):
        cure = f": {prose(rule.cure)}" if rule.cure else ""
        yield look.line(Span("lacks  ", "dim"), f"{prose(rule.reason)}{cure}")


def _nearness(near: Similar) -> str:
    name = visible(near.id)
    cure = f": --supersedes {name} if it takes its place" if near.known == "memory" else ", which waits too"
    return f"similar to {name} ({near.similarity:.2f}){cure}"


def _denial(denied: Candidate) -> Iterator[Span | str]:
    closing = denied.closing
    yield Span("denied before", "yellow")
    if closing is not None:
        reason = f": {prose(closing.reason)}" if closing.reason else ""
        yield f" by {prose(closing.by)} on {prose(closing.at[:10])}{reason}"
    yield f" ({visible(denied.id)}); nothing was stored"


def taken_document(taken: Taken, lacking: Sequence[Sequence[RuleResult]]) -> dict[str, Any]:
    """What became of a document with one or many lessons."""
    return {
        "remembered": [
            remembered_document(one, some) for one, some in zip(taken.remembered, lacking, strict=True)
        ],
        "failed": taken.failed,
        "problems": [problem_document(one) for one in taken.problems],
    }


def tally(taken: Taken) -> str:
    """How many of what, in words."""
    stored = sum(one.stored is not None for one in taken.remembered)
    known = sum(one.deduplicated for one in taken.remembered)
    denied = sum(one.denied is not None for one in taken.remembered)
    counts = (
        (stored, "stored"),
        (known, "known already"),
        (denied, "denied before"),
        (taken.failed, "failed"),
    )
    return ", ".join(f"{count} {word}" for count, word in counts if count) or "nothing in it"


def extracted_document(candidate: Candidate) -> dict[str, Any]:
    """One of `run end`'s ``memory_candidates``; `gitmem remember --from` reads them too."""
    memory = candidate.memory
    return {
        "id": memory.id,
        "type": memory.type,
        "summary": memory.summary,
        "evidence": [
            *_prefixed("test", memory.evidence.tests),
            *_prefixed("commit", memory.evidence.commits),
        ],
        "failure_class": memory.origin.failure_class,
    }


def _prefixed(prefix: str, references: Sequence[str]) -> Iterator[str]:
    return (f"{prefix}:{one}" for one in references)


def extracted_lines(remembered: Iterable[Remembered], look: Look = PLAIN) -> Iterator[str]:
    """What a run taught, a line each: new candidates, and memories that it bore out."""
    for one in remembered:
        if one.stored is not None:
            kind = f"  {visible(one.stored.memory.type or '')}  "
            yield look.line(Span(visible(one.stored.id), "bold"), kind, prose(one.summary))
            yield from (
                look.line(Span(f"  conflicts with {visible(against.existing)}", "yellow"))
                for against in one.conflicts
            )
        elif one.confirmed:
            yield look.line(f"{visible(one.confirmed)} was said again: {prose(one.summary)}")
