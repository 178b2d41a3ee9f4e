"""The archive: the refs of ended runs, moved out of the list of refs and readable all the same.

The format
==========

``refs/ai/archive/<writer>`` holds what one writer archived; nobody else moves it. Each commit is one archiving: its
parents are the archive before it and up to 15 tips of runs, so that whatever an archived run needs is reachable. Its
tree lists all that the writer has archived so far: ``<last two characters of the run id>/<run>``, a blob with the
line ``<full name of the ref> <tip>``. A folder for the last two characters keeps every tree small.

A ref of a run that exists counts before the archive's line about it: between moving and deleting nothing is lost and
nothing doubled, and appending to an archived run brings its ref back.

What the archives list is remembered in ``<common git dir>/gitmem/cache/archive.marshal`` with the commits it stands
for; a later archive costs the comparison of two trees. No event is read for it, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.program import ProgramRepository
from gitmem.git.several_refs import list_refs
from gitmem.model.change import MODE_FILE
from gitmem.model.ids import is_object_id, is_run_id
from gitmem.store.cache import read_content, write_content
from gitmem.store.judging import LedgerProblem
from gitmem.store.run_cache import cache_folder

RUNS = "refs/ai/runs/"
ARCHIVE = "refs/ai/archive/"
HELD = ".artifacts"

_FORMAT = 1
_LONGEST_LINE = 1024

Lines = dict[str, tuple[str, str]]
"""Ref and tip by run id."""
Tips = dict[str, dict[str, str]]
"""Tips by full ref name, by run id."""


class LedgerRefs(NamedTuple):
    """All refs of the ledger, and what they hold.

    Args:
        refs: Commit by full name of the refs that exist, of runs and archives.
        runs: Tips by full ref name, by run id, of the runs with a ref; archived refs of such a run stand beside it.
        archived: The same of the runs that have left the list of refs.
        problems: Damaged refs and archives that cannot be read.
        held: Commit by full name of the refs that hold large artifacts.
    """

    refs: Mapping[str, str]
    runs: Tips
    archived: Tips
    problems: tuple[LedgerProblem, ...]
    held: Mapping[str, str]


def archive_ref(writer: str) -> str:
    return f"{ARCHIVE}{writer}"


def archive_path(run: str) -> str:
    """Where a run stands in the tree of an archive."""
    return f"{run[-2:]}/{run}"


def archive_line(ref: str, tip: str) -> bytes:
    return f"{ref} {tip}\n".encode("ascii")


def run_of(ref: str) -> str:
    """Run id in the full name of a run's ref; empty for any other ref."""
    run, _, writer = ref.removeprefix(RUNS).partition("/")
    return run if ref.startswith(RUNS) and is_run_id(run) and is_run_id(writer) else ""


def is_archive(ref: str) -> bool:
    return ref.startswith(ARCHIVE) and is_run_id(ref.removeprefix(ARCHIVE))


def held_ref(writer: str) -> str:
    """The ref that holds a writer's large artifacts (`gitmem.store.large`)."""
    return f"{ARCHIVE}{writer}{HELD}"


def is_held_ref(ref: str) -> bool:
    name = ref.removeprefix(ARCHIVE)
    return ref.startswith(ARCHIVE) and name.endswith(HELD) and is_run_id(name.removesuffix(HELD))


def read_refs(repository: ProgramRepository) -> LedgerRefs:
    """Look at all refs of the ledger: one process, and no event."""
    listed = list_refs(repository, RUNS, ARCHIVE)
    lines, problems = read_archives(repository, listed.refs)
    runs: Tips = {}
    refs: dict[str, str] = {}
    for ref, oid in listed.refs.items():
        run = run_of(ref)
        if run:
            runs.setdefault(run, {})[ref] = oid
        if run or is_archive(ref):
            refs[ref] = oid
    archived: Tips = {}
    for run, line in _by_run(lines):
        into = runs if run in runs else archived
        into.setdefault(run, {}).setdefault(*line)
    damaged = [damaged_ref(*one) for one in listed.damaged.items()]
    held = {ref: oid for ref, oid in listed.refs.items() if is_held_ref(ref)}
    return LedgerRefs(refs, runs, archived, tuple(sorted([*damaged, *problems])), held)


