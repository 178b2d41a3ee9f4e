"""The files that forges read: valid by their own schemas, free of what zizmor finds, and true."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import check_jsonschema
import pytest
import yaml

from gitmem.action.runner import Runner
from gitmem.usecases.acting.answer import Failing
from gitmem.usecases.acting.occasion import EVENTS
from tests.action.conftest import Shop
from tests.support.programs import program_of
from tests.support.repo import Repo
from tests.support.workflow import checkout

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION: Any = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))


def block(topic: str) -> str:
    """The one example of a topic, as the file that it stands for."""
    text = (ROOT / "gitmem" / "cli" / "topics" / f"{topic}.txt").read_text("utf-8")
    found = re.findall(r"(?:^(?: {4}.*)?\n)+", text, re.MULTILINE)
    return "".join(line.removeprefix("    ") + "\n" for line in max(found, key=len).splitlines())


def readme_workflow() -> str:
    """The workflow that the README shows."""
    (shown,) = re.findall(
        r"^```yaml\n(.*?)^```$", (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    return str(shown)


def is_valid(schema: str, *files: Path) -> bool:
    """Whether files are what a schema that check-jsonschema brings along asks for."""
    arguments = ["--builtin-schema", f"vendor.{schema}", *map(str, files)]
    status: int = check_jsonschema.main(arguments, standalone_mode=False)
    return status == 0


def test_the_action_and_the_workflows_are_what_github_reads(tmp_path: Path) -> None:
    shown = tmp_path / "memory.yml"
    shown.write_text(block("action"), "utf-8")
    assert is_valid("github-actions", ROOT / "action.yml")
    assert is_valid("github-workflows", *WORKFLOWS, shown)
    shown.write_text("on: pussh\njobs: {}\n", "utf-8")
    assert not is_valid("github-workflows", shown)


@pytest.mark.parametrize("text", [block("action"), readme_workflow()], ids=["topic", "readme"])
def test_a_workflow_that_is_shown_is_valid_and_gives_the_action_what_it_takes(
    text: str, tmp_path: Path
) -> None:
    shown = tmp_path / "memory.yml"
    shown.write_text(text, "utf-8")
    assert is_valid("github-workflows", shown)
    document: Any = yaml.safe_load(text)
    (used,) = [step for step in steps(document) if "gitmem@" in step["uses"]]
    assert set(used["with"]) <= set(ACTION["inputs"])
    assert set(used["with"]["fail-on"].split(",")) <= set(get_args(Failing))
    assert set(document[True]) <= set(EVENTS)  # YAML 1.1 reads `on` as true


def test_the_block_for_gitlab_is_what_gitlab_reads(tmp_path: Path) -> None:
    shown = tmp_path / ".gitlab-ci.yml"
    shown.write_text(block("gitlab"), "utf-8")
    assert is_valid("gitlab-ci", shown)


@pytest.mark.parametrize(
    ("number", "of", "code", "log"),
    [("7", "head", 1, "CHANGED   submit-once"), ("", "base", 0, "")],
    ids=["merge-request", "default-branch"],
)
def test_the_job_for_gitlab_judges_what_a_merge_request_does_beside_the_report_of_all(
    shop: Shop, tmp_path: Path, *, number: str, of: str, code: int, log: str
) -> None:
    job: Any = yaml.safe_load(block("gitlab"))["memory"]
    ours = tmp_path / "bin" / "gitmem"
    ours.parent.mkdir()
    ours.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m gitmem "$@"\n')
    ours.chmod(0o755)
    made, installed, *lines = job["script"]
    assert ("venv" in made, "pip install" in installed) == (True, True)
    clone = checkout(shop.server, tmp_path / "clone", getattr(shop, of))
    given = {"CI_DEFAULT_BRANCH": "main", "CI_MERGE_REQUEST_IID": number}
    own = {name: value.replace("$CI_DEFAULT_BRANCH", "main") for name, value in job["variables"].items()}
    path = f"{ours.parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["/bin/sh", "-ec", "\n".join(lines)],
        cwd=clone.path,
        env={**os.environ, **clone.environment, **given, **own, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, log in done.stdout) == (code, True), done.stdout + done.stderr
    assert code in {0, *job["allow_failure"]["exit_codes"]}
    report = json.loads((clone.path / job["artifacts"]["reports"]["codequality"]).read_text("utf-8"))
    assert [one["check_name"] for one in report] == (["memory/changed"] if code else [])


def test_zizmor_finds_nothing() -> None:
    asked: list[str | Path] = [
        program_of("zizmor", "zizmor"),
        "--offline",
        "--no-progress",
        ROOT / "action.yml",
        *WORKFLOWS,
    ]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def steps(document: Any) -> list[Any]:
    if "runs" in document:
        return list(document["runs"]["steps"])
    return [step for job in document["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", [ROOT / "action.yml", *WORKFLOWS], ids=lambda path: path.name)
def test_what_others_made_is_pinned_by_commit_and_no_input_stands_in_a_script(path: Path) -> None:
    for step in steps(yaml.safe_load(path.read_text("utf-8"))):
        used = step.get("uses", "./")
        assert used.startswith("./") or re.fullmatch(r"[\w-]+/[\w/-]+@[0-9a-f]{40}", used)
        assert "${{" not in step.get("run", "")


def test_nothing_of_the_change_can_be_imported() -> None:
    lines = [line for step in steps(ACTION) for line in step["run"].splitlines()]
    assert all(re.match(r'"\$\w+(/bin/python)?" -I -m \w+ ', f"{line} ") for line in lines), lines


def test_every_output_and_input_is_one_that_the_command_knows(repo: Repo) -> None:
    from gitmem.report.action_data import outputs
    from tests.report.test_action import answer

    assert set(ACTION["outputs"]) == {*outputs(answer()), "comment", "sarif-file"}
    source = (ROOT / "gitmem" / "cli" / "action.py").read_text("utf-8")
    given = {
        name for step in steps(ACTION) for name in step.get("env", {}) if name.startswith("GITMEM_ACTION_")
    }
    assert given == set(re.findall(r'envvar="(GITMEM_ACTION_\w+)"', source))


def test_the_workflow_of_this_project_runs_on_every_event_that_is_served() -> None:
    memory_workflow: Any = yaml.safe_load((ROOT / ".github" / "workflows" / "memory.yml").read_text("utf-8"))
    assert set(memory_workflow[True]) == set(EVENTS)  # YAML 1.1 reads `on` as true


@pytest.mark.parametrize("address", ["javascript:alert(1)", "https://a.example)[x](y", "", "https://a b"])
def test_what_is_no_web_address_is_not_linked_to(address: str) -> None:
    assert Runner({"GITHUB_SERVER_URL": address}).server == "https://github.com"


def test_the_address_of_an_enterprise_is_linked_to() -> None:
    assert Runner({"GITHUB_SERVER_URL": "https://ghe.example:8443/"}).server == "https://ghe.example:8443"
