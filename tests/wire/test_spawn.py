from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import gitmem.wire
from gitmem.wire import spawn
from gitmem.wire.spawn import run_git, start_git, stop_git
from tests.support.repo import Repo


def test_the_hot_path_imports_nothing_slow() -> None:
    allowed = {"os", "sys", "time", "fcntl", "__future__"}
    for file in Path(gitmem.wire.__file__ or "").parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name in allowed or name.startswith("gitmem.wire"), f"{file.name}: {name}"


def test_importing_it_loads_none_of_the_slow_modules() -> None:
    code = "import sys; import gitmem.wire.spawn, gitmem.wire.locks, gitmem.wire.canonical; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(gitmem.__file__ or "").parent.parent,
    )
    slow = {"re", "json", "typing", "dataclasses", "pathlib", "subprocess", "pygit2", "click", "pydantic"}
    assert not slow & set(done.stdout.split())


def test_status_output_and_errors_come_back_apart(repo: Repo) -> None:
    repo.commit("x", {"a": "1\n"})
    assert run_git(("rev-parse", "HEAD"), cwd=repo.path) == (0, f"{repo.head()}\n".encode(), b"")
    status, out, err = run_git(("rev-parse", "--verify", "nowhere"), cwd=repo.path)
    assert (status, out) == (128, b"")
    assert err.startswith(b"fatal: ")


def test_large_input_and_large_output_at_once(repo: Repo) -> None:
    content = os.urandom(100_000)
    status, oid, _ = run_git(("hash-object", "-w", "--stdin"), cwd=repo.path, stdin=content)
    assert status == 0
    status, out, _ = run_git(("cat-file", "--batch"), cwd=repo.path, stdin=oid * 200)
    assert status == 0
    assert len(out) > 200 * 100_000
    assert out.count(content) == 200


def test_arguments_are_bytes_whatever_the_locale(repo: Repo) -> None:
    repo.commit("x", {"latin-\udce9 한글": "1\n"})
    _, out, _ = run_git(("ls-tree", "-z", "--name-only", "HEAD", "--", "latin-\udce9 한글"), cwd=repo.path)
    assert out == b"latin-\xe9 \xed\x95\x9c\xea\xb8\x80\0"


def children() -> set[str]:
    """Process ids of this process's children; other tests of it may hold a browser or a server."""
    rows = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,comm="], capture_output=True, text=True, check=True)
    told = [row.split() for row in rows.stdout.splitlines()]
    return {pid for pid, parent, name, *_ in told if parent == str(os.getpid()) and name != "ps"}


def test_a_child_that_does_not_end_in_time_is_gone(repo: Repo) -> None:
    before = children()
    os.mkfifo(repo.path / "never written")
    with pytest.raises(TimeoutError):
        run_git(("hash-object", "never written"), cwd=repo.path, deadline=time.monotonic() + 0.1)
    assert children() == before


def test_an_interrupt_leaves_no_child_behind(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(pid: int, deadline: float | None) -> int | None:
        monkeypatch.undo()
        raise KeyboardInterrupt

    before = children()
    os.mkfifo(repo.path / "never written")
    monkeypatch.setattr(spawn, "_waited", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_git(("hash-object", "never written"), cwd=repo.path)
    assert children() == before


def test_no_descriptor_is_left_open(repo: Repo) -> None:
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(5):
        run_git(("rev-parse", "--git-dir"), cwd=repo.path, stdin=b"x")
        stop_git(*start_git(("cat-file", "--batch"), cwd=repo.path))
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_it_works_when_the_standard_descriptors_are_closed(repo: Repo) -> None:
    repo.commit("x", {"a": "1\n"})
    code = (
        "import os; os.close(0); os.close(2)\n"
        "from gitmem.wire.spawn import run_git\n"
        f"status, out, err = run_git(('cat-file', '--batch-check'), cwd={str(repo.path)!r}, stdin=b'HEAD\\n')\n"
        "os.write(1, out)"
    )
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True)
    assert done.stdout.startswith(f"{repo.head()} commit".encode())


def test_a_started_git_answers_until_it_is_stopped(repo: Repo) -> None:
    repo.commit("x", {"a": "1\n"})
    pid, requests, answers = start_git(("cat-file", "--batch"), cwd=repo.path)
    for _ in range(3):
        os.write(requests, b"HEAD:a\n")
        told = b""
        while not told.endswith(b"\n\n"):
            told += os.read(answers, 1000)
        assert told.endswith(b" blob 2\n1\n\n")
    stop_git(pid, requests, answers)
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def test_the_environment_is_hardened(monkeypatch: pytest.MonkeyPatch) -> None:
    local = subprocess.run(
        ["git", "rev-parse", "--local-env-vars"], capture_output=True, text=True, check=True
    )
    names = [*local.stdout.split(), "GIT_AUTHOR_NAME", "GIT_EXTERNAL_DIFF", "GIT_NAMESPACE"]
    for name in names:
        monkeypatch.setenv(name, "elsewhere")
    told = spawn.environment({"MINE": "1"})
    assert "elsewhere" not in {told.get(name) for name in names}
    assert told["MINE"] == "1"
    assert told["GIT_NO_REPLACE_OBJECTS"] == "1"
    assert told["GIT_OPTIONAL_LOCKS"] == "0"
    assert told["PATH"] == os.environ["PATH"]


def test_git_is_not_taken_from_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "git").write_text("#!/bin/sh\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f".::bin:{os.environ['PATH']}")
    assert spawn.git_program().startswith("/")
    assert spawn.git_program() != str(tmp_path / "git")
    monkeypatch.setenv("PATH", ".:")
    with pytest.raises(FileNotFoundError):
        spawn.git_program()
