"""Payloads: values of any shape read for what they are meant to say, and the check of what somebody tells just now.

Readers take what they find: every field may be missing and others may stand beside it. A writer that names a known type
is held to its fields, since what is misspelt would be kept and never read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from gitmem.errors import UsageError
from gitmem.model.event import PAYLOAD_FIELDS, text_field

NEEDED: Final[Mapping[str, str]] = {
    "approach_adopted": "approach",
    "approach_rejected": "approach",
    "decision_recorded": "decision",
    "finding_noted": "finding",
    "risk_noted": "risk",
    "risk_cleared": "risk",
    "next_step_set": "next_step",
    "waiting_human": "question",
    "human_answered": "answer",
    "artifact_saved": "path",
}
"""The text without which an event of a type says nothing."""
_TESTS: Final = ("tests", "counts", "tool", "attempts", "reasons", "log_tail")
_ALSO: Final[Mapping[str, tuple[str, ...]]] = {"test_passed": _TESTS, "test_failed": _TESTS}
"""Fields that gitmem itself writes and reads beside those of the rules."""


def check_told(event_type: str, payload: Mapping[str, Any]) -> None:
    """Refuse a payload of a known type that says nothing, or says it under a name that nobody reads.

    Raises:
        UsageError: A field that the type does not have, or its one text is missing.
    """
    fields = PAYLOAD_FIELDS.get(event_type)
    if fields is None:
        return
    known = (*fields, *_ALSO.get(event_type, ()))
    for name in payload:
        if name not in known:
            from difflib import get_close_matches  # slow to import

            near = get_close_matches(name.casefold(), known, n=1)
            cure = f"did you mean {near[0]}?" if near else f"it takes {', '.join(known)}"
            raise UsageError(
                f"payload of {event_type}: no such field: {name[:80]!r}",
                hint=f"{cure}; a type of your own takes any field",
            )
    needed = NEEDED.get(event_type)
    value = payload.get(needed) if needed else None
    if needed and (value is None or (isinstance(value, str) and not value.strip())):
        raise UsageError(
            f"payload of {event_type}: {needed} is missing or empty", hint=f"{needed} is what it tells"
        )


def list_of(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def finding_text(item: object) -> str:
    """A review's finding as text; reviewers write texts or small records."""
    if isinstance(item, str):
        return item
    if not isinstance(item, Mapping):
        return ""
    said = next(
        (text for name in ("message", "finding", "summary", "title") if (text := text_field(item, name))), ""
    )
    where = text_field(item, "file") or text_field(item, "path")
    return f"{where}: {said}" if where and said else said


def pairs_of(value: object) -> list[tuple[str, str]]:
    pairs = [item for item in list_of(value) if isinstance(item, (list, tuple)) and len(item) == 2]
    return [(old, new) for old, new in pairs if isinstance(old, str) and isinstance(new, str)]
