"""Real coding agents: does what gitmem tells them reach their model, and is what they say of it recorded?

Each agent comes from the npm registry into a folder that is kept, runs with an empty environment and a home of its own, and
talks to a model on loopback that cites one memory whatever it is asked.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from gitmem.agents.table import AGENTS as KNOWN_AGENTS
from tests.support.memories import memory, path_of
from tests.support.model_stub import Asked, Stub, model_stub
from tests.support.repo import Repo

if os.environ.get("GITMEM_E2E_AGENTS") != "1":
    pytest.skip("GITMEM_E2E_AGENTS=1 runs real agents (needs npm)", allow_module_level=True)

ROOT = Path(__file__).parents[2]
PROMPT = "How often is a payment retried?"
GOAL = "결제 실패를 세 번까지만 다시 시도한다"
KNOWN = "A failed payment is retried three times, 그 뒤에는 사람이 본다"
TEST = "from src.pay import TRIES\n\n\ndef test_tries():\n    assert TRIES == 4\n"
ANSWER = "Three times (memory: pay-retry)."


class Agent(NamedTuple):
    """How one agent is made to talk to the stub, once.

    Args:
        name: As gitmem calls it.
        package: In the npm registry.
        program: That the package brings.
        arguments: For one prompt without a terminal, commands allowed; the prompt comes last.
        environment: ``{url}`` stands for the stub's address.
        files: Below its home; ``{url}`` as before, ``{project}`` for the repository.
    """

    name: str
    package: str
    program: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    files: Mapping[str, str] = {}


AGENTS = (
    Agent(
        "claude-code",
        "@anthropic-ai/claude-code",
        "claude",
        ("--allowedTools=Bash", "-p"),
        {
            "ANTHROPIC_BASE_URL": "{url}",
            "ANTHROPIC_API_KEY": "none",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        },
    ),
    Agent(
        "codex",
        "@openai/codex",
        "codex",
        ("exec", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"),
        {"STUB_KEY": "none"},
        {
            ".codex/config.toml": """\
model = "stub"
model_provider = "stub"
[model_providers.stub]
name = "stub"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "STUB_KEY"
[projects."{project}"]
trust_level = "trusted"
"""
        },
    ),
    Agent(
        "gemini",
        "@google/gemini-cli",
        "gemini",
        ("--yolo", "-m", "gemini-2.5-pro", "-p"),
        {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": "{url}",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        },
        {".gemini/settings.json": '{"security": {"auth": {"selectedType": "gemini-api-key"}}}'},
    ),
    Agent(
        "copilot",
        "@github/copilot",
        "copilot",
        ("--allow-all-tools", "-p"),
        {
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_TYPE": "anthropic",
            "COPILOT_PROVIDER_BASE_URL": "{url}",
            "COPILOT_PROVIDER_API_KEY": "none",
            "COPILOT_MODEL": "claude-sonnet-4.5",
        },
        {".copilot/config.json": '{"trusted_folders": ["{project}"]}'},
    ),
)


def program_of(agent: Agent) -> Path:
    """The agent's program, fetched when it is not in the folder yet."""
    cache = Path(os.environ.get("GITMEM_E2E_CACHE") or Path.home() / ".cache/gitmem-e2e")
    place = cache / agent.package.rpartition("/")[2]
    program = place / "node_modules/.bin" / agent.program
    if not program.exists():
        place.mkdir(parents=True, exist_ok=True)
        asked = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(place), agent.package]
        subprocess.run(asked, check=True, timeout=600)
    return program


def own_environment(home: Path) -> dict[str, str]:
    """Nothing of this machine but node, git and a shell; `gitmem` is the one under test."""
    programs = home / "bin"
    programs.mkdir(parents=True)
    for name in ("gitmem", "pytest"):
        launcher = programs / name
        path = f"PYTHONPATH={ROOT} " if name == "gitmem" else ""
        launcher.write_text(f'#!/bin/sh\n{path}exec {sys.executable} -m {name} "$@"\n', "utf-8")
        launcher.chmod(0o755)
    (home / ".gitconfig").write_text("[user]\nname = Ada Tester\nemail = ada@example.org\n", "utf-8")
    tools = {str(Path(shutil.which(name) or name).parent): None for name in ("node", "git", "sh")}
    path = ":".join([str(programs), *tools, "/usr/bin", "/bin"])
    return {"PATH": path, "HOME": str(home), "LC_ALL": "C.UTF-8", "TERM": "dumb"}


