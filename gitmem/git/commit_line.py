"""Many commits in one go, each the parent of the next: one process, one pack, no ref moved.

``git fast-import`` writes them from inside a repository of its own (`borrowing`) into the objects of this one. What is
written when it is stopped half-way is reached by nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gitmem.errors import GitFailedError
from gitmem.git.borrowing import borrowing_repository, objects_of
from gitmem.git.failures import first_line
from gitmem.git.formatting import clean_message, clean_person, stamp, zone
from gitmem.git.interface import Repository
from gitmem.model.change import Person

_REF = "refs/heads/line"


class LineCommit(NamedTuple):
    """One of the commits.

    Args:
        tree: Root tree, which is here already.
        message: Whole message.
        at: RFC 3339; now when None.
    """

    tree: str
    message: str
    at: str | None = None


def write_commit_line(
    repository: Repository, commits: Iterable[LineCommit], *, parents: Sequence[str], author: Person
) -> str:
    """Write commits and return the id of the last one, which reaches them all.

    Args:
        repository: Where.
        commits: At least one, the oldest first.
        parents: Parents of the first.
        author: Of all, as committer too.

    Raises:
        GitFailedError: Git could not write them.
    """
    layout = repository.layout
    told = b"".join(_stream(commits, list(dict.fromkeys(parents)), clean_person(author)))
    with borrowing_repository(layout) as runner:
        status, _, err = runner.run(
            "fast-import", "--quiet", "--done", "--date-format=raw-permissive",
            stdin=told, env={"GIT_OBJECT_DIRECTORY": objects_of(layout)},
        )  # fmt: skip
        if status:
            raise GitFailedError(f"git fast-import: {first_line(err)}", hint="nothing was appended")
        return runner.output("rev-parse", "--verify", _REF).decode("ascii").strip()


def _stream(commits: Iterable[LineCommit], parents: list[str], who: Person) -> Iterator[bytes]:
    tree = ""
    for number, commit in enumerate(commits):
        seconds, offset = stamp(commit.at)
        data = clean_message(commit.message)
        yield f"commit {_REF}\ncommitter {who.name} <{who.email}> {seconds} {zone(offset)}\n".encode()
        yield b"data %d\n%b\n" % (len(data), data)
        if not number:
            words = ("from", *("merge" for _ in parents[1:]))
            yield "".join(f"{word} {oid}\n" for word, oid in zip(words, parents, strict=False)).encode()
        if commit.tree != tree:
            tree = commit.tree
            yield f"M 040000 {tree} \n".encode()
    yield b"done\n"
