"""A command that is run through behaves as alone: streams, signals, exit status."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from gitmem.running.process import Ended, Streams, run_command
from tests.support.executing import run_through, through


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[bytes]]]:
    processes: list[subprocess.Popen[bytes]] = []
    yield processes
    for process in processes:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def sh(script: str) -> tuple[str, ...]:
    return ("sh", "-c", script)


def test_both_streams_stay_apart_and_the_log_has_both(log: Path) -> None:
    done = run_through(log, *sh("echo out; echo err >&2; exit 7"))
    assert (done.returncode, done.stdout, done.stderr) == (7, b"out\n", b"err\n")
    assert sorted(log.read_bytes().splitlines()) == [b"err", b"out"]


def test_every_byte_passes(log: Path) -> None:
    data = bytes(range(256)) * 5000
    done = run_through(log, "cat", input=data)
    assert done.stdout == data
    assert log.read_bytes() == data


def test_input_may_be_closed(log: Path) -> None:
    done = run_through(log, *sh("cat 2>/dev/null; echo done"), preexec_fn=lambda: os.close(0))
    assert done.stdout == b"done\n"


def test_output_may_be_closed(log: Path) -> None:
    done = run_through(log, *sh("echo hi; exit 3"), preexec_fn=lambda: os.close(1))
    assert done.returncode == 3


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("true",), 0),
        (("false",), 1),
        (sh("exit 255"), 255),
        (sh("kill -KILL $$"), 128 + 9),
        (sh("kill -SEGV $$"), 128 + 11),
        (("no-such-program-anywhere",), 127),
        (("/etc/hostname/below",), 127),
        (("/",), 126),
        (("",), 127),
    ],
)
def test_the_exit_status_is_the_shells(command: tuple[str, ...], code: int) -> None:
    assert run_command(command, keep=lambda _: None).exit_code == code


def test_what_ended_it_is_told() -> None:
    ended = run_command(sh("kill -TERM $$"), keep=lambda _: None)
    assert (ended.signal, ended.not_started) == (signal.SIGTERM, "")
    assert run_command(("no-such-program",), keep=lambda _: None).not_started == "No such file or directory"


def test_a_file_without_the_right_to_be_executed(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("echo no")
    assert run_command((str(script),), keep=lambda _: None).exit_code == 126


def test_a_script_without_a_first_line_goes_to_sh(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text('echo "got $1"')
    script.chmod(0o755)
    kept = bytearray()
    read, write = os.pipe()
    run_command((str(script), "한글"), keep=kept.extend, streams=Streams(0, write, 2))
    os.close(write)
    assert (bytes(kept), os.read(read, 100)) == ("got 한글\n".encode(), "got 한글\n".encode())
    os.close(read)


def test_descriptors_of_the_caller_reach_the_command(log: Path) -> None:
    read, write = os.pipe()
    writes = f"import os; os.write({write}, b'there\\n')"
    run_through(log, sys.executable, "-c", writes, pass_fds=(write,))
    os.close(write)
    assert os.read(read, 100) == b"there\n"
    os.close(read)


def test_a_reader_that_goes_away_ends_the_command(log: Path, started: list[subprocess.Popen[bytes]]) -> None:
    process = subprocess.Popen(through(log, "yes"), stdout=subprocess.PIPE)
    started.append(process)
    assert process.stdout is not None
    assert process.stdout.read(4) == b"y\ny\n"
    process.stdout.close()
    assert process.wait(60) == 128 + signal.SIGPIPE


def test_what_lives_on_does_not_hold_up(log: Path) -> None:
    """The sleeping grandchild keeps both pipes open for longer than any test may last."""
    done = run_through(log, *sh("sleep 300 & echo $!"), timeout=60)
    os.kill(int(done.stdout), signal.SIGKILL)
    assert done.returncode == 0


def test_one_who_writes_on_for_ever_does_not_hold_up(log: Path) -> None:
    done = run_through(log, *sh("yes & echo pid $! >&2; exit 5"), timeout=60)
    assert done.returncode == 5
    pid = int(done.stderr.split()[-1])
    with suppress(ProcessLookupError):  # the broken pipe may have been quicker
        os.kill(pid, signal.SIGKILL)


def test_output_closed_early_is_no_end(log: Path) -> None:
    done = run_through(log, *sh("exec >&- 2>&-; read line; exit 9"), input=b"go\n", timeout=60)
    assert done.returncode == 9


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP", "QUIT", "USR1", "USR2"])
def test_a_signal_reaches_the_whole_group(
    name: str, log: Path, started: list[subprocess.Popen[bytes]]
) -> None:
    """Both the command and its child count: each says that it was reached."""
    inner = f"trap 'echo child; exit' {name}; echo ready; while :; do sleep 0.05; done"
    script = f"trap 'echo parent; exit 33' {name}; sh -c \"{inner}\"; echo too late"
    process = subprocess.Popen(through(log, *sh(script)), stdout=subprocess.PIPE, start_new_session=True)
    started.append(process)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(getattr(signal, f"SIG{name}"))
    assert sorted(process.stdout.read().split()) == [b"child", b"parent"]
    assert process.wait(60) == 33


def test_a_signal_that_the_command_does_not_catch_ends_it(
    log: Path, started: list[subprocess.Popen[bytes]]
) -> None:
    process = subprocess.Popen(
        through(log, *sh("echo ready; exec sleep 300")), stdout=subprocess.PIPE, start_new_session=True
    )
    started.append(process)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    process.terminate()
    assert process.wait(60) == 128 + signal.SIGTERM


def test_what_the_caller_ignores_stays_ignored(log: Path, started: list[subprocess.Popen[bytes]]) -> None:
    process = subprocess.Popen(
        through(log, *sh("echo ready; kill -HUP $$; echo alive")),
        stdout=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),  # noqa: PLW1509 - one thread
    )
    started.append(process)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGHUP)
    assert process.stdout.read() == b"alive\n"
    assert process.wait(60) == 0


def test_stopping_stops_the_command_too(log: Path, started: list[subprocess.Popen[bytes]]) -> None:
    process = subprocess.Popen(
        through(log, *sh("echo $$; read line; echo went on")),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    started.append(process)
    assert process.stdout is not None
    assert process.stdin is not None
    child = int(process.stdout.readline())
    process.send_signal(signal.SIGTSTP)
    _, status = os.waitpid(process.pid, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    assert _state(child) == "T"
    process.send_signal(signal.SIGCONT)
    process.stdin.write(b"x\n")
    process.stdin.close()
    assert process.stdout.read() == b"went on\n"
    assert process.wait(60) == 0


def _state(pid: int) -> str:
    told = subprocess.run(["ps", "-o", "state=", "-p", str(pid)], capture_output=True, check=True)
    return told.stdout.decode().strip()[:1]


def test_handlers_and_descriptors_are_as_before() -> None:
    def held() -> tuple[object, ...]:
        return tuple(map(signal.getsignal, signal.valid_signals())), len(list(Path("/dev/fd").iterdir()))

    before = held()
    run_command(sh("echo x >/dev/null"), keep=lambda _: None)
    run_command(("no-such-program",), keep=lambda _: None)
    assert held() == before


def test_much_output_takes_little_memory() -> None:
    """With a limit on memory that the output alone would pass."""
    size = 400_000_000
    program = (
        "import resource, sys\n"
        "from gitmem.running.process import run_command\n"
        "from gitmem.running.spool import Spool\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({size // 2}, {size // 2}))\n"
        "with Spool() as spool:\n"
        f"    run_command(['head', '-c', '{size}', '/dev/zero'], keep=spool.write)\n"
        "    print(spool.size, spool.failed, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True
    )
    assert done.stderr.split() == [str(size).encode()]


def test_how_long_it_took_is_told() -> None:
    assert isinstance(run_command(("true",), keep=lambda _: None), Ended)
    assert 0 < run_command(("true",), keep=lambda _: None).duration_s < 30
