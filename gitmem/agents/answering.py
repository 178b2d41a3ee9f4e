"""Answer one event of an agent: what it is to read first, what is recorded after the answer is out."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from gitmem.agents.answers import LARGEST, context_answer
from gitmem.agents.events import HEARS_TOOLS, Told, is_accompanied, ledger_session
from gitmem.git.opening import open_repository
from gitmem.store.session_files import forget_old_sessions, session_state

if TYPE_CHECKING:
    from gitmem.store.ledger import Run, RunLedger

_LOCK_SECONDS: Final = 2.0
_DOUBLED: Final[Mapping[str, float]] = {
    "start": 20.0,
    "prompt": 20.0,
    "tool": 5.0,
    "turn": 0.0,
    "compact": 20.0,
    "end": 20.0,
}
"""Seconds within which the same event of a session is one that another hook of the same agent got too."""
_RUNS_OTHERS_HOOKS: Final = frozenset({"copilot", "cursor"})
_HEARS_PROMPTS: Final = frozenset({"claude-code", "codex", "gemini"})
_STARTS_AFTER_COMPACTION: Final = frozenset({"claude-code", "codex"})
_TAKES_VARIABLES: Final = frozenset({"cursor"})
"""Agents that learn a session's variables from the answer to its start."""
_WRITES_MEANWHILE: Final = frozenset({"copilot"})
"""Agents that write the record of a session while their hooks run: Copilot CLI 1.0.102 is up to a fifth of a second late."""
_SAME_SOURCE: Final[Mapping[str, str]] = {"": "startup", "new": "startup"}
"""Words for one reason to start: two hooks of an agent may be told different ones."""


