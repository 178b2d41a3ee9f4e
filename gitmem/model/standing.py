"""Where a candidate stands, and the events that tell it; light, since every brief counts what waits."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

CANDIDATE: Final = "memory_candidate"
DECISION: Final = "promotion_decided"
CONFIRMATION: Final = "memory_confirmed"


class Standing(StrEnum):
    """Where a candidate stands.

    Args:
        OPEN: Nobody decided, or the gate held it.
        PROPOSED: A memory file was written for it; a merge approves it.
        DENIED: Refused by somebody; blocks its near-duplicates.
        WITHDRAWN: Taken back, or answered by keeping what is known.
    """

    OPEN = "open"
    PROPOSED = "proposed"
    DENIED = "denied"
    WITHDRAWN = "withdrawn"


CLOSING: Mapping[str, Standing] = {
    "denied": Standing.DENIED,
    "withdrawn": Standing.WITHDRAWN,
    "kept_existing": Standing.WITHDRAWN,
    "proposed": Standing.PROPOSED,
    "reopened": Standing.OPEN,
}
"""Words of ``promotion_decided.decision`` that move a candidate. All others (the gate's accept, refuse, hold and
needs_human; superseded and both_hold, which answer a conflict) are kept beside it and leave it where it stands."""
