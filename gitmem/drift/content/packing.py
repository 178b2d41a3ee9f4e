"""Outlines and sets of names as bytes, for a cache."""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Iterable
from typing import Any

from gitmem.drift.content.outline import Outline, Symbol

FORMAT = 3


def to_plain(outline: Outline) -> tuple[Any, ...]:
    """The outline as nested tuples of text, numbers, booleans and None; equal outlines give equal tuples."""
    return (
        outline.language,
        outline.level,
        outline.digest,
        outline.core,
        tuple(_symbol_to_plain(one) for one in outline.symbols),
        outline.note,
    )


def from_plain(plain: tuple[Any, ...]) -> Outline:
    """The inverse of `to_plain`.

    Raises:
        ValueError: When the tuple has another shape.
    """
    try:
        language, level, digest, core, symbols, note = plain
        return Outline(language, level, digest, core, tuple(_symbol_from_plain(one) for one in symbols), note)
    except TypeError:
        raise ValueError("not an outline") from None


def pack(outline: Outline) -> bytes:
    """The outline as bytes, the same on every Python version that is supported."""
    return zlib.compress(marshal.dumps((FORMAT, to_plain(outline)), 2), 1)


def unpack(data: bytes) -> Outline:
    """The inverse of `pack`; only for bytes from an own cache, never from a repository.

    Raises:
        ValueError: When the bytes are damaged or of another format.
    """
    try:
        version, plain = marshal.loads(zlib.decompress(data))  # noqa: S302 - from an own cache under the git directory
    except (EOFError, TypeError, ValueError, zlib.error) as fault:
        raise ValueError(f"not a packed outline: {fault}") from None
    if version != FORMAT:
        raise ValueError(f"packed outline of format {version}")
    return from_plain(plain)


def pack_names(names: Iterable[str]) -> bytes:
    """Names, none of which holds a line end, as bytes."""
    return zlib.compress("\n".join(sorted(names)).encode("utf-8", "surrogatepass"), 1)


def unpack_names(data: bytes) -> frozenset[str]:
    """The inverse of `pack_names`.

    Raises:
        ValueError: When the bytes are damaged.
    """
    try:
        text = zlib.decompress(data).decode("utf-8", "surrogatepass")
    except zlib.error as fault:
        raise ValueError(f"no packed names: {fault}") from None
    return frozenset(text.split("\n")) if text else frozenset()


def _symbol_to_plain(one: Symbol) -> tuple[Any, ...]:
    return (
        one.name,
        one.kind,
        one.start,
        one.end,
        one.digest,
        one.core,
        one.body,
        one.signature,
        tuple(sorted(one.uses)),
        one.deprecated,
        tuple(sorted(one.parts)),
    )


def _symbol_from_plain(plain: tuple[Any, ...]) -> Symbol:
    name, kind, start, end, digest, core, body, signature, uses, deprecated, parts = plain
    return Symbol(
        name, kind, start, end, digest, core, body, signature, frozenset(uses), deprecated, frozenset(parts)
    )
