"""One alternative of a glob as a matcher on path bytes; `gitmem.model.glob` reads globs into it.

Parts without sets are matched by searching for their literals from the left, which is exact for stars. Sets, and globs
whose several ``**`` would make the search long, run as an automaton over all states at once. Nothing backtracks.
"""

from __future__ import annotations

SEARCH_LIMIT = 4096
"""Parts between two ``**`` times bytes of the path up to which searching beats the automaton."""


class CharSet:
    """One character out of a set, never ``/``.

    Args:
        ranges: First and last character of each range.
        negated: Whether the set is what the ranges leave out.
        raw: The brackets as written; empty for ``?``.
    """

    __slots__ = ("negated", "ranges", "raw")

    def __init__(self, ranges: tuple[tuple[str, str], ...], *, negated: bool, raw: str) -> None:
        self.ranges = ranges
        self.negated = negated
        self.raw = raw

    def holds(self, character: str) -> bool:
        return any(low <= character <= high for low, high in self.ranges) is not self.negated


class Star:
    """Any run of characters without ``/``."""

    __slots__ = ()


STAR = Star()
ANY_CHARACTER = CharSet((), negated=True, raw="")
Token = str | CharSet | Star


class Wild:
    """One part of a path with a wildcard in it.

    Args:
        tokens: Literal characters, sets and stars; None when stars are the only wildcards.
        pieces: Then the literals around the stars, the first and last one empty when a star stands there.
    """

    __slots__ = ("_automaton", "_tokens", "pieces", "suffix")

    def __init__(self, tokens: tuple[Token, ...] | None, pieces: tuple[bytes, ...] | None) -> None:
        self._tokens = tokens
        self.pieces = pieces
        self.suffix = pieces[-1] if pieces else _suffix(tokens or ())
        self._automaton: Automaton | None = None

    @property
    def tokens(self) -> tuple[Token, ...]:
        if self._tokens is None:
            first, *others = map(_text, self.pieces or ())
            self._tokens = (*first, *(token for piece in others for token in (STAR, *piece)))
        return self._tokens

    @property
    def is_any(self) -> bool:
        """Whether it is ``*`` alone."""
        return self.pieces == (b"", b"")

    @property
    def only_suffix(self) -> bool:
        """Whether it is ``*`` and a literal, as in ``*.py``."""
        return self.pieces is not None and len(self.pieces) == 2 and not self.pieces[0]

    def matches(self, name: bytes) -> bool:
        """Whether one part of a path, without ``/``, fits."""
        if self.pieces is None:
            if self._automaton is None:
                self._automaton = Automaton((self,))
            return self._automaton.matches(name)
        first, *middle, last = self.pieces
        if len(name) < len(first) + len(last) or not (name.startswith(first) and name.endswith(last)):
            return False
        at, stop = len(first), len(name) - len(last)
        for piece in middle:
            found = name.find(piece, at, stop)
            if found < 0:
                return False
            at = found + len(piece)
        return True


Part = bytes | Wild | None
"""A literal name, a name with wildcards, or None for ``**`` (any number of folders; never last in a pattern)."""


ANY_NAME = Wild(None, (b"", b""))
BELOW: tuple[Part, ...] = (None, ANY_NAME)
"""What ``**`` at the end is kept as: any number of folders, then any name."""


class Automaton:
    """All states of a pattern at once, one bit each: linear in the path, whatever the pattern.

    A ``**/`` takes two bits: one that runs through a folder's name and one at the start of the next part.
    """

    __slots__ = ("_accept", "_back", "_entry", "_literals", "_loop", "_sets", "_steps")

    def __init__(self, parts: tuple[Part, ...]) -> None:
        self._literals: dict[str, int] = {}
        self._sets: list[tuple[CharSet, int]] = []
        self._steps: dict[str, int] = {}
        self._loop = self._back = self._entry = 0
        state = 1
        for number, part in enumerate(parts):
            if part is None:
                self._entry |= state
                self._loop |= state
                self._back |= state << 1
                state = self._step("/", state)
                continue
            for token in part.tokens if isinstance(part, Wild) else _text(part):
                state = self._step(token, state)
            if number + 1 < len(parts):
                state = self._step("/", state)
        self._accept = state

    def _step(self, token: Token, state: int) -> int:
        if isinstance(token, Star):
            self._loop |= state
            return state
        if isinstance(token, CharSet):
            self._sets.append((token, state))
        else:
            self._literals[token] = self._literals.get(token, 0) | state
        return state << 1

    def _moves(self, character: str) -> int:
        moves = self._literals.get(character, 0)
        if character != "/":
            for chars, state in self._sets:
                if chars.holds(character):
                    moves |= state
        self._steps[character] = moves
        return moves

    def matches(self, path: bytes) -> bool:
        steps, entry = self._steps, self._entry
        states = 3 if entry & 1 else 1
        for character in _text(path):
            moves = steps.get(character)
            moved = (states & (self._moves(character) if moves is None else moves)) << 1
            moved |= (moved & entry) << 1
            inside = 0 if character == "/" else (states & self._loop) | ((states & self._back) >> 1)
            states = moved | inside
            if not states:
                return False
        return bool(states & self._accept)


