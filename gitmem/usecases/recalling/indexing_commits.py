"""Making the index of commits that `gitmem.usecases.recalling.commits` asks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from itertools import chain

from gitmem.git.interface import Repository
from gitmem.git.subjects import left_behind, newest, subjects
from gitmem.recall.documents import path_terms
from gitmem.recall.tokens import WORDS, pieces_of, words_of
from gitmem.store.term_index import Postings, TermIndex
from gitmem.store.term_writing import Cards, Indexed, Wanted, counted, renewed

MOST_COMMITS = 8_000
_MOST_PATHS = 100
"""Paths of a commit; one that changed more says nothing about where anything belongs."""


def index_commit(subject: str, paths: Sequence[str]) -> Indexed:
    """What is kept of one commit: the words of its subject, what it touched, and both as they are."""
    card = _card(subject, paths)
    counts = Counter(map(WORDS.__add__, words_of(subject)))
    return Indexed(counts | dict.fromkeys(chain.from_iterable(map(path_terms, card[1])), 1), card)


Kept = tuple[str, tuple[str, ...]]
"""Subject of a commit, and its paths unless there are too many."""


def _card(subject: str, paths: Sequence[str]) -> Kept:
    return subject, tuple(paths) if len(paths) <= _MOST_PATHS else ()


def postings_of(cards: Mapping[int, Kept]) -> dict[str, Postings]:
    """The terms of many commits, as `index_commit` gives them for one; each part of a subject and each path is read once."""
    pieces: defaultdict[str, list[int]] = defaultdict(list)
    places: defaultdict[str, list[int]] = defaultdict(list)
    for number, (subject, paths) in cards.items():
        for piece in pieces_of(subject):
            pieces[piece].append(number)
        for path in paths:
            places[path].append(number)
    said: defaultdict[str, list[int]] = defaultdict(list)
    touched: defaultdict[str, list[int]] = defaultdict(list)
    for piece, numbers in pieces.items():
        for word in words_of(piece):
            said[f"{WORDS}{word}"] += numbers
    for path, numbers in places.items():
        for term in path_terms(path):
            touched[term] += numbers
    found = {term: counted(numbers) for term, numbers in said.items()}
    return found | {term: counted(set(numbers)) for term, numbers in touched.items()}


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

    def card_of(oid: str) -> Kept:
        if (
            oid not in new
        ):  # an older index that holds it was not built upon, or it holds others of a long history
            new.update((one.oid, one) for one in subjects(repo.layout, head, most=MOST_COMMITS))
        return _card(new[oid].subject, new[oid].paths)

    documents = Cards(card_of, lambda card: index_commit(*card).terms, postings_of)
    return renewed(file, Wanted(state, order, documents, lambda _: order), old=old)


def _kept(repo: Repository, old: TermIndex, known: str, head: str, new: Container[str]) -> list[str]:
    """Commits of an older index that the newest commit has as well."""
    left = set(left_behind(repo.layout, known, head))
    return [oid for oid in old.heads if oid not in left and oid not in new]
