"""Parts of a kept value that stay bytes until somebody reads them: of a large one mostly little is asked for."""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

_IN_A_SHARD = 16


class Packed:
    """A value, kept as bytes and made again when it is read.

    Args:
        data: As `Packed.of` packed it.
    """

    __slots__ = ("_value", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._value: Any = None

    @classmethod
    def of(cls, value: Any) -> Packed:
        """Pack a value of plain marshal types."""
        packed = cls(marshal.dumps(value))
        packed._value = value
        return packed

    @property
    def value(self) -> Any:
        """The value; the same one each time."""
        if self._value is None:
            self._value = _unpacked(self.data)
        return self._value


class Sharded:
    """A mapping of text, kept in parts of which only those are read that the names asked for fall into.

    Args:
        shards: As `Sharded.of` made them.
    """

    __slots__ = ("_read", "shards")

    def __init__(self, shards: Sequence[bytes]) -> None:
        self.shards = shards
        self._read: dict[int, Mapping[str, Any]] = {}

    @classmethod
    def of(cls, mapping: Mapping[str, Any]) -> Sharded:
        """Divide a mapping whose values are of plain marshal types."""
        parts: list[dict[str, Any]] = [{} for _ in range(len(mapping) // _IN_A_SHARD + 1)]
        for name, value in mapping.items():
            parts[_number(name) % len(parts)][name] = value
        return cls(tuple(map(marshal.dumps, parts)))

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a name, or the default."""
        at = _number(name) % len(self.shards)
        if at not in self._read:
            self._read[at] = _unpacked(self.shards[at])
        return self._read[at].get(name, default)


def _number(name: str) -> int:
    """The same in each process, as `hash` is not."""
    return zlib.crc32(name.encode("utf-8", "surrogatepass"))


def _unpacked(data: bytes) -> Any:
    return marshal.loads(data)  # noqa: S302 - from a file of `gitmem.store.cache`, which has a checksum
