"""What a command is given: the common options, the repository, and the way to answer."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gitmem.errors import NotFoundError

if TYPE_CHECKING:
    from gitmem.git.interface import Repository
    from gitmem.model.event import Event
    from gitmem.report.look import Look
    from gitmem.store.ledger import RunLedger


class Invocation:
    """One call of the command line.

    Attributes:
        json: One JSON document on stdout, nothing else there.
        quiet: Only what was asked for.
        verbose: More of it; tracebacks of bugs.
        color: ``auto``, ``always`` or ``never``.
        answered: Whether a JSON document is out already.
    """

    def __init__(self) -> None:
        self.json = False
        self.quiet = False
        self.verbose = False
        self.color = "auto"
        self.answered = False
        self._directories: list[str] = []
        self._repository: Repository | None = None
        self._ledger: RunLedger | None = None

    def take(self, name: str, value: Any) -> None:
        """Take one common option as given; what stands after the command word comes last and wins."""
        if name == "directory":
            self._directories.extend(value)
        else:
            setattr(self, name, value)

    def enter(self) -> None:
        """Go to the folder that ``-C`` names, each further one relative to the one before, as git does."""
        for directory in self._directories:
            try:
                os.chdir(directory)
            except OSError as error:
                raise NotFoundError(
                    f"-C {directory}: {error.strerror}", hint="name a folder inside a repository"
                ) from None
        self._directories.clear()

    def repository(self) -> Repository:
        """The repository here, opened at the first call.

        Raises:
            NotFoundError: When there is none.
        """
        if self._repository is None:
            from pathlib import Path

            from gitmem.git.opening import open_repository

            self._repository = open_repository(Path.cwd())
        return self._repository

    def ledger(self) -> RunLedger:
        """The run ledger of the repository here, opened at the first call; secrets of this environment are masked.

        Raises:
            NotFoundError: When there is no repository.
        """
        if self._ledger is None:
            from gitmem.store.ledger import RunLedger

            self._ledger = RunLedger.open()
        return self._ledger

    def look(self) -> Look:
        """How text on stdout may look: colour and width of the terminal, or neither."""
        from gitmem.report.look import Look

        if not sys.stdout.isatty():
            return Look(colour=self.color == "always")
        import shutil

        return Look(colour=self._wants_colour(), width=shutil.get_terminal_size().columns)

    def emit_json(self, document: Mapping[str, object] | Sequence[object]) -> None:
        """Answer with the one JSON document, as UTF-8 whatever the locale; indented for a terminal."""
        import json

        from gitmem.redaction.told import masked_document
        from gitmem.report.sanitise import visible_json

        indent = 2 if sys.stdout.isatty() else None
        text = visible_json(json.dumps(masked_document(document), ensure_ascii=False, indent=indent))
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode() + b"\n")
        self.answered = True

    def emit_json_line(self, document: Mapping[str, object]) -> None:
        """Answer with one more document on a line of its own, at once: for what goes on and on (``--follow``)."""
        import json

        from gitmem.report.sanitise import visible_json

        sys.stdout.flush()
        sys.stdout.buffer.write(visible_json(json.dumps(document, ensure_ascii=False)).encode() + b"\n")
        sys.stdout.buffer.flush()
        self.answered = True

    def emit_commands(self, commands: Iterable[str]) -> None:
        """Answer with workflow commands that a report has made, for the runner to obey."""
        sys.stdout.write("".join(f"{command}\n" for command in commands))

    def emit_text(self, lines: Iterable[str]) -> None:
        """Answer with lines that a report has sanitised; on a GitHub runner none of them is read as a command."""
        for line in self._inert(lines):
            sys.stdout.write(f"{line}\n")

    def note(self, *lines: str) -> None:
        """Say something beside the answer, on stderr: progress, a hint. Silent with ``-q``."""
        if not self.quiet:
            self.warn(*lines)

    def warn(self, *lines: str) -> None:
        """Say something on stderr that ``-q`` must not hide. The lines are sanitised here."""
        from gitmem.report.sanitise import visible

        sys.stdout.flush()  # else what is said beside the answer stands before it in a file of both
        for line in self._inert(visible(line) for line in lines):
            sys.stderr.write(f"{line}\n")

    def note_masked(self, *events: Event) -> None:
        """Say what was masked before events were written, by kind and count; nothing when nothing was."""
        kinds: dict[str, int] = {}
        for event in events:
            for kind, count in dict(event.extra.get("masked") or {}).items():
                kinds[kind] = kinds.get(kind, 0) + count
        if kinds:
            told = ", ".join(f"{count} × {kind}" for kind, count in sorted(kinds.items()))
            self.warn(f"masked before writing: {told}")

    def _inert(self, lines: Iterable[str]) -> Iterable[str]:
        if os.environ.get("GITHUB_ACTIONS") != "true":
            return lines
        from secrets import token_hex

        from gitmem.report.sanitise import without_workflow_commands

        said = list(lines)
        return without_workflow_commands(said, token_hex(16)) if said else ()

    def _wants_colour(self) -> bool:
        if self.color != "auto":
            return self.color == "always"
        return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
