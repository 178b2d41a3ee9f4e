"""How each event moves the state of a run. `gitmem.model.run` is the way in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from gitmem.model.event import Event, text_field, text_list
from gitmem.model.payload import finding_text, list_of, pairs_of
from gitmem.model.snapshot import (
    NEWEST,
    PHASES,
    Approach,
    Attempt,
    Decision,
    Failure,
    Finding,
    LastTest,
    Review,
    Session,
    Snapshot,
    Told,
    Uncommitted,
)

_NO_AGENTS: Final = frozenset({"", "human", "git", "test-runner", "gitmem"})
_COVERING: Final = frozenset({"waiting_human", "completed", "abandoned"})
_TELLING: Final = frozenset(
    {
        *("task_created", "session_ended", "handoff_written", "state_imported"),
        *("plan_approved", "implementation_completed", "review_passed", "review_failed"),
        *("test_passed", "test_failed", "approach_adopted", "approach_rejected", "decision_recorded"),
        *("finding_noted", "risk_noted", "risk_cleared", "next_step_set", "waiting_human", "human_answered"),
        *("run_paused", "run_resumed", "completed", "abandoned"),
    }
)
"""Types in which somebody says how the work stands; a commit or a delivered memory only happens to it."""
_SINGLE: Final = (
    *("task", "goal", "current_agent", "attempt", "last_successful_step", "last_successful_seq"),
    *(
        "last_successful_event",
        "last_successful_code",
        "last_successful_dirty",
        "last_successful_followed_by",
    ),
    *("next_step", "next_step_seq", "last_test", "last_failure", "last_artifact", "adopted_approach"),
    *("waiting_human", "question", "code", "started_code", "plan", "paused", "pause_reason", "told"),
    *("uncommitted", "ended_seq"),
)
_IMPORTED_TEXTS: Final = ("task", "goal", "current_agent", "last_successful_step", "next_step", "code")


class Evolution:
    """The one mutable form of a run's state, alive for the length of one fold."""

    def __init__(self, state: Snapshot) -> None:
        self._start = state
        self._phase = state.underlying_phase
        self._ended = state.phase if state.phase in {"completed", "abandoned"} else ""
        self._single: dict[str, Any] = {name: getattr(state, name) for name in _SINGLE}
        # Dictionaries are sets that keep their order.
        self._changed = dict.fromkeys(state.changed_files)
        self._allowed = state.allowed_files
        self._findings = list(state.findings)
        self._decisions = list(state.decisions)
        self._rejected = {one.approach: one for one in state.rejected_approaches}
        self._risks = dict.fromkeys(state.remaining_risks)
        self._sessions = {one.session: one for one in state.sessions}
        self._attempts = list(state.attempts)
        self._reviews = list(state.reviews)

    def take(self, event: Event) -> None:
        """Move on by one event; an unknown type moves nothing but agent and code."""
        if event.code:
            self._single["code"] = event.code
            self._single["started_code"] = self._single["started_code"] or event.code
        if event.type in _TELLING:
            self._single["told"] = Told(
                event.seq, event.at, event.code, text_field(event.payload, "branch"), event.dirty
            )
        if event.dirty:
            self._single["uncommitted"] = Uncommitted(event.seq, event.code, event.writer)
        elif event.dirty is False:
            self._cleaned(event.writer)
        if event.actor not in _NO_AGENTS and event.type != "session_started":
            self._single["current_agent"] = event.actor
        handler = _HANDLERS.get(event.type)
        if handler is not None:
            handler(self, event)

    def snapshot(self) -> Snapshot:
        phase = self._ended or ("waiting_human" if self._single["waiting_human"] else self._phase)
        return replace(
            self._start,
            phase=phase,
            underlying_phase=self._phase,
            changed_files=tuple(self._changed),
            allowed_files=self._allowed,
            findings=tuple(self._findings),
            decisions=tuple(self._decisions),
            rejected_approaches=tuple(self._rejected.values()),
            remaining_risks=tuple(self._risks),
            sessions=tuple(self._sessions.values()),
            attempts=tuple(self._attempts),
            reviews=tuple(self._reviews),
            **self._single,
        )

    # One method for each type of event: task and sessions
    def task_created(self, event: Event) -> None:
        for name in ("task", "goal"):
            self._single[name] = text_field(event.payload, name) or self._single[name]
        self._allowed = tuple(dict.fromkeys(text_list(event.payload, "allowed_files"))) or self._allowed

    def session_started(self, event: Event) -> None:
        agent = text_field(event.payload, "agent") or (event.actor if event.actor not in _NO_AGENTS else None)
        self._single["current_agent"] = agent or self._single["current_agent"]
        name = text_field(event.payload, "session") or event.session
        if name is not None:
            old = self._sessions.get(name, Session(name))
            model = text_field(event.payload, "model") or old.model
            started = event.seq if old.started_seq is None else old.started_seq
            # Started again means open again: an agent that was resumed.
            self._sessions[name] = old._replace(
                agent=agent or old.agent, model=model, started_seq=started, ended_seq=None
            )

    def session_ended(self, event: Event) -> None:
        name = text_field(event.payload, "session") or event.session
        if name is None:
            return
        old = self._sessions.get(name, Session(name))
        used = dict.fromkeys((*old.used_memories, *text_list(event.payload, "used_memories")))
        summary = text_field(event.payload, "summary") or old.summary
        self._sessions[name] = old._replace(ended_seq=event.seq, summary=summary, used_memories=tuple(used))

    # steps
    def plan_approved(self, event: Event) -> None:
        self._phase = "implementing"
        self._single["plan"] = artifact_of(event) or self._single["plan"]
        self._succeeded("plan", event)

    def implementation_completed(self, event: Event) -> None:
        self._phase = "fixing" if self._phase == "failed_test" else "reviewing"
        self._single["attempt"] += 1
        self._attempts.append(Attempt(self._single["attempt"], event.seq, event.actor, artifact_of(event)))
        del self._attempts[:-NEWEST]
        self._change(text_list(event.payload, "changed_files"))
        self._succeeded("implementation", event)

    def review_passed(self, event: Event) -> None:
        self._phase = "testing"
        self._reviewed(event)
        failure = self._single["last_failure"]
        if failure is not None and failure.type == "review_failed":
            self._single["last_failure"] = None
        self._succeeded("review", event)

    def review_failed(self, event: Event) -> None:
        self._phase = "fixing"
        found = self._reviewed(event)
        self._single["last_failure"] = Failure(
            event.type, event.seq, artifact=artifact_of(event), findings=tuple(found)
        )

    def test_passed(self, event: Event) -> None:
        self._phase = "tested"
        self._single["last_test"] = _tested("passed", event)
        self._tried(event)
        self._single["last_failure"] = None
        self._succeeded("test", event)

    def test_failed(self, event: Event) -> None:
        self._phase = "failed_test"
        command = text_field(event.payload, "command")
        self._single["last_test"] = _tested("failed", event)
        exit_code = event.payload.get("exit_code")
        is_number = isinstance(exit_code, (int, float)) and not isinstance(exit_code, bool)
        self._single["last_failure"] = Failure(
            event.type,
            event.seq,
            artifact_of(event),
            command=command,
            exit_code=exit_code if is_number else None,
            failure_class=text_field(event.payload, "failure_class"),
            failing=tuple(text_list(event.payload, "failing")),
        )
        self._tried(event, *self._single["last_failure"].failing, command)

    def commit_recorded(self, event: Event) -> None:
        if self._phase == "failed_test":
            self._phase = "fixing"
        self._change(text_list(event.payload, "files"))
        commit = text_field(event.payload, "commit")
        self._single["code"] = commit or self._single["code"]
        self._cleaned(event.writer)
        if self._single["last_successful_dirty"] and self._single["last_successful_followed_by"] is None:
            self._single["last_successful_followed_by"] = commit or event.code

    def commits_rewritten(self, event: Event) -> None:
        renamed = dict(pairs_of(event.payload.get("pairs")))
        followed_by = self._single["last_successful_followed_by"]
        # Changes that were amended into their commit came after the old one: under its new name it has them.
        if followed_by is None or renamed.get(self._single["last_successful_code"]) != followed_by:
            self._rename("last_successful_code", renamed)
        for name in ("code", "started_code", "last_successful_followed_by"):
            self._rename(name, renamed)
        for name in ("told", "last_test", "uncommitted"):
            held = self._single[name]
            if held is not None:
                self._single[name] = held._replace(code=renamed.get(held.code, held.code))

    def artifact_saved(self, event: Event) -> None:
        self._single["last_artifact"] = (
            text_field(event.payload, "path") or artifact_of(event) or self._single["last_artifact"]
        )

    # what was thought
    def approach_adopted(self, event: Event) -> None:
        approach, reason = (text_field(event.payload, name) for name in ("approach", "reason"))
        if approach is not None:
            self._rejected.pop(approach, None)
            self._single["adopted_approach"] = Approach(approach, reason, event.seq)

    def approach_rejected(self, event: Event) -> None:
        approach = text_field(event.payload, "approach")
        if approach is None:
            return
        before = self._rejected.pop(approach, None)
        reason = text_field(event.payload, "reason") or (before.reason if before else None)
        self._rejected[approach] = Approach(approach, reason, event.seq)
        adopted = self._single["adopted_approach"]
        if adopted is not None and adopted.approach == approach:
            self._single["adopted_approach"] = None

    def decision_recorded(self, event: Event) -> None:
        decision = text_field(event.payload, "decision")
        if decision is not None:
            self._decisions.append(Decision(decision, text_field(event.payload, "reason"), event.seq))

    def finding_noted(self, event: Event) -> None:
        self._findings += [Finding(text, event.seq) for text in text_list(event.payload, "finding")]

    def risk_noted(self, event: Event) -> None:
        self._risks.update(dict.fromkeys(text_list(event.payload, "risk")))

    def risk_cleared(self, event: Event) -> None:
        for risk in text_list(event.payload, "risk"):
            self._risks.pop(risk, None)

    def next_step_set(self, event: Event) -> None:
        self._single["next_step"] = text_field(event.payload, "next_step")
        self._single["next_step_seq"] = event.seq

    # people, and the end
    def waiting_human(self, event: Event) -> None:
        self._single["waiting_human"] = True
        self._single["question"] = text_field(event.payload, "question")

    def human_answered(self, _event: Event) -> None:
        self._answered()

    def end(self, event: Event) -> None:
        self._ended = event.type
        self._single["ended_seq"] = event.seq
        self._pause(None)
        self._answered()

    def run_paused(self, event: Event) -> None:
        self._pause(event)

    def run_resumed(self, _event: Event) -> None:
        self._ended = ""
        self._single["ended_seq"] = None
        self._pause(None)

    def state_imported(self, event: Event) -> None:
        given = event.payload.get("snapshot")
        if not isinstance(given, Mapping):
            return
        for name in _IMPORTED_TEXTS:
            self._single[name] = text_field(given, name) or self._single[name]
        if text_field(given, "next_step"):
            self._single["next_step_seq"] = event.seq
        attempt = given.get("attempt")
        if isinstance(attempt, int) and not isinstance(attempt, bool) and attempt >= 0:
            self._single["attempt"] = attempt
        self._change(text_list(given, "changed_files"))
        self._allowed = tuple(dict.fromkeys(text_list(given, "allowed_files"))) or self._allowed
        self._risks.update(dict.fromkeys(text_list(given, "remaining_risks")))
        self._import_phase(given.get("phase"))

    def _import_phase(self, phase: object) -> None:
        if not isinstance(phase, str) or phase not in PHASES:
            return
        self._ended = phase if phase in {"completed", "abandoned"} else ""
        self._single["waiting_human"] = phase == "waiting_human"
        if phase not in _COVERING:
            self._phase = phase

    # shared
    def _cleaned(self, writer: str) -> None:
        seen = self._single["uncommitted"]
        self._single["uncommitted"] = None if seen and seen.writer == writer else seen

    def _rename(self, name: str, renamed: Mapping[str, str]) -> None:
        self._single[name] = renamed.get(self._single[name], self._single[name])

    def _pause(self, event: Event | None) -> None:
        self._single["paused"] = event is not None
        self._single["pause_reason"] = text_field(event.payload, "reason") if event else None

    def _tried(self, event: Event, *details: str | None) -> None:
        """A review or test tells what became of the newest attempt."""
        if self._attempts:
            detail = next((one for one in details if one), None)
            self._attempts[-1] = self._attempts[-1]._replace(
                outcome=event.type, outcome_seq=event.seq, detail=detail
            )

    def _answered(self) -> None:
        self._single["waiting_human"] = False
        self._single["question"] = None

    def _succeeded(self, step: str, event: Event) -> None:
        self._single["last_successful_step"] = step
        self._single["last_successful_seq"] = event.seq
        self._single["last_successful_event"] = event.commit
        self._single["last_successful_code"] = event.code
        self._single["last_successful_dirty"] = event.dirty
        self._single["last_successful_followed_by"] = None
        self._single["last_artifact"] = artifact_of(event) or self._single["last_artifact"]

    def _reviewed(self, event: Event) -> list[str]:
        """The findings of the newest review take the place of those of the one before."""
        found = [text for text in map(finding_text, list_of(event.payload.get("findings"))) if text]
        self._findings = [one for one in self._findings if not one.of_review]
        self._findings += [Finding(text, event.seq, of_review=True) for text in found]
        self._reviews.append(Review(event.type, event.seq, artifact_of(event), len(found)))
        del self._reviews[:-NEWEST]
        self._tried(event, *found)
        return found

    def _change(self, files: Iterable[str]) -> None:
        self._changed.update(dict.fromkeys(files))


