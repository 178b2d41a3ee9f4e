"""Drift's first answer: what every scope holds in HEAD, from one listing of its tree and nothing else.

A scope whose digest equals the stored one rests on nothing that differs; only the others are looked at closely. The cost
is one pass over the listing and a little for each distinct scope; how many baselines the memories have does not matter.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from gitmem.drift.listing import Listing, parse_ls_tree
from gitmem.drift.scopes import ScopeIndex, ScopeMatch, ScopeMatcher, ScopeSpec
from gitmem.model.change import MODE_GITLINK, Change


def first_pass(raw_listing: bytes, specs: Sequence[ScopeSpec]) -> list[ScopeMatch]:
    """Digest and count of each scope, in order.

    Args:
        raw_listing: Output of ``git ls-tree -r -t -z --full-tree COMMIT``.
        specs: The scopes.

    Raises:
        ValueError: When the listing is not that output, or from `parse_glob`.
    """
    matcher = ScopeMatcher(parse_ls_tree(raw_listing))
    return [matcher.match(spec) for spec in specs]


def objects_at(listing: Listing, paths: Iterable[str]) -> dict[str, str]:
    """Object ids of some files and folders of a listing by path; what is not there is left out."""
    found = {}
    for path in paths:
        name = path.encode("utf-8", "surrogateescape")
        at = bisect_left(listing.paths, name)
        if at < len(listing.paths) and listing.paths[at] == name:
            found[path] = listing.lines[at].partition(b"\t")[0].decode("ascii")
        elif name in listing.trees:
            found[path] = listing.trees[name].decode("ascii")
    return found


def affected(changes: Iterable[Change], index: ScopeIndex) -> set[int]:
    """Positions of the scopes whose digest these changes may alter: O(changes × depth of their paths).

    Args:
        changes: All that differs between two trees, renames paired or not.
        index: The scopes.
    """
    found: set[int] = set()
    for change in changes:
        for path, mode in ((change.old_path, change.old_mode), (change.new_path, change.new_mode)):
            if path is not None:
                encoded = path.encode("utf-8", "surrogateescape")
                found |= index.matching(encoded, gitlink=mode == MODE_GITLINK)
    return found
