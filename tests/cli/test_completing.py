"""What shells complete, asked as a shell asks, and once by a real bash."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.cli import gitmem, gitmem_process
from tests.support.memories import memory, path_of
from tests.support.repo import Repo


def offered(repo: Path, line: str) -> list[str]:
    words = line.split(" ")
    environment = {
        "_GITMEM_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    done = gitmem_process(at=repo, environment=environment)
    assert (done.code, done.err) == (0, "")
    return [one.partition(",")[2] for one in done.out.splitlines() if one]


@pytest.fixture
def known(repo: Repo) -> Repo:
    repo.commit(
        "Add", {path_of("m-001"): memory("m-001"), path_of("m-002"): memory("m-002"), "a.py": "x = 1\n"}
    )
    gitmem("run", "start", "task", "--run", "run-7", at=repo.path)
    return repo


def test_ids_are_completed_where_a_command_takes_them(known: Repo) -> None:
    assert offered(known.path, "gitmem confirm m-") == ["m-001", "m-002"]
    assert offered(known.path, "gitmem drift m-002") == ["m-002"]
    gitmem("remember", "Orders are sent once", at=known.path)
    (candidate,) = offered(known.path, "gitmem propose candidate-")
    assert candidate.startswith("candidate-")
    assert offered(known.path, "gitmem run show run-") == ["run-7"]
    assert offered(known.path, "gitmem note --run run-") == []
    assert offered(known.path, "gitmem run note --run run-") == ["run-7"]


def test_names_are_completed_without_a_repository(tmp_path: Path) -> None:
    assert offered(tmp_path, "gitmem agent install cl") == ["claude-code"]
    assert offered(tmp_path, "gitmem run event test_") == ["test_passed", "test_failed"]
    assert "trust" in offered(tmp_path, "gitmem help t")
    assert offered(tmp_path, "gitmem show m") == []


def test_completing_writes_nothing_but_the_cache(known: Repo) -> None:
    before = known.git("for-each-ref"), known.git("status", "--porcelain")
    offered(known.path, "gitmem confirm m-")
    assert (known.git("for-each-ref"), known.git("status", "--porcelain")) == before


def test_a_real_bash_completes_an_id(known: Repo, tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "gitmem").write_text(f'#!/bin/sh\nexec {sys.executable} -m gitmem "$@"\n')
    (programs / "gitmem").chmod(0o755)
    script = (
        f'PATH="{programs}:$PATH"; PYTHONPATH={Path(__file__).parents[2]}; export PATH PYTHONPATH; '
        'eval "$(gitmem completion bash)"; COMP_WORDS=(gitmem confirm m-00); COMP_CWORD=2; '
        '_gitmem_completion gitmem m-00 confirm; echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=known.path,
        env=known.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["m-001", "m-002"]


def test_a_name_that_a_shell_would_read_as_more_than_a_word_is_not_offered(known: Repo) -> None:
    names = ["$(touch /tmp/x)", "`id`", "*", "a b", "a;b", "a'b", "~root", "-x", "pay", "결제/환불", "a,b"]
    elements = "".join(f'  "{name}": {{paths: [a.py]}}\n' for name in names)
    known.commit("Elements", {".ai/elements.yaml": f"version: 1\nelements:\n{elements}"})
    assert sorted(offered(known.path, "gitmem list --element ")) == ["pay", "결제/환불"]
