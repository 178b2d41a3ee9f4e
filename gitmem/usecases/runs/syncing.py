"""Exchange the ledger with a remote: take what others wrote, send what this clone wrote, notice what was tampered with.

Each writer moves its own refs alone, so nothing is merged, nothing is forced, and a rejected ref means that history was
rewritten somewhere. What the remote was seen to hold is remembered (`gitmem.store.remote_state`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from gitmem.errors import NotFoundError, NotServedError
from gitmem.git.interface import Repository
from gitmem.git.transport import Pushed, fetch_refs, list_remote, push_refs
from gitmem.git.transport_failures import RefusedError, UnreachableError
from gitmem.store.archive import ARCHIVE, RUNS, is_archive, run_of
from gitmem.store.ledger import RunLedger
from gitmem.store.remote_state import RemoteState, load_remote_state, save_remote_state
from gitmem.usecases.runs.diverging import settle
from gitmem.usecases.runs.exchange import Exchange, Refs, Rejected, Reported, Synced, reaches, writer_of
from gitmem.usecases.runs.retiring import retire
from gitmem.wire.writer import writer_ids

REMOTE_KEY = "gitmem.syncRemote"
PUBLIC = "whoever can read this remote can read the ledger: in a public repository that is everybody"

_PATTERNS = (f"{RUNS}*", f"{ARCHIVE}*")
_DATED = re.compile(r"run-(\d{4})(\d{2})(\d{2})-")


def sync(
    ledger: RunLedger,
    remote: str | None = None,
    *,
    since: date | None = None,
    artifacts: bool = False,
    before_first: Callable[[str], None] = lambda _: None,
) -> Synced:
    """Fetch the refs of other writers, then push this clone's own.

    Args:
        ledger: Whose.
        remote: A remote's name or URL; by default `REMOTE_KEY`, the branch's remote, ``origin`` or the only one.
        since: Runs of earlier days that are not here are not fetched.
        artifacts: Also the artifacts over 1 MiB (`gitmem.store.large`).
        before_first: Called with `PUBLIC` before this clone sends something to this remote for the first time.

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
        listed = list_remote(repo, name, _PATTERNS)
        there = {ref: oid for ref, oid in listed.items() if exchange.is_ours(ref)}
        return _exchanged(replace(exchange, there=there), before_first)
    except UnreachableError as error:
        waiting = _unsent(state, exchange.tips(), _listed_writers(repo))
        return Synced(name, waiting=waiting, offline=error.message)
    except (NotServedError, RefusedError) as error:
        if remote is not None or REMOTE_KEY.lower() not in settings:
            raise
        cure = f"git config {REMOTE_KEY} REMOTE names another one; it is {name!r}"
        raise type(error)(f"{error.message} ({REMOTE_KEY} names it)", hint=cure) from None


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


class Unsynced(NamedTuple):
    """Own refs that a remote was not seen to hold as they are here.

    Args:
        refs: Sorted.
        refused: Why the last exchange could not send them, by full ref name, for those that it tried.
    """

    refs: tuple[str, ...] = ()
    refused: Mapping[str, str] = MappingProxyType({})


def unsynced(ledger: RunLedger, remote: str | None = None) -> Unsynced:
    """Own refs that a remote was not seen to hold; read from what is remembered, without a network.

    None when there is no remote at all.
    """
    repo = ledger.repository
    settings = _settings(repo)
    try:
        url = _url(settings, remote or _default(repo, settings))
    except NotFoundError:
        return Unsynced()
    state = load_remote_state(repo.layout, url)
    refs = _unsent(state, ledger.refs().refs, _listed_writers(repo))
    return Unsynced(refs, {ref: state.refused[ref] for ref in refs if ref in state.refused})


def _unsent(state: RemoteState, here: Refs, listed: frozenset[str]) -> tuple[str, ...]:
    return tuple(
        sorted(
            ref
            for ref, oid in here.items()
            if writer_of(ref) in listed
            and state.seen.get(ref) != oid
            and state.kept.get(ref) != (oid, state.seen.get(ref))
        )
    )


