"""Names of artifacts before they are written: a name can hold a secret as well as a text can."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gitmem.redaction.masking import Masked, Masker


def masked_names(
    masker: Masker, names: Iterable[str], note: Callable[[tuple[Any, Mapping[str, int]]], Any]
) -> dict[str, Masked]:
    """Names without their secrets, no two the same; `note` is told what was masked in each."""
    found: dict[str, Masked] = {}
    taken: set[str] = set()
    for name in names:
        one = masker.mask_name(name)
        text, number = one.text, 1
        while text in taken:
            number += 1
            text = f"{number}-{one.text}"
        taken.add(text)
        found[name] = Masked(text, one.kinds)
        note((text, one.kinds))
    return found


def with_names(
    payload: Mapping[str, Any], given: Mapping[str, Any], names: Mapping[str, Masked]
) -> Mapping[str, Any]:
    """A payload that names artifacts as they are called now."""
    renamed = {name: one.text for name, one in names.items() if one.text != name}
    told = {
        key: value for key, value in given.items() if key in {"artifact", "path"} and isinstance(value, str)
    }
    return {**payload, **{key: renamed[value] for key, value in told.items() if value in renamed}}
