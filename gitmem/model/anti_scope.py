"""Where a lesson does not hold, and the words with which an author says that there is no such place."""

from __future__ import annotations

from collections.abc import Iterable

_NO_DOMAIN = frozenset({"none", "null", "~", "없음"})
"""What an author writes as ``does_not_apply_to`` who says that there is no such place."""


def named_domains(domains: Iterable[str]) -> tuple[str, ...]:
    """The domains of an anti-scope, without the word that says that there are none."""
    return tuple(one for one in domains if one.casefold() not in _NO_DOMAIN)