def _exchanged(exchange: Exchange, before_first: Callable[[str], None]) -> Synced:
    before = exchange.tips()
    wanted, left_out = _wanted(exchange, before)
    reason = fetch_refs(exchange.repo, exchange.remote, wanted)
    kept = settle(exchange, exchange.tips() if wanted else before)
    here = exchange.tips() if wanted or exchange.reported else before
    fetched = tuple(
        ref for ref, oid in sorted(here.items()) if exchange.there.get(ref) == oid != before.get(ref)
    )
    _moved_back(exchange)
    left = [ref for ref in wanted if here.get(ref) != exchange.there[ref] and ref not in kept]
    _rewritten(exchange, left, here, reason)
    is_first = not any(writer_of(ref) in exchange.listed for ref in exchange.state.seen)
    told = _push(exchange, here, kept, before_first if is_first else lambda _: None)
    sent = {one.ref: here[one.ref] for one in told if not one.reason}
    refused = {one.ref: in_words(one.reason) for one in told if one.reason}
    pushed = tuple(one.ref for one in told if not one.reason and not one.is_same)
    if _is_hidden(exchange, told, is_first=is_first):
        exchange.reported.append(Reported("refs/ai", "hidden", _HIDDEN.format(remote=exchange.remote)))
    else:
        _vanished(exchange, before, here, refused)
    there = {**exchange.there, **sent}
    gone = retire(exchange, here, there)
    there = {ref: oid for ref, oid in there.items() if ref not in gone}
    state = _remembered(exchange, there, refused, kept)
    waiting = _unsent(state, here, exchange.listed)
    return Synced(
        exchange.remote,
        fetched=fetched,
        pushed=pushed,
        rejected=tuple(Rejected(ref, why) for ref, why in refused.items()),
        reported=tuple(exchange.reported),
        left_out=left_out,
        # Looked at again, since what others archived has left this clone meanwhile.
        waiting=_unsent(state, exchange.tips(), exchange.listed) if waiting else (),
        is_first=bool(pushed) and is_first,
        is_empty=not exchange.there and not sent,
    )


def _remembered(exchange: Exchange, there: Refs, refused: Mapping[str, str], kept: Refs) -> RemoteState:
    before = exchange.state
    state = replace(
        before,
        seen={**{ref: oid for ref, oid in before.seen.items() if not exchange.is_ours(ref)}, **there},
        refused=refused,
        kept={ref: (oid, there.get(ref, "")) for ref, oid in kept.items()},
    )
    if state != before or before.is_new:
        save_remote_state(exchange.repo.layout, state)
    return state


_HIDDEN = (
    "{remote} takes what is sent and hides it from whoever fetches: nobody else sees it. "
    "On the server: git config --unset-all uploadpack.hideRefs"
)


def _is_hidden(exchange: Exchange, told: Sequence[Pushed], *, is_first: bool) -> bool:
    """Whether the remote takes refs and lists none of them.

    Asked only when it has what it did not show, or got its first refs: what another process of this clone sent
    meanwhile it has too.
    """
    arrived = {one.ref for one in told if not one.reason}
    is_doubtful = any(one.is_same for one in told) or (is_first and not exchange.there)
    if not arrived or not is_doubtful:
        return False
    return not list_remote(exchange.repo, exchange.remote, _PATTERNS).keys() & arrived


def _wanted(exchange: Exchange, here: Refs) -> tuple[list[str], tuple[str, ...]]:
    """Refs of others to fetch, and the runs and archives that are too old to be."""
    known = {**exchange.archived(here), **here}
    differing = [
        ref
        for ref, oid in sorted(exchange.there.items())
        if (ref not in known if writer_of(ref) == exchange.own else known.get(ref) != oid)
    ]
    runs = {run_of(ref) for ref in known}
    old = {run for run in map(run_of, differing) if run not in runs and _is_before(run, exchange.since)}
    if exchange.since is not None:  # an archive is all that its writer ever ended
        old |= {ref for ref in differing if is_archive(ref) and ref not in here}
    return [ref for ref in differing if not {ref, run_of(ref)} & old], tuple(sorted(old))


def _vanished(exchange: Exchange, before: Refs, here: Refs, refused: Mapping[str, str]) -> None:
    """Report refs that are gone from the remote, but for those that their writer archived."""
    archived = exchange.archived(here)
    for ref in sorted(exchange.state.seen.keys() - exchange.there.keys()):
        tip = archived.get(ref)
        if not exchange.is_ours(ref) or (
            tip is not None and reaches(exchange.repo, tip, exchange.state.seen[ref])
        ):
            continue
        is_sent = writer_of(ref) in exchange.listed and ref not in refused
        cure = "it is sent again" if is_sent else "it is kept here"
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


def _push(
    exchange: Exchange, here: Refs, kept: Refs, before_first: Callable[[str], None]
) -> tuple[Pushed, ...]:
    archived = exchange.archived(here)
    own = sorted(
        ref
        for ref, oid in here.items()
        if writer_of(ref) in exchange.listed
        and exchange.there.get(ref) != oid
        and ref not in kept
        # Where this clone was copied from, the run may have been archived since.
        and (writer_of(ref) == exchange.own or archived.get(ref) != oid)
    )
    if not own:
        return ()
    before_first(PUBLIC)
    try:
        return push_refs(exchange.repo, exchange.remote, own)
    except RefusedError as error:
        return tuple(Pushed(ref, error.message) for ref in own)


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
