"""What the events of a run tell together: what failed, what was done about it, and that it passed since. Pure.

A streak is the failures of one thing: tests in common, or one command. It ends with the first pass of the same tests – the
pass lists them, or its command is the same or a wider one. Failures that a blocker caused (`gitmem.results.classes`) begin
none, since nothing is to be learnt about the code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from gitmem.model.event import Event, text_field, text_list
from gitmem.results.classes import ENVIRONMENT, FLAKY, HARNESS

BLOCKERS: Final = frozenset({ENVIRONMENT, FLAKY, HARNESS})
PERSON: Final = "human"
MOST_OPEN: Final = 50
"""Streaks that wait for a pass; older ones will hardly see theirs."""
_CHANGES: Final = frozenset({"commit_recorded", "implementation_completed"})
_CLEARED_BY: Final = {
    "test_failed": "test_passed",
    "build_failed": "build_passed",
    "lint_failed": "lint_passed",
    "review_failed": "review_passed",
}
_TAKEN_OR_LEFT: Final = frozenset({"approach_adopted", "approach_rejected"})
BY_ITSELF: Final = frozenset({"git", "test-runner"})
"""Actors that are tools."""


class Fix(NamedTuple):
    """A failure that was fixed.

    Args:
        failures: The streak, oldest first.
        changes: Commits and implementations after the last of them, oldest first; the first commit after the pass when
            the pass ran on uncommitted work.
        passed: The pass that ended the streak.
        between: Findings noted after the last failure and before the first change: why it failed, most likely.
        around: Other findings from the first failure to the pass.
        after: Those of them that were noted after the change, where nothing else failed that they could speak of.
        tests: Names of the tests that failed and pass now.
    """

    failures: tuple[Event, ...]
    changes: tuple[Event, ...]
    passed: Event
    between: tuple[Event, ...]
    around: tuple[Event, ...]
    tests: tuple[str, ...]
    after: tuple[Event, ...] = ()


class Rejection(NamedTuple):
    """An approach that was rejected for a reason.

    Args:
        event: The rejection.
        behind: The failure or the person's answer that it rests on; empty when a person rejected it.
        instead: The approach adopted after it, when one was.
    """

    event: Event
    behind: tuple[Event, ...]
    instead: Event | None


def fixes(events: Sequence[Event]) -> Iterator[Fix]:
    """Every failure that was fixed, in the order of the passes."""
    streaks: list[list[int]] = []
    for at, event in enumerate(events):
        if event.type == "test_failed" and text_field(event.payload, "failure_class") not in BLOCKERS:
            _join(streaks, events, at)
        elif event.type == "test_passed":
            for streak in [one for one in streaks if _passes(event, [events[part] for part in one])]:
                streaks.remove(streak)
                fix = _fix(events, streak, at)
                if fix.changes:
                    yield fix


def rejections(events: Sequence[Event]) -> Iterator[Rejection]:
    """Rejected approaches that a failure or a person's reason stands behind (domain.md section 3)."""
    standing: dict[str, Event] = {}
    cleared: tuple[Event, ...] = ()
    for at, event in enumerate(events):
        if event.type in _CLEARED_BY and text_field(event.payload, "failure_class") not in BLOCKERS:
            standing[event.type] = event
        elif event.type in _CLEARED_BY.values():
            gone = [
                standing.pop(name)
                for name, by in _CLEARED_BY.items()
                if by == event.type and name in standing
            ]
            cleared = tuple(gone)
        elif event.type == "approach_rejected" and text_field(event.payload, "reason"):
            behind = _answer_before(events, at) or _newest(standing) or cleared
            if behind or event.actor == PERSON:
                yield Rejection(event, behind, _adopted_after(events, at))


def decisions(events: Sequence[Event]) -> Iterator[Event]:
    """Decisions with a reason, but those whose approach was rejected later."""
    rejected = {
        (text_field(one.payload, "approach") or "").casefold()
        for one in events
        if one.type == "approach_rejected"
    }
    for event in events:
        decision = text_field(event.payload, "decision")
        is_reasoned = event.type == "decision_recorded" and text_field(event.payload, "reason") is not None
        if is_reasoned and decision and decision.casefold() not in rejected:
            yield event


def _join(streaks: list[list[int]], events: Sequence[Event], at: int) -> None:
    for streak in streaks:
        if _is_same_failure(events[streak[-1]], events[at]):
            streak.append(at)
            return
    streaks.append([at])
    del streaks[:-MOST_OPEN]


def _is_same_failure(one: Event, other: Event) -> bool:
    ours, theirs = text_list(one.payload, "failing"), text_list(other.payload, "failing")
    if ours and theirs:
        return not set(ours).isdisjoint(theirs)
    return _command(one) == _command(other) != ""


def _passes(event: Event, failures: Sequence[Event]) -> bool:
    failing, listed = _failing(failures), set(text_list(event.payload, "tests"))
    if failing and listed:
        return listed.issuperset(failing)
    ran = _command(event)
    return bool(ran) and any(f"{_command(one)} ".startswith(f"{ran} ") for one in failures)


def _failing(failures: Sequence[Event]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for one in failures for name in text_list(one.payload, "failing")))


def _command(event: Event) -> str:
    return " ".join((text_field(event.payload, "command") or "").split())


def _fix(events: Sequence[Event], streak: Sequence[int], at: int) -> Fix:
    first, last = streak[0], streak[-1]
    before = [place for place in range(last + 1, at) if events[place].type in _CHANGES]
    commits = [place for place in before if events[place].type == "commit_recorded"]
    after = [] if commits or events[at].dirty is False else _commit_after(events, at)
    changed_at = [*before, *after]
    first_change = min(before, default=at)
    end = max([at, *after])
    while end + 1 < len(events) and events[end + 1].type == "finding_noted":
        end += 1
    found = [place for place in range(first + 1, end + 1) if events[place].type == "finding_noted"]
    between = [place for place in found if last < place < first_change]
    failures = tuple(events[place] for place in streak)
    return Fix(
        failures,
        tuple(events[place] for place in changed_at),
        events[at],
        tuple(events[place] for place in between),
        tuple(events[place] for place in found if place not in between),
        _failing(failures),
        ()
        if _other_failed(events, streak, end)
        else tuple(events[place] for place in found if place > last and place not in between),
    )


def _other_failed(events: Sequence[Event], streak: Sequence[int], end: int) -> bool:
    within = (place for place in range(streak[0], end + 1) if place not in streak)
    return any(events[place].type in _CLEARED_BY for place in within)


def _commit_after(events: Sequence[Event], at: int) -> list[int]:
    """The first commit after a pass on uncommitted work, unless something failed before it."""
    for place in range(at + 1, len(events)):
        if events[place].type == "commit_recorded":
            return [place]
        if events[place].type in _CLEARED_BY:
            break
    return []


def _newest(standing: dict[str, Event]) -> tuple[Event, ...]:
    return tuple(sorted(standing.values(), key=lambda one: one.order)[-1:])


def _answer_before(events: Sequence[Event], at: int) -> tuple[Event, ...]:
    """The person's answer right before an event, when there is one."""
    before = (events[place] for place in range(at - 1, -1, -1) if events[place].actor not in BY_ITSELF)
    event = next(before, None)
    is_answer = event is not None and event.type == "human_answered" and event.actor == PERSON
    return (event,) if event is not None and is_answer else ()


def _adopted_after(events: Sequence[Event], at: int) -> Event | None:
    later = (events[place] for place in range(at + 1, len(events)) if events[place].type in _TAKEN_OR_LEFT)
    event = next(later, None)
    return event if event is not None and event.type == "approach_adopted" else None
