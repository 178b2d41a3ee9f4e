"""Where a call is worked on: the one repository that was fixed at the start, with a ledger of this thread's own."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from datetime import date, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gitmem.git.interface import Layout

if TYPE_CHECKING:
    from gitmem.store.ledger import Run
    from gitmem.usecases.listing import Loaded
    from gitmem.usecases.runs.recording import Teller

AGENT: Final = "agent"
_PERSON: Final = "human"
_LOCK_SECONDS: Final = 3.0
_NO_NAME = re.compile(r"[^a-z0-9._-]+")


class Answer(NamedTuple):
    """What a tool answers.

    Args:
        document: The structured result.
        afterwards: What is recorded once the answer is out, best effort.
    """

    document: Mapping[str, Any]
    afterwards: Callable[[Desk], None] | None = None


class Desk(AbstractContextManager["Desk"]):
    """The repository of the server, for one thread.

    Args:
        layout: Which repository; no call names another.
        environment: Whose secrets are masked, and which names run, session and actor where a call names none.
        client: What the agent's program calls itself.
        held: What was made from the repository, shared with the other threads of the server.
    """

    def __init__(
        self,
        layout: Layout,
        environment: Mapping[str, str] = os.environ,
        client: str = "",
        held: dict[str, tuple[object, object]] | None = None,
    ) -> None:
        from gitmem.git.timed import timed_repository  # not at the start, which a host waits for
        from gitmem.redaction.masking import masker_of
        from gitmem.store.ledger import RunLedger

        self.repository = timed_repository(layout, held)
        self.ledger = RunLedger(self.repository, masker=masker_of(environment), wait=_LOCK_SECONDS)
        self.client = client
        self._environment = environment

    def begin(self, seconds: float, client: str = "") -> None:
        """Give the next call its time.

        Args:
            seconds: How long calls of git may take together.
            client: What the agent's program calls itself.
        """
        self.repository.until(time.monotonic() + seconds)
        self.client = client

    def reset(self) -> None:
        """End what still runs, so that the next call begins anew after a failure."""
        self.repository.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ledger.close()

    def listing(self) -> Loaded:
        """The memories of HEAD."""
        from gitmem.usecases.listing import load_listing

        return load_listing(self.repository, today=self.today())

    def teller(self, session: str = "") -> Teller:
        """Who tells an event. An agent never speaks as a person, whatever it calls itself."""
        from gitmem.usecases.runs.recording import Teller

        named = self._environment.get("GITMEM_ACTOR") or self.client
        actor = _NO_NAME.sub("-", named.strip().lower()).strip("-.")[:40]
        return Teller(AGENT if actor in {"", _PERSON} else actor, self.session(session) or None)

    def session(self, session: str = "") -> str:
        return session.strip() or self._environment.get("GITMEM_SESSION", "")

    def run_word(self, run: str = "") -> str | None:
        """The run that a call names, or the environment; None for the current one."""
        return run.strip() or self._environment.get("GITMEM_RUN") or None

    def memory_run(self) -> Run:
        """Where an event about memory goes."""
        from gitmem.usecases.runs.inbox import memory_run

        return memory_run(self.ledger, self.run_word())

    def now(self) -> datetime:
        moment = datetime.now().astimezone()
        return moment.replace(microsecond=moment.microsecond // 1000 * 1000)

    def today(self) -> date:
        return self.now().date()

    def path(self, written: str) -> str:
        """A path as the repository names it; nothing is opened by it.

        Raises:
            UsageError: It leads out of the work tree.
        """
        from gitmem.errors import UsageError

        top = self.repository.layout.work_tree
        inside = written.removeprefix(f"{top}/") if top is not None else written
        named = os.path.normpath(inside) if inside.strip() else ""
        if named.startswith(("/", "..")) or "\0" in named:
            raise UsageError(f"not a path of this repository: {written[:80]!r}", hint="write it from the top")
        return named
