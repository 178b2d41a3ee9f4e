"""A person's answer to a contradiction: keep what is known, let the new words take its place, or both hold."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

from gitmem.errors import LifecycleError, NotServedError
from gitmem.model.candidate import Candidate, Standing
from gitmem.model.lifecycle import check_move
from gitmem.model.memory import Status
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.candidates import record_decision
from gitmem.usecases.deny import STATUSES, find_candidate
from gitmem.usecases.gate import Gate
from gitmem.usecases.runs.recording import Teller

Resolution = Literal["kept_existing", "superseded", "both_hold"]
RESOLUTIONS: Final = get_args(Resolution)
_LIVE: Final = frozenset({Standing.OPEN, Standing.PROPOSED})


class Resolved(NamedTuple):
    """One contradiction that a person answered.

    Args:
        existing: Id of the memory or candidate that was there.
        candidate: The candidate.
        resolution: The answer.
        reason: Why.
        already: Whether it was answered so before, and nothing was written.
    """

    existing: str
    candidate: str
    resolution: Resolution
    reason: str
    already: bool = False


def resolve(
    ledger: RunLedger, run: Run, teller: Teller, word: str, *, resolution: Resolution, reason: str
) -> tuple[Resolved, ...]:
    """Record the answer to every open contradiction of a candidate; a later answer takes the place of an earlier one.

    ``kept_existing`` withdraws the candidate; ``superseded`` makes its proposal carry ``supersedes``. Where what was there
    is a candidate too, ``superseded`` withdraws that one, and ``both_hold`` is its answer as well.

    Raises:
        NotFoundError, UsageError: No or several candidates are meant.
        LifecycleError: It was denied or withdrawn, or is proposed already.
        NotServedError: Nothing that is known contradicts it.
    """
    gate = Gate(ledger)
    candidate = find_candidate(gate.candidates, word)
    existing = tuple(one.id for one in gate.contradictions(candidate))
    existing = existing or tuple(one.existing for one in candidate.conflicts)
    before = {one.memory: one for one in candidate.decisions if one.decision in RESOLUTIONS and one.memory}
    existing = existing or tuple(name for name in before if name)
    if not existing:
        raise NotServedError(
            f"nothing that is known here contradicts {candidate.id}",
            hint=f"gitmem gate {candidate.id} says what it lacks",
        )
    told = []
    for name in existing:
        last = before.get(name)
        if last is not None and last.decision == resolution:
            told.append(Resolved(name, candidate.id, resolution, last.reason, already=True))
            continue
        _check_open(candidate)
        record_decision(run, candidate.id, resolution, teller, memory=name, reason=reason)
        if (other := gate.candidates.by_id.get(name)) is not None:
            _answer_other(run, teller, other, candidate.id, resolution=resolution, reason=reason)
        told.append(Resolved(name, candidate.id, resolution, reason))
    return tuple(told)


def _answer_other(
    run: Run, teller: Teller, other: Candidate, candidate: str, *, resolution: Resolution, reason: str
) -> None:
    """What the answer means for a candidate on the other side."""
    if other.standing not in _LIVE:
        return
    if resolution == "superseded":
        record_decision(run, other.id, "withdrawn", teller, reason=f"superseded by {candidate}: {reason}")
    elif resolution == "both_hold":
        record_decision(run, other.id, resolution, teller, memory=candidate, reason=reason)


def _check_open(candidate: Candidate) -> None:
    if candidate.standing not in _LIVE:
        check_move(STATUSES[candidate.standing], Status.ACTIVE, candidate.id)
    if candidate.standing is Standing.PROPOSED:
        name = candidate.closing.memory if candidate.closing else None
        raise LifecycleError(
            f"{candidate.id} is proposed as {name or 'a memory'} already: its file says what it takes the place of",
            hint="change supersedes in that file, or gitmem deny it and remember it anew",
        )
