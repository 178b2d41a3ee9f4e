"""What an evidence reference without a kind means, by its prefix and by what the repository has."""

from __future__ import annotations

import re
from typing import Any, Protocol

from gitmem.model.memory import Evidence
from gitmem.store import spellings

NO_EVIDENCE = Evidence()


class Resolver(Protocol):
    """What the meaning of an untagged evidence reference rests on: the state of the repository."""

    def exists(self, path: str) -> bool:
        """Whether the repository has the path."""

    def commit(self, prefix: str) -> str | None:
        """The whole id of the commit that a hex prefix names; None when none or several."""


class NoResolver:
    """Resolves nothing, for readers without a repository."""

    def exists(self, _path: str) -> bool:
        return False

    def commit(self, _prefix: str) -> str | None:
        return None


def resolve_evidence(given: dict[str, Any], resolver: Resolver) -> Evidence:
    """The evidence of a memory, from its fields as written; ``source`` and ``mixed`` are looked up."""
    sources = given.pop("source", ())
    mixed = given.pop("mixed", ())
    if sources:
        given["documents"] = tuple(_source(path, resolver) for path in sources)
    return sort_evidence(mixed, resolver, Evidence(**given)) if mixed else Evidence(**given)


def _source(path: str, resolver: Resolver) -> str:
    below = f".ai/memory/{path}"
    return below if not resolver.exists(path) and resolver.exists(below) else path


def sort_evidence(references: tuple[str, ...], resolver: Resolver, onto: Evidence = NO_EVIDENCE) -> Evidence:
    """Sort untyped references by what they are.

    A prefix decides (``test: review: judge: commit: doc: artifact:``); else an existing path is a document, a hex id
    that resolves a commit, ``X#Y`` artifact X item Y; what is left is a test.
    """
    sorted_out: dict[str, list[str]] = {
        name: list(getattr(onto, name)) for name in ("tests", "reviews", "commits", "documents", "artifacts")
    }
    for reference in references:
        name, value = _sorted_reference(reference, resolver)
        sorted_out[name].append(value)
    return Evidence(**{name: tuple(found) for name, found in sorted_out.items()})


def _sorted_reference(reference: str, resolver: Resolver) -> tuple[str, str]:
    prefix, colon, rest = reference.partition(":")
    if colon and rest.strip() and prefix in spellings.EVIDENCE_PREFIXES:
        return spellings.EVIDENCE_PREFIXES[prefix], rest.strip()
    if resolver.exists(reference):
        return "documents", reference
    commit = resolver.commit(reference) if re.fullmatch("[0-9a-f]{4,64}", reference) else None
    if commit:
        return "commits", commit
    return ("artifacts" if "#" in reference.strip("#") else "tests"), reference
