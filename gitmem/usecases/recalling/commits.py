"""Where a task probably belongs, told by the commits whose subjects read most like it (recall.md, "Priors").

The newest 8,000 commits are indexed by the words of their subjects and by what they touched, in a file of each work
tree; a newer HEAD only takes in what is new, in a long history not even that (`gitmem.usecases.recalling.anchoring`). No
model is needed.
"""

# pathlib is a slow import, and every recall reads here:
# ruff: noqa: PTH118
from __future__ import annotations

import os
import zlib
from collections.abc import Container, Iterable, Mapping
from heapq import nlargest

from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.recall.text_score import Channel, rarity, text_scores
from gitmem.recall.tokens import WORDS
from gitmem.recall.touching import guessed_paths
from gitmem.store.shelf import source_state
from gitmem.store.term_index import TermIndex, load_index
from gitmem.usecases.recalling.anchoring import anchor_of, cut_of

MOST_SIMILAR = 30


def guessed_by(
    commits: TermIndex, words: Mapping[str, float], among: Container[int] | None = None
) -> dict[str, float]:
    """Weight of the paths of the commits whose subjects read most like some words.

    Of commits that read alike those with the first ids count, whatever order they were indexed in.

    Args:
        commits: Their index.
        words: Weight of each term of the word channel.
        among: Numbers of the commits that count; all when None.
    """
    channel = Channel(commits.lengths(WORDS), commits.count)
    scores = text_scores(words, commits.postings(words), {WORDS: channel})
    found = [number for number in scores if among is None or number in among]
    best = nlargest(MOST_SIMILAR, (scores[number] for number in found))
    if not best:
        return {}
    near = [number for number in found if scores[number] >= best[-1]]
    keys = commits.keys_of(near)
    near = sorted(near, key=lambda number: (-scores[number], keys[number]))[:MOST_SIMILAR]
    paths = {number: card[1] for number, card in commits.cards(near)}
    return guessed_paths((scores[number], paths[number]) for number in near if paths[number])


def place_rarity(commits: TermIndex, terms: Iterable[str]) -> dict[str, float]:
    """How rarely commits touch each place, from 0 to 1, where 1 is never."""
    count = commits.count
    most = rarity(count, 0)
    asked = list(terms)
    having = commits.frequencies(asked)
    return {term: rarity(count, having.get(term, 0)) / most for term in asked}


def commit_index(repo: Repository, head: str, *, anew: bool = False) -> TermIndex | None:
    """The index of the newest commits; None where git cannot tell them.

    Args:
        repo: The repository.
        head: Commit that stands for the present.
        anew: Whether what is kept is damaged, so that nothing is built upon it.
    """
    file = os.path.join(
        os.fspath(repo.layout.common_dir), "gitmem", "cache", f"commits-{_place(repo)}.sqlite"
    )
    edition = f"{source_state(('recall', 'store'))} {cut_of(repo)}"
    try:
        state = f"{edition} {anchor_of(repo, head).commit}"
    except GitmemError:
        return None
    old = load_index(file) if not anew else None
    if old is not None and old.state == state:
        return old
    is_fitting = old is not None and old.state.startswith(f"{edition} ")
    try:
        from gitmem.usecases.recalling.indexing_commits import renewed_commits

        return renewed_commits(repo, file, state, old if is_fitting else None)
    except GitmemError:
        return None
    finally:
        if old is not None:
            old.close()


def _place(repo: Repository) -> str:
    return f"{zlib.crc32(os.fsencode(repo.layout.git_dir)):08x}"
