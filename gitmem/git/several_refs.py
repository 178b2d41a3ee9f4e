"""Refs as the ledger handles them beyond `interface.Repository`: several prefixes listed in one call with what is
damaged, and many refs deleted at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from gitmem.git import parsing
from gitmem.git.failures import failure, ref_failure
from gitmem.git.interface import Repository
from gitmem.git.runner import Runner


class ListedRefs(NamedTuple):
    """Refs as git lists them.

    Args:
        refs: Object id by full name.
        damaged: Names that git leaves out of its lists because they hold no object id.
    """

    refs: Mapping[str, str]
    damaged: tuple[str, ...]


def list_refs(repository: Repository, *prefixes: str) -> ListedRefs:
    """Refs below some prefixes, by one process."""
    status, out, err = Runner(repository.layout).run(
        "for-each-ref", "--format=%(objectname) %(refname)", *prefixes
    )
    if status:
        raise failure("for-each-ref", status, err)
    return ListedRefs(parsing.ref_rows(out), tuple(sorted(parsing.broken_refs(err))))


def delete_refs(repository: Repository, refs: Mapping[str, str]) -> None:
    """Delete refs that still hold these object ids: all of them or none.

    Raises:
        RaceError: One was moved or is locked by somebody else.
    """
    if not refs:
        return
    asked = "".join(f"delete {name}\0{oid}\0" for name, oid in refs.items())
    status, _, err = Runner(repository.layout).run(
        "update-ref", "--no-deref", "-z", "--stdin", stdin=asked.encode("utf-8", "surrogateescape")
    )
    if status:
        raise ref_failure(next(iter(refs)), status, err)
