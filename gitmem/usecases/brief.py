"""What a session should read before it begins: the current run by the compaction policy, and approved memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gitmem.compaction import DIFF, PLAN, Compacted, Material, Saved, compact, kind_of
from gitmem.errors import GitmemError
from gitmem.git.event_commits import list_folder
from gitmem.handoff import latest_failure
from gitmem.model.change import MODE_TREE, Change
from gitmem.model.policy import CompactionPolicy
from gitmem.model.snapshot import Snapshot
from gitmem.patches.stat import DiffStat, FileStat, patch_stats, tree_stats
from gitmem.store.ledger import Run, RunLedger
from gitmem.store.run_reading import ARTIFACTS
from gitmem.usecases.compacting_policy import compaction_policy
from gitmem.usecases.runs.finding import find_run
from gitmem.usecases.runs.handing_off import current_stamp, failure_log, saved_failure, tells_of
from gitmem.usecases.runs.saved import saved_artifact

_LARGEST_PLAN = 256 * 1024
_LARGEST_PATCH = 4 << 20
_MOST_COUNTED_FILES = 200
_ENDED = frozenset({"completed", "abandoned"})


_NOTHING = Compacted(())


@dataclass(frozen=True, slots=True)
class Brief:
    """What a session should read.

    Args:
        run: The run it is about; None when none is current.
        material: What is known of it; None when nothing is to be told.
        compacted: What the policy lets through.
        remark: One sentence instead: how the run ended, or that it is paused.
        problem: What went wrong and is told beside the answer; empty when nothing did.
        memories: Ids of the memories in it.
    """

    run: str | None = None
    material: Material | None = None
    compacted: Compacted = _NOTHING
    remark: str = ""
    problem: str = ""
    memories: tuple[str, ...] = ()


def load_brief(ledger: RunLedger, *, run: str | None = None) -> Brief:
    """Load the run and choose by the policy. A paused or ended run is told in one sentence unless it is asked for.

    Args:
        ledger: Where.
        run: A run id or the beginning of one; the current run when None.

    Returns:
        An empty brief with the problem when the ledger cannot be read.

    Raises:
        NotFoundError, UsageError: A run was asked for that is not here.
    """
    asked = find_run(ledger, run) if run is not None else None
    try:
        found = asked or _current(ledger)
        if found is None:
            return Brief()
        snapshot = found.snapshot()
        remark = "" if asked else _remark(snapshot)
        return Brief(found.id, remark=remark) if remark else _brief(ledger, found, snapshot)
    except (GitmemError, OSError) as error:
        name = asked.id if asked else None
        return Brief(name, problem=f"nothing is told of the run, the ledger cannot be read: {error}")


def _current(ledger: RunLedger) -> Run | None:
    current = ledger.current()
    return current if current is not None and current.exists() else None


def _remark(snapshot: Snapshot) -> str:
    """How a run stands that nobody works on; empty for one that is under way."""
    name = f"{snapshot.run_id} ({snapshot.task})" if snapshot.task else snapshot.run_id
    more = f"`gitmem brief --run {snapshot.run_id}` shows it"
    if snapshot.phase in _ENDED:
        return f"The current run {name} is {snapshot.phase}; {more}, `gitmem run start TASK` begins another."
    if snapshot.paused:
        reason = f": {snapshot.pause_reason[:200]}" if snapshot.pause_reason else ""
        resume = "`gitmem run event run_resumed` goes on"
        return f"The current run {name} is paused{reason}. {more}, {resume}."
    return ""


def _brief(ledger: RunLedger, run: Run, snapshot: Snapshot) -> Brief:
    counting = compaction_policy(ledger.repository)
    stamp = current_stamp(ledger, run, snapshot)
    artifacts = _artifacts(ledger, run)
    material = Material(
        snapshot,
        stamp,
        plan=_plan(ledger, run, snapshot, artifacts),
        diff=_diff(ledger, run, snapshot, artifacts, stamp.ref),
        failure=_failure(ledger, run, snapshot, counting.policy),
        artifacts=artifacts,
    )
    problem = f"{counting.problem}; the default policy counts" if counting.problem else ""
    return Brief(run.id, material, compact(material, counting.policy), problem=problem)


def _artifacts(ledger: RunLedger, run: Run) -> tuple[str, ...]:
    """Names of what is saved in the run's tip, as events list them; those of the first folder alone."""
    entries = list_folder(ledger.repository, run.tips()[run.ref()], ARTIFACTS)
    return tuple(entry.path.removeprefix(f"{ARTIFACTS}/") for entry in entries if entry.mode != MODE_TREE)


def _plan(ledger: RunLedger, run: Run, snapshot: Snapshot, artifacts: Sequence[str]) -> Saved | None:
    named = [snapshot.plan] if snapshot.plan else []
    for name in dict.fromkeys([*named, *(one for one in artifacts if kind_of(one) == "current_plan")]):
        data = saved_artifact(ledger, run, name or PLAN, limit=_LARGEST_PLAN)
        if data is not None:
            return Saved(name or PLAN, data.decode("utf-8", "replace"))
    return None


def _failure(
    ledger: RunLedger, run: Run, snapshot: Snapshot, policy: CompactionPolicy
) -> dict[str, Any] | None:
    failure = snapshot.last_failure
    if failure is None:
        return None
    held = saved_failure(run)
    if held is not None and tells_of(held, failure):
        return held
    return latest_failure(failure, run=run.id, log=failure_log(ledger, run, failure), policy=policy)


def _diff(
    ledger: RunLedger, run: Run, snapshot: Snapshot, artifacts: Sequence[str], ref: str
) -> DiffStat | None:
    """From the artifact ``diff.patch``, else from the trees of the commit that the run began at and of HEAD."""
    if DIFF in artifacts:
        from gitmem.patches.reading import Shown, read_patch

        data = saved_artifact(ledger, run, DIFF, limit=_LARGEST_PATCH)
        read = read_patch(data) if data is not None else None
        if isinstance(read, Shown):
            return DiffStat(DIFF, patch_stats(read.files), see=f"git show {ref}:{ARTIFACTS}/{DIFF}")
    try:
        return _tree_diff(ledger, snapshot)
    except GitmemError:
        return None


def _tree_diff(ledger: RunLedger, snapshot: Snapshot) -> DiffStat | None:
    repo, start = ledger.repository, snapshot.started_code
    head = repo.head()
    if head is None or start is None or not repo.has(start):
        return None
    changes = repo.diff_trees(start, head) if start != head else ()
    uncommitted = sorted(repo.status().all) if repo.layout.work_tree is not None else []
    see = f"git diff --stat {start[:12]}"
    return DiffStat(
        f"since commit {start[:12]}", _counted(ledger, start, head, changes), tuple(uncommitted), see
    )


def _counted(ledger: RunLedger, start: str, head: str, changes: Sequence[Change]) -> tuple[FileStat, ...]:
    if not 0 < len(changes) <= _MOST_COUNTED_FILES:
        return tree_stats(changes, ())
    from gitmem.patches.reading import Shown, read_patch

    paths = sorted({path for one in changes for path in (one.old_path, one.new_path) if path is not None})
    patch = ledger.repository.patch(start, head, paths, context=0)
    read = read_patch(patch.encode("utf-8", "surrogateescape"))
    return tree_stats(changes, read.files if isinstance(read, Shown) else ())
