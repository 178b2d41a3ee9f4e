"""Three clones and a remote, whatever the order: nothing acknowledged is lost, nothing doubled, everybody sees the same."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.archiving import archive_runs
from gitmem.usecases.runs.syncing import sync
from gitmem.usecases.runs.verifying import verify
from tests.support.clones import bare_remote, clone
from tests.support.repo import sealed_environment

CLONES = st.integers(0, 2)
RUNS = st.sampled_from(["run-1", "run-2"])


class Exchanging(RuleBasedStateMachine):
    """The model is a set: what each clone was acknowledged, by run."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="gitmem-test-"))
        self.before = dict(os.environ)
        os.environ.update(sealed_environment(self.folder))
        self.remote = bare_remote(self.folder)
        self.clones = [clone(self.remote, f"clone-{number}") for number in range(3)]
        self.ledgers = [RunLedger.open(each.path) for each in self.clones]
        self.acked: dict[str, list[str]] = {}
        self.count = 0

    def teardown(self) -> None:
        try:
            self._all_the_same()
        finally:
            for ledger in self.ledgers:
                ledger.close()
            os.environ.clear()
            os.environ.update(self.before)
            shutil.rmtree(self.folder)

    @rule(at=CLONES, run=RUNS, event_type=st.sampled_from(["finding_noted", "completed", "run_resumed"]))
    def append(self, at: int, run: str, event_type: str) -> None:
        self.count += 1
        event = (
            self.ledgers[at].run(run).append(event_type=event_type, actor=f"agent-{at}", id=f"e-{self.count}")
        )
        self.acked.setdefault(run, []).append(event.id)

    @rule(at=CLONES, run=RUNS)
    def retry(self, at: int, run: str) -> None:
        """The same id again, as after an answer that was lost."""
        mine = [
            event for event in self.ledgers[at].run(run).events() if event.writer == self.ledgers[at].writer()
        ]
        if mine:
            again = self.ledgers[at].run(run).append(event_type="finding_noted", actor="x", id=mine[-1].id)
            assert again.commit == mine[-1].commit

    @rule(at=CLONES)
    def exchange(self, at: int) -> None:
        done = sync(self.ledgers[at])
        assert (done.rejected, done.reported, done.offline, done.waiting) == ((), (), "", ())

    @rule(at=CLONES, run=RUNS, pick=st.integers(0, 100))
    def fork(self, at: int, run: str, pick: int) -> None:
        events = self.ledgers[at].run(run).events()
        if not events:
            return
        made = self.ledgers[at].fork(self.ledgers[at].run(run), at=events[pick % len(events)].seq)
        self.acked[made.id] = [event.id for event in made.events()]
        assert self.acked[made.id]

    @rule(at=CLONES)
    def archive(self, at: int) -> None:
        archive_runs(self.ledgers[at])

    @rule(
        at=CLONES,
        how=st.sampled_from(
            [("gc", "-q"), ("repack", "-adq"), ("pack-refs", "--all"), ("gc", "-q", "--prune=now")]
        ),
    )
    def tidy(self, at: int, how: tuple[str, ...]) -> None:
        self.clones[at].git(*how)

    @invariant()
    def own_events_are_there(self) -> None:
        for ledger in self.ledgers:
            assert verify(ledger).problems == ()

    def _all_the_same(self) -> None:
        for ledger in (*self.ledgers, *self.ledgers[:2]):
            done = sync(ledger)
            assert (done.rejected, done.reported) == ((), ())
        for run, acked in self.acked.items():
            logs = [
                [(one.seq, one.writer, one.id, one.commit) for one in ledger.run(run).events()]
                for ledger in self.ledgers
            ]
            assert logs[0] == logs[1] == logs[2]
            ids = [name for _, _, name, _ in logs[0]]
            assert set(acked) <= set(ids)
            assert len({(writer, name) for _, writer, name, _ in logs[0]}) == len(ids)
        for each in (*self.clones, self.remote):
            assert each.git("fsck", "--full", "--strict", "--no-dangling") == ""


TestExchanging = Exchanging.TestCase
TestExchanging.settings = settings(
    max_examples=6,
    stateful_step_count=14,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
