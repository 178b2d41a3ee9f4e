"""What a session should read before it begins: the current run by the compaction policy, and approved memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from gitmem.compaction import DIFF, PLAN, Compacted, Material, Saved, compact, compact_memories
from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.model.change import Change
from gitmem.model.course import short
from gitmem.model.snapshot import Snapshot
from gitmem.model.stamp import Stamp
from gitmem.patches.stat import DiffStat, FileStat, patch_stats, tree_stats
from gitmem.store.ledger import Run, RunLedger
from gitmem.store.run_cache import FoldedRun
from gitmem.usecases.ai_files import MEMORY_FOLDER
from gitmem.usecases.brief_memories import Memories, Task, load_memories
from gitmem.usecases.compacting_policy import CountingPolicy, compaction_policy
from gitmem.usecases.reviewing.waiting import Queued, waiting
from gitmem.usecases.runs.finding import INBOX, find_run
from gitmem.usecases.runs.handing_off import current_stamp, standing_failure
from gitmem.usecases.runs.listing import RunRow, list_runs
from gitmem.usecases.runs.readable import in_words, is_unread, readable_fold
from gitmem.usecases.runs.saved import SavedFiles
from gitmem.usecases.runs.session_run import branch_task
from gitmem.usecases.vantage import Outlook

_LARGEST_PLAN = 256 * 1024
_LARGEST_PATCH = 4 << 20
_MOST_COUNTED_FILES = 200
_ALWAYS_SAID = frozenset({"Current Goal", "Current Phase", "Next Action"})
_ENDED = frozenset({"completed", "abandoned"})


_NOTHING = Compacted(())
_NONE_WAIT = Queued()
_NO_TASK = Task()
_NO_MEMORIES = Memories()


@dataclass(frozen=True, slots=True)
class Brief:
    """What a session should read.

    Args:
        run: The run it is about; None when none is current or that has no events here.
        material: What is known of it; None when nothing is to be told.
        compacted: What the policy lets through.
        remark: One sentence instead: how the run ended, that it is paused, or what to do where none is current.
        problem: What went wrong and is told beside the answer; empty when nothing did.
        memories: What was recalled for it; `gitmem.report.brief` says which of them had room.
        unread: Whether something of the run cannot be read, so that this is not all.
        queued: How many wait for a person.
        is_settled: Whether only a change of refs, settings, work tree or day can change it; not where a commit that it
            speaks of is missing here.
        outlook: From where it was looked.
        is_empty: Whether nothing at all is known here that a session should read: the remark alone says so, and is no part of the text.
    """

    run: str | None = None
    material: Material | None = None
    compacted: Compacted = _NOTHING
    remark: str = ""
    problem: str = ""
    memories: Memories = _NO_MEMORIES
    unread: bool = False
    queued: Queued = _NONE_WAIT
    is_settled: bool = True
    outlook: Outlook | None = field(default=None, compare=False, repr=False)
    is_empty: bool = False


def load_brief(
    ledger: RunLedger,
    *,
    run: str | None = None,
    task: Task = _NO_TASK,
    now: datetime | None = None,
    changed: bytes | None = None,
) -> Brief:
    """Load the run and memories, and choose by the policy.

    A paused or ended run is told in one sentence unless it is asked for.

    Args:
        ledger: Where.
        run: A run id or the beginning of one; the current run when None.
        task: What the session is about; the run's goal where it says nothing.
        now: The present moment.
        changed: What git answered to `gitmem.wire.work_tree.STATUS`, where it was asked just now.

    Returns:
        What can be told; with the problem when the ledger or a memory cannot be read.

    Raises:
        NotFoundError, UsageError: A run was asked for that is not here.
    """
    moment = now or datetime.now().astimezone()
    asked = find_run(ledger, run) if run is not None else None
    outlook = Outlook(ledger.repository)
    loaded = _Loader(ledger, task, moment, outlook, changed).load(asked)
    # Counted at last: what the recall judged is kept by then, and tells which memories wait.
    queued = waiting(ledger, today=moment.date(), outlook=outlook)
    return replace(
        loaded,
        queued=queued,
        outlook=outlook,
        is_empty=loaded.is_empty and not queued.number and not _has_memories(ledger.repository),
    )


class _Loader:
    """Puts a brief together for one task at one moment."""

    def __init__(
        self, ledger: RunLedger, task: Task, now: datetime, outlook: Outlook, changed: bytes | None
    ) -> None:
        self._ledger = ledger
        self._changed = changed
        self._outlook = outlook
        self._task = task
        self._now = now

    @cached_property
    def _uncommitted(self) -> tuple[str, ...] | str:
        """What differs from HEAD in the work tree, or why git cannot tell."""
        repo = self._ledger.repository
        try:
            return tuple(sorted(repo.status(self._changed).all)) if repo.layout.work_tree is not None else ()
        except GitmemError as error:
            return f"Changed: git cannot tell it: {error.message}"

    def load(self, asked: Run | None) -> Brief:
        try:
            found = asked or self._ledger.current()
            if found is None or not found.exists():
                remark = no_run_sentence(self._ledger, found.id if found else None)
                has_any = found is not None or bool(_open_runs(self._ledger))
                return self._without_run(Brief(remark=remark, is_empty=not has_any))
            folded = readable_fold(found)
            remark = "" if asked else _remark(folded.snapshot)
            if remark:
                return self._without_run(Brief(found.id, remark=remark))
            return self._of_run(found, folded)
        except (GitmemError, OSError) as error:
            problem = f"nothing is told of the run, the ledger cannot be read: {error}"
            told = Brief(asked.id if asked else None, problem=problem, unread=True)
            return self._without_run(told)

    def _without_run(self, brief: Brief) -> Brief:
        memories = self._memories(None)
        counting = compaction_policy(self._ledger.repository)
        told = compact_memories(_texts(memories), counting.policy)
        problems = (brief.problem, _policy_problem(counting), *memories.problems)
        is_empty = brief.is_empty and not (told.parts or told.left_out)
        problem = "; ".join(one for one in problems if one)
        return replace(brief, compacted=told, memories=memories, problem=problem, is_empty=is_empty)

    def _memories(self, snapshot: Snapshot | None) -> Memories:
        # Who says what it is about, without a run, is not asked about the rest: git needs longest to tell it.
        is_told = snapshot is None and (self._task.text or self._task.paths)
        uncommitted = () if is_told or isinstance(self._uncommitted, str) else self._uncommitted
        return load_memories(
            self._ledger.repository,
            self._task,
            snapshot,
            uncommitted,
            now=self._now,
            outlook=self._outlook,
        )

    def _of_run(self, run: Run, folded: FoldedRun) -> Brief:
        ledger, snapshot = self._ledger, folded.snapshot
        counting = compaction_policy(ledger.repository)
        saved = SavedFiles(ledger, run)
        stamp = current_stamp(ledger, folded, saved)
        diff, no_diff = self._diff(saved, snapshot, stamp)
        memories = self._memories(snapshot)
        material = Material(
            snapshot,
            stamp,
            plan=_plan(saved, snapshot),
            diff=diff,
            no_diff=no_diff,
            failure=standing_failure(saved, snapshot, counting.policy),
            artifacts=saved.artifacts(),
            memories=_texts(memories),
        )
        unread = is_unread(folded.problems)
        problems = (
            _policy_problem(counting),
            *(in_words(run.id, folded.problems) if unread else ()),
            *memories.problems,
        )
        compacted = compact(material, counting.policy)
        is_bare = not unread and _is_bare(snapshot, compacted, branch_task(ledger))
        return Brief(
            run.id,
            material,
            compacted,
            remark=f"Nothing is known of {run.id} ({snapshot.task}) yet." if is_bare else "",
            problem="; ".join(one for one in problems if one),
            memories=memories,
            unread=unread,
            is_settled=_is_settled(ledger.repository, snapshot, stamp),
            is_empty=is_bare,
        )

    def _diff(self, saved: SavedFiles, snapshot: Snapshot, stamp: Stamp) -> tuple[DiffStat | None, str]:
        """From the artifact ``diff.patch``, else from the trees of the commit that the run began at and of HEAD; or why not."""
        if isinstance(self._uncommitted, str):
            return None, self._uncommitted
        try:
            patched = _patched(saved, stamp, self._uncommitted)
            if patched is not None:
                return patched, ""
            return _tree_diff(self._ledger.repository, snapshot.started_code, self._uncommitted)
        except GitmemError as error:
            return None, f"Changed: git cannot tell it: {error.message}"


def _is_settled(repo: Repository, snapshot: Snapshot, stamp: Stamp) -> bool:
    try:
        return all(repo.has(commit) for commit in (stamp.commit, snapshot.started_code) if commit)
    except GitmemError:
        return False


def _is_bare(snapshot: Snapshot, compacted: Compacted, branch: str) -> bool:
    """Whether a run says nothing but the branch that it was begun for."""
    is_begun = snapshot.phase == "created" and not (snapshot.waiting_human or snapshot.paused)
    is_named = bool(snapshot.goal or snapshot.next_step) or snapshot.task != branch
    said = {part.heading for part in compacted.parts}
    return is_begun and not is_named and not compacted.left_out and said <= _ALWAYS_SAID


def _texts(memories: Memories) -> tuple[str, ...]:
    return tuple(one.text for one in memories.told)


def _policy_problem(counting: CountingPolicy) -> str:
    return f"{counting.problem}; the default policy counts" if counting.problem else ""


def no_run_sentence(ledger: RunLedger, current: str | None) -> str:
    """What to do where no run is current, or the current one has no events here; names what is here."""
    said = f"The current run {current} has no events here" if current else "No run is current"
    open_ones = _open_runs(ledger)
    begin = "`gitmem run start TASK` begins one"
    if len(open_ones) == 1:
        (one,) = open_ones
        name = f"{one.run} ({one.task})" if one.task else one.run
        return f"{said}: 1 open run is here, {name}; `gitmem run switch {one.run}` goes on with it."
    if open_ones:
        return f"{said}: {len(open_ones)} open runs are here; `gitmem run list` shows them, `gitmem run switch RUN` goes on with one."
    if ledger.repository.remotes():
        return f"{said}, and no open run is here; `gitmem sync` fetches runs, {begin}."
    return f"{said}, and no open run is here; {begin}."


def _has_memories(repo: Repository) -> bool:
    """Whether HEAD holds any memory, be it about something else: then a session is told how to begin, and its name."""
    head = repo.head()
    return head is not None and bool(repo.list_tree(head, under=MEMORY_FOLDER))


def _open_runs(ledger: RunLedger) -> list[RunRow]:
    return [row for row in list_runs(ledger, archived=False).rows if not row.has_ended and row.run != INBOX]


def _remark(snapshot: Snapshot) -> str:
    """How a run stands that nobody works on; empty for one that is under way."""
    name = f"{snapshot.run_id} ({snapshot.task})" if snapshot.task else snapshot.run_id
    more = f"`gitmem brief --run {snapshot.run_id}` shows it"
    if snapshot.phase in _ENDED:
        return f"The current run {name} is {snapshot.phase}; {more}, `gitmem run start TASK` begins another."
    if snapshot.paused:
        reason = f": {snapshot.pause_reason[:200]}" if snapshot.pause_reason else ""
        resume = "`gitmem run resume` goes on"
        return f"The current run {name} is paused{reason}. {more}, {resume}."
    return ""


def _plan(saved: SavedFiles, snapshot: Snapshot) -> Saved | None:
    for name in dict.fromkeys((snapshot.plan or PLAN, PLAN)):
        data = saved.artifact(name, limit=_LARGEST_PLAN)
        if data is not None:
            return Saved(name, data.decode("utf-8", "replace"))
    return None


def _patched(saved: SavedFiles, stamp: Stamp, uncommitted: tuple[str, ...]) -> DiffStat | None:
    data = saved.artifact(DIFF, limit=_LARGEST_PATCH)
    if data is None:
        return None
    from gitmem.patches.reading import Shown, read_patch

    read = read_patch(data)
    if not isinstance(read, Shown):
        return None
    return DiffStat(DIFF, patch_stats(read.files), uncommitted, see=stamp.show_artifact(DIFF) or "")


def _tree_diff(
    repo: Repository, start: str | None, uncommitted: tuple[str, ...]
) -> tuple[DiffStat | None, str]:
    head = repo.head()
    if head is None or start is None:
        return None, ""
    if not repo.has(start):
        return None, f"Changed: commit {short(start)}, at which the run began, is not in this clone"
    files = _counted(repo, start, head, repo.diff_trees(start, head) if start != head else ())
    see = f"git diff --stat {short(start)}"
    return DiffStat(f"since commit {short(start)}", files, uncommitted, see=see), ""


def _counted(repo: Repository, start: str, head: str, changes: Sequence[Change]) -> tuple[FileStat, ...]:
    if not 0 < len(changes) <= _MOST_COUNTED_FILES:
        return tree_stats(changes, ())
    from gitmem.patches.reading import Shown, read_patch

    paths = sorted({path for one in changes for path in (one.old_path, one.new_path) if path is not None})
    read = read_patch(repo.patch(start, head, paths, context=0).encode("utf-8", "surrogateescape"))
    return tree_stats(changes, read.files if isinstance(read, Shown) else ())
