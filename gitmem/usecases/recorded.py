"""Whether a memory was confirmed just so already, in which case another validation would say nothing new."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from gitmem.errors import NotServedError
from gitmem.model.validation import Validation
from gitmem.store.validations import format_validation, parse_validation
from gitmem.trust.effective import newest
from gitmem.usecases.ai_files import VALIDATION_FOLDER
from gitmem.usecases.knowledge import Knowledge
from gitmem.usecases.work_files import refuse_links

_AGAIN = timedelta(days=1)
"""Later than this a confirmation tells something new even of the same state: freshness counts from it (domain.md)."""


def newest_recorded(top: Path, knowledge: Knowledge, memory_id: str) -> Validation | None:
    """The newest validation of a memory: merged, committed here, or lying in the work tree uncommitted."""
    known = [one.validation for one in knowledge.validations_of(memory_id)]
    return newest([*known, *_present(top, memory_id)])


def _present(top: Path, memory_id: str) -> Iterator[Validation]:
    folder = f"{VALIDATION_FOLDER}/{memory_id}"
    try:
        refuse_links(top, folder)
    except NotServedError:
        return
    for place in (top / folder).glob("*.yaml"):
        if place.is_file() and not place.is_symlink():
            validation, _ = parse_validation(f"{folder}/{place.name}", place.read_bytes())
            if validation is not None and validation.memory == memory_id:
                yield validation


def is_recorded(new: Validation, last: Validation) -> bool:
    """Whether an earlier validation, less than a day old, records the same words and code; the commit may differ."""
    if abs(_instant(new.at) - _instant(last.at)) >= _AGAIN:
        return False
    # Through the file and back: what is too long for a file is thinned there.
    written, _ = parse_validation(new.file, format_validation(new))
    return written is not None and _state(written) == _state(last)


def _state(validation: Validation) -> object:
    baseline = validation.baseline
    held = replace(baseline, commit=None, tree=None) if baseline is not None else None
    return (validation.memory, validation.text, held)


def _instant(at: datetime | date) -> datetime:
    moment = at if isinstance(at, datetime) else datetime(at.year, at.month, at.day, tzinfo=UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
