"""How the figures are taken: CPU seconds of whole process trees, arms interleaved, medians.

The machine is shared, so wall time says little; user and system time of a process with everything it waited for
says what the work costs. Ratios are only ever built from arms of one race.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from tests.benchmarks.rows import NotRunError, Row
from tests.support.repo import sealed_environment

Arm = Callable[[], float]

BASE = "python -c 'import pygit2'"


def rounds(quick: bool) -> int:
    """How often each arm runs."""
    return 3 if quick else 5


def command_cpu(
    argv: Sequence[str], *, cwd: Path | None = None, stdin: bytes = b"", codes: Collection[int] = (0,)
) -> float:
    """CPU seconds of one command with everything it waited for; its output is thrown away.

    Raises:
        NotRunError: When it ends with another code than those expected; the message holds its error output.
    """
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as complaints:
        given.write(stdin)
        given.seek(0)
        process = subprocess.Popen(
            argv,
            cwd=cwd,
            env=sealed_environment(Path(tempfile.gettempdir())),
            stdin=given,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in codes:
            complaints.seek(0)
            said = complaints.read().decode(errors="replace").strip().rpartition("\n")[2][:200]
            called = " ".join([Path(argv[0]).name, *argv[1:]])[:100]
            raise NotRunError(f"{called} ended with {process.returncode}: {said}")
    return usage.ru_utime + usage.ru_stime


def own_cpu(work: Callable[[], object]) -> float:
    """CPU seconds of this process and of its children during one call."""
    before = time.process_time() + children_cpu()
    work()
    return time.process_time() + children_cpu() - before


def children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def race(arms: Mapping[str, Arm], *, rounds: int) -> dict[str, float]:
    """Median seconds of each arm: one warm-up, then all arms in turn, `rounds` times."""
    taken: dict[str, list[float]] = {name: [] for name in arms}
    for arm in arms.values():
        arm()
    for _ in range(rounds):
        for name, arm in arms.items():
            taken[name].append(arm())
    return {name: statistics.median(seconds) for name, seconds in taken.items()}


def base() -> float:
    """One run of BASE (targets.md)."""
    return command_cpu([sys.executable, "-c", "import pygit2"])


def gitmem_program() -> str:
    """Path of the installed command, beside this interpreter.

    Raises:
        NotRunError: When it is not installed there.
    """
    program = Path(sys.executable).with_name("gitmem")
    if not program.exists():
        raise NotRunError(f"no gitmem command beside {Path(sys.executable).name}: pip install -e .")
    return str(program)


def ratio_row(
    work: str,
    against: str,
    goal: float | None,
    figures: Mapping[str, float],
    *,
    arms: tuple[str, str] = ("work", "base"),
    detail: str = "",
) -> Row:
    """A row from two arms of one race: what was measured, and what it is divided by."""
    measured, divisor = (figures[arm] for arm in arms)
    said = f"{measured * 1000:.1f} ms" + (f"; {detail}" if detail else "")
    return Row(work, against, goal, measured / divisor, divisor * 1000, said)
