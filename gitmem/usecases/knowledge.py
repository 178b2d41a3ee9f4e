"""Load what is known: approved memories from the trusted tip, proposed ones from the judged tree.

Approval is a fact of git (domain.md section 2). What the trusted branch's tip holds is read from there and nowhere
else, so an edit that is not merged adds nothing, removes nothing and hides nothing. What only the judged tree holds
is proposed: listed, never delivered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gitmem.git.interface import Repository
from gitmem.model.change import MODE_FILE, TreeEntry
from gitmem.model.element import Elements
from gitmem.model.memory import Memory
from gitmem.model.policy import MemoryPolicy
from gitmem.model.problem import Problem
from gitmem.model.validation import Validation
from gitmem.store.cache import Cache
from gitmem.trust.branch import Trusted
from gitmem.trust.effective import heirs
from gitmem.trust.sameness import same_approved
from gitmem.usecases.ai_files import (
    Contents,
    Files,
    is_memory_file,
    is_note,
    is_validation_file,
    list_files,
    list_judged,
    own_files,
)
from gitmem.usecases.approvals import Asked
from gitmem.usecases.counting import brought_by_bots, versions_that_count
from gitmem.usecases.parsed_files import Form, ParsedFiles
from gitmem.usecases.trusted import trusted_branch
from gitmem.usecases.vantage import where_cut


@dataclass(frozen=True, slots=True)
class KnownMemory:
    """A memory and where it stands.

    Args:
        memory: As the file says that counts: the trusted tip's when merged, else the judged tree's.
        blob: Object id of that file.
        merged: Whether the trusted tip holds it.
        edits: Whether it is an unmerged edit of an approved memory, which stands right before it.
        doubt: Why it does not count although the trusted tip holds it: ``unreviewed`` or ``bot``; empty otherwise.
    """

    memory: Memory
    blob: str
    merged: bool
    edits: bool = False
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class KnownValidation:
    """A validation, and whether the trusted tip holds it; one that is not merged counts on its own branch only."""

    validation: Validation
    merged: bool


@dataclass(frozen=True)
class Knowledge:
    """What one state of the repository knows.

    Args:
        trusted: The trusted branch, or why there is none.
        judged: Commit or tree that was looked at for what is proposed; None when unborn.
        memories: By file; an unmerged edit stands right after the memory it edits.
        validations: Of all memories, by file.
        problems: Every file that could not be read, or only in part.
        is_whole: Whether every file could be read from this clone and the ledger had no say, so that the same ids tell the
            same elsewhere and later.
    """

    trusted: Trusted
    judged: str | None
    memories: tuple[KnownMemory, ...]
    validations: tuple[KnownValidation, ...]
    policy: MemoryPolicy
    elements: Elements
    problems: tuple[Problem, ...] = ()
    is_whole: bool = True

    @cached_property
    def approved(self) -> tuple[Memory, ...]:
        """What the trusted tip holds, whatever its status: the only memories that may ever be delivered."""
        return tuple(one.memory for one in self.memories if one.merged)

    @cached_property
    def proposed(self) -> tuple[Memory, ...]:
        return tuple(one.memory for one in self.memories if not one.merged)

    @cached_property
    def heirs(self) -> Mapping[str, str]:
        """Id of each superseded memory to the approved one that took its place."""
        return heirs(self.approved)

    @cached_property
    def _validations_by_memory(self) -> Mapping[str, tuple[KnownValidation, ...]]:
        grouped: dict[str, list[KnownValidation]] = {}
        for one in self.validations:
            grouped.setdefault(one.validation.memory, []).append(one)
        return {memory: tuple(some) for memory, some in grouped.items()}

    def validations_of(self, memory: str) -> tuple[KnownValidation, ...]:
        return self._validations_by_memory.get(memory, ())


def load_knowledge(
    repo: Repository,
    *,
    tree: str | None = None,
    entries: Sequence[TreeEntry] | None = None,
    read: Callable[[str], bytes | None] | None = None,
    cached: bool = True,
    trusted: Trusted | None = None,
) -> Knowledge:
    """Load every memory, validation, the policy and the elements.

    Args:
        repo: The repository.
        tree: Commit or tree to judge; HEAD by default.
        entries: The judged tree as a full listing instead (index or work tree); `tree` then names what it is based on.
        read: Content of a path of `entries`, for what is no object yet.
        cached: Take values that were parsed before from this clone's cache; False trusts git's objects alone.
        trusted: What is approved is read from here instead of the trusted branch of this clone.
    """
    trusted = trusted or trusted_branch(repo)
    head = tree or repo.head()
    if entries is not None or not cached:
        return _load(repo, trusted, head, entries, read, cached=cached)
    key = (trusted, head, where_cut(repo))
    return repo.kept("knowledge", key, lambda: _load(repo, trusted, head), lasts=_follows_from_ids)


def _follows_from_ids(knowledge: Knowledge) -> bool:
    """Whether the ledger had no say, nor what may yet arrive here."""
    return knowledge.is_whole and not knowledge.policy.require_review


def _load(
    repo: Repository,
    trusted: Trusted,
    head: str | None,
    entries: Sequence[TreeEntry] | None = None,
    read: Callable[[str], bytes | None] | None = None,
    *,
    cached: bool = True,
) -> Knowledge:
    merged = list_files(repo, trusted.commit)
    judged = merged if entries is None and head == trusted.commit else list_judged(repo, head, entries)
    own = own_files(repo, trusted.commit, head, merged, judged, committed=entries is None)
    cache = _cache(repo) if cached else None
    files = ParsedFiles(Contents(repo, read, own), cache)
    files.preload((one, form) for one in (*merged.files.values(), *own) if (form := _form(one.path)))
    files.problems += [*merged.problems, *judged.problems]
    policy = _one(files, merged, _POLICY, "policy") or MemoryPolicy()
    known = _memories(files, merged, own)
    files.problems += _second_files(known, judged)
    asked = [Asked(one.memory.file, one.blob) for one in known if one.merged]
    bots = brought_by_bots(repo, trusted.commit, asked, cache) if trusted.commit else frozenset()
    if trusted.commit and (policy.require_review or bots):
        doubted = [one for one in asked if policy.require_review or one.file in bots]
        versions = versions_that_count(repo, trusted.commit, doubted, require_review=policy.require_review)
        known = _counted(files, known, versions, bots)
    validations = _validations(files, merged, own)
    elements = _one(files, merged if trusted.commit else judged, _ELEMENTS, "elements") or Elements()
    files.save()
    problems = tuple(sorted(set(files.problems)))
    is_whole = not files.unreadable and not bots
    return Knowledge(trusted, head, known, validations, policy, elements, problems, is_whole)


def _cache(repo: Repository) -> Cache:
    return Cache(repo.layout.common_dir / "gitmem")


_POLICY = ".ai/policies/memory-policy.yaml"
_ELEMENTS = ".ai/elements.yaml"


def _form(path: str) -> Form | None:
    """As what a file is read; None when it is not read here."""
    if is_memory_file(path):
        return "note" if is_note(path) else "memory"
    if is_validation_file(path):
        return "validation"
    others: dict[str, Form] = {_POLICY: "policy", _ELEMENTS: "elements"}
    return others.get(path)


def _one(files: ParsedFiles, listing: Files, path: str, form: Form) -> Any:
    entry = listing.files.get(path)
    return files.value(entry, form) if entry else None


def _memories(files: ParsedFiles, merged: Files, own: Sequence[TreeEntry]) -> tuple[KnownMemory, ...]:
    approved = _by_id(files, merged.files.values())
    proposed = _by_id(files, own)
    edits: dict[str, KnownMemory] = {}
    new = []
    for entry, memory in proposed.values():
        if memory.id not in approved:
            new.append(KnownMemory(memory, entry.oid, merged=False))
        elif not _same(files.contents, approved[memory.id][0], entry):
            edits[memory.id] = KnownMemory(memory, entry.oid, merged=False, edits=True)
    groups = [
        (KnownMemory(memory, entry.oid, merged=True), *((edits[memory.id],) if memory.id in edits else ()))
        for entry, memory in approved.values()
    ]
    groups += [(one,) for one in new]
    return tuple(one for group in sorted(groups, key=lambda group: group[0].memory.file) for one in group)


def _second_files(known: Iterable[KnownMemory], judged: Files) -> Iterator[Problem]:
    """An edit at another path while the approved file still stands: two files claim one id."""
    approved: KnownMemory | None = None
    for one in known:
        if one.edits and approved and _both_stand(approved, one, judged):
            yield _taken(one.memory.id, approved.memory.file, one.memory.file)
        approved = one


def _both_stand(approved: KnownMemory, edit: KnownMemory, judged: Files) -> bool:
    return approved.memory.file != edit.memory.file and approved.memory.file in judged.files


def _taken(memory_id: str, first: str, second: str) -> Problem:
    message = f"id {memory_id} is taken by {first}; this file is left out"
    return Problem(second, 0, 0, "id", message, "give it an id of its own")


def _same(contents: Contents, approved: TreeEntry, other: TreeEntry) -> bool:
    if approved.oid == other.oid or is_note(other.path):
        return approved.oid == other.oid
    one, two = contents.of(approved), contents.of(other)
    return one is not None and two is not None and same_approved(one, two)


def _by_id(files: ParsedFiles, entries: Iterable[TreeEntry]) -> dict[str, tuple[TreeEntry, Memory]]:
    """Memories of one tree by id; the first by path counts where two claim one id."""
    found: dict[str, tuple[TreeEntry, Memory]] = {}
    for entry in sorted((one for one in entries if is_memory_file(one.path)), key=lambda one: one.path):
        memory = files.value(entry, "note" if is_note(entry.path) else "memory")
        if memory is None:
            continue
        if memory.id in found:
            files.problems.append(_taken(memory.id, found[memory.id][0].path, entry.path))
        else:
            found[memory.id] = (entry, memory)
    return found


def _counted(
    files: ParsedFiles,
    known: Sequence[KnownMemory],
    versions: Mapping[str, Asked | None],
    bots: frozenset[str],
) -> tuple[KnownMemory, ...]:
    """What does not count is an edit of the version that counted last; a file without a version here counts."""
    told: list[KnownMemory] = []
    for one in known:
        file = one.memory.file
        version = versions.get(file)
        if not one.merged or file not in versions or (version and version.blob == one.blob):
            told.append(one)
            continue
        older = _version(files, version) if version else None
        told += [older] if older else []
        doubt = "bot" if file in bots else "unreviewed"
        told.append(replace(one, merged=False, edits=older is not None, doubt=doubt))
    return tuple(told)


def _version(files: ParsedFiles, version: Asked) -> KnownMemory | None:
    entry = TreeEntry(version.file, MODE_FILE, version.blob)
    memory = files.value(entry, "note" if is_note(entry.path) else "memory")
    return KnownMemory(memory, version.blob, merged=True) if memory else None


def _validations(files: ParsedFiles, merged: Files, own: Sequence[TreeEntry]) -> tuple[KnownValidation, ...]:
    known = []
    for entries, is_merged in ((merged.files.values(), True), (own, False)):
        for entry in entries:
            if is_validation_file(entry.path):
                validation = files.value(entry, "validation")
                known += [KnownValidation(validation, is_merged)] if validation else []
    return tuple(sorted(known, key=lambda one: (one.validation.file, not one.merged)))
