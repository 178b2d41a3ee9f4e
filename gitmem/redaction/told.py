"""Secrets in what is told: a memory that holds one was written, merged or proposed before anybody saw it for what it is.

Reports mask each text on its way to a reader, before any markup is made of it; `gitmem lint` and the gate name the
place. Substrings alone are asked first, and only a hit loads what masks. Values that are secret on this machine, by the name of the
variable that holds them, are masked too. A home folder stays: it may be a path that the reader has to find again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from typing import Any

from gitmem.wire.triggers import may_hold_secret, secret_values


def masked(text: str) -> str:
    """A text with ``[masked:KIND]`` in place of each secret."""
    if not _may_hold(text):
        return text
    from gitmem.redaction.masking import Masker

    found = Masker(values=values_here()).mask(text)
    return found.text if set(found.kinds) - {"home_path"} else text


def masked_lines(lines: Sequence[str]) -> list[str]:
    """Lines of one text, as many as they were, with ``[masked:KIND]`` in each that a secret runs through."""
    if not _may_hold("\n".join(lines)):
        return list(lines)
    from gitmem.redaction.masking import Masker

    return Masker(values=values_here()).mask_lines(lines)


def _may_hold(text: str) -> bool:
    # A share such as "50% of its lines" is no escape of an address, and stands in most reports.
    held = text and may_hold_secret(text.replace("% ", " ").encode("utf-8", "surrogatepass"))
    return bool(held) or any(value in text for value in values_here())


@cache
def values_here() -> tuple[str, ...]:
    """Values that are secret in this process, read once: its environment stays as it began."""
    return secret_values(dict(os.environ))


def masked_document(value: Any) -> Any:
    """A JSON value whose every text is masked; names of fields stay."""
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, dict):
        return {name: masked_document(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [masked_document(one) for one in value]
    return value
