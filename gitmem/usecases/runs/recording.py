"""Append one event that somebody told: the general form, and the short forms of the common ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from gitmem.errors import UsageError, quoted
from gitmem.model.event import EVENT_TYPE, PAYLOAD_FIELDS, Event
from gitmem.store.ledger import Run
from gitmem.usecases.runs.listing import ENDED


class Teller(NamedTuple):
    """Who tells an event: the actor, and the agent session when there is one."""

    actor: str
    session: str | None = None


class Recorded(NamedTuple):
    """An event as it was written.

    Args:
        run: The run it went to.
        event: The event.
        ended: ``completed`` or ``abandoned`` when that run has ended nevertheless; else empty.
    """

    run: Run
    event: Event
    ended: str


def record(
    run: Run,
    event_type: str,
    payload: Mapping[str, Any],
    teller: Teller,
    *,
    id: str = "",  # noqa: A002 - what the event's field is called
    artifacts: Mapping[str, bytes] | None = None,
) -> Recorded:
    """Append an event.

    Args:
        run: Where.
        event_type: A known type or one of your own.
        payload: What the type says about it.
        teller: Who tells it.
        id: An id of the caller's; the event that has it already and says the same is given back.
        artifacts: Content by plain file name.

    Raises:
        UsageError: A type, id, field or name that an event cannot have, or an id that another one has; nothing was
            written.
    """
    if EVENT_TYPE.fullmatch(event_type) is None:
        raise UsageError(f"not an event type: {quoted(event_type[:80])}", hint=_cure(event_type))
    event = run.append(
        event_type=event_type,
        actor=teller.actor,
        session=teller.session,
        payload=payload,
        id=id,
        artifacts=artifacts,
        exact=True,
    )
    phase = run.folded().snapshot.phase
    return Recorded(run, event, phase if phase in ENDED and event_type not in ENDED else "")


def nearest_type(event_type: str) -> str | None:
    """The known type that an unknown one may have been meant for; None when it is known or like none."""
    if event_type in PAYLOAD_FIELDS:
        return None
    near = get_close_matches(event_type, PAYLOAD_FIELDS, n=1)
    return near[0] if near else None


def clear_risk(run: Run, text: str, teller: Teller) -> Recorded:
    """Record that a risk is none any more.

    Args:
        run: Where.
        text: The risk as it was noted, or the beginning of exactly one.
        teller: Who says so.

    Raises:
        UsageError: When it names none or several of those that remain.
    """
    remaining = run.folded().snapshot.remaining_risks
    meant = [text] if text in remaining else [risk for risk in remaining if risk.startswith(text)]
    if len(meant) != 1:
        raise UsageError(
            f"{'several risks begin' if meant else 'no open risk begins'} with {quoted(text[:80])}",
            hint=f"open: {_told(meant or remaining)}"
            if remaining
            else "no risk is open: nothing is to be cleared",
        )
    return record(run, "risk_cleared", {"risk": meant[0]}, teller)


def _told(risks: Sequence[str]) -> str:
    return "; ".join(risk[:60] for risk in risks[:5])


def _cure(event_type: str) -> str:
    joined = "_".join(event_type.replace("-", " ").casefold().split())
    near = get_close_matches(joined, PAYLOAD_FIELDS, n=1)
    return f"lower-case words joined by _{f', such as {near[0]}' if near else ''}"
