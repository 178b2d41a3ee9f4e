"""`gitmem drift ID --explain`: everything behind one verdict, so that a doubting reader can check it by hand."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence

from gitmem.model.verdict import CHALLENGING, BaselineHow, DriftReport, Finding, Judgement, Verdict
from gitmem.report.evidence import headword, history, place, plural, what_happened, why
from gitmem.report.explain_ground import (
    baseline_words,
    standing_words,
    unparsed_words,
    validated_words,
)
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.sanitise import is_unsafe, prose, visible
from gitmem.report.taken_away import taken_document, taken_words
from gitmem.report.width import pad
from gitmem.usecases.story import Resting, Story

_PATHS_SHOWN = 10
_GLOBS_SHOWN = 5
_ROWS_SHOWN = 20
_PLACES_SHOWN = 3
_DIGEST = 10
_VALUE = 60
_COLUMN = 11
_LABEL = 17
_INDENT = " " * _COLUMN
UNCHECKED = "could not be checked: "


def explain(judgement: Judgement, head: str, look: Look = PLAIN, *, story: Story | None = None) -> list[str]:
    """One judgement as lines, sanitised and never cut: the statement, what it is measured against, each watch, the rows
    of its scope, why, and how to see it.

    Args:
        judgement: What was found.
        head: What was judged, as the report says it: a commit id, ``worktree`` or ``staged``.
        look: What the reader can take.
        story: What lies behind the judgement; without it only what the judgement holds is told.
    """
    behind, whole = story or Story(), look._replace(width=None)
    title = f"  {prose(judgement.title)}" if judgement.title else ""
    lines = [whole.line(Span(visible(judgement.id), "bold"), title)]
    lines += [whole.line(pad(name, _COLUMN), value) for name, value in _facts(judgement, head, behind)]
    lines += _watches(judgement, behind, whole)
    lines += _rows(judgement, whole)
    return [*lines, "", *(whole.line(line) for line in _conclusion(judgement, head, behind))]


def story_document(story: Story) -> dict[str, object]:
    """What ``--explain --json`` adds to each memory."""
    one = story.validation
    return {
        "scope": {"paths": list(story.globs), "exclude": list(story.exclude), "matched": list(story.paths)},
        "validation": {"file": one.file, "by": one.by, "at": one.at.isoformat(), "how": one.how}
        if one
        else None,
        "validation_taken_away": taken_document(story.taken),
        "named_commit": story.named,
        "rests_on": [
            {
                "watch": rest.watch,
                "path": rest.path,
                "lines": list(rest.lines) if rest.lines else None,
                "digest_then": rest.then,
                "digest_now": rest.now,
                "value": rest.value,
                "places": list(rest.places),
            }
            for rest in story.resting
        ],
    }


def remarks(report: DriftReport, look: Look = PLAIN) -> list[str]:
    """What is said once behind the explained judgements: what is missing here, and its cure."""
    said = [f"note: {prose(remark)}" for remark in report.remarks]
    if not report.judgements:
        said.append("nothing was checked: no memory to check")
    return [look._replace(width=None).line(line) for line in ["", *said]] if said else []


def _facts(judgement: Judgement, head: str, story: Story) -> list[tuple[str, str]]:
    paths = story.paths
    shown = [("", visible(path)) for path in paths[:_PATHS_SHOWN]]
    more = [("", f"… {len(paths) - _PATHS_SHOWN} more")] if len(paths) > _PATHS_SHOWN else []
    return [
        ("says", prose(judgement.summary)),
        ("file", f"{visible(judgement.file)} ({standing_words(judgement, story)})"),
        ("validated", validated_words(judgement, story)),
        *([("taken away", taken_words(story.taken))] if story.taken else []),
        ("baseline", baseline_words(judgement, story)),
        ("judged at", visible(head)),
        ("scope", _scope(judgement, story)),
        *shown,
        *more,
        ("verdict", f"{headword(judgement)}, {visible(judgement.status)}"),
    ]


def _scope(judgement: Judgement, story: Story) -> str:
    globs = ", ".join(visible(glob) for glob in story.globs[:_GLOBS_SHOWN])
    more = f" and {len(story.globs) - _GLOBS_SHOWN} more" if len(story.globs) > _GLOBS_SHOWN else ""
    out = f" (without {', '.join(visible(glob) for glob in story.exclude)})" if story.exclude else ""
    matched = f"matches {plural(judgement.matched, 'path')}" if judgement.matched else "matches nothing"
    return f"{globs}{more}{out} {matched}".strip()


# the watches
def _watches(judgement: Judgement, story: Story, look: Look) -> list[str]:
    found: dict[str, list[Finding]] = {}
    for one in judgement.findings:
        if one.watch:
            found.setdefault(one.watch, []).append(one)
    resting = {one.watch: one for one in story.resting}
    named = [*found, *(watch for watch in resting if watch not in found)]
    if not named:
        return _unwatched(judgement, look)
    how = "" if not story.resting else " (derived from its words)" if story.derived else " (as its file says)"
    lines = ["", look.line(Span("what it rests on", "bold"), how)]
    for watch in named:
        lines += _watch(watch, found.get(watch, []), resting.get(watch), look)
    return lines


def _unwatched(judgement: Judgement, look: Look) -> list[str]:
    if judgement.how is None or not judgement.matched:
        return []
    words = "its scope as a whole: the words name nothing narrower in the code"
    return ["", look.line(Span("what it rests on", "bold")), look.line(_INDENT, words)]


def _watch(watch: str, findings: Sequence[Finding], resting: Resting | None, look: Look) -> Iterator[str]:
    verdict = max((one.verdict for one in findings), key=lambda one: one.severity, default=Verdict.FRESH)
    yield look.line(pad(verdict.upper(), _COLUMN), Span(visible(watch), "bold"))
    for one in findings:
        if one.verdict is not Verdict.FRESH:
            yield from _told(one, look)
    fresh = [prose(what_happened(one)) for one in findings if one.verdict is Verdict.FRESH]
    words = _resting_words(resting, verdict) if resting is not None else ""
    if words or fresh:
        told = [one for one in fresh[:1] if one != "unchanged" or not words]
        yield look.line(_INDENT, "; ".join(part for part in (*told, words) if part))


def _told(finding: Finding, look: Look) -> Iterator[str]:
    where = f"{visible(place(finding))}: " if finding.new_path else ""
    yield look.line(_INDENT, f"{where}{prose(what_happened(finding))}")
    who = history(finding)
    if who:
        yield look.line(_INDENT, f"by {prose(who)}")


def _resting_words(one: Resting, verdict: Verdict) -> str:
    """Where it rests now, and what it holds there against what it held."""
    at = "" if one.path is None or f" {one.path}" in one.watch else f" {visible(one.path)}"
    if one.lines is not None:
        first, last = one.lines
        at += f" lines {first}–{last}" if first != last else f" line {first}"
    parts = [f"now{at}"] if at else []
    if one.value is not None:
        value = one.value if len(one.value) <= _VALUE else one.value[: _VALUE - 1] + "…"
        parts.append(f"value {prose(value)}")
    if one.is_equal:
        parts.append(f"same content: digest {visible(one.then or '')[:_DIGEST]} then and now")
    elif one.then and one.now and verdict is not Verdict.FRESH:
        parts.append(f"digest {visible(one.then)[:_DIGEST]} then, {visible(one.now)[:_DIGEST]} now")
    if one.places:
        more = f" and {len(one.places) - _PLACES_SHOWN} more" if len(one.places) > _PLACES_SHOWN else ""
        parts.append(f"in code at {', '.join(visible(path) for path in one.places[:_PLACES_SHOWN])}{more}")
    return ", ".join(parts)


# the rest of the scope
def _rows(judgement: Judgement, look: Look) -> list[str]:
    """Rows of the scope that the watches do not tell already."""
    told = [one for one in judgement.findings if one.watch and one.verdict is not Verdict.FRESH]
    rows = [row for row in judgement.findings if not row.watch and not any(_tells(one, row) for one in told)]
    if not rows:
        return []
    lines = ["", look.line(Span("elsewhere in its scope", "bold"))]
    for row in rows[:_ROWS_SHOWN]:
        where = Span(visible(place(row) or "its scope"), "bold")
        lines.append(look.line(pad(row.verdict.upper(), _COLUMN), where, f"  {prose(what_happened(row))}"))
        lines += [look.line(_INDENT, f"by {prose(who)}")] if (who := history(row)) else []
    return [*lines, f"{_INDENT}… {len(rows) - _ROWS_SHOWN} more"] if len(rows) > _ROWS_SHOWN else lines


def _tells(watched: Finding, row: Finding) -> bool:
    same = (watched.path, watched.new_path) == (row.path, row.new_path)
    return same and watched.verdict.severity >= row.verdict.severity


# why, and what to do
def _conclusion(judgement: Judgement, head: str, story: Story) -> Iterator[str]:
    challenged = judgement.status == "challenged"
    yield f"{'challenged' if challenged else judgement.verdict} because {_because(judgement, story)}"
    if judgement.warning and not (judgement.verdict is Verdict.UNKNOWN and not challenged):
        yield _labelled("agents are told:", prose(judgement.warning))
    yield from (_labelled("note:", prose(note)) for note in _notes(judgement))
    if story.unparsed:
        yield _labelled("note:", unparsed_words(story.unparsed, judgement.id))
    yield from _see(judgement, head)
    yield from _cures(judgement, _confirm(judgement, head, story))


def _labelled(label: str, text: str) -> str:
    return f"{pad(label, _LABEL)}{text}"


def _because(judgement: Judgement, story: Story) -> str:
    reasons = why(judgement)
    if judgement.verdict is Verdict.UNKNOWN:
        told = [prose(one) for one in _unchecked(judgement)]
        plain = "it could not be checked"
        reasons = [one.replace(plain, f"{plain}: {'; '.join(told)}") if told else one for one in reasons]
    if judgement.verdict is Verdict.FRESH and story.resting and not judgement.challenged_by:
        return _fresh_words(judgement, story)
    if judgement.verdict is Verdict.TOUCHED and not judgement.challenged_by and story.resting:
        return _touched_words(judgement)
    return "; ".join(reasons)


def _touched_words(judgement: Judgement) -> str:
    soft = [one for one in judgement.findings if one.watch and one.verdict is Verdict.TOUCHED]
    if soft:
        return f"what it rests on changed only softly: {'; '.join(prose(one.reason) for one in soft[:2])}"
    return "code around it changed, and what it rests on did not"


def _fresh_words(judgement: Judgement, story: Story) -> str:
    watches = plural(len(story.resting), "watch")
    held = f"{'its watch holds' if len(story.resting) == 1 else f'its {watches} hold'} what was recorded"
    if any(not one.watch for one in judgement.findings) or not judgement.matched:
        return held
    return f"{held}, and nothing in its scope differs from the baseline"


def _unchecked(judgement: Judgement) -> Iterator[str]:
    """What could not be checked, each once, without the lead."""
    told = [note for note in (judgement.warning, *judgement.notes) if note.startswith(UNCHECKED)]
    yield from dict.fromkeys(note.removeprefix(UNCHECKED) for note in told)


def _notes(judgement: Judgement) -> Iterable[str]:
    unknown = judgement.verdict is Verdict.UNKNOWN
    return [note for note in judgement.notes if not (unknown and note.startswith(UNCHECKED))]


def _confirm(judgement: Judgement, head: str, story: Story) -> str:
    """The command that confirms just what was judged."""
    apply = " --apply" if judgement.patch and judgement.verdict is Verdict.RELOCATED else ""
    worktree = " --worktree" if head == "worktree" else ""
    where = "  (in a clone that has a work tree)" if story.bare else ""
    return f"gitmem confirm {visible(judgement.id)}{worktree}{apply}{where}"


def _cures(judgement: Judgement, confirm: str) -> Iterator[str]:
    if judgement.status == "challenged":
        yield _labelled("still true:", confirm)
        file = visible(judgement.file)
        yield _labelled("no longer true:", f"mend the words in {file}, or remove them, and have it merged")
    elif judgement.verdict is Verdict.RELOCATED:
        yield _labelled("follow it:", confirm)
    elif judgement.how is None and judgement.verdict is Verdict.UNKNOWN:
        yield _labelled("once checked:", confirm)
    elif judgement.how is BaselineHow.INFERRED:
        yield _labelled("make it certain:", confirm)


def _see(judgement: Judgement, head: str) -> Iterator[str]:
    """The git command that shows what happened; none when it would be another one than what is shown."""
    differing = [one for one in judgement.findings if one.verdict is not Verdict.FRESH]
    told = [one for one in differing if one.verdict in CHALLENGING] or differing
    places = [path for one in told for path in (one.path, one.new_path) if path]
    shown = list(dict.fromkeys(places))[:_PATHS_SHOWN]
    if (
        not (judgement.baseline and shown)
        or judgement.baseline == head
        or any(map(is_unsafe, "".join(shown)))
    ):
        return
    judged = {"worktree": "", "staged": " --cached"}.get(head, f" {visible(head)}")
    flags, revision = (judged, "") if head == "staged" else ("", judged)
    words = " ".join(shlex.quote(path) for path in shown)
    yield _labelled("see it:", f"git diff{flags} {visible(judgement.baseline)}{revision} -- {words}")
