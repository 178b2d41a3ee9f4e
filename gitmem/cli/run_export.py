"""`gitmem run export` and `gitmem run import`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation

_MOST_LINES = 10


@command(examples=["gitmem run export", "gitmem run export run-20260713-k3x9q ~/handover"])
@click.argument("run", metavar="[RUN]", required=False, envvar="GITMEM_RUN")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
def export(invocation: Invocation, *, run: str | None, folder: Path | None) -> None:
    """Write a run as plain files: ledger.json, handoff.md, decisions.md, artifacts/, and its history as a git bundle.

    By default to .ai/runs/<task>. `gitmem run import` gives the same commits under the same refs.
    """
    from gitmem.report.sanitise import visible
    from gitmem.usecases.runs.exporting import export_run
    from gitmem.usecases.runs.finding import find_run

    if run is not None and folder is None and _is_path(run):
        folder, run = Path(run), os.environ.get("GITMEM_RUN") or None
    ledger = invocation.ledger()
    found = find_run(ledger, run)
    target = export_run(ledger, found, folder)
    if invocation.json:
        invocation.emit_json({"run": found.id, "dir": str(target)})
    else:
        invocation.emit_text([visible(os.path.relpath(target))])


def _is_path(word: str) -> bool:
    """Whether a lone argument can only be the folder: no run id has a slash, a dot or a tilde."""
    return "/" in word or word.startswith((".", "~"))


@command(
    "import", examples=["gitmem run import", "gitmem run import ~/handover", "gitmem run import ledger.json"]
)
@click.argument("source", metavar="[FILE|DIR]", required=False, type=click.Path(path_type=Path))
def import_(invocation: Invocation, *, source: Path | None) -> None:
    """Read runs from what `gitmem run export` wrote, or from another tool's ledger.json; all of .ai/runs by default.

    Importing again doubles nothing. A ledger without its history is appended as new events, all of them or none.
    """
    from gitmem.usecases.runs.importing import import_runs

    done = import_runs(invocation.ledger(), source)
    if invocation.json:
        invocation.emit_json(
            {
                "runs": [one.run for one in done],
                "not_saved": [
                    {"run": one.run, "name": name, "reason": reason}
                    for one in done
                    for name, reason in one.not_saved.items()
                ],
                "left_out": [{"run": one.run, "name": name} for one in done for name in one.left_out],
            }
        )
    else:
        invocation.emit_text([one.run for one in done])
    _tell(
        invocation,
        [
            f"{one.run}: artifact {name} was only named, not saved: {reason}"
            for one in done
            for name, reason in one.not_saved.items()
        ],
    )
    _tell(
        invocation,
        [
            f"{one.run}: {name} was left out: its history does not know it"
            for one in done
            for name in one.left_out
        ],
    )


def _tell(invocation: Invocation, lines: list[str]) -> None:
    invocation.note(*lines[:_MOST_LINES])
    if len(lines) > _MOST_LINES:
        invocation.note(f"and {len(lines) - _MOST_LINES} more: --json tells all")
