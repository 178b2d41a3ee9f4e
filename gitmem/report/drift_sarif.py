"""What the drift checker found, as SARIF 2.1.0 for code scanning.

Only challenged memories are results. The fingerprint is made of memory and rule, so an alert stays the same one while
lines move above it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from gitmem import __version__
from gitmem.model.verdict import DriftReport
from gitmem.report.drift_place import Alert, alerts
from gitmem.report.problems import unreadable
from gitmem.report.sanitise import prose, visible

_RULES: Final[Mapping[str, tuple[str, str]]] = {
    "changed": ("Something that the memory rests on changed in substance.", "warning"),
    "rewritten": ("Over 60 % of what the memory rests on was replaced.", "warning"),
    "gone": ("Something that the memory rests on no longer exists.", "error"),
    "review": ("The memory's review date has passed.", "note"),
    "expired": ("The memory has expired.", "warning"),
    "marked": ("The memory was marked as challenged and not confirmed since.", "note"),
}
_HELP: Final = (
    "Look at both sides with `gitmem confirm ID`: confirm that it still holds, edit it, or retire it with "
    "`gitmem retire ID --reason …`."
)


def sarif(report: DriftReport) -> dict[str, Any]:
    """The report as a SARIF log with one run; text sanitised, no string empty."""
    found = alerts(report)
    used = list(dict.fromkeys(_rule(one) for one in found))
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "gitmem",
                        "semanticVersion": __version__,
                        "rules": [_described(name) for name in used],
                    }
                },
                "originalUriBaseIds": {
                    "ROOT": {"description": {"text": "The root of the repository."}},
                },
                "results": [_result(one, used) for one in found],
                "invocations": [_invocation(report)],
            }
        ],
    }


def _rule(alert: Alert) -> str:
    return alert.rule if alert.rule in _RULES else "changed"


def _described(name: str) -> dict[str, Any]:
    text, level = _RULES[name]
    return {
        "id": f"memory/{name}",
        "name": f"Memory{name.capitalize()}",
        "shortDescription": {"text": text},
        "fullDescription": {"text": text},
        "help": {"text": _HELP.replace("`", ""), "markdown": _HELP},
        "defaultConfiguration": {"level": level},
    }


def _result(alert: Alert, used: list[str]) -> dict[str, Any]:
    name = _rule(alert)
    # A reader takes [x](1) in a message for a link.
    text = (
        "\n".join(prose(line) for line in alert.message.split("\n")).replace("[", r"\[").replace("]", r"\]")
    )
    return {
        "ruleId": f"memory/{name}",
        "ruleIndex": used.index(name),
        "level": _RULES[name][1],
        "message": {"text": text},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(alert.path), "uriBaseId": "ROOT"},
                    "region": {"startLine": alert.line},
                }
            }
        ],
        "partialFingerprints": {"primaryLocationLineHash": f"{alert.fingerprint}:1"},
        "properties": {"memory": visible(alert.memory)},
    }


def _uri(path: str) -> str:
    return quote(path.encode("utf-8", "surrogateescape"), safe="/")


def _invocation(report: DriftReport) -> dict[str, Any]:
    broken = [
        {
            "level": "error",
            "message": {"text": prose(one.message) or "cannot be read"},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": _uri(one.file), "uriBaseId": "ROOT"},
                        "region": {"startLine": one.line or 1},
                    }
                }
            ],
        }
        for one in unreadable(report.problems)
    ]
    said = [{"level": "note", "message": {"text": prose(remark)}} for remark in report.remarks if remark]
    return {"executionSuccessful": True, "toolExecutionNotifications": [*broken, *said]}
