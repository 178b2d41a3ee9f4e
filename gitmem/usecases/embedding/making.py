"""Make vectors and keep them; light, since a recall imports it."""

from __future__ import annotations

from collections.abc import Mapping

from gitmem.embedding.calibration import probes, unrelated_likeness
from gitmem.embedding.provider import Failure, Provider
from gitmem.store.vectors import VectorStore
from gitmem.usecases.embedding.providing import note_success, prepared

WITHIN = 120.0
"""Seconds that one batch may take, its second tries included."""


def made(
    provider: Provider, store: VectorStore, texts: Mapping[str, str], *, within: float
) -> Failure | None:
    """Make and keep the vectors of some texts by key; returns why not."""
    vectors = provider.embed([prepared(text, provider) for text in texts.values()], "document", within=within)
    if isinstance(vectors, Failure):
        return vectors
    store.put(dict(zip(texts, vectors, strict=True)))
    note_success(store)
    return None


def calibrate(provider: Provider, store: VectorStore, *, within: float = WITHIN) -> Failure | None:
    """Learn once for a model how alike it finds what has nothing in common; returns why not."""
    if store.note("unrelated") is not None:
        return None
    vectors = provider.embed([prepared(one, provider) for one in probes()], "document", within=within)
    if isinstance(vectors, Failure):
        return vectors
    store.set_note("unrelated", f"{unrelated_likeness(vectors):.4f}")
    return None
