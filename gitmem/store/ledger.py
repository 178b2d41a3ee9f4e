"""The run ledger: what happened in each task, as commits that are never rewritten.

The format
==========

Refs. ``refs/ai/runs/<run>/<writer>``, one for each run and writer; ended runs may move to
``refs/ai/archive/<writer>`` (`gitmem.store.archive`). A run id and a writer id are
``[a-z0-9][a-z0-9-]{0,62}``. A writer is one clone; its id lies in ``<common git dir>/gitmem/writer`` (`gitmem.wire.writer`)
and is shared by all its processes and work trees. Nobody else moves its refs, so nothing is merged and no push is rejected.
A clone that was restored from a copy goes on under a new id (`gitmem.store.carrying`).

Commits. One event each: the subject line ``#<seq> <type>: …``, an empty line, one line of canonical JSON
(`gitmem.store.codec`). Author and committer are the committer identity, the time is the event's.

Parents. First the ref's previous tip; for a ref's first event the tip it goes on from, the highest (seq, writer) of the
run. Then up to 15 tips of other writers that are no ancestors yet, highest seq first; what is left comes with the next
event. ``seq`` is one more than the highest among the parents. Code commits are named in events and never parents.

Order. (seq, writer, commit id): the same on every machine, and no clock in it.

Trees. The run directory as that writer knows it: ``handoff.md``, ``latest-failure.json``, ``decisions.md`` and
``artifacts/…`` (`gitmem.store.artifacts`; what is over 1 MiB: `gitmem.store.large`), carried on from the first parent. A payload over 16 KiB lies there as
``payload-<id>.json``, which the event names as ``payload_artifact``. So ``git show AI_RUN:handoff.md`` works: ``AI_RUN``
is a symbolic pseudo-ref of each work tree that names its current run's own ref – or, while this clone has written
nothing to that run, the ref with the highest (seq, writer).

Readers reject and report by the rules of `gitmem.store.judging`. State is a fold (`gitmem.model.run`), cached with the
set of tips that it stands for (`gitmem.store.run_cache`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from gitmem.errors import InvalidDataError, NotFoundError, RaceError, UsageError
from gitmem.git.event_commits import delete_symbolic_ref, set_symbolic_ref, symbolic_ref
from gitmem.git.opening import durable_repository, open_repository
from gitmem.git.program import ProgramRepository
from gitmem.model.event import Event
from gitmem.model.ids import is_run_id, random_suffix
from gitmem.model.run import fold
from gitmem.model.snapshot import Snapshot
from gitmem.store.archive import RUNS, LedgerRefs, read_refs, read_run_refs
from gitmem.store.locking import clone_lock
from gitmem.store.run_cache import FoldedRun
from gitmem.store.run_reading import (
    ARTIFACTS,
    LoadedRun,
    Reading,
    read_artifact,
    read_run,
    refresh,
    run_prefix,
    run_tips,
)
from gitmem.wire.append import CURRENT
from gitmem.wire.stale import StaleLock
from gitmem.wire.writer import writer_id

if TYPE_CHECKING:  # what writes and masks is slow to import, and most only read
    from gitmem.redaction.masking import Masker
    from gitmem.store.appending import Appender, Step
    from gitmem.store.drafts import Draft
    from gitmem.store.verifying import Verification

_NO_SUCH_RUN = "gitmem run list --all shows the runs; gitmem sync fetches those of others"


class RunLedger:
    """The runs of one repository. Belongs to one thread.

    Args:
        repository: As `gitmem.git.opening.open_repository` gives it.
        masker: What masks secrets before anything is written; by rules alone when None.
        wait: Seconds that an append waits for a busy lock.
        step: Called with each step of an append (`gitmem.store.appending.STEPS`).
    """

    def __init__(
        self,
        repository: ProgramRepository,
        *,
        masker: Masker | None = None,
        wait: float = 10.0,
        step: Step = lambda _: None,
    ) -> None:
        self.repository = repository
        self._writing: ProgramRepository | None = None
        self._masker = masker
        self._wait = wait
        self._step = step

    @classmethod
    def open(cls, path: Path | str | None = None) -> Self:
        """The ledger of the repository that a folder lies in, through libgit2 where it can be trusted.

        Secret variables of this process's environment and its home folder are masked.

        Raises:
            NotFoundError: No repository there.
        """
        from gitmem.redaction.masking import masker_of

        return cls(open_repository(path, prefer="library"), masker=masker_of(os.environ))

    @cached_property
    def masker(self) -> Masker:
        from gitmem.redaction.masking import Masker

        return self._masker or Masker()

    def close(self) -> None:
        """End the children of git."""
        self.repository.close()
        if self._writing is not None:
            self._writing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, run: str) -> Run:
        """A run, whether it has events or not.

        Raises:
            UsageError: When the id is none.
        """
        if not isinstance(run, str) or not is_run_id(run):
            raise UsageError(f"not a run id: {run!r:.80}", hint="lower-case letters, digits and -, up to 63")
        return Run(self, run)

    def new_run(self) -> Run:
        """A run with a new id, ``run-YYYYMMDD-xxxxx``; it exists with its first event."""
        return self.run(f"run-{datetime.now(UTC).astimezone():%Y%m%d}-{random_suffix()}")

    def refs(self) -> LedgerRefs:
        """All refs of the ledger, and the runs behind them, archived ones apart; no event is read for it."""
        return read_refs(self.repository)

    def runs(self) -> Mapping[str, Mapping[str, str]]:
        """Tips by full ref name, by run id, sorted; archived runs are left out."""
        return self.refs().runs

    def writer(self) -> str | None:
        """This clone's writer id; None before its first append."""
        return writer_id(str(self.repository.layout.common_dir))

    def current(self) -> Run | None:
        """The current run of this work tree; None when there is none."""
        held = symbolic_ref(self.repository, CURRENT)
        run = held.removeprefix(RUNS).partition("/")[0] if held and held.startswith(RUNS) else ""
        return Run(self, run) if is_run_id(run) else None

    def set_current(self, run: Run | None) -> None:
        """Make a run with events the current one of this work tree; None leaves none.

        The ref of an archived run comes back, since AI_RUN has to name one.

        Raises:
            NotFoundError: When the run has no events.
        """
        if run is None:
            delete_symbolic_ref(self.repository, CURRENT)
            return
        ref = run.ref()
        if self.repository.ref(ref) is None:
            self.repository.move_ref(ref, run.tips()[ref], old=None)
        self._name_current(ref)

    def _name_current(self, ref: str) -> None:
        """Let AI_RUN name a ref; a lock file that a killed process left beside it is removed once it is known for stale."""
        layout = self.repository.layout
        stale = StaleLock(str(layout.git_dir / f"{CURRENT}.lock"))
        deadline = time.monotonic() + self._wait
        with clone_lock(layout, deadline):
            while True:
                try:
                    return set_symbolic_ref(self.repository, CURRENT, ref)
                except RaceError:
                    if time.monotonic() >= deadline:
                        raise
                    if not stale.remove():
                        time.sleep(0.05)

    def writing(self) -> ProgramRepository:
        """The repository that events are written with (`gitmem.git.opening.durable_repository`).

        Raises:
            UsageError: When ``gitmem.durability`` says something unknown.
        """
        if self._writing is None:
            self._writing = durable_repository(self.repository)
        return self._writing

    def appender(self, run: str) -> Appender:
        from gitmem.store.appending import Appender

        return Appender(self.writing(), run, masker=self.masker, wait=self._wait, step=self._step)

    def append_all(self, run: str, drafts: Iterable[Draft]) -> int:
        """Append a row of events to a run, all of them or none; those whose ids it has already are left out.

        Returns:
            How many were new.

        Raises:
            UsageError, RaceError: As `Run.append`; nothing was appended.
        """
        from gitmem.store.appending_many import ManyAppender

        appender = ManyAppender(
            self.writing(), self.run(run).id, masker=self.masker, wait=self._wait, step=self._step
        )
        return appender.append_all(drafts)

    def fork(self, run: Run, *, at: int) -> Run:
        """A new run that begins with an event and all that its writer knew then; in git this is one ref.

        Of several events with that seq the last in order is meant.

        Raises:
            NotFoundError: When the run has no event with that seq.
        """
        events = [event for event in run.events() if event.seq == at]
        if not events:
            raise NotFoundError(f"{run.id} has no event #{at}", hint=f"gitmem run log {run.id} shows them")
        made = self.new_run()
        made.begin_at(events[-1].commit)
        return made

    def verify(self, run: str) -> Verification:
        """Check every commit, event, artifact, order and fold of a run."""
        from gitmem.store.verifying import verify_run

        return verify_run(self.repository, self.run(run).id)


