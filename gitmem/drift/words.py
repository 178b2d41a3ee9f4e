"""The language of a statement: which of its words are names of code, and what kind of name each is.

Pure on text; nothing here knows a tree. English and Korean are equals, Japanese and Chinese are read where the
same rules serve: a name is ASCII, so a particle glued to it (``src/a.py를``) ends it.

Left out: URLs, globs, placeholders (``<x>``, ``{x}``, ``$X``, ``YYYY``, ``...``), versions, literals such as ``None`` and
``GET``, and the code inside fences save its commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from gitmem.drift.commands import commands_in
from gitmem.drift.owned_names import OWNED_IN_PROSE, owned_name
from gitmem.drift.vocabulary import (
    BARE_FILES,
    EXTENSIONS,
    LITERALS,
    PROSE_COMPOUNDS,
    SENTENCE_OPENERS,
)


class TokenKind(StrEnum):
    PATH = "path"
    PATH_SYMBOL = "path_symbol"
    COMMAND = "command"
    DOTTED = "dotted"
    IDENTIFIER = "identifier"
    MODULE = "module"
    WORD = "word"
    PRODUCT = "product"


@dataclass(frozen=True, slots=True)
class Token:
    """One code-like name in a text.

    Args:
        text: The name alone: no backticks, call parentheses, leading ``./`` or line span; of a command the script,
            target or tool that it runs.
        kind: What kind of name; ``word`` is a plain word in backticks, ``product`` a word that may name a tool.
        start: Where it stands in the text, backticks left out.
        end: One past its last character.
        ticked: Whether it stands in backticks or is a link's target.
        called: Whether parentheses follow the name.
        path: Of ``path_symbol`` the file; else empty.
        lines: First and last line of ``src/a.py:40-58``.
        runner: Of a command the program before the name: ``yarn``, ``make``, ``uv`` …; of a bare tool empty.
        version: A version that follows a product: ``Python 3.11+`` has ``3.11``.
        owned: Of a dotted name whether it is written ``A::b`` or ``A#b``, so that ``A`` is a type or module, no variable.
    """

    text: str
    kind: TokenKind
    start: int
    end: int
    ticked: bool = False
    called: bool = False
    path: str = ""
    lines: tuple[int, int] | None = None
    runner: str = ""
    version: str = ""
    owned: bool = False

    @property
    def last(self) -> str:
        """The last component of a dotted name; the whole text otherwise."""
        return self.text.rpartition(".")[2] if self.kind is TokenKind.DOTTED else self.text


MAX_TEXT = 20_000
"""Characters; a statement is a sentence, and what stands further down a long body is not what it rests on."""
_PLACEHOLDER = re.compile(
    r"[<>{}$…*]|\.\.\.|YY(?:YY)?|XXX|NNN?|\b(?:my|your|some|example)[-_A-Z]|(?i:\bfoo(?:bar)?\b)"
)
_VERSION = re.compile(r"[vV^~<>=≥≤]*\d[\w.+-]*\+?$")
_FENCE = re.compile(
    r"^([ \t]*+)(```++|~~~++)[^\n]*+\n(.*?)(?:^[ \t]*+\2[ \t]*+$|\Z)", re.MULTILINE | re.DOTALL
)
_URL = re.compile(
    r"\b(?:[a-z][a-z0-9+.-]{0,40}://|www\.|mailto:)[^\s<>`\")\]]+|\b[\w.+-]{1,80}@(?!\d+\.\d)[\w-]+\.[\w.-]+\b",
    re.ASCII,
)
_WIKI = re.compile(r"\[\[[^\]\[\n]{0,200}\]\]|<!--(?:[^<-]|-(?!->)|<(?!!--)){0,2000}+-->", re.DOTALL)
_LINK = re.compile(r"!?\[(?P<label>[^\]\[\n]{0,300})\]\((?:mdc:|file:)?(?P<target>[^)\s]++)[^)\n]*+\)")
_RST_LINK = re.compile(
    r"(?<!`)`(?P<label>[^`<>]{1,200})\s<(?P<target>[a-z][a-z0-9+.-]{0,40}:[^<>`\s]{1,500}|#[^<>`\s]{1,200})>`__?(?!\w)"
)
"""``chardet <https://…>`_``: a link of reStructuredText, whose backticks make nothing code."""
_ROLE = re.compile(r"(?<=:`)~(?=[A-Za-z_])")
"""``:class:`~requests.Session` ``: the tilde says how the name is shown."""
_TICK_RUN = re.compile(r"`+")

