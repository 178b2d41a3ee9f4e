"""A repository that lives long and gives each question its own time."""

from __future__ import annotations

from gitmem.git.program import ProgramRepository


class TimedRepository(ProgramRepository):
    """The git program, whose calls can be given another deadline; the children stay between questions."""

    def until(self, deadline: float | None) -> None:
        """Let calls from now on end with TimeoutError at a `time.monotonic` value; None lets them take as long as they need."""
        self._runner.deadline = deadline
