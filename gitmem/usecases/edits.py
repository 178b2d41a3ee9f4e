"""What a change itself writes about what is known: memories with other words, heirs, ends, and validations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from gitmem.git.interface import Repository
from gitmem.model.change import Change
from gitmem.model.memory import Memory, Status
from gitmem.store.memories import parse_memory
from gitmem.store.notes import parse_note
from gitmem.trust.sameness import same_approved
from gitmem.usecases.ai_files import READ_LIMIT, is_memory_file, is_note, is_validation_file
from gitmem.usecases.lifting import lifted_doubts
from gitmem.usecases.rewording import words_digest
from gitmem.usecases.subjects import LIVING
from gitmem.usecases.withdrawing import withdrawn_validations


class Edits(NamedTuple):
    """What lies between the two ends of a change.

    Args:
        since: The commit that it begins at.
        head: The commit that it ends at.
        words: Digest of the words of each memory that it writes first, or writes anew, by id.
        first: Ids of those that it writes first.
        answers: By id, how it answers for a memory that it puts in doubt: other words, an heir, or its end.
        validations: Files of the validations that it brings.
        lifted: Memories whose doubt it lifts by an edit, as they were challenged, by id.
        withdrawn: Files of the newest validations that it takes away, by the memory's id.
    """

    since: str
    head: str
    words: Mapping[str, str]
    first: frozenset[str]
    answers: Mapping[str, str]
    validations: frozenset[str]
    lifted: Mapping[str, Memory] = MappingProxyType({})
    withdrawn: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    def states(self, memory: Memory) -> bool:
        """Whether the change brings these very words."""
        return self.words.get(memory.id) == words_digest(memory)


def read_edits(repo: Repository, since: str, head: str) -> Edits:
    """Read the memory files and validations that differ between two commits."""
    rows = repo.diff_trees(since, head, renames=False)
    differing = _differing(repo, rows)
    before = {one.id: one for one in _memories(repo, ((row.old_path, row.old_oid) for row in differing))}
    after = {one.id: one for one in _memories(repo, ((row.new_path, row.new_oid) for row in differing))}
    words = {
        name: words_digest(one)
        for name, one in after.items()
        if name not in before or words_digest(before[name]) != words_digest(one)
    }
    answers = dict(_answers(before, after, words))
    brought = (row.new_path for row in rows if row.new_path and is_validation_file(row.new_path))
    return Edits(
        since,
        head,
        words,
        frozenset(words) - before.keys(),
        answers,
        frozenset(brought),
        _lifted(repo, rows),
        {
            name: files
            for name, files in withdrawn_validations(repo, rows, since, head).items()
            if name not in answers or name in words
        },
    )


def _lifted(repo: Repository, rows: Sequence[Change]) -> Mapping[str, Memory]:
    """Of every row: the mark is a free field, so that files which differ in it say the same."""
    own = [row for row in rows if is_memory_file(row.new_path or row.old_path or "")]
    before = {one.id: one for one in _memories(repo, ((row.old_path, row.old_oid) for row in own))}
    if not any(one.status is Status.CHALLENGED for one in before.values()):
        return {}
    after = {one.id: one for one in _memories(repo, ((row.new_path, row.new_oid) for row in own))}
    return lifted_doubts(before, after)


def _answers(
    before: Mapping[str, Memory], after: Mapping[str, Memory], words: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """A file that moves, or that changes beside its words, is no answer."""
    for name in before:
        if name not in after:
            yield name, "its file is removed in this change"
        elif after[name].status not in LIVING:
            yield name, "it is retired in this change"
        elif name in words:
            yield name, "other words are proposed in this change"
    for one in after.values():
        if one.status in LIVING:
            yield from ((old, f"{one.id} is to take its place in this change") for old in one.supersedes)


def memory_changes(repo: Repository, old: str, new: str) -> tuple[Change, ...]:
    """Memory files that differ between two commits in what needs approval, free fields aside; renames are two rows."""
    return _differing(repo, repo.diff_trees(old, new, renames=False))


def removed_files(repo: Repository, edits: Edits) -> Iterator[str]:
    """Memory files that a change removes, moved ones aside, and the newest validations that it takes from memories."""
    rows = memory_changes(repo, edits.since, edits.head)
    kept = {one.new_oid for one in rows if one.new_path}
    yield from (
        one.old_path for one in rows if one.new_path is None and one.old_path and one.old_oid not in kept
    )
    for files in edits.withdrawn.values():
        yield from files


def _differing(repo: Repository, rows: Sequence[Change]) -> tuple[Change, ...]:
    own = (row for row in rows if is_memory_file(row.new_path or row.old_path or ""))
    return tuple(row for row in own if not _says_the_same(repo, row))


def _says_the_same(repo: Repository, row: Change) -> bool:
    if row.old_oid is None or row.new_oid is None or is_note(row.new_path or ""):
        return False
    old, new = repo.read_blobs((row.old_oid, row.new_oid))
    return old.data is not None and new.data is not None and same_approved(old.data, new.data)


def _memories(repo: Repository, files: Iterable[tuple[str | None, str | None]]) -> Iterator[Memory]:
    """What some files say, as far as they can be read."""
    for path, oid in files:
        data = repo.read_blob(oid, limit=READ_LIMIT).data if path and oid else None
        parse = parse_note if is_note(path or "") else parse_memory
        memory = parse(path or "", data).memory if data is not None else None
        if memory is not None:
            yield memory
