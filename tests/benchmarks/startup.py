"""Start-up: what a command costs before it does anything."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from gitmem.git.opening import open_repository
from gitmem.store.hook_files import LAUNCHER
from gitmem.store.ledger import RunLedger
from gitmem.usecases.hooks import install
from gitmem.usecases.runs.starting import start_run
from tests.benchmarks.measure import BASE, base, command_cpu, gitmem_program, race, ratio_row, rounds
from tests.benchmarks.rows import NotRunError, Row
from tests.support.repo import Repo

HELP_GOAL = 0.6
HOOK_GOAL = 0.3
AGENT_HOOK_GOAL = 0.35
COMMANDS = (
    (("--version",), HELP_GOAL),
    (("--help",), HELP_GOAL),
    (("drift", "--help"), HELP_GOAL),
    (("run", "start", "--help"), HELP_GOAL),
    (("status",), None),
)


def rows(quick: bool) -> Iterator[Row]:
    program = gitmem_program()
    with tempfile.TemporaryDirectory() as folder:
        repo = Repo(Path(folder) / "repo")
        repo.commit("Start", {"src/a.py": "A = 1\n"})
        for arguments, goal in COMMANDS:
            yield _row(program, arguments, goal, repo.path, rounds(quick))
        yield _hook(repo, rounds(quick))
        yield from _agent_hooks(program, repo, rounds(quick))


def _hook(repo: Repo, times: int) -> Row:
    """The post-commit hook as git calls it: the launcher, the interpreter, git, and one event more each time."""
    install(open_repository(repo.path))
    with RunLedger.open(repo.path) as ledger:
        start_run(ledger, "task", actor="human")
    call = [str(repo.path / ".git" / LAUNCHER), "post-commit"]
    tips = repo.git("for-each-ref", "refs/ai")
    figures = race({"work": lambda: command_cpu(call, cwd=repo.path), "base": base}, rounds=times)
    if repo.git("for-each-ref", "refs/ai") == tips:
        return Row("post-commit hook", BASE, HOOK_GOAL, None, None, "it recorded nothing")
    return ratio_row("post-commit hook", BASE, HOOK_GOAL, figures, detail="whole process, one event recorded")


def _agent_hooks(program: str, repo: Repo, times: int) -> Iterator[Row]:
    """What an agent's hook costs; a session each time, since an event that was answered is not answered again."""
    tool = {"tool_name": "Bash", "tool_input": {"command": "git status"}, "tool_response": {"stdout": ""}}
    told: dict[str, tuple[dict[str, Any], float | None]] = {
        "a command that is no test": ({"hook_event_name": "PostToolUse", **tool}, AGENT_HOOK_GOAL),
        "a prompt, nothing to tell": ({"hook_event_name": "UserPromptSubmit", "prompt": "go on"}, None),
        "session start": ({"hook_event_name": "SessionStart", "source": "startup"}, None),
    }
    numbers = count()
    for what, (event, goal) in told.items():

        def work(event: Mapping[str, Any] = event) -> float:
            whole = {"session_id": f"s-{next(numbers)}", "cwd": str(repo.path), **event}
            call = [
                "sh",
                "-c",
                'printf %s "$1" | "$2" hook agent claude-code',
                "sh",
                json.dumps(whole),
                program,
            ]
            return command_cpu(call, cwd=repo.path)

        figures = race({"work": work, "base": base}, rounds=times)
        yield ratio_row(f"agent hook: {what}", BASE, goal, figures, detail="whole process")


def _row(program: str, arguments: tuple[str, ...], goal: float | None, where: Path, times: int) -> Row:
    work = f"gitmem {' '.join(arguments)}"
    try:
        figures = race(
            {"work": lambda: command_cpu([program, *arguments], cwd=where), "base": base}, rounds=times
        )
    except NotRunError as reason:
        return Row(work, BASE, goal, None, None, str(reason))
    return ratio_row(work, BASE, goal, figures, detail="whole process")
