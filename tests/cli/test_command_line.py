"""The frame of the command line: what every command shares."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from gitmem import __version__
from gitmem.cli import app
from gitmem.cli.command import LazyGroup, command, event_options
from gitmem.cli.invocation import Invocation
from gitmem.cli.table import SECTIONS, Entry, Nested
from gitmem.errors import InvalidDataError, NotFoundError, RaceError
from tests.support.cli import gitmem, gitmem_process

HOSTILE = "\x1b]0;owned\x07\u202e\u200b\r\n::error::x\udcff"


def _probe(body: Callable[[Invocation], int | None]) -> click.Command:
    return command("probe", examples=["gitmem probe"])(body)


@pytest.fixture
def probe(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Invocation], int | None]], None]:
    """Make a function the command `probe` (and `deep probe`) of the real command line."""

    def install(body: Callable[[Invocation], int | None]) -> None:
        monkeypatch.setattr(sys.modules[__name__], "installed", _probe(body), raising=False)
        entry = Entry(f"{__name__}:installed", "A probe")
        monkeypatch.setattr(
            app, "SECTIONS", {"Test": {"probe": entry, "deep": Nested("Deep", {"probe": entry})}}
        )

    return install


def _raise(error: BaseException) -> Callable[[Invocation], int | None]:
    def body(_invocation: Invocation) -> int | None:
        raise error

    return body


def _commands() -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for section in SECTIONS.values():
        for word, entry in section.items():
            below = entry.commands if isinstance(entry, Nested) else {}
            found += [(word,), *((word, inner) for inner in below)]
    return found


class TestEveryCommand:
    @pytest.mark.parametrize("words", _commands(), ids=" ".join)
    def test_has_help_with_an_example_that_calls_it(self, words: tuple[str, ...], tmp_path: Path) -> None:
        done = gitmem(*words, "--help", at=tmp_path)
        assert done.code == 0
        assert done.out.startswith(f"Usage: gitmem {' '.join(words)}")
        assert "--json" in done.out
        if "COMMAND" not in done.out.splitlines()[0]:
            assert f"gitmem {' '.join(words)}" in done.out.partition("\nExample")[2]

    def test_a_group_lists_words_without_importing_their_modules(self, tmp_path: Path) -> None:
        script = "import sys; from gitmem.cli.app import run; run(['--help']); print(*sys.modules, file=sys.stderr)"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        loaded = {module for module in done.stderr.split() if module.startswith("gitmem.cli.")}
        assert loaded == {f"gitmem.cli.{name}" for name in ("app", "command", "invocation", "table")}

    @pytest.mark.parametrize("words", [(), *_commands()], ids=" ".join)
    def test_help_loads_nothing_slow(self, words: tuple[str, ...]) -> None:
        script = f"import sys; from gitmem.cli.app import run; run([*{words!r}, '--help']); print(*sys.modules, file=sys.stderr)"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        loaded = {module.partition(".")[0] for module in done.stderr.split()}
        slow = {
            "pygit2",
            "ruamel",
            "yaml",
            "pydantic",
            "unidiff",
            "subprocess",
            "json",
            "dataclasses",
            "shutil",
            "mcp",
        }
        assert loaded & slow == set()


class TestVersion:
    @pytest.mark.parametrize("words", [["--version"], ["-V"], ["-q", "--version"]])
    def test_is_one_line(self, words: list[str], tmp_path: Path) -> None:
        done = gitmem_process(*words, at=tmp_path)
        assert (done.code, done.out) == (0, f"gitmem {__version__}\n")

    def test_loads_no_command_line(self) -> None:
        script = "import sys; sys.argv = ['gitmem', '--version']; from gitmem._main import main; main(); print(*sys.modules)"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert "click" not in done.stdout.split()


class TestCommonOptions:
    @pytest.mark.parametrize(
        "words",
        [
            ["--json", "-q", "-v", "--color", "never", "deep", "probe"],
            ["deep", "--json", "-q", "probe", "-v", "--color=never"],
            ["deep", "probe", "--json", "-q", "-v", "--color", "never"],
        ],
    )
    def test_mean_the_same_wherever_they_stand(self, words: list[str], probe: Any, tmp_path: Path) -> None:
        seen: list[Invocation] = []
        probe(seen.append)
        assert gitmem(*words, at=tmp_path).code == 0
        assert (seen[0].json, seen[0].quiet, seen[0].verbose, seen[0].color) == (True, True, True, "never")

    def test_what_stands_after_the_word_wins(self, probe: Any, tmp_path: Path) -> None:
        seen: list[str] = []
        probe(lambda invocation: seen.append(invocation.color))
        gitmem("--color", "always", "probe", "--color", "never", at=tmp_path)
        assert seen == ["never"]

    def test_folders_add_up_as_in_git(self, probe: Any, tmp_path: Path) -> None:
        (tmp_path / "a" / "b").mkdir(parents=True)
        seen: list[Path] = []
        probe(lambda _invocation: seen.append(Path.cwd()))
        gitmem("-C", "a", "probe", "-C", "b", at=tmp_path)
        gitmem("-C", "a", "probe", "-C", str(tmp_path), at=tmp_path)
        assert seen == [tmp_path / "a" / "b", tmp_path]

    def test_a_folder_that_is_not_there_is_named(self, probe: Any, tmp_path: Path) -> None:
        probe(_raise(AssertionError("must not run")))
        done = gitmem("-C", "missing", "probe", at=tmp_path)
        assert (done.code, done.err.splitlines()[0]) == (
            3,
            "gitmem: error: -C missing: No such file or directory",
        )

    @pytest.mark.parametrize(
        "case",
        [
            ("auto", True, {"TERM": "xterm"}, True),
            ("auto", False, {"TERM": "xterm"}, False),
            ("auto", True, {"TERM": "xterm", "NO_COLOR": "1"}, False),
            ("auto", True, {"TERM": "xterm", "NO_COLOR": ""}, True),
            ("auto", True, {"TERM": "dumb"}, False),
            ("always", False, {"NO_COLOR": "1"}, True),
            ("never", True, {"TERM": "xterm"}, False),
        ],
    )
    def test_colours_only_where_they_are_welcome(
        self, case: tuple[str, bool, dict[str, str], bool], probe: Any, tmp_path: Path
    ) -> None:
        choice, terminal, environment, welcome = case
        seen: list[bool] = []
        probe(lambda invocation: seen.append(invocation.look().colour))
        gitmem("probe", "--color", choice, at=tmp_path, terminal=terminal, environment=environment)
        assert seen == [welcome]

    def test_lines_are_cut_on_a_terminal_alone(self, probe: Any, tmp_path: Path) -> None:
        seen: list[int | None] = []
        probe(lambda invocation: seen.append(invocation.look().width))
        gitmem("probe", at=tmp_path, terminal=True, environment={"COLUMNS": "72"})
        gitmem("probe", at=tmp_path, environment={"COLUMNS": "72"})
        assert seen == [72, None]

    def test_event_options_are_read_from_the_environment_too(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen: list[dict[str, str]] = []

        @command("probe", examples=["gitmem probe"])
        @event_options
        def body(_invocation: Invocation, **given: str) -> None:
            seen.append(given)

        monkeypatch.setattr(sys.modules[__name__], "installed", body, raising=False)
        monkeypatch.setattr(app, "SECTIONS", {"Test": {"probe": Entry(f"{__name__}:installed", "A probe")}})
        gitmem(
            "probe",
            "--actor",
            "codex",
            at=tmp_path,
            environment={"GITMEM_RUN": "run-1", "GITMEM_ACTOR": "human"},
        )
        assert seen == [{"run": "run-1", "session": None, "actor": "codex"}]


class TestFailures:
    @pytest.mark.parametrize(
        ("error", "code", "kind"),
        [
            (NotFoundError("no memory m-1", hint="see `gitmem list`"), 3, "not_found"),
            (RaceError("lost", hint="run it again"), 4, "race"),
            (PermissionError(13, "Permission denied", "notes.yaml"), 3, "error"),
            (click.BadParameter("no", param_hint="X"), 2, "usage"),
            (KeyError("x"), 70, "bug"),
            (RecursionError("deep"), 70, "bug"),
        ],
    )
    def test_each_kind_has_its_exit_code_and_document(
        self, error: Exception, code: int, kind: str, probe: Any, tmp_path: Path
    ) -> None:
        probe(_raise(error))
        plain, as_json = gitmem("probe", at=tmp_path), gitmem("probe", "--json", at=tmp_path)
        assert (plain.code, plain.out) == (code, "")
        assert plain.err.startswith("gitmem: error: ")
        assert as_json.code == code
        assert as_json.document["error"]["kind"] == kind
        assert as_json.err == plain.err

    def test_a_place_is_told_to_machines(self, probe: Any, tmp_path: Path) -> None:
        probe(
            _raise(
                InvalidDataError(
                    "a.yaml:3:7: bad date", hint="write 2026-07-13", path="a.yaml", line=3, column=7
                )
            )
        )
        assert gitmem("probe", "--json", at=tmp_path).document == {
            "error": {
                "kind": "invalid", "message": "a.yaml:3:7: bad date", "hint": "write 2026-07-13",
                "path": "a.yaml", "line": 3, "column": 7,
            }
        }  # fmt: skip

    def test_is_one_line_and_the_cure(self, probe: Any, tmp_path: Path) -> None:
        probe(_raise(NotFoundError("no memory m-1", hint="see `gitmem list`")))
        assert gitmem("probe", at=tmp_path).err == "gitmem: error: no memory m-1\nhint: see `gitmem list`\n"

    def test_after_an_answer_no_second_document_follows(self, probe: Any, tmp_path: Path) -> None:
        def answers_and_fails(invocation: Invocation) -> int:
            invocation.emit_json({"done": True})
            raise RaceError("lost")

        probe(answers_and_fails)
        done = gitmem("probe", "--json", at=tmp_path)
        assert (done.code, done.document) == (4, {"done": True})

    def test_a_bug_shows_its_traceback_only_when_asked(self, probe: Any, tmp_path: Path) -> None:
        probe(_raise(ValueError("odd")))
        quiet, loud = gitmem("probe", at=tmp_path), gitmem("probe", "-v", at=tmp_path)
        debug = gitmem("probe", at=tmp_path, environment={"GITMEM_DEBUG": "1"})
        assert "Traceback" not in quiet.err
        assert f"ValueError: odd (gitmem {__version__}" in quiet.err
        assert "please report it" in quiet.err
        assert "Traceback" in loud.err
        assert "Traceback" in debug.err

    def test_an_interrupt_is_one_line(self, probe: Any, tmp_path: Path) -> None:
        probe(_raise(KeyboardInterrupt()))
        done = gitmem("probe", at=tmp_path)
        assert (done.code, done.err) == (130, "gitmem: interrupted\n")

    def test_what_a_command_returns_is_the_exit_code(self, probe: Any, tmp_path: Path) -> None:
        probe(lambda _invocation: 1)
        assert gitmem("probe", at=tmp_path).code == 1


class TestUsage:
    @pytest.mark.parametrize(
        ("words", "message", "hint"),
        [
            (["prob"], "no such command: prob", "did you mean `gitmem probe`?"),
            (["xyzzy"], "no such command: xyzzy", "see `gitmem --help`"),
            (["deep", "prob"], "no such command: prob", "did you mean `gitmem deep probe`?"),
            (["probe", "--jsom"], "no such option: --jsom", "did you mean --json?"),
            (["probe", "-Z"], "no such option: -Z", "see `gitmem probe --help`"),
            (["probe", "extra"], "got unexpected extra argument (extra)", "see `gitmem probe --help`"),
            (
                ["probe", "--color", "red"],
                "invalid value for '--color': 'red' is not one of 'auto', 'always', 'never'",
                "see `gitmem probe --help`",
            ),
        ],
    )
    def test_says_what_is_wrong_and_what_was_meant(
        self, words: list[str], message: str, hint: str, probe: Any, tmp_path: Path
    ) -> None:
        probe(lambda _invocation: 0)
        done = gitmem(*words, at=tmp_path)
        assert (done.code, done.err) == (2, f"gitmem: error: {message}\nhint: {hint}\n")
        told = gitmem(*words, "--json", at=tmp_path)
        assert told.code == 2
        assert told.document["error"]["kind"] == "usage"

    def test_json_behind_a_double_dash_belongs_to_somebody_else(self, probe: Any, tmp_path: Path) -> None:
        probe(lambda _invocation: 0)
        assert gitmem("probe", "--", "--json", at=tmp_path).out == ""

    @pytest.mark.parametrize("words", [[], ["deep"]])
    def test_without_a_command_the_help_goes_to_stderr(
        self, words: list[str], probe: Any, tmp_path: Path
    ) -> None:
        probe(lambda _invocation: 0)
        done = gitmem(*words, at=tmp_path)
        assert (done.code, done.out) == (2, "")
        assert "probe  A probe" in done.err

    @pytest.mark.parametrize(
        "words",
        [
            [HOSTILE],
            ["probe", f"--{HOSTILE}"],
            ["probe", HOSTILE],
            ["probe", "--color", HOSTILE],
            ["-C", HOSTILE, "probe"],
        ],
    )
    def test_argv_never_reaches_the_terminal_raw(self, words: list[str], probe: Any, tmp_path: Path) -> None:
        probe(lambda _invocation: 0)
        done = gitmem(*words, at=tmp_path)
        assert done.code in (2, 3)
        assert not set(done.err) & set("\x1b\x07\u202e\u200b\r")
        assert not any(line.startswith("::") for line in done.err.splitlines())


class TestAnswers:
    def test_json_reads_back_equal_and_hides_nothing(self, probe: Any, tmp_path: Path) -> None:
        document = {
            "path": "소스/\udcff.py",
            "text": HOSTILE,
            "tag": "\U000e0041",
            "kept": "한국어 日本語 中文 👍🏽",
        }
        probe(lambda invocation: invocation.emit_json(document))
        done = gitmem("probe", at=tmp_path)
        assert done.document == document
        assert done.out.endswith("\n")
        assert done.out.rstrip("\n").isprintable()
        assert "한국어 日本語 中文 👍🏽" in done.out

    def test_notes_go_to_stderr_unless_quiet(self, probe: Any, tmp_path: Path) -> None:
        probe(lambda invocation: invocation.note(f"read {HOSTILE}"))
        assert gitmem("probe", at=tmp_path).err.startswith(
            r"read \x1b]0;owned\x07\u202e\u200b\r\n::error::x\xff"
        )
        assert gitmem("probe", "-q", at=tmp_path).err == ""


class TestProcess:
    """What only a process of its own can show."""

    SCRIPT = """
