"""What the drift checker found, as text for people and as the JSON document of cli.md."""

from __future__ import annotations

from gitmem.model.verdict import DriftReport, Finding, Judgement, Verdict
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
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.problems import problem_document, unreadable
from gitmem.report.sanitise import prose, visible
from gitmem.report.width import pad, width

_INDENT = " " * 10
_FINDINGS_SHOWN = 3
_IDS_SHOWN = 5
_STYLE = {
    Verdict.FRESH: "green",
    Verdict.COSMETIC: "green",
    Verdict.RELOCATED: "cyan",
    Verdict.TOUCHED: "blue",
    Verdict.UNKNOWN: "yellow",
}
_SHOWN = frozenset({Verdict.UNKNOWN, Verdict.RELOCATED})
"""Verdicts that are told although they challenge nothing; the others only when asked for."""

_MANY_SHARE = 0.10
_MANY_COUNT = 10


def too_many(report: DriftReport) -> bool:
    """Whether over 10 % of the active memories and at least ten are challenged (drift.md, below the table of verdicts).

    That many at once speak of scopes too wide or baselines too old rather than of that many false memories.
    """
    challenged = sum(not one.proposed for one in report.challenged)
    if challenged < _MANY_COUNT:
        return False
    return challenged > _MANY_SHARE * sum(not one.proposed for one in report.judgements)


def format_text(
    report: DriftReport, look: Look = PLAIN, *, quiet: bool = False, verbose: bool = False
) -> list[str]:
    """The report as lines, sanitised, worst first.

    Args:
        report: What was found.
        look: What the reader can take.
        quiet: Only what is challenged.
        verbose: Also what is fresh, cosmetic or touched, and each memory when very many are challenged.
    """
    ordered = sorted(report.judgements if verbose else report.telling, key=_worst_first)
    challenged = [one for one in ordered if one.status == "challenged"]
    if too_many(report) and not verbose:
        lines = _many(challenged, report, look)
    else:
        lines = [line for one in challenged for line in _challenged(one, look)]
    if quiet:
        return lines
    for one in ordered:
        if one.status != "challenged" and (verbose or one.course or one.verdict in _SHOWN):
            lines += _unchallenged(one, look)
    return [*lines, *_closing(report, look, verbose=verbose)]


def document(report: DriftReport) -> dict[str, object]:
    """The report as the ``drift`` document of cli.md, with every memory checked."""
    verdicts = [one.verdict for one in report.judgements]
    return {
        "head": report.head,
        "checked": len(report.judgements),
        "summary": {verdict.value: verdicts.count(verdict) for verdict in Verdict},
        "challenged": len(report.challenged),
        "memories": [judgement_document(one) for one in report.judgements],
        "problems": [problem_document(one) for one in report.problems],
        "remarks": list(report.remarks),
        "history_missing": report.history_missing,
    }


def judgement_document(judgement: Judgement) -> dict[str, object]:
    """One memory of the ``drift`` document."""
    return {
        "id": judgement.id,
        "title": judgement.title,
        "file": judgement.file,
        "verdict": judgement.verdict.value,
        "status": judgement.status,
        "proposed": judgement.proposed,
        "baseline": {"commit": judgement.baseline, "how": judgement.how.value if judgement.how else None},
        "validated_at": judgement.validated_at,
        "evidence": [_evidence(finding) for finding in judgement.findings],
        "warning": judgement.warning,
        "notes": list(judgement.notes),
        "challenged_by": list(judgement.challenged_by),
        "matched": judgement.matched,
        "course": judgement.course or None,
    }


def _evidence(finding: Finding) -> dict[str, object]:
    return {
        "watch": finding.watch,
        "verdict": finding.verdict.value,
        "reason": finding.reason,
        "path": finding.path,
        "new_path": finding.new_path,
        "line": finding.line,
        "share": finding.share,
        "commit": finding.commit,
        "author": finding.author,
        "at": finding.at,
        "commits": finding.commits,
        "subject": finding.subject,
        "compared": finding.compared,
    }


def _worst_first(judgement: Judgement) -> tuple[bool, int]:
    return (judgement.status != "challenged", -judgement.verdict.severity)


def _head(judgement: Judgement, look: Look, style: str) -> str:
    proposed = " (proposed)" if judgement.proposed else ""
    return look.line(
        Span(pad(headword(judgement), len(_INDENT) - 1) + " ", style),
        Span(visible(judgement.id), "bold"),
        f"{proposed}  {prose(statement(judgement))}",
    )


