"""Claim that a memory holds: testimony of somebody who was shown the evidence, and nothing more (drift.md).

A claim moves no baseline, clears no challenge and edits no file. It puts the memory first in the review queue, where a
person looks. Only the token of today's evidence is taken, so that nobody claims what they were not shown.
"""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from gitmem.git.interface import Repository
from gitmem.model.event import Event
from gitmem.model.memory import Memory
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.candidates import record_claim
from gitmem.usecases.confirm import evidence_of, evidence_token, standing_pairs
from gitmem.usecases.confirmed import Asking
from gitmem.usecases.drift import examine
from gitmem.usecases.request import Request
from gitmem.usecases.runs.recording import Teller


class Claimed(NamedTuple):
    """What became of a claim.

    Args:
        memory: The memory, as it stands at HEAD.
        asking: Its evidence of today.
        event: The claim; None when it was only shown.
    """

    memory: Memory
    asking: Asking
    event: Event | None = None


def show_evidence(repo: Repository, memory_id: str, *, today: date, seen: str | None = None) -> Claimed:
    """The evidence of a memory with its token, the same that `gitmem confirm` takes.

    Args:
        repo: Where.
        memory_id: Which.
        today: The day to judge dates at.
        seen: A token that was given for it.

    Raises:
        NotFoundError: No such memory.
        NotServedError: There is no commit yet.
    """
    checked = examine(repo, Request(ids=(memory_id,), today=today))
    subject, judgement = standing_pairs(checked)[-1]
    token = evidence_token(subject, judgement, checked)
    patch, others = evidence_of(judgement, checked)
    checked.contents.save()
    stale = seen is not None and seen != token
    return Claimed(
        subject.memory, Asking(judgement, subject.memory.body, token, patch, stale_token=stale, others=others)
    )


def claim(ledger: RunLedger, run: Run, teller: Teller, memory_id: str, token: str, *, today: date) -> Claimed:
    """Record a claim when the token names today's evidence; the same claim of a teller is recorded once.

    Raises:
        NotFoundError, NotServedError: As `show_evidence`; nothing was recorded.
    """
    shown = show_evidence(ledger.repository, memory_id, today=today, seen=token)
    if shown.asking.stale_token:
        return shown
    return shown._replace(event=record_claim(run, memory_id, token, teller))
