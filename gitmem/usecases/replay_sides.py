"""Where a probe is run, and its runs: HEAD, and both sides of a fixing commit.

Before the fix the probe stands as the fix left it: the tests that the fix added or changed, and a script of its own that the
probe runs, are taken from the fix (scorecard field ``taken``). Else hardly a fix could be told: its test is not there before it.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.model.change import MODE_EXECUTABLE, MODE_FILE, MODE_SYMLINK, Change, TreeEntry
from gitmem.promotion.replayed import Role, Side
from gitmem.redaction.masking import masker_of
from gitmem.results.classes import is_test_file
from gitmem.results.plain import plain_log
from gitmem.results.probe import ProbeOutcome, probe_result
from gitmem.running.probing import ProbeEnd, run_probe
from gitmem.running.spool import Spool
from gitmem.usecases.clean_checkout import Checkout, clean_checkout

FIRST, LAST = 128 * 1024, 640 * 1024
"""Bytes of a log that are kept from its beginning and its end; together they fit beside an event (`gitmem.store.large`)."""
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_INTERPRETERS = re.compile(r"(?:python|node|ruby|perl|php|bash|sh|zsh|deno|bun)[\d.]*")


class Place(NamedTuple):
    """One place to run a probe at.

    Args:
        role: What it is to the fix.
        commit: None when it cannot be told.
        instead: Files of the fix that stand there.
        why_not: Why there is no commit.
        notes: What to say beside the outcome.
    """

    role: Role
    commit: str | None
    instead: Mapping[str, TreeEntry] = {}
    why_not: str = ""
    notes: tuple[str, ...] = ()


class Run(NamedTuple):
    """One run of a probe: what it says and its log."""

    side: Side
    log: bytes = b""


def places(repository: Repository, head: str, fix: str | None, command: str) -> tuple[Place, ...]:
    """Where to run a probe, in order.

    Args:
        repository: The repository.
        head: Commit of HEAD.
        fix: The fixing commit as the lesson names it; None when it names none.
        command: The probe's.
    """
    if fix is None:
        return (Place("head", head),)
    try:
        after = repository.resolve(fix) if _COMMIT.fullmatch(fix) else None
    except GitmemError:
        after = None
    if after is None:
        why = f"the fixing commit {fix[:64]} is not in this clone"
        return (Place("before", None, why_not=why), Place("after", None, why_not=why), Place("head", head))
    before = _before(repository, after, command)
    if after == head:
        return (before, Place("after", after))
    contained = repository.merge_base(after, head) == after
    notes = () if contained else (f"HEAD does not contain the fixing commit {after[:12]}",)
    return (before, Place("after", after), Place("head", head, notes=notes))


def _before(repository: Repository, fix: str, command: str) -> Place:
    commit = repository.commit(fix)
    parents = commit.parents if commit is not None else ()
    if not parents or not repository.has(parents[0]):
        cut = repository.layout.shallow
        why = "history is cut here: git fetch --unshallow" if cut else "the fixing commit has no parent"
        return Place("before", None, why_not=why)
    changes = repository.diff_trees(parents[0], fix, renames=False)
    return Place("before", parents[0], {one.path: one for one in _brought(changes, command)})


def _brought(changes: tuple[Change, ...], command: str) -> Iterator[TreeEntry]:
    """What belongs to the probe of that which a fix changed."""
    script = _script_of(command)
    for change in changes:
        path, oid = change.new_path, change.new_oid
        if path is None or oid is None or change.new_mode not in {MODE_FILE, MODE_EXECUTABLE, MODE_SYMLINK}:
            continue
        if is_test_file(path) or path == script:
            yield TreeEntry(path, change.new_mode, oid)


def _script_of(command: str) -> str | None:
    """Path of the script that a command runs: its first word, or the first behind an interpreter and its options."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    if words and _INTERPRETERS.fullmatch(words[0].rpartition("/")[2]):
        words = [word for word in words[1:] if not word.startswith("-")]
    return str(PurePosixPath(words[0])) if words and "/" in words[0] else None


def run_at(repository: Repository, place: Place, command: str, limit: float) -> Run:
    """Run a probe at one place. What keeps it from running is an outcome, never an error."""
    if place.commit is None:
        return Run(Side(place.role, None, ProbeOutcome.UNKNOWN, reason=place.why_not))
    try:
        with (
            clean_checkout(repository, place.commit, place.instead) as checkout,
            Spool(first=FIRST, last=LAST) as spool,
        ):
            end = run_probe(
                ["/bin/sh", "-c", command],
                folder=checkout.folder,
                env=checkout.environment,
                limit=limit,
                keep=spool.write,
            )
            return _judged(place, checkout, end, spool, command=command, limit=limit)
    except GitmemError as error:
        return Run(
            Side(place.role, place.commit, ProbeOutcome.UNKNOWN, reason=error.message, notes=place.notes)
        )


def _judged(
    place: Place, checkout: Checkout, end: ProbeEnd, spool: Spool, *, command: str, limit: float
) -> Run:
    # Before anything of it is told: the reason may quote a line that holds a secret.
    log, _ = masker_of(os.environ).mask_bytes(plain_log(spool.content()))
    own = _names(checkout.held.paths)
    result = probe_result(end, command, log.decode("utf-8", "replace"), limit=limit, is_own=own.__contains__)
    side = Side(
        place.role,
        place.commit,
        result.outcome,
        end.exit_code,
        end.duration_s,
        result.reason,
        taken=tuple(sorted(place.instead)),
        notes=(*place.notes, *_notes(checkout, end, spool)),
    )
    return Run(side, log)


def _names(paths: frozenset[str]) -> frozenset[str]:
    """What the project calls its modules: every folder's name and every file's, with and without its ending."""
    parts = {part for path in paths for part in path.split("/")}
    return frozenset(parts | {part.partition(".")[0] for part in parts})


def _notes(checkout: Checkout, end: ProbeEnd, spool: Spool) -> Iterator[str]:
    if checkout.held.submodules:
        yield f"submodules are empty folders there: {', '.join(checkout.held.submodules[:5])}"
    if end.left:
        yield f"{end.left} {'processes' if end.left > 1 else 'process'} left behind and ended"
    if spool.failed:
        yield f"the log is not whole: {spool.failed}"
