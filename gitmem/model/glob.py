r"""Globs: which paths of a repository a scope means.

Anchored at the repository's root, as git's ``:(glob)`` pathspec. The rules:

| written | means |
|---|---|
| ``*`` ``?`` | any run of characters, any one character; neither crosses ``/`` |
| ``**`` as a whole part | any number of folders; at the end everything below. ``a**b`` is ``a*b`` |
| ``[abc]`` ``[a-z]`` ``[!a]`` ``[^a]`` ``[[:digit:]]`` | one character out of a set; the POSIX classes are ASCII, as git's |
| ``{a,b}`` | either, nested too; braces without a comma are themselves (``{{cookiecutter.name}}``, ``{id}``) |
| ``dir/`` | everything below |
| ``dir`` or ``file`` | no wildcard: that file, or everything below that folder |
| a backslash | takes one of ``* ? [ ] { } , \`` literally |

``./`` and doubled slashes are dropped, as git does. Three things differ from git on purpose:

- A character is a character: ``?`` and ``[…]`` match one code point, where git matches one byte of its UTF-8 form, so
  that a Korean name is treated as an English one. A byte that is not UTF-8 is one character.
- A glob with brackets also matches as if the brackets were written with backslashes: ``app/[slug]/**`` names the folder
  ``app/[slug]``. (git does the same, but only for the whole pathspec.)
- A trailing ``/`` works behind wildcards too (``src/*/``), and a name written with backslashes may be a folder.

Matching takes time linear in the path for all but the folder search of globs with several ``**``, which is bounded
and falls back to an automaton that is linear whatever the glob; nothing backtracks (`gitmem.model.glob_pattern`). A glob
is at most `MAX_LENGTH` characters and `MAX_ALTERNATIVES` brace alternatives. Nothing slow is imported.
"""

from __future__ import annotations

from gitmem.model.glob_pattern import (
    ANY_CHARACTER,
    ANY_NAME,
    BELOW,
    STAR,
    CharSet,
    Part,
    Pattern,
    Star,
    Token,
    Wild,
)

MAX_LENGTH = 2000
MAX_ALTERNATIVES = 128
MAX_TOKENS = 20_000
MAX_DEPTH = 8


class Glob:
    """A parsed glob.

    Args:
        text: As written.
        patterns: Its alternatives, braces expanded.
    """

    __slots__ = ("patterns", "text")

    def __init__(self, text: str, patterns: tuple[Pattern, ...]) -> None:
        self.text = text
        self.patterns = patterns

    def __repr__(self) -> str:
        return f"Glob({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Glob) and other.text == self.text

    def __hash__(self) -> int:
        return hash(self.text)

    def matches(self, path: bytes) -> bool:
        """Whether a path from the root, as git stores it, is meant."""
        return any(pattern.matches(path) for pattern in self.patterns)

    def matches_gitlink(self, path: bytes) -> bool:
        """The same for a submodule, which is a file and an empty folder at once: ``lib``, ``lib/`` and ``lib/**``."""
        return self.matches(path) or self.matches(path + b"/")


def parse_glob(text: str) -> Glob:
    """Read a glob.

    Raises:
        ValueError: When it is empty, absolute, leaves the repository, is not closed, or is too long or too wide;
            the message names the glob and the cure.
    """
    if text[:1] in _SUSPECT or text[1:2] == ":" or "\0" in text or len(text) > MAX_LENGTH:
        _refuse(text)
    try:
        path = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise _error(text, "holds half a character, which no path does") from None
    if not only_stars(text):
        return Glob(text, _Reader(text).patterns())
    return Glob(text, (_plain(text, path),))


def only_stars(text: str) -> bool:
    """Whether no wildcard but ``*`` is written in a glob; without one either, it is a path as it stands."""
    return not ("{" in text or "[" in text or "?" in text or "}" in text or "\\" in text)


def translate_imported(text: str) -> tuple[str, ...]:
    """Globs of Cursor and Copilot rules in this module's syntax.

    They come as comma lists; one without a folder means any depth (``*.ts`` is ``**/*.ts``); a leading ``/`` anchors
    and is dropped; a glob with backslashes and no slash was written on Windows.

    Raises:
        ValueError: When one cannot be read, or is negated.
    """
    translated = (_translate(item.strip()) for item in _split_list(text))
    return tuple(dict.fromkeys(item for item in translated if item))


def _translate(item: str) -> str:
    if item.startswith("!"):
        raise ValueError(f"glob {item!r}: a negated glob belongs under scope.exclude, without the !")
    if "\\" in item and "/" not in item:
        item = item.replace("\\", "/")
    anchored = item.startswith("/")
    while item.startswith(("/", "./")):
        item = item[2:] if item.startswith("./") else item[1:]
    if not item:
        return ""
    if "/" not in item and item != "**" and not anchored:
        item = f"**/{item}"
    return parse_glob(item).text


def _split_list(text: str) -> list[str]:
    """Cut at commas outside braces and brackets."""
    items, depth, start = [], 0, 0
    for at, character in enumerate(text):
        if character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
        elif character == "," and depth <= 0:
            items.append(text[start:at])
            start = at + 1
    return [*items, text[start:]]


