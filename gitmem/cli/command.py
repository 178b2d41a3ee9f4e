"""How every command is made: common options before and after its word, an example in its help, lazy groups."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import click

from gitmem.cli.invocation import Invocation
from gitmem.cli.table import Entry, Nested
from gitmem.errors import UsageError

COMPLETING: Final = "_GITMEM_COMPLETE"
"""The variable by which a shell's script asks for completions."""
CONTEXT = {"help_option_names": ["-h", "--help"]}


def command(
    name: str | None = None, *, examples: Sequence[str], hidden: bool = False, **settings: Any
) -> Callable[[Callable[..., int | None]], click.Command]:
    """Make a function a command of gitmem.

    The function takes an `Invocation` first, then what click's own decorators below this one name; its docstring is
    the help, and what it returns is the exit code (None is 0).

    Args:
        name: The command word; the function's name by default.
        examples: Lines for the end of the help, each a whole command, at least one.
        hidden: Whether it is plumbing.
        settings: Anything else that `click.Command` takes.
    """

    def decorate(function: Callable[..., int | None]) -> click.Command:
        return click.command(name, cls=_Command, examples=examples, hidden=hidden, **settings)(
            click.make_pass_decorator(Invocation, ensure=True)(function)
        )

    return decorate


def event_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--run``, ``--session`` and ``--actor``, wherever an event may be written; GITMEM_RUN and so on stand for them."""
    run = click.option(
        "--run",
        metavar="RUN",
        envvar="GITMEM_RUN",
        help="The run, or the beginning of its id; the current one by default.",
    )
    return run(_teller_options(function))


def new_run_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `event_options`, where ``--run`` gives a new run its id; GITMEM_RUN names an old one and counts for nothing."""
    run = click.option("--run", metavar="ID", help="The id of the new run; made at random by default.")
    return run(_teller_options(function))


def run_argument(function: Callable[..., Any]) -> Callable[..., Any]:
    """RUN of a command that only reads: the run, or the beginning of its id; GITMEM_RUN, else the current one by default."""
    return click.argument("run", metavar="[RUN]", required=False, envvar="GITMEM_RUN")(function)


def _teller_options(function: Callable[..., Any]) -> Callable[..., Any]:
    session = click.option(
        "--session", metavar="SESSION", envvar="GITMEM_SESSION", help="The agent session it belongs to."
    )
    actor = click.option(
        "--actor",
        metavar="ACTOR",
        envvar="GITMEM_ACTOR",
        default="human",
        help="Who did it: human, claude-code, codex, …",
    )
    return session(actor(function))


def common_options() -> list[click.Parameter]:
    """The options that stand before or after every command word and mean the same everywhere."""
    return [
        _common(["-C"], "directory", multiple=True, metavar="DIR", help="Run as if started in DIR."),
        _common(["--json"], "json", is_flag=True, help="One JSON document on stdout."),
        _common(["-q", "--quiet"], "quiet", is_flag=True, help="Only what was asked for."),
        _common(["-v", "--verbose"], "verbose", is_flag=True, help="More of it."),
        _common(
            ["--color"],
            "color",
            type=click.Choice(["auto", "always", "never"]),
            help="Colours: on a terminal by default.",
        ),
    ]


class _CommonOption(click.Option):
    """An option of every command; listed apart in the help."""


def _common(words: list[str], field: str, **settings: Any) -> _CommonOption:
    def take(context: click.Context, _option: click.Parameter, value: object) -> None:
        if value:
            context.ensure_object(Invocation).take(field, value)

    # The name in front keeps a command's own `json` or `quiet` parameter apart from these.
    return _CommonOption([*words, f"common_{field}"], expose_value=False, callback=take, **settings)


class _WithCommonOptions(click.Command):
    """Help that lists the command's own options first and the common ones below."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        own = [one for one in options if not isinstance(one, _CommonOption)]
        common = [one for one in options if isinstance(one, _CommonOption)]
        for title, group in (("Options", own), ("Common options", common)):
            records = [record for one in group if (record := one.get_help_record(ctx))]
            with formatter.section(title):
                formatter.write_dl(records)


class _Command(_WithCommonOptions):
    def __init__(self, *arguments: Any, examples: Sequence[str], **settings: Any) -> None:
        settings.setdefault("context_settings", CONTEXT)
        super().__init__(*arguments, **settings)
        self.params += common_options()
        self.examples = tuple(examples)
        if COMPLETING in os.environ:
            from gitmem.cli.completing import offer_ids

            offer_ids(self)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        formatter.write_paragraph()
        formatter.write("Examples:\n" if len(self.examples) > 1 else "Example:\n")
        for example in self.examples:
            formatter.write(f"  {example}\n")

    def invoke(self, ctx: click.Context) -> Any:
        ctx.ensure_object(Invocation).enter()
        return super().invoke(ctx)


class LazyGroup(_WithCommonOptions, click.Group):
    """Commands named in a table and imported when called; the help reads the table alone."""

    def __init__(
        self,
        name: str,
        *,
        sections: Mapping[str, Mapping[str, Entry | Nested]],
        help: str,  # noqa: A002 - click's name for it
        epilog: str | None = None,
        hidden: bool = False,
    ) -> None:
        super().__init__(
            name,
            invoke_without_command=True,
            callback=_ask_for_a_command,
            context_settings=CONTEXT,
            help=help,
            epilog=epilog,
            hidden=hidden,
        )
        self.params += common_options()
        self.sections = sections
        self.entries = {word: entry for section in sections.values() for word, entry in section.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - see above
        entry = self.entries.get(cmd_name)
        if isinstance(entry, Nested):
            return LazyGroup(
                cmd_name, sections={"Commands": entry.commands}, help=entry.help, hidden=entry.hidden
            )
        return _load(entry) if entry else None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        for title, section in self.sections.items():
            rows = [(word, entry.help) for word, entry in section.items() if not entry.hidden]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.entries and not args[0].startswith("-"):
            raise _no_such_command(args[0], ctx.command_path, list(self.entries))
        return super().resolve_command(ctx, args)


def _ask_for_a_command() -> int:
    context = click.get_current_context()
    if context.invoked_subcommand is not None:
        return 0
    if context.ensure_object(Invocation).json:
        raise UsageError("no command given", hint=f"see `{context.command_path} --help`")
    click.echo(context.get_help(), err=True)
    return UsageError.exit_code


def _load(entry: Entry) -> click.Command:
    from importlib import import_module

    module, _, name = entry.target.partition(":")
    loaded: click.Command = getattr(import_module(module), name)
    loaded.hidden = entry.hidden
    loaded.short_help = entry.help
    return loaded


def _no_such_command(word: str, path: str, words: list[str]) -> UsageError:
    from difflib import get_close_matches

    near = get_close_matches(word, words, n=1)
    cure = f"did you mean `{path} {near[0]}`?" if near else f"see `{path} --help`"
    return UsageError(f"no such command: {word}", hint=cure)
