"""Where a proposed memory stands: approved, on its branch, at HEAD, or in the work tree alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from gitmem.git.interface import Repository
from gitmem.model.candidate import Candidate
from gitmem.model.change import TreeEntry
from gitmem.model.memory import Memory
from gitmem.store.memories import parse_memory
from gitmem.usecases.ai_files import MEMORY_FOLDER, READ_LIMIT
from gitmem.usecases.knowledge import Knowledge

BRANCHES = "gitmem/"
Place = Literal["merged", "branch", "head", "worktree"]


class Whereabouts(NamedTuple):
    """Where a memory's file stands.

    Args:
        place: On the trusted branch, on a proposal branch, at HEAD, or in the work tree and not committed.
        memory: Its id.
        file: Its path.
        branch: Short name of the proposal branch; of a remote one with the remote's name before it.
        commit: Tip of that branch, or of the trusted one; None in the work tree.
        blob: Object id of the file; None in the work tree.
    """

    place: Place
    memory: str
    file: str
    branch: str | None = None
    commit: str | None = None
    blob: str | None = None


def branch_of(memory_id: str) -> str:
    """Full name of the branch that proposes a memory."""
    return f"refs/heads/{BRANCHES}{memory_id}"


def left_branches(repo: Repository, candidate: Candidate) -> tuple[str, ...]:
    """Short names of the local branches that still propose a candidate which was decided about since."""
    named = dict.fromkeys(
        one.memory for one in candidate.decisions if one.decision == "proposed" and one.memory
    )
    refs = (branch_of(memory) for memory in named)
    return tuple(ref.removeprefix("refs/heads/") for ref in refs if repo.ref(ref))


def find_proposal(
    repo: Repository, knowledge: Knowledge, candidate: str, memory_id: str | None
) -> Whereabouts | None:
    """The memory that a candidate became, wherever it stands; what counts most comes first.

    Args:
        repo: The repository.
        knowledge: What HEAD and the trusted branch know.
        candidate: The candidate's id.
        memory_id: The memory that it was proposed as; None when the ledger does not tell.
    """
    return next(_places(repo, knowledge, candidate, memory_id), None)


def _places(
    repo: Repository, knowledge: Knowledge, candidate: str, memory_id: str | None
) -> Iterator[Whereabouts]:
    known = [
        one
        for one in knowledge.memories
        if one.memory.id == memory_id or (candidate and one.memory.origin.candidate == candidate)
    ]
    for one in known:
        if one.merged:
            yield Whereabouts(
                "merged",
                one.memory.id,
                one.memory.file,
                knowledge.trusted.name,
                knowledge.trusted.commit,
                one.blob,
            )
    if memory_id is not None:
        yield from _on_branches(repo, memory_id)
    for one in known:
        if not one.merged:
            head = (repo.head_ref() or "").removeprefix("refs/heads/") or None
            yield Whereabouts("head", one.memory.id, one.memory.file, head, knowledge.judged, one.blob)
    if memory_id is not None and repo.layout.work_tree is not None:
        yield from _in_work_tree(repo.layout.work_tree, memory_id)


def _on_branches(repo: Repository, memory_id: str) -> Iterator[Whereabouts]:
    refs = {**repo.refs(branch_of(memory_id)), **_of_remotes(repo, memory_id)}
    for ref, commit in refs.items():
        entry = memory_entry(repo, commit, memory_id)
        if entry is not None:
            name = ref.removeprefix("refs/heads/").removeprefix("refs/remotes/")
            yield Whereabouts("branch", memory_id, entry.path, name, commit, entry.oid)


def _of_remotes(repo: Repository, memory_id: str) -> dict[str, str]:
    ending = f"/{BRANCHES}{memory_id}"
    return {ref: oid for ref, oid in repo.refs("refs/remotes/").items() if ref.endswith(ending)}


def memory_entry(repo: Repository, commit: str, memory_id: str) -> TreeEntry | None:
    """The file of a memory in a commit, by its name."""
    if repo.commit(commit) is None:
        return None
    named = (one for one in repo.list_tree(commit, under=MEMORY_FOLDER) if Path(one.path).stem == memory_id)
    return next(named, None)


def _in_work_tree(top: Path, memory_id: str) -> Iterator[Whereabouts]:
    folder = top / MEMORY_FOLDER
    if folder.is_symlink():
        return
    for place in sorted(folder.rglob("*.yaml")):
        if place.stem == memory_id and place.is_file() and not place.is_symlink():
            yield Whereabouts("worktree", memory_id, place.relative_to(top).as_posix())


def read_proposal(repo: Repository, found: Whereabouts) -> Memory | None:
    """The memory that a proposal's file says; None when it cannot be read."""
    if found.blob is not None:
        data = repo.read_blob(found.blob, limit=READ_LIMIT).data
    else:
        top = repo.layout.work_tree
        data = (top / found.file).read_bytes() if top is not None else None
    return parse_memory(found.file, data).memory if data is not None else None
