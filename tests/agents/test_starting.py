"""Whether an agent finds gitmem, in folders with and without it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitmem.agents.starting import unfound_program
from tests.support.cli import gitmem
from tests.support.repo import Repo


def program(folder: Path) -> str:
    folder.mkdir(parents=True)
    (folder / "gitmem").write_text("#!/bin/sh\n")
    (folder / "gitmem").chmod(0o755)
    return str(folder)


def test_a_program_on_path_is_found(tmp_path: Path) -> None:
    assert unfound_program({"PATH": f"/nowhere{os.pathsep}{program(tmp_path / 'bin')}"}) is None


def test_one_beside_the_interpreter_alone_is_never_started_and_the_cure_names_it(tmp_path: Path) -> None:
    folder = program(tmp_path / "a b/.venv/bin")
    unfound = unfound_program({"PATH": "/nowhere"}, f"{folder}/python")
    assert unfound is not None
    assert unfound.is_never
    assert f"ln -s '{folder}/gitmem' ~/.local/bin/gitmem" in unfound.cure


def test_one_in_the_activated_environment_is_found_from_there_alone(tmp_path: Path) -> None:
    folder = program(tmp_path / "venv/bin")
    unfound = unfound_program({"PATH": folder, "VIRTUAL_ENV": str(tmp_path / "venv")})
    assert unfound is not None
    assert not unfound.is_never


def test_installing_and_the_look_over_the_set_up_say_it(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("Begin", {"a.py": "x = 1\n"})
    monkeypatch.setattr("gitmem.agents.starting.shutil.which", lambda *_, **__: None)
    assert "gitmem is not on PATH" in gitmem("agent", "install", "cursor", at=repo.path).err
    looked_over = gitmem("doctor", "--json", at=repo.path)
    found = {one["check"]: one for one in looked_over.document["checks"]}["agents"]
    assert (looked_over.code, found["ok"], bool(found["cure"])) == (1, False, True)
