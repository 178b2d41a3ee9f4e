"""A syntax tree written down as a flat tape of tokens, from which every digest of a file is cut.

A parser writes its tree once; a definition is then a span of the tape, a type annotation a span to leave out, and a
renamed symbol a token to mask. The tape is unambiguous: composite nodes are bracketed, text carries its length.

Token forms: ``n:NAME`` an identifier, ``.NAME`` a member, ``d:NAME`` the name under definition, ``sN:TEXT`` text of N
characters; everything else is structure.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from gitmem.drift.content.outline import DECLARATION, Symbol

Span = tuple[int, int]
MASK = "\x1a"
_MAX_OVERLOADS = 40
# What may stand before a member for it to be the definition's own: this.retry(), self.retry().
SELVES = frozenset({"n:self", "n:Self", "n:this", "n:cls", "n:$this"})


@dataclass(slots=True)
class Definition:
    """One definition on the tape; spans are positions on the tape, lines count from 1.

    Args:
        name: Dotted from the file's top.
        kind: As in `Symbol`.
        lines: First and last line, decorators and attributes included.
        tokens: The whole definition.
        signature: Name, parameters and result.
        reads: Its part of `Tape.reads`.
        binds: Its part of `Tape.binds`.
        outer: Its part of `Tape.outer`.
        deprecated: Whether a deprecation mark stands on it.
        stub: Whether it only tells types about another definition (an overload).
        bare: Whether its bare name, unqualified, means itself.
        selves: Tokens before a member that make it a reference to itself.
        level: First letter of the level its digests belong to.
        overload: Whether others may share its name, each a function of its own.
    """

    name: str
    kind: str
    lines: Span
    tokens: Span = (0, 0)
    signature: Span = (0, 0)
    reads: Span = (0, 0)
    binds: Span = (0, 0)
    outer: Span = (0, 0)
    deprecated: bool = False
    stub: bool = False
    bare: bool = True
    selves: frozenset[str] = SELVES
    level: str = "s"
    overload: bool = False


@dataclass(slots=True)
class Tape:
    """What a parser wrote.

    Args:
        tokens: The tree.
        soft: Spans that hold type annotations only; may nest.
        imports: Spans that hold import statements only.
        reads: Names read, in the order of the tape; ``a.b`` for a member of a plain name.
        binds: Names bound locally.
        outer: Names declared to belong to an enclosing scope.
        definitions: In the order in which they open.
    """

    tokens: list[str] = field(default_factory=list)
    soft: list[Span] = field(default_factory=list)
    imports: list[Span] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    binds: list[str] = field(default_factory=list)
    outer: list[str] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)

    def softly(self, items: list[Any]) -> list[Any]:
        """Stack items that write the given ones as soft: what they read and bind is forgotten again."""
        marks: list[int] = []

        def begin() -> None:
            marks.extend((len(self.tokens), len(self.reads), len(self.binds)))

        def finish() -> None:
            self.soft.append((marks[0], len(self.tokens)))
            del self.reads[marks[1] :]
            del self.binds[marks[2] :]

        return [begin, *items, finish]


def text_token(text: str) -> str:
    return f"s{len(text)}:{text}"


def digest(tokens: Iterable[str], level: str = "s") -> str:
    """Fingerprint of a token sequence; the first letter tells the level, since levels do not compare."""
    joined = "\x1f".join(tokens).encode("utf-8", "surrogatepass")
    return level + blake2b(joined, digest_size=16).hexdigest()


def file_digests(tape: Tape, level: str = "s") -> tuple[str, str]:
    """Digest and core of the whole file."""
    whole = digest(tape.tokens, level)
    if not tape.soft and not tape.imports:
        return whole, whole
    return whole, digest(cored(tape), level)


def cored(tape: Tape) -> list[str]:
    """The tokens without annotations and imports."""
    left_out = _outermost([*tape.soft, *tape.imports])
    return _without(tape.tokens, (0, len(tape.tokens)), left_out) if left_out else tape.tokens


def symbols(tape: Tape) -> tuple[Symbol, ...]:
    """Symbols of a tape, in file order; definitions that share a name become one symbol over all of them.

    So a property's getter and setter, the overloads of a method and both branches of a conditional
    definition are one thing: a change in any of them is a change of the name. Stubs count in `digest` alone.
    """
    soft = _outermost(tape.soft)
    starts = [start for start, _ in soft]
    groups: dict[str, list[Definition]] = {}
    for one in tape.definitions:
        groups.setdefault(one.name, []).append(one)
    return tuple(_symbol(tape, _real(group), soft, starts) for group in groups.values())


def _real(group: list[Definition]) -> list[Definition]:
    """An extension, an implementation block or a function's declaration is a symbol only where the thing itself is not defined."""
    return [one for one in group if not _stands_in(one)] or group


