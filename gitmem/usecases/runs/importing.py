"""Read runs from plain files (`gitmem.store.run_files`): the same commits where the history is there, else new events."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from gitmem.errors import InvalidDataError, NotFoundError, UsageError
from gitmem.model.event import text_field
from gitmem.model.ids import is_task
from gitmem.store.artifacts import check_names
from gitmem.store.drafts import Draft, check_draft, payload_name
from gitmem.store.ledger import RunLedger
from gitmem.store.run_files import BUNDLE, LARGEST_LEDGER, LEDGER, FileEvent, LedgerFile, parse_ledger
from gitmem.usecases.runs.exporting import RUNS_FOLDER
from gitmem.usecases.runs.files_beside import FilesBeside, read_regular
from gitmem.usecases.runs.importing_history import import_history

_MADE = "import-"


class Imported(NamedTuple):
    """What became of one ledger.

    Args:
        run: Id of its run.
        not_saved: Why it has no content, by name of artifact that an event names.
        left_out: Files beside the ledger that its history does not know.
    """

    run: str
    not_saved: Mapping[str, str] = {}
    left_out: tuple[str, ...] = ()


def import_runs(ledger: RunLedger, source: Path | None = None) -> tuple[Imported, ...]:
    """Import a folder, a ``ledger.json``, or every folder of ``.ai/runs``; each ledger whole or not at all.

    Returns:
        What was imported; importing again gives the same runs and doubles nothing.

    Raises:
        NotFoundError: Nothing to import there.
        InvalidDataError: A file that cannot be read, or is not what the history beside it says.
        NotServedError: A ref here holds another history.
    """
    files = _ledgers(ledger, source)
    # All are read before the first one is imported.
    told = [_parsed(file) for file in files]
    return tuple(_import(ledger, *pair) for pair in zip(told, files, strict=True))


def _ledgers(ledger: RunLedger, source: Path | None) -> tuple[Path, ...]:
    if source is not None:
        file = source / LEDGER if source.is_dir() else source
        if not os.path.lexists(file):
            raise NotFoundError(f"no such file: {file}", hint=f"name a folder with {LEDGER}, or the file")
        return (file,)
    top = ledger.repository.layout.work_tree
    found = sorted((top / RUNS_FOLDER).glob(f"*/{LEDGER}")) if top else []
    if not found:
        raise NotFoundError(f"no exported run in {RUNS_FOLDER}", hint="name a folder or a ledger.json")
    return tuple(found)


def _parsed(file: Path) -> LedgerFile:
    return parse_ledger(str(file), read_regular(file, LARGEST_LEDGER), folder=file.absolute().parent.name)


def _import(ledger: RunLedger, told: LedgerFile, file: Path) -> Imported:
    bundle = file.with_name(BUNDLE)
    if os.path.lexists(bundle):
        return Imported(told.run, left_out=import_history(ledger, told, file, bundle))
    beside = FilesBeside(file.absolute().parent)
    if told.is_made:
        _refuse_another(ledger, told, file)
    drafts = [*_beginning(told, file), *(_draft(told, number, file) for number in range(len(told.events)))]
    named = {f"{event.id}": event for event in told.events}
    ledger.append_all(told.run, _with_artifacts(drafts, named, beside))
    return Imported(told.run, beside.missing)


def _refuse_another(ledger: RunLedger, told: LedgerFile, file: Path) -> None:
    """Two ledgers that begin alike are two runs: one that goes on otherwise than what is here is not mixed into it."""
    begun = f"{_MADE}{told.run}"
    events = ledger.run(told.run).events()
    here = [event.id for event in events if event.id.startswith(_MADE) and event.id != begun]
    for number, (held, given) in enumerate(zip(here, told.events, strict=False)):
        if held != given.id:
            raise InvalidDataError(
                f"{file}: events[{number}] is another than {told.run} has from an earlier import",
                hint='give the ledger a run id of its own: "run": "run-…"',
                path=str(file),
            )


def _beginning(told: LedgerFile, file: Path) -> Iterator[Draft]:
    folder = file.absolute().parent.name
    task = told.task or (folder if is_task(folder) else None)
    if task and not any(event.type == "task_created" for event in told.events):
        yield Draft(
            "task_created",
            "gitmem",
            {"task": task},
            f"{_MADE}{told.run}",
            at=told.events[0].at if told.events else "",
            elsewhere=True,
        )


def _draft(told: LedgerFile, number: int, file: Path) -> Draft:
    event = told.events[number]
    draft = Draft(
        event.type,
        event.actor,
        event.payload,
        event.id,
        event.session,
        event.code,
        event.at,
        dirty=event.dirty,
        elsewhere=True,
    )
    try:
        check_draft(draft)
    except UsageError as error:
        raise InvalidDataError(
            f"{file}: events[{number}]: {error.message}", hint=error.hint, path=str(file)
        ) from error
    return draft


def _with_artifacts(
    drafts: list[Draft], events: Mapping[str, FileEvent], beside: FilesBeside
) -> Iterator[Draft]:
    """One after the other, so that no more than the files of one are written at a time."""
    for draft in drafts:
        event = events.get(draft.id)
        yield _with_files(draft, event, beside) if event else draft


def _with_files(draft: Draft, event: FileEvent, beside: FilesBeside) -> Draft:
    contents: dict[str, bytes] = {}
    lacking: list[str] = []
    # A payload that was too long for its commit is told whole by the ledger.
    listed = [name for name in event.artifacts if name.rpartition("/")[2] != payload_name(event.id)]
    named = text_field(event.payload, "artifact")
    for name in dict.fromkeys([*listed, *([named] if named else [])]):
        content = beside.artifact(name)
        if content is not None:
            content = _saved(contents, name, content, beside)
        if content is None and name in listed:
            lacking.append(name)
    return replace(draft, artifacts=contents, not_saved=tuple(lacking))


def _saved(contents: dict[str, bytes], name: str, content: bytes, beside: FilesBeside) -> bytes | None:
    """Put it under its base name, or with its folders in the name where that is taken."""
    base = name.rpartition("/")[2]
    plain = base if base not in contents else name.replace("/", "-")
    try:
        check_names([plain], [])
    except UsageError as error:
        beside.missing[name] = error.message
        return None
    contents[plain] = content
    return content
