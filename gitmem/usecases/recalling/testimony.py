"""What all runs say of memories, read again only where a run has new events.

Two files under ``gitmem/cache/``: what the sessions of each run said, with the tips that it stands for, and what
follows from all of them, with the refs that it stands for. A recall that finds the second one fitting opens no run.
"""

# pathlib is a slow import, and every recall reads here:
# ruff: noqa: PTH118
from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from gitmem.errors import GitmemError
from gitmem.store.cache import read_content, write_content
from gitmem.store.ledger_state import ledger_state
from gitmem.store.shelf import source_state

if TYPE_CHECKING:
    from gitmem.git.program import ProgramRepository
    from gitmem.recall.sessions import RunState
    from gitmem.recall.testified import Testimony


def load_testimony(repo: ProgramRepository) -> Testimony:
    """What sessions said so far."""
    return repo.kept("testimony", ledger_state(repo.layout), lambda: _load(repo))


def _load(repo: ProgramRepository) -> Testimony:
    known = repo.last(_SESSIONS)
    if isinstance(known, _Runs):  # read in this process: what lies on disk is for the next one
        return _read(repo, known.runs)[0]
    edition = source_state(("recall", "usecases/recalling", "model"))
    state = f"{edition} {ledger_state(repo.layout)}"
    file = _file(repo, "testimony")
    held = read_content(file)
    if held.get("state") == state:
        return _thawed(held["said"])
    sessions = _file(repo, "sessions")
    kept = read_content(sessions)
    before = kept.get("runs", {}) if kept.get("edition") == edition else {}
    found, runs = _read(repo, before)
    if runs != before:
        write_content(sessions, {"edition": edition, "runs": runs})
    write_content(file, {"state": state, "said": _frozen(found)})
    return found


class _Runs(NamedTuple):
    """What the sessions of each run said, with the tips that it stands for."""

    runs: dict[str, Any]


_SESSIONS = "sessions"


def _read(repo: ProgramRepository, known: dict[str, Any]) -> tuple[Testimony, dict[str, Any]]:
    """From what is known of each run on; that is kept in memory for the next time."""
    from gitmem.recall.sessions import testimony
    from gitmem.store.archive import read_refs

    refs = read_refs(repo)
    runs: dict[str, tuple[dict[str, str], RunState]] = {}
    for run, tips in {**refs.runs, **refs.archived}.items():
        before = known.get(run)
        if before is not None and before[0] == tips:
            runs[run] = before
            continue
        try:
            runs[run] = (dict(tips), _folded(repo, tips, before))
        except GitmemError:  # what cannot be read testifies to nothing; the next recall tries again
            if before is not None:
                runs[run] = before
    told = testimony({run: state for run, (_, state) in runs.items()})
    repo.kept(_SESSIONS, {run: tips for run, (tips, _) in runs.items()}, lambda: _Runs(runs))
    return told, runs


def _folded(repo: ProgramRepository, tips: Mapping[str, str], before: Any) -> RunState:
    """From the tips back to those that the state stands for; what lies beside them is folded again to no effect.

    A state that stands for a tip which is not reached any more holds what nobody says now, so all is folded anew.
    """
    from copy import deepcopy

    from gitmem.git.event_commits import read_commits
    from gitmem.recall.sessions import fold_sessions
    from gitmem.store.judging import node_of
    from gitmem.store.run_reading import with_payloads

    stands_for = frozenset(before[0].values()) if before is not None else frozenset()
    fresh = [oid for oid in tips.values() if oid not in stands_for]
    met = set(stands_for.intersection(tips.values()))

    def is_known(oid: str) -> bool:
        if oid in stands_for:
            met.add(oid)
        return oid in stands_for

    nodes = map(node_of, read_commits(repo, fresh, is_known))
    events = sorted((node.event for node in nodes if node.event is not None), key=lambda event: event.order)
    if stands_for - met:
        return _folded(repo, tips, None)
    state: RunState = deepcopy(before[1]) if before is not None else ({}, {})
    return fold_sessions(state, with_payloads(repo, events)[0])


def _frozen(said: Testimony) -> tuple[Any, ...]:
    return (
        {memory: tuple(usage) for memory, usage in said.usage.items()},
        dict(said.repeated),
        tuple(map(tuple, said.outcomes)),
    )


def _thawed(held: Any) -> Testimony:
    from gitmem.recall.factors import Usage
    from gitmem.recall.testified import Outcome, Testimony

    usage, repeated, outcomes = held
    return Testimony(
        {memory: Usage._make(one) for memory, one in usage.items()},
        repeated,
        tuple(map(Outcome._make, outcomes)),
    )


def _file(repo: ProgramRepository, name: str) -> str:
    return os.path.join(os.fspath(repo.layout.common_dir), "gitmem", "cache", f"{name}.marshal")
