"""What the drift checker found, as Markdown for a pull request or a job summary.

All text of the repository is inert: code spans with a computed fence, no markup, mention, link or HTML of its own.
"""

from __future__ import annotations

from gitmem.model.verdict import DriftReport, Finding, Judgement, Verdict
from gitmem.report.drift import too_many
from gitmem.report.evidence import (
    counts,
    headword,
    history,
    place,
    plural,
    statement,
    watched_name,
    what_happened,
    why,
)
from gitmem.report.sanitise import code, inert

_FINDINGS_SHOWN = 5
_TOLD = (Verdict.UNKNOWN, Verdict.RELOCATED)
_LIMIT = 60_000
"""Characters; GitHub refuses a comment above 65,536."""


def format_markdown(report: DriftReport, *, limit: int = _LIMIT) -> list[str]:
    """The report as lines of Markdown, worst first, cut with a count when it would be longer than the limit."""
    lines = [f"### gitmem drift: {_headline(report)}", ""]
    if too_many(report):
        lines += [
            "Very many at once: scopes too wide or baselines too old, more likely than that many false memories.",
            "",
        ]
    ordered = sorted(report.telling, key=lambda one: (one.status != "challenged", -one.verdict.severity))
    entries = [
        _entry(one) for one in ordered if one.status == "challenged" or one.course or one.verdict in _TOLD
    ]
    room = limit - sum(len(line) + 1 for line in lines)
    for position, entry in enumerate(entries):
        room -= sum(len(line) + 1 for line in entry)
        if room < 0:
            lines.append(f"- … and {len(entries) - position} more")
            break
        lines += entry
    lines += [f"- could not be read: {code(one.file)} {inert(one.message)}" for one in report.problems]
    return [*lines, *_closing(report)]


def _headline(report: DriftReport) -> str:
    if not report.judgements:
        return "nothing was checked"
    checked = plural(len(report.judgements), "memory")
    return f"{len(report.challenged)} of {checked} challenged"


def _entry(judgement: Judgement) -> list[str]:
    proposed = " (proposed)" if judgement.proposed else ""
    lines = [f"- **{headword(judgement)}** {code(judgement.id)}{proposed} {inert(statement(judgement))}"]
    lines += [f"  - {_finding(one)}" for one in judgement.findings[:_FINDINGS_SHOWN]]
    left = len(judgement.findings) - _FINDINGS_SHOWN
    if left > 0:
        lines.append(f"  - … {left} more")
    if judgement.warning and (not judgement.findings or set(judgement.challenged_by) - {"drift"}):
        lines.append(f"  - {inert(judgement.warning)}")
    if judgement.verdict is Verdict.UNKNOWN and not (judgement.warning or judgement.notes):
        lines.append(f"  - {why(judgement)[0]}")
    return [*lines, *(f"  - {inert(note)}" for note in judgement.notes)]


def _finding(finding: Finding) -> str:
    where = [code(text) for text in (place(finding), watched_name(finding)) if text]
    who = history(finding)
    behind = f" – {inert(who)}" if who else ""
    return f"{' '.join(where)}{': ' if where else ''}{inert(what_happened(finding))}{behind}"


def _closing(report: DriftReport) -> list[str]:
    paragraphs = [inert(remark) for remark in report.remarks]
    if report.judgements:
        found = ", ".join(f"{number} {kind}" for kind, number in counts(report.judgements).items())
        paragraphs.append(f"{len(report.judgements)} checked: {found}")
    return [line for paragraph in paragraphs for line in ("", paragraph)]
