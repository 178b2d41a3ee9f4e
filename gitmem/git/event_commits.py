"""What the ledger asks of git beyond `interface.Repository`: walks over commits, trees with a few files put in,
symbolic refs. One function for each, over either back end.

A walk goes from the tips along all parents to what is known. It takes commits one at a time as long as they are few:
``git log known..tip`` reads the whole history when commits share a second, which is what commits of a ledger do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gitmem.errors import GitFailedError
from gitmem.git import raw_objects
from gitmem.git.failures import symbolic_ref_failure
from gitmem.git.library import LibraryRepository
from gitmem.git.parsing import text
from gitmem.git.program import ProgramRepository
from gitmem.git.program_walk import IsKnown, ProgramWalk
from gitmem.git.raw_objects import RawCommit
from gitmem.git.runner import Runner
from gitmem.model.change import MODE_FILE, MODE_TREE, TreeEntry
from gitmem.wire.loose_refs import symbolic_file


def read_commits(
    repository: ProgramRepository, tips: Sequence[str], is_known: IsKnown = lambda _: False
) -> Iterator[RawCommit]:
    """The tips and their ancestors up to what is known, in no order, each once; missing ones without a message."""
    if isinstance(repository, LibraryRepository):
        return repository.raw_commits(tips, is_known)
    return ProgramWalk(repository.layout).commits(tips, is_known)


def read_commit(repository: ProgramRepository, oid: str) -> tuple[RawCommit, str]:
    """One commit, and its root tree's id (empty when the commit is missing or damaged)."""
    if isinstance(repository, LibraryRepository):
        held = repository.read_object(oid)
        if held is None or held[0] != "commit":
            return RawCommit(oid, (), None), ""
        return raw_objects.commit_parts(oid, held[1]), held[1][5 : 5 + len(oid)].decode("ascii", "replace")
    found = repository.commit(oid)
    if found is None:
        return RawCommit(oid, (), None), ""
    return RawCommit(oid, found.parents, found.message.encode("utf-8", "surrogateescape")), found.tree


def list_folder(repository: ProgramRepository, tree: str, folder: str) -> tuple[TreeEntry, ...]:
    """What stands in one folder of a root tree, folders included, with paths from the root; empty for no folder."""
    found = repository.entry(tree, folder)
    if found is None or found.mode != MODE_TREE:
        return ()
    if isinstance(repository, LibraryRepository):
        raw = _library_tree(repository)(found.oid)
    else:
        raw = _program_tree(Runner(repository.layout))(found.oid)
    return tuple(raw_objects.entries_of(raw, f"{folder}/", len(found.oid) // 2))


def put_files(repository: ProgramRepository, tree: str, files: Mapping[str, str]) -> str:
    """Root tree with blobs put in at some paths; `tree` is a root tree's id, or empty to start from nothing."""
    if not files:
        return tree or repository.write_tree([])
    entries = {path: TreeEntry(path, MODE_FILE, oid) for path, oid in files.items()}
    if isinstance(repository, LibraryRepository):
        return raw_objects.with_entries(
            _library_tree(repository), repository.write_tree_object, tree, entries
        )
    runner = Runner(repository.layout)
    return raw_objects.with_entries(_program_tree(runner), _program_writer(runner), tree, entries)


def symbolic_ref(repository: ProgramRepository, name: str) -> str | None:
    """What a pseudo-ref such as ``AI_RUN`` names in this work tree; None when it is absent or no symbolic ref."""
    held = symbolic_file(str(repository.layout.git_dir / name))
    if held:
        return held
    status, out, _ = Runner(repository.layout).run("symbolic-ref", "-q", name)
    return None if status else text(out).removesuffix("\n")


def set_symbolic_ref(repository: ProgramRepository, name: str, target: str) -> None:
    """Let a symbolic or pseudo-ref name another ref, which need not exist.

    Raises:
        RaceError: Another process, or a lock file that one left, is in the way.
        GitFailedError: When git refuses.
    """
    status, _, err = Runner(repository.layout).run("symbolic-ref", name, target)
    if status:
        raise symbolic_ref_failure(name, status, err)


def delete_symbolic_ref(repository: ProgramRepository, name: str) -> None:
    """Remove a symbolic or pseudo-ref; nothing happens when there is none."""
    Runner(repository.layout).run("symbolic-ref", "--delete", name)


def count_commits(repository: ProgramRepository, since: str, until: str) -> int | None:
    """How many commits one reaches that the other does not; None when one of them is not here."""
    status, out, _ = Runner(repository.layout).run(
        "rev-list", "--count", "--end-of-options", f"{since}..{until}", "--"
    )
    return None if status else int(text(out))


def _library_tree(repository: LibraryRepository) -> raw_objects.ReadTree:
    def read(oid: str) -> bytes:
        held = repository.read_object(oid)
        if held is None or held[0] != "tree":
            raise GitFailedError(f"no such tree: {oid}", hint="git fsck --full tells more")
        return held[1]

    return read


def _program_tree(runner: Runner) -> raw_objects.ReadTree:
    return lambda oid: runner.output("cat-file", "tree", oid)


def _program_writer(runner: Runner) -> raw_objects.WriteTree:
    return lambda data: text(runner.output("hash-object", "-t", "tree", "-w", "--stdin", stdin=data)).strip()
