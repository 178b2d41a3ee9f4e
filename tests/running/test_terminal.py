"""At a terminal the command has one too, with the same size, keys and signals, and the outer one is left as it was."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest

from tests.support.executing import through


@pytest.fixture
def spawned() -> Iterator[list[Any]]:
    children: list[Any] = []
    yield children
    for child in children:
        child.close(force=True)


def spawn(spawned: list[Any], log: Path, *command: str, size: tuple[int, int] = (33, 77)) -> Any:
    program, *arguments = through(log, *command)
    child = pexpect.spawn(program, arguments, dimensions=size, timeout=60, encoding="utf-8", echo=True)
    spawned.append(child)
    return child


def ended(child: Any) -> int:
    child.expect(pexpect.EOF)
    child.wait()
    return int(child.exitstatus)


def test_the_command_sees_a_terminal_of_the_same_size(spawned: list[Any], tmp_path: Path) -> None:
    child = spawn(spawned, tmp_path / "log", "sh", "-c", "test -t 0 && test -t 1 && test -t 2 && stty size")
    child.expect("33 77\r\n")
    assert ended(child) == 0
    assert (tmp_path / "log").read_bytes() == b"33 77\r\n"


def test_a_change_of_size_is_passed_on(spawned: list[Any], tmp_path: Path) -> None:
    script = "trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.05; done"
    child = spawn(spawned, tmp_path / "log", "sh", "-c", script)
    child.expect("ready")
    child.setwinsize(44, 99)
    child.expect("44 99")
    assert ended(child) == 0


def test_keys_reach_the_command(spawned: list[Any], tmp_path: Path) -> None:
    child = spawn(spawned, tmp_path / "log", "sh", "-c", "read name; echo hello $name")
    child.sendline("세계")
    child.expect("hello 세계")
    assert ended(child) == 0


def test_end_of_input_by_key(spawned: list[Any], tmp_path: Path) -> None:
    child = spawn(spawned, tmp_path / "log", "sh", "-c", "echo ready; cat; exit 6")
    child.expect("ready")
    child.sendeof()
    assert ended(child) == 6


@pytest.mark.parametrize(("key", "name", "code"), [("c", "INT", 41), ("\\", "QUIT", 41)])
def test_the_interrupt_key_arrives_once(
    key: str, name: str, code: int, spawned: list[Any], tmp_path: Path
) -> None:
    script = _counting(name) + f"; exit {code}"
    child = spawn(spawned, tmp_path / "log", "sh", "-c", script)
    child.expect("ready")
    child.sendcontrol(key)
    child.expect("count 1\r\n")
    assert ended(child) == code


def _counting(name: str) -> str:
    """A script that says how often a signal came until a moment after the first."""
    wait = "while test $n = 0; do sleep 0.05; done; sleep 0.2; echo count $n"
    return f"n=0; trap 'n=$((n+1))' {name}; echo ready; {wait}"


def test_a_signal_to_this_process_reaches_the_command(spawned: list[Any], tmp_path: Path) -> None:
    script = "trap 'echo told; exit 42' TERM; echo ready; while :; do sleep 0.05; done"
    child = spawn(spawned, tmp_path / "log", "sh", "-c", script)
    child.expect("ready")
    os.kill(child.pid, signal.SIGTERM)
    child.expect("told")
    assert ended(child) == 42


def test_the_outer_terminal_is_raw_meanwhile_and_as_before_after(spawned: list[Any], tmp_path: Path) -> None:
    inner = shlex.join([sys.executable, str(_program(tmp_path)), "sh", "-c", "echo ready; read line"])
    child = pexpect.spawn(
        "sh", ["-c", f"stty -g; {inner}; stty -g"], timeout=60, encoding="utf-8", echo=False
    )
    spawned.append(child)
    child.expect(r"([0-9a-f:]{20,})\r\n")
    before = child.match[1]
    child.expect("ready")
    assert not termios.tcgetattr(child.child_fd)[3] & termios.ICANON
    child.send("\n")
    child.expect(r"([0-9a-f:]{20,})\r\n")
    assert child.match[1] == before


def _program(folder: Path) -> Path:
    program = folder / "program.py"
    program.write_text(
        "import sys\n"
        "from gitmem.running.process import run_command\n"
        "sys.exit(run_command(sys.argv[1:], keep=lambda _: None).exit_code)\n"
    )
    return program


def test_the_outer_terminal_is_as_before_when_the_program_is_not_there(
    spawned: list[Any], tmp_path: Path
) -> None:
    child = spawn(spawned, tmp_path / "log", "no-such-program-anywhere")
    assert ended(child) == 127


def test_piped_input_beside_a_terminal(spawned: list[Any], tmp_path: Path) -> None:
    script = f"echo piped | '{sys.executable}' '{_program(tmp_path)}' sh -c 'cat; test -t 1 && echo terminal'"
    child = pexpect.spawn("sh", ["-c", script], timeout=60, encoding="utf-8")
    spawned.append(child)
    child.expect_exact("piped\r\nterminal\r\n")
    assert ended(child) == 0


def test_errors_sent_elsewhere_stay_apart(spawned: list[Any], tmp_path: Path) -> None:
    errors = tmp_path / "errors"
    script = f"'{sys.executable}' '{_program(tmp_path)}' sh -c 'echo out; echo err >&2' 2>'{errors}'"
    child = pexpect.spawn("sh", ["-c", script], timeout=60, encoding="utf-8")
    spawned.append(child)
    child.expect_exact("out\r\n")
    assert ended(child) == 0
    assert errors.read_bytes() == b"err\n"


def test_output_sent_on_at_a_terminal_is_interrupted_once(spawned: list[Any], tmp_path: Path) -> None:
    (tmp_path / "inner.sh").write_text(_counting("INT"))
    script = f"'{sys.executable}' '{_program(tmp_path)}' sh '{tmp_path}/inner.sh' | (trap '' INT; cat)"
    child = pexpect.spawn("sh", ["-c", script], timeout=60, encoding="utf-8")
    spawned.append(child)
    child.expect("ready")
    child.sendcontrol("c")
    child.expect("count 1\r\n")


def test_stopping_by_the_shell_and_going_on(spawned: list[Any], tmp_path: Path) -> None:
    """A stop signal stops both and gives the terminal back; going on takes it again."""
    child = spawn(spawned, tmp_path / "log", "sh", "-c", "echo ready; read line; echo went on")
    child.expect("ready")
    os.kill(child.pid, signal.SIGTSTP)
    _, status = os.waitpid(child.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    assert termios.tcgetattr(child.child_fd)[3] & termios.ICANON
    os.kill(child.pid, signal.SIGCONT)
    child.sendline("x")
    child.expect("went on")
    assert ended(child) == 0


def test_a_terminal_that_goes_away_ends_the_command(tmp_path: Path) -> None:
    marker = tmp_path / "hung-up"
    script = f"trap 'echo yes > {marker}; exit' HUP; echo ready; while :; do sleep 0.05; done"
    program, *arguments = through(tmp_path / "log", "sh", "-c", script)
    child = pexpect.spawn(program, arguments, timeout=60, encoding="utf-8")
    child.expect("ready")
    child.close(force=False)
    subprocess.run(["sh", "-c", f"while ! test -s '{marker}'; do sleep 0.05; done"], timeout=60, check=True)
