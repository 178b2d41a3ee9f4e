"""Names in a statement that the tree does not have ("born false?")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["born_false", "weak"]


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A name that the tree does not have.

    Args:
        token: As the statement writes it.
        nearest: The existing name or path that may be meant; None when nothing is like it.
        severity: ``born_false`` when the statement plainly claims it to be here, ``weak`` when it may be foreign.
    """

    token: str
    nearest: str | None
    severity: Severity
