"""What happened in a run: one event, its type, and the fields of its payload that have a meaning.

No payload field is required. A field that is present with another type than its own is passed over when an event is
read and refused when it is appended. Unknown types and fields are kept as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from gitmem.errors import UsageError

EVENT_TYPE = re.compile(r"[a-z][a-z0-9_]{0,63}")
EVENT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,99}")

TEXT: Final = "text"
TEXTS: Final = "a list of texts"
NUMBER: Final = "a number"
ITEMS: Final = "a list"
PAIRS: Final = "a list of pairs of texts"
RECORD: Final = "a mapping"

PAYLOAD_FIELDS: Mapping[str, Mapping[str, str]] = {
    "task_created": {"task": TEXT, "goal": TEXT, "allowed_files": TEXTS},
    "session_started": {"session": TEXT, "agent": TEXT, "model": TEXT},
    "session_ended": {"session": TEXT, "summary": TEXT, "used_memories": TEXTS},
    "plan_approved": {"artifact": TEXT},
    "implementation_completed": {"artifact": TEXT, "changed_files": TEXTS},
    "review_passed": {"artifact": TEXT, "findings": ITEMS},
    "review_failed": {"artifact": TEXT, "findings": ITEMS},
    "test_passed": {"command": TEXT, "exit_code": NUMBER, "duration_s": NUMBER, "artifact": TEXT},
    "test_failed": {
        "command": TEXT,
        "exit_code": NUMBER,
        "duration_s": NUMBER,
        "artifact": TEXT,
        "failure_class": TEXT,
        "failing": TEXTS,
    },
    "approach_adopted": {"approach": TEXT, "reason": TEXT},
    "approach_rejected": {"approach": TEXT, "reason": TEXT},
    "decision_recorded": {"decision": TEXT, "reason": TEXT},
    "finding_noted": {"finding": TEXT},
    "risk_noted": {"risk": TEXT},
    "risk_cleared": {"risk": TEXT},
    "next_step_set": {"next_step": TEXT},
    "commit_recorded": {
        "commit": TEXT,
        "subject": TEXT,
        "files": TEXTS,
        "insertions": NUMBER,
        "deletions": NUMBER,
    },
    "commits_rewritten": {"pairs": PAIRS},
    "branch_merged": {"commit": TEXT},
    "artifact_saved": {"path": TEXT, "media_type": TEXT},
    "waiting_human": {"question": TEXT},
    "human_answered": {"answer": TEXT},
    "memory_delivered": {"ids": TEXTS, "query": TEXT},
    "memory_candidate": {"candidate": RECORD},
    "memory_confirmed": {"memory": TEXT, "how": TEXT, "token": TEXT},
    "promotion_decided": {
        "candidate": TEXT,
        "decision": TEXT,
        "by": TEXT,
        "reason": TEXT,
        "memory": TEXT,
        "blob": TEXT,
        "scorecard": RECORD,
    },
    "handoff_written": {"branch": TEXT, "outcome": TEXT},
    "run_paused": {"reason": TEXT},
    "run_resumed": {"reason": TEXT},
    "state_imported": {"snapshot": RECORD},
    "completed": {"outcome": TEXT},
    "abandoned": {"outcome": TEXT},
}
"""Types with their payload fields (domain rules, section "Run ledger")."""

DIRTY_TYPES = frozenset({"session_started", "session_ended", "test_passed", "test_failed", "handoff_written"})
"""Types that say whether the work tree differed from HEAD; for the others that would cost too much."""


class Event(NamedTuple):
    """One event as it was read. Events are put in order by `order`.

    Args:
        commit: The commit that carries it; empty before it is written.
        seq: Position: one more than the highest that its writer knew.
        writer: The clone that wrote it.
        id: Made by the caller or random; unique within a writer.
        run: The run that it was written to; another than the one being read when that one was forked.
        type: One of `PAYLOAD_FIELDS`, or unknown.
        at: RFC 3339 with offset, by the writer's clock; decides nothing.
        actor: ``human``, ``claude-code``, ``test-runner``, ``git``, …
        payload: What the type says about it; the whole of it, wherever it lies.
        session: The agent session it belongs to.
        code: The commit that HEAD named.
        dirty: Whether the work tree differed from it; None when nobody looked.
        artifacts: Names below ``artifacts/`` in the commit's tree.
        extra: Fields that this version does not know.
    """

    commit: str
    seq: int
    writer: str
    id: str
    run: str
    type: str
    at: str
    actor: str
    payload: Mapping[str, Any]
    session: str | None = None
    code: str | None = None
    dirty: bool | None = None
    artifacts: tuple[str, ...] = ()
    extra: Mapping[str, Any] = {}

    @property
    def order(self) -> tuple[int, str, str]:
        """The same on every machine, and no clock in it."""
        return (self.seq, self.writer, self.commit)


def moment(at: str) -> float:
    """An event's time as seconds, to sort by for people; a text that is no time sorts before all."""
    try:
        told = datetime.fromisoformat(at)
        return (told if told.tzinfo else told.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return float("-inf")


def not_saved(event: Event) -> tuple[str, ...]:
    """Names of artifacts that an event from elsewhere had and whose content did not come with it."""
    held = event.extra.get("not_saved")
    return tuple(name for name in held if isinstance(name, str)) if isinstance(held, list) else ()


def text_field(payload: Mapping[str, Any], name: str) -> str | None:
    """A text; None when absent, empty or of another type."""
    value = payload.get(name)
    return value if isinstance(value, str) and value else None


def text_list(payload: Mapping[str, Any], name: str) -> list[str]:
    """The texts of a list; what is none is passed over. One text stands for a list of it."""
    value = payload.get(name)
    if isinstance(value, str):
        return [value] if value else []
    return [item for item in value if isinstance(item, str) and item] if isinstance(value, list) else []


def check_payload(event_type: str, payload: Mapping[str, Any]) -> None:
    """Refuse a payload whose known fields have another type than theirs; None passes as absent.

    Raises:
        UsageError: Naming the field and what it has to be.
    """
    for name, wanted in PAYLOAD_FIELDS.get(event_type, {}).items():
        value = payload.get(name)
        if value is not None and not _FITS[wanted](value):
            raise UsageError(
                f"{event_type}: {name} must be {wanted}, not {str(value)[:60]!r}",
                hint=f"leave {name} out, or say it under another name",
            )


def _is_texts(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


def _is_pairs(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(_is_texts(item) and len(item) == 2 for item in value)


_FITS: dict[str, Callable[[object], bool]] = {
    TEXT: lambda value: isinstance(value, str),
    TEXTS: _is_texts,
    NUMBER: lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    ITEMS: lambda value: isinstance(value, (list, tuple)),
    PAIRS: _is_pairs,
    RECORD: lambda value: isinstance(value, Mapping),
}
