"""Git-native memory for AI coding agents: run ledger, durable memory, drift checker.

The public names. ``import gitmem`` imports nothing else; what a name needs is imported when it is used.

    with gitmem.open(".") as ledger:
        run = ledger.new_run()
        run.append(event_type="task_created", actor="human", payload={"task": "checkout"})
        print(gitmem.format_handoff(run.load().snapshot))
"""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = [
    "Event",
    "GitmemError",
    "LoadedRun",
    "Run",
    "RunLedger",
    "Snapshot",
    "__version__",
    "fold",
    "format_handoff",
    "open",
]

TYPE_CHECKING = (
    False  # as type checkers know it; typing itself is too slow for the hooks, which import this file
)
if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from gitmem.errors import GitmemError
    from gitmem.model.event import Event
    from gitmem.model.snapshot import Snapshot
    from gitmem.store.ledger import Run, RunLedger
    from gitmem.store.run_reading import LoadedRun

_HOMES = {
    "GitmemError": "gitmem.errors",
    "Event": "gitmem.model.event",
    "Snapshot": "gitmem.model.snapshot",
    "LoadedRun": "gitmem.store.run_reading",
    "Run": "gitmem.store.ledger",
    "RunLedger": "gitmem.store.ledger",
}


def open(path: str | PathLike[str] | None = None) -> RunLedger:  # noqa: A001 - read as gitmem.open
    """The run ledger of the repository that a folder lies in; a context manager. It belongs to one thread.

    ``ledger.run(id)`` is one run: ``append(event_type=…, actor=…, payload=…)`` writes an event and returns it,
    ``load()`` reads all events and the state after them. Secrets are masked before anything is written.

    Args:
        path: Where to look from, upwards; the working directory when None.

    Raises:
        GitmemError: No repository there, or one that cannot be served; its `hint` is the cure.
    """
    from os import fspath

    from gitmem.store.ledger import RunLedger

    return RunLedger.open(None if path is None else fspath(path))


def fold(events: Iterable[Event], *, run_id: str = "") -> Snapshot:
    """The state of a run after some of its events, which stand in order. Pure: the same events, the same state.

    Args:
        events: As `LoadedRun.events` holds them, all or the first of them.
        run_id: What the state says as its run.
    """
    from gitmem.model.run import fold as fold_events

    return fold_events(events, run_id=run_id)


def format_handoff(snapshot: Snapshot) -> str:
    """The text of ``handoff.md``: what the next agent has to know, in Markdown that no text of an event can break."""
    from gitmem import handoff

    return handoff.format_handoff(snapshot)


if not TYPE_CHECKING:  # else a type checker would take any name for one that is there

    def __getattr__(name: str) -> object:
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
