"""Whatever is tried in whatever order: only the moves of the lifecycle happen, each of them when it is asked for, and
trying again changes nothing."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from gitmem.errors import LifecycleError
from gitmem.git.opening import open_repository
from gitmem.model.lifecycle import can_move
from gitmem.model.memory import Status
from gitmem.store.ledger import RunLedger
from gitmem.usecases.candidates import load_candidates
from gitmem.usecases.deny import STATUSES, deny
from gitmem.usecases.listing import load_listing
from gitmem.usecases.marking import challenge
from gitmem.usecases.retire import RetireRequest, retire
from gitmem.usecases.runs.inbox import inbox
from tests.support.candidates import ADA, lesson, proposed, told
from tests.support.drifting import CODE, confirmed
from tests.support.repo import Repo, sealed_environment

NAMES = ("candidate-1", "candidate-2")
WORDS = ("`send` ships an order before it answers", "Deploy from main alone")
WHICH = st.sampled_from(NAMES)


class Living(RuleBasedStateMachine):
    """The model is the status of each lesson; the repository has no remote, and every edit is committed to main."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="gitmem-test-"))
        self.before = dict(os.environ)
        os.environ.update(sealed_environment(self.folder))
        self.repo = Repo(self.folder / "repo")
        self.repo.commit("Start", CODE)
        told(self.repo, *(lesson(name, said, title=None) for name, said in zip(NAMES, WORDS, strict=True)))
        self.status = dict.fromkeys(NAMES, Status.CANDIDATE)
        self.memory: dict[str, str] = {}
        self.now = datetime(2026, 7, 14, tzinfo=UTC)
        self.propose(NAMES[0])

    def teardown(self) -> None:
        os.environ.clear()
        os.environ.update(self.before)
        shutil.rmtree(self.folder)

    def _try(self, name: str, to: Status, act: Callable[[], object], *, possible: bool) -> None:
        """Do it; where the lifecycle has no such move it is refused, and where it is so already nothing happens."""
        self.now += timedelta(hours=1)
        if not possible:
            with pytest.raises(LifecycleError) as caught:
                act()
            assert caught.value.hint
            return
        act()
        self.status[name] = to
        self.repo.commit("Step")

    def _is_open(self, name: str) -> bool:
        return name not in self.memory

    # candidates
    @rule(name=WHICH)
    def propose(self, name: str) -> None:
        before = self.status[name]
        possible = before is Status.CANDIDATE or not self._is_open(name)
        done = []
        to = Status.ACTIVE if self._is_open(name) else before
        self._try(
            name,
            to,
            lambda: done.append(proposed(self.repo, name, "commit", now=self.now, ask=lambda _: True)),
            possible=possible,
        )
        if done and done[0].memory is not None:
            assert done[0].already is not self._is_open(name)
            self.memory[name] = done[0].memory.id

    @rule(name=WHICH, denies=st.booleans())
    def close(self, name: str, denies: bool) -> None:
        to = Status.DENIED if denies else Status.ARCHIVED
        possible = self._is_open(name) and (can_move(self.status[name], to) or self.status[name] is to)
        with RunLedger.open(self.repo.path) as ledger:
            request = RetireRequest(name, "a person said so", self.now)
            self._try(
                name,
                to,
                (lambda: deny(ledger, inbox(ledger), ADA, name, "no"))
                if denies
                else (lambda: retire(ledger, inbox(ledger), ADA, request)),
                possible=possible,
            )

    # memories
    def _one(self, number: int) -> str:
        return sorted(self.memory)[number % len(self.memory)]

    @rule(number=st.integers(0, 1))
    def doubt(self, number: int) -> None:
        name = self._one(number)
        with open_repository(self.repo.path) as opened:
            self._try(
                name,
                Status.CHALLENGED,
                lambda: challenge(opened, [self.memory[name]], "I doubt it", self.now),
                possible=self.status[name] in {Status.ACTIVE, Status.CHALLENGED},
            )

    @rule(number=st.integers(0, 1))
    def look(self, number: int) -> None:
        name = self._one(number)
        if self.status[name] in {Status.ACTIVE, Status.CHALLENGED}:
            at = (self.now + timedelta(minutes=30)).isoformat()
            confirmed(self.repo.path, self.memory[name], at=at, ask=lambda _: True)
            self.repo.commit("Look")
            self.status[name] = Status.ACTIVE

    @rule(number=st.integers(0, 1), archive=st.booleans())
    def put_away(self, number: int, archive: bool) -> None:
        name = self._one(number)
        to = Status.ARCHIVED if archive else Status.DEPRECATED
        with RunLedger.open(self.repo.path) as ledger:
            request = RetireRequest(self.memory[name], "gone", self.now, archive=archive)
            self._try(
                name,
                to,
                lambda: retire(ledger, inbox(ledger), ADA, request),
                possible=can_move(self.status[name], to) or self.status[name] is to,
            )

    @invariant()
    def git_and_the_ledger_say_the_same(self) -> None:
        if not hasattr(self, "repo"):
            return
        with RunLedger.open(self.repo.path) as ledger:
            listed = load_listing(ledger.repository, today=date(2026, 7, 20)).listing.memories
            candidates = load_candidates(ledger).candidates
        effective = {one.memory.id: one.effective_status for one in listed}
        assert effective == {self.memory[name]: str(self.status[name]) for name in self.memory}
        for one in candidates:
            if self._is_open(one.id):
                assert STATUSES[one.standing] is self.status[one.id]


TestLiving = Living.TestCase
TestLiving.settings = settings(
    max_examples=5,
    stateful_step_count=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
