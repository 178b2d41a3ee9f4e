"""Where a report for machines points: a file and line of the judged tree, and one message for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from gitmem.model.verdict import CHALLENGING, DriftReport, Finding, Judgement, Verdict
from gitmem.report.evidence import headword, history, place, statement, watched_name, what_happened

_LINES = re.compile(r"lines .*:(\d+)-(\d+)")


class Alert(NamedTuple):
    """One challenged memory for a machine's list. All text is as the report holds it, not yet sanitised.

    Args:
        memory: Its id.
        rule: In one word what challenges it: ``changed``, ``rewritten``, ``gone``, ``review``, ``expired`` or ``marked``.
        path: The file that moved, where the judged tree still has it; else the memory's own file.
        line: From 1.
        title: What a list shows.
        message: The statement, what happened, and the way to answer, in paragraphs.
        fingerprint: The same for the same memory and rule, however lines move.
    """

    memory: str
    rule: str
    path: str
    line: int
    title: str
    message: str
    fingerprint: str


def alerts(report: DriftReport) -> list[Alert]:
    """One for each challenged memory, worst first."""
    ordered = sorted(report.challenged, key=lambda one: -one.verdict.severity)
    return [_alert(one) for one in ordered]


def _alert(judgement: Judgement) -> Alert:
    rule = headword(judgement).lower()
    finding = next((one for one in judgement.findings if one.verdict in CHALLENGING), None)
    path, line = _where(finding) or (judgement.file, 1)
    said = [statement(judgement), *_told(judgement, finding)]
    cure = f"Look: gitmem confirm {judgement.id}"
    return Alert(
        judgement.id,
        rule,
        path,
        line,
        f"memory {judgement.id}: {rule}",
        "\n".join([*said, cure]),
        sha256(f"{judgement.id}\0{rule}".encode("utf-8", "surrogateescape")).hexdigest()[:16],
    )


def _told(judgement: Judgement, finding: Finding | None) -> Iterator[str]:
    if finding is not None:
        where = " ".join(part for part in (place(finding), watched_name(finding)) if part)
        who = history(finding)
        yield f"{where}: {what_happened(finding)}" + (f" – {who}" if who else "")
    if judgement.warning and (finding is None or set(judgement.challenged_by) - {"drift"}):
        yield judgement.warning


def _where(finding: Finding | None) -> tuple[str, int] | None:
    """What is gone has no line to point at, and a list that points at a missing file drops the entry."""
    if finding is None or finding.verdict is Verdict.GONE:
        return None
    path = finding.new_path or finding.path
    if not path or path.endswith("/"):
        return None
    lines = _LINES.fullmatch(finding.watch or "")
    return path, finding.line or (int(lines[1]) if lines else 1)
