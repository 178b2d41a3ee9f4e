"""During an exchange: refs of this clone of which the remote holds more, or something else, than this clone.

More or else: this clone was restored from an older copy. It must not write on under the same id, or two histories of one
writer arise; where they have arisen, what the remote lacks goes on under a new id (`gitmem.store.carrying`).
"""

from __future__ import annotations

from collections.abc import Mapping

from gitmem.git.transport import fetch_objects
from gitmem.store.archive import is_archive, run_of
from gitmem.store.carrying import GoneOn, Parted, go_on_under_a_new_id
from gitmem.usecases.runs.exchange import Exchange, Refs, Reported, reaches, writer_of

CURE = "gitmem run log shows both, and there is nothing else to do"


def settle(exchange: Exchange, here: Refs) -> Refs:
    """Let everything that this clone holds stand on refs that the remote can take.

    Returns:
        Refs that hold something else than the remote for good, by what they hold; what it lacks of them is carried.
    """
    parted = _parted(exchange, here)
    settled = {
        ref: here[ref]
        for ref, one in parted.items()
        if exchange.state.kept.get(ref) == (here[ref], one.theirs)
    }
    fresh = {ref: one for ref, one in parted.items() if ref not in settled}
    done = GoneOn("", {}, {})
    if fresh:
        done = go_on_under_a_new_id(exchange.ledger.writing(), fresh, writer=exchange.own)
        exchange.listed |= {done.writer}
        exchange.own = exchange.ledger.writer()
    kept = {**settled, **done.kept}
    for ref in sorted(parted):
        exchange.reported.append(_told(exchange, ref, here[ref], parted[ref], done, is_kept=ref in kept))
    return kept


def _parted(exchange: Exchange, here: Refs) -> Mapping[str, Parted]:
    own = {ref: oid for ref, oid in here.items() if writer_of(ref) in exchange.listed}
    differing = {ref for ref, oid in exchange.there.items() if own.get(ref, oid) != oid}
    missing = sorted(ref for ref in differing if not exchange.repo.has(exchange.there[ref]))
    if missing:
        fetch_objects(exchange.repo, exchange.remote, missing)
    theirs = _theirs(exchange)
    return {
        ref: Parted(theirs[ref], _is_all_that_was_seen(exchange, ref, theirs[ref]))
        for ref, oid in own.items()
        if theirs.get(ref, oid) != oid
        and exchange.repo.has(theirs[ref])
        and not reaches(exchange.repo, oid, theirs[ref])
    }


def _theirs(exchange: Exchange) -> Refs:
    """What the remote holds of the refs, or lists of them in an archive."""
    here = {ref: oid for ref, oid in exchange.there.items() if is_archive(ref) and exchange.repo.has(oid)}
    return {**exchange.archived(here), **exchange.there}


def _is_all_that_was_seen(exchange: Exchange, ref: str, theirs: str) -> bool:
    seen = exchange.state.seen.get(ref)
    return seen is None or reaches(exchange.repo, theirs, seen)


def _told(
    exchange: Exchange, ref: str, here: str, parted: Parted, done: GoneOn, *, is_kept: bool
) -> Reported:
    remote = exchange.remote
    count = done.carried.get(ref, 0)
    events = "1 event of it is" if count == 1 else f"{count} events of it are"
    sent = f"{events} sent under the new id {done.writer}" if count else "nothing of it is lost"
    if is_kept:
        said = (
            f"{remote} holds another history of {ref} than this clone wrote; nothing was forced, and {sent}"
        )
        return Reported(ref, "rewritten", said)
    if reaches(exchange.repo, parted.theirs, here):
        said = f"{remote} has more of {ref} than this clone, which was restored from a copy; it is fetched, and this clone writes on under a new id"
        return Reported(ref, "ahead", said)
    what = "this clone, which was restored from a copy, and the one it is a copy of both wrote on"
    shown = f"; {CURE}" if run_of(ref) else ""
    return Reported(ref, "diverged", f"{ref}: {what}; {sent}{shown}")
