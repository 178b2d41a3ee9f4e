"""What a GitHub runner hands over and takes back: the event, the outputs, the summary of the job."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any

from gitmem.errors import InvalidDataError, UsageError
from gitmem.usecases.acting.occasion import Occasion, read_occasion

_LARGEST = 32 << 20
_CURE = "run it from a workflow: GITHUB_EVENT_NAME and GITHUB_EVENT_PATH are the runner's"
GITHUB_API = "https://api.github.com"
GITHUB = "https://github.com"
_SERVER = re.compile(r"https?://[A-Za-z0-9.-]+(?::\d{1,5})?(?:/[A-Za-z0-9._~-]+)*")


@dataclass(frozen=True, slots=True)
class Runner:
    """One step of a job.

    Args:
        environment: Its variables.
    """

    environment: Mapping[str, str]

    @property
    def token(self) -> str:
        return self.environment.get("GITHUB_TOKEN", "")

    @property
    def api(self) -> str:
        return self.environment.get("GITHUB_API_URL") or GITHUB_API

    @property
    def server(self) -> str:
        """Where links begin; what is no plain web address is not linked to."""
        told = self.environment.get("GITHUB_SERVER_URL", "").rstrip("/")
        return told if _SERVER.fullmatch(told) else GITHUB

    @property
    def job(self) -> str:
        """Address of this run, where its summary is read; empty when unknown."""
        run, repository = (self.environment.get(name, "") for name in ("GITHUB_RUN_ID", "GITHUB_REPOSITORY"))
        return f"{self.server}/{repository}/actions/runs/{run}" if run.isdigit() and repository else ""

    def occasion(self) -> Occasion:
        """Why this step runs.

        Raises:
            UsageError: No runner started this, or for an event that is not served.
            InvalidDataError: The event file cannot be read, or lacks something.
        """
        name, path = (self.environment.get(f"GITHUB_EVENT_{part}", "") for part in ("NAME", "PATH"))
        if not name or not path:
            raise UsageError("this was not started by a runner: there is no event", hint=_CURE)
        return read_occasion(
            name,
            _event(Path(path)),
            repository=self.environment.get("GITHUB_REPOSITORY", ""),
            ref=self.environment.get("GITHUB_REF", ""),
        )

    def put_outputs(self, values: Mapping[str, str]) -> None:
        """Outputs of the step; no value can end its own and begin another."""
        lines = []
        for name, value in values.items():
            end = f"gitmem-{token_hex(16)}"
            lines += [f"{name}<<{end}", value, end]
        self._append("GITHUB_OUTPUT", "".join(f"{line}\n" for line in lines))

    def put_summary(self, text: str) -> None:
        """Markdown that the job's page shows."""
        self._append("GITHUB_STEP_SUMMARY", f"{text}\n")

    def _append(self, variable: str, text: str) -> None:
        if path := self.environment.get(variable):
            with Path(path).open("ab") as file:
                file.write(text.encode("utf-8", "backslashreplace"))


def _event(path: Path) -> Mapping[str, Any]:
    try:
        if path.stat().st_size > _LARGEST:
            raise InvalidDataError(f"the event file {path} is larger than {_LARGEST >> 20} MiB", hint=_CURE)
        found = json.loads(path.read_bytes())
    except OSError as error:
        raise InvalidDataError(
            f"the event file {path} cannot be read: {error.strerror}", hint=_CURE
        ) from None
    except (ValueError, RecursionError):
        raise InvalidDataError(f"the event file {path} is no JSON", hint=_CURE) from None
    if not isinstance(found, dict):
        raise InvalidDataError(f"the event file {path} holds no object", hint=_CURE)
    return found
