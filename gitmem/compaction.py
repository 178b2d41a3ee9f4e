"""What a context receives of a run (domain.md, "Compaction"): tidying, not summarising; the originals stay in the ledger.

`compact` follows the compaction policy: its ``inject`` list names what comes, in that order; what ``summarize`` names
comes as one line each, with the command that shows it; what ``archive_only`` names never comes. Whatever is left out is
named with how to see it.

An artifact's kind is told by its name: ``plan.json`` and what a plan event names are the plan, ``diff.patch`` the diff,
other patches previous diffs, ``….log`` build logs, transcripts and ``….jsonl`` transcripts, reviews reviews, the rest
tool outputs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from gitmem.handoff import PATCH, Bounds, handoff_sections, log_tail, shortened_approaches
from gitmem.model.policy import CompactionPolicy
from gitmem.model.snapshot import Snapshot
from gitmem.model.stamp import Stamp
from gitmem.model.visible_text import code, sentence
from gitmem.patches.stat import DiffStat, FileStat

BOUNDS: Final = Bounds(items=6, characters=300)
PLAN: Final = "plan.json"
DIFF: Final = PATCH
SHORTER: Final = (
    300,
    270,
    240,
    220,
    200,
    185,
    170,
    155,
    140,
    130,
    120,
    110,
    100,
    92,
    85,
    78,
    72,
    66,
    61,
    56,
    52,
    48,
)
"""Characters of each rejected approach with its reason, where there is no room for all of them whole."""
_MANY: Final = 200
"""Rejected approaches that have no room unless they are at their shortest."""
_MOST_FILES: Final = 12
_MOST_OUTPUTS: Final = 5
_LONGEST_PLAN: Final = 4000
_PATCH_NAME = re.compile(r"\.(patch|diff)$")
_TRANSCRIPT_NAME = re.compile(r"transcript|\.jsonl$")
_LOG_NAME = re.compile(r"\.(log|out)$")
_COLOURS = re.compile(r"\x1b\[[0-9;:]*m")
_LARGE_PAYLOAD = re.compile(r"payload-[\w-]{10,}\.json")
"""What an event says where that is long: the store's own file (`gitmem.store.drafts`), and no output of a tool."""
_REVIEW_NAME = re.compile(r"(^|[-_.])review")
_LETTERS: Final = {
    "added": "A",
    "deleted": "D",
    "modified": "M",
    "renamed": "R",
    "copied": "C",
    "type_changed": "T",
}


