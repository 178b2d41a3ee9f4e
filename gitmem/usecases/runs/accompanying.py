"""The flow around an agent (domain rules, "The flow around an agent"): brief before, what it left behind after.

Before: the current run, or one opened for the branch (task = its name) unless ``gitmem.autoRun`` is off;
``session_started``; the brief as a file below ``<git dir>/gitmem/context/``, which the agent finds through GITMEM_CONTEXT,
beside GITMEM_RUN, GITMEM_SESSION and GITMEM_ACTOR. The file goes when the agent has ended.

After, however it ended: ``commit_recorded`` for commits made meanwhile that no hook recorded; ``diff.patch``, from the
commit at the start to the work tree; ``session_ended``, unless the agent told it itself; the handoff. One that fails keeps
none of the others back.

What the agent printed is kept (``agent-<n>.log``, never injected anywhere) only where it went to no terminal: the screens
of a full-screen program are no text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from gitmem.errors import NotServedError
from gitmem.git.worktree_patch import worktree_patch
from gitmem.model.event import Event, text_field
from gitmem.model.ids import random_suffix
from gitmem.results.plain import plain_log
from gitmem.running.process import STANDARD, Ended, Streams, run_command
from gitmem.running.spool import Spool
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.brief import Brief, load_brief
from gitmem.usecases.runs.executing import Execution, reason_of
from gitmem.usecases.runs.finding import find_run
from gitmem.usecases.runs.handing_off import write_handoff
from gitmem.usecases.runs.session_run import run_for_session

PATCH = "diff.patch"
_LARGEST_PATCH = 4 << 20
_MOST_COMMITS = 200
_AGENTS = {"claude": "claude-code", "cursor-agent": "cursor", "gemini-cli": "gemini"}


@dataclass(frozen=True, slots=True)
class Errand:
    """An agent to be run.

    Args:
        command: Program and arguments.
        context: Makes the text that the agent is to read.
        run: The run, or the beginning of its id; the current one when None.
        session: Agent session; a new one when None.
        actor: Who the agent is; by its program's name when None.
        streams: Where its output goes.
    """

    command: tuple[str, ...]
    context: Callable[[Brief], str]
    run: str | None = None
    session: str | None = None
    actor: str | None = None
    streams: Streams = STANDARD

    @property
    def agent(self) -> str:
        name = self.command[0].rpartition("/")[2]
        return self.actor or _AGENTS.get(name, name) or "agent"


class _Begun(NamedTuple):
    """What is known when the agent starts."""

    run: str
    session: str
    commit: str | None
    at: datetime
    context: Path
    event: Event


def accompany(errand: Errand) -> Execution:
    """Run an agent within a session of a run; its exit status stays what it is, whatever happens to the recording."""
    notes: list[str] = []
    begun = None
    try:
        begun = _begin(errand, notes)
    except Exception as error:  # noqa: BLE001 - the agent runs, whatever is wrong with the ledger
        notes.append(f"nothing is recorded: {reason_of(error)}")
    with Spool() as spool:
        keeps = begun is not None and not os.isatty(errand.streams.stdout)
        ended = run_command(
            errand.command,
            keep=spool.write if keeps else lambda _: None,
            env=_environment(errand, begun),
            streams=errand.streams,
        )
        log = plain_log(spool.content())
    if begun is None:
        return Execution(ended.exit_code, ended.not_started, notes=tuple(notes))
    begun.context.unlink(missing_ok=True)
    try:
        with RunLedger.open() as ledger:
            events = tuple(_Closing(ledger, errand, begun, notes).close(ended, log))
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the agent's own exit status must come through
        notes.append(f"not all was recorded: {reason_of(error)}")
        events = ()
    return Execution(ended.exit_code, ended.not_started, begun.run, (begun.event, *events), tuple(notes))


def _begin(errand: Errand, notes: list[str]) -> _Begun:
    with RunLedger.open() as ledger:
        run = _run(ledger, errand, notes)
        session = errand.session or f"session-{random_suffix(8)}"
        event = run.append(
            event_type="session_started",
            actor=errand.agent,
            session=session,
            payload={"session": session, "agent": errand.agent},
        )
        folder = ledger.repository.layout.git_dir / "gitmem" / "context"
        folder.mkdir(parents=True, exist_ok=True)
        context = folder / f"{re.sub(r'[^A-Za-z0-9._-]', '_', session)[:80]}.md"
        _write_private(context, errand.context(load_brief(ledger, run=run.id)))
        return _Begun(run.id, session, ledger.repository.head(), datetime.now(UTC), context, event)


def _run(ledger: RunLedger, errand: Errand, notes: list[str]) -> Run:
    if errand.run is not None:
        return find_run(ledger, errand.run)
    run, task = run_for_session(ledger, errand.agent)
    if run is None:
        raise NotServedError(
            "no run is current, and gitmem.autoRun is off", hint="gitmem run start TASK begins one"
        )
    if task:
        notes.append(
            f"no run was current: began {run.id} for the branch {task}"
            " (git config gitmem.autoRun off turns that off)"
        )
    return run


def _write_private(path: Path, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(text.encode("utf-8", "backslashreplace"))


def _environment(errand: Errand, begun: _Begun | None) -> Mapping[str, str] | None:
    if begun is None:
        return None
    return {
        **os.environ,
        "GITMEM_RUN": begun.run,
        "GITMEM_SESSION": begun.session,
        "GITMEM_ACTOR": errand.agent,
        "GITMEM_CONTEXT": str(begun.context),
    }


class _Closing:
    """Records what an agent left behind."""

    def __init__(self, ledger: RunLedger, errand: Errand, begun: _Begun, notes: list[str]) -> None:
        self._ledger = ledger
        self._run = ledger.run(begun.run)
        self._errand = errand
        self._begun = begun
        self._notes = notes

    def close(self, ended: Ended, log: bytes) -> Iterator[Event]:
        """Append everything there is to say; yields each event."""
        steps: tuple[tuple[str, Callable[[], Iterator[Event]]], ...] = (
            ("commits", self._commits),
            (PATCH, self._patch),
            ("the end of the session", lambda: self._session(ended, log)),
            ("the handoff", self._handoff),
        )
        for name, step in steps:
            try:
                yield from step()
            except Exception as error:  # noqa: BLE001 - the steps behind it must still be taken
                self._notes.append(f"{name} not recorded: {reason_of(error)}")

    def _commits(self) -> Iterator[Event]:
        """Commits that HEAD reaches now and did not before, made since the start, and told by no event yet."""
        repo, start = self._ledger.repository, self._begun.commit
        head = repo.head()
        if head is None or head == start:
            return
        known = {text_field(event.payload, "commit") for event in self._run.events()}
        new = [
            commit
            for commit in islice(repo.log(since=start, until=head), _MOST_COMMITS)
            if commit.oid not in known and _is_since(commit.committed_at, self._begun.at)
        ]
        changes = repo.changes_of([commit.oid for commit in new])
        for commit in reversed(new):
            paths = (row.new_path or row.old_path for row in changes.get(commit.oid, ()))
            files = [path for path in paths if path][:_MOST_COMMITS]
            payload = {"commit": commit.oid, "subject": commit.subject, "files": files}
            yield self._append("commit_recorded", payload, actor="git", code=commit.oid)

    def _patch(self) -> Iterator[Event]:
        start, layout = self._begun.commit, self._ledger.repository.layout
        if start is None or layout.work_tree is None:
            return
        patch, left_out = worktree_patch(layout, start, limit=_LARGEST_PATCH)
        if patch:
            payload = {"path": PATCH, "media_type": "text/x-diff", "since": start}
            told = {**payload, "files_left_out": left_out} if left_out else payload
            yield self._append("artifact_saved", told, artifacts={PATCH: patch})

    def _session(self, ended: Ended, log: bytes) -> Iterator[Event]:
        session = self._begun.session
        state = {one.session: one for one in self._run.snapshot().sessions}.get(session)
        if state is not None and state.ended_seq is not None:
            return
        payload: dict[str, Any] = {
            "session": session,
            "exit_code": ended.exit_code,
            "duration_s": round(ended.duration_s, 3),
        }
        artifacts = {}
        if log:
            number = sum(event.type == "session_started" for event in self._run.events())
            payload["artifact"] = f"agent-{number}.log"
            artifacts = {f"agent-{number}.log": log}
        yield self._append("session_ended", payload, artifacts=artifacts)

    def _handoff(self) -> Iterator[Event]:
        yield write_handoff(self._ledger, self._run, actor=self._errand.agent, session=self._begun.session)

    def _append(
        self,
        event_type: str,
        payload: Mapping[str, Any],
        *,
        actor: str = "",
        code: str | None = None,
        artifacts: Mapping[str, bytes] | None = None,
    ) -> Event:
        return self._run.append(
            event_type=event_type,
            actor=actor or self._errand.agent,
            payload=payload,
            session=self._begun.session,
            code=code,
            artifacts=artifacts,
        )


def _is_since(at: str, start: datetime) -> bool:
    """Whether a commit is no older than the start, whose second counts whole: git keeps no parts of one."""
    try:
        return datetime.fromisoformat(at).timestamp() >= int(start.timestamp())
    except ValueError:
        return False
