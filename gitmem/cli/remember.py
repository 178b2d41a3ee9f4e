"""`gitmem remember`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gitmem.cli.command import command, event_options
from gitmem.cli.invocation import Invocation
from gitmem.cli.standard_input import read_named, read_stdin, said
from gitmem.cli.today import now
from gitmem.cli.written_path import repository_glob
from gitmem.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gitmem.model.candidate import Candidate
    from gitmem.promotion.ruling import RuleResult
    from gitmem.store.ledger import RunLedger
    from gitmem.usecases.lessons import Spoken
    from gitmem.usecases.remember import Remembered, Remembering
    from gitmem.usecases.runs.recording import Teller

_LARGEST = 1 << 20


def _many(
    name: str, metavar: str, text: str, field: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    words = [name, field] if field else [name]
    return click.option(*words, metavar=metavar, multiple=True, help=text)


@command(
    examples=[
        'gitmem remember "Every new ID argument is added to idArgumentResolvers" --kind pitfall --path src/authz.go --not-for tests',
        'gitmem remember "결제 재시도는 3회까지만 한다" --type module_constraint --path "src/pay/**" --evidence doc:docs/pay.md',
        "gitmem remember --from candidates.json",
    ]
)
@click.argument("text", metavar="[TEXT]", required=False)
@click.option(
    "--kind",
    type=click.Choice(["pitfall", "convention", "note"]),
    help="What it is; by the type when left out.",
)
@click.option(
    "--type", "type", metavar="T", help="Policy type, such as module_constraint or verified_fix_pattern."
)
@click.option("--title", metavar="TEXT", help="Short name; other memories link to it as [[TEXT]].")
@_many("--path", "GLOB", "Where it holds: files from the folder that you are in; may be repeated.")
@_many("--exclude", "GLOB", "Files that it does not speak about; may be repeated.")
@_many("--element", "E", "Architecture element that it is about; may be repeated.", "elements")
@click.option("--project", is_flag=True, help="It holds everywhere in the project.")
@_many("--for", "D", "Task domain that it is for, such as public_api; may be repeated.", "for_")
@_many("--not-for", "D", "Task domain that it is not for, or none; may be repeated.")
@_many(
    "--evidence", "REF", "test:, review:, commit:, doc: or artifact: and what bears it out; may be repeated."
)
@_many("--supersedes", "ID|TITLE", "Memory whose place it takes; may be repeated.")
@click.option(
    "--failure-class",
    metavar="C",
    help="agent_failure, verification_failure, …; that of --from-event by default.",
)
@click.option("--failure-type", metavar="T", help="What kind of fault it was, such as contract_mismatch.")
@click.option("--root-cause", metavar="TEXT", help="Why it failed.")
@_many("--from-event", "ID", "Event that it comes from: seq, id or commit; may be repeated.", "from_events")
@click.option(
    "--fixed-by", metavar="COMMIT", help="The commit that fixed it: replay then runs on both sides of it."
)
@click.option("--probe", metavar="CMD", help="Command that passes while it holds.")
@click.option("--expires", metavar="DATE", help="Day from which it no longer counts, as 2027-01-31.")
@click.option(
    "--origin",
    metavar="WHO",
    help="Where it comes from; human for a person's own lesson, the default for one.",
)
@click.option(
    "--from", "from_", metavar="FILE", help="One or many lessons as JSON or YAML; - is standard input."
)
@event_options
def remember(
    invocation: Invocation,
    *,
    text: str | None,
    from_: str | None,
    run: str | None,
    session: str | None,
    actor: str,
    **told: Any,
) -> int:
    """Propose a lesson for the project's memory.

    It becomes a candidate in the current run, or in the inbox without one; never a file, and never knowledge before a
    person has merged it. What is known already is counted instead, and what was denied is not stored again. TEXT is - for
    standard input; its first paragraph is the rule, what follows explains it. Of a document each lesson is taken in by itself;
    the exit code is 1 when one failed.
    """
    from gitmem.usecases.lessons import spoken_lesson
    from gitmem.usecases.remember import Remembering
    from gitmem.usecases.runs.inbox import memory_run
    from gitmem.usecases.runs.recording import Teller

    if from_ is not None:
        _refuse_beside(text, told)
    elif text is None:
        raise UsageError(
            "nothing is said", hint="gitmem remember TEXT, or --from FILE for one or many lessons"
        )
    ledger, teller = invocation.ledger(), Teller(actor, session)
    where = memory_run(ledger, run)
    remembering = Remembering(ledger, where, teller, now())
    if from_ is not None:
        return _take_in(invocation, ledger, remembering, from_, teller)
    spoken = _spoken(invocation, said(text or ""), told)
    lesson = spoken_lesson(ledger, remembering.knowledge, where, spoken, teller, named_run=run is not None)
    remembered = remembering.remember(lesson)
    (lacking,) = _lacking(ledger, [remembered.stored])
    _answer(invocation, remembered, lacking)
    invocation.warn(*filter(None, [remembering.comparing.problem]))
    return 0


def _refuse_beside(text: str | None, told: dict[str, Any]) -> None:
    beside = [name for name, value in told.items() if value]
    if text is not None or beside:
        other = "TEXT" if text is not None else _option(beside[0])
        raise UsageError(f"--from FILE and {other}", hint="the document says all of each lesson itself")


def _option(field: str) -> str:
    """The option that fills a field of `Spoken`, as it is written."""
    words = {"elements": "element", "from_events": "from-event"}
    return f"--{words.get(field, field.strip('_').replace('_', '-'))}"


def _spoken(invocation: Invocation, text: str, told: dict[str, Any]) -> Spoken:
    from gitmem.usecases.lessons import Spoken

    repository = invocation.repository()
    paths, exclude = (
        tuple(repository_glob(repository, one) for one in told.pop(name)) for name in ("path", "exclude")
    )
    return Spoken(text, paths=paths, exclude=exclude, **told)


def _take_in(
    invocation: Invocation, ledger: RunLedger, remembering: Remembering, file: str, teller: Teller
) -> int:
    from gitmem.report.problems import problem_line
    from gitmem.report.remember import remembered_lines, taken_document, tally
    from gitmem.usecases.lessons import author, take_in

    name = "standard input" if file == "-" else file
    data = read_stdin(_LARGEST) if file == "-" else read_named(file, _LARGEST)
    taken = take_in(remembering, ledger.repository, name, data, by=author(ledger.repository, teller.actor))
    lacking = _lacking(ledger, [one.stored for one in taken.remembered])
    if invocation.json:
        invocation.emit_json(taken_document(taken, lacking))
    else:
        for one, some in zip(taken.remembered, lacking, strict=True):
            invocation.emit_text(remembered_lines(one, some, invocation.look()))
    invocation.warn(*(problem_line(one) for one in taken.problems))
    invocation.warn(*filter(None, [remembering.comparing.problem]))
    invocation.note(tally(taken))
    return 1 if taken.failed else 0


def _answer(invocation: Invocation, remembered: Remembered, lacking: Sequence[RuleResult]) -> None:
    from gitmem.report.remember import remembered_document, remembered_lines

    if invocation.json:
        invocation.emit_json(remembered_document(remembered, lacking))
    else:
        invocation.emit_text(remembered_lines(remembered, lacking, invocation.look()))


def _lacking(ledger: RunLedger, stored: Sequence[Candidate | None]) -> list[Sequence[RuleResult]]:
    """What the gate would still ask of each; nothing when its policy cannot be read, which the gate itself tells."""
    from gitmem.errors import GitmemError
    from gitmem.usecases.gate import Gate

    nothing: list[Sequence[RuleResult]] = [()] * len(stored)
    if not any(stored):
        return nothing
    try:
        gate = Gate(ledger)
        return [gate.candidate(one).lacking if one else () for one in stored]
    except GitmemError:
        return nothing
