"""Links between memories: ``[[Title]]``, ``[[Element]]``, ``[[ADR-17]]`` (domain.md section 5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from gitmem.model.text_folding import folded

_CODE = re.compile(
    r"(?m)^(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*\n)*?(?P=fence)[`~]*[ \t]*$|(?P<ticks>`+)[^\n]*?(?P=ticks)(?!`)"
)
_LINK = re.compile(r"\[\[(?! )([^\[\]\n]{1,200})(?<! )\]\]")
_DECISION = re.compile(r"adr[- ]?0*([0-9]{1,6})", re.IGNORECASE)
_NUMBER = re.compile(r"0*([0-9]{1,6})(?![0-9])")


class Link(NamedTuple):
    """One link: what it names, and where it begins in the text."""

    target: str
    start: int


def links_in(text: str) -> Iterator[Link]:
    """The links of a text, code left out (``[[ -f x ]]`` is a shell's test). ``[[Title|words]]`` names the title."""
    if "[[" not in text:
        return
    blank = _CODE.sub(lambda found: " " * len(found[0]), text)
    for found in _LINK.finditer(blank):
        target = found[1].partition("|")[0].strip()
        if target:
            yield Link(target, found.start())


def without_links(text: str) -> str:
    """A text without what its links name, which is another's text; the words of ``[[Title|words]]`` stay."""
    pieces, end = [], 0
    for link in links_in(text):
        close = text.index("]]", link.start)
        pieces += [text[end : link.start], text[link.start + 2 : close].partition("|")[2]]
        end = close + 2
    return "".join((*pieces, text[end:])) if pieces else text


def decision_number(target: str) -> int | None:
    """The number of the decision record that a link names, as in ``ADR-17``; None when it names none."""
    found = _DECISION.fullmatch(target)
    return int(found[1]) if found else None


def is_decision(path: str, number: int, folders: tuple[str, ...]) -> bool:
    """Whether a path is the decision record of that number: in one of the folders, its name led by the number."""
    folder, _, name = path.rpartition("/")
    if not any(folder == one.strip("/") or folder.startswith(f"{one.strip('/')}/") for one in folders):
        return False
    found = _NUMBER.match(name.lower().removeprefix("adr").lstrip("-_ "))
    return found is not None and int(found[1]) == number


def same_name(one: str, other: str) -> bool:
    """Whether two titles are the same to a reader: equal after NFC and case folding."""
    return folded(one) == folded(other)
