"""After an exchange: refs of archived runs leave the remote and this clone, since an archive reaches all they hold."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from gitmem.errors import RaceError
from gitmem.git.several_refs import delete_refs
from gitmem.git.transport import delete_remote_refs
from gitmem.store.archive import archive_ref
from gitmem.usecases.runs.archiving import current_refs
from gitmem.usecases.runs.exchange import Exchange, Refs, Reported, reaches, writer_of


def retire(exchange: Exchange, here: Refs, there: Refs) -> AbstractSet[str]:
    """Delete on the remote what this clone archived, and here what other writers did.

    Args:
        exchange: The sync that goes on; a server that deletes nothing is reported in it.
        here: Refs of this clone.
        there: Refs of the remote as it is now.

    Returns:
        Refs that are gone from the remote.
    """
    _retire_here(exchange, here, there)
    own = _own(exchange, here, there)
    if not own:
        return frozenset()
    told = delete_remote_refs(exchange.repo, exchange.remote, own)
    refused = {one.ref: one.reason for one in told if one.reason}
    for ref, reason in sorted(refused.items()):
        message = f"{ref} is archived, and {exchange.remote} keeps it all the same: {reason}"
        exchange.reported.append(Reported(ref, "kept", message))
    return own.keys() - refused.keys()


def _own(exchange: Exchange, here: Refs, there: Refs) -> dict[str, str]:
    """Own refs that stand on the remote alone, when its archive is this clone's and holds all of them."""
    if exchange.own is None:
        return {}
    archive = archive_ref(exchange.own)
    if archive not in here or there.get(archive) != here[archive]:
        return {}
    archived = exchange.archived({archive: here[archive]})
    return {
        ref: oid
        for ref, oid in there.items()
        if ref in archived and ref not in here and reaches(exchange.repo, archived[ref], oid)
    }


def _retire_here(exchange: Exchange, here: Refs, there: Refs) -> None:
    """Let go of other writers' refs that their archive holds and the remote has no more, but for what AI_RUN names."""
    archived = exchange.archived({ref: oid for ref, oid in here.items() if writer_of(ref) != exchange.own})
    busy = current_refs(exchange.repo.layout)
    gone = {
        ref: here[ref]
        for ref, tip in archived.items()
        if ref in here and ref not in there and ref not in busy and reaches(exchange.repo, tip, here[ref])
    }
    try:
        delete_refs(exchange.repo, gone)
    except RaceError:  # they go with the next sync
        return
