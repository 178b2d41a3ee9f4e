"""`gitmem drift`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation
from gitmem.cli.today import now, today
from gitmem.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.model.verdict import DriftReport, Judgement
    from gitmem.usecases.request import Request
    from gitmem.usecases.story import Story

_FORMATS = ("text", "json", "markdown", "github", "gitlab", "sarif")


@command(
    examples=[
        "gitmem drift",
        "gitmem drift m-021 --explain",
        "gitmem drift --worktree",
        "gitmem drift --range origin/main..HEAD",
        "gitmem drift --exit-code --json",
        "gitmem drift --format sarif > gitmem.sarif",
    ]
)
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option("--at", "revision", metavar="REV", help="Judge this commit instead of HEAD.")
@click.option("--worktree", is_flag=True, help="Judge uncommitted edits, untracked files included.")
@click.option("--staged", is_flag=True, help="Judge what the index holds.")
@click.option("--range", "span", metavar="BASE..HEAD", help="Which memories does this change touch?")
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    help="How to write the report, text unless told: github annotations, gitlab Code Quality, sarif for code scanning.",
)
@click.option(
    "--mark", is_flag=True, help="Write `status: challenged` into the files of challenged memories."
)
@click.option(
    "--exit-code", is_flag=True, help="Exit 1 when a memory is challenged, 3 when one cannot be checked."
)
@click.option(
    "--explain", is_flag=True, help="Baseline, matched paths, each change with its verdict, and why."
)
def drift(
    invocation: Invocation,
    *,
    ids: tuple[str, ...],
    revision: str | None,
    worktree: bool,
    staged: bool,
    span: str | None,
    form: str | None,
    mark: bool,
    exit_code: bool,
    explain: bool,
) -> int:
    """Say which memories the code has moved under since they were last found true.

    Judges every approved memory, and as proposed those that only the judged tree holds. The worst come first. Without
    --exit-code the exit code is 0 whatever is found.

    --range says what a change leaves open, from where the two parted: what is confirmed in it is answered, dates are not its
    doing, and words of its own that nobody confirmed are told before the merge makes them doubtful.
    """
    _refuse_two_forms(form, is_json=invocation.json, explain=explain)
    request = _request(ids, revision, span, worktree=worktree, staged=staged)
    report, story_of = _checked(invocation, request, explain=explain)
    report, elsewhere = _of_asked(report, ids)
    marked = _mark(invocation, report) if mark else ()
    if invocation.json or form == "json":
        _answer_json(invocation, report, marked, story_of)
    elif explain:
        for place, judgement in enumerate(report.judgements):
            invocation.emit_text([""] if place else [])
            _explain(invocation, report, judgement, story_of(judgement))
        _remark(invocation, report)
    else:
        _answer_text(invocation, report, form)
    _warn(invocation, report, marked, elsewhere)
    return _exit(report) if exit_code else 0


def _refuse_two_forms(form: str | None, *, is_json: bool, explain: bool) -> None:
    """One answer has one form."""
    if form is None:
        return
    if is_json and form != "json":
        raise UsageError(f"--json and --format {form} name two forms", hint="give one of them")
    if explain and form not in {"text", "json"}:
        raise UsageError(
            f"--explain has no form {form}", hint="leave --format out, or give --json, which tells the same"
        )


def _checked(
    invocation: Invocation, request: Request, *, explain: bool
) -> tuple[DriftReport, Callable[[Judgement], Story | None]]:
    """The report, and what tells the story behind one of its judgements when they are to be explained."""
    if not explain:
        from gitmem.usecases.checking import check

        return check(invocation.repository(), request), lambda _: None
    from gitmem.usecases.story import story_of

    if request.since is not None:
        from gitmem.usecases.range_checking import check_range

        ranged = check_range(invocation.repository(), request)
        return ranged.report, lambda judgement: story_of(*ranged.found_by(judgement))
    from gitmem.usecases.drift import examine

    checked = examine(invocation.repository(), request)
    checked.contents.save()
    return checked.report, partial(story_of, checked)


def _of_asked(report: DriftReport, ids: tuple[str, ...]) -> tuple[DriftReport, int]:
    """The report with the problems that bear on the memories asked for, and how many other files cannot be read."""
    if not ids or not report.problems:
        return report, 0
    from dataclasses import replace

    from gitmem.report.problems import of_memories, unreadable

    own = of_memories(report.problems, {one.file for one in report.judgements}, ids)
    others = {one.file for one in unreadable(report.problems)} - {one.file for one in own}
    return replace(report, problems=tuple(own)), len(others)


def _request(
    ids: tuple[str, ...], revision: str | None, span: str | None, *, worktree: bool, staged: bool
) -> Request:
    from gitmem.usecases.request import Request, Target

    named = [
        word
        for word, given in (
            ("--at", revision),
            ("--worktree", worktree),
            ("--staged", staged),
            ("--range", span),
        )
        if given
    ]
    if len(named) > 1:
        raise UsageError(f"{named[0]} and {named[1]} name two states to judge", hint="give one of them")
    if span is not None:
        base, sep, head = span.partition("..")
        head = head.removeprefix(".")  # either way it begins where the two parted
        if not sep or not base or head.startswith("."):
            raise UsageError(
                f"--range {span}: not of the form BASE..HEAD", hint="for example origin/main..HEAD"
            )
        return Request(ids, Target("commit", head or "HEAD"), since=base, today=today())
    if worktree or staged:
        return Request(ids, Target("staged" if staged else "worktree"), today=today())
    return Request(ids, Target("commit", revision), today=today())


def _answer_json(
    invocation: Invocation,
    report: DriftReport,
    marked: tuple[str, ...],
    story_of: Callable[[Judgement], Story | None],
) -> None:
    from gitmem.report.drift import document

    found = document(report)
    stories = [(place, one) for place, judged in enumerate(report.judgements) if (one := story_of(judged))]
    if stories:
        from gitmem.report.explain import story_document

        memories: Any = found["memories"]
        for place, story in stories:
            memories[place] |= story_document(story)
    invocation.emit_json({**found, "marked": list(marked)} if marked else found)


def _answer_text(invocation: Invocation, report: DriftReport, form: str | None) -> None:
    match form:
        case "markdown":
            from gitmem.report.drift_markdown import format_markdown

            invocation.emit_text(format_markdown(report))
        case "github":
            from gitmem.report.drift_workflow import format_annotations

            invocation.emit_commands(format_annotations(report))
        case "gitlab":
            from gitmem.report.drift_gitlab import code_quality

            invocation.emit_json(code_quality(report))
        case "sarif":
            from gitmem.report.drift_sarif import sarif

            invocation.emit_json(sarif(report))
        case _:
            from gitmem.report.drift import format_text

            look = invocation.look()
            shown = format_text(report, look, quiet=invocation.quiet, verbose=invocation.verbose)
            invocation.emit_text(shown)


def _explain(invocation: Invocation, report: DriftReport, judgement: Judgement, story: Story | None) -> None:
    from gitmem.report.explain import explain

    invocation.emit_text(explain(judgement, report.head, invocation.look(), story=story))


def _remark(invocation: Invocation, report: DriftReport) -> None:
    from gitmem.report.explain import remarks

    invocation.emit_text(remarks(report, invocation.look()))


def _mark(invocation: Invocation, report: DriftReport) -> tuple[str, ...]:
    from gitmem.usecases.marking import mark_challenged

    return mark_challenged(invocation.repository(), report, now())


def _warn(invocation: Invocation, report: DriftReport, marked: tuple[str, ...], elsewhere: int) -> None:
    from gitmem.report.problems import problem_line, unreadable

    invocation.warn(*map(problem_line, unreadable(report.problems)))
    if elsewhere:
        files = "1 other file" if elsewhere == 1 else f"{elsewhere} other files"
        invocation.note(f"{files} below .ai/ cannot be read: gitmem lint")
    if marked:
        invocation.note(*(f"marked {path}" for path in marked))


def _exit(report: DriftReport) -> int:
    if report.challenged:
        return 1
    unchecked = any(one.verdict == "unknown" and not one.course for one in report.telling)
    unreadable = any(problem.severity == "error" for problem in report.problems)
    return 3 if unchecked or unreadable else 0
