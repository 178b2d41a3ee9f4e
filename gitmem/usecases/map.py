"""The knowledge map of HEAD: elements, approved memories, and what changed lately.

The elements are those of the work tree's file, since that is what a person edits while looking at the map; without a
work tree those of HEAD; without a file, or with one that names none, those that `gitmem map --draft` would write.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from gitmem.errors import GitmemError, NotServedError, UsageError
from gitmem.git.interface import Repository
from gitmem.knowledge_map.cells import CHURN_DAYS, KnowledgeMap, Known, count_commits, draw_map
from gitmem.knowledge_map.element_index import ElementIndex
from gitmem.knowledge_map.finding import Match, find_indexed
from gitmem.model.change import MODE_EXECUTABLE, MODE_FILE
from gitmem.model.element import Element, Elements
from gitmem.model.problem import Problem
from gitmem.model.validation import Validation
from gitmem.store.cache import read_content, write_content
from gitmem.store.elements import FILE, parse_elements
from gitmem.store.run_cache import cache_folder
from gitmem.trust.effective import newest
from gitmem.usecases.drafting import draft
from gitmem.usecases.embedding.elements import alike_elements
from gitmem.usecases.knowledge import KnownValidation
from gitmem.usecases.listing import Listed, Listing, Loaded, load_listing

Source = Literal["file", "draft"]

_CHURN = "churn with first commits"
"""Under which counts are kept; another name whenever what is counted changes."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """A map and what must be said with it.

    Args:
        map: The cells.
        source: ``draft`` when no file names elements.
        until: The day of the newest commit; churn is counted in the days before it.
        shallow: Whether history is cut, so that churn may be too low.
        churn_problem: Why churn could not be counted; empty when it was.
        proposed: Memories that are not merged yet and count for nothing.
        problems: What is wrong with files.
    """

    map: KnowledgeMap
    source: Source
    until: date
    shallow: bool
    churn_problem: str
    proposed: int
    problems: tuple[Problem, ...]


def load_map(repo: Repository, *, today: date) -> Mapped:
    """Draw the map of HEAD.

    Raises:
        NotServedError: There is no commit yet.
    """
    head = _head(repo)
    elements, source, problems = load_elements(repo, head)
    memories, listing = _memories(repo, today)
    until = _committed(repo, head)
    churn, churn_problem = _churn(repo, head, elements.elements, until)
    paths = _paths(repo, head)
    others = [one for one in listing.problems if one.file != FILE]
    return Mapped(
        draw_map(elements.elements, paths, memories, churn, today),
        source,
        until.date(),
        repo.layout.shallow,
        churn_problem,
        sum(one.status == "proposed" for one in memories),
        tuple(sorted({*problems, *others})),
    )


@dataclass(frozen=True, slots=True)
class FoundElements:
    """The elements that a task is about.

    Args:
        matches: The elements, the best first.
        source: ``draft`` when no file names elements.
        total: How many there are.
        problems: What is wrong with files.
        unasked: Why vectors took no part though a provider is configured; empty when nothing is to be said.
    """

    matches: tuple[Match, ...]
    source: Source
    total: int
    problems: tuple[Problem, ...]
    unasked: str = ""


def find_in_map(
    repo: Repository,
    task: str,
    *,
    today: date,
    semantic: Mapping[str, float] | None = None,
    loaded: Loaded | None = None,
) -> FoundElements:
    """Rank the elements that a task is about.

    Args:
        repo: The repository.
        task: What is to be done, in words.
        today: The day to judge memories at.
        semantic: Similarity by the name of the element; asked of the configured provider when None.
        loaded: The memories of HEAD, where the caller has them already.

    Raises:
        NotServedError: There is no commit yet.
        UsageError: The task has no words.
    """
    if not task.strip():
        raise UsageError(
            "no words to find elements by", hint='name the task: gitmem map --find "retry at checkout"'
        )
    head = _head(repo)
    elements, source, problems = load_elements(repo, head)
    memories, listing = _memories(repo, today, loaded)
    unasked = ""
    if semantic is None:
        semantic, unasked = alike_elements(repo, task, elements.elements, _paths(repo, head), memories)
    index = repo.kept(
        "element words",
        (elements.elements, head, memories),
        lambda: ElementIndex(elements.elements, _paths(repo, head), memories),
    )
    matches = find_indexed(task, index, semantic=semantic)
    others = [one for one in listing.problems if one.file != FILE]
    every = tuple(sorted({*problems, *others}))
    return FoundElements(matches, source, len(elements.elements), every, unasked)


def _head(repo: Repository) -> str:
    head = repo.head()
    if head is None:
        raise NotServedError("there is no commit yet to draw a map of", hint="commit first")
    return head


def _paths(repo: Repository, head: str) -> list[str]:
    return [one.path for one in repo.list_tree(head)]


def _memories(
    repo: Repository, today: date, loaded: Loaded | None = None
) -> tuple[tuple[Known, ...], Listing]:
    loaded = loaded or load_listing(repo, today=today)
    listing, validations = loaded.listing, loaded.knowledge.validations
    known = repo.kept(
        "mapped memories", (listing, validations, today), lambda: _mapped(listing, validations, today)
    )
    return known, listing


def _mapped(listing: Listing, validations: Sequence[KnownValidation], today: date) -> tuple[Known, ...]:
    validated = _validated(validations)
    return tuple(_known(one, validated.get(one.memory.id), today) for one in listing.memories)


def load_elements(repo: Repository, head: str) -> tuple[Elements, Source, tuple[Problem, ...]]:
    """The elements to show, where they come from, and what is wrong with their file.

    Args:
        repo: The repository.
        head: The commit whose file counts without a work tree, and whose structure is drafted.
    """
    data = _elements_file(repo, head)
    parsed: Elements | None = None
    problems: tuple[Problem, ...] = ()
    if data is not None:
        parsed, problems = repo.kept("elements", data, lambda: parse_elements(FILE, data, partly=True))
    if parsed is not None and parsed.elements:
        return parsed, "file", problems
    return repo.kept("drafted elements", head, lambda: draft(repo, head)), "draft", problems


def _elements_file(repo: Repository, head: str) -> bytes | None:
    if repo.layout.work_tree is not None:
        place = repo.layout.work_tree / FILE
        is_linked = place.is_symlink() or place.parent.is_symlink()
        return repo.worktree_blob(FILE) if not is_linked and place.is_file() else None
    entry = repo.entry(head, FILE)
    if entry is None or entry.mode not in {MODE_FILE, MODE_EXECUTABLE}:
        return None
    return repo.read_blob(entry.oid, limit=1 << 20).data


def _validated(validations: Sequence[KnownValidation]) -> Mapping[str, date]:
    """The day of the newest merged validation of each memory."""
    grouped: dict[str, list[Validation]] = {}
    for one in validations:
        if one.merged:
            grouped.setdefault(one.validation.memory, []).append(one.validation)
    return {memory: _day(last.at) for memory, some in grouped.items() if (last := newest(some))}


def _known(one: Listed, validated: date | None, today: date) -> Known:
    """With the day when it was last known true; one that is still to come says nothing."""
    memory = one.memory
    told = validated or memory.last_validated_at or memory.approved_at or memory.created_at
    brought = datetime.fromisoformat(one.approval.at).date() if one.approval.at else None
    day = _day(told) if told else None
    is_believed = day is not None and day <= today + timedelta(days=1)
    return Known(memory, one.effective_status, day if is_believed else brought, one.warning)


def _day(moment: datetime | date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _committed(repo: Repository, head: str) -> datetime:
    commit = repo.commit(head)
    if commit is None:
        raise NotServedError("HEAD cannot be read", hint="run git fsck")
    return datetime.fromisoformat(commit.committed_at)


def _churn(
    repo: Repository, head: str, elements: Sequence[Element], until: datetime
) -> tuple[Mapping[str, int], str]:
    """Commits by element, from the cache when the same commit and elements were asked for last; or why there are none."""
    words = "\n".join(f"{one.name}\t{' '.join(one.paths)}" for one in elements)
    cut = " cut" if repo.layout.shallow else ""
    key = f"{head}{cut} {hashlib.sha256(words.encode('utf-8', 'surrogatepass')).hexdigest()}"
    file = str(cache_folder(repo.layout) / "churn.marshal")
    kept = read_content(file).get(_CHURN, {}).get(key)
    if isinstance(kept, dict):
        return kept, ""
    try:
        since = (until - timedelta(days=CHURN_DAYS)).isoformat()
        counted = count_commits(elements, repo.touched_since(until=head, since_date=since))
    except (GitmemError, OverflowError) as error:
        return {}, str(error)
    write_content(file, {_CHURN: {key: dict(counted)}})
    return counted, ""
