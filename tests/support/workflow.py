"""What a GitHub runner hands to a step: event files as GitHub writes them, and the step's environment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.forge import REPOSITORY, TOKEN, Forge, account
from tests.support.repo import Repo


def pull_request_event(
    base: str, head: str, *, number: int = 7, branch: str = "feature", fork: bool = False, **fields: Any
) -> dict[str, Any]:
    """``pull_request``; with `review` in the fields also ``pull_request_review``."""
    source = {"full_name": "mallory/shop" if fork else REPOSITORY, "fork": fork}
    return {
        "action": "synchronize",
        "number": number,
        "repository": {"full_name": REPOSITORY, "default_branch": "main"},
        "pull_request": {
            "number": number,
            "state": "open",
            "title": "Change the limit",
            "user": account("dana"),
            "base": {"ref": "main", "sha": base, "repo": {"full_name": REPOSITORY}},
            "head": {"ref": branch, "sha": head, "repo": source},
        },
        **fields,
    }


def push_event(before: str, after: str, *, ref: str = "refs/heads/main", **fields: Any) -> dict[str, Any]:
    return {
        "ref": ref,
        "before": before,
        "after": after,
        "deleted": False,
        "repository": {"full_name": REPOSITORY, "default_branch": "main"},
        **fields,
    }


def schedule_event() -> dict[str, Any]:
    return {"schedule": "17 5 * * 1"}


class Step:
    """One step of a job: its environment, and what it left behind.

    Args:
        folder: A folder of its own.
        name: The event's name.
        event: The event.
        forge: The forge that it may ask; none is told when None.
        token: What it asks with; empty for none.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        event: dict[str, Any],
        forge: Forge | None = None,
        *,
        token: str = TOKEN,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        (folder / "event.json").write_text(json.dumps(event), "utf-8")
        self.environment = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_API_URL": forge.address if forge else "http://127.0.0.1:9",
            "GITHUB_EVENT_NAME": name,
            "GITHUB_EVENT_PATH": str(folder / "event.json"),
            "GITHUB_OUTPUT": str(folder / "output"),
            "GITHUB_REF": "refs/heads/main",
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_RUN_ID": "42",
            "GITHUB_SERVER_URL": "https://forge.example",
            "GITHUB_STEP_SUMMARY": str(folder / "summary"),
            **({"GITHUB_TOKEN": token} if token else {}),
        }

    @property
    def summary(self) -> str:
        path = self.folder / "summary"
        return path.read_text("utf-8") if path.exists() else ""

    @property
    def outputs(self) -> dict[str, str]:
        """Outputs as the runner reads them: ``name<<END``, the value, END."""
        path = self.folder / "output"
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        found: dict[str, str] = {}
        while lines:
            name, _, end = lines.pop(0).partition("<<")
            value = lines[: lines.index(end)]
            del lines[: len(value) + 1]
            found[name] = "\n".join(value)
        return found


def checkout(server: Repo, path: Path, commit: str, *, depth: int | None = None) -> Repo:
    """A checkout as ``actions/checkout`` makes it: one fetch of one commit, HEAD detached there, remote origin."""
    made = Repo(path)
    made.git("remote", "add", "origin", f"file://{server.path}")
    cut = [f"--depth={depth}"] if depth else []
    branches = [] if depth else ["+refs/heads/*:refs/remotes/origin/*"]
    made.git("fetch", "-q", "--no-tags", *cut, "origin", commit, *branches)
    made.git("checkout", "-q", "--detach", commit)
    return made
