"""What the drift checker found, as annotations: workflow commands that a GitHub runner turns into them.

GitHub shows ten annotations of a kind for each step, so the ten worst are written and the others counted.
"""

from __future__ import annotations

from typing import Final

from gitmem.model.verdict import DriftReport, Judgement, Verdict
from gitmem.report.drift_place import alerts
from gitmem.report.evidence import plural
from gitmem.report.problems import unreadable
from gitmem.report.sanitise import workflow_data, workflow_property

MOST: Final = 10
_LONGEST: Final = 4_000


def format_annotations(report: DriftReport) -> list[str]:
    """Workflow commands, worst first: a warning for each challenged memory, an error for each file that cannot be read."""
    found = [
        command("warning", one.message, file=one.path, line=one.line, title=one.title)
        for one in alerts(report)
    ]
    broken = [
        command("error", one.message, file=one.file, line=one.line or 1, title="memory file cannot be read")
        for one in unreadable(report.problems)
    ]
    return [
        *first_ten(found, "memory challenged"),
        *first_ten(broken, "unreadable file"),
        *first_ten(list(map(_unconfirmed, _waiting(report))), "memories not confirmed"),
        *_unchecked(report),
    ]


def command(kind: str, message: str, **properties: str | int) -> str:
    """One workflow command, its text inert.

    Args:
        kind: ``error``, ``warning`` or ``notice``.
        message: What is shown.
        **properties: ``file``, ``line``, ``title``.
    """
    told = ",".join(f"{name}={workflow_property(str(value))}" for name, value in properties.items())
    return f"::{kind}{' ' if told else ''}{told}::{workflow_data(message[:_LONGEST])}"


def first_ten(commands: list[str], what: str) -> list[str]:
    """As many commands of a kind as are shown, and a notice that counts the others."""
    left = len(commands) - MOST
    more = [command("notice", f"{left} more: {what}. The summary lists all.", title="gitmem")]
    return commands if left <= 0 else [*commands[:MOST], *more]


def _waiting(report: DriftReport) -> list[Judgement]:
    return [one for one in report.telling if one.course == "unconfirmed"]


def _unconfirmed(one: Judgement) -> str:
    said = "\n".join(one.notes[-1:])
    return command("notice", said, file=one.file, line=1, title=f"memory {one.id}: not confirmed")


def _unchecked(report: DriftReport) -> list[str]:
    unknown = sum(one.verdict is Verdict.UNKNOWN and not one.course for one in report.telling)
    said = [f"{plural(unknown, 'memory')} could not be checked"] if unknown else []
    return [command("notice", "\n".join([*said, *report.remarks]), title="gitmem drift")] if said else []
