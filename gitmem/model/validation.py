"""A validation: that somebody looked, when, and what the memory rested on then."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

from gitmem.model.watch import NAMED, Watch, WatchKind

ALGO = 1
"""Version of the fingerprints; a validation of another version is unknown, never drift."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What one watch held at validation.

    Args:
        watch: The watch.
        blob: Object id of the file it lies in, tree id of a folder; None for identifiers.
        sig: Digest of the normalised content; None when there was nothing to digest.
        core: The same without type annotations and imports.
        body: The same as `sig` with a symbol's own name masked, for finding it under another name.
        at: First and last line, both included.
        counts: Files whose code has an identifier: in scope, among manifests, in the repository; of a folder its files.
        sample: Up to 64 (path, object id) pairs: of a folder an even sample by hash, of an identifier where it occurs.
        uses: (``path#name``, blob id, digest) of what a symbol calls or reads, at most 8, for soft notes.
        sketch: Of a watched file hashes of some of its lines, for finding it elsewhere where the old tree is missing.
    """

    watch: Watch
    blob: str | None = None
    sig: str | None = None
    core: str | None = None
    body: str | None = None
    at: tuple[int, int] | None = None
    counts: tuple[int, ...] = ()
    sample: tuple[tuple[str, str], ...] = ()
    uses: tuple[tuple[str, str, str], ...] = ()
    sketch: str | None = None


def is_resolved(mark: Mark) -> bool:
    """Whether the watch found its target; an identifier that is prohibited may be absent."""
    if mark.watch.kind in NAMED:
        return any(mark.counts) or mark.watch.is_prohibition
    return mark.blob is not None and (mark.sig is not None or mark.watch.kind is WatchKind.PATH)


@dataclass(frozen=True, slots=True)
class Baseline:
    """The state of the code at validation; every field may be missing, the fallback ladder uses what is there.

    Args:
        commit: HEAD at validation, whole id; None with ``--worktree``.
        tree: Root tree id of that commit; None with ``--worktree``.
        algo: Version of the fingerprints.
        scope: Digest over the sorted (path, object id) pairs that the scope matched.
        marks: One for each watch.
        unparsed: Languages of its code that had no parser then, as people write them, so that their definitions could
            not be watched.
    """

    commit: str | None = None
    tree: str | None = None
    algo: int = ALGO
    scope: str | None = None
    marks: tuple[Mark, ...] = ()
    unparsed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Validation:
    """One file under ``.ai/validations/<memory-id>/``.

    Args:
        memory: Id of the memory.
        at: When; for people and for age, never used to detect.
        by: Who.
        how: By looking, or by a passing probe.
        text: Digest of title, summary, body and watch then; other words now mean unknown until confirmed.
        baseline: The code then.
        file: Repository path of the validation; empty before it is written.
    """

    memory: str
    at: datetime | date
    by: str
    how: Literal["looked", "replay"] = "looked"
    text: str | None = None
    baseline: Baseline | None = field(default=None)
    file: str = ""
