"""What a sync did, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.report.sanitise import prose, visible
from gitmem.usecases.runs.exchange import Synced
from gitmem.usecases.runs.syncing import PUBLIC


def sync_document(done: Synced) -> dict[str, object]:
    """cli.md's document, and what else is to be known: ``reported``, ``left_out``, ``waiting``, ``offline``."""
    return {
        "remote": done.remote,
        "fetched": list(done.fetched),
        "pushed": list(done.pushed),
        "rejected": [{"ref": one.ref, "reason": one.reason} for one in done.rejected],
        "reported": [{"ref": one.ref, "what": one.what, "message": one.message} for one in done.reported],
        "left_out": list(done.left_out),
        "waiting": list(done.waiting),
        "offline": done.offline or None,
    }


def sync_lines(done: Synced) -> Iterator[str]:
    """One line on what went over, then one for whatever did not."""
    if done.offline:
        yield f"offline: {prose(done.offline)}"
        yield f"{_count(len(done.waiting), 'ref')} waiting to be sent: gitmem sync again"
        return
    yield from _over(done)
    for rejected in done.rejected:
        yield f"not sent: {visible(rejected.ref)}: {prose(rejected.reason)}"
    for reported in done.reported:
        yield f"{reported.what}: {prose(reported.message)}"
    if done.left_out:
        yield f"left out, older than the date: {', '.join(map(visible, done.left_out[:5]))}{_more(len(done.left_out) - 5)}"


def first_lines(done: Synced) -> Iterator[str]:
    """What is to be known once this clone has sent something to a remote for the first time."""
    if done.is_first:
        yield f"note: {PUBLIC}"


def _over(done: Synced) -> Iterator[str]:
    remote = visible(done.remote)
    if done.fetched or done.pushed:
        yield f"{remote}: {_count(len(done.fetched), 'ref')} fetched, {_count(len(done.pushed), 'ref')} pushed"
    elif done.rejected:
        yield f"{remote}: nothing fetched, nothing pushed"
    elif done.is_empty and not done.reported:
        yield f"{remote}: nothing there: no run was sent to it yet, or it hides refs/ai from whoever fetches"
    elif not done.reported and not done.waiting:
        yield f"{remote}: nothing new"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _more(number: int) -> str:
    return f" and {number} more" if number > 0 else ""
