"""How alike known texts are to a question or to one another, as far as the provider answers in time.

Best effort: nothing here fails, and a provider that is slow, wrong or gone is said once and left alone for a minute.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from gitmem.embedding.calibration import on_common_scale
from gitmem.embedding.provider import Failure, Provider
from gitmem.embedding.vector import cosines
from gitmem.git.interface import Repository
from gitmem.store.vectors import VectorStore, text_key
from gitmem.usecases.embedding.making import calibrate, made
from gitmem.usecases.embedding.providing import (
    configured,
    is_paused,
    note_failure,
    note_success,
    open_store,
    pause_sentence,
    prepared,
)

_LONGEST_QUESTION = 2_000
_WRITE_PATIENCE = 5.0
"""Seconds that `remember` and the gate wait: they are asked once, not before every step."""


class Alike(NamedTuple):
    """How alike things are to what was asked.

    Args:
        cosines: On the common scale of models, by key, of those that have a vector; None when words alone count.
        problem: What must be said of it; empty when nothing must.
        paused: Why the provider was left alone, in one sentence; empty when it was not.
    """

    cosines: Mapping[str, float] | None = None
    problem: str = ""
    paused: str = ""


def alike_to_question(
    repo: Repository, question: str, keys: Iterable[str], *, may_load: bool = True
) -> Alike:
    """How alike kept vectors are to a question.

    Args:
        repo: The repository.
        question: In words.
        keys: Of what may be found.
        may_load: Whether a model may be loaded for it, which takes more than a second.
    """
    if not question.strip():
        return Alike()
    told = configured(repo)
    if told.provider is None:
        return Alike(problem=told.problem)
    if not (may_load or told.provider.is_ready):
        return Alike()
    store = open_store(repo, told.provider)
    try:
        return _alike(told.provider, store, question, list(keys))
    finally:
        store.close()


def _alike(provider: Provider, store: VectorStore, question: str, keys: Sequence[str]) -> Alike:
    if is_paused(store):
        return Alike(paused=pause_sentence(store))
    if not store.size:
        return Alike(problem=note_failure(store, Failure("no vectors are kept yet: gitmem embed makes them")))
    asked = prepared(question[:_LONGEST_QUESTION], provider)
    found = provider.embed([asked], "query", within=provider.patience)
    if not isinstance(found, Failure) and len(found[0]) != store.size:
        wrong = f"answers vectors of {len(found[0])} numbers, and those kept have {store.size}"
        found = Failure(f"the provider {wrong}: gitmem embed --renew makes them anew")
    if isinstance(found, Failure):
        return Alike(problem=note_failure(store, found))
    note_success(store)
    held = store.get(keys)
    unrelated = unrelated_of(store)
    told = cosines(found[0], list(held.values()))
    return Alike({key: on_common_scale(one, unrelated) for key, one in zip(held, told, strict=True)})


def unrelated_of(store: VectorStore) -> float:
    """What the model says of unrelated texts; 0 while that is not known."""
    try:
        return min(0.99, max(0.0, float(store.note("unrelated") or 0.0)))
    except ValueError:
        return 0.0


class Comparing:
    """Compares lessons by their vectors, for `remember` and the gate; the provider is looked up at the first one.

    Attributes:
        problem: What must be said once; empty when nothing must.
    """

    def __init__(self, repo: Repository) -> None:
        self._repo = repo
        self._told = False
        self._provider: Provider | None = None
        self._store: VectorStore | None = None
        self.problem = ""

    def cosines(self, text: str, others: Iterable[str]) -> Mapping[str, float]:
        """Cosines on the common scale of models by text, of those that have a vector.

        Args:
            text: What is compared.
            others: What is known.
        """
        store = self._opened()
        if store is None or self._provider is None or is_paused(store):
            return {}
        keys = {text_key(one): one for one in (text, *others)}
        missing = dict.fromkeys(islice(store.missing(keys), self._provider.batch))
        if missing and not self._made(store, self._provider, {key: keys[key] for key in missing}):
            return {}
        held = store.get(keys)
        own = held.pop(text_key(text), None)
        if own is None:
            return {}
        from array import array

        vector, unrelated = array("f"), unrelated_of(store)
        vector.frombytes(own)
        told = cosines(vector, list(held.values()))
        return {keys[key]: on_common_scale(one, unrelated) for key, one in zip(held, told, strict=True)}

    def _opened(self) -> VectorStore | None:
        if not self._told:
            self._told = True
            told = configured(self._repo)
            self._provider, self.problem = told.provider, told.problem
            self._store = open_store(self._repo, told.provider) if told.provider else None
        return self._store

    def _made(self, store: VectorStore, provider: Provider, texts: Mapping[str, str]) -> bool:
        failure = calibrate(provider, store, within=_WRITE_PATIENCE)
        failure = failure or made(provider, store, texts, within=_WRITE_PATIENCE)
        if failure is not None:
            self.problem = self.problem or note_failure(store, failure)
        return failure is None
