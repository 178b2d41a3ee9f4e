"""Tools that keep the record of a task: begin a run, tell what happened, read or write the shift note, save a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import UsageError
from gitmem.mcp_server.desk import Answer, Desk
from gitmem.mcp_server.fields import Values

if TYPE_CHECKING:
    from gitmem.store.ledger import Run
    from gitmem.usecases.runs.recording import Recorded

RESERVED: Final[Mapping[str, str]] = {
    "memory_candidate": "remember proposes a lesson",
    "memory_confirmed": "confirm_memory claims that a memory holds",
    "memory_delivered": "recall with session records it",
    "promotion_decided": "a person decides: gitmem gate, propose or deny",
    "human_answered": "a person answers: gitmem run answer",
    "session_ended": "end_session tells it",
    "task_created": "run_start begins a run",
    "state_imported": "gitmem run import reads runs",
    "commit_recorded": "git hooks record commits: gitmem hooks install",
    "commits_rewritten": "git hooks record them: gitmem hooks install",
    "branch_merged": "git hooks record merges: gitmem hooks install",
    "handoff_written": "run_handoff with write records it",
    "completed": "gitmem run end ends a run and writes what it teaches",
    "abandoned": "gitmem run end --outcome abandoned ends a run",
}
"""Event types that are no agent's to write, with who writes them: some stand for a person's word or for git's."""


def run_start(desk: Desk, given: Values) -> Answer:
    """Begin a run and make it the current one.

    Raises:
        UsageError: The task is no slug, or a glob is none.
        NotServedError: The run was begun and could not be made current.
    """
    from gitmem.usecases.runs.starting import start_run

    teller = desk.teller(given["session"])
    run, event = start_run(
        desk.ledger,
        given["task"].strip(),
        actor=teller.actor,
        goal=given["goal"].strip() or None,
        allowed_files=given["allowed_files"],
        session=teller.session,
    )
    return Answer({"run": run.id, "ref": run.ref(), "task": given["task"].strip(), "seq": event.seq})


def run_event(desk: Desk, given: Values) -> Answer:
    """Append an event.

    Raises:
        UsageError: A type that is no agent's to write, or a payload that its type cannot have.
        NotFoundError: No such run, or none is current.
    """
    from gitmem.model.payload import check_told
    from gitmem.usecases.runs.recording import nearest_type, record

    kind = given["type"].strip()
    if kind in RESERVED:
        raise UsageError(f"{kind} is not recorded here", hint=RESERVED[kind])
    check_told(kind, given["payload"])
    written = record(_run(desk, given), kind, given["payload"], desk.teller(given["session"]))
    odd = _told_of_type(kind, nearest_type(kind))
    return Answer({**_written(written), "remark": odd or _ended(written)})


def _told_of_type(kind: str, near: str | None) -> str:
    """That a type is nobody's, so that an agent does not take it for read; empty where it is known."""
    from gitmem.model.event import PAYLOAD_FIELDS

    if kind in PAYLOAD_FIELDS:
        return ""
    return f"{kind} is none of gitmem's types and was kept as it is; {near or 'finding_noted'} is one that briefs tell."


def save_artifact(desk: Desk, given: Values) -> Answer:
    """Save a text beside the run's events.

    Raises:
        UsageError: Not a plain file name.
        NotFoundError: No such run, or none is current.
    """
    from gitmem.usecases.runs.recording import record

    name = given["name"].strip()
    payload = {"path": name, "media_type": given["media_type"].strip() or "text/plain"}
    content = given["content"].encode("utf-8", "surrogatepass")
    teller = desk.teller(given["session"])
    written = record(_run(desk, given), "artifact_saved", payload, teller, artifacts={name: content})
    return Answer(
        {**_written(written), "artifacts": list(written.event.artifacts), "remark": _ended(written)}
    )


def run_handoff(desk: Desk, given: Values) -> Answer:
    """The shift note of a run as it stands; with `write` it is recorded first.

    Raises:
        NotFoundError: No such run, or none is current.
        InvalidDataError: Nothing of it can be read.
    """
    from gitmem.usecases.runs.handing_off import show_handoff, write_handoff

    run, teller = _run(desk, given), desk.teller(given["session"])
    event = None
    if given["write"]:
        event = write_handoff(desk.ledger, run, actor=teller.actor, session=teller.session)
    shown = show_handoff(desk.ledger, run)
    return Answer(
        {
            "run": shown.run,
            "text": shown.text,
            "phase": shown.snapshot.phase,
            "recorded": event.seq if event is not None else None,
            "problems": list(shown.problems),
        }
    )


def _run(desk: Desk, given: Values) -> Run:
    from gitmem.usecases.runs.inbox import find_run_to_write

    return find_run_to_write(desk.ledger, desk.run_word(given["run"]))


def _written(written: Recorded) -> Mapping[str, Any]:
    from gitmem.report.runs.run_log import written_document

    return written_document(written.event)


def _ended(written: Recorded) -> str:
    return (
        f"{written.run.id} has ended ({written.ended}); it was recorded all the same."
        if written.ended
        else ""
    )
