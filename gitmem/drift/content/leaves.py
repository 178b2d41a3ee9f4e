"""A small lexer for all languages: strings, comments, words, numbers, signs – nothing else.

It answers where no syntax tree does: for files that do not parse, for languages without a grammar but with a known
comment style, and for telling code from comments. It never fails; what it takes wrongly (a regular expression
literal that holds a quote) it takes the same way on both sides of a comparison.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from gitmem.drift.content.tape import text_token

_DOUBLE = r'"(?:\\[\s\S]|[^"\\\n])*"?'
_SINGLE = r"'(?:\\[\s\S]|[^'\\\n])*'?"
_TICKED = r"`(?:\\[\s\S]|[^`\\])*`?"
_TRIPLE = r'"""(?:\\[\s\S]|[^\\])*?(?:"""|\Z)|' + r"'''(?:\\[\s\S]|[^\\])*?(?:'''|\Z)"
_RAW_RUST = r'b?r(?P<hashes>#*)"[\s\S]*?(?:"(?P=hashes)|\Z)'
# A quote that opens no string: a lifetime, or the tick in 1'000.
_CHARACTER = r"'(?:\\[^\n]{1,10}?|[^'\\\n])'"
# Bounded, so that a line of a megabyte is not read again for each slash in it.
_REGEX = (
    r"(?<=[(,=:\[!&|?{};\n])[ \t]{0,80}/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n]){0,200}\]|[^/\\\n\[]){1,300}/[a-z]*"
)
_SLASHES = r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"
_HASH = r"#[^\n]*"
_LINE_START_HASH = r"(?:(?<=[\s;])|\A)#[^\n]*"

_STYLES: dict[str, tuple[str, str]] = {
    "python": (rf"(?:{_TRIPLE}|{_DOUBLE}|{_SINGLE})", _HASH),
    "c": (rf"(?:{_DOUBLE}|{_SINGLE})", _SLASHES),
    "js": (rf"(?:{_DOUBLE}|{_SINGLE}|{_TICKED}|{_REGEX})", _SLASHES),
    "go": (rf"(?:{_DOUBLE}|{_SINGLE}|`[^`]*`?)", _SLASHES),
    "rust": (rf"(?:{_RAW_RUST}|{_DOUBLE}|{_CHARACTER})", _SLASHES),
    "triple": (rf"(?:{_TRIPLE}|{_DOUBLE}|{_SINGLE})", _SLASHES),
    "php": (rf"(?:{_DOUBLE}|{_SINGLE})", rf"{_SLASHES}|#(?!\[)[^\n]*"),
    "hash": (rf"(?:{_DOUBLE}|{_SINGLE})", _LINE_START_HASH),
    "ruby": (
        rf"(?:{_DOUBLE}|{_SINGLE})",
        rf"^=begin\b[\s\S]*?(?:^=end[^\n]*|\Z)|{_LINE_START_HASH}",
    ),
    "both": (rf"(?:{_DOUBLE}|{_SINGLE})", rf"{_SLASHES}|{_HASH}"),
    "css": (rf"(?:{_DOUBLE}|{_SINGLE})", r"/\*[\s\S]*?(?:\*/|\Z)|(?<![:\w])//[^\n]*"),
    "sql": (rf"(?:{_DOUBLE}|{_SINGLE})", r"--[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"),
    "lua": (rf"(?:{_DOUBLE}|{_SINGLE})", r"--\[\[[\s\S]*?(?:\]\]|\Z)|--[^\n]*"),
    "haskell": (_DOUBLE, r"\{-[\s\S]*?(?:-\}|\Z)|--[^\n]*"),
    "html": (r"(?!)", r"<!--[\s\S]*?(?:-->|\Z)"),
    "semicolon": (r"(?!)", r"(?m:^[ \t]*[;#!][^\n]*)"),
    "ignore": (r"(?!)", r"(?m:^[ \t]*#[^\n]*)"),
    "dotenv": (rf"(?:{_DOUBLE}|{_SINGLE})", _LINE_START_HASH),
}
_STYLE_OF = {
    "python": "python",
    "starlark": "python",
    "typescript": "js",
    "tsx": "js",
    "javascript": "js",
    "go": "go",
    "gomod": "c",
    "rust": "rust",
    "java": "triple",
    "swift": "triple",
    "kotlin": "triple",
    "scala": "triple",
    "groovy": "triple",
    "dart": "triple",
    "csharp": "c",
    "c": "c",
    "cpp": "c",
    "objc": "c",
    "proto": "c",
    "zig": "c",
    "php": "php",
    "ruby": "ruby",
    "shell": "hash",
    "make": "hash",
    "just": "hash",
    "docker": "hash",
    "yaml": "hash",
    "toml": "hash",
    "requirements": "hash",
    "cmake": "hash",
    "perl": "hash",
    "r": "hash",
    "elixir": "hash",
    "graphql": "hash",
    "terraform": "both",
    "css": "css",
    "sql": "sql",
    "lua": "lua",
    "haskell": "haskell",
    "html": "html",
    "ini": "semicolon",
    "dotenv": "dotenv",
    "ignore": "ignore",
    "nginx": "hash",
    "prisma": "c",
    "properties": "semicolon",
}
# White space between tokens means nothing in these, so the lexer may compare them.
FREE_FORM = frozenset(
    [
        "typescript",
        "tsx",
        "javascript",
        "go",
        "rust",
        "java",
        "swift",
        "kotlin",
        "scala",
        "groovy",
        "dart",
        "csharp",
        "c",
        "cpp",
        "objc",
        "proto",
        "prisma",
        "zig",
        "php",
        "css",
        "sql",
        "graphql",
        "terraform",
    ]
)
# Their comments are certain; what else they hold is compared by white space.
COMMENTED = frozenset(["nginx", "ignore", "cmake", "lua", "haskell", "html", "starlark"])
_TOKEN = r"(?P<word>[^\W\d][\w$]*|\$[\w$]+)|(?P<number>\d[\w.]*)|(?P<gap>\s+)|(?P<sign>.)"  # noqa: S105 - a pattern
# How far a docstring's own line is looked at: a line may be a megabyte long.
_REACH = 160


def has_comments(language: str) -> bool:
    return language in _STYLE_OF


@cache
def _scanner(language: str) -> re.Pattern[str]:
    strings, comments = _STYLES[_STYLE_OF[language]]
    # Strings first but for comments that begin where no string can: alternatives are tried in this order.
    return re.compile(rf"(?P<comment>{comments})|(?P<string>{strings})|{_TOKEN}", re.MULTILINE)


@cache
def _stripper(language: str) -> re.Pattern[str]:
    strings, comments = _STYLES[_STYLE_OF[language]]
    return re.compile(rf"(?P<comment>{comments})|(?P<string>{strings})", re.MULTILINE)


def decode(data: bytes) -> str:
    r"""Text with line ends as ``\\n``; bytes that are not UTF-8 survive."""
    text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def without_comments(language: str, text: str) -> str:
    """The text with each comment – in Python each docstring, too – replaced by a space."""
    if language not in _STYLE_OF:
        return text
    if language != "python":
        return _stripper(language).sub(_blank, text)

    def blank(match: re.Match[str]) -> str:
        return " " if match["comment"] is not None or _is_docstring(text, match) else match[0]

    return _stripper(language).sub(blank, text)


def with_blank_comments(language: str, text: str) -> str:
    """The text with comments – in Python docstrings, too – blank; lines and places stay."""
    if language not in _STYLE_OF:
        return text

    def blank(match: re.Match[str]) -> str:
        said = match["comment"] is not None or (language == "python" and _is_docstring(text, match))
        return re.sub(r"[^\n]", " ", match[0]) if said else match[0]

    return _stripper(language).sub(blank, text)


def masked(language: str, text: str) -> str:
    """The text with comments blank and what strings hold as NUL; quotes, lines and places stay."""
    if language not in _STYLE_OF:
        return text

    def mask(match: re.Match[str]) -> str:
        piece = match[0]
        if match["comment"] is not None:
            return re.sub(r"[^\n]", " ", piece)
        edge = 3 if piece[:3] in {'"""', "'''"} and len(piece) > 5 else 1
        return piece[:edge] + re.sub(r"[^\n]", "\0", piece[edge:-edge]) + piece[-edge:]

    return _stripper(language).sub(mask, text)


def without_strings(language: str, text: str) -> str:
    """The text without what its strings say; code that a string interpolates stays."""
    if language not in _STYLE_OF:
        return text

    def strip(match: re.Match[str]) -> str:
        if match["comment"] is not None:
            return " "
        return " ".join(('""', *_interpolated(text, match)))

    return _stripper(language).sub(strip, text)


_INTERPOLATED = re.compile(r"[$#]\{([^{}]*)\}|\\\(([^()]*+(?:\([^()]*+\))*+[^()]*+)\)|\$([^\W\d]\w*)")
_BRACED = re.compile(r"(?<!\{)\{([^{}]+)\}(?!\})")


def _interpolated(text: str, match: re.Match[str]) -> Iterator[str]:
    for found in _INTERPOLATED.finditer(match[0]):
        yield " ".join(filter(None, found.groups()))
    before = text[max(0, match.start() - 3) : match.start()]
    if re.search(r"(?<![\w])(?:[rRbB]?[fF][rRbB]?|\$@?)$", before):
        yield from _BRACED.findall(match[0])


def _blank(match: re.Match[str]) -> str:
    return " " if match["comment"] is not None else match[0]


def _is_docstring(text: str, match: re.Match[str]) -> bool:
    """Whether a Python string stands as a statement of its own, as far as its neighbours tell."""
    start, end = match.span()
    indent = text[max(0, start - _REACH) : start]
    line_start = start - len(indent) + indent.rfind("\n") + 1
    if line_start == start - len(indent) > 0 or text[line_start:start].strip().lower() not in {"", "r", "u"}:
        return False
    rest = text[end : end + _REACH]
    after = rest.partition("\n")[0].strip()
    if after and not after.startswith("#"):
        return False
    at = line_start - 1
    while at >= 0 and text[at].isspace():
        at -= 1
    return at < 0 or text[at] not in "([{,=+-*/%|&^<>\\\"'"


def leaves(language: str, text: str) -> list[str]:
    """Tokens of a file without comments; Python's lines and indentation stay, other white space goes.

    Args:
        language: One with a known comment style; its strings are kept exactly.
        text: As `decode` gives it.
    """
    if language == "python":
        return _python_leaves(text)
    tokens: list[str] = []
    for match in _scanner(language).finditer(text):
        kind = match.lastgroup
        if kind == "string":
            tokens.append(text_token(match[0]))
        elif kind not in {"gap", "comment"}:
            tokens.append(match[0])
    return _without_trailing_commas(tokens)


def _without_trailing_commas(tokens: list[str]) -> list[str]:
    following = [*tokens[1:], ""]
    pairs = zip(tokens, following, strict=False)
    return [one for one, after in pairs if one != "," or after not in {")", "]", "}"}]


def _python_leaves(text: str) -> list[str]:
    tokens: list[str] = []
    depth = 0
    indents = [0]
    fresh = True
    for match in _scanner("python").finditer(text):
        kind, piece = match.lastgroup, match[0]
        if kind == "gap":
            fresh = fresh or (depth == 0 and "\n" in piece and not _is_continued(text, match.start()))
            continue
        if kind == "comment" or (kind == "string" and depth == 0 and fresh and _is_docstring(text, match)):
            continue
        if fresh:
            fresh = False
            _indent(tokens, indents, _column(text, match.start()))
        if kind == "sign":
            depth = max(0, depth + (piece in "([{") - (piece in ")]}"))
        tokens.append(text_token(piece) if kind == "string" else piece)
    return _without_trailing_commas(tokens)


def _indent(tokens: list[str], indents: list[int], width: int) -> None:
    """Begin a logical line at this column."""
    while width < indents[-1]:
        indents.pop()
        tokens.append("<")
    if width > indents[-1]:
        indents.append(width)
        tokens.append(">")
    tokens.append("\n")


def _is_continued(text: str, at: int) -> bool:
    return at > 0 and text[at - 1] == "\\"


def _column(text: str, at: int) -> int:
    line_start = text.rfind("\n", 0, at) + 1
    return len(text[line_start:at].expandtabs())