_NAME = r"[A-Za-z_$][A-Za-z0-9_$]*"
_SEGMENT = r"[\w.@+~\[\]()-]+"
_PATH_SYMBOL = re.compile(
    rf"(?P<path>[\w./@+~\[\]()-]*\.[A-Za-z]\w{{0,9}})(?:::?|\#)(?P<name>{_NAME}(?:(?:\.|::)\w+)*)(?:\(\))?"
)
_PATH_LINES = re.compile(
    r"(?P<path>[\w./@+~\[\]()-]+\.\w+)(?::L?|#L)(?P<first>\d+)(?:-L?(?P<last>\d+))?(?::\d+)?"
)
_CALL = re.compile(rf"(?:new\s+|await\s+)?(?P<name>{_NAME}(?:\??\.{_NAME})*)\(.*\)", re.DOTALL)
_DOTTED = re.compile(rf"{_NAME}(?:\??\.\#?[A-Za-z_$][\w$]*)+", re.ASCII)
_SCOPED_MODULE = re.compile(r"[@~]/?[\w.-]*(?:/[\w.-]+)+")
_DOTTED_KEY = re.compile(r"[A-Za-z_][\w-]*(?:\.[\w-]+)*\.[A-Za-z_][\w-]*", re.ASCII)
_ASSIGNED = re.compile(r"(?P<key>[A-Za-z_](?=[\w.]*+-)[\w.-]++)\s*+[=:]\s*+\S.*", re.ASCII)
"""``max-line-length = 100``: a setting as its file has it."""
_HYPHENATED = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_DESCRIBED = re.compile(
    r"([A-Z]\w*)-(?:aware|backed|based|bound|compatible|driven|first|free|generated|level|like|managed|native|only"
    r"|owned|powered|related|safe|side|specific|style|wide)"
)
"""A name and an adjective: of ``Redis-backed`` the name is what can be looked up."""
_PRODUCT_FILE = re.compile(r"[A-Z]\w*\.(?:js|io|ai|net)")

_PROSE = re.compile(
    rf"""
      (?P<path_symbol>(?<![\w/@.+-])[\w./@+-]*[\w]\.[A-Za-z]{{1,5}}(?:::?|\#)(?=[A-Za-z_]){_NAME}(?:\.{_NAME})*)
    | (?P<path>(?<![\w/@.+-])(?:\.{{0,2}}/)?(?:[\w@.+-]+/)+[\w@.+-]*)
    | (?P<file>(?<![\w/@.-])\.?[\w-]+(?:\.[\w-]+)*\.[a-z][a-z0-9]{{0,9}}(?![\w/-]|\.\w))
    | (?P<owned>{OWNED_IN_PROSE}(?P<owned_call>\(\w*\))?)
    | (?P<dotted>(?<![\w.$]){_NAME}(?:\.{_NAME})+(?P<dotted_call>\(\w*\))?)
    | (?P<name>(?<![\w.])[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9]+)*(?P<name_call>\(\))?)
    """,
    re.VERBOSE | re.ASCII,
)
_UNICODE_PATH = re.compile(r"(?<![\w/@.+-])(?:\.{0,2}/)?(?:[\w@.+-]+/)+[\w@.+-]*")
_AFTER_VERSION = re.compile(
    r"(?:@v?(?=\d)|[^\S\n]*+(?:\*\*[:：]?|[:：]\*\*)?[^\S\n]*+(?:\((?=[>≥v~^]|version\s|\d+\.\d))?(?:[>~^]=?|≥|v\.?|version\s)?\s*+)(\d+(?:\.\d+)*)\+?(?![A-Za-z0-9_%])"
)
_PINNED = re.compile(r"(?P<name>@?[A-Za-z][\w.-]*(?:/[\w.-]+)?)@v?(?P<version>\d+(?:\.\d+)*)")
"""``pnpm@9.15.4``: a package in the version that is meant."""
_OTHER_VERSION = re.compile(
    r"(?:\s*+(?:,|/|\||and|or|및|또는|과|와|이나|·|と|や|和|或))++\s*+v?(\d+(?:\.\d+)*)\+?(?![A-Za-z0-9_%])"
)
_VERSIONED = frozenset(
    {"node", "pnpm", "npm", "yarn", "bun", "deno", "python", "go", "rust", "java", "ruby", "php"}
)
"""What is versioned by its plain name."""
_USE_BEFORE = re.compile(
    r"\b(?:uses?|used|using|via|by|with|through|from|import(?:s|ing)?|avoid|over|than|instead of|prefer|replaced?)\s$",
    re.IGNORECASE,
)
"""Right before a word; a code span between the two is as many blanks."""
_OPENS = re.compile(r"(?:[.!?:|\n]|[-*]\s)\W{0,6}$")
CJK = re.compile(r"[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af]")


