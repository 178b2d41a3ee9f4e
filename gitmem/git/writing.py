"""Writing objects and moving refs through the git program."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.errors import InvalidDataError
from gitmem.git.failures import ref_failure
from gitmem.git.formatting import (
    ID_LENGTH,
    clean_message,
    clean_person,
    levels,
    nested,
    stamp,
    tree_rows,
    zone,
)
from gitmem.git.parsing import text
from gitmem.git.runner import Runner
from gitmem.model.change import Person, TreeEntry


def write_blob(runner: Runner, data: bytes) -> str:
    return text(runner.output("hash-object", "-w", "--no-filters", "--stdin", stdin=data)).strip()


def write_tree(runner: Runner, entries: Sequence[TreeEntry]) -> str:
    """One ``mktree`` for each depth, deepest first; git checks that every object named is here."""
    written: dict[int, str] = {}
    root = nested(entries)
    if not root:
        return text(runner.output("mktree", stdin=b"")).strip()
    for level in levels(root):
        # With -z an empty record parts one tree from the next.
        rows = b"\0".join(b"".join(tree_rows(folder, written)) for folder in level)
        oids = text(runner.output("mktree", "-z", "--batch", stdin=rows)).split()
        written.update({id(folder): oid for folder, oid in zip(level, oids, strict=True)})
    return written[id(root)]


def write_commit(
    runner: Runner, *, tree: str, parents: Sequence[str], message: str, author: Person, at: str | None
) -> str:
    """Without a signature, whatever ``commit.gpgSign`` says; parents named twice count once, as in git."""
    seconds, offset = stamp(at)
    who = clean_person(author)
    date = f"@{seconds} {zone(offset)}"
    env = {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in (("NAME", who.name), ("EMAIL", who.email), ("DATE", date))
    }
    chain = [word for parent in parents for word in ("-p", parent)]
    out = runner.output(
        "commit-tree", "--no-gpg-sign", *chain, "-F", "-", tree, stdin=clean_message(message), env=env
    )
    return text(out).strip()


def move_ref(runner: Runner, name: str, new: str | None, *, old: str | None, message: str) -> None:
    """One compare-and-swap by ``update-ref``; the ref itself is moved, never what it may stand for.

    Raises:
        RaceError: When it holds something else, or is locked by somebody.
        InvalidDataError: When the name is none that git allows.
        NotFoundError: When `new` is not in this clone.
    """
    if not name.startswith("refs/") or "\0" in name:
        raise InvalidDataError(f"not a full ref name: {name!r}")
    absent = "0" * ID_LENGTH[runner.layout.object_format]
    if new is None:
        verb = ("delete", old) if old is not None else ("verify", absent)
        request = f"{verb[0]} {name}\0{verb[1]}\0"
    else:
        request = f"update {name}\0{new}\0{old or absent}\0"
    reason = ("-m", " ".join(message.split())) if message.strip() else ()
    status, _, err = runner.run(
        "update-ref", "--no-deref", *reason, "-z", "--stdin", stdin=request.encode("utf-8", "surrogateescape")
    )
    if status:
        raise ref_failure(name, status, err)
