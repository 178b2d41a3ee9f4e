"""Look up in history who brought approved memories to the trusted branch: one pass for all that are asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from gitmem.git.interface import Repository
from gitmem.model.change import Change, Commit, Person
from gitmem.trust.approval import Brought, approval_facts, has_review_trailer
from gitmem.trust.sameness import same_approved
from gitmem.usecases.ai_files import MEMORY_FOLDER, is_note


@dataclass(frozen=True, slots=True)
class Asked:
    """A file of the trusted branch: where it lies and which blob it is, at the tip or in an older version."""

    file: str
    blob: str


@dataclass(slots=True)
class _Trail:
    """How far one file was followed back: its path and blob as of the commit below."""

    asked: Asked
    path: str
    blob: str


def how_brought(repo: Repository, tip: str, asked: Iterable[Asked]) -> Mapping[str, Brought]:
    """For each file, the commit of the tip's first-parent history that brought its words, and who wrote them.

    Commits that changed free fields alone, or moved the file, are passed over. A file is left out when history here
    does not reach that far: the cut of a shallow clone brought nothing.

    Returns:
        By the file's path at the tip.
    """
    trails = {one.file: _Trail(one, one.file, one.blob) for one in asked}
    if not trails:
        return {}
    found: dict[str, tuple[Commit, _Trail]] = {}
    for commit, changes in repo.log_changes(until=tip, under=(MEMORY_FOLDER,), first_parent=True):
        ended = _step(repo, trails, changes)
        if commit.parents or not repo.layout.shallow:
            found |= {trail.asked.file: (commit, trail) for trail in ended}
        if not trails:
            break
    authors = _authors(repo, tip, found.values())
    return {
        file: Brought(commit, authors.get(trail.blob) or (commit.author,))
        for file, (commit, trail) in found.items()
    }


def _step(repo: Repository, trails: dict[str, _Trail], changes: Sequence[Change]) -> list[_Trail]:
    """Follow the trails over one commit, newest first; takes out and returns those that begin here."""
    moved: list[_Trail] = []
    ended: list[_Trail] = []
    for change in changes:
        trail = trails.pop(change.new_path, None) if change.new_path else None
        if trail is None:
            continue
        if trail.blob != change.new_oid:
            # Newer words than those asked for: what was asked lies further back, under the older path.
            moved += [_Trail(trail.asked, change.old_path, trail.blob)] if change.old_path else []
        elif change.old_path is None or not _same_words(repo, change):
            ended.append(trail)
        else:
            moved.append(_Trail(trail.asked, change.old_path, change.old_oid or ""))
    trails.update({trail.path: trail for trail in moved})
    return ended


def _same_words(repo: Repository, change: Change) -> bool:
    if change.old_oid == change.new_oid or is_note(change.new_path or ""):
        return change.old_oid == change.new_oid
    old, new = repo.read_blobs((change.old_oid or "", change.new_oid or ""))
    return old.data is not None and new.data is not None and same_approved(old.data, new.data)


def _authors(
    repo: Repository, tip: str, found: Collection[tuple[Commit, _Trail]]
) -> Mapping[str, tuple[Person, ...]]:
    """Who wrote each blob that a merge with a review trailer brought; only there does the author decide anything."""
    wanted = {
        trail.blob
        for commit, trail in found
        if len(commit.parents) > 1 and has_review_trailer(commit.message)
    }
    if not wanted:
        return {}
    authors: dict[str, tuple[Person, ...]] = {}
    for commit, changes in repo.log_changes(until=tip, under=(MEMORY_FOLDER,), first_parent=False):
        if len(commit.parents) > 1:
            continue
        for blob in wanted.intersection(change.new_oid for change in changes if change.new_oid):
            authors[blob] = (*authors.get(blob, ()), commit.author)
    return authors


def last_counting(
    repo: Repository,
    tip: str,
    files: Sequence[Asked],
    *,
    replayed: Container[str] = frozenset(),
    require_review: bool = False,
) -> Mapping[str, Asked | None]:
    """For each file of the tip the newest version that counts; None when none ever did.

    What a bot brought, or a direct push where review is required, is as good as unmerged: it must not hide the words
    approved before it.

    Args:
        repo: Where.
        tip: The trusted branch's.
        files: Files of the tip.
        replayed: Blobs whose recorded scorecard says that replay passed.
        require_review: ``policy trust.require_review``.
    """
    brought = how_brought(repo, tip, files)

    def counts(version: Asked, way: Brought | None) -> bool:
        facts = approval_facts(way, replayed=version.blob in replayed, require_review=require_review)
        return facts.state == "merged"

    return {one.file: _last(repo, one, brought.get(one.file), counts) for one in files}


def _last(
    repo: Repository,
    version: Asked,
    brought: Brought | None,
    counts: Callable[[Asked, Brought | None], bool],
) -> Asked | None:
    while not counts(version, brought):
        parent = brought.commit.parents[0] if brought and brought.commit.parents else None
        entry = repo.entry(parent, version.file) if parent and repo.has(parent) else None
        if parent is None or entry is None:
            return None
        version = Asked(version.file, entry.oid)
        brought = how_brought(repo, parent, [version]).get(version.file)
    return version
