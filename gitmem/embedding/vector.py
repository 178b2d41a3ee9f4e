"""Vectors of length 1 as packed floats, and how alike they are.

Plain Python compares a thousand in some milliseconds; where there are many more, and numpy is installed (the extra
``vectors`` brings it), numpy does.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from math import hypot, isfinite
from operator import mul
from typing import Any

LONGEST = 8_192
_MANY = 3_000_000
"""Numbers above which importing numpy pays."""


def normalised(numbers: Sequence[Any]) -> array[float]:
    """The vector scaled to length 1.

    Raises:
        ValueError: It is empty, too long, holds what is no number, or has no direction.
    """
    if not 0 < len(numbers) <= LONGEST:
        raise ValueError(f"a vector of {len(numbers)} numbers")
    try:
        held = array("f", numbers)
    except (TypeError, OverflowError):
        raise ValueError("a vector that holds what is no number") from None
    length = hypot(*held)
    if not isfinite(length) or length <= 0:
        raise ValueError("a vector without a direction")
    return array("f", [one / length for one in held])


def cosines(vector: array[float], packed: Sequence[bytes]) -> list[float]:
    """How alike a vector is to some others, each from -1 to 1; what is damaged counts as nothing alike.

    Args:
        vector: Of length 1.
        packed: Vectors of length 1 and of as many numbers, as `array.tobytes` gives them.
    """
    size = len(vector) * vector.itemsize
    if len(packed) * len(vector) > _MANY and all(len(one) == size for one in packed):
        found = _by_numpy(vector, packed)
        if found is not None:
            return found
    return [_cosine(vector, one) if len(one) == size else 0.0 for one in packed]


def _cosine(vector: array[float], packed: bytes) -> float:
    other = array("f")
    other.frombytes(packed)
    told = sum(map(mul, vector, other))
    return max(-1.0, min(1.0, told)) if isfinite(told) else 0.0


def _by_numpy(vector: array[float], packed: Sequence[bytes]) -> list[float] | None:
    try:
        import numpy as np
    except ImportError:
        return None
    rows = np.frombuffer(b"".join(packed), dtype=np.float32).reshape(len(packed), len(vector))
    with np.errstate(all="ignore"):  # a damaged one
        told = rows @ np.frombuffer(vector, dtype=np.float32)
    found = np.clip(np.nan_to_num(told, nan=0.0, posinf=0.0, neginf=0.0), -1.0, 1.0)
    return [float(one) for one in found]
