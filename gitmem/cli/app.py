"""The command line as a whole: one call in, one exit code out; every failure is told here and nowhere else."""

from __future__ import annotations

import errno
import os
import sys

import click

from gitmem import __version__
from gitmem.cli.command import COMPLETING, LazyGroup
from gitmem.cli.invocation import Invocation
from gitmem.cli.table import SECTIONS
from gitmem.errors import GitmemError, UsageError

_BUG = 70
_INTERRUPTED = 130
_FULL = "make room on the disk, then run it again"
_ANY_CURE = "see whether it is there and yours to use: ls -ld"
_CURES = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EROFS: "that file system cannot be written to: name a place elsewhere",
    errno.EISDIR: "name a file, not a folder",
    errno.ENOTDIR: "a part of the path is a file, not a folder",
    errno.ENAMETOOLONG: "name a shorter path",
    errno.ELOOP: "links lead in a circle: name the file itself",
    errno.EMFILE: "raise the limit (ulimit -n), then run it again",
}


def root(*, json: bool = False) -> LazyGroup:
    """The group of all commands; with `json` its version is told as a document."""
    group = LazyGroup(
        "gitmem",
        sections=SECTIONS,
        help="Memory for coding agents, kept in git: what was done, what was learned, and whether the code still agrees.",
        epilog="`gitmem COMMAND --help` shows a command's options and an example.",
    )
    message = '{"version": "%(version)s"}' if json else "gitmem %(version)s"
    return click.version_option(__version__, "-V", "--version", message=message)(group)


def run(arguments: list[str]) -> int:
    """Run one command line.

    Args:
        arguments: The words after the program's name.

    Returns:
        The exit code (cli.md, table of exit codes); the failure itself has been told.
    """
    invocation = Invocation()
    try:
        return _invoke(arguments, invocation)
    except click.exceptions.Exit as finished:
        return finished.exit_code
    except (KeyboardInterrupt, click.Abort):
        sys.stderr.write("gitmem: interrupted\n")
        return _INTERRUPTED
    except BrokenPipeError:
        raise
    except (GitmemError, click.ClickException, OSError) as error:
        return _tell(_as_gitmem_error(error), invocation, arguments)
    except Exception as error:  # noqa: BLE001 - the last line of defence; what it catches is a bug by definition
        return _tell_bug(error, invocation, arguments)


def _invoke(arguments: list[str], invocation: Invocation) -> int:
    group = root(json=_asks_for_json(arguments))
    if COMPLETING in os.environ:
        return _complete(group, arguments)
    with group.make_context(
        _program(), list(arguments), obj=invocation, terminal_width=_help_width()
    ) as context:
        code = group.invoke(context)
    return code if isinstance(code, int) else 0


def _complete(group: LazyGroup, arguments: list[str]) -> int:
    """Answer a shell that completes; a line that is wrong so far is completed by nothing, without a word."""
    try:
        group.main(arguments, prog_name="gitmem", complete_var=COMPLETING)
    except (GitmemError, click.ClickException):
        return 0
    return 0


def _program() -> str:
    return "git mem" if sys.argv[0].rpartition("/")[2] == "git-mem" else "gitmem"


def _help_width() -> int:
    """Columns for the help, told to click so that it need not load shutil to find out."""
    try:
        return max(40, min(os.get_terminal_size(1).columns, 100) - 2)
    except OSError:
        return 78


def _as_gitmem_error(error: Exception) -> GitmemError:
    """Any expected failure as one of ours, so that all are told alike."""
    if isinstance(error, GitmemError):
        return error
    if isinstance(error, OSError):
        where = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        return GitmemError(f"{where}{error.strerror or error}", hint=_CURES.get(error.errno or 0, _ANY_CURE))
    assert isinstance(error, click.ClickException)
    return UsageError(_message(error), hint=_cure(error))


def _message(error: click.ClickException) -> str:
    if isinstance(error, click.NoSuchOption):
        return f"no such option: {error.option_name}"
    text = error.format_message()
    return text[:1].lower() + text[1:].rstrip(".")


def _cure(error: click.ClickException) -> str:
    """What to do about click's own errors: the nearest option, else where the help is."""
    if isinstance(error, click.NoSuchOption) and error.possibilities:
        return f"did you mean {' or '.join(error.possibilities)}?"
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"see `{context.command_path if context else 'gitmem'} --help`"


def _tell(error: GitmemError, invocation: Invocation, arguments: list[str]) -> int:
    from gitmem.report.sanitise import prose

    sys.stderr.write(f"gitmem: error: {prose(error.message)}\n")
    if error.hint:
        sys.stderr.write(f"hint: {prose(error.hint)}\n")
    _answer(invocation, arguments, _document(error))
    return error.exit_code


def _document(error: GitmemError) -> dict[str, object]:
    document: dict[str, object] = {"kind": error.kind, "message": error.message, "hint": error.hint}
    places = {"path": error.path, "line": error.line, "column": error.column}
    return {**document, **{name: place for name, place in places.items() if place is not None}}


def _tell_bug(error: Exception, invocation: Invocation, arguments: list[str]) -> int:
    from gitmem.report.sanitise import prose, visible_block

    what = prose(f"{type(error).__name__}: {error}")
    where = f"gitmem {__version__}, Python {sys.version.split()[0]}, {sys.platform}"
    cure = "this is a bug in gitmem, please report it with what `GITMEM_DEBUG=1` in front of the same command prints"
    if invocation.verbose or os.environ.get("GITMEM_DEBUG") == "1":
        import traceback

        sys.stderr.write(visible_block("".join(traceback.format_exception(error))))
        cure = "this is a bug in gitmem, please report it with the lines above"
    sys.stderr.write(f"gitmem: error: {what} ({where})\nhint: {cure}\n")
    _answer(invocation, arguments, {"kind": "bug", "message": f"{what} ({where})", "hint": cure})
    return _BUG


def _answer(invocation: Invocation, arguments: list[str], error: dict[str, object]) -> None:
    """The failure as the one JSON document, unless the command has answered already."""
    if (invocation.json or _asks_for_json(arguments)) and not invocation.answered:
        invocation.emit_json({"error": error})


def _asks_for_json(arguments: list[str]) -> bool:
    """Whether ``--json`` stands there, for command lines that could not be parsed."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--json" in options
