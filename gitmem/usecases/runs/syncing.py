"""Exchange the ledger with a remote: take what others wrote, send what this clone wrote, notice what was tampered with.

Each writer moves its own refs alone, so nothing is merged, nothing is forced, and a rejected ref means that history was
rewritten somewhere. What the remote was seen to hold is remembered (`gitmem.store.remote_state`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from gitmem.errors import NotFoundError
from gitmem.git.interface import Repository
from gitmem.git.transport import UnreachableError, fetch_objects, fetch_refs, list_remote, push_refs
from gitmem.store.archive import ARCHIVE, RUNS, is_archive, run_of
from gitmem.store.ledger import RunLedger
from gitmem.store.remote_state import load_remote_state, save_remote_state
from gitmem.usecases.runs.exchange import Exchange, Refs, Rejected, Reported, Synced, reaches, writer_of
from gitmem.usecases.runs.retiring import retire
from gitmem.wire.append import LOCK
from gitmem.wire.locks import acquire_lock, release_lock
from gitmem.wire.writer import forget_writer_id, writer_ids

REMOTE_KEY = "gitmem.syncRemote"
PUBLIC = "whoever can read this remote can read the ledger: in a public repository that is everybody"

_DATED = re.compile(r"run-(\d{4})(\d{2})(\d{2})-")


def sync(
    ledger: RunLedger, remote: str | None = None, *, since: date | None = None, artifacts: bool = False
) -> Synced:
    """Fetch the refs of other writers, then push this clone's own.

    Args:
        ledger: Whose.
        remote: A remote's name or URL; by default `REMOTE_KEY`, the branch's remote, ``origin`` or the only one.
        since: Runs of earlier days that are not here are not fetched.
        artifacts: Also the artifacts over 1 MiB (`gitmem.store.large`).

    Raises:
        NotFoundError: There is no remote, or none of that name.
        NotServedError, RefusedError: The remote is no repository, or refused to talk.
    """
    repo = ledger.repository
    settings = _settings(repo)
    name = remote or _default(repo, settings)
    state = load_remote_state(repo.layout, _url(settings, name))
    exchange = Exchange(ledger, name, state, {}, ledger.writer(), _listed_writers(repo), since, artifacts)
    try:
        listed = list_remote(repo, name, [f"{RUNS}*", f"{ARCHIVE}*"])
        there = {ref: oid for ref, oid in listed.items() if exchange.is_ours(ref)}
        return _exchanged(replace(exchange, there=there))
    except UnreachableError as error:
        waiting = _unsent(state.seen, exchange.tips(), exchange.listed)
        return Synced(name, waiting=waiting, offline=error.message)


def sync_remote(repo: Repository) -> str:
    """The remote that a sync without a name means.

    Raises:
        NotFoundError: There is none, or several and none is marked.
    """
    return _default(repo, _settings(repo))


def _settings(repo: Repository) -> Mapping[str, str]:
    return repo.settings(rf"^({re.escape(REMOTE_KEY.lower())}|branch\..*\.remote|remote\..*\.url)$")


def _default(repo: Repository, settings: Mapping[str, str]) -> str:
    named = settings.get(REMOTE_KEY.lower())
    if named:
        return named
    remotes = [key[len("remote.") : -len(".url")] for key in settings if key.startswith("remote.")]
    if len(remotes) > 1:
        branch = (repo.head_ref() or "").removeprefix("refs/heads/")
        for candidate in (settings.get(f"branch.{branch}.remote"), "origin"):
            if candidate in remotes:
                return candidate
    if len(remotes) == 1:
        return remotes[0]
    said = f"several remotes: {', '.join(remotes)}" if remotes else "no remote"
    raise NotFoundError(
        f"nothing to sync with: this repository has {said}",
        hint=f"name one: gitmem sync REMOTE, or git config {REMOTE_KEY} REMOTE",
    )


def unsynced(ledger: RunLedger, remote: str | None = None) -> tuple[str, ...]:
    """Own refs that a remote was not seen to hold as they are here; read from what is remembered, without a network.

    None when there is no remote at all.
    """
    repo = ledger.repository
    settings = _settings(repo)
    try:
        url = _url(settings, remote or _default(repo, settings))
    except NotFoundError:
        return ()
    seen = load_remote_state(repo.layout, url).seen
    return _unsent(seen, ledger.refs().refs, _listed_writers(repo))


def _unsent(seen: Refs, here: Refs, listed: frozenset[str]) -> tuple[str, ...]:
    return tuple(
        sorted(ref for ref, oid in here.items() if writer_of(ref) in listed and seen.get(ref) != oid)
    )


def _exchanged(exchange: Exchange) -> Synced:
    before = exchange.tips()
    wanted, left_out = _wanted(exchange, before)
    reason = fetch_refs(exchange.repo, exchange.remote, wanted)
    here = exchange.tips() if wanted else before
    _vanished(exchange, before, here)
    _moved_back(exchange)
    fetched = tuple(ref for ref in wanted if here.get(ref) != before.get(ref))
    _rewritten(exchange, [ref for ref in wanted if here.get(ref) != exchange.there[ref]], here, reason)
    pushed, rejected = _push(exchange, here)
    there = {**exchange.there, **{ref: here[ref] for ref in pushed}}
    gone = retire(exchange, here, there)
    there = {ref: oid for ref, oid in there.items() if ref not in gone}
    seen = {ref: oid for ref, oid in exchange.state.seen.items() if not exchange.is_ours(ref)} | there
    if seen != exchange.state.seen or exchange.state.is_new:
        save_remote_state(exchange.repo.layout, replace(exchange.state, seen=seen))
    return Synced(
        exchange.remote,
        fetched=fetched,
        pushed=pushed,
        rejected=rejected,
        reported=tuple(exchange.reported),
        left_out=left_out,
        waiting=_unsent(there, here, exchange.listed),
        is_first=bool(pushed) and exchange.state.is_new,
    )


def _wanted(exchange: Exchange, here: Refs) -> tuple[list[str], tuple[str, ...]]:
    """Refs of others to fetch, and the runs and archives that are too old to be."""
    known = {**exchange.archived(here), **here}
    differing = [
        ref
        for ref, oid in sorted(exchange.there.items())
        if writer_of(ref) != exchange.own and known.get(ref) != oid
    ]
    runs = {run_of(ref) for ref in known}
    old = {run for run in map(run_of, differing) if run not in runs and _is_before(run, exchange.since)}
    if exchange.since is not None:  # an archive is all that its writer ever ended
        old |= {ref for ref in differing if is_archive(ref) and ref not in here}
    return [ref for ref in differing if not {ref, run_of(ref)} & old], tuple(sorted(old))


def _vanished(exchange: Exchange, before: Refs, here: Refs) -> None:
    """Report refs that are gone from the remote, but for those that their writer archived."""
    archived = exchange.archived(here)
    for ref in sorted(exchange.state.seen.keys() - exchange.there.keys()):
        tip = archived.get(ref)
        if not exchange.is_ours(ref) or (
            tip is not None and reaches(exchange.repo, tip, exchange.state.seen[ref])
        ):
            continue
        cure = "it is sent again" if writer_of(ref) in exchange.listed else "it is kept here"
        if ref in before:
            message = f"{ref} is gone from {exchange.remote}, which held it at the last sync; {cure}"
            exchange.reported.append(Reported(ref, "vanished", message))


def _moved_back(exchange: Exchange) -> None:
    """Report refs of which the remote holds less than it was seen to: no writer takes anything back."""
    for ref, oid in sorted(exchange.there.items()):
        seen = exchange.state.seen.get(ref, oid)
        if seen != oid and exchange.repo.has(seen) and reaches(exchange.repo, seen, oid):
            cure = (
                "what is missing is sent again"
                if writer_of(ref) in exchange.listed
                else "this clone keeps it all"
            )
            message = f"{ref} on {exchange.remote} was moved back to {oid}; {cure}"
            exchange.reported.append(Reported(ref, "rewritten", message))


def _rewritten(exchange: Exchange, left: Sequence[str], here: Refs, reason: str) -> None:
    """Report refs that were not taken although the remote offers them: a shorter line is no rewritten one."""
    for ref in left:
        theirs, ours = exchange.there[ref], here.get(ref)
        if ours is not None and reaches(exchange.repo, ours, theirs):
            continue
        said = (
            "holds another history than what was fetched before; this clone keeps what it has"
            if ours
            else reason
        )
        exchange.reported.append(Reported(ref, "rewritten", f"{ref} on {exchange.remote} {said}"))


def _push(exchange: Exchange, here: Refs) -> tuple[tuple[str, ...], tuple[Rejected, ...]]:
    archived = exchange.archived(here)
    own = sorted(
        ref
        for ref, oid in here.items()
        if writer_of(ref) in exchange.listed
        and exchange.there.get(ref) != oid
        # Where this clone was copied from, the run may have been archived since.
        and (writer_of(ref) == exchange.own or archived.get(ref) != oid)
    )
    held = [ref for ref in own if ref in exchange.there]
    behind = _behind(exchange, held, here)
    told = push_refs(exchange.repo, exchange.remote, [ref for ref in own if ref not in behind])
    pushed = tuple(one.ref for one in told if not one.reason)
    rejected = [Rejected(one.ref, in_words(one.reason)) for one in told if one.reason]
    return pushed, tuple(rejected)


def _behind(exchange: Exchange, held: Sequence[str], here: Refs) -> set[str]:
    """Own refs of which the remote has more, or something else, than this clone.

    More: this clone was restored from an older copy. It must not write on under the same id, or two histories of one
    writer arise; what the remote has is fetched by the next sync as another writer's.
    """
    foreign = [ref for ref in held if not exchange.repo.has(exchange.there[ref])]
    if foreign:
        fetch_objects(exchange.repo, exchange.remote, foreign)
    behind: set[str] = set()
    for ref in held:
        theirs = exchange.there[ref]
        if reaches(exchange.repo, here[ref], theirs):
            continue
        behind.add(ref)
        if writer_of(ref) != exchange.own:
            continue
        what = "ahead" if reaches(exchange.repo, theirs, here[ref]) else "rewritten"
        said = (
            "has more of this clone's events than this clone, which was restored from a copy; it goes on under a new id"
            if what == "ahead"
            else "holds another history than this clone wrote; nothing was forced"
        )
        exchange.reported.append(Reported(ref, what, f"{ref} on {exchange.remote} {said}"))
    if any(one.what == "ahead" for one in exchange.reported):
        _write_under_a_new_id(exchange.repo)
    return behind


def _write_under_a_new_id(repo: Repository) -> None:
    common = repo.layout.common_dir
    descriptor = acquire_lock(common / LOCK, timeout=10.0)
    try:
        forget_writer_id(str(common))
    finally:
        release_lock(descriptor)


_WORDS: tuple[tuple[str, str], ...] = (
    ("deny updating a hidden ref", "the server hides refs/ai and takes nothing there"),
    ("pre-receive hook declined", "a hook of the server declined it"),
    ("hook declined", "a hook of the server declined it"),
    ("non-fast-forward", "the server holds another history of it"),
    ("fetch first", "the server holds more of it than this clone"),
    ("stale info", "it was moved meanwhile; run it again"),
    ("remote unpacker failed", "the server could not store it"),
    ("failed to update ref", "the server could not move it; run it again"),
    ("funny refname", "the server takes no refs of this name"),
    ("protected", "the server protects it"),
)


def in_words(reason: str) -> str:
    """A server's reason for rejecting a ref, for people, with what it said."""
    known = next((words for said, words in _WORDS if said in reason), "")
    return f"{known} ({reason})" if known else reason


def _listed_writers(repo: Repository) -> frozenset[str]:
    return frozenset(writer_ids(str(repo.layout.common_dir)))


def _is_before(run: str, since: date | None) -> bool:
    found = _DATED.match(run)
    if since is None or found is None:
        return False
    try:
        return date(*map(int, found.groups())) < since
    except ValueError:
        return False


def _url(settings: Mapping[str, str], remote: str) -> str:
    return settings.get(f"remote.{remote}.url") or remote
