"""Reviews and artifacts as the ledger has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gitmem.errors import GitmemError
from gitmem.model.event import Event, text_field
from gitmem.model.payload import list_of
from gitmem.promotion.case import Proof, Source
from gitmem.store.ledger import RunLedger
from gitmem.usecases.gating.told import Told, names

_URL: Final = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"(?:[a-z]+[-_ ]?)?(\d{1,4})", re.IGNORECASE)
_LARGEST: Final = 1 << 20


def review_proof(ledger: RunLedger, told: Told, reference: str, run: str | None) -> Proof:
    """A review: named by its event, its artifact or its reviewer; it counts when the newest such review passed."""
    source = Source.ACCEPTED_REVIEW
    if _URL.match(reference):
        return Proof(source, reference, None, said="lies outside the repository", cure="a person opens it")
    name, _, item = reference.partition("#")
    reviews = [one for one in _newest_first(told, run) if _is_review(one, reference, name)]
    if reviews:
        event = reviews[0]
        if item and not names(event, reference) and not _has_item(ledger, event, name, item):
            return Proof(
                source,
                reference,
                None,
                said=f"{name} has no {item} that can be seen",
                cure="name the finding",
            )
        if event.type == "review_passed":
            return Proof(
                source, reference, exists=True, counts=True, said=f"passed {event.at[:10]}, {_where(event)}"
            )
        cure = "gitmem run event review_passed once it passes"
        return Proof(source, reference, exists=True, said=f"that review failed, {_where(event)}", cure=cure)
    saved = next((one for one in _newest_first(told, run) if name in one.artifacts), None)
    if saved is not None:
        cure = "gitmem run event review_passed --payload names the artifact"
        return Proof(
            source,
            reference,
            exists=True,
            said=f"saved, and no review says that it passed, {_where(saved)}",
            cure=cure,
        )
    return _absent(source, reference, told, run)


def artifact_proof(ledger: RunLedger, told: Told, reference: str, run: str | None) -> Proof:
    """An artifact of the ledger: it shows that something was there, and is no source by itself."""
    source = Source.ARTIFACT
    name, _, item = reference.partition("#")
    event = next((one for one in _newest_first(told, run) if name in one.artifacts), None)
    if event is None:
        return _absent(source, reference, told, run)
    if item and not _has_item(ledger, event, name, item):
        return Proof(
            source, reference, None, said=f"{name} has no {item} that can be seen", cure="name an item of it"
        )
    return Proof(source, reference, exists=True, said=f"in the ledger, {_where(event)}")


def _absent(source: Source, reference: str, told: Told, run: str | None) -> Proof:
    """What the ledger here does not have: gone, unless its run never came to this clone or cannot be read."""
    if not told.runs or (run and run not in told.runs):
        return Proof(source, reference, None, said="its run is not in the ledger here", cure="gitmem sync")
    if not told.is_whole:
        return Proof(source, reference, None, said="some runs cannot be read here", cure="gitmem run verify")
    return Proof(source, reference, exists=False, said="the ledger here has none")


def _newest_first(told: Told, run: str | None) -> Iterator[Event]:
    """Events of the run that the lesson comes from, then those of the others."""
    newest = tuple(reversed(told.events))
    yield from (one for one in newest if one.run == run)
    yield from (one for one in newest if one.run != run)


def _is_review(event: Event, reference: str, name: str) -> bool:
    if event.type not in {"review_passed", "review_failed"}:
        return False
    artifact = text_field(event.payload, "artifact")
    return names(event, reference) or name in {artifact, event.actor, *event.artifacts}


def _has_item(ledger: RunLedger, event: Event, name: str, item: str) -> bool:
    """Whether a review or artifact has an item: by its number among the findings, or by its words."""
    findings = list_of(event.payload.get("findings"))
    number = _NUMBERED.fullmatch(item)
    if number and 0 < int(number[1]) <= len(findings):
        return True
    if any(item in str(one) for one in findings):
        return True
    try:
        data = ledger.run(event.run).artifact(name, event=event)
    except GitmemError:
        return False
    return data is not None and item.encode() in data[:_LARGEST]


def _where(event: Event) -> str:
    return f"{event.run} #{event.seq}"
