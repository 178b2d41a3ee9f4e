"""Calls of the git program for one repository, which is named explicitly in each."""

from __future__ import annotations

from gitmem.errors import NotServedError
from gitmem.git.failures import failure
from gitmem.git.interface import Layout
from gitmem.wire.spawn import DURABLE, SETTINGS, run_git, start_git


class Runner:
    """Runs git for a repository.

    Args:
        layout: Which one.
        deadline: A `time.monotonic` value after which every call ends with TimeoutError.
    """

    def __init__(self, layout: Layout, *, deadline: float | None = None) -> None:
        self.layout = layout
        self.deadline = deadline
        self._cwd = layout.work_tree or layout.git_dir
        self._where = [f"--git-dir={layout.git_dir}"]
        if layout.durable:
            self._where += DURABLE
        if layout.work_tree is not None:
            self._where.append(f"--work-tree={layout.work_tree}")

    def run(
        self,
        *arguments: str,
        stdin: bytes | None = None,
        env: dict[str, str] | None = None,
        settings: tuple[str, ...] = SETTINGS,
    ) -> tuple[int, bytes, bytes]:
        """Exit status, output and error output of one command."""
        try:
            return run_git(
                (*self._where, *arguments),
                cwd=self._cwd,
                stdin=stdin,
                env=env,
                deadline=self.deadline,
                settings=settings,
            )
        except FileNotFoundError as error:
            raise NotServedError(
                "the git program was not found", hint="install git, or put it on PATH"
            ) from error

    def output(self, *arguments: str, stdin: bytes | None = None, env: dict[str, str] | None = None) -> bytes:
        """Output of a command that must succeed.

        Raises:
            GitmemError: What `failures.failure` makes of the reason.
        """
        status, out, err = self.run(*arguments, stdin=stdin, env=env)
        if status:
            raise failure(arguments[0], status, err)
        return out

    def start(self, *arguments: str) -> tuple[int, int, int]:
        """Start a command that answers requests; see `wire.spawn.start_git`."""
        return start_git((*self._where, *arguments), cwd=self._cwd)
