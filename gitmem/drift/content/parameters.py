"""Whether a definition takes all the calls that it took: its parameters stand, and what came is optional."""

from __future__ import annotations

import re
from collections.abc import Iterator

_OPEN, _CLOSE, _QUOTES = "([{<", ")]}>", "\"'`"
_OPTIONAL = re.compile(r"\*|\.\.\.|(?:[\w$]+\s+)*[\w$]+\?|[^=]*(?<![=<>!])=(?![=>])")
_NAME = re.compile(r"(?:\*{0,2}|\.{3})\s*[\w$]+")
MOST = 4_000
"""Characters of a definition in which its parameters are looked for."""


def takes_same_calls(old: str, new: str, name: str, *, plain: bool = False) -> bool:
    """Whether calls of an old definition fit the new one; False where either cannot be read.

    Args:
        old: Source of the definition, from its name on or before it.
        new: The same as it is now.
        name: Its bare name.
        plain: Whether only calls count that give no optional argument.
    """
    before, after = parameters(old, name), parameters(new, name)
    if plain and before is not None:
        before = tuple(one for one in before if not _OPTIONAL.match(one))
    if before is None or after is None or len(after) < len(before):
        return False
    stood = [_name_of(one) for one in before]
    kept = [one for one in after if _name_of(one) in stood]
    came = [one for one in after if _name_of(one) not in stood]
    in_place = [_name_of(one) for one in kept] == stood
    still_optional = all(
        _OPTIONAL.match(one) for was, one in zip(before, kept, strict=False) if _OPTIONAL.match(was)
    )
    return in_place and still_optional and all(_OPTIONAL.match(one) for one in came)


def parameters(source: str, name: str) -> tuple[str, ...] | None:
    """The parameters behind a name as they are written, white space collapsed; None when no list follows it."""
    head = re.search(rf"(?<![\w$]){re.escape(name)}\s*(?:<[^()]{{0,200}}>\s*)?\(", source[:MOST])
    if head is None:
        return None
    return tuple(" ".join(one.split()) for one in _split(source[head.end() : MOST]) if one.strip())


def _split(text: str) -> Iterator[str]:
    """The parts of a list up to the bracket that closes it."""
    depth, first, quote = 0, 0, ""
    for at, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in _QUOTES:
            quote = letter
        elif letter in _OPEN:
            depth += 1
        elif letter in _CLOSE and text[at - 1 : at] not in {"-", "="}:
            if not depth:
                yield text[first:at]
                return
            depth -= 1
        elif letter == "," and not depth:
            yield text[first:at]
            first = at + 1


def _name_of(parameter: str) -> str:
    found = _NAME.match(parameter)
    return found.group() if found is not None else parameter


def parameter_names(source: str, name: str) -> frozenset[str]:
    """The names of the parameters behind a name, annotations, defaults and stars left out; none when no list follows it."""
    written = (
        _name_of(re.sub(r"^(?:(?:val|var|public|private|protected|readonly|@\w+)\s+)+", "", one))
        for one in parameters(source, name) or ()
    )
    return frozenset(plain for one in written if (plain := one.strip()) and not plain.startswith(("*", ".")))
