"""Write the shift note of a run, and show it as it stands now."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.first_parents import is_first_parent
from gitmem.git.interface import Repository
from gitmem.handoff import (
    DECISIONS,
    HANDOFF,
    LATEST_FAILURE,
    format_decisions,
    format_handoff,
    format_latest_failure,
    latest_failure,
)
from gitmem.model.event import Event
from gitmem.model.policy import CompactionPolicy
from gitmem.model.snapshot import Failure, Snapshot
from gitmem.model.stamp import MOST_COUNTED, Stamp, doubt_sentence, stale_sentence, stamp_of
from gitmem.store.ledger import Run, RunLedger
from gitmem.store.run_cache import FoldedRun
from gitmem.usecases.compacting_policy import compaction_policy
from gitmem.usecases.runs.readable import in_words, is_unread, readable_fold
from gitmem.usecases.runs.saved import SavedFiles

_LARGEST_LOG = 16 << 20
_LARGEST_FAILURE = 1 << 20


class ShownHandoff(NamedTuple):
    """A handoff as it stands now.

    Args:
        run: Run id.
        snapshot: What it was made from.
        stamp: As of when it was told, and whether HEAD has moved on since.
        text: The Markdown.
        problems: What a reader rejected or reports, in words.
        unread: Whether something of the run cannot be read, so that this is not all.
    """

    run: str
    snapshot: Snapshot
    stamp: Stamp
    text: str
    problems: tuple[str, ...] = ()
    unread: bool = False


def show_handoff(ledger: RunLedger, run: Run) -> ShownHandoff:
    """The handoff made from the run's state now, stamped with when somebody last told it.

    Raises:
        NotFoundError: When the run has no events here.
        InvalidDataError: When it has, and nothing of them is known.
    """
    folded = readable_fold(run)
    stamp = current_stamp(ledger, folded, SavedFiles(ledger, run))
    snapshot = folded.snapshot
    return ShownHandoff(
        run.id,
        snapshot,
        stamp,
        format_handoff(snapshot, stamp=stamp),
        in_words(run.id, folded.problems),
        is_unread(folded.problems),
    )


def current_stamp(ledger: RunLedger, folded: FoldedRun, saved: SavedFiles) -> Stamp:
    """The stamp of a state, with what to say when HEAD has moved on since, or a part of the record cannot be read."""
    repo = ledger.repository
    current = ledger.current()
    ref = "AI_RUN" if current is not None and current.id == folded.snapshot.run_id else saved.ref
    places = _places_as_told(saved, ref, folded.snapshot)
    stamp = stamp_of(folded.snapshot)._replace(ref=ref, places=places, doubt=_doubt(folded))
    try:
        head = repo.head()
        branch = stamp.branch or (_branch(repo) if stamp.commit == head else None)
        is_here = not stamp.commit or repo.has(stamp.commit)
        since = _commits_since(repo, stamp.commit, head) if is_here else None
        stale = stale_sentence(stamp.commit, head, since, is_here=is_here)
        is_clean = not _is_dirty(repo) if folded.snapshot.uncommitted else None
    except GitmemError:  # a damaged HEAD must not hide the handoff
        return stamp
    return stamp._replace(branch=branch, stale=stale, is_clean=is_clean)


def _places_as_told(saved: SavedFiles, ref: str, snapshot: Snapshot) -> dict[str, str]:
    """Where saved files lie; not ``decisions.md`` when something was decided since it was written."""
    places = dict(saved.places(ref))
    if (
        DECISIONS in places
        and saved.file(DECISIONS, limit=_LARGEST_LOG) != format_decisions(snapshot).encode()
    ):
        del places[DECISIONS]
    return places


def _doubt(folded: FoldedRun) -> str:
    return doubt_sentence(folded.snapshot.run_id, len(folded.problems))


def write_handoff(
    ledger: RunLedger, run: Run, *, actor: str, session: str | None = None, outcome: str | None = None
) -> Event:
    """Record `handoff_written` with ``handoff.md``, ``decisions.md`` and ``latest-failure.json``, in one event.

    ``latest-failure.json`` is left as it is when it tells of the failure that stands, and is not made when nothing
    ever failed.

    Args:
        ledger: Where.
        run: A run with events.
        actor: Who hands off.
        session: Agent session.
        outcome: How the run ended, for the handoff that follows its end.

    Returns:
        The event.

    Raises:
        NotFoundError: When the run has no events here.
        InvalidDataError: When it has, and none of them can be read.
        RaceError: The lock was busy all the time; nothing was half done.
    """
    folded = readable_fold(run)
    snapshot = folded.snapshot
    at = datetime.now().astimezone().isoformat(timespec="milliseconds")
    commit, branch, dirty = _where(ledger.repository)
    saved = SavedFiles(ledger, run)
    places = {**saved.places("AI_RUN"), DECISIONS: "AI_RUN"}
    left = snapshot.uncommitted
    if not dirty and left is not None and left.writer == ledger.writer():
        snapshot = replace(snapshot, uncommitted=None)
    stamp = Stamp(at, commit or snapshot.code, branch, dirty=dirty, doubt=_doubt(folded), places=places)
    files = {
        HANDOFF: format_handoff(snapshot, stamp=stamp).encode(),
        DECISIONS: format_decisions(snapshot).encode(),
    }
    policy = compaction_policy(ledger.repository).policy
    failure = _failure_document(saved, snapshot, policy)
    if failure is not None:
        files[LATEST_FAILURE] = failure
    return run.append(
        event_type="handoff_written",
        actor=actor,
        payload={name: text for name, text in (("branch", branch), ("outcome", outcome)) if text},
        session=session,
        at=at,
        files=files,
    )


def _failure_document(saved: SavedFiles, snapshot: Snapshot, policy: CompactionPolicy) -> bytes | None:
    """New content of ``latest-failure.json``; None when what is there already says it, or nothing ever failed."""
    held = _saved_failure(saved)
    told = standing_failure(saved, snapshot, policy)
    if told == held:
        return None
    return format_latest_failure(told)


def standing_failure(
    saved: SavedFiles, snapshot: Snapshot, policy: CompactionPolicy
) -> dict[str, Any] | None:
    """What ``latest-failure.json`` has to say: as it was saved with the failure that stands, else made anew.

    Returns:
        None when nothing that failed stands.
    """
    failure = snapshot.last_failure
    held = _saved_failure(saved)
    if failure is None or (held is not None and _tells_of(held, failure)):
        return held if failure is not None else None
    return latest_failure(failure, run=snapshot.run_id, log=_failure_log(saved, failure), policy=policy)


def _saved_failure(saved: SavedFiles) -> dict[str, Any] | None:
    """What ``latest-failure.json`` says in the run's tree; None when there is none, or ``null``, or no JSON object."""
    data = saved.file(LATEST_FAILURE, limit=_LARGEST_FAILURE)
    try:
        held = json.loads(data) if data is not None else None
    except (ValueError, RecursionError):
        return None
    return held if isinstance(held, dict) else None