def read_run_refs(
    repository: ProgramRepository, run: str
) -> tuple[dict[str, str], tuple[LedgerProblem, ...]]:
    """Tips of one run by full ref name, archived ones too, and what is wrong with its refs."""
    prefix = f"{RUNS}{run}/"
    listed = list_refs(repository, prefix, ARCHIVE)
    tips = {ref: oid for ref, oid in listed.refs.items() if run_of(ref) == run}
    for found in read_archives(repository, listed.refs)[0].values():
        if run in found:
            tips.setdefault(*found[run])
    return tips, tuple(damaged_ref(*one) for one in listed.damaged.items() if one[0].startswith(prefix))


def damaged_ref(ref: str, why: str) -> LedgerProblem:
    return LedgerProblem(ref, "", "damaged_ref", f"{ref} is damaged: {why}")


def read_archives(
    repository: ProgramRepository, refs: Mapping[str, str]
) -> tuple[dict[str, Lines], list[LedgerProblem]]:
    """What the archives among some refs list, by archive; what cannot be read is a problem."""
    wanted = {ref: oid for ref, oid in refs.items() if is_archive(ref)}
    if not wanted:
        return {}, []
    file = str(cache_folder(repository.layout) / "archive.marshal")
    held = read_content(file)
    known: dict[str, tuple[str, Lines]] = held.get("archives", {}) if held.get("format") == _FORMAT else {}
    found: dict[str, Lines] = {}
    kept: dict[str, tuple[str, Lines]] = {}
    problems: list[LedgerProblem] = []
    for ref, oid in wanted.items():
        if ref in known and known[ref][0] == oid:
            found[ref], kept[ref] = known[ref][1], known[ref]
            continue
        found[ref], wrong = _read(repository, ref, oid, known.get(ref))
        problems += wrong
        if not wrong:
            kept[ref] = (oid, found[ref])
    if kept != known:
        write_content(file, {"format": _FORMAT, "archives": kept})
    return found, problems


def _by_run(lines: Mapping[str, Lines]) -> Iterator[tuple[str, tuple[str, str]]]:
    for found in lines.values():
        yield from found.items()


def _read(
    repository: ProgramRepository, ref: str, commit: str, known: tuple[str, Lines] | None
) -> tuple[Lines, list[LedgerProblem]]:
    lines = dict(known[1]) if known else {}
    try:
        changed = _changed(repository, commit, known[0]) if known else None
        if changed is None:
            lines, changed = {}, _listed(repository, commit)
        problems = list(_take_in(repository, ref, commit, changed, lines))
    except GitmemError as error:
        problem = LedgerProblem(ref, commit, "damaged_archive", f"{ref} cannot be read: {error.message}")
        return lines, [problem]
    return lines, problems


def _changed(repository: ProgramRepository, commit: str, before: str) -> dict[str, str] | None:
    """Blob by path of what a later archive lists anew; None where the two cannot be compared."""
    try:
        changes = repository.diff_trees(before, commit, renames=False)
    except GitmemError:
        return None
    if any(one.new_path is None for one in changes):
        return None
    return {one.new_path: one.new_oid for one in changes if one.new_path and one.new_oid}


def _listed(repository: ProgramRepository, commit: str) -> dict[str, str]:
    return {entry.path: entry.oid for entry in repository.list_tree(commit) if entry.mode == MODE_FILE}


def _take_in(
    repository: ProgramRepository, ref: str, commit: str, blobs: Mapping[str, str], lines: Lines
) -> Iterator[LedgerProblem]:
    contents = repository.read_blobs(blobs.values(), limit=_LONGEST_LINE)
    for (path, oid), blob in zip(blobs.items(), contents, strict=True):
        run = path.rpartition("/")[2]
        line = _parsed(blob.data, run, ref.removeprefix(ARCHIVE)) if path == archive_path(run) else None
        if line is not None:
            lines[run] = line
        else:
            message = f"{ref}: {path!r} ({oid}) names no ref of this writer"
            yield LedgerProblem(ref, commit, "damaged_archive", message)


def _parsed(data: bytes | None, run: str, writer: str) -> tuple[str, str] | None:
    ref, _, tip = (data or b"").decode("utf-8", "replace").removesuffix("\n").partition(" ")
    # A writer speaks for its own refs alone.
    return (ref, tip) if ref == f"{RUNS}{run}/{writer}" and is_object_id(tip) else None
