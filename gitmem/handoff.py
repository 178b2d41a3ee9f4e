"""The shift note: what the next agent reads instead of the transcript, made from a run's state (domain.md, "Handoff").

Three documents lie at the top of a run's tree:

``handoff.md``: the headings of `HEADINGS` in that order, each with a few lines; then, where there is something to say,
those of `FURTHER`. What is left out is named with the command that shows it. *Do Not Repeat* is never cut.
``decisions.md``: every decision and approach with its reason, whole.
``latest-failure.json``: one line of canonical JSON, an object with the fields of `latest_failure`; ``null`` when nothing
that failed stands any more.

Text of events is untrusted: each stands on one line, opens no Markdown block, and hidden characters are visible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from gitmem.model.course import next_step_words, success_words, uncommitted_words, words_of_test
from gitmem.model.policy import CompactionPolicy
from gitmem.model.snapshot import Approach, Failure, Snapshot
from gitmem.model.stamp import Stamp, stamp_lines, stamp_of
from gitmem.model.visible_text import code, sentence
from gitmem.wire.canonical import canonical_json

HANDOFF: Final = "handoff.md"
DECISIONS: Final = "decisions.md"
LATEST_FAILURE: Final = "latest-failure.json"

HEADINGS: Final = (
    "Current Goal",
    "Current Phase",
    "Last Completed Step",
    "Current Findings",
    "Files Allowed to Edit",
    "Latest Failure",
    "Next Action",
    "Do Not Repeat",
)
FURTHER: Final = ("Decisions", "Adopted Approach", "Changed Files", "Last Test", "Remaining Risks")
PATCH: Final = "diff.patch"
_NONE: Final = "None"
_ASKED_FOR: Final = {
    "created": "a plan",
    "implementing": "the implementation",
    "reviewing": "a review of the implementation",
    "testing": "the tests",
    "fixing": "the fix of what failed, then a new review",
    "failed_test": "the fix of the latest failure",
    "waiting_human": "the answer of a person",
    "completed": "nothing: the run is completed",
    "abandoned": "nothing: the run was abandoned",
}


class Bounds(NamedTuple):
    """How much of each heading is shown: how many items, and how many characters of each."""

    items: int = 8
    characters: int = 400


class Section(NamedTuple):
    """One heading with its lines; `says` is False where the lines only say that there is nothing."""

    heading: str
    lines: tuple[str, ...]
    says: bool = True


def format_handoff(snapshot: Snapshot, *, stamp: Stamp | None = None, bounds: Bounds | None = None) -> str:
    """The text of ``handoff.md``.

    Args:
        snapshot: The run's state.
        stamp: As of when; by the newest telling event alone when None.
        bounds: How much of each heading is shown.
    """
    stamp = stamp or stamp_of(snapshot)
    lines = ["# Handoff", "", *stamp_lines(snapshot, stamp)]
    for section in handoff_sections(snapshot, bounds=bounds, stamp=stamp):
        lines += ["", f"## {section.heading}", "", *section.lines]
    return "\n".join(lines) + "\n"


def handoff_sections(
    snapshot: Snapshot, *, bounds: Bounds | None = None, stamp: Stamp | None = None
) -> tuple[Section, ...]:
    """All of `HEADINGS`, then those of `FURTHER` that have something to say."""
    writer = _Writer(snapshot, bounds or Bounds(), stamp or Stamp())
    first = (
        writer.goal(),
        writer.phase(),
        writer.last_step(),
        writer.items("Current Findings", [one.finding for one in snapshot.findings], newest=True),
        writer.files("Files Allowed to Edit", snapshot.allowed_files, none="Any: no limit was set"),
        writer.failure(),
        writer.next_action(),
        _do_not_repeat(snapshot.rejected_approaches),
    )
    further = (
        writer.decisions(),
        writer.adopted(),
        writer.files("Changed Files", snapshot.changed_files),
        writer.last_test(),
        writer.items("Remaining Risks", snapshot.remaining_risks),
    )
    return (*first, *(section for section in further if section.says))


def _do_not_repeat(rejected: Iterable[Approach]) -> Section:
    """Whole, however long it is."""
    lines = tuple(f"- {_reasoned(one.approach, one.reason)}" for one in rejected)
    return Section("Do Not Repeat", lines or (_NONE,), bool(lines))


def shortened_approaches(rejected: Iterable[Approach], most: int) -> tuple[str, ...]:
    """The lines of *Do Not Repeat*, each approach with its reason within a number of characters."""
    return tuple(f"- {_shortened(one, most)}" for one in rejected)


def _shortened(one: Approach, most: int) -> str:
    """The approach keeps two thirds of the room where the reason needs the rest."""
    approach, reason = (" ".join(text.split()) for text in (one.approach, one.reason or ""))
    for_reason = min(len(reason), max(most // 3, most - len(approach)))
    return _reasoned(_cut(approach, most - for_reason), _cut(reason, for_reason) or None)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: max(most - 1, 0)].rstrip()}…"


def _said(text: str) -> str:
    return sentence(text) or "(blank)"


def _reasoned(said: str, reason: str | None) -> str:
    return f"{_said(said)} – {_said(reason)}" if reason else _said(said)


class _Writer:
    """Makes the sections of one state within bounds."""

    def __init__(self, snapshot: Snapshot, bounds: Bounds, stamp: Stamp) -> None:
        self._state = snapshot
        self._bounds = bounds
        self._stamp = stamp
        self._log = code(f"gitmem run log {snapshot.run_id}".rstrip())

    def goal(self) -> Section:
        said = self._state.goal or self._state.task
        return self._text("Current Goal", said)

    def phase(self) -> Section:
        state = self._state
        agent = state.current_agent
        parts = [
            state.phase,
            f"attempt {state.attempt}" if state.attempt else None,
            f"agent {_said(agent[: self._bounds.characters])}" if agent else None,
        ]
        lines = [", ".join(part for part in parts if part)]
        if uncommitted := uncommitted_words(state, code):
            lines += ["", f"Not committed: {uncommitted}{self._where_left()}"]
        if state.waiting_human:
            lines += ["", f"Waits for a person: {self._short(state.question or 'no question was written')}"]
        if state.paused:
            lines += ["", f"Paused: {self._short(state.pause_reason or 'no reason was written')}"]
        return Section("Current Phase", tuple(lines))

    def _where_left(self) -> str:
        here = "; the work tree here has none" if self._stamp.is_clean else ""
        patch = self._stamp.show_artifact(PATCH) if self._stamp.places is not None else None
        return f"{here}{f'; the newest patch that was saved: {code(patch)}' if patch else ''}"

    def last_step(self) -> Section:
        state = self._state
        lines = []
        if state.last_successful_step:
            where = [
                f"#{state.last_successful_seq}" if state.last_successful_seq else None,
                success_words(state, code),
            ]
            told = ", ".join(part for part in where if part)
            lines.append(f"- {self._short(state.last_successful_step)}{f' ({told})' if told else ''}")
        ended = [one for one in state.sessions if one.ended_seq is not None and one.summary]
        if ended:
            last = max(ended, key=lambda one: one.ended_seq or 0)
            who = f" of {self._short(last.agent)}" if last.agent else ""
            lines.append(f"- Session{who} ended (#{last.ended_seq}): {self._short(last.summary or '')}")
        return Section("Last Completed Step", tuple(lines) or (_NONE,), bool(lines))

    def failure(self) -> Section:
        failure = self._state.last_failure
        if failure is None:
            return Section("Latest Failure", (_NONE,), says=False)
        ran = [
            f"{failure.type} (#{failure.seq})",
            code(self._cut(failure.command)) if failure.command else None,
            f"exit code {failure.exit_code}" if failure.exit_code is not None else None,
            _said(self._cut(failure.failure_class)) if failure.failure_class else None,
        ]
        what = [(code, name) for name in failure.failing]
        what += [(_said, finding) for finding in failure.findings]
        lines = [f"- {', '.join(part for part in ran if part)}", *self._listed(what, newest=False)]
        if failure.artifact:
            see = self._stamp.show_artifact(failure.artifact)
            lines.append(f"- {code(see) if see else f'{code(self._cut(failure.artifact))} (not saved)'}")
        return Section("Latest Failure", tuple(lines))

    def next_action(self) -> Section:
        state = self._state
        if state.next_step:
            since = next_step_words(state)
            said = f"{self._short(state.next_step)}{f' ({since})' if since else ''}"
            return Section("Next Action", (said,))
        if state.phase == "tested":
            seq = f" (#{state.last_test.seq})" if state.last_test else ""
            said = f"Not set; the last test passed{seq}, nobody said yet whether that completes the task"
            return Section("Next Action", (said,))
        asked = _ASKED_FOR[state.phase]
        return Section("Next Action", (f"Not set; the phase asks for {asked}",))

    def decisions(self) -> Section:
        """The newest with their reasons; the earlier ones where they are saved, else in the state of the run."""
        decisions, most = self._state.decisions, self._bounds.items
        lines = [
            f"- {self._short(one.decision)}{f' – {self._short(one.reason)}' if one.reason else ''}"
            for one in decisions[-most:]
        ]
        if len(decisions) > most:
            saved = self._stamp.show_file(DECISIONS) if self._stamp.places is not None else None
            see = saved or f"gitmem run show {self._state.run_id}".rstrip()
            lines.insert(0, f"- … {len(decisions) - most} earlier: {code(see)}")
        return Section("Decisions", tuple(lines), bool(lines))

    def adopted(self) -> Section:
        adopted = self._state.adopted_approach
        if adopted is None:
            return Section("Adopted Approach", (), says=False)
        reason = f" – {self._short(adopted.reason)}" if adopted.reason else ""
        return Section("Adopted Approach", (f"{self._short(adopted.approach)}{reason}",))

    def last_test(self) -> Section:
        test = self._state.last_test
        if test is None:
            return Section("Last Test", (), says=False)
        told = ", ".join(filter(None, [f"{test.status} (#{test.seq})", words_of_test(test, code)]))
        again = [f"- run it again: {code(self._cut(test.command))}"] if test.command else []
        return Section("Last Test", (f"- {told}", *again))

    def items(self, heading: str, texts: Sequence[str], *, newest: bool = False) -> Section:
        lines = self._listed([(_said, text) for text in texts], newest=newest)
        return Section(heading, tuple(lines) or (_NONE,), bool(lines))

    def files(self, heading: str, paths: Sequence[str], none: str = _NONE) -> Section:
        lines = self._listed([(code, path) for path in paths], newest=False)
        return Section(heading, tuple(lines) or (none,), bool(lines))

    def _listed(self, texts: Sequence[tuple[Callable[[str], str], str]], *, newest: bool) -> list[str]:
        """Texts as a list, each by what shows it; what is over the bounds is named, the older where the newest count."""
        most = self._bounds.items
        over = len(texts) - most
        chosen = texts if over <= 0 else texts[-most:] if newest else texts[:most]
        lines = [f"- {shown(self._cut(text))}" for shown, text in chosen]
        if over <= 0:
            return lines
        named = f"- … {over} {'earlier' if newest else 'more'}: {self._log}"
        return [named, *lines] if newest else [*lines, named]

    def _text(self, heading: str, said: str | None) -> Section:
        if not said:
            return Section(heading, (_NONE,), says=False)
        return Section(heading, (self._short(said),))

    def _short(self, text: str) -> str:
        cut = self._cut(text)
        return _said(cut) if cut == text else f"{_said(cut)} ({self._log})"

    def _cut(self, text: str) -> str:
        return _cut(text, self._bounds.characters)


# decisions.md
def format_decisions(snapshot: Snapshot) -> str:
    """The text of ``decisions.md``: decisions, the adopted approach, the rejected ones; each whole, with its reason."""
    adopted = [snapshot.adopted_approach] if snapshot.adopted_approach else []
    told = {
        "Decisions": [(one.seq, one.decision, one.reason) for one in snapshot.decisions],
        "Adopted Approach": [(one.seq, one.approach, one.reason) for one in adopted],
        "Rejected Approaches": [(one.seq, one.approach, one.reason) for one in snapshot.rejected_approaches],
    }
    lines = ["# Decisions"]
    if snapshot.run_id:
        lines += ["", f"run {code(snapshot.run_id)}"]
    for heading, items in told.items():
        if items:
            lines += ["", f"## {heading}", ""]
            lines += [f"- #{seq} {_reasoned(said, reason)}" for seq, said, reason in items]
    if not any(told.values()):
        lines += ["", _NONE]
    return "\n".join(lines) + "\n"


# latest-failure.json
def latest_failure(
    failure: Failure | None,
    *,
    run: str = "",
    log: str = "",
    code: str | None = None,
    at: str | None = None,
    policy: CompactionPolicy | None = None,
) -> dict[str, Any] | None:
    """What ``latest-failure.json`` says, by field name; fields that say nothing are left out. None for no failure.

    Args:
        failure: From a snapshot (``snapshot.last_failure``), or of an event about to be appended, with seq 0.
        run: Run id.
        log: What the command printed; its tail is kept, cut at the start of a line where there is one.
        code: The code commit that it failed at.
        at: When, RFC 3339.
        policy: Gives the length of the tail.
    """
    if failure is None:
        return None
    tail, left_out = log_tail(log, (policy or CompactionPolicy()).max_log_tail_characters)
    fields = {
        "run": run,
        "seq": failure.seq,
        "type": failure.type,
        "at": at,
        "code": code,
        "command": failure.command,
        "exit_code": failure.exit_code,
        "failure_class": failure.failure_class,
        "failing": list(failure.failing),
        "findings": list(failure.findings),
        "artifact": failure.artifact,
        "log_tail": tail,
        "log_characters_left_out": left_out,
    }
    said = {name: value for name, value in fields.items() if value or (name == "exit_code" and value == 0)}
    return {"version": 1, **said}


def format_latest_failure(record: dict[str, Any] | None) -> bytes:
    """The bytes of ``latest-failure.json``."""
    return canonical_json(record) + b"\n"


def log_tail(log: str, limit: int) -> tuple[str, int]:
    """The end of a log within a number of characters, from the start of a line where one fits; and how many are left out."""
    if len(log) <= limit:
        return log, 0
    tail = log[len(log) - limit :] if limit > 0 else ""
    _, newline, rest = tail.partition("\n")
    if newline and rest and not log[: len(log) - limit].endswith("\n"):
        tail = rest
    return tail, len(log) - len(tail)
