"""`gitmem lint`."""

from __future__ import annotations

import click

from gitmem.cli.command import command
from gitmem.cli.invocation import Invocation
from gitmem.cli.today import today
from gitmem.cli.written_path import repository_path

_FOUND = 1


@command("lint", examples=["gitmem lint", "gitmem lint .ai/memory/m-021.yaml --json", "gitmem lint --tidy"])
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option("--tidy", "tidies", is_flag=True, help="Remove validations that a newer one replaced.")
def lint(invocation: Invocation, *, files: tuple[str, ...], tidies: bool) -> int:
    """Check the files below .ai/ in the work tree: form, ids, dates, globs and watches that find nothing, links, policies.

    Exits 1 when a file does not load (an error); warnings alone exit 0. --tidy removes files from the work tree and
    leaves the commit to you.
    """
    from gitmem.report.problems import problem_document, problem_line
    from gitmem.usecases.lint_work_tree import lint_work_tree, tidy

    repo = invocation.repository()
    wanted = [repository_path(repo, file) for file in files]
    removed = tidy(repo) if tidies else ()
    linted = lint_work_tree(repo, wanted, today=today())
    errors = sum(one.severity == "error" for one in linted.problems)
    if invocation.json:
        document: dict[str, object] = {"problems": [problem_document(one) for one in linted.problems]}
        invocation.emit_json({**document, "removed": list(removed)} if tidies else document)
    else:
        look = invocation.look()._replace(width=None)
        invocation.emit_text(problem_line(one, look) for one in linted.problems)
    invocation.note(*(f"removed {path}" for path in removed))
    invocation.note(_summary(linted.files, errors, len(linted.problems) - errors))
    return _FOUND if errors else 0


def _summary(files: int, errors: int, warnings: int) -> str:
    if not files:
        return "there is nothing below .ai/ to check: gitmem init makes a first set"
    return f"{_count(files, 'file')} checked: {_count(errors, 'error')}, {_count(warnings, 'warning')}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