def _stands_in(one: Definition) -> bool:
    # What a class declares may hold default arguments; it counts beside the definition.
    return one.kind in {"extension", "impl"} or (one.kind == DECLARATION and "." not in one.name)


def _symbol(tape: Tape, group: list[Definition], soft: list[Span], starts: list[int]) -> Symbol:
    last = group[-1]
    real = [one for one in group if not one.stub] or group
    level = min(one.level for one in group)
    whole: list[str] = []
    core: list[str] = []
    body: list[str] = []
    uses: set[str] = set()
    shortened = False
    for one in group:
        whole += tape.tokens[one.tokens[0] : one.tokens[1]]
        body += _masked(tape.tokens, one)
        uses |= _uses(tape, one)
    for one in real:
        inside = _inside(one.tokens, soft, starts)
        shortened = shortened or bool(inside)
        core += _without(tape.tokens, one.tokens, inside)
    full = digest(whole, level)
    return Symbol(
        name=last.name,
        kind=last.kind,
        start=min(one.lines[0] for one in group),
        end=max(one.lines[1] for one in group),
        digest=full,
        core=digest(core, level) if shortened or len(real) < len(group) else full,
        body=digest(body, level),
        signature=digest(
            [token for one in real for token in tape.tokens[one.signature[0] : one.signature[1]]], level
        ),
        uses=frozenset(uses),
        deprecated=any(one.deprecated for one in group),
        parts=_parts(tape, group, level),
    )


def _parts(tape: Tape, group: list[Definition], level: str) -> frozenset[str]:
    """Digests that a mark of fewer overloads holds: one alone, or all but one."""
    if not 1 < len(group) <= _MAX_OVERLOADS or not all(one.overload for one in group):
        return frozenset()
    spans = [tape.tokens[one.tokens[0] : one.tokens[1]] for one in group]
    rest = [
        [token for other, span in enumerate(spans) if other != one for token in span]
        for one in range(len(spans))
    ]
    return frozenset(digest(tokens, level) for tokens in (*spans, *rest))


def _masked(tokens: list[str], one: Definition) -> list[str]:
    """The definition's tokens without its own name, where it is defined and where it calls itself."""
    start, end = one.tokens
    own = one.name.rpartition(".")[2]
    hidden = {f"d:{own}"}
    if one.bare:
        hidden.add(f"n:{own}")
    else:
        # A property's setter names its getter in the decorator.
        head = one.signature[0]
        first = [MASK if token == f"n:{own}" else token for token in tokens[start:head]]
        return first + _hide(tokens[head:end], hidden, own, one.selves)
    return _hide(tokens[start:end], hidden, own, one.selves)


def _hide(tokens: list[str], hidden: set[str], own: str, selves: frozenset[str]) -> list[str]:
    masked = [MASK if token in hidden else token for token in tokens]
    member = f".{own}"
    if member in masked:
        for at, token in enumerate(masked):
            before = at - 2 if at > 1 and masked[at - 1] == "->" else at - 1
            if token == member and before >= 0 and masked[before] in selves:
                masked[at] = MASK
    return masked


def _uses(tape: Tape, one: Definition) -> set[str]:
    outer = set(tape.outer[one.outer[0] : one.outer[1]])
    local = set(tape.binds[one.binds[0] : one.binds[1]]) - outer
    local.add(one.name.rpartition(".")[2])
    read = set(tape.reads[one.reads[0] : one.reads[1]]) | outer
    return {name for name in read if name not in local and name.partition(".")[0] not in local}


def _outermost(spans: list[Span]) -> list[Span]:
    """Sorted spans without those that lie in another one."""
    kept: list[Span] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if end > start and (not kept or start >= kept[-1][1]):
            kept.append((start, end))
    return kept


def _inside(span: Span, spans: list[Span], starts: list[int]) -> list[Span]:
    """Those of the sorted spans that lie in `span` and do not cover it."""
    found = []
    for at in range(bisect_left(starts, span[0]), len(spans)):
        start, end = spans[at]
        if start >= span[1]:
            break
        if end <= span[1] and (start, end) != span:
            found.append((start, end))
    return found


def _without(tokens: Sequence[str], span: Span, left_out: list[Span]) -> list[str]:
    kept: list[str] = []
    at = span[0]
    for start, end in left_out:
        kept += tokens[at:start]
        at = end
    kept += tokens[at : span[1]]
    return kept