class Saved(NamedTuple):
    """The text of an artifact."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Material:
    """What is known of a run, before the policy chooses.

    Args:
        snapshot: Its state.
        stamp: As of when, and where plain git finds it.
        plan: The current plan, when it was saved.
        diff: What the run has changed; None when that cannot be told.
        no_diff: Why not; empty when there is nothing to tell.
        failure: What ``latest-failure.json`` says of the failure that stands; None for none.
        artifacts: Names of all that is saved.
        memories: Approved memories, one text in Markdown each, most useful first.
    """

    snapshot: Snapshot
    stamp: Stamp
    plan: Saved | None = None
    diff: DiffStat | None = None
    no_diff: str = ""
    failure: Mapping[str, Any] | None = None
    artifacts: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()


class LeftOut(NamedTuple):
    """What a context does not receive, and the command that shows it."""

    what: str
    see: str


class Part(NamedTuple):
    """A part of a context, in Markdown.

    Args:
        kind: What of the policy it is.
        heading: Its heading.
        lines: Its lines.
        see: The command that shows all of it.
        block: Text in a fence below the lines.
        keeps_end: Whether the end of the block matters most, as in a log.
        shorter: The same lines, shortened more and more: no line is left out before all of them are as short as the last.
    """

    kind: str
    heading: str
    lines: tuple[str, ...]
    see: str
    block: str = ""
    keeps_end: bool = False
    shorter: tuple[tuple[str, ...], ...] = ()


class Compacted(NamedTuple):
    """What the policy lets through, in its order, and what it does not."""

    parts: tuple[Part, ...]
    left_out: tuple[LeftOut, ...] = ()


def kind_of(artifact: str) -> str:
    """What of the policy an artifact is, by its name."""
    name = artifact.rpartition("/")[2].lower()
    if name == PLAN:
        return "current_plan"
    if name == DIFF:
        return "current_diff_stat"
    if _PATCH_NAME.search(name):
        return "previous_diffs"
    if _TRANSCRIPT_NAME.search(name):
        return "raw_agent_transcripts"
    if _LOG_NAME.search(name):
        return "full_build_logs"
    return "previous_reviews" if _REVIEW_NAME.search(name) else "long_tool_outputs"


def compact(material: Material, policy: CompactionPolicy) -> Compacted:
    """Choose by the policy: injected kinds in its order, then one line for each thing that is only named."""
    chooser = _Chooser(material, policy)
    archived = set(policy.archive_only)
    files = 0
    for kind in dict.fromkeys((*policy.inject, *policy.summarize)):
        parts = chooser.parts(kind)
        if not parts:
            continue
        if kind in archived:
            chooser.leave(f"{kind}: archive only", parts[0].see)
        elif kind in _FROM_FILES and files >= policy.max_injected_files:
            chooser.leave(
                f"{parts[0].heading}: over max_injected_files {policy.max_injected_files}", parts[0].see
            )
        else:
            files += kind in _FROM_FILES
            chooser.chosen += parts
    for kind in (*_FROM_FILES, *_LINES):
        if kind not in policy.inject and kind not in policy.summarize and (parts := chooser.parts(kind)):
            chooser.leave(f"{kind}: not in the policy", parts[0].see)
    chooser.leave_archived()
    return Compacted(tuple(chooser.chosen), tuple(dict.fromkeys(chooser.left_out)))


def compact_memories(memories: tuple[str, ...], policy: CompactionPolicy) -> Compacted:
    """What the policy lets through where there is no run to tell of.

    Args:
        memories: Approved memories, one text each, most useful first.
        policy: The policy.
    """
    if not memories:
        return Compacted(())
    if "approved_memory" in policy.archive_only or "approved_memory" not in (
        *policy.inject,
        *policy.summarize,
    ):
        return Compacted((), (LeftOut("approved_memory: not in the policy", _MEMORIES_SEE),))
    kept, over = memories[: policy.max_injected_files], len(memories) - policy.max_injected_files
    left_out = (LeftOut(f"{over} memories", _MEMORIES_SEE),) if over > 0 else ()
    return Compacted((_memory_part(kept),) if kept else (), left_out)


_MEMORIES_SEE: Final = "gitmem list"


def _memory_part(memories: tuple[str, ...]) -> Part:
    return Part("approved_memory", "Approved Memory", memories, _MEMORIES_SEE)


_FROM_FILES: Final = (
    "current_handoff",
    "current_plan",
    "current_diff_stat",
    "latest_failure",
    "approved_memory",
)
_LINES: Final = ("previous_attempts", "previous_reviews", "long_tool_outputs")
_ARCHIVED: Final = {
    "full_build_logs": "full log",
    "previous_diffs": "previous diff",
    "raw_agent_transcripts": "transcript",
}


class _Chooser:
    """Makes the parts of each kind and notes what they leave out."""

    def __init__(self, material: Material, policy: CompactionPolicy) -> None:
        self.chosen: list[Part] = []
        self.left_out: list[LeftOut] = []
        self._material = material
        self._state = material.snapshot
        self._policy = policy
        self._log = f"gitmem run log {material.snapshot.run_id}"

    def leave(self, what: str, see: str) -> None:
        self.left_out.append(LeftOut(what, see))

    def parts(self, kind: str) -> list[Part]:
        make = _MAKERS.get(kind)
        return make(self) if make else []

    def handoff(self) -> list[Part]:
        whole = f"gitmem run handoff {self._state.run_id}"
        sections = handoff_sections(self._state, bounds=BOUNDS, stamp=self._material.stamp)
        elsewhere = self._said_elsewhere()
        return [
            Part("current_handoff", one.heading, one.lines, whole, shorter=self._shorter(one.heading))
            for one in sections
            if one.says and one.heading not in elsewhere
        ]

    def _shorter(self, heading: str) -> tuple[tuple[str, ...], ...]:
        if heading != "Do Not Repeat":
            return ()
        rejected = self._state.rejected_approaches
        lengths = SHORTER if len(rejected) <= _MANY else SHORTER[-1:]
        return tuple(shortened_approaches(rejected, most) for most in lengths)

    def _said_elsewhere(self) -> set[str]:
        """Headings of the handoff that another part says at greater length."""
        headings = {"latest_failure": "Latest Failure", "current_diff_stat": "Changed Files"}
        return {
            heading
            for kind, heading in headings.items()
            if kind in self._policy.inject and (kind == "latest_failure" or self.parts(kind))
        }

    def plan(self) -> list[Part]:
        plan = self._material.plan
        if plan is None or not plan.text.strip():
            return []
        see = self._artifact(plan.name)
        if len(plan.text) > _LONGEST_PLAN:
            self.leave(f"plan: {len(plan.text) - _LONGEST_PLAN} characters at its end", see)
        return [Part("current_plan", "Plan", (), see, plan.text[:_LONGEST_PLAN].strip("\n"))]

    def diff(self) -> list[Part]:
        diff = self._material.diff
        if diff is None and self._material.no_diff:
            self.leave(self._material.no_diff, f"gitmem run show {self._state.run_id}")
        if diff is None or not (diff.files or diff.uncommitted):
            return []
        return [Part("current_diff_stat", f"Changed ({sentence(diff.source)})", _diff_lines(diff), diff.see)]

    def failure(self) -> list[Part]:
        failure = self._material.failure
        sections = handoff_sections(self._state, bounds=BOUNDS, stamp=self._material.stamp)
        section = next(one for one in sections if one.heading == "Latest Failure")
        if not section.says:
            return []
        tail, cut = self._tail(failure or {})
        artifact = self._state.last_failure.artifact if self._state.last_failure else None
        see = self._artifact(artifact) if artifact else self._log
        if cut:
            self.leave(f"log: {cut} characters before its tail", see)
        return [Part("latest_failure", "Latest Failure", section.lines, see, tail, keeps_end=True)]

    def _tail(self, failure: Mapping[str, Any]) -> tuple[str, int]:
        held, before = failure.get("log_tail"), failure.get("log_characters_left_out")
        log = _COLOURS.sub("", held).replace("\r\n", "\n") if isinstance(held, str) else ""
        tail, cut = log_tail(log, self._policy.max_log_tail_characters)
        return tail.rstrip("\n"), cut + (before if isinstance(before, int) else 0)

    def memories(self) -> list[Part]:
        told = self._material.memories
        most = self._policy.max_injected_files
        if len(told) > most:
            self.leave(f"{len(told) - most} memories", _MEMORIES_SEE)
        return [_memory_part(told[:most])] if told and most else []

    def attempts(self) -> list[Part]:
        most = self._policy.max_previous_attempts
        earlier = self._state.attempts[:-1]
        kept = earlier[-most:] if most else ()
        hidden = earlier[-1].number - len(kept) if earlier else 0
        if hidden:
            self.leave(f"{hidden} earlier attempts", self._log)
        lines = []
        for one in kept:
            outcome = f": {one.outcome} (#{one.outcome_seq})" if one.outcome else ""
            detail = f" – {sentence(one.detail[: BOUNDS.characters])}" if one.detail else ""
            lines.append(f"- attempt {one.number} (#{one.seq}, {sentence(one.agent)}){outcome}{detail}")
        return [Part("previous_attempts", "Previous Attempts", tuple(lines), self._log)] if lines else []

    def reviews(self) -> list[Part]:
        most = self._policy.max_previous_attempts
        earlier = self._state.reviews[:-1]
        kept = earlier[-most:] if most else ()
        if len(kept) < len(earlier):
            self.leave(f"{len(earlier) - len(kept)} earlier reviews", self._log)
        lines = []
        for one in kept:
            shown = self._material.stamp.show_artifact(one.artifact) if one.artifact else None
            see = f": {code(shown)}" if shown else ""
            lines.append(f"- {one.type} (#{one.seq}), {_count(one.findings, 'finding')}{see}")
        return [Part("previous_reviews", "Previous Reviews", tuple(lines), self._log)] if lines else []

    def outputs(self) -> list[Part]:
        names = [name for name in self._material.artifacts if kind_of(name) == "long_tool_outputs"]
        plan = self._material.plan
        names = [name for name in names if plan is None or name != plan.name]
        names = [name for name in names if not _LARGE_PAYLOAD.fullmatch(name)]  # the log shows it
        if len(names) > _MOST_OUTPUTS:
            self.leave(f"{len(names) - _MOST_OUTPUTS} other artifacts", self._listing())
        lines = tuple(f"- {code(self._artifact(name))}" for name in names[:_MOST_OUTPUTS])
        return [Part("long_tool_outputs", "Tool Outputs", lines, self._listing())] if lines else []

    def leave_archived(self) -> None:
        for kind, noun in _ARCHIVED.items():
            names = [name for name in self._material.artifacts if kind_of(name) == kind]
            if names:
                see = self._artifact(names[0]) if len(names) == 1 else self._listing()
                self.leave(_count(len(names), noun), see)

    def _artifact(self, name: str) -> str:
        return self._material.stamp.show_artifact(name) or self._log

    def _listing(self) -> str:
        return f"git ls-tree -r --name-only {self._material.stamp.ref} artifacts/"


_MAKERS: Mapping[str, Callable[[_Chooser], list[Part]]] = {
    "current_handoff": _Chooser.handoff,
    "current_plan": _Chooser.plan,
    "current_diff_stat": _Chooser.diff,
    "latest_failure": _Chooser.failure,
    "approved_memory": _Chooser.memories,
    "previous_attempts": _Chooser.attempts,
    "previous_reviews": _Chooser.reviews,
    "long_tool_outputs": _Chooser.outputs,
}


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _diff_lines(diff: DiffStat) -> tuple[str, ...]:
    counted = f", +{diff.added} -{diff.removed}" if diff.is_counted else ""
    see = f": {code(diff.see)}" if diff.see else ""
    lines = [f"{_count(len(diff.files), 'file')}{counted}{see}", ""] if diff.files else []
    lines += [f"- {_file_line(one)}" for one in diff.files[:_MOST_FILES]]
    if len(diff.files) > _MOST_FILES:
        lines.append(f"- … {len(diff.files) - _MOST_FILES} more: {code(diff.see)}")
    lines += [f"- not committed: {code(path)}" for path in diff.uncommitted[:_MOST_FILES]]
    if len(diff.uncommitted) > _MOST_FILES:
        lines.append(f"- … {len(diff.uncommitted) - _MOST_FILES} more not committed: {code('git status')}")
    return tuple(lines)


def _file_line(file: FileStat) -> str:
    old = f"{code(file.old_path)} → " if file.old_path else ""
    lines = f" +{file.added} -{file.removed}" if file.added is not None else ""
    return f"{_LETTERS.get(file.status, file.status)} {old}{code(file.path)}{lines}"
