"""What the drift checker found, as GitLab's Code Quality report: a list with one entry for each challenged memory."""

from __future__ import annotations

from typing import Any, Final

from gitmem.model.verdict import DriftReport
from gitmem.report.drift_place import alerts
from gitmem.report.sanitise import prose, visible

_SEVERITY: Final = {"gone": "major", "rewritten": "major", "changed": "major", "expired": "minor"}
_LONGEST: Final = 1_000


def code_quality(report: DriftReport) -> list[dict[str, Any]]:
    """The entries, worst first; text sanitised."""
    return [
        {
            "description": f"{visible(one.title)}: {prose(one.message)[:_LONGEST]}",
            "check_name": f"memory/{one.rule}",
            "fingerprint": one.fingerprint,
            "severity": _SEVERITY.get(one.rule, "info"),
            "location": {"path": _path(one.path), "lines": {"begin": one.line}},
        }
        for one in alerts(report)
    ]


def _path(path: str) -> str:
    """A path that is no UTF-8 cannot stand in JSON; its odd bytes are shown."""
    return path if path.isprintable() else visible(path)
