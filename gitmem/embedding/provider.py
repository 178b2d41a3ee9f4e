"""What makes vectors of texts: one interface over an endpoint and the offline model.

A provider never raises for what the other side does: no answer, a slow one or a wrong one is a `Failure`, and the
caller goes on with words alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

Kind = Literal["query", "document"]


class Failure(NamedTuple):
    """Why there are no vectors, as the end of a sentence that names who was asked.

    Args:
        reason: For people.
        passing: Whether asking again soon may help.
        too_long: Whether the texts may have been too long.
    """

    reason: str
    passing: bool = False
    too_long: bool = False


class Provider(Protocol):
    """Makes vectors."""

    @property
    def identity(self) -> str:
        """Names all that a vector depends on besides its text; vectors of two identities are never compared."""

    @property
    def is_remote(self) -> bool:
        """Whether texts leave this process, so that they are masked first."""

    @property
    def is_ready(self) -> bool:
        """Whether it answers without loading a model first."""

    @property
    def patience(self) -> float:
        """Seconds that an answer to a person or an agent may wait for it."""

    @property
    def batch(self) -> int:
        """How many texts are asked for at once."""

    def embed(self, texts: Sequence[str], kind: Kind, *, within: float) -> list[array[float]] | Failure:
        """One vector of length 1 for each text, in their order.

        Args:
            texts: At least one, none empty.
            kind: Models that tell questions from documents want to know.
            within: Seconds.
        """
