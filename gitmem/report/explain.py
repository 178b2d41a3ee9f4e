"""`gitmem drift ID --explain`: everything behind one verdict, so that a doubting reader can check it by hand."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from gitmem.model.verdict import Finding, Judgement, Verdict
from gitmem.report.evidence import headword, history, place, plural, watched_name, what_happened, why
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.sanitise import is_unsafe, prose, visible
from gitmem.report.width import pad

_PATHS_SHOWN = 10
_COLUMN = 11


def explain(judgement: Judgement, head: str, look: Look = PLAIN, *, paths: Sequence[str] = ()) -> list[str]:
    """One judgement as lines, sanitised: the statement, what it is measured against, each finding, and how to see it.

    Args:
        judgement: What was found.
        head: What was judged, as the report says it: a commit id, ``worktree`` or ``staged``.
        look: What the reader can take.
        paths: The paths that the scope matched, where the caller has them.
    """
    title = f"  {prose(judgement.title)}" if judgement.title else ""
    lines = [look.line(Span(visible(judgement.id), "bold"), title)]
    lines += [look.line(pad(name, _COLUMN), value) for name, value in _facts(judgement, head, paths)]
    for heading, findings in _groups(judgement):
        lines += ["", look.line(Span(heading, "bold"))]
        lines += [line for finding in findings for line in _finding(finding, look)]
    lines += ["", *(look.line(line) for line in _conclusion(judgement, head))]
    return lines


def _facts(judgement: Judgement, head: str, paths: Sequence[str]) -> list[tuple[str, str]]:
    state = "proposed, not on the trusted branch" if judgement.proposed else "approved"
    shown = [("", visible(path)) for path in paths[:_PATHS_SHOWN]]
    more = [("", f"… {len(paths) - _PATHS_SHOWN} more")] if len(paths) > _PATHS_SHOWN else []
    return [
        ("says", prose(judgement.summary)),
        ("file", f"{visible(judgement.file)} ({state})"),
        ("validated", _validated(judgement)),
        ("judged at", visible(head)),
        ("scope", f"matches {plural(judgement.matched, 'path')}" if judgement.matched else "matches nothing"),
        *shown,
        *more,
        ("verdict", f"{headword(judgement)}, {visible(judgement.status)}"),
    ]


def _validated(judgement: Judgement) -> str:
    when = prose(judgement.validated_at) if judgement.validated_at else "date unknown"
    match judgement.how:
        case None:
            return (
                "no baseline: it was never confirmed with one"
                if not judgement.validated_at
                else f"{when}, no baseline"
            )
        case "content":
            return f"{when}, by the content recorded then (its commit is not in this clone)"
        case "range":
            start = f"judged over a range from commit {visible(judgement.baseline or 'unknown')}"
            return f"{when}; {start}" if judgement.validated_at else f"never; {start}"
        case _:
            found = "recorded" if judgement.how == "recorded" else "inferred from the history of its file"
            return f"{when}, at commit {visible(judgement.baseline or 'unknown')} ({found})"


def _groups(judgement: Judgement) -> list[tuple[str, list[Finding]]]:
    watched = [one for one in judgement.findings if one.watch]
    around = [one for one in judgement.findings if not one.watch]
    groups = [("what it rests on", watched), ("elsewhere in its scope", around)]
    return [(heading, findings) for heading, findings in groups if findings]


def _finding(finding: Finding, look: Look) -> list[str]:
    where = visible(place(finding) or finding.watch or "its scope")
    name = visible(watched_name(finding))
    subject = f"{where}  {name}" if name and name not in where else where
    lines = [
        look.line(pad(finding.verdict.upper(), _COLUMN), Span(subject, "bold")),
        look.line(" " * _COLUMN, prose(what_happened(finding))),
    ]
    who = history(finding)
    return [*lines, look.line(" " * _COLUMN, f"by {prose(who)}")] if who else lines


def _conclusion(judgement: Judgement, head: str) -> list[str]:
    challenged = judgement.status == "challenged"
    opening = "challenged because" if challenged else f"{judgement.verdict} because"
    told_by_warning = judgement.warning and judgement.verdict is Verdict.UNKNOWN and not challenged
    lines = [] if told_by_warning else [f"{opening} {'; '.join(why(judgement))}"]
    if judgement.warning:
        lines.append(prose(judgement.warning))
    lines += [f"note: {prose(note)}" for note in judgement.notes]
    lines += _see(judgement, head)
    if challenged:
        lines += [
            f"still true:      gitmem confirm {visible(judgement.id)}",
            f"no longer true:  mend the words in {visible(judgement.file)}, or remove them, and have it merged",
        ]
    return lines


def _see(judgement: Judgement, head: str) -> list[str]:
    """The git command that shows what happened; none when it would be another one than what is shown."""
    places = [path for one in judgement.findings for path in (one.path, one.new_path) if path]
    shown = list(dict.fromkeys(places))[:_PATHS_SHOWN]
    if (
        not (judgement.baseline and shown)
        or judgement.baseline == head
        or any(map(is_unsafe, "".join(shown)))
    ):
        return []
    judged = {"worktree": "", "staged": " --cached"}.get(head, f" {visible(head)}")
    flags, revision = (judged, "") if head == "staged" else ("", judged)
    words = " ".join(shlex.quote(path) for path in shown)
    return [f"see it:          git diff{flags} {visible(judgement.baseline)}{revision} -- {words}"]