_SUSPECT = frozenset(("", "/", " ", "\t", "\n"))
"""First characters after which a glob may be empty or absolute."""


def _refuse(text: str) -> None:
    if not text or text.isspace():
        raise ValueError("an empty glob: write ** for the whole repository")
    if len(text) > MAX_LENGTH:
        raise _error(text, f"{len(text)} characters, at most {MAX_LENGTH}")
    if "\0" in text:
        raise _error(text, "a NUL byte is in no path")
    if text[0] == "/" or (text[1:3] in (":/", ":\\") and text[0].isalpha()):
        raise _error(text, "absolute; write it from the repository's root, without a leading /")


def _error(text: str, message: str) -> ValueError:
    shown = repr(text) if len(text) <= 80 else f"{text[:80]!r}…"
    return ValueError(f"glob {shown}: {message}")


def _plain(text: str, path: bytes) -> Pattern:
    """A glob whose only wildcards are stars."""
    if path[0] == 46 or path[-1] == 47 or b"/." in path or b"//" in path:
        return _pattern(text, [_plain_part(name) for name in path.split(b"/")])
    star = path.find(b"*")
    if star < 0:
        return Pattern(path, ())
    cut = path.rfind(b"/", 0, star)
    rest = path[cut + 1 :]
    parts = BELOW if rest == b"**" else _collapsed([_plain_part(name) for name in rest.split(b"/")])
    return Pattern(path[: max(cut, 0)], parts)


def _plain_part(name: bytes) -> Part:
    """A part whose only wildcards are stars."""
    if b"*" not in name:
        return name
    if name == b"*":
        return ANY_NAME
    pieces = name.split(b"*")
    if len(pieces) == 2:
        return Wild(None, (pieces[0], pieces[1]))
    return Wild(None, (pieces[0], *filter(None, pieces[1:-1]), pieces[-1])) if any(pieces) else None


def _pattern(text: str, parts: list[Part]) -> Pattern:
    """A pattern from its parts; empty and ``.`` parts are dropped, a trailing one means everything below."""
    if parts[0] == b"" and len(parts) > 1:
        raise _error(text, "absolute; write it from the repository's root, without a leading /")
    if b".." in parts:
        raise _error(text, "'..' leaves the repository; write it from the repository's root")
    kept = [part for part in parts if part not in (b"", b".")]
    if not kept:
        raise _error(text, "names nothing; write ** for the whole repository")
    if parts[-1] in (b"", b"."):
        kept.append(None)
    front = next((at for at, part in enumerate(kept) if not isinstance(part, bytes)), len(kept))
    return Pattern(
        b"/".join(part for part in kept[:front] if isinstance(part, bytes)), _collapsed(kept[front:])
    )


def _collapsed(parts: list[Part]) -> tuple[Part, ...]:
    """One ``**`` in a row; at the end it means any number of folders and a name."""
    if parts.count(None) > 1:
        parts = [
            part for at, part in enumerate(parts) if part is not None or not at or parts[at - 1] is not None
        ]
    if parts and parts[-1] is None:
        parts.append(ANY_NAME)
    return tuple(parts)


_CLASSES = {
    "alnum": (("0", "9"), ("A", "Z"), ("a", "z")),
    "alpha": (("A", "Z"), ("a", "z")),
    "blank": ((" ", " "), ("\t", "\t")),
    "cntrl": (("\0", "\x1f"), ("\x7f", "\x7f")),
    "digit": (("0", "9"),),
    "graph": (("!", "~"),),
    "lower": (("a", "z"),),
    "print": ((" ", "~"),),
    "punct": (("!", "/"), (":", "@"), ("[", "`"), ("{", "~")),
    "space": ((" ", " "), ("\t", "\n"), ("\r", "\r")),
    "upper": (("A", "Z"),),
    "xdigit": (("0", "9"), ("A", "F"), ("a", "f")),
}


