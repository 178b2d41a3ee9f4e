"""Sealed temporary repositories: real git, nothing of this machine's configuration."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

DATE = "2026-07-13T10:00:00+09:00"


def sealed_environment(home: Path) -> dict[str, str]:
    """An environment in which git sees no configuration but the repository's own."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Ada Tester",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada Tester",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
        "GIT_AUTHOR_DATE": DATE,
        "GIT_COMMITTER_DATE": DATE,
        "GIT_TERMINAL_PROMPT": "0",
    }


class Repo:
    """A real repository in a temporary folder, told as a shell history."""

    def __init__(
        self, path: Path, *, init: bool = True, bare: bool = False, object_format: str = "sha1"
    ) -> None:
        self.path = path
        self.environment = sealed_environment(path.parent)
        if init:
            path.mkdir(parents=True, exist_ok=True)
            self.git(
                "init", "-q", "-b", "main", f"--object-format={object_format}", *(["--bare"] if bare else [])
            )

    def git(
        self,
        *arguments: str,
        stdin: bytes | None = None,
        check: bool = True,
        environment: Mapping[str, str] | None = None,
    ) -> str:
        """Run git here and return its output without the last newline."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env={**self.environment, **(environment or {})},
            input=stdin,
            capture_output=True,
            check=False,
        )
        if check and done.returncode:
            raise AssertionError(f"git {' '.join(arguments)}: {done.stderr.decode(errors='replace')}")
        return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")

    def write(self, path: str, content: str | bytes) -> Path:
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(
            content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
        )
        return target

    def read(self, path: str) -> str:
        return (self.path / path).read_bytes().decode("utf-8", "surrogateescape")

    def remove(self, path: str) -> None:
        self.git("rm", "-rqf", "--", path)

    def move(self, old: str, new: str) -> None:
        (self.path / new).parent.mkdir(parents=True, exist_ok=True)
        self.git("mv", old, new)

    def commit(
        self,
        message: str,
        files: Mapping[str, str | bytes] | None = None,
        *,
        environment: Mapping[str, str] | None = None,
    ) -> str:
        """Write the files, stage everything, commit, and return the commit's id."""
        for path, content in (files or {}).items():
            self.write(path, content)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, environment=environment)
        return self.head()

    def head(self) -> str:
        return self.git("rev-parse", "HEAD")
