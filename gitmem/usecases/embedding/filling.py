"""Make the vectors that are missing: by `gitmem embed`, and in the background of the MCP server."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from gitmem.embedding.provider import Failure, Provider
from gitmem.embedding.settings import Settings
from gitmem.git.interface import Repository
from gitmem.model.element import Element
from gitmem.store.ledger import RunLedger
from gitmem.store.vectors import VectorStore
from gitmem.usecases.candidates import load_candidates
from gitmem.usecases.embedding.making import WITHIN, calibrate, calibration_of, made, vectors_of
from gitmem.usecases.embedding.providing import configured, note_failure, note_success, open_store
from gitmem.usecases.embedding.texts import wanted_texts
from gitmem.usecases.knowledge import load_knowledge
from gitmem.usecases.map import load_elements
from gitmem.usecases.recalling.testimony import load_testimony

_SPARE = 2_000
"""Vectors of older texts that are kept beside as many as are wanted: branches come back."""


@dataclass(frozen=True, slots=True)
class Filled:
    """What filling came to.

    Args:
        settings: The provider; None when none is configured.
        wanted: How many texts have or need a vector.
        added: How many were made now.
        missing: How many are missing still.
        problem: Why it ended early; empty when it did not.
    """

    settings: Settings | None = None
    wanted: int = 0
    added: int = 0
    missing: int = 0
    problem: str = ""


def fill(
    ledger: RunLedger,
    *,
    progress: Callable[[int, int], object] = lambda _done, _of: None,
    stopped: Callable[[], bool] = lambda: False,
    renew: bool = False,
) -> Filled:
    """Make every missing vector, batch by batch; what is made is kept at once.

    Args:
        ledger: Where.
        progress: Told after each batch how many of how many are made.
        stopped: Asked between two batches whether to end.
        renew: Make all of them anew; the old ones go when all the new ones are here, and stay where one fails.

    Raises:
        GitmemError: What is known cannot be read.
    """
    told = configured(ledger.repository)
    if told.provider is None:
        return Filled(told.settings, problem=told.problem)
    store = open_store(ledger.repository, told.provider)
    try:
        filled = (
            _renewed(ledger, told.provider, store, progress)
            if renew
            else _filled(ledger, told.provider, store, progress, stopped)
        )
        return replace(filled, settings=told.settings)
    finally:
        store.close()


def _filled(
    ledger: RunLedger,
    provider: Provider,
    store: VectorStore,
    progress: Callable[[int, int], object],
    stopped: Callable[[], bool],
) -> Filled:
    texts = _wanted(ledger)
    missing = store.missing(texts)
    added = 0
    failure = calibrate(provider, store) if missing else None
    for some in _batches(missing, provider.batch):
        if failure is None and not stopped():
            failure = made(provider, store, {key: texts[key] for key in some}, within=WITHIN)
            added += len(some) if failure is None else 0
            progress(added, len(missing))
    if failure is not None:
        note_failure(store, failure)
    if store.count > 2 * len(texts) + _SPARE:
        store.keep_only(texts)
    reason = failure.reason if failure is not None else ""
    return Filled(None, len(texts), added, len(missing) - added, reason)


def _renewed(
    ledger: RunLedger, provider: Provider, store: VectorStore, progress: Callable[[int, int], object]
) -> Filled:
    texts = _wanted(ledger)
    unrelated = calibration_of(provider)
    failure = unrelated if isinstance(unrelated, Failure) else None
    fresh: dict[str, array[float]] = {}
    for some in _batches([*texts], provider.batch):
        found = failure or vectors_of(provider, {key: texts[key] for key in some}, within=WITHIN)
        if isinstance(found, Failure):
            failure = found
            break
        fresh |= found
        progress(len(fresh), len(texts))
    if failure is not None:
        note_failure(store, failure)
        missing = len(store.missing(texts))
        kept = "; the vectors that were here are kept" if store.count else ""
        return Filled(None, len(texts), 0, missing, f"{failure.reason}{kept}")
    store.replace(fresh, str(unrelated))
    note_success(store)
    return Filled(None, len(texts), len(fresh), len(store.missing(texts)))


def _wanted(ledger: RunLedger) -> dict[str, str]:
    repo = ledger.repository
    knowledge = load_knowledge(repo)
    outcomes = load_testimony(repo).outcomes
    return wanted_texts(knowledge, load_candidates(ledger), outcomes, _elements(repo))


def _elements(repo: Repository) -> tuple[Element, ...]:
    """Those that the map shows, wherever they come from: `map --find` asks for their vectors."""
    head = repo.head()
    return load_elements(repo, head)[0].elements if head is not None else ()


def _batches(keys: Sequence[str], size: int) -> Iterator[list[str]]:
    waiting = iter(keys)
    while some := list(islice(waiting, size)):
        yield some