class Run:
    """One run of a ledger."""

    def __init__(self, ledger: RunLedger, run: str) -> None:
        self.id = run
        self._ledger = ledger
        self._repository = ledger.repository
        self._appender: Appender | None = None
        self._folded: FoldedRun | None = None

    def append(
        self,
        *,
        event_type: str,
        actor: str,
        payload: Mapping[str, Any] | None = None,
        id: str = "",  # noqa: A002 - what the event's field is called
        session: str | None = None,
        code: str | None = None,
        at: str = "",
        artifacts: Mapping[str, bytes] | None = None,
        files: Mapping[str, bytes] | None = None,
        exact: bool = False,
    ) -> Event:
        """Append one event.

        Args:
            event_type: A known type or one of your own.
            actor: ``human``, ``claude-code``, ``test-runner``, …
            payload: What the type says about it.
            id: An id of yours, so that trying again does not double the event; random when empty.
            session: Agent session.
            code: Commit that the code is at; HEAD when None, no commit at all when empty.
            at: RFC 3339 with offset; now when empty.
            artifacts: Content by plain file name, saved below ``artifacts/``.
            files: New content of ``handoff.md``, ``latest-failure.json`` or ``decisions.md``.
            exact: Refuse an id that another event has, rather than give that event back.

        Returns:
            The event as written; it is reachable when this returns.

        Raises:
            UsageError: A type, id, name or field that an event cannot have; an id that another one has.
            RaceError: The lock was busy all the time; nothing was half done.
        """
        from gitmem.store.drafts import Draft
        from gitmem.store.later import take_in_later

        if self._appender is None:
            self._appender = self._ledger.appender(self.id)
        nothing: Mapping[str, Any] = {}
        given = [nothing if one is None else one for one in (payload, artifacts, files)]
        draft = Draft(event_type, actor, given[0], id, session, code, at, given[1], given[2], exact=exact)
        event = self._appender.append(draft)
        take_in_later(self._repository.layout.common_dir, self._ledger.appender)
        return event

    def exists(self) -> bool:
        """Whether the run has events here, though perhaps none that can be read."""
        return any(read_run_refs(self._repository, self.id))

    def tips(self) -> Mapping[str, str]:
        """Commit by full ref name; a ref that was archived stands there as before."""
        return run_tips(self._repository, self.id)

    def ref(self) -> str:
        """The ref that AI_RUN names: the own one, else that with the highest (seq, writer).

        Raises:
            NotFoundError: When the run has no events here.
        """
        tips = self.tips()
        own = f"{run_prefix(self.id)}{self._ledger.writer()}"
        if own in tips:
            return own
        seqs = {ref: seq for ref, (_, seq) in self.folded().tips.items() if seq}
        if not seqs:
            raise NotFoundError(
                f"no event of {self.id} can be read here", hint=f"gitmem run verify {self.id} tells why"
            )
        return max(seqs, key=lambda ref: (seqs[ref], ref))

    def begin_at(self, commit: str) -> None:
        """Make the own ref at a commit of another run.

        Raises:
            RaceError: When the run has an own ref already.
        """
        from gitmem.store.appending import own_ref

        self._repository.move_ref(own_ref(self._repository, self.id), commit, old=None)

    def load(self) -> LoadedRun:
        """All events with the state after them.

        Raises:
            NotFoundError: When the run has no events here.
        """
        reading = self._reading()
        events = tuple(reading.events)
        return LoadedRun(self.id, events, fold(events, run_id=self.id), reading.tips, reading.problems)

    def events(self) -> tuple[Event, ...]:
        """All events in order; none for a run that is not here."""
        return tuple(read_run(self._repository, self.id).events)

    def snapshot(self, at: int | None = None) -> Snapshot:
        """The state after all events, or after all those with a seq up to `at`.

        Raises:
            NotFoundError: When the run has no events here.
        """
        if at is None:
            return self.folded().snapshot
        return fold((event for event in self._reading().events if event.seq <= at), run_id=self.id)

    def folded(self) -> FoldedRun:
        """The state with what it stands for: tips, number of events, writers, time of the last event.

        Raises:
            NotFoundError: When the run has no events here.
        """
        self._folded = refresh(self._repository, self.id, self._folded)
        if not self._folded.tips and not self._folded.problems:
            raise NotFoundError(f"no such run here: {self.id}", hint=_NO_SUCH_RUN)
        return self._folded

    def artifact(self, name: str, *, event: Event | None = None) -> bytes | None:
        """Content of an artifact as an event lists it; from the run's tip when no event is given.

        None for one that was only named and not saved.

        Raises:
            NotFoundError: It is over 1 MiB and not in this clone (`gitmem.store.large`).
        """
        commit = event.commit if event is not None else self.tips().get(self.ref())
        return read_artifact(self._repository, commit, name) if commit else None

    def file(self, name: str) -> bytes | None:
        """Content of ``handoff.md`` or another file at the top of the tip's tree; None when it was never written."""
        entry = self._repository.entry(self.folded().tips[self.ref()][0], name)
        if entry is None:
            return None
        if name == ARTIFACTS:
            raise InvalidDataError(f"{name} is a folder")
        return self._repository.read_blob(entry.oid).data

    def _reading(self) -> Reading:
        reading = read_run(self._repository, self.id)
        if not reading.tips and not reading.problems:
            raise NotFoundError(f"no such run here: {self.id}", hint=_NO_SUCH_RUN)
        return reading