@lru_cache(maxsize=4_096)
def code_tokens(text: str) -> tuple[Token, ...]:
    """Every code-like token of the text in the order it stands there; the same name twice is two tokens."""
    text = text[:MAX_TEXT]
    found: list[Token] = []
    rest = text
    for match in _FENCE.finditer(text):
        found += _commands(match.group(3), match.start(3), fenced=True)
    rest = _blank(_FENCE, rest)
    rest = _blank(_WIKI, rest)
    for match in _LINK.finditer(rest):
        found += _link(match)
    rest = _LINK.sub(_keep_label, rest)
    found += (_product_link(match) for match in _RST_LINK.finditer(rest) if match["label"].isidentifier())
    rest = _ROLE.sub(" ", _RST_LINK.sub(_keep_plain_label, rest))
    for first, last, width in code_spans(rest):
        found += _ticked(rest[first + width : last - width], first + width)
        rest = rest[:first] + re.sub(r"[^\n]", " ", rest[first:last]) + rest[last:]
    rest = _blank(_URL, rest)
    found += _prose(rest)
    return tuple(sorted(found, key=lambda token: (token.start, token.end)))


def code_spans(text: str) -> list[tuple[int, int, int]]:
    """Code spans as Markdown pairs them: start, end and width of the backticks; an unpaired run is none, nor is a link's."""
    linked = _linked(text)
    runs = [
        (match.start(), match.end() - match.start())
        for match in _TICK_RUN.finditer(text)
        if match.start() not in linked
    ]
    later: dict[int, list[int]] = {}
    for start, width in reversed(runs):
        later.setdefault(width, []).append(start)
    spans, at = [], 0
    for start, width in runs:
        same = later[width]
        while same and same[-1] <= start:
            same.pop()
        if start >= at and same:
            at = same[-1] + width
            spans.append((start, at, width))
    return spans


def _linked(text: str) -> frozenset[int]:
    """Where the backticks of reStructuredText's links stand."""
    if "`_" not in text:
        return frozenset()
    links = _RST_LINK.finditer(text)
    return frozenset(at for match in links for at in (match.start(), match[0].rindex("`") + match.start()))


def is_literal(name: str) -> bool:
    """Whether a word in backticks is a value, keyword or stand-in rather than a name of this project."""
    return name.lower() in LITERALS or len(name) < 2


