"""`gitmem status` as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.sanitise import prose
from gitmem.trust.branch import Trusted
from gitmem.usecases.status import MemoryState

_FIRST = ("active", "challenged", "proposed")


def status_document(state: MemoryState) -> dict[str, Any]:
    """The same facts as the text."""
    trusted = state.trusted
    return {
        "trusted": {
            "ref": trusted.ref,
            "commit": trusted.commit,
            "remote": trusted.remote,
            "why": trusted.why,
            "verified": trusted.verified,
        },
        "memories": {status: state.counts.get(status, 0) for status in _statuses(state)},
        "unchecked": state.unchecked,
        "waiting": [{"what": one.what, "count": one.count, "command": one.command} for one in state.waiting],
        "problems": state.problems,
    }


def status_lines(state: MemoryState, look: Look = PLAIN) -> Iterator[str]:
    """One screen for people."""
    yield look.line(_label("trusted"), _trusted(state.trusted))
    counted = ", ".join(f"{state.counts.get(status, 0)} {status}" for status in _statuses(state))
    yield look.line(
        _label("memories"),
        counted if state.counts else "none yet: write one in .ai/memory/, .ai/README.md shows how",
    )
    if state.unchecked:
        unchecked = f"{state.unchecked} cannot be checked against the code: gitmem drift --explain"
        yield look.line(_label(""), unchecked)
    if not state.waiting:
        yield look.line(_label("waiting"), "nothing")
    for number, one in enumerate(state.waiting):
        label = _label("" if number else "waiting")
        yield look.line(label, Span(str(one.count), "bold"), f" {one.what}: {one.command}")


def _label(label: str) -> Span:
    return Span(f"{label:<10}", "dim")


def _statuses(state: MemoryState) -> list[str]:
    return [*_FIRST, *sorted(set(state.counts) - set(_FIRST))]


def _trusted(trusted: Trusted) -> str:
    if trusted.commit is None:
        return f"no branch: {prose(trusted.why)}"
    return f"{prose(trusted.name)} at {trusted.commit[:12]} ({prose(trusted.why)})"