def artifact_of(event: Event) -> str | None:
    """The artifact that an event names: by its payload, else the first that it carries beside a large payload."""
    whole_payload = event.extra.get("payload_artifact")
    carried = (name for name in event.artifacts if name != whole_payload)
    return text_field(event.payload, "artifact") or next(carried, None)


def _tested(status: str, event: Event) -> LastTest:
    return LastTest(status, text_field(event.payload, "command"), event.seq, event.code, event.dirty)


_HANDLERS: dict[str, Callable[[Evolution, Event], None]] = {
    "task_created": Evolution.task_created,
    "session_started": Evolution.session_started,
    "session_ended": Evolution.session_ended,
    "plan_approved": Evolution.plan_approved,
    "implementation_completed": Evolution.implementation_completed,
    "review_passed": Evolution.review_passed,
    "review_failed": Evolution.review_failed,
    "test_passed": Evolution.test_passed,
    "test_failed": Evolution.test_failed,
    "commit_recorded": Evolution.commit_recorded,
    "commits_rewritten": Evolution.commits_rewritten,
    "artifact_saved": Evolution.artifact_saved,
    "approach_adopted": Evolution.approach_adopted,
    "approach_rejected": Evolution.approach_rejected,
    "decision_recorded": Evolution.decision_recorded,
    "finding_noted": Evolution.finding_noted,
    "risk_noted": Evolution.risk_noted,
    "risk_cleared": Evolution.risk_cleared,
    "next_step_set": Evolution.next_step_set,
    "waiting_human": Evolution.waiting_human,
    "human_answered": Evolution.human_answered,
    "run_paused": Evolution.run_paused,
    "run_resumed": Evolution.run_resumed,
    "state_imported": Evolution.state_imported,
    "completed": Evolution.end,
    "abandoned": Evolution.end,
}