class _Reader:
    """Reads brackets, braces and escapes of one glob into alternatives of tokens."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def patterns(self) -> tuple[Pattern, ...]:
        alternatives = self._sequence(0)
        if self.at < len(self.text):
            raise self._error("} without {; write \\} for the character")
        found: dict[tuple[object, ...], Pattern] = {}
        for tokens in alternatives:
            for variant in _bracket_variants(tokens):
                pattern = _pattern(self.text, [_part(part) for part in _split(variant)])
                found.setdefault(pattern.key, pattern)
        return tuple(found.values())

    def _error(self, message: str) -> ValueError:
        return _error(self.text, message)

    def _sequence(self, depth: int) -> list[list[Token]]:
        """Alternatives of the text up to its end, or inside braces up to ``,`` or ``}``."""
        heads: list[list[Token]] = [[]]
        while self.at < len(self.text):
            character = self.text[self.at]
            if character == "}" or (character == "," and depth):
                break
            if character == "{":
                heads = self._product(heads, self._braces(depth + 1))
                continue
            token = self._token(character)
            for head in heads:
                head.append(token)
        self._limit(heads)
        return heads

    def _braces(self, depth: int) -> list[list[Token]]:
        if depth > MAX_DEPTH:
            raise self._error(f"braces nested deeper than {MAX_DEPTH}")
        opened = self.at
        found: list[list[Token]] = []
        groups = 0
        while True:
            self.at += 1
            found += self._sequence(depth)
            groups += 1
            if self.at >= len(self.text):
                raise self._error(
                    f"the {{ at character {opened + 1} is not closed; write \\{{ for the character"
                )
            if self.text[self.at] == "}":
                self.at += 1
                return found if groups > 1 else [["{", *tokens, "}"] for tokens in found]
            self._limit(found)

    def _product(self, heads: list[list[Token]], tails: list[list[Token]]) -> list[list[Token]]:
        if len(heads) * len(tails) > MAX_ALTERNATIVES:
            raise self._error(f"braces give more than {MAX_ALTERNATIVES} alternatives")
        joined = [head + tail for head in heads for tail in tails]
        self._limit(joined)
        return joined

    def _limit(self, alternatives: list[list[Token]]) -> None:
        if len(alternatives) > MAX_ALTERNATIVES or sum(map(len, alternatives)) > MAX_TOKENS:
            raise self._error(
                f"braces give more than {MAX_ALTERNATIVES} alternatives or {MAX_TOKENS} characters"
            )

    def _token(self, character: str) -> Token:
        if character == "[":
            return self._bracket()
        self.at += 1
        if character == "*":
            return STAR
        if character == "?":
            return ANY_CHARACTER
        if character != "\\":
            return character
        escaped = self.text[self.at : self.at + 1]
        if escaped not in tuple("*?[]{},\\"):
            raise self._error("write / between folders; a backslash only takes * ? [ ] { } , \\ literally")
        self.at += 1
        return escaped

    def _bracket(self) -> CharSet:
        """A set, read as git reads it: a first ``]`` is a member, a ``-`` first, last or behind a range too."""
        start = self.at
        self.at += 1
        negated = self._peek() in ("!", "^")
        self.at += negated
        ranges: list[tuple[str, str]] = []
        previous = ""
        while True:
            previous = self._member(previous, ranges)
            if self._peek() == "]":
                break
        self.at += 1
        raw = self.text[start : self.at]
        if "/" in raw:
            raise self._error(f"{raw} holds a /, which brackets never match")
        return CharSet(tuple(ranges), negated=negated, raw=raw)

    def _peek(self, ahead: int = 0) -> str:
        """The character there.

        Raises:
            ValueError: At the end, since a bracket is open.
        """
        if self.at + ahead >= len(self.text):
            raise self._error("a [ is not closed; write \\[ for the character")
        return self.text[self.at + ahead]

    def _member(self, previous: str, ranges: list[tuple[str, str]]) -> str:
        """Read one member and return the character from which a range may start."""
        character = self._peek()
        self.at += 1
        if character == "\\":
            character = self._peek()
            self.at += 1
        elif character == "-" and previous and self._peek() != "]":
            self.at += self._peek() == "\\"
            ranges.append((previous, self._peek()))
            self.at += 1
            return ""
        elif character == "[" and self._peek() == ":":
            end = self.text.find("]", self.at + 1)
            if end > self.at + 1 and self.text[end - 1] == ":":
                ranges += self._class(self.text[self.at + 1 : end - 1])
                self.at = end + 1
                return ""
        ranges.append((character, character))
        return character

    def _class(self, name: str) -> tuple[tuple[str, str], ...]:
        try:
            return _CLASSES[name]
        except KeyError:
            raise self._error(f"unknown class [:{name}:]; one of {', '.join(_CLASSES)}") from None


def _bracket_variants(tokens: list[Token]) -> tuple[list[Token], ...]:
    """The tokens, and when they hold brackets the same with the brackets taken literally."""
    if not any(isinstance(token, CharSet) and token.raw for token in tokens):
        return (tokens,)
    literal: list[Token] = []
    for token in tokens:
        literal += token.raw if isinstance(token, CharSet) and token.raw else (token,)
    return (tokens, literal)


def _split(tokens: list[Token]) -> list[list[Token]]:
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token == "/":  # noqa: S105 - a token of a glob is no password
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _part(tokens: list[Token]) -> Part:
    if all(isinstance(token, str) for token in tokens):
        return "".join(map(str, tokens)).encode("utf-8", "surrogateescape")
    if all(token is STAR for token in tokens):
        return None if len(tokens) > 1 else ANY_NAME
    collapsed = tuple(
        token for at, token in enumerate(tokens) if token is not STAR or tokens[at - 1 : at] != [STAR]
    )
    return Wild(collapsed, _pieces(collapsed))


def _pieces(tokens: tuple[Token, ...]) -> tuple[bytes, ...] | None:
    """The literals between the stars, first and last ones empty when a star stands there; None when a set is there."""
    pieces = [""]
    for token in tokens:
        if isinstance(token, CharSet):
            return None
        if isinstance(token, Star):
            pieces.append("")
        else:
            pieces[-1] += token
    return tuple(piece.encode("utf-8", "surrogateescape") for piece in pieces)
