"""The memory that a candidate becomes when it is proposed: its id, its place, what policy and the gate add. Pure.

The id is made from the candidate's, so two people who propose one candidate at the same time write one file, where git
shows it, and not two memories that say the same.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime

from gitmem.model.candidate import Candidate
from gitmem.model.ids import CROCKFORD, is_memory_id
from gitmem.model.memory import Memory, Status
from gitmem.model.policy import MemoryPolicy

_SLUG = 60
_EXPIRING = "temporary_workaround"


def proposed_memory(
    candidate: Candidate,
    policy: MemoryPolicy,
    today: date,
    *,
    memory_id: str,
    folder: str,
    approved: Mapping[str, str | None],
) -> Memory:
    """The memory as its file will say it.

    What a file must not claim of itself (who approved it, when it was validated, that it was challenged) is left out:
    git and the validations tell that.

    Args:
        candidate: The candidate with what was decided about it.
        policy: The trusted policy, whose retention has a workaround expire that names no day.
        today: The day of the proposal.
        memory_id: See `memory_id_of`.
        folder: See `folder_of`.
        approved: Titles of approved memories by id, for what it supersedes.
    """
    said = candidate.memory
    return replace(
        said,
        id=memory_id,
        file=f".ai/memory/{folder}/{memory_id}.yaml",
        status=Status.ACTIVE,
        origin=replace(said.origin, candidate=candidate.id, run=said.origin.run or candidate.run),
        created_at=said.created_at or _moment(candidate.at),
        created_by=said.created_by or candidate.actor or None,
        approved_at=None,
        approved_by=None,
        validated_by=None,
        last_validated_at=None,
        baseline=None,
        expires_at=_expiry(said, policy, today),
        challenged_at=None,
        challenged_because=None,
        supersedes=_superseded(candidate, approved),
        superseded_by=(),
    )


def memory_id_of(candidate: Candidate, taken: Container[str]) -> str:
    """A slug of the title, or ``memory-`` and the day, and five characters that the candidate's id gives.

    A title that an ASCII slug cannot stand for gives none.

    Args:
        candidate: The candidate.
        taken: Ids of other memories.
    """
    stem = _slug(candidate.memory.title or "") or f"memory-{_day(candidate)}"
    return next(one for one in _ids(stem, candidate.id) if one not in taken and is_memory_id(one))


def folder_of(memory: Memory, existing: Iterable[str]) -> str:
    """By the first element, else the type, as an ASCII slug; a folder that is there in another letter case is that one.

    Args:
        memory: What is filed.
        existing: Folders below ``.ai/memory``.
    """
    wanted = next((one for name in memory.scope.elements for one in [_slug(name)] if one), None)
    wanted = wanted or _slug((memory.type or "").replace("_", "-")) or "notes"
    return next((one for one in sorted(existing) if one.casefold() == wanted), wanted)


def _slug(text: str) -> str:
    """The text in ASCII, words joined by ``-``; empty when letters of another script would be lost."""
    plain = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    if any(one.isalnum() and not one.isascii() for one in plain):
        return ""
    slug = "-".join(re.findall(r"[a-z0-9]+", plain.casefold()))
    if len(slug) > _SLUG:
        slug = slug[:_SLUG].rpartition("-")[0] or slug[:_SLUG]
    return slug if len(slug) > 2 else ""


def _ids(stem: str, name: str) -> Iterator[str]:
    for attempt in range(1000):
        digest = hashlib.sha256(f"{name}\0{attempt}".encode("utf-8", "surrogateescape")).digest()
        yield f"{stem}-{''.join(CROCKFORD[byte % 32] for byte in digest[:5])}"


def _day(candidate: Candidate) -> str:
    moment = _moment(candidate.at) or datetime.fromtimestamp(0, UTC)
    return f"{moment:%Y%m%d}"


def _moment(at: str) -> datetime | None:
    try:
        return datetime.fromisoformat(at)
    except ValueError:
        return None


def _expiry(memory: Memory, policy: MemoryPolicy, today: date) -> date | None:
    """A workaround expires by the policy's retention when it names no day.

    A review date is not written for other types: left out, retention counts from the newest validation (domain.md,
    "defaults come from the policy's retention"), so that a confirmation moves it.
    """
    return memory.expires_at or (policy.due(memory.type, today) if memory.type == _EXPIRING else None)


def _superseded(candidate: Candidate, approved: Mapping[str, str | None]) -> tuple[str, ...]:
    """Ids it says it takes the place of, titles turned into ids, and what a person decided it supersedes."""
    ids = {title: name for name, title in approved.items() if title}
    answered = [one.memory for one in candidate.decisions if one.decision == "superseded" and one.memory]
    named = [ids.get(one, one) for one in candidate.memory.supersedes]
    return tuple(dict.fromkeys((*named, *(one for one in answered if one in approved))))
