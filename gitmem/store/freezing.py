"""Memories, validations and problems as plain tuples for the cache, and back. Thawing is on hot paths."""

from __future__ import annotations

from dataclasses import astuple
from datetime import date, datetime
from typing import Any

from gitmem.model.memory import Claim, Evidence, Kind, Memory, Origin, Scope, Status, Verification
from gitmem.model.problem import Problem
from gitmem.model.validation import Baseline, Mark, Validation
from gitmem.model.watch import Polarity, Quote, Watch, WatchKind

Frozen = tuple[Any, ...]
"""Nested tuples of None, bool, int and str, and for unknown fields lists and dicts."""

_KINDS = {str(kind): kind for kind in Kind}
_STATUSES = {str(status): status for status in Status}
_WATCH_KINDS = {str(kind): kind for kind in WatchKind}


def freeze_memory(memory: Memory) -> Frozen:
    """`thaw_memory` gives the same memory back."""
    return (
        memory.id,
        memory.file,
        str(memory.kind),
        memory.type,
        str(memory.status),
        memory.summary,
        memory.title,
        memory.aliases,
        memory.body,
        astuple(memory.scope),
        None if memory.watch is None else tuple(map(_freeze_watch, memory.watch)),
        None if memory.claim is None else str(memory.claim),
        astuple(memory.evidence),
        astuple(memory.verification),
        astuple(memory.origin),
        _freeze_moment(memory.created_at),
        memory.created_by,
        _freeze_moment(memory.approved_at),
        memory.approved_by,
        memory.validated_by,
        _freeze_moment(memory.last_validated_at),
        None if memory.baseline is None else _freeze_baseline(memory.baseline),
        _freeze_moment(memory.review_after),
        _freeze_moment(memory.expires_at),
        _freeze_moment(memory.challenged_at),
        memory.challenged_because,
        memory.drift,
        memory.supersedes,
        memory.superseded_by,
        dict(memory.extra),
    )


def thaw_memory(frozen: Frozen) -> Memory:
    """The memory that `freeze_memory` made this of."""
    scope, watch, claim, evidence, verification, origin = frozen[9:15]
    created_at, created_by, approved_at, approved_by, validated_by, last_validated_at, baseline = frozen[
        15:22
    ]
    review_after, expires_at, challenged_at, challenged_because, drift, supersedes, superseded_by, extra = (
        frozen[22:]
    )
    return Memory(
        id=frozen[0],
        file=frozen[1],
        kind=_KINDS[frozen[2]],
        type=frozen[3],
        status=_STATUSES[frozen[4]],
        summary=frozen[5],
        title=frozen[6],
        aliases=frozen[7],
        body=frozen[8],
        scope=Scope(*scope),
        watch=None if watch is None else tuple(map(_thaw_watch, watch)),
        claim=None if claim is None else Claim(claim),
        evidence=Evidence(*evidence),
        verification=Verification(*verification),
        origin=Origin(*origin),
        created_at=_thaw_moment(created_at),
        created_by=created_by,
        approved_at=_thaw_moment(approved_at),
        approved_by=approved_by,
        validated_by=validated_by,
        last_validated_at=_thaw_moment(last_validated_at),
        baseline=None if baseline is None else _thaw_baseline(baseline),
        review_after=_thaw_moment(review_after),
        expires_at=_thaw_moment(expires_at),
        challenged_at=_thaw_moment(challenged_at),
        challenged_because=challenged_because,
        drift=drift,
        supersedes=supersedes,
        superseded_by=superseded_by,
        extra=extra,
    )


def freeze_validation(validation: Validation) -> Frozen:
    """`thaw_validation` gives the same validation back."""
    baseline = None if validation.baseline is None else _freeze_baseline(validation.baseline)
    at = _freeze_moment(validation.at)
    return (validation.memory, at, validation.by, validation.how, validation.text, baseline, validation.file)


def thaw_validation(frozen: Frozen) -> Validation:
    """The validation that `freeze_validation` made this of."""
    memory, at, by, how, text, baseline, file = frozen
    moment = _thaw_moment(at)
    assert moment is not None
    return Validation(
        memory, moment, by, how, text, None if baseline is None else _thaw_baseline(baseline), file
    )


def freeze_problems(problems: tuple[Problem, ...]) -> Frozen:
    return tuple(astuple(problem) for problem in problems)


def thaw_problems(frozen: Frozen) -> tuple[Problem, ...]:
    return tuple(Problem(*one) for one in frozen)


def _freeze_moment(moment: datetime | date | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _thaw_moment(text: str | None) -> Any:
    if text is None:
        return None
    return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)


def _freeze_watch(watch: Watch) -> Frozen:
    quote = None if watch.quote is None else astuple(watch.quote)
    places = (watch.inside, watch.outside)
    return (str(watch.kind), watch.path, watch.name, watch.lines, quote, str(watch.polarity), *places)


def _thaw_watch(frozen: Frozen) -> Watch:
    kind, path, name, lines, quote, polarity, inside, outside = frozen
    held = None if quote is None else Quote(*quote)
    return Watch(_WATCH_KINDS[kind], path, name, lines, held, Polarity(polarity), inside, outside)


def _freeze_baseline(baseline: Baseline) -> Frozen:
    marks = tuple(map(_freeze_mark, baseline.marks))
    return (baseline.commit, baseline.tree, baseline.algo, baseline.scope, marks, baseline.unparsed)


def _freeze_mark(mark: Mark) -> Frozen:
    """In the order of the fields of `Mark`, since thawing passes them on by position."""
    watch = _freeze_watch(mark.watch)
    return (
        watch, mark.blob, mark.sig, mark.core, mark.body, mark.at, mark.counts, mark.sample, mark.uses, mark.sketch
    )  # fmt: skip


def _thaw_baseline(frozen: Frozen) -> Baseline:
    commit, tree, algo, scope, marks, unparsed = frozen
    thawed = tuple(Mark(_thaw_watch(mark[0]), *mark[1:]) for mark in marks)
    return Baseline(commit, tree, algo, scope, thawed, tuple(unparsed))
