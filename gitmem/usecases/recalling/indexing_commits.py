"""Making the index of commits that `gitmem.usecases.recalling.commits` asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence

from gitmem.git.interface import Repository
from gitmem.git.subjects import left_behind, newest, subjects
from gitmem.recall.documents import TOUCHES, touch_terms
from gitmem.recall.tokens import WORDS, words_of
from gitmem.store.term_index import TermIndex
from gitmem.store.term_writing import Indexed, Wanted, renewed

MOST_COMMITS = 8_000
_MOST_PATHS = 100
"""Paths of a commit; one that changed more says nothing about where anything belongs."""


def index_commit(subject: str, paths: Sequence[str]) -> Indexed:
    """What is kept of one commit: the words of its subject, what it touched, and its paths."""
    told = tuple(paths) if len(paths) <= _MOST_PATHS else ()
    counts = Counter(f"{WORDS}{word}" for word in words_of(subject))
    counts.update(dict.fromkeys((f"{TOUCHES}{term}" for path in told for term in touch_terms(path)), 1))
    return Indexed(counts, told)


def renewed_commits(repo: Repository, file: str, state: str, old: TermIndex | None) -> TermIndex:
    """The index of the newest commits.

    Args:
        repo: The repository.
        file: Where it is kept.
        state: What it stands for; its last word is the newest commit.
        old: An older one of the same edition.

    Raises:
        GitmemError: When git cannot tell the commits.
    """
    head = state.rpartition(" ")[2]
    known = old.state.rpartition(" ")[2] if old is not None else ""
    if not known or not repo.has(known):
        old, known = None, ""
    new = {one.oid: one for one in subjects(repo.layout, head, beyond=known or None, most=MOST_COMMITS)}
    order = [*new, *_kept(repo, old, known, head, new)] if old is not None else [*new]
    if old is not None and (len(order) > MOST_COMMITS or len(old.heads) >= MOST_COMMITS):
        order = [*newest(repo.layout, head, most=MOST_COMMITS)]

    def index_of(oid: str) -> Indexed:
        if (
            oid not in new
        ):  # an older index that holds it was not built upon, or it holds others of a long history
            new.update((one.oid, one) for one in subjects(repo.layout, head, most=MOST_COMMITS))
        return index_commit(new[oid].subject, new[oid].paths)

    return renewed(file, Wanted(state, order, index_of, lambda _: order), old=old)


def _kept(repo: Repository, old: TermIndex, known: str, head: str, new: Container[str]) -> list[str]:
    """Commits of an older index that the newest commit has as well."""
    left = set(left_behind(repo.layout, known, head))
    return [oid for oid in old.heads if oid not in left and oid not in new]
