"""Which part of one definition changed: its decorators, its signature or bases, its body, which of its members."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gitmem.drift.content import grammar, python_source, syntax, tape
from gitmem.drift.content.language import language_of
from gitmem.drift.content.outline import Outline, Symbol

_VALUES = frozenset({"constant", "field", "variable"})
_MEMBERS_SHOWN = 3
_PYTHON_KINDS = (["(FunctionDef"], ["(AsyncFunctionDef"], ["(ClassDef"])
_MARK_WORDS = {
    **dict.fromkeys(("rust", "csharp", "php", "swift", "c", "cpp"), "attribute"),
    **dict.fromkeys(("java", "kotlin"), "annotation"),
}
_MARKS = frozenset(
    f"({kind}" for kind in ("decorator", "annotation", "marker_annotation", "attribute", "attribute_item",
                            "attribute_list", "attribute_declaration", "attribute_group")
)  # fmt: skip


class Parts(NamedTuple):
    """Digests of the parts of a definition; what it has none of is the digest of nothing."""

    decorators: str
    signature: str
    body: str


def parts_of(path: str, data: bytes, name: str) -> Parts | None:
    """The parts of the definitions of one dotted name, read anew; None where no syntax tree tells them.

    Args:
        path: Path of the file.
        data: Its content.
        name: The whole dotted name, as `Symbol.name`.
    """
    written = _tape(path, data)
    found = [one for one in written.definitions if one.name == name] if written is not None else []
    if written is None or not found:
        return None
    pieces = [_pieces(one, written.tokens) for one in found]
    return Parts(
        *(tape.digest(token for piece in some for token in piece) for some in zip(*pieces, strict=True))
    )


def _pieces(one: tape.Definition, tokens: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """Tokens of its decorators, its signature, its body."""
    (start, end), (head, block) = one.tokens, one.signature
    before = list(tokens[start:head])
    kind = before[:1] if before[:1] in _PYTHON_KINDS else []  # ``async`` is told by the kind of the node
    marks, signature = _sifted(tokens[head:block])
    return [*before[len(kind) :], *marks], [*kind, *signature], list(tokens[block:end])


def _sifted(tokens: Sequence[str]) -> tuple[list[str], list[str]]:
    """Attributes and annotations that a grammar writes inside the signature, and the rest."""
    marks: list[str] = []
    rest: list[str] = []
    depth = 0
    for one in tokens:
        if depth or one in _MARKS:
            depth += one.startswith("(")
            depth -= one == ")"
            marks.append(one)
        else:
            rest.append(one)
    return marks, rest


def _tape(path: str, data: bytes) -> tape.Tape | None:
    language = language_of(path, data)
    if language == "python":
        return python_source.tape(data)
    if language not in grammar.LANGUAGES:
        return None
    try:
        parsed = syntax.parse(language, data)
    except grammar.MissingGrammarError:
        return None
    return parsed.tape if parsed is not None and not parsed.damaged else None


def changed_parts(old: Parts, new: Parts, symbol: Symbol, path: str) -> tuple[str, ...]:
    """The names of the parts that differ, in the order in which they are written."""
    if symbol.kind in _VALUES:
        return ("value",)
    language = language_of(path)
    is_type = symbol.kind not in {"function", "method"}
    head = ("base classes" if language == "python" else "declaration") if is_type else "signature"
    names = {"decorators": _MARK_WORDS.get(language, "decorator"), "signature": head, "body": "body"}
    return tuple(
        names[part] for part, one, other in zip(Parts._fields, old, new, strict=True) if one != other
    )


def changed_members(before: Outline, after: Outline, old: Symbol, new: Symbol) -> str:
    """Which members of a type changed, such as ``send, close gone``; empty when it has none that did."""
    then, now = _members(before, old), _members(after, new)
    told = list(_differing(then, now))
    more = f" and {len(told) - _MEMBERS_SHOWN} more" if len(told) > _MEMBERS_SHOWN else ""
    return ", ".join(told[:_MEMBERS_SHOWN]) + more


def _members(outline: Outline, owner: Symbol) -> Mapping[str, str]:
    """Digest by name, of direct members alone."""
    inside = f"{owner.name}."
    return {
        one.name.removeprefix(inside): one.digest
        for one in outline.symbols
        if one.name.startswith(inside) and "." not in one.name.removeprefix(inside)
    }


def _differing(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    yield from (name for name in then if name in now and then[name] != now[name])
    yield from (f"{name} gone" for name in then if name not in now)
    yield from (f"{name} new" for name in now if name not in then)
