"""Make vectors and keep them; light, since a recall imports it."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from gitmem.embedding.calibration import probes, unrelated_likeness
from gitmem.embedding.provider import Failure, Provider
from gitmem.store.vectors import VectorStore
from gitmem.usecases.embedding.providing import note_success, prepared

WITHIN = 60.0
"""Seconds that one batch may take, its second tries included."""
FIRST_WITHIN = 30.0
"""Seconds that the first few texts may take: whoever does not answer these is not there, and nothing else is asked."""


def made(
    provider: Provider, store: VectorStore, texts: Mapping[str, str], *, within: float
) -> Failure | None:
    """Make and keep the vectors of some texts by key; returns why not."""
    vectors = vectors_of(provider, texts, within=within)
    if isinstance(vectors, Failure):
        return vectors
    store.put(vectors)
    note_success(store)
    return None


def vectors_of(
    provider: Provider, texts: Mapping[str, str], *, within: float
) -> dict[str, array[float]] | Failure:
    """The vectors of some texts by key, kept nowhere."""
    vectors = provider.embed([prepared(text, provider) for text in texts.values()], "document", within=within)
    return vectors if isinstance(vectors, Failure) else dict(zip(texts, vectors, strict=True))


def calibrate(provider: Provider, store: VectorStore, *, within: float = FIRST_WITHIN) -> Failure | None:
    """Learn once for a model how alike it finds what has nothing in common; returns why not."""
    if store.note("unrelated") is not None:
        return None
    told = calibration_of(provider, within=within)
    if isinstance(told, Failure):
        return told
    store.set_note("unrelated", told)
    return None


def calibration_of(provider: Provider, *, within: float = FIRST_WITHIN) -> str | Failure:
    """How alike a model finds what has nothing in common, as a store notes it."""
    vectors = provider.embed([prepared(one, provider) for one in probes()], "document", within=within)
    return vectors if isinstance(vectors, Failure) else f"{unrelated_likeness(vectors):.4f}"
