"""The hooks offered to pre-commit: what the manifest calls does what it says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.support.cli import Done, gitmem
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

MANIFEST = Path(__file__).parent.parent / ".pre-commit-hooks.yaml"


def hooks() -> dict[str, dict[str, Any]]:
    return {one["id"]: one for one in YAML(typ="safe").load(MANIFEST.read_text("utf-8"))}


def run(repo: Repo, name: str) -> Done:
    """What pre-commit does: the entry with the staged files that the pattern matches."""
    hook = hooks()[name]
    staged = repo.git("diff", "--cached", "--name-only", "--diff-filter=d").splitlines()
    files = [path for path in staged if re.search(hook["files"], path)]
    program, *words = shlex.split(hook["entry"])
    assert program == "gitmem"
    return gitmem(*words, *files, at=repo.path)


def stage(repo: Repo, **files: str) -> None:
    repo.commit("Begin", {"src/gateway.py": "x = 1\n"})
    for text in files.values():
        repo.write(path_of(), text)
    repo.git("add", "-A")


def test_each_hook_has_what_pre_commit_needs() -> None:
    assert all({"id", "name", "entry", "language", "files"} <= set(one) for one in hooks().values())


def test_lint_stops_a_memory_that_does_not_load(repo: Repo) -> None:
    stage(repo, memory="id: m-001\nstatus: nonsense\n")
    assert run(repo, "gitmem-lint").code == 1


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"type": "module_constraint", "scope": "{paths: [src/**], does_not_apply_to: [none]}"}, 0),
        ({"type": "module_constraint", "scope": "{paths: [src/**]}"}, 1),
    ],
)
def test_the_gate_stops_what_lacks_something_but_not_what_awaits_a_person(
    repo: Repo, fields: dict[str, str], code: int
) -> None:
    stage(repo, memory=memory(**fields))
    assert run(repo, "gitmem-gate").code == code


def test_the_gate_lets_a_commit_pass_that_leaves_an_approved_memory_alone(repo: Repo) -> None:
    lacking = memory(type="module_constraint", scope="{paths: [src/**]}")
    repo.commit("Approved before the rule", {path_of(): lacking})
    name = hooks()["gitmem-gate"]
    assert gitmem(*shlex.split(name["entry"])[1:], path_of(), at=repo.path).code == 0
    repo.write(path_of(), lacking + "challenged_because: it failed\nchallenged_at: 2026-07-15\n")
    repo.git("add", "-A")
    assert run(repo, "gitmem-gate").code == 0