class Session(NamedTuple):
    """What came of one session: requests to the model, and the events of the run."""

    asked: list[Asked]
    events: list[dict[str, Any]]


def session_of(agent: Agent, folder: Path, others: Iterable[str] = (), *, runs: str = "") -> Session:
    """Set the agent up in a project that knows something, and let it answer one prompt; no hook of ours may fail."""
    program = program_of(agent)
    environment = own_environment(folder / "home")
    repo = Repo(folder / "project")
    repo.commit(
        "Start",
        {path_of("pay-retry"): memory("pay-retry", KNOWN), "src/pay.py": "TRIES = 3\n", "test_pay.py": TEST},
    )

    def gitmem(*arguments: str) -> str:
        asked = ["gitmem", *arguments]
        done = subprocess.run(asked, cwd=repo.path, env=environment, check=True, capture_output=True, text=True)  # fmt: skip
        return done.stdout

    for name in (agent.name, *others):
        gitmem("agent", "install", name)
    gitmem("run", "start", "pay", "--goal", GOAL)
    with model_stub(ANSWER, runs=runs) as stub:
        run_once(agent, program, repo, environment, stub)
    assert not (repo.path / ".git/gitmem/hook.log").exists()
    return Session(stub.asked, json.loads(gitmem("run", "log", "--json"))["events"])


def run_once(agent: Agent, program: Path, repo: Repo, environment: Mapping[str, str], stub: Stub) -> None:
    def filled(text: str) -> str:
        return text.replace("{url}", stub.url).replace("{project}", str(repo.path))

    home = Path(environment["HOME"])
    for path, text in agent.files.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_text(filled(text), "utf-8")
    done = subprocess.run(
        [program, *agent.arguments, PROMPT],
        cwd=repo.path,
        env={**environment, **{name: filled(text) for name, text in agent.environment.items()}},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=180,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert ANSWER in done.stdout, done.stdout + done.stderr


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from texts_in(one)


def told(asked: Asked) -> str:
    """All that stands in a request, unescaped."""
    try:
        return "\n".join(texts_in(json.loads(asked.text)))
    except ValueError:
        return asked.text


def briefed(session: Session) -> list[str]:
    """Requests with the prompt and the brief, unescaped."""
    texts = map(told, session.asked)
    return [text for text in texts if PROMPT in text and "# gitmem brief" in text]


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_the_brief_reaches_the_model_and_what_it_cites_is_recorded(agent: Agent, tmp_path: Path) -> None:
    session = session_of(agent, tmp_path)
    texts = briefed(session)
    assert texts, [one.path for one in session.asked]
    assert all(GOAL in text and KNOWN in text for text in texts)
    assert all(text.count("# gitmem brief") == 1 for text in texts)
    events = {one["type"]: one for one in session.events}
    started, ended = events["session_started"], events["session_ended"]
    assert started["payload"]["agent"] == agent.name
    assert ended["session"] == started["session"]
    assert ended["payload"]["used_memories"] == ["pay-retry"]
    assert events["memory_delivered"]["payload"]["ids"] == ["pay-retry"]


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_where_every_agent_is_set_up_each_is_told_and_recorded_once(agent: Agent, tmp_path: Path) -> None:
    session = session_of(agent, tmp_path, others=sorted(set(KNOWN_AGENTS) - {agent.name}))
    texts = briefed(session)
    assert texts
    assert all(text.count("# gitmem brief") == 1 for text in texts)
    for kind in ("session_started", "session_ended"):
        assert [one["actor"] for one in session.events if one["type"] == kind] == [agent.name]


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_the_tests_that_it_runs_are_recorded_with_how_they_went(agent: Agent, tmp_path: Path) -> None:
    session = session_of(agent, tmp_path, runs=f"{tmp_path}/home/bin/pytest -q")  # a login shell forgets PATH
    (failed,) = [one for one in session.events if one["type"] == "test_failed"]
    assert failed["payload"]["failing"] == ["test_pay.py::test_tries"]
    assert failed["session"]
