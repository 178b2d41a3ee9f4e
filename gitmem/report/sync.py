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
        yield f"offline: {prose(done.offline)}; {_count(len(done.waiting), 'run')} waiting to be sent"
        return
    remote = visible(done.remote)
    if not done.fetched and not done.pushed and not done.rejected:
        yield f"{remote}: nothing new"
    else:
        yield f"{remote}: {_count(len(done.fetched), 'ref')} fetched, {_count(len(done.pushed), 'ref')} pushed"
    for rejected in done.rejected:
        yield f"not sent: {visible(rejected.ref)}: {prose(rejected.reason)}"
    for reported in done.reported:
        yield f"{reported.what}: {prose(reported.message)}"
    if done.left_out:
        yield f"left out, older than the date: {', '.join(map(visible, done.left_out[:5]))}{_more(len(done.left_out) - 5)}"
    if done.is_first:
        yield f"note: {PUBLIC}"


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _more(number: int) -> str:
    return f" and {number} more" if number > 0 else ""
