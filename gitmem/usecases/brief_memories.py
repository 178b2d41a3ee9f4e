"""Approved memories for a brief: what is known about the task, and about what it touches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from gitmem.git.program import ProgramRepository
from gitmem.model.snapshot import Snapshot
from gitmem.model.visible_text import code
from gitmem.usecases.recalling.cards import OUTCOME
from gitmem.usecases.recalling.lines import item_lines

if TYPE_CHECKING:
    from gitmem.usecases.recall import Item, Recalled
    from gitmem.usecases.recalling.question import Asked
    from gitmem.usecases.vantage import Outlook

_MOST = 5
"""A brief has the few that matter most, never the store."""
_MOST_PATHS = 30
_MOST_ALLOWED = 10
_LONGEST_PROMPT = 4_000
_WILD = frozenset("*?[{\\")


class Remembered(NamedTuple):
    """One thing that a brief tells beside the run.

    Args:
        id: Of a memory; empty for what a link led to and is none.
        text: What is told of it, in Markdown.
    """

    id: str
    text: str


class Memories(NamedTuple):
    """What a brief tells beside the run.

    Args:
        told: Best first.
        query: What was asked.
        problems: What could not be read or judged, in words.
        recalled: The whole answer that they come from; None where nothing was asked.
    """

    told: tuple[Remembered, ...] = ()
    query: str = ""
    problems: tuple[str, ...] = ()
    recalled: Recalled | None = None


class Task(NamedTuple):
    """What a session is about.

    Args:
        text: In words; empty when only the run says it.
        paths: What it is about to touch.
        prompt: What the user said, where that is known: asked beside the run's goal.
        host: Agent that the brief is for; empty while it is unknown (`gitmem.usecases.recalling.question.Asked`).
    """

    text: str = ""
    paths: tuple[str, ...] = ()
    prompt: str = ""
    host: str = ""


def load_memories(
    repo: ProgramRepository,
    task: Task,
    snapshot: Snapshot | None,
    uncommitted: Sequence[str],
    *,
    now: datetime,
    outlook: Outlook,
) -> Memories:
    """Recall for a brief; whatever fails on the way is a problem in words, never an error.

    Args:
        repo: Where.
        task: What the session is about.
        snapshot: Of the run; its goal is asked where the task says nothing, and what it changed or may change is touched.
        uncommitted: What differs from HEAD in the work tree.
        now: The present moment.
        outlook: Of the repository.
    """
    from gitmem.usecases.sessions.bearing import has_memories

    try:
        asked = _asked(task, snapshot, uncommitted)
        if not has_memories(repo, outlook.trusted):
            return Memories()
        if asked.is_empty:
            _judge(repo, outlook, now)
            return Memories()
        from gitmem.usecases.recall import recall

        recalled = recall(repo, asked, now, may_load=False, outlook=outlook)
    except Exception as error:  # noqa: BLE001 - a brief without memories is better than none
        return Memories(problems=(f"no memory is told: {error}",))
    # What a session says of itself is history and no approved memory: `gitmem recall` tells it, labelled.
    reviewed = [one for one in recalled.items if not one.card.id.startswith(OUTCOME)]
    is_unasked = not (task.text or (snapshot is not None and snapshot.goal))
    items = _bearing(reviewed, asked) if is_unasked else reviewed
    return Memories(tuple(map(remembered, items)), asked.query, recalled.problems, recalled)


def _judge(repo: ProgramRepository, outlook: Outlook, now: datetime) -> None:
    """Let what waits for a person be counted alike whether something was recalled or not."""
    from gitmem.usecases.recalling.standing import standing

    standing(repo, outlook, now.date())


def _asked(task: Task, snapshot: Snapshot | None, uncommitted: Sequence[str]) -> Asked:
    from gitmem.usecases.recalling.question import Asked

    words, touched = task.text.strip(), [*task.paths, *uncommitted[:_MOST_PATHS]]
    if not words:
        goal = (snapshot.goal or snapshot.task or "") if snapshot is not None else ""
        words = f"{task.prompt[:_LONGEST_PROMPT]}\n{goal}".strip()
    if snapshot is not None:
        touched += snapshot.changed_files[-_MOST_PATHS:]
        touched += _beginnings(snapshot.allowed_files[:_MOST_ALLOWED])
    return Asked(words, tuple(dict.fromkeys(touched)), most=_MOST, host=task.host)


def _beginnings(globs: Iterable[str]) -> Iterable[str]:
    """Paths, and the folders in which globs with a wildcard begin."""
    for glob in globs:
        at = next((place for place, letter in enumerate(glob) if letter in _WILD), None)
        path = glob if at is None else glob[: glob.rfind("/", 0, at) + 1]
        if path:
            yield path


def _bearing(items: Iterable[Item], asked: Asked) -> tuple[Item, ...]:
    """Those that bear on what is said and touched: the name of a branch ranks everything and asks for nothing."""
    from gitmem.usecases.sessions.bearing import bears_on

    return tuple(
        one
        for one in items
        if one.card.project or one.is_held or bears_on(one.card, asked.query, asked.paths)
    )


def remembered(item: Item) -> Remembered:
    """What a brief tells of one thing that was recalled; with its id, so that it can be cited."""
    first, *more = item_lines(item)
    if item.status == "linked":
        return Remembered("", "\n".join((first, *more)))
    return Remembered(item.card.id, "\n".join((f"{first} (id: {code(item.card.id)})", *more)))
