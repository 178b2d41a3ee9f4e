r"""Names behind their type or module, as Rust, C++, PHP and Ruby write them: ``Cart::add``, ``Cart#add``, ``Shop\Cart``."""

from __future__ import annotations

import re
from typing import NamedTuple

_NAME = r"[A-Za-z_]\w*"
_FORM = re.compile(r"::|#|\\")
_OWNED = re.compile(
    rf"(?P<written>\\?(?:{_NAME}\\)*(?P<name>(?:::)?{_NAME}(?:(?:::|\.){_NAME})*(?:\#{_NAME})?)[?!]?)(?P<call>\(.*\))?",
    re.ASCII | re.DOTALL,
)
_HERE = re.compile(r"(?:(?:crate|self|Self|super|static|parent)\.)+")
OWNED_IN_PROSE = (
    rf"(?<![\w.:\#]){_NAME}(?:\.{_NAME})*(?:::{_NAME})+(?:\.{_NAME}|\#{_NAME})?"
    rf"|(?<![\w.:\#/-])[A-Z]\w*[a-z0-9]\#[a-z_]\w*"
)
"""Source of a verbose pattern: what is one of them without backticks; ``C#`` and ``issue#5`` are none."""


class OwnedName(NamedTuple):
    """One such name.

    Args:
        plain: Dotted, without a PHP namespace (outlines have none), ``crate``, ``Self``, ``::class`` and the mark of a
            Ruby predicate.
        written: As it stands, without arguments.
        called: Whether arguments follow.
    """

    plain: str
    written: str
    called: bool


def owned_name(text: str) -> OwnedName | None:
    """Read one word; None when it is written in no such form."""
    match = _OWNED.fullmatch(text)
    if match is None or not _FORM.search(match["written"]):
        return None
    plain = re.sub(r"::|#", ".", match["name"]).lstrip(".").removesuffix(".class")
    return OwnedName(_HERE.sub("", plain, count=1), match["written"], match["call"] is not None)
