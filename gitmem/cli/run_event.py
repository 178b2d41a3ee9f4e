"""`gitmem run event`, and how every command tells of the event that it wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gitmem.cli.command import command, event_options
from gitmem.cli.invocation import Invocation
from gitmem.errors import InvalidDataError, UsageError

if TYPE_CHECKING:
    from gitmem.usecases.runs.recording import Recorded

_LARGEST_PAYLOAD = 8 << 20


@command(
    "event",
    examples=[
        """gitmem run event plan_approved --artifact plan.json""",
        """gitmem run event review_failed --payload '{"findings": ["no test for the retry"]}'""",
        "gitmem run event test_failed --payload @result.json --artifact build.log --actor test-runner",
    ],
)
@click.argument("event_type", metavar="TYPE")
@click.option("--payload", metavar="JSON|@FILE|-", help="A JSON object: itself, in a file, or on stdin.")
@click.option(
    "--artifact",
    "artifacts",
    metavar="FILE",
    multiple=True,
    help="A file of the work tree to save; may be repeated.",
)
@click.option(
    "--id", "event_id", metavar="ID", default="", help="Your own id: the same again appends nothing."
)
@event_options
def event(
    invocation: Invocation,
    *,
    event_type: str,
    payload: str | None,
    artifacts: tuple[str, ...],
    event_id: str,
    run: str | None,
    session: str | None,
    actor: str,
) -> None:
    """Append an event; prints its number and id.

    TYPE is one of gitmem's, which is held to its fields, or one of your own. Secrets are masked before anything is written.
    """
    from gitmem.model.payload import check_told
    from gitmem.usecases.runs.artifact_files import read_artifact_files
    from gitmem.usecases.runs.inbox import find_run_to_write
    from gitmem.usecases.runs.recording import Teller, nearest_type, record

    ledger = invocation.ledger()
    found = find_run_to_write(ledger, run)
    given = _payload(payload)
    check_told(event_type, given)
    contents = read_artifact_files(artifacts, within=ledger.repository.layout.work_tree)
    written = record(found, event_type, given, Teller(actor, session), id=event_id, artifacts=contents)
    tell_recorded(invocation, written)
    near = nearest_type(event_type)
    if near:
        invocation.note(f"{event_type} is none of gitmem's types and was kept as it is; {near} is one")


def tell_recorded(invocation: Invocation, written: Recorded) -> None:
    """Answer with the event that was written; say what was masked, and that the run has ended nevertheless."""
    from gitmem.report.runs.run_log import written_document

    event_ = written.event
    if invocation.json:
        invocation.emit_json(written_document(event_))
    else:
        invocation.emit_text([f"#{event_.seq} {event_.id}"])
    invocation.note_masked(event_)
    if written.ended:
        invocation.note(
            f"{event_.run} has ended ({written.ended}): gitmem run resume opens it again, gitmem run start TASK"
            " begins another"
        )


def _payload(given: str | None) -> dict[str, Any]:
    from gitmem.cli.standard_input import read_named, read_stdin
    from gitmem.store.json_reading import read_json_object

    if given is None:
        return {}
    if given == "-":
        name, data = "standard input", read_stdin(_LARGEST_PAYLOAD)
    elif given.startswith("@"):
        name, data = given[1:], read_named(given[1:], _LARGEST_PAYLOAD)
    else:
        name, data = "--payload", given.encode("utf-8", "surrogateescape")
    try:
        return read_json_object(name, data, largest=_LARGEST_PAYLOAD)
    except InvalidDataError as error:
        raise UsageError(error.message, hint=error.hint, line=error.line, column=error.column) from None
