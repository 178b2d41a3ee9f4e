"""Make a run and make it the current one of this work tree."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.errors import GitmemError, NotServedError, UsageError, quoted
from gitmem.model.event import Event
from gitmem.model.glob import parse_glob
from gitmem.model.ids import is_task
from gitmem.store.ledger import Run, RunLedger
from gitmem.usecases.runs.inbox import refuse_inbox


def start_run(
    ledger: RunLedger,
    task: str,
    *,
    actor: str,
    goal: str | None = None,
    allowed_files: Sequence[str] = (),
    run: str | None = None,
    session: str | None = None,
) -> tuple[Run, Event]:
    """Begin a run with its `task_created` event.

    Args:
        ledger: Where.
        task: Its slug.
        actor: Who begins it.
        goal: Its goal sentence.
        allowed_files: Globs of files that may be edited.
        run: Its id; a new one when None.
        session: Agent session.

    Raises:
        UsageError: When the task is no slug, a glob of allowed files is none, or the id is the inbox or names a run that is there already.
    """
    if not is_task(task):
        raise UsageError(
            f"not a task: {quoted(task[:80])}",
            hint="a short slug such as checkout-duplicate-submit; --goal takes a sentence",
        )
    for glob in allowed_files:
        _check_glob(glob)
    refuse_inbox(run or "", "is begun by its first event")
    made = ledger.new_run() if run is None else ledger.run(run)
    if run is not None and made.exists():
        raise UsageError(f"there is a run {run} already", hint=f"gitmem run switch {run} goes on with it")
    payload = {"task": task, "goal": goal, "allowed_files": list(allowed_files)}
    event = made.append(
        event_type="task_created",
        actor=actor,
        payload={name: value for name, value in payload.items() if value},
        session=session,
    )
    make_current(ledger, made)
    return made, event


def _check_glob(glob: str) -> None:
    try:
        parse_glob(glob)
    except ValueError as error:
        raise UsageError(f"--allow: {error}", hint="such as 'src/checkout/**' or '*.md'") from None


def make_current(ledger: RunLedger, run: Run) -> None:
    """Make a run that was just begun the current one.

    Raises:
        NotServedError: It cannot be; the run is there all the same, and its id must not be lost.
    """
    try:
        ledger.set_current(run)
    except GitmemError as error:
        raise NotServedError(
            f"{run.id} was begun and is not current: {error.message}",
            hint=f"gitmem run switch {run.id} makes it current{f'; {error.hint}' if error.hint else ''}",
        ) from error
