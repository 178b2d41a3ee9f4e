"""Failures that recur across runs: a fault that comes back is where the next memory should come from. Pure.

Two failures are the same when they have the same signature: what ran, which tests failed, and the failure class, with
everything taken out that differs from machine to machine and from time to time – numbers, object ids, and the folders
of absolute paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gitmem.model.event import Event, moment, text_field, text_list

MOST_TESTS = 20
_PATH = re.compile(r"(?<![\w./~-])(?:~|[A-Za-z]:)?[/\\](?:[^\s'\"/\\:]+[/\\])*([^\s'\"/\\:]*)")
_HEX = re.compile(r"\b(?:0x[0-9a-f]+|(?=[a-f]*[0-9])[0-9a-f]{7,64})\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


class RunFailure(NamedTuple):
    """One failure of a run.

    Args:
        signature: What it has in common with others of its kind.
        run: The run it happened in.
        seq: Of its event.
        commit: Of its event.
        at: Time of its event.
        command: What ran.
        failing: Names of the failing tests.
        failure_class: As the event says it.
    """

    signature: str
    run: str
    seq: int
    commit: str
    at: str
    command: str | None
    failing: tuple[str, ...]
    failure_class: str | None


@dataclass(frozen=True, slots=True)
class Recurring:
    """Failures of one signature in several runs.

    Args:
        signature: What they have in common.
        count: How often it happened.
        runs: The runs it happened in, sorted.
        last_at: When it happened last.
        example: The newest.
    """

    signature: str
    count: int
    runs: tuple[str, ...]
    last_at: str
    example: RunFailure


def failures_of(run: str, events: Iterable[Event]) -> list[RunFailure]:
    """The failed tests that say anything; those before a fork belong to the run they were written to."""
    return [
        failure
        for event in events
        if event.type == "test_failed" and event.run == run
        for failure in [_failure(event)]
        if failure.signature
    ]


def signature(command: str | None, failing: Iterable[str], failure_class: str | None) -> str:
    """What two failures of one kind have in common, on one line; empty when nothing is said."""
    tests = sorted({_settled(name) for name in failing})
    more = [f"and {len(tests) - MOST_TESTS} more"] if len(tests) > MOST_TESTS else []
    parts = (_settled(command or ""), ", ".join([*tests[:MOST_TESTS], *more]), failure_class or "")
    return " | ".join(part for part in parts if part)


def recurring(failures: Iterable[RunFailure]) -> list[Recurring]:
    """Signatures that occur in more than one run; those in most runs first, then the newest."""
    kinds: dict[str, list[RunFailure]] = {}
    for failure in failures:
        kinds.setdefault(failure.signature, []).append(failure)
    found = [_recurring(name, held) for name, held in kinds.items()]
    several = [one for one in found if len(one.runs) > 1]
    return sorted(several, key=lambda one: (-len(one.runs), -one.count, -moment(one.last_at), one.signature))


def _recurring(name: str, held: list[RunFailure]) -> Recurring:
    newest = max(held, key=lambda one: (moment(one.at), one.run, one.seq))
    return Recurring(name, len(held), tuple(sorted({one.run for one in held})), newest.at, newest)


def _failure(event: Event) -> RunFailure:
    payload: Mapping[str, object] = event.payload
    command, failing = text_field(payload, "command"), tuple(text_list(payload, "failing"))
    failure_class = text_field(payload, "failure_class")
    return RunFailure(
        signature(command, failing, failure_class),
        event.run,
        event.seq,
        event.commit,
        event.at,
        command,
        failing,
        failure_class,
    )


def _settled(text: str) -> str:
    text = _PATH.sub(lambda found: found.group(1) or "/", text)
    text = _NUMBER.sub("<n>", _HEX.sub("<hex>", text))
    return " ".join(text.split())
