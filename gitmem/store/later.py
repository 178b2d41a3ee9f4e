"""Take in the events that hooks left because the lock was busy (`gitmem.wire.later`)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gitmem.errors import GitmemError
from gitmem.model.ids import is_run_id
from gitmem.store.appending import Appender
from gitmem.store.drafts import Draft
from gitmem.wire.later import set_aside, waits


def take_in_later(common_dir: Path, appender: Callable[[str], Appender]) -> int:
    """Append what hooks left, best effort: what cannot be appended now stays for the next time.

    Args:
        common_dir: The common git directory.
        appender: Gives the appender of a run.

    Returns:
        How many events were taken in.
    """
    if not waits(str(common_dir)):
        return 0
    count = 0
    for file in map(Path, set_aside(str(common_dir))):
        try:
            for run, event in _events(file.read_bytes()):
                appender(run).append(_draft(event))
                count += 1
            file.unlink()
        except (GitmemError, OSError):
            continue
    return count


def _events(lines: bytes) -> Iterator[tuple[str, dict[str, Any]]]:
    """A line that cannot be read, such as one cut short by a full disk, is passed over: nobody can mend it."""
    for line in lines.splitlines():
        run, _, told = line.decode("utf-8", "replace").partition(" ")
        try:
            event = json.loads(told)
        except ValueError:
            continue
        if is_run_id(run) and isinstance(event, dict) and isinstance(event.get("payload"), dict):
            yield run, event


def _draft(event: dict[str, Any]) -> Draft:
    return Draft(
        type=event["type"],
        actor=event["actor"],
        payload=event["payload"],
        id=event["id"],
        session=event.get("session"),
        code=event.get("code"),
        at=event["at"],
    )
