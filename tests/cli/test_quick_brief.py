"""The warm brief: what was kept is told only as long as it equals what would be told anew."""

from __future__ import annotations

import io
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from unittest.mock import patch

import click
import pytest

from gitmem.cli import quick_brief
from gitmem.cli.brief import brief
from gitmem.git.opening import open_repository
from gitmem.store.ledger import RunLedger
from gitmem.usecases.runs.inbox import inbox
from tests.support.memories import hosted, memory, path_of
from tests.support.repo import Repo, sealed_environment

SLOW = frozenset(
    {
        "click",
        "pygit2",
        "ruamel",
        "pydantic",
        "re",
        "json",
        "dataclasses",
        "typing",
        "importlib.metadata",
        "subprocess",
    }
)
FILES = {
    path_of("retry"): memory("retry", "A failed payment is retried", scope="{paths: [src/pay.py]}"),
    path_of("header"): memory("header", "The gateway strips headers", scope="{paths: [src/gate.py]}"),
    "src/pay.py": "def pay():\n    return 1\n",
    "src/gate.py": "def strip():\n    return 2\n",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = Repo(tmp_path_factory.mktemp("quick") / "repo")
    repo.commit("Start", FILES)
    return repo


@pytest.fixture
def project(made: Repo, tmp_path: Path) -> Repo:
    shutil.copytree(made.path, tmp_path / "repo", symlinks=True)
    return Repo(tmp_path / "repo", init=False)


def told(repo: Repo, *arguments: str, **variables: str) -> str:
    """What the quick way answers; the code of a command that it leaves to the ordinary way is no text."""
    out = io.StringIO()
    with (
        patch.dict(os.environ, {**sealed_environment(repo.path.parent), **variables}, clear=True),
        patch.object(sys, "stdout", out),
        chdir(repo.path),
    ):
        assert quick_brief.quick_brief(arguments) == 0
    return out.getvalue()


def kept(repo: Repo) -> list[Path]:
    return sorted((repo.path / ".git/gitmem/cache").glob("brief-*.marshal"))


def anew(repo: Repo, *arguments: str) -> str:
    for file in kept(repo):
        file.unlink()
    return told(repo, *arguments)


def is_warm(repo: Repo, *arguments: str) -> bool:
    with patch.object(quick_brief, "_answer", side_effect=AssertionError):
        try:
            told(repo, *arguments)
        except AssertionError:
            return False
    return True


TASK = ("--task", "retry a failed payment")


def test_what_nothing_changed_under_is_told_from_what_was_kept(project: Repo) -> None:
    first = told(project, *TASK)
    assert "(id: `retry`)" in first
    assert is_warm(project, *TASK)
    assert told(project, *TASK) == first == anew(project, *TASK)
    assert not is_warm(project, "--task", "gateway")


def append(repo: Repo, event_type: str, **payload: object) -> None:
    with RunLedger(open_repository(repo.path)) as ledger:
        (ledger.current() or inbox(ledger)).append(event_type=event_type, actor="human", payload=payload)


def begin(repo: Repo) -> None:
    with RunLedger(open_repository(repo.path)) as ledger:
        run = ledger.run("run-1")
        run.append(event_type="task_created", actor="human", payload={"task": "t", "goal": "Retry payments"})
        ledger.set_current(run)


def leave_run(repo: Repo) -> None:
    with RunLedger(open_repository(repo.path)) as ledger:
        ledger.set_current(None)


CHANGES: dict[str, Callable[[Repo, int], object]] = {
    "commit code": lambda repo, n: repo.commit(f"c{n}", {"src/pay.py": f"def pay():\n    return {n} * 7\n"}),
    "commit elsewhere": lambda repo, n: repo.commit(f"e{n}", {f"docs/{n}.md": "x\n"}),
    "commit memory": lambda repo, n: repo.commit(f"m{n}", {path_of(f"pay-{n}"): memory(f"pay-{n}", f"Payment rule {n}")}),
    "commit policy": lambda repo, n: repo.commit(
        f"p{n}", {".ai/policies/compaction-policy.yaml": f"version: 1\nlimits: {{max_injected_files: {1 + n % 3}}}\n"}
    ),
    "edit": lambda repo, n: repo.write("src/gate.py", f"def strip():\n    return {n}\n"),
    "edit back": lambda repo, _: repo.git("checkout", "-q", "--", "src"),
    "new file": lambda repo, n: repo.write(f"src/new{n}.py", ""),
    "stage": lambda repo, _: repo.git("add", "-A", "src"),
    "branch": lambda repo, n: repo.git("checkout", "-q", "-b", f"topic-{n}"),
    "detach": lambda repo, _: repo.git("checkout", "-q", "--detach"),
    "back to main": lambda repo, _: repo.git("checkout", "-q", "-f", "main"),
    "reset": lambda repo, _: repo.git("reset", "-q", "--hard", "HEAD~1") if repo.git("rev-list", "--count", "HEAD") != "1" else None,
    "pack refs": lambda repo, _: repo.git("pack-refs", "--all"),
    "gc": lambda repo, _: repo.git("gc", "-q"),
    "begin": lambda repo, _: begin(repo),
    "leave": lambda repo, _: leave_run(repo),
    "event": lambda repo, n: append(repo, "finding_noted", finding=f"finding {n}"),
    "reject": lambda repo, n: append(repo, "approach_rejected", approach=f"approach {n}"),
    "candidate": lambda repo, n: append(repo, "memory_candidate", id=f"candidate-{n}", summary=f"lesson {n}"),
    "pause": lambda repo, _: append(repo, "run_paused", reason="lunch"),
    "ignore": lambda repo, n: repo.write(".git/info/exclude", f"new{n % 5}*\n"),
}  # fmt: skip


@pytest.mark.parametrize("seed", range(2))
def test_after_any_changes_a_warm_answer_is_the_cold_one(project: Repo, seed: int) -> None:
    chance = random.Random(seed)
    asked: tuple[tuple[str, ...], ...] = ((), ("--path", "src/gate.py", "--budget", "300"))
    for number in range(10):
        CHANGES[chance.choice(sorted(CHANGES))](project, number)
        for arguments in asked:
            warm = told(project, *arguments)
            for file in kept(project):
                file.unlink()
            assert warm == told(project, *arguments), number


def test_another_day_another_question_another_branch_of_the_server(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, FILES)
    told(clone, *TASK)
    with patch("time.strftime", return_value="2031-01-01 +0000"):
        assert not is_warm(clone, *TASK)
    assert is_warm(clone, *TASK)
    clone.commit("Not yet merged", {path_of("retry"): memory("retry", "A failed payment is lost")})
    before = told(clone, *TASK)
    assert "is retried" in before
    clone.git("push", "-q", "origin", "main")
    assert not is_warm(clone, *TASK)
    assert "is lost" in told(clone, *TASK)


def test_a_damaged_file_is_nothing_kept(project: Repo) -> None:
    first = told(project, *TASK)
    (file,) = kept(project)
    data = file.read_bytes()
    for damaged in (b"", data[:40], data[:-1], data[:-9] + b"x" + data[-8:], data + b"x"):
        file.write_bytes(damaged)
        assert not is_warm(project, *TASK)
    assert told(project, *TASK) == first


def test_few_are_kept_and_a_folder_that_cannot_be_written_keeps_none(project: Repo) -> None:
    for number in range(10):
        told(project, "--task", f"payment {number}")
    assert len(kept(project)) == 8
    shutil.rmtree(project.path / ".git/gitmem")
    (project.path / ".git/gitmem").write_text("in the way", "utf-8")
    assert "(id: `retry`)" in told(project, *TASK)


@pytest.mark.parametrize(
    ("setting", "value"),
    [("gitmem.embed.model", "offline"), ("gitmem.trustedRef", "main"), ("core.worktree", "..")],
)
def test_what_hangs_on_more_than_is_looked_at_is_not_kept(project: Repo, setting: str, value: str) -> None:
    project.git("config", setting, value)
    told(project, *TASK)
    assert kept(project) == []


def test_a_run_begun_at_a_commit_that_is_not_here_is_not_kept(project: Repo) -> None:
    with RunLedger(open_repository(project.path)) as ledger:
        run = ledger.run("run-1")
        run.append(event_type="task_created", actor="human", code="c" * 40)
        ledger.set_current(run)
    told(project)
    assert kept(project) == []


def test_with_a_session_a_warm_answer_is_recorded_too(project: Repo) -> None:
    begin(project)
    told(project, *TASK)
    assert is_warm(project, *TASK)
    told(project, *TASK, GITMEM_SESSION="s-1", GITMEM_ACTOR="codex")
    with RunLedger(open_repository(project.path)) as ledger:
        last = ledger.run("run-1").events()[-1]
    assert (last.type, last.session, last.actor) == ("memory_delivered", "s-1", "codex")
    assert last.payload["query"] == "retry a failed payment"
    assert "retry" in last.payload["ids"]


@pytest.mark.parametrize(
    "arguments", [("word",), ("--budget", "0"), ("--budget", "x"), ("--unknown",), ("--task",), ("--help",)]
)
def test_what_is_not_plain_goes_the_ordinary_way(project: Repo, arguments: tuple[str, ...]) -> None:
    with chdir(project.path):
        assert quick_brief.quick_brief(arguments) is None


def test_its_options_are_those_of_the_command() -> None:
    known = {name: one for one in brief.params if isinstance(one, click.Option) for name in one.opts}
    assert quick_brief.VALUES.keys() | quick_brief.FLAGS.keys() <= known.keys()
    assert all(not known[name].is_flag for name in quick_brief.VALUES)


@pytest.mark.parametrize("has_run", [False, True])
def test_the_warm_way_loads_nothing_slow(project: Repo, has_run: bool) -> None:
    if has_run:
        begin(project)
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}; sys.argv = ['gitmem', 'brief', '--task', 'retry']\n"
        "from gitmem._main import _dispatch\n"
        "code = _dispatch(sys.argv[1:])\n"
        "sys.stderr.write('\\n'.join(sys.modules))\n"
        "sys.exit(code)"
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", code],
            cwd=project.path,
            env=project.environment,
            capture_output=True,
            text=True,
            check=True,
        )
    loaded = set(done.stderr.split())
    assert "## Approved Memory" in done.stdout
    assert not loaded & SLOW
    assert {name.split(".")[1] for name in loaded if name.startswith("gitmem.")} == {"_main", "cli", "wire"}


def test_what_a_cold_brief_begins_with_loads_no_reader_of_code_and_no_writer_of_events() -> None:
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}\n"
        "import gitmem.report.brief, gitmem.usecases.drift, gitmem.usecases.recalling.documents\n"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    unasked = {
        *("drift.content.reading", "drift.content.differing", "drift.marks", "patches.reading"),
        *("promotion.replayed", "results.probe", "redaction.masking", "store.appending"),
    }
    assert "gitmem.usecases.knowledge" in loaded
    assert not loaded & {f"gitmem.{name}" for name in unasked}
    assert not loaded & {"click", "pygit2", "ruamel", "yaml", "pydantic", "subprocess", "secrets", "difflib"}