def _tells_of(held: dict[str, Any], failure: Failure) -> bool:
    """Whether a saved failure is this one: by its event, or where that was not known yet, by what failed."""
    if held.get("seq"):
        return held.get("seq") == failure.seq and held.get("type") == failure.type
    same = (held.get("type"), held.get("command"), held.get("failing") or [])
    return same == (failure.type, failure.command, list(failure.failing))


def _failure_log(saved: SavedFiles, failure: Failure) -> str:
    """The log that a failure names, if it was saved as text."""
    name = failure.artifact
    if not name or name.rpartition(".")[2] not in {"log", "txt", "out"}:
        return ""
    data = saved.artifact(name, limit=_LARGEST_LOG)
    return data.decode("utf-8", "replace") if data else ""


def _where(repo: Repository) -> tuple[str | None, str | None, bool]:
    """Commit and branch of HEAD, and whether the work tree differs from it."""
    try:
        return repo.head(), _branch(repo), _is_dirty(repo)
    except GitmemError:
        return None, None, False


def _is_dirty(repo: Repository) -> bool:
    return repo.layout.work_tree is not None and bool(repo.status().all)


def _branch(repo: Repository) -> str | None:
    ref = repo.head_ref()
    return ref.removeprefix("refs/heads/") if ref else None


def _commits_since(repo: Repository, commit: str | None, head: str | None) -> int | None:
    """How many commits HEAD is ahead, `MOST_COUNTED` at most; None when it does not descend from that commit here."""
    if not commit or not head or commit == head:
        return 0
    if not repo.has(commit):
        return None
    is_near = is_first_parent(repo.layout, commit, head, most=MOST_COUNTED)
    if not is_near and repo.merge_base(commit, head) != commit:
        return None
    return sum(1 for _ in repo.log(since=commit, until=head, limit=MOST_COUNTED))
