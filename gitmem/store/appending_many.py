"""Appending many events in one go: all of them or none.

Everything is checked, masked and written as objects before the run's ref moves once, at the end and under the clone's
lock. So a process that is stopped half-way leaves nothing but objects that git's tidying removes.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from gitmem.git.commit_line import LineCommit, write_commit_line
from gitmem.store.appending import Appender, Goal, Prepared, Tip
from gitmem.store.codec import encode
from gitmem.store.drafts import Draft, commit_time
from gitmem.store.large import hold
from gitmem.store.locking import clone_lock
from gitmem.store.run_reading import read_run, run_prefix
from gitmem.wire.stale import StaleLock
from gitmem.wire.writer import make_writer_id


class ManyAppender(Appender):
    """Appends rows of events to one run; belongs to one thread."""

    def append_all(self, drafts: Iterable[Draft]) -> int:
        """Append events that follow each other; those whose ids the run has already, of whichever writer, are left out.

        Returns:
            How many were new.

        Raises:
            UsageError: What `check_draft` refuses in one of them; nothing was appended.
            RaceError: The lock was busy or the race lost until the deadline; nothing was appended.
        """
        known = self._known_ids()
        fresh = (draft for draft in drafts if draft.id not in known)
        prepared = [self._prepare(one)._replace(contents={}) for one in fresh]  # all contents may be too much
        if not prepared:
            return 0
        self._step("blobs")
        deadline = time.monotonic() + self._wait
        with clone_lock(self._repository.layout, deadline):
            self._step("locked")
            count = self._write_all(prepared, deadline)
        self._step("released")
        return count

    def _write_all(self, prepared: list[Prepared], deadline: float) -> int:
        common = str(self._repository.layout.common_dir)
        writer = make_writer_id(common)
        ref = f"{run_prefix(self._run)}{writer}"
        goal = Goal(ref, StaleLock(f"{common}/{ref}.lock"), deadline)
        while True:
            own = self._own_tip(ref)
            fresh = self._not_there(prepared)
            if not fresh:
                return 0
            large = [pointer.oid for one in fresh for pointer in one.large.values()]
            if large:
                hold(self._repository, writer, self._run, large)
            parents, tree = self._parents(ref, own)
            self._step("read")
            line = list(self._line(fresh, writer, parents, tree))
            commit = write_commit_line(
                self._repository,
                line,
                parents=[parent.commit for parent in parents],
                author=self._identity(),
            )
            self._step("commit")
            seq = max((parent.seq for parent in parents), default=0) + len(line)
            if self._moved(goal, own, Tip(commit, seq, line[-1].tree), parents):
                return len(fresh)

    def _not_there(self, prepared: list[Prepared]) -> list[Prepared]:
        known = self._known_ids()
        fresh = []
        for one in prepared:
            if one.event.id not in known:
                known.add(one.event.id)
                fresh.append(one)
        return fresh

    def _known_ids(self) -> set[str]:
        return {event.id for event in read_run(self._repository, self._run).events}

    def _line(
        self, prepared: list[Prepared], writer: str, parents: list[Tip], tree: str
    ) -> Iterator[LineCommit]:
        below = max((parent.seq for parent in parents), default=0)
        for seq, one in enumerate(prepared, below + 1):
            if one.blobs or one.files or not tree:
                event, tree = self._placed(one, writer, seq, tree)
            else:
                event = one.event._replace(writer=writer, seq=seq)
            yield LineCommit(tree, encode(event).decode("utf-8"), commit_time(event.at))