def _blank(pattern: re.Pattern[str], text: str) -> str:
    """The text with every match replaced by as many blanks, so that positions stay true."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def _keep_label(match: re.Match[str]) -> str:
    label, target = match.group("label"), match.group("target")
    inside = " " if _says_target(label, target) and not _URL.match(target) else label
    offset = match.start("label") - match.start()
    return (" " * offset + inside.ljust(len(label))).ljust(len(match.group()))


def _product_link(match: re.Match[str]) -> Token:
    return Token(match["label"], TokenKind.PRODUCT, match.start("label"), match.end("label"))


def _keep_plain_label(match: re.Match[str]) -> str:
    """The label in place, unless it is one name, which is a token by itself."""
    if match["label"].isidentifier():
        return re.sub(r"[^\n]", " ", match[0])
    first, last = (at - match.start() for at in match.span("label"))
    before, after = (re.sub(r"[^\n]", " ", part) for part in (match[0][:first], match[0][last:]))
    return f"{before}{match['label']}{after}"


def _says_target(label: str, target: str) -> bool:
    return label.strip("` ") != "" and label.strip("` ") in target


def _link(match: re.Match[str]) -> Iterator[Token]:
    target = match.group("target")
    if _URL.match(target) or target.startswith("#") or ":" in target.split("/")[0]:
        return
    path, _, anchor = target.partition("#")
    if path and not _PLACEHOLDER.search(path):
        start = match.start("target")
        token = Token(_plain_path(path), TokenKind.PATH, start, start + len(target), ticked=True)
        lines = re.fullmatch(r"L(\d+)(?:-L?(\d+))?", anchor)
        yield replace(token, lines=_span(lines[1], lines[2])) if lines else token


def _ticked(code: str, start: int) -> Iterator[Token]:
    inner = code.strip()
    start += len(code) - len(code.lstrip())
    commands = _commands(inner, start, fenced=False)
    if commands:
        yield from commands
    elif (single := classify(inner, start)) is not None:
        yield single
    elif re.search(r"\s|[=|&+,:]", inner) and not _URL.search(inner):
        if (setting := _ASSIGNED.fullmatch(inner)) and (key := classify(setting["key"], start)) is not None:
            yield key
        yield from (
            replace(token, ticked=True)
            for token in _prose(inner, start)
            if token.kind is not TokenKind.PRODUCT or "." in token.version
        )


def _commands(code: str, start: int, *, fenced: bool) -> list[Token]:
    found: list[Token] = []
    for command in commands_in(code, fenced=fenced):
        at = start + command.start
        if command.name and not _PLACEHOLDER.search(command.name):
            token = Token(
                command.name,
                TokenKind.COMMAND,
                at,
                at + len(command.name),
                ticked=True,
                runner=command.runner,
            )
            found.append(token)
        for text, offset in command.arguments:
            path = classify(text, start + offset)
            if path is not None and path.kind is TokenKind.PATH:
                found.append(path)
    return found


def classify(text: str, start: int = 0) -> Token | None:
    """What one word in backticks is; None for values, placeholders, versions, globs and whatever is no single name."""
    end = start + len(text)
    if not text or _VERSION.match(text) or text.startswith(("-", '"', "'", "#")) or _URL.match(text):
        return None
    if call := _CALL.fullmatch(text):
        name = _plain_dotted(call["name"])
        kind = TokenKind.DOTTED if "." in name else TokenKind.IDENTIFIER
        return Token(name, kind, start, start + len(call["name"]), ticked=True, called=True)
    if (owned := _owned(text, start)) is not None:
        return owned
    if _PLACEHOLDER.search(text) or re.search(r"\s", text):
        return None
    if match := _PINNED.fullmatch(text):
        name = match["name"]
        return Token(name, TokenKind.PRODUCT, start, start + len(name), ticked=True, version=match["version"])
    if match := _PATH_LINES.fullmatch(text):
        lines = _span(match["first"], match["last"])
        return Token(_plain_path(match["path"]), TokenKind.PATH, start, end, ticked=True, lines=lines)
    if (match := _PATH_SYMBOL.fullmatch(text)) and _has_extension(match["path"]):
        name = match["name"].replace("::", ".")
        return Token(name, TokenKind.PATH_SYMBOL, start, end, ticked=True, path=_plain_path(match["path"]))
    found = _path_kind(text) or _name_kind(text)
    return _plain_token(text, found, start) if found is not None else None


def _owned(text: str, start: int) -> Token | None:
    file = _PATH_SYMBOL.fullmatch(text)
    found = None if file and _has_extension(file["path"]) else owned_name(text)
    if found is None or _PLACEHOLDER.search(found.written):
        return None
    end = start + len(found.written)
    if "." not in found.plain and not found.called:
        kind = _name_kind(found.plain)
        return Token(found.plain, kind, start, end, ticked=True) if kind else None
    kind = TokenKind.DOTTED if "." in found.plain else TokenKind.IDENTIFIER
    return Token(
        found.plain, kind, start, end, ticked=True, called=found.called, owned=kind is TokenKind.DOTTED
    )


def _plain_token(text: str, kind: TokenKind, start: int) -> Token:
    plain = text
    if kind is TokenKind.PATH:
        plain = _plain_path(text)
    elif kind is TokenKind.DOTTED:
        plain = _plain_dotted(text)
        kind = TokenKind.DOTTED if "." in plain else TokenKind.IDENTIFIER
    return Token(plain, kind, start, start + len(text), ticked=True)


def _path_kind(text: str) -> TokenKind | None:
    if _SCOPED_MODULE.fullmatch(text):
        return TokenKind.MODULE
    if text in BARE_FILES or re.fullmatch(r"\.[A-Za-z][\w.-]+", text):
        return TokenKind.PATH
    if "/" in text:
        whole = re.fullmatch(rf"/?(?:{_SEGMENT}/)*(?:{_SEGMENT})?", text) and text != "/"
        return TokenKind.PATH if whole else None
    if _PRODUCT_FILE.fullmatch(text):
        return TokenKind.PRODUCT
    return TokenKind.PATH if re.fullmatch(_SEGMENT, text) and _has_extension(text) else None


def _name_kind(text: str) -> TokenKind | None:
    if _DOTTED.fullmatch(text):
        return TokenKind.DOTTED
    if is_literal(text):
        return None
    if (
        _DOTTED_KEY.fullmatch(text)
        or _HYPHENATED.fullmatch(text)
        or re.fullmatch(r":?[a-z][\w-]*(?::[\w-]+)+|:[a-z][\w-]+", text)
    ):
        return TokenKind.MODULE
    if _IDENTIFIER.fullmatch(text):
        if is_literal(text):
            return None
        return TokenKind.IDENTIFIER if is_compound(text) or not text.isascii() else TokenKind.WORD
    return None


def is_compound(name: str) -> bool:
    """Whether a name is plainly code: camelCase, PascalCase of two parts, snake_case or SCREAMING_CASE."""
    bare = name.strip("_$")
    if "_" in bare or (name.startswith("_") and bare):
        return True
    return bool(re.search(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}", bare))


def _has_extension(path: str) -> bool:
    stem, dot, extension = path.rpartition(".")
    if extension == "app" and stem[:1].isupper():
        return True
    return bool(dot and (stem or path.startswith(".")) and extension.lower() in EXTENSIONS)


def _plain_path(path: str) -> str:
    return path.removeprefix("./").lstrip("/")


def _plain_dotted(name: str) -> str:
    plain = name.replace("?.", ".").replace(".#", ".")
    return re.sub(r"^(?:self|this|cls)\.", "", plain)


def _span(first: str, last: str | None) -> tuple[int, int] | None:
    lines = (int(first), int(last or first))
    return lines if 1 <= lines[0] <= lines[1] else None


def _prose(text: str, start: int = 0) -> Iterator[Token]:
    for command in commands_in(text, fenced=False, prose=True):
        at = start + command.start
        yield Token(command.name, TokenKind.COMMAND, at, at + len(command.name), runner=command.runner)
    taken: list[tuple[int, int]] = []
    for match in _UNICODE_PATH.finditer(text):
        if not match.group().isascii():
            taken.append(match.span())
            yield from _unicode_path(match, start)
    for match in _PROSE.finditer(text):
        if any(first <= match.start() < last for first, last in taken):
            continue
        token = _prose_token(match, text, start)
        if token is not None:
            yield token


def _unicode_path(match: re.Match[str], start: int) -> Iterator[Token]:
    """A path in which other letters than ASCII stand: its own, or a particle or word glued to either end."""
    text = match.group()
    head = re.match(r"[^\x00-\x7f]+(?=[\x00-\x7f]*[A-Za-z])", text.split("/")[0])
    tail = re.search(r"(?<=[A-Za-z0-9_/])[^\x00-\x7f]+$", text)
    first, last = (head.end() if head else 0), (tail.start() if tail else len(text))
    path = text[first:last].rstrip(".")
    if "/" in path.strip("/") or _has_extension(path) or path.endswith("/"):
        begin = start + match.start() + first
        yield Token(_plain_path(path), TokenKind.PATH, begin, begin + len(path))


def _prose_token(match: re.Match[str], text: str, start: int) -> Token | None:
    raw = (
        match.group("path_symbol")
        or match.group("path")
        or match.group("file")
        or match.group("owned")
        or match.group("dotted")
        or match.group("name")
    )
    begin, called = start + match.start(), raw.endswith(")")
    if match.group("path_symbol"):
        path, name = re.split(r"::?|#", raw, maxsplit=1)
        if _has_extension(path):
            return Token(name, TokenKind.PATH_SYMBOL, begin, begin + len(raw), path=_plain_path(path))
        return None
    if match.group("path"):
        return _prose_path(raw.rstrip(".,"), begin)
    if match.group("file"):
        return _prose_file(raw, begin, text, start)
    name = raw.partition("(")[0]
    if match.group("owned"):
        return _prose_owned(name, begin, called=called)
    if match.group("dotted"):
        plain = _plain_dotted(name)
        if re.fullmatch(r"(?i)(?:e\.g|i\.e|a\.k\.a|vs)", plain) or (not called and not _looks_dotted(name)):
            return None
        kind = TokenKind.DOTTED if "." in plain else TokenKind.IDENTIFIER
        return Token(plain, kind, begin, begin + len(name), called=called)
    return _prose_name(name, begin, text, start, called=called)


def _prose_owned(name: str, begin: int, *, called: bool) -> Token | None:
    found = owned_name(name)
    if found is None or "." not in found.plain or _PLACEHOLDER.search(name):
        return None
    return Token(found.plain, TokenKind.DOTTED, begin, begin + len(name), called=called, owned=True)


def _looks_dotted(name: str) -> bool:
    """Whether a dotted word in prose is code and not two sentences that lack a blank."""
    parts = name.split(".")
    return len(parts) > 2 or any(map(is_compound, parts)) or not re.search(r"\.[A-Z][a-z]+$", name)


def _prose_path(raw: str, begin: int) -> Token | None:
    if _PLACEHOLDER.search(raw) or re.fullmatch(r"[\d/x.]+", raw):
        return None
    if raw.startswith("@"):
        return Token(raw, TokenKind.MODULE, begin, begin + len(raw))
    return Token(_plain_path(raw), TokenKind.PATH, begin, begin + len(raw))


def _prose_file(raw: str, begin: int, text: str, start: int) -> Token | None:
    if _PRODUCT_FILE.fullmatch(raw):
        return _product(raw, begin, text, start)
    if _has_extension(raw):
        return Token(raw, TokenKind.PATH, begin, begin + len(raw))
    if (
        _DOTTED.fullmatch(raw)
        and not re.fullmatch(r"(?i)(?:e\.g|i\.e|etc|vs)\.?\w*", raw)
        and _looks_dotted(raw)
    ):
        return Token(raw, TokenKind.DOTTED, begin, begin + len(raw))
    return None


def _prose_name(name: str, begin: int, text: str, start: int, *, called: bool) -> Token | None:
    end = begin + len(name)
    if called:
        return Token(name, TokenKind.IDENTIFIER, begin, end, called=True)
    if name in BARE_FILES:
        return Token(name, TokenKind.PATH, begin, end)
    if described := _DESCRIBED.fullmatch(name):
        name = described[1]
        end = begin + len(name)
    if "-" in name or name.isdigit():
        product = _HYPHENATED.fullmatch(name.lower())
        return Token(name, TokenKind.PRODUCT, begin, end) if product else None
    if (
        is_compound(name)
        and name not in PROSE_COMPOUNDS
        and not is_literal(name)
        and not re.fullmatch(r"[A-Z]+s?|_+", name)
    ):
        return Token(name, TokenKind.IDENTIFIER, begin, end)
    return _product(name, begin, text, start)


def _product(name: str, begin: int, text: str, start: int) -> Token | None:
    """A word that may be a tool's name: capitalised, or a plain word where the sentence itself says so."""
    at = begin - start
    before, after = text[max(0, at - 16) : at], text[at + len(name) : at + len(name) + _FAR]
    version = _AFTER_VERSION.match(after)
    opens = _OPENS.search(before) is not None or (at < 8 and not before.strip(" \t*_-#|("))
    capital = (
        name[0].isupper()
        and (len(name) > 2 or version is not None)
        and not (name.isupper() and len(name) < 5)
        and (version is not None or not (opens and name.lower() in SENTENCE_OPENERS))
    )
    glued = bool(CJK.match(after[:1]) or CJK.search(before[-2:]))
    lower = (
        name.islower() and len(name) > 2 and not is_literal(name) and (glued or _USE_BEFORE.search(before))
    ) or (name in _VERSIONED and version is not None)
    if not (capital or lower):
        return None
    return Token(name, TokenKind.PRODUCT, begin, begin + len(name), version=version[1] if version else "")


_FAR = 160
"""Characters behind a name in which its version may stand: the target of a link comes between."""


def versions_behind(text: str, end: int) -> tuple[str, ...]:
    """The versions that a text tells of what ends there: ``Node v18, v20, or v22``."""
    found = _AFTER_VERSION.match(_blank(_LINK_TARGET, text[end : end + _FAR]))
    if found is None:
        return ()
    rest, versions = text[end + found.end() : end + found.end() + _FAR], [found[1]]
    while (other := _OTHER_VERSION.match(rest)) is not None:
        versions.append(other[1])
        rest = rest[other.end() :]
    return tuple(versions)


_LINK_TARGET = re.compile(r"\]\([^)\s]*\)")
