"""Whether a validation that would count was taken out of the history that is judged, and by which commit.

What is gone counts no more, and without these words a memory that somebody looked at would be told as never validated. It
takes a walk, so only who explains a single memory asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gitmem.git.interface import Repository
from gitmem.model.validation import Validation
from gitmem.store.validations import parse_validation
from gitmem.trust.effective import moment, newest
from gitmem.usecases.ai_files import READ_LIMIT
from gitmem.usecases.locating import VALIDATIONS_FOLDER


class TakenAway(NamedTuple):
    """A validation that is there no more.

    Args:
        validation: As it was.
        commit: The commit that removed its file, or rewrote it.
        author: Name of who wrote that commit.
        at: When it was committed.
        subject: Its subject line.
    """

    validation: Validation
    commit: str
    author: str
    at: str
    subject: str


def last_taken_away(
    repository: Repository, tip: str | None, memory_id: str, left: Iterable[Validation]
) -> TakenAway | None:
    """The newest validation that history had and the tip has not; None where one that is left is as new.

    Args:
        repository: The repository.
        tip: Commit whose first-parent history is walked.
        memory_id: Whose.
        left: The validations that are still there.
    """
    last = newest(left)
    found: TakenAway | None = None
    reaches = moment(last)[0] if last is not None else float("-inf")
    folder = f"{VALIDATIONS_FOLDER}/{memory_id}"
    for commit, rows in repository.log_changes(until=tip, under=[folder], first_parent=True) if tip else ():
        for row in rows:
            if row.old_path is None or row.old_oid in {None, row.new_oid}:
                continue
            data = repository.read_blob(row.old_oid or "", limit=READ_LIMIT).data
            one = parse_validation(row.old_path, data).validation if data is not None else None
            if one is not None and one.memory == memory_id and moment(one)[0] > reaches:
                reaches = moment(one)[0]
                found = TakenAway(one, commit.oid, commit.author.name, commit.committed_at, commit.subject)
    return found
