"""The public names: typed, documented, and nothing imported before one is used.

`assert_type` is checked by mypy as it would be in a user's project.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from typing import assert_type

import pytest

import gitmem
from gitmem.model.event import Event
from gitmem.model.snapshot import Snapshot
from gitmem.store.ledger import Run, RunLedger
from gitmem.store.run_reading import LoadedRun
from tests.support.repo import Repo


def test_what_the_names_give_has_a_type(repo: Repo) -> None:
    with gitmem.open(repo.path) as ledger:
        assert_type(ledger, RunLedger)
        run = ledger.run("run-1")
        assert_type(run, Run)
        event = run.append(event_type="finding_noted", actor="codex", payload={"finding": "결제"})
        assert_type(event, Event)
        loaded = run.load()
        assert_type(loaded, LoadedRun)
    state = gitmem.fold(loaded.events, run_id="run-1")
    assert_type(state, Snapshot)
    text = gitmem.format_handoff(state)
    assert_type(text, str)

    assert state == loaded.snapshot
    assert "- 결제\n" in text


def test_every_name_is_there_and_documented() -> None:
    for name in gitmem.__all__:
        held = getattr(gitmem, name)
        assert name == "__version__" or inspect.getdoc(held)
    assert set(gitmem.__all__) <= set(dir(gitmem))
    with pytest.raises(AttributeError, match="nothing"):
        _ = gitmem.nothing  # type: ignore[attr-defined]  # as a type checker says too


def test_a_folder_without_a_repository_is_an_expected_failure(tmp_path: Path) -> None:
    with pytest.raises(gitmem.GitmemError, match="repository"):
        gitmem.open(tmp_path)


def test_importing_the_package_imports_none_of_it() -> None:
    script = "import sys, gitmem; print([name for name in sys.modules if name.startswith('gitmem.')], 'typing' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", script],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[] False\n"
