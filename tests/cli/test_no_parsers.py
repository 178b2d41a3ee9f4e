"""Without the extra ``full``: what is watched coarsely is said when it is captured, when judged, and once parsers came."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from gitmem.store.validations import parse_validation
from tests.support.cli import gitmem, gitmem_process
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

SUBMIT = "export function submit(order: Order) {\n  if (order.sent) {\n    return null;\n  }\n  return order.send(3);\n}\n"
FILES = {
    "src/api.ts": SUBMIT,
    path_of(): memory(summary="'`submit` sends an order once'"),
    path_of("m-002"): memory("m-002", "Orders are sent once", watch="[{symbol: 'src/api.ts#submit'}]"),
}
BLOCKER = """\
import sys


class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0].startswith("tree_sitter"):
            raise ModuleNotFoundError(name)
        return None


sys.meta_path.insert(0, Absent())
"""
INSTALL = "pip install 'gitmem-ledger[full]'"


@pytest.fixture
def core(tmp_path: Path) -> Mapping[str, str]:
    """The environment of a process that has the core alone."""
    folder = tmp_path / "core-packages"  # so named that kept answers see another installation
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(BLOCKER)
    return {"PYTHONPATH": f"{folder}:{Path(__file__).parents[2]}"}


@pytest.fixture
def weak(repo: Repo, core: Mapping[str, str]) -> str:
    """A repository whose memories were confirmed without parsers, and what the command said."""
    repo.commit("Start", FILES)
    done = gitmem_process("confirm", "m-001", "m-002", at=repo.path, environment=core)
    assert done.code == 0, done.err
    repo.commit("Validate")
    return done.out


def test_capture_says_what_is_watched_only_coarsely(repo: Repo, weak: str) -> None:
    assert "coarsely: TypeScript has no parser here" in weak
    assert f"{INSTALL}, then gitmem confirm m-001" in weak
    assert "not looked for: symbol src/api.ts#submit" in weak
    assert "correct it under watch" not in weak
    (file,) = (repo.path / ".ai/validations/m-001").iterdir()
    validation = parse_validation(".ai/validations/m-001/x.yaml", file.read_bytes()).validation
    assert validation is not None
    assert validation.baseline is not None
    assert validation.baseline.unparsed == ("TypeScript",)


def test_the_verdicts_of_the_plain_comparison_say_why(repo: Repo, weak: str, core: Mapping[str, str]) -> None:
    del weak
    repo.commit("Change", {"src/api.ts": SUBMIT.replace("null", "order")})
    out = gitmem_process("drift", "--explain", at=repo.path, environment=core).out
    first, _, second = out.partition("\n\nm-002")
    assert "changed 17% (TypeScript compared by white space: install gitmem-ledger[full])" in first
    assert (
        f"TypeScript has no parser here, so its definitions are not watched, only files by white space and names: {INSTALL}"
        in first
    )
    assert (
        "unknown because it could not be checked: symbol src/api.ts#submit: could not be looked for: TypeScript"
        in second
    )


def test_once_the_parser_is_there_the_weak_watch_is_told_until_confirmed(repo: Repo, weak: str) -> None:
    del weak
    for _ in range(2):  # looked at, then from what was kept
        out = gitmem("drift", at=repo.path).out
        assert "watched more weakly than they could be: gitmem confirm m-001 m-002" in out
    explained = gitmem("drift", "m-001", "--explain", at=repo.path).out
    assert (
        "watched by white space since it was validated without the parser for TypeScript: confirm it again"
        in explained
    )
    done = gitmem("confirm", "m-001", "m-002", at=repo.path)
    assert done.out.count("symbol src/api.ts#submit  # lines 1–6") == 2
    repo.commit("Validate")
    assert gitmem("drift", at=repo.path).out == "2 checked: 2 fresh, 0 touched, 0 challenged\n"


def test_what_was_recorded_with_the_parser_is_not_called_drift_without_it(
    repo: Repo, core: Mapping[str, str]
) -> None:
    repo.commit("Start", FILES)
    gitmem("confirm", "m-001", "m-002", at=repo.path)
    repo.commit("Validate")
    repo.commit("Explain", {"src/api.ts": "// orders\n" + SUBMIT})
    done = gitmem_process("drift", "--json", at=repo.path, environment=core)
    for one in done.document["memories"]:
        assert (one["verdict"], one["status"]) == ("unknown", "active")
        assert "TypeScript" in " ".join(one["notes"])


def test_the_blocker_leaves_the_core_alone(core: Mapping[str, str]) -> None:
    import os
    import sys

    script = "import gitmem\ntry:\n    import tree_sitter\nexcept ImportError:\n    print('absent')"
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, **core}, capture_output=True, text=True, check=True
    )
    assert done.stdout == "absent\n"
