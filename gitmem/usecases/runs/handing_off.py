"""Write the shift note of a run, and show it as it stands now."""

from __future__ import annotations

import json
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.handoff import (
    DECISIONS,
    HANDOFF,
    LATEST_FAILURE,
    Stamp,
    format_decisions,
    format_handoff,
    format_latest_failure,
    latest_failure,
    stale_sentence,
    stamp_of,
)
from gitmem.model.event import Event
from gitmem.model.policy import CompactionPolicy
from gitmem.model.snapshot import Failure, Snapshot
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.compacting_policy import compaction_policy
from gitmem.usecases.runs.saved import saved_artifact

LARGEST_LOG = 16 << 20
_MOST_COUNTED = 10_000


class ShownHandoff(NamedTuple):
    """A handoff as it stands now.

    Args:
        run: Run id.
        snapshot: What it was made from.
        stamp: As of when it was told, and whether HEAD has moved on since.
        text: The Markdown.
    """

    run: str
    snapshot: Snapshot
    stamp: Stamp
    text: str


def show_handoff(ledger: RunLedger, run: Run) -> ShownHandoff:
    """The handoff made from the run's state now, stamped with when somebody last told it.

    Raises:
        NotFoundError: When the run has no events here.
    """
    snapshot = run.snapshot()
    stamp = current_stamp(ledger, run, snapshot)
    return ShownHandoff(run.id, snapshot, stamp, format_handoff(snapshot, stamp=stamp))


def current_stamp(ledger: RunLedger, run: Run, snapshot: Snapshot) -> Stamp:
    """The stamp of a state, with what to say when HEAD has moved on since."""
    repo = ledger.repository
    stamp = stamp_of(snapshot)
    current = ledger.current()
    ref = "AI_RUN" if current is not None and current.id == run.id else run.ref()
    try:
        head = repo.head()
        branch = stamp.branch or (_branch(repo) if stamp.commit == head else None)
        stale = stale_sentence(stamp.commit, head, _commits_since(repo, stamp.commit, head))
    except GitmemError:  # a damaged HEAD must not hide the handoff
        branch, stale = stamp.branch, ""
    return stamp._replace(branch=branch, stale=stale, ref=ref)


def write_handoff(ledger: RunLedger, run: Run, *, actor: str, session: str | None = None) -> Event:
    """Record `handoff_written` with ``handoff.md``, ``decisions.md`` and ``latest-failure.json``, in one event.

    ``latest-failure.json`` is left as it is when it tells of the failure that stands, and is not made when nothing
    ever failed.

    Args:
        ledger: Where.
        run: A run with events.
        actor: Who hands off.
        session: Agent session.

    Returns:
        The event.

    Raises:
        NotFoundError: When the run has no events here.
        RaceError: The lock was busy all the time; nothing was half done.
    """
    snapshot = run.snapshot()
    at = datetime.now().astimezone().isoformat(timespec="milliseconds")
    commit, branch = _where(ledger.repository)
    stamp = Stamp(at, commit or snapshot.code, branch)
    files = {
        HANDOFF: format_handoff(snapshot, stamp=stamp).encode(),
        DECISIONS: format_decisions(snapshot).encode(),
    }
    failure = failure_document(ledger, run, snapshot, compaction_policy(ledger.repository).policy)
    if failure is not None:
        files[LATEST_FAILURE] = failure
    return run.append(
        event_type="handoff_written",
        actor=actor,
        payload={"branch": branch} if branch else {},
        session=session,
        at=at,
        files=files,
    )


def failure_document(
    ledger: RunLedger, run: Run, snapshot: Snapshot, policy: CompactionPolicy
) -> bytes | None:
    """New content of ``latest-failure.json``; None when what is there already says it, or nothing ever failed."""
    held = saved_failure(run)
    failure = snapshot.last_failure
    if failure is None:
        return format_latest_failure(None) if held is not None else None
    if held is not None and tells_of(held, failure):
        return None
    log = failure_log(ledger, run, failure)
    return format_latest_failure(latest_failure(failure, run=run.id, log=log, policy=policy))


def saved_failure(run: Run) -> dict[str, Any] | None:
    """What ``latest-failure.json`` says in the run's tree; None when there is none, or ``null``, or no JSON object."""
    data = run.file(LATEST_FAILURE)
    try:
        held = json.loads(data) if data is not None else None
    except (ValueError, RecursionError):
        return None
    return held if isinstance(held, dict) else None


def tells_of(held: dict[str, Any], failure: Failure) -> bool:
    """Whether a saved failure is this one: by its event, or where that was not known yet, by what failed."""
    if held.get("seq"):
        return held.get("seq") == failure.seq and held.get("type") == failure.type
    same = (held.get("type"), held.get("command"), held.get("failing") or [])
    return same == (failure.type, failure.command, list(failure.failing))


def failure_log(ledger: RunLedger, run: Run, failure: Failure) -> str:
    """The log that a failure names, if it was saved as text."""
    name = failure.artifact
    if not name or name.rpartition(".")[2] not in {"log", "txt", "out"}:
        return ""
    data = saved_artifact(ledger, run, name, limit=LARGEST_LOG)
    return data.decode("utf-8", "replace") if data else ""


def _where(repo: Repository) -> tuple[str | None, str | None]:
    try:
        return repo.head(), _branch(repo)
    except GitmemError:
        return None, None


def _branch(repo: Repository) -> str | None:
    ref = repo.head_ref()
    return ref.removeprefix("refs/heads/") if ref else None


def _commits_since(repo: Repository, commit: str | None, head: str | None) -> int | None:
    """How many commits HEAD is ahead; None when it does not descend from that commit, or that cannot be told here."""
    if not commit or not head or commit == head:
        return 0
    if not repo.has(commit) or repo.merge_base(commit, head) != commit:
        return None
    return sum(1 for _ in islice(repo.log(since=commit, until=head), _MOST_COUNTED))
