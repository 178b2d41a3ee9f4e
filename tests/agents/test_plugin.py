"""The plugin for Claude Code, and everything that is written for agents, as a linter of agents' settings sees it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem import __version__
from gitmem.agents.claude_code import HOOKS
from gitmem.agents.parts import SERVER
from gitmem.agents.table import AGENTS
from tests.support.cli import gitmem
from tests.support.repo import Repo

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "gitmem/agents/plugin"
ENABLED = '{"enabledPlugins": {"gitmem@gitmem": true}}'


def lint(folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "skillsaw", "lint", "--format", "json", "--strict", str(folder)],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert "rules_run" in done.stdout or done.stdout.strip().startswith("{"), done.stderr
    return "" if done.returncode == 0 else done.stdout


def test_the_plugin_has_the_hooks_and_the_server_that_installing_writes() -> None:
    hooks = json.loads((PLUGIN / "hooks/hooks.json").read_text())["hooks"]
    assert hooks == {entry.keys[1]: [entry.value] for entry in HOOKS}
    server = json.loads((PLUGIN / ".mcp.json").read_text())["mcpServers"]["gitmem"]
    assert server == {"type": "stdio", **SERVER}


def test_the_marketplace_offers_this_very_plugin_in_this_version() -> None:
    (offered,) = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text())["plugins"]
    plugin = json.loads((PLUGIN / ".claude-plugin/plugin.json").read_text())
    assert (ROOT / offered["source"]).resolve() == PLUGIN
    assert (offered["name"], offered["version"]) == (plugin["name"], plugin["version"])
    assert plugin["version"] == __version__


def test_a_linter_finds_nothing_wrong_with_the_plugin_and_with_what_is_written_for_any_agent(
    repo: Repo,
) -> None:
    for name in AGENTS:
        assert gitmem("agent", "install", name, at=repo.path).code == 0
    shutil.copytree(ROOT / ".claude-plugin", repo.path / ".claude-plugin")
    shutil.copytree(PLUGIN, repo.path / PLUGIN.relative_to(ROOT))
    assert lint(repo.path) == ""


def test_the_linter_would_find_a_misspelt_event(tmp_path: Path) -> None:
    shutil.copytree(PLUGIN, tmp_path / "plugin")
    hooks = tmp_path / "plugin/hooks/hooks.json"
    hooks.write_text(hooks.read_text().replace("SessionStart", "SesionStart"))
    assert "SesionStart" in lint(tmp_path / "plugin")


@pytest.mark.parametrize("file", ["settings.json", "settings.local.json"])
def test_where_the_plugin_is_enabled_hooks_and_server_are_not_written_again(repo: Repo, file: str) -> None:
    repo.write(f".claude/{file}", ENABLED)
    done = gitmem("agent", "install", "claude-code", at=repo.path)
    assert "brings the hooks" in done.err
    assert repo.read(f".claude/{file}") == ENABLED
    assert not (repo.path / ".mcp.json").exists()
    assert repo.read("CLAUDE.md").splitlines()[1] == "@AGENTS.md"
    listed = gitmem("agent", "list", "--json", at=repo.path).document["agents"]
    assert [one["agent"] for one in listed if one["installed"]] == ["claude-code"]
    assert gitmem("agent", "uninstall", "claude-code", at=repo.path).code == 0
    assert not (repo.path / "AGENTS.md").exists()


def test_hooks_from_before_the_plugin_was_enabled_go(repo: Repo) -> None:
    gitmem("agent", "install", "claude-code", at=repo.path)
    settings = {"enabledPlugins": {"gitmem@gitmem": True}, **json.loads(repo.read(".claude/settings.json"))}
    repo.write(".claude/settings.json", json.dumps(settings, indent=2))
    assert gitmem("agent", "install", "claude-code", at=repo.path).code == 0
    assert json.loads(repo.read(".claude/settings.json")) == {"enabledPlugins": {"gitmem@gitmem": True}}


def test_a_plugin_that_is_disabled_brings_nothing(repo: Repo) -> None:
    repo.write(".claude/settings.json", ENABLED.replace("true", "false"))
    gitmem("agent", "install", "claude-code", at=repo.path)
    assert "gitmem hook agent" in repo.read(".claude/settings.json")
