"""A validation that was taken away, told beside the memory that it was of."""

from __future__ import annotations

from gitmem.report.sanitise import prose, visible
from gitmem.usecases.taken_away import TakenAway

_DATE = 10


def taken_words(taken: TakenAway | None) -> str:
    """Which commit took which validation away; empty when none did."""
    if taken is None:
        return ""
    one = taken.validation
    commit = f'{taken.commit[:12]} ({taken.at[:_DATE]} {prose(taken.author)}: "{prose(taken.subject)}")'
    return f"the validation of {one.at.isoformat()} by {prose(one.by)}, in {commit} ({visible(one.file)})"


def taken_document(taken: TakenAway | None) -> dict[str, str] | None:
    """The same as data."""
    if taken is None:
        return None
    one = taken.validation
    told = {"file": one.file, "by": one.by, "at": one.at.isoformat()}
    return {**told, "commit": taken.commit, "author": taken.author, "taken_at": taken.at}