import sys
from gitmem.cli import app
from gitmem.cli.command import command
from gitmem.cli.table import Entry
import gitmem._main
@command("probe", examples=["gitmem probe"])
def probe(invocation):
    {body}
app.SECTIONS = {{"Test": {{"probe": Entry("__main__:probe", "A probe")}}}}
sys.argv = ["gitmem", "probe"]
sys.exit(gitmem._main.main())
"""

    def _run(self, body: str, shell: str = '"$@"', **environment: str) -> subprocess.CompletedProcess[bytes]:
        script = self.SCRIPT.format(body=body)
        return subprocess.run(
            ["bash", "-c", shell, "bash", sys.executable, "-c", script],
            env={"PATH": os.environ["PATH"], **environment},
            capture_output=True,
            check=False,
        )

    def test_a_reader_that_leaves_is_not_a_failure_to_talk_about(self) -> None:
        done = self._run("invocation.emit_text(['x' * 99] * 9999)", '"$@" | head -0; exit ${PIPESTATUS[0]}')
        assert (done.returncode, done.stderr) == (141, b"")

    def test_a_full_disk_is_told(self) -> None:
        done = self._run("invocation.emit_text(['x'])", '"$@" > /dev/full')
        assert (done.returncode, done.stderr) == (
            3,
            (
                b"gitmem: error: cannot write the output: No space left on device\n"
                b"hint: make room where it goes, or send it elsewhere\n"
            ),
        )

    def test_an_interrupt_before_anything_has_begun_ends_without_a_trace(self) -> None:
        script = "import os, sys, _signal; sys.argv = ['/x/gitmem']; import gitmem._main; os.kill(os.getpid(), _signal.SIGINT)"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (130, b"gitmem: interrupted\n")

    def test_a_program_that_imports_the_entry_point_keeps_its_own_interrupts(self) -> None:
        script = (
            "import signal; import gitmem._main; print(signal.getsignal(2) is signal.default_int_handler)"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
        assert done.stdout == b"True\n"

    def test_a_closed_stdout_is_no_bug(self) -> None:
        done = self._run("invocation.emit_text(['x'])", '"$@" >&-')
        assert (done.returncode, done.stderr) == (0, b"")

    @pytest.mark.parametrize(
        "environment",
        [
            {"LC_ALL": "C"},
            {"PYTHONIOENCODING": "ascii"},
            {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        ],
    )
    def test_no_encoding_makes_it_crash(self, environment: dict[str, str]) -> None:
        text = "chr(0xd55c) + chr(0xdcff)"
        body = f"[f({text}) for f in (invocation.emit_text, invocation.warn)]; invocation.emit_json({{{text}: 1}})"
        done = self._run(body, **environment)
        assert done.returncode == 0, done.stderr
        assert done.stdout.endswith('{"한\\udcff": 1}\n'.encode())

    def test_the_program_called_as_git_mem_says_so(self, tmp_path: Path) -> None:
        script = (
            "import sys; sys.argv = ['/x/git-mem', '-h']; from gitmem._main import main; sys.exit(main())"
        )
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert done.stdout.startswith("Usage: git mem ")


class TestHelpAndCompletion:
    def test_help_of_a_command_is_its_help(self, tmp_path: Path) -> None:
        assert (
            gitmem("help", "completion", at=tmp_path).out == gitmem("completion", "--help", at=tmp_path).out
        )
        assert gitmem("help", at=tmp_path).out == gitmem("--help", at=tmp_path).out

    def test_help_of_nothing_is_a_usage_error(self, tmp_path: Path) -> None:
        assert gitmem("help", "nothing", at=tmp_path).code == 2

    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_completion_scripts_name_the_program(self, shell: str, tmp_path: Path) -> None:
        assert "_GITMEM_COMPLETE" in gitmem("completion", shell, at=tmp_path).out

    def test_the_shell_is_answered(self, tmp_path: Path) -> None:
        environment = {"_GITMEM_COMPLETE": "bash_complete", "COMP_WORDS": "gitmem comp", "COMP_CWORD": "1"}
        assert gitmem_process(at=tmp_path, environment=environment).out == "plain,completion\n"


def test_the_table_names_commands_that_exist() -> None:
    group = app.root()
    context = click.Context(group)
    for words in _commands():
        found: click.Command | None = group
        for word in words:
            assert isinstance(found, LazyGroup)
            found = found.get_command(context, word)
        assert found is not None
