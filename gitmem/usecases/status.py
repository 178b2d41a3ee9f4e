"""One look at where the memory stands: counts, the trusted branch, what waits for a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

from gitmem.git.interface import Repository
from gitmem.model.verdict import DriftReport, Verdict
from gitmem.trust.branch import Trusted
from gitmem.usecases.hooks import HookState
from gitmem.usecases.listing import Listing, load_listing
from gitmem.usecases.proposals import with_proposals


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that waits for a person, and the command that deals with it."""

    what: str
    count: int
    command: str


@dataclass(frozen=True, slots=True)
class MemoryState:
    """Where the memory stands.

    Args:
        trusted: The branch whose tip is taken for approved, or why there is none.
        counts: Memories by effective status.
        unchecked: How many active memories drift cannot check; None when it was not asked.
        waiting: What waits for a person, most pressing first.
        problems: How many problems the files have.
    """

    trusted: Trusted
    counts: Mapping[str, int]
    unchecked: int | None
    waiting: tuple[Waiting, ...]
    problems: int


SetUpState = Literal["installed", "incomplete", "missing"]


class SetUp(NamedTuple):
    """What of gitmem takes part in the work here.

    Args:
        hooks: Git's hooks.
        agents: Agents that are set up, whole or in part, by name; None where there is no work tree for them.
    """

    hooks: SetUpState
    agents: Mapping[str, SetUpState] | None


def hooks_state(states: Iterable[HookState]) -> SetUpState:
    """Git's hooks as one: missing when nobody asked for them, incomplete when one of them would not fire.

    Args:
        states: As `hook_states` found them.
    """
    held = {("broken" if one.detail and one.state == "missing" else one.state) for one in states}
    if held == {"installed"}:
        return "installed"
    return "missing" if held == {"missing"} else "incomplete"


def memory_state(listing: Listing, drift: DriftReport | None) -> MemoryState:
    """Sum up a listing and the drift report of the same state."""
    counts: dict[str, int] = {}
    for one in listing.memories:
        counts[one.effective_status] = counts.get(one.effective_status, 0) + 1
    errors = sum(problem.severity == "error" for problem in listing.problems)
    waiting = (
        Waiting(
            "file that cannot be read" if errors == 1 else "files that cannot be read", errors, "gitmem lint"
        ),
        Waiting("challenged, to be confirmed or retired", counts.get("challenged", 0), "gitmem drift"),
        Waiting("proposed, approved by a merge", counts.get("proposed", 0), "gitmem list --status proposed"),
    )
    return MemoryState(
        listing.trusted,
        counts,
        _unchecked(drift),
        tuple(one for one in waiting if one.count),
        len(listing.problems),
    )


def _unchecked(drift: DriftReport | None) -> int | None:
    if drift is None:
        return None
    return sum(one.verdict is Verdict.UNKNOWN and not one.proposed for one in drift.telling)


def load_state(repo: Repository, *, today: date) -> MemoryState:
    """Load, check and sum up HEAD."""
    loaded = load_listing(repo, today=today)
    return memory_state(with_proposals(repo, loaded), loaded.drift)
