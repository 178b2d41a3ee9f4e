"""A change that takes a memory's newest validation away, or dates it back: nobody looked since, whatever else it holds.

Once merged the memory would be judged from an older state of the code, or from none; that is for a person to decide, who
may bring the file back or look again (drift.md, "The validation and its baseline").
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from gitmem.git.interface import Repository
from gitmem.model.change import Change
from gitmem.model.validation import Validation
from gitmem.model.verdict import Judgement, marked
from gitmem.store.validations import parse_validation
from gitmem.trust.effective import moment, newest
from gitmem.usecases.ai_files import READ_LIMIT, is_validation_file, list_files

_WITHDRAWN = "its newest validation is taken away"


def withdrawn_validations(
    repo: Repository, rows: Sequence[Change], since: str, head: str
) -> Mapping[str, tuple[str, ...]]:
    """Files of the validations that a change removes or rewrites where they were the newest, by memory.

    Args:
        repo: The repository.
        rows: What differs between the two commits, renames as two rows.
        since: The commit that the change begins at.
        head: The commit that it ends at.
    """
    lost = frozenset(row.old_path for row in rows if row.old_path and is_validation_file(row.old_path))
    if not lost:
        return {}
    folders = {_folder(path) for path in lost}
    before = _by_memory(_validations(repo, since, folders))
    after = _by_memory(_validations(repo, head, folders))
    found = {name: _withdrawn(had, after.get(name, ()), lost) for name, had in before.items()}
    return {name: files for name, files in found.items() if files}


def _withdrawn(
    before: Sequence[Validation], after: Sequence[Validation], lost: Container[str]
) -> tuple[str, ...]:
    """Files that are lost of those newer than all that is left, the newest among them."""
    last, left = newest(before), newest(after)
    if last is None or last.file not in lost or (left is not None and moment(left)[0] > moment(last)[0]):
        return ()
    reaches = moment(left)[0] if left is not None else float("-inf")
    return tuple(sorted(one.file for one in before if one.file in lost and moment(one)[0] >= reaches))


def without_validation(judgement: Judgement, files: Sequence[str]) -> Judgement:
    """The judgement, challenged where a change withdraws the memory's newest validation.

    Args:
        judgement: What was decided of it.
        files: The validations; nothing is withdrawn where there are none.
    """
    if not files:
        return judgement
    cure = f"restore it, or confirm the memory: gitmem confirm {judgement.id}"
    return marked(judgement, _WITHDRAWN, f"{_WITHDRAWN} by this change ({', '.join(files)}); {cure}")


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _validations(repo: Repository, commit: str, folders: Iterable[str]) -> Iterator[Validation]:
    wanted = frozenset(folders)
    entries = [
        one
        for one in list_files(repo, commit).files.values()
        if is_validation_file(one.path) and _folder(one.path) in wanted
    ]
    for entry, blob in zip(
        entries, repo.read_blobs([one.oid for one in entries], limit=READ_LIMIT), strict=True
    ):
        parsed = parse_validation(entry.path, blob.data).validation if blob.data is not None else None
        if parsed is not None:
            yield parsed


def _by_memory(validations: Iterable[Validation]) -> Mapping[str, Sequence[Validation]]:
    found: dict[str, list[Validation]] = {}
    for one in validations:
        found.setdefault(one.memory, []).append(one)
    return found