class Pattern:
    """One alternative of a glob, braces expanded.

    `is_folder` says whether it means everything below `lead` (the whole repository when that is empty).

    Args:
        lead: The literal folders in front, joined, without a last slash; the whole path when `rest` is empty.
        rest: The parts from the first wildcard on; empty when there is none.
    """

    __slots__ = ("_automaton", "_groups", "_searched", "_under", "is_folder", "lead", "rest")

    def __init__(self, lead: bytes, rest: tuple[Part, ...]) -> None:
        self.lead = lead
        self.rest = rest
        self.is_folder = rest == BELOW
        self._under: bytes | None = None
        self._groups: tuple[tuple[bytes | Wild, ...], ...] = ()
        self._searched = 0
        self._automaton: Automaton | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for patterns that are written alike."""
        return (self.lead, *(part.tokens if isinstance(part, Wild) else part for part in self.rest))

    @property
    def last(self) -> Part:
        """The last part; of a pattern without wildcards its last name."""
        return self.rest[-1] if self.rest else self.lead[self.lead.rfind(b"/") + 1 :]

    def matches(self, path: bytes) -> bool:
        """Whether a path from the root, as git stores it, is meant."""
        if self._under is None:
            self._prepare()
        under = self._under or b""
        if not path.startswith(under):
            return not self.rest and path == self.lead
        if not self.rest:
            return True
        if self._searched * len(path) <= SEARCH_LIMIT:
            return _search(self._groups, path[len(under) :].split(b"/"))
        if self._automaton is None:
            self._automaton = Automaton(self.rest)
        return self._automaton.matches(path[len(under) :])

    def _prepare(self) -> None:
        self._under = self.lead + b"/" if self.lead else b""
        self._groups = _groups(self.rest)
        self._searched = sum(map(len, self._groups[1:-1]))


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def _suffix(tokens: tuple[Token, ...]) -> bytes:
    """The literal characters at the end."""
    end = ""
    for token in reversed(tokens):
        if not isinstance(token, str):
            break
        end = token + end
    return end.encode("utf-8", "surrogateescape")


def _groups(parts: tuple[Part, ...]) -> tuple[tuple[bytes | Wild, ...], ...]:
    """The runs of parts between the ``**``."""
    groups: list[list[bytes | Wild]] = [[]]
    for part in parts:
        if part is None:
            groups.append([])
        else:
            groups[-1].append(part)
    return tuple(map(tuple, groups))


def _search(groups: tuple[tuple[bytes | Wild, ...], ...], names: list[bytes]) -> bool:
    """Whether the first group opens the path, the last one ends it and the others lie between, in order."""
    head, tail = groups[0], groups[-1]
    if len(groups) == 1:
        return len(names) == len(head) and _fits(head, names, 0)
    at, stop = len(head), len(names) - len(tail)
    if at > stop or not _fits(head, names, 0) or not _fits(tail, names, stop):
        return False
    for group in groups[1:-1]:
        last = stop - len(group)
        while at <= last and not _fits(group, names, at):
            at += 1
        if at > last:
            return False
        at += len(group)
    return True


def _fits(group: tuple[bytes | Wild, ...], names: list[bytes], at: int) -> bool:
    for part, name in zip(group, names[at : at + len(group)], strict=True):
        if not (part == name if isinstance(part, bytes) else part.matches(name)):
            return False
    return True
