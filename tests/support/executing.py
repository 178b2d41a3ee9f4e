"""Running a command through `run_command` in a process of its own, as the command line does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

PROGRAM = (
    "import sys\n"
    "from gitmem.running.process import run_command\n"
    "kept = bytearray()\n"
    "ended = run_command(sys.argv[2:], keep=kept.extend)\n"
    "open(sys.argv[1], 'wb').write(kept)\n"
    "sys.exit(ended.exit_code)\n"
)


def through(log: Path, *command: str) -> list[str]:
    """Arguments of a process that runs a command, keeps its output in a file and exits as it does."""
    return [sys.executable, "-c", PROGRAM, str(log), *command]


def run_through(log: Path, *command: str, **settings: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(through(log, *command), capture_output=True, check=False, **settings)