def _challenged(judgement: Judgement, look: Look) -> list[str]:
    lines = [_head(judgement, look, "bold red"), *_findings(judgement, look)]
    if judgement.warning and (not judgement.findings or set(judgement.challenged_by) - {"drift"}):
        lines.append(look.line(_INDENT, prose(judgement.warning)))
    lines += [look.line(_INDENT, f"note: {prose(note)}") for note in judgement.notes]
    inferred = "  (baseline inferred)" if judgement.how == "inferred" else ""
    return [
        *lines,
        look.line(_INDENT, f"look: gitmem confirm {visible(judgement.id)}", Span(inferred, "dim")),
    ]


def _findings(judgement: Judgement, look: Look) -> list[str]:
    told = [one for one in judgement.findings if one.verdict == judgement.verdict] or judgement.findings
    shown = told[:_FINDINGS_SHOWN]
    lines = [line for one in shown for line in _finding(one, look)]
    left = len(told) - len(shown)
    if left > 0:
        lines.append(
            look.line(_INDENT, Span(f"… {left} more: gitmem drift {visible(judgement.id)} --explain", "dim"))
        )
    return lines


def _finding(finding: Finding, look: Look) -> list[str]:
    """One line, or two where one would be cut and hide who did it."""
    where, name = visible(place(finding)), visible(watched_name(finding))
    what = prose(what_happened(finding))
    text = (f"{where}  " if where else "") + (f"{name}: {what}" if name else what)
    who = prose(history(finding))
    if not who:
        return [look.line(_INDENT, text)]
    if look.width is None or len(_INDENT) + width(f"{text} – {who}") <= look.width:
        return [look.line(_INDENT, text, Span(f" – {who}", "dim"))]
    return [look.line(_INDENT, text), look.line(_INDENT, Span(f"– {who}", "dim"))]


def _unchallenged(judgement: Judgement, look: Look) -> list[str]:
    head = _head(judgement, look, _STYLE.get(judgement.verdict, "yellow"))
    notes = [look.line(_INDENT, prose(note)) for note in judgement.notes]
    if judgement.course:
        return [head, *_findings(judgement, look), *notes]
    match judgement.verdict:
        case Verdict.UNKNOWN:
            return [head, *(notes or [look.line(_INDENT, prose(judgement.warning or why(judgement)[0]))])]
        case Verdict.RELOCATED:
            apply = " --apply" if judgement.patch else ""
            cure = look.line(_INDENT, f"follow it: gitmem confirm {visible(judgement.id)}{apply}")
            return [head, *_findings(judgement, look), *notes, cure]
        case Verdict.FRESH | Verdict.COSMETIC:
            return [head]
        case _:
            return [head, *_findings(judgement, look), *notes]


def _many(challenged: list[Judgement], report: DriftReport, look: Look) -> list[str]:
    """Counts and the way to each, in place of hundreds of entries."""
    checked = plural(len(report.judgements), "memory")
    lines = [
        look.line(
            Span(f"{len(challenged)} of {checked} challenged at once", "bold red"),
            " – scopes too wide or baselines too old, more likely than that many false memories",
        )
    ]
    words = [headword(one) for one in challenged]
    for word in dict.fromkeys(words):
        ids = [visible(one.id) for one in challenged if headword(one) == word]
        more = " …" if len(ids) > _IDS_SHOWN else ""
        lines.append(look.line(f"{pad(word, 10)}{len(ids):>5}  {' '.join(ids[:_IDS_SHOWN])}{more}"))
    return [*lines, look.line("each: gitmem drift -v    one: gitmem drift ID --explain")]


def _closing(report: DriftReport, look: Look, *, verbose: bool) -> list[str]:
    remarks = [look.line(Span("note: ", "dim"), prose(remark)) for remark in report.remarks]
    if not report.judgements:
        unread = plural(len(report.problems), "file")
        because = f"{unread} could not be read" if report.problems else "no memory to check"
        return [*remarks, look.line(Span(f"nothing was checked: {because}", "yellow"))]
    touched = sum(one.verdict == Verdict.TOUCHED and one.status != "challenged" for one in report.telling)
    soft = [f"{touched} touched but not challenged: gitmem drift -v"] if touched and not verbose else []
    return [*(look.line(line) for line in soft), *remarks, _summary(report, look)]


def _summary(report: DriftReport, look: Look) -> str:
    found = counts(report.judgements)
    files = {problem.file for problem in unreadable(report.problems)}
    unread = f", {plural(len(files), 'file')} unreadable" if files else ""
    parts = ", ".join(f"{number} {kind}" for kind, number in found.items())
    doubtful = report.problems or "unknown" in found
    style = "red" if found["challenged"] else "yellow" if doubtful else "green"
    return look.line(Span(f"{len(report.judgements)} checked: {parts}{unread}", style))