class Answering:
    """One event. Use it as a context: the session is locked meanwhile.

    Args:
        told: The event.
        top: Of the work tree.
        git_dir: Of the work tree.
        environment: The hook's.
        deadline: A `time.monotonic` value after which git is not waited for.
    """

    def __init__(
        self, told: Told, top: str, git_dir: str, environment: Mapping[str, str], *, deadline: float
    ) -> None:
        self._told = told
        self._top = Path(top)
        self._git_dir = Path(git_dir)
        self._environment = environment
        self._deadline = deadline
        self._is_accompanied = is_accompanied(environment)
        self._session = ledger_session(told, environment)
        self._stack = ExitStack()
        self._given: tuple[str, ...] = ()
        self._later: Callable[[], None] = _nothing

    def __enter__(self) -> Self:
        # Opened first: a repository of somebody else's is refused before anything is written.
        self._repository = open_repository(self._top, prefer="program", deadline=self._deadline)
        self._stack.callback(self._repository.close)
        self._state = self._stack.enter_context(session_state(self._git_dir, self._session))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def answer(self) -> bytes:
        """What to print; empty for nothing. What has to be written afterwards waits for `record`."""
        told, state = self._told, self._state
        if state.is_answered(*_key(told), within=_DOUBLED[told.kind]):
            return self._owed_to_tool()
        state.agent = told.host
        state.transcript = told.transcript or state.transcript
        return getattr(self, f"_{told.kind}")()  # type: ignore[no-any-return]  # a method below for each kind

    def record(self) -> None:
        """Write to the ledger what can wait until the agent has its answer."""
        self._later()
        if self._given:
            run = self._run_to_write()
            run.append(
                event_type="memory_delivered",
                actor=self._state.agent,
                session=self._state.session,
                payload={"ids": list(self._given)},
            )

    # one method for each kind of event
    def _start(self) -> bytes:
        forget_old_sessions(self._git_dir)
        self._state.forget("compact", "end")
        self._state.shown = []
        self._name_session()
        return self._brief()

    def _prompt(self) -> bytes:
        told, state = self._told, self._state
        if told.host not in _HEARS_PROMPTS:
            return b""
        if state.owes_brief:
            return self._brief()
        from gitmem.usecases.sessions.reminding import remind

        items = remind(
            self._repository, told.prompt, state.shown, datetime.now().astimezone(), host=told.host
        )
        if not items:
            return b""
        from gitmem.report.session import reminder_text

        return self._before_agent(*reminder_text(items))

    def _tool(self) -> bytes:
        self._later = self._record_result
        return self._owed_to_tool()

    def _owed_to_tool(self) -> bytes:
        """The brief, where a compaction took it and the end of a tool is what the agent reads next."""
        is_heard = self._told.kind == "tool" and self._told.host in HEARS_TOOLS
        return self._brief() if is_heard and self._state.owes_brief else b""

    def _turn(self) -> bytes:
        """Where a session's record lies is told here alone by some agents; `answer` has taken it down."""
        return b""

    def _compact(self) -> bytes:
        from gitmem.usecases.sessions.closing import hand_off

        state = self._state
        self._open()
        state.forget("start")
        state.owes_brief = self._told.host not in _STARTS_AFTER_COMPACTION
        state.shown = []
        self._later = lambda: hand_off(self._ledger, state)
        return b""

    def _end(self) -> bytes:
        from gitmem.usecases.sessions.closing import close_session

        told, state = self._told, self._state
        state.forget("start")
        if self._is_accompanied:
            state.is_open = False
        end = told.mark.encode("utf-8", "replace") if told.host in _WRITES_MEANWHILE else b""
        self._later = lambda: close_session(
            self._ledger, state, said=told.said, reason=told.source, record_end=end
        )
        return b""

    # what they share
    @cached_property
    def _ledger(self) -> RunLedger:
        """Made at first need: half of a prompt's time would go into it for nothing."""
        from gitmem.redaction.masking import masker_of
        from gitmem.store.ledger import RunLedger

        ledger = RunLedger(self._repository, masker=masker_of(os.environ), wait=_LOCK_SECONDS)
        self._stack.callback(ledger.close)
        return ledger

    def _open(self) -> Run | None:
        from gitmem.usecases.sessions.opening import open_session

        return open_session(
            self._ledger,
            self._state,
            model=self._told.model,
            run=self._environment.get("GITMEM_RUN"),
            told=not self._is_accompanied,
        )

    def _brief(self) -> bytes:
        from gitmem.report.session import opening_text
        from gitmem.usecases.brief import load_brief
        from gitmem.usecases.brief_memories import Task

        if self._state.owes_brief:
            self._state.owes_brief = False
            self._state.forget("compact")  # the next one takes the brief again, however soon it comes
        run = self._open()
        task = Task(prompt=self._told.prompt, host=self._told.host)
        brief = load_brief(self._ledger, run=run.id if run is not None else None, task=task)
        text, ids = opening_text(brief, self._state.session, most_bytes=LARGEST)
        return self._before_agent(text, ids)

    def _before_agent(self, text: str, ids: tuple[str, ...]) -> bytes:
        variables = self._variables() if self._told.kind == "start" else {}
        if not text and not (variables and self._told.host in _TAKES_VARIABLES):
            return b""
        self._given = ids
        self._state.give(list(ids))
        return context_answer(self._told.host, self._told.event, text, variables)

    def _record_result(self) -> None:
        from gitmem.usecases.sessions.results import Printed, record_result

        shell = self._told.shell
        run = self._open()
        if shell is not None and run is not None:
            printed = Printed(shell.command, shell.output, shell.exit_code, shell.duration_s)
            record_result(self._ledger, run, printed, session=self._state.session)

    def _run_to_write(self) -> Run:
        from gitmem.usecases.runs.inbox import memory_run

        return memory_run(self._ledger, self._state.run or None)

    def _variables(self) -> dict[str, str]:
        return {"GITMEM_SESSION": self._state.session, "GITMEM_ACTOR": self._state.agent}

    def _name_session(self) -> None:
        """Let the commands of a Claude Code session know it; best effort."""
        file = self._environment.get("CLAUDE_ENV_FILE")
        if self._told.host != "claude-code" or not file or self._is_accompanied:
            return
        lines = "".join(f"export {name}='{value}'\n" for name, value in self._variables().items())
        try:
            with Path(file).open("a", encoding="utf-8") as stream:
                stream.write(lines)
        except OSError:
            return


def _key(told: Told) -> tuple[str, ...]:
    """What tells an event from others of its session; two hooks of one agent may be told it in different words."""
    if told.kind == "prompt":
        return "prompt", told.prompt
    if told.kind == "start":
        return "start", _SAME_SOURCE.get(told.source, told.source)
    if told.host in _RUNS_OTHERS_HOOKS:
        shell = told.shell  # its id differs between the two hooks
        return (told.kind, shell.command, str(shell.exit_code), shell.output) if shell else (told.kind,)
    return told.kind, told.shell.key if told.shell is not None else told.source


def _nothing() -> None:
    return
