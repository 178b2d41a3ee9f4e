"""What the drift checker found, as GitLab's Code Quality report: a list with one entry for each challenged memory.

Files that cannot be read, and memories that nobody confirmed or that could not be checked, stand behind those.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

from gitmem.model.verdict import DriftReport, Judgement, Verdict
from gitmem.report.drift_place import alerts
from gitmem.report.problems import unreadable
from gitmem.report.sanitise import prose, visible

_SEVERITY: Final = {
    "gone": "major",
    "rewritten": "major",
    "changed": "major",
    "expired": "minor",
    "unreadable": "major",
}
_LONGEST: Final = 1_000


def code_quality(report: DriftReport) -> list[dict[str, Any]]:
    """The entries, worst first; text sanitised."""
    challenged = [
        _entry(f"{visible(one.title)}: {prose(one.message)}", one.rule, one.fingerprint, one.path, one.line)
        for one in alerts(report)
    ]
    broken = [
        _open(f"memory file cannot be read: {prose(one.message)}", "unreadable", one.file, one.line or 1)
        for one in unreadable(report.problems)
    ]
    return [*challenged, *broken, *(told for one in report.telling for told in _unsettled(one))]


def _unsettled(one: Judgement) -> Iterator[dict[str, Any]]:
    """What no check answers: words that nobody confirmed, and what could not be checked."""
    said = prose(" ".join(one.notes[-1:]))
    if one.course == "unconfirmed":
        yield _open(f"memory {visible(one.id)} is not confirmed: {said}", "unconfirmed", one.file)
    elif one.verdict is Verdict.UNKNOWN and not one.course and one.status != "challenged":
        yield _open(f"memory {visible(one.id)} could not be checked: {said}", "unknown", one.file)


def _open(said: str, rule: str, file: str, line: int = 1) -> dict[str, Any]:
    digest = sha256(f"{rule}:{file}".encode("utf-8", "surrogateescape")).hexdigest()
    return _entry(said, rule, digest, file, line)


def _entry(said: str, rule: str, fingerprint: str, path: str, line: int) -> dict[str, Any]:
    return {
        "description": said[:_LONGEST],
        "check_name": f"memory/{rule}",
        "fingerprint": fingerprint,
        "severity": _SEVERITY.get(rule, "info"),
        "location": {"path": _path(path), "lines": {"begin": line}},
    }


def _path(path: str) -> str:
    """A path that is no UTF-8 cannot stand in JSON; its odd bytes are shown."""
    return path if path.isprintable() else visible(path)
