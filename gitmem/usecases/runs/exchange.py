"""What a sync knows while it goes on, and what it says in the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from gitmem.git.interface import Repository
from gitmem.git.program import ProgramRepository
from gitmem.store.archive import HELD, is_archive, is_held_ref, read_archives, run_of
from gitmem.store.ledger import RunLedger
from gitmem.store.remote_state import RemoteState

Refs = Mapping[str, str]
"""Commit by full ref name."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A ref and what is wrong with it on the remote, and in words.

    ``rewritten``, ``vanished``, ``kept`` (although it is archived), ``ahead`` or ``diverged`` (this clone was restored
    from a copy), ``hidden`` (of all refs: ``refs/ai``).
    """

    ref: str
    what: str
    message: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """A ref that was not taken, and the reason in words."""

    ref: str
    reason: str


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync did.

    Args:
        remote: Its name, or the URL that was given.
        fetched: Refs that are new or longer here.
        pushed: Refs that are new or longer there.
        rejected: Refs that were not sent.
        reported: Refs that were rewritten or deleted there.
        left_out: Runs older than the date that was asked for, which are not here.
        waiting: Own refs that the remote does not have after all this.
        offline: Why the remote could not be reached; empty when it could.
        is_first: Whether this clone sent something to this remote for the first time.
        is_empty: Whether the remote showed nothing of the ledger, and nothing was sent.
    """

    remote: str
    fetched: tuple[str, ...] = ()
    pushed: tuple[str, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    reported: tuple[Reported, ...] = ()
    left_out: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    offline: str = ""
    is_first: bool = False
    is_empty: bool = False


@dataclass
class Exchange:
    """What is known while a sync goes on.

    `own` is the id that this clone writes under; `listed` holds those of its copies or earlier places too, whose
    events may have been sent by nobody.
    """

    ledger: RunLedger
    remote: str
    state: RemoteState
    there: Refs
    own: str | None
    listed: frozenset[str]
    since: date | None
    with_artifacts: bool
    reported: list[Reported] = field(default_factory=list)

    @property
    def repo(self) -> ProgramRepository:
        return self.ledger.repository

    def is_ours(self, ref: str) -> bool:
        """Whether this exchange is about the ref."""
        return bool(run_of(ref)) or is_archive(ref) or (self.with_artifacts and is_held_ref(ref))

    def tips(self) -> Refs:
        """The refs of this clone that the exchange is about."""
        refs = self.ledger.refs()
        return {**refs.refs, **refs.held} if self.with_artifacts else refs.refs

    def archived(self, refs: Refs) -> Refs:
        """Tips by full ref name of the runs' refs that the archives among some refs list."""
        lines = read_archives(self.repo, refs)[0].values()
        return {ref: tip for found in lines for ref, tip in found.values()}


def writer_of(ref: str) -> str:
    """The writer whose ref it is, whichever of them."""
    return ref.rpartition("/")[2].removesuffix(HELD)


def reaches(repo: Repository, tip: str, ancestor: str) -> bool:
    return tip == ancestor or (repo.has(ancestor) and repo.merge_base(tip, ancestor) == ancestor)
