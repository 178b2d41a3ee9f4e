"""What agents' hooks call: ``gitmem hook agent NAME``. The event on stdin, the answer on stdout, and 0 whatever happens.

Most events mean nothing here – a command that is no test – and end after a look at the text alone: no git program, no
click, no ledger. Nothing of ours reaches stderr; what went wrong is a line in ``<common git dir>/gitmem/hook.log``. After
`SECONDS` the process ends, whatever it is at: appends survive that, and the agent waits for nobody.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # what signal wraps, without its import of enum; typeshed has no stub
import os
import select
import time
from typing import NamedTuple

from gitmem.agents.events import HEARS_TOOLS, Told, ledger_session, read_event

SECONDS = 8.0
_INPUT_SECONDS = 3.0
_LARGEST_INPUT = 8 << 20
_CHUNK = 1 << 16


class Project(NamedTuple):
    """A work tree: its top, its git directory, and the one that all work trees share."""

    top: str
    git_dir: str
    common_dir: str


def main(arguments: list[str]) -> int:
    """Answer an event of an agent; always 0.

    Args:
        arguments: The agent's name; what follows it is ignored.
    """
    before = _signal.signal(_signal.SIGALRM, _end)
    _signal.setitimer(_signal.ITIMER_REAL, SECONDS)
    try:
        data = _input(0)
        told = read_event(arguments[0] if arguments else "", data, os.environ, _folder())
        project = _concerned(told) if told is not None else None
        if told is not None and project is not None:
            _answer(told, project)
    except Exception:  # noqa: BLE001, S110 - whatever it is, the agent must not suffer
        pass
    finally:
        _signal.setitimer(_signal.ITIMER_REAL, 0)
        _signal.signal(_signal.SIGALRM, before)
    return 0


def _concerned(told: Told) -> Project | None:
    """The project that an event is told to; None where it means nothing there.

    A tool that means nothing by itself is answered all the same while its session owes the agent a brief.
    """
    if not is_idle(told):
        return project_of(told)
    project = project_of(told) if told.host in HEARS_TOOLS else None
    if project is None:
        return None
    from gitmem.store.session_files import owes_brief

    return project if owes_brief(project.git_dir, ledger_session(told, os.environ)) else None


def is_idle(told: Told) -> bool:
    """Whether an event means nothing by its text alone: a tool that runs neither tests nor a build."""
    if told.kind != "tool" or told.shell is None:
        return told.kind == "tool"
    from gitmem.results.shell_line import may_tell_results, recognised

    command = told.shell.command
    return not may_tell_results(command) or recognised(command) is None


def project_of(told: Told) -> Project | None:
    """The project: where the session is known, else the likeliest folder's; None where none is a repository's."""
    places = [found for folder in told.folders if (found := _project_above(folder)) is not None]
    is_elsewhere = bool(places) and _is_in_bare(told.folders[0])
    if not is_elsewhere and (told.kind == "start" or len(places) < 2):
        return places[0] if places else None
    from gitmem.store.session_files import is_known_session

    known = (one for one in places if is_known_session(one.git_dir, told.session))
    return next(known, None if is_elsewhere else places[0])


def _is_in_bare(folder: str) -> bool:
    """Whether a folder is, or lies in, a repository without a work tree: the hook's own folder is not meant then."""
    while not os.path.exists(f"{folder}/.git"):
        above, name = os.path.split(folder)
        if name != ".git" and all(os.path.exists(f"{folder}/{one}") for one in ("HEAD", "objects", "refs")):
            return True
        if above == folder:
            return False
        folder = above
    return False


def _project_above(folder: str) -> Project | None:
    while not os.path.exists(f"{folder}/.git"):
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
    from gitmem.wire.recording import place

    found = place({}, folder)
    return Project(folder, *found) if found else None


def _answer(told: Told, project: Project) -> None:
    from gitmem.agents.answering import Answering

    deadline = time.monotonic() + SECONDS
    with Answering(told, project.top, project.git_dir, os.environ, deadline=deadline) as answering:
        try:
            answer = answering.answer()
            if answer:
                _write(answer)
            answering.record()
        except Exception as error:  # noqa: BLE001 - told where the owner looks, since the repository is ours to write in
            from gitmem.githooks import log_failure

            log_failure(project.common_dir, ["agent", told.host], error)


def _input(descriptor: int) -> bytes:
    """What stands on stdin, in time; nothing when it is a terminal or too much, which is read to its end all the same.

    Of an agent that leaves its end open what came in time counts: it is one JSON value, or none.
    """
    deadline = time.monotonic() + _INPUT_SECONDS
    chunks: list[bytes] = []
    size = 0
    while not os.isatty(descriptor):
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([descriptor], [], [], left)[0]:
            break
        chunk = os.read(descriptor, _CHUNK)
        if not chunk:
            break
        size += len(chunk)
        if size <= _LARGEST_INPUT:
            chunks.append(chunk)
    return b"".join(chunks) if size <= _LARGEST_INPUT else b""


def _write(answer: bytes) -> None:
    rest = memoryview(answer)
    while rest:
        rest = rest[os.write(1, rest) :]


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return ""


def _end(*_: object) -> None:
    os._exit(0)
