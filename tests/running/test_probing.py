"""Commands that misbehave, run for real."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.running.probing import Ending, ProbeEnd, run_probe
from gitmem.running.spool import Spool

ENVIRONMENT = {"PATH": os.environ["PATH"]}
ON_LINUX = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="nothing tells who descends from whom"
)


def run(
    script: str, folder: Path, *, limit: float = 20, most_output: int = 1 << 20
) -> tuple[ProbeEnd, bytes]:
    kept = bytearray()
    end = run_probe(
        ["/bin/sh", "-c", script],
        folder=folder,
        env=ENVIRONMENT,
        limit=limit,
        keep=kept.extend,
        most_output=most_output,
    )
    return end, bytes(kept)


class Sign:
    """A named pipe that processes hold open while they live: its end is the end of all of them."""

    def __init__(self, folder: Path) -> None:
        os.mkfifo(folder / "sign")
        self._descriptor = os.open(folder / "sign", os.O_RDONLY | os.O_NONBLOCK)

    def read(self) -> bytes:
        """What one of them wrote; empty when none of them lives any more."""
        ready, _, _ = select.select([self._descriptor], [], [], 30)
        assert ready, "somebody lives on and says nothing"
        return os.read(self._descriptor, 100)

    def is_gone(self) -> bool:
        return self.read() == b""


def test_output_exit_status_and_folder_are_those_of_the_command(tmp_path: Path) -> None:
    end, output = run("pwd; echo err >&2; exit 3", tmp_path)

    assert output.decode() == f"{tmp_path}\nerr\n"
    assert (end.ending, end.exit_code, end.signal, end.left) == (Ending.ENDED, 3, None, 0)


def test_only_the_environment_given_is_there(tmp_path: Path) -> None:
    end, output = run("env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD= -e ^LC_CTYPE=", tmp_path)

    assert end.exit_code == 0
    assert output.decode() == f"PATH={os.environ['PATH']}\n"


def test_a_command_that_asks_meets_the_end_of_input_and_no_terminal(tmp_path: Path) -> None:
    end, output = run("read answer; echo read $?; (exec < /dev/tty) 2>/dev/null || echo none", tmp_path)

    assert (end.exit_code, output) == (0, b"read 1\nnone\n")


def test_a_hanging_command_is_ended_with_its_children_even_if_it_ignores_the_request(tmp_path: Path) -> None:
    sign = Sign(tmp_path)
    end, _ = run("trap '' TERM; exec 9>sign; sleep 300 & sleep 300; sleep 300", tmp_path, limit=0.3)

    assert (end.ending, end.exit_code) == (Ending.LATE, None)
    assert sign.is_gone()


@ON_LINUX
def test_daemons_that_forked_away_into_sessions_of_their_own_are_ended(tmp_path: Path) -> None:
    sign = Sign(tmp_path)
    script = "exec 9>sign; (setsid sh -c 'sleep 300 & touch up' &); until [ -e up ]; do :; done"
    end, _ = run(script, tmp_path)

    assert end.exit_code == 0
    assert end.left >= 1
    assert sign.is_gone()


@ON_LINUX
def test_many_forks_are_all_ended(tmp_path: Path) -> None:
    end, _ = run("for i in $(seq 40); do sleep 300 & done", tmp_path)

    assert (end.exit_code, end.left) == (0, 40)


def test_a_flood_is_stopped_and_kept_within_bounds(tmp_path: Path) -> None:
    end, output = run("yes $(seq 100)", tmp_path)

    assert (end.ending, end.exit_code) == (Ending.FLOODED, None)
    assert 1 << 20 <= len(output) < 2 << 20


def test_much_output_takes_no_more_room_than_the_spool_has(tmp_path: Path) -> None:
    with Spool(first=1000, last=2000) as spool:
        end = run_probe(
            ["/bin/sh", "-c", "head -c 48000000 /dev/zero | tr '\\0' '\\n'; echo last"],
            folder=tmp_path,
            env=ENVIRONMENT,
            limit=60,
            keep=spool.write,
        )
        content = spool.content()

    assert end.exit_code == 0
    assert spool.size == 48_000_005
    assert len(content) < 4000
    assert content.endswith(b"\nlast\n")


@pytest.mark.parametrize(
    "killing",
    ["kill -9 $PPID", "kill -9 -$(ps -o pgid= -p $PPID | tr -d ' ') $PPID"],
    ids=["at once", "group"],
)
def test_a_command_that_kills_its_parent_reaches_only_what_watches_it_and_is_ended(
    tmp_path: Path, killing: str
) -> None:
    sign = Sign(tmp_path)
    end, _ = run(f"exec 9>sign; {killing}; sleep 300", tmp_path)

    assert (end.ending, end.exit_code) == (Ending.LOST, None)
    assert sign.is_gone()


def test_a_command_that_stops_what_watches_it_holds_nobody_up(tmp_path: Path) -> None:
    end, _ = run("kill -STOP $PPID; exit 3", tmp_path)

    assert (end.ending, end.exit_code) == (Ending.ENDED, 3)


def test_a_signal_that_ended_it_is_told(tmp_path: Path) -> None:
    end, _ = run("kill -TERM $$", tmp_path)

    assert (end.exit_code, end.signal) == (143, signal.SIGTERM)


def test_a_program_that_is_not_there_is_not_started(tmp_path: Path) -> None:
    end = run_probe(["/no/such/shell"], folder=tmp_path, env={}, limit=5, keep=lambda _: None)

    assert (end.ending, end.why) == (Ending.NOT_STARTED, os.strerror(2))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_whatever_ends_the_caller_ends_the_command(tmp_path: Path, number: signal.Signals) -> None:
    sign = Sign(tmp_path)
    caller = (
        "import pathlib\n"
        "from gitmem.running.probing import run_probe, stop_signals_interrupt\n"
        "with stop_signals_interrupt():\n"
        "    try:\n"
        "        run_probe(['/bin/sh', '-c', 'echo up >sign; exec sleep 300 >sign'],"
        " folder=pathlib.Path('.'), env={'PATH': '/usr/bin:/bin'}, limit=60, keep=len)\n"
        "    except KeyboardInterrupt:\n"
        "        pathlib.Path('cleaned').touch()\n"
    )
    child = subprocess.Popen([sys.executable, "-c", caller], cwd=tmp_path)
    assert sign.read() == b"up\n"
    child.send_signal(number)
    child.wait()

    assert sign.is_gone()
    assert (tmp_path / "cleaned").exists() == (number != signal.SIGKILL)
