r"""What a file imports, told by how each language writes it; comments, docstrings and plain strings import nothing.

An import is a chain of names: ``app.ui.button``, ``app/ui/button``, ``crate::ui``, ``App\Ui`` are all ``app ui button``. One
that is written relative to the file is told as the path that it means in the tree.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import lru_cache
from posixpath import dirname, normpath
from typing import NamedTuple

from gitmem.drift.content import language as languages
from gitmem.drift.content import python_source
from gitmem.drift.content.leaves import decode, masked

MAX_BYTES = 1024 * 1024
_MAX_IMPORTS = 2_000


class Import(NamedTuple):
    """One import.

    Args:
        line: From 1.
        parts: The names, outermost first; of a relative import the path from the root of the tree.
        is_path: Whether the parts are a path of the tree.
    """

    line: int
    parts: tuple[str, ...]
    is_path: bool = False


@lru_cache(maxsize=512)
def imports_of(path: str, data: bytes) -> tuple[Import, ...]:
    """The imports of a file in the order they stand there; none for languages whose imports are not known."""
    language = languages.language_of(path, data)
    if len(data) > MAX_BYTES or b"\0" in data[:8000]:
        return ()
    if language == "python" and (tree := python_source.parse(data)) is not None:
        return tuple(_python(path, tree))
    if path.endswith((".vue", ".svelte", ".astro")):
        language = "typescript"
    if language not in _FORMS:
        return ()
    return tuple(_written(path, language, decode(data)))


# Python
def _python(path: str, tree: ast.Module) -> Iterator[Import]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(node.lineno, tuple(one.name.split("."))) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            head = tuple(node.module.split(".")) if node.module else ()
            for one in node.names:
                names = head if one.name == "*" else (*head, one.name)
                yield _python_from(path, node.lineno, node.level, names)
        elif isinstance(node, ast.Call) and (name := _loaded(node)):
            level = len(name) - len(name.lstrip("."))
            yield _python_from(path, node.lineno, level, tuple(filter(None, name.split("."))))


def _python_from(path: str, line: int, level: int, names: tuple[str, ...]) -> Import:
    return _relative(line, path, [".."] * (level - 1), names) if level else Import(line, names)


def _loaded(call: ast.Call) -> str | None:
    """The module that ``importlib.import_module("a.b")`` and its like name."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    first = call.args[0] if call.args else None
    if name not in {"import_module", "__import__", "importorskip"} or not isinstance(first, ast.Constant):
        return None
    return first.value if isinstance(first.value, str) else None


def _relative(line: int, path: str, up: Iterable[str], names: Iterable[str]) -> Import:
    place = normpath("/".join([dirname(path) or ".", *up, *names]))
    return Import(line, tuple(place.split("/")), is_path=True)


# other languages, by their written form; strings are masked, so that \x00 stands for what is quoted
_Q = "[\"'`](?P<quoted>\0+)[\"'`]"
_DOTTED = r"(?P<dotted>[^\W\d][\w$]*(?:\.[\w$]+)*)"
_SCRIPT = [
    rf"\b(?:import|export)\b(?:(?!\b(?:import|export)\b)[^;\0\"'`()])*?\bfrom\s*{_Q}",
    rf"\bimport\s*{_Q}",
    rf"\b(?:require(?:\.resolve)?|import|importActual|requireActual|jest\.mock|vi\.mock)\s*(?:<[^>\n]*>)?\(\s*{_Q}",
    rf"@import\s+{_Q}",
]
_INCLUDE = [rf"^[ \t]*#[ \t]*(?:include|import)[ \t]*(?:{_Q}(?P<beside>)|<(?P<angle>[^>\n]+)>)"]
_FORMS: dict[str, list[str]] = {
    **dict.fromkeys(("typescript", "tsx", "javascript"), _SCRIPT),
    "python": [
        rf"^[ \t]*from\s+(?P<dots>\.*){_DOTTED}?\s+import\b(?P<list>[^\n#]*)",
        rf"^[ \t]*import\s+{_DOTTED}",
    ],
    "go": [rf"\bimport\s+(?:[\w.]+\s+)?{_Q}", r"\bimport\s*\((?P<block>[^)]*)\)"],
    "java": [rf"^[ \t]*import\s+(?:static\s+)?{_DOTTED}"],
    "kotlin": [rf"^[ \t]*import\s+{_DOTTED}"],
    "scala": [rf"^[ \t]*import\s+{_DOTTED}"],
    "groovy": [rf"^[ \t]*import\s+(?:static\s+)?{_DOTTED}"],
    "swift": [
        rf"^[ \t]*(?:@\w+\s+)?import\s+(?:(?:class|struct|enum|func|protocol|var|let|typealias)\s+)?{_DOTTED}"
    ],
    "csharp": [rf"^[ \t]*(?:global\s+)?using\s+(?:static\s+|\w+\s*=\s*)?{_DOTTED}\s*;"],
    "rust": [
        r"\buse\s+(?P<tree>[^;]+);",
        r"\bextern\s+crate\s+(?P<dotted>\w+)",
        r"(?<![\w:])(?P<crate>(?:crate|super)(?:::\w+)+)",
    ],
    "php": [rf"\b(?:require|include)(?:_once)?\b[^;\0\"']*{_Q}", r"^[ \t]*use\s+(?P<tree>[\w\\{}, \n]+);"],
    "ruby": [
        rf"\brequire_relative\s*\(?\s*{_Q}(?P<beside>)",
        rf"\b(?:require|load|autoload\s+:\w+,)\s*\(?\s*{_Q}",
    ],
    "dart": [rf"\b(?:import|export)\s+{_Q}"],
    "proto": [rf"^[ \t]*import\s+(?:public\s+|weak\s+)?{_Q}"],
    "css": [rf"@(?:import|use|forward)\s+(?:url\()?{_Q}"],
    **dict.fromkeys(("c", "cpp", "objc"), _INCLUDE),
}
_LINE_END = re.compile("\n")
_STRINGS = re.compile(_Q)
_COMPILED: dict[str, re.Pattern[str]] = {}


def _form(pattern: str) -> re.Pattern[str]:
    if pattern not in _COMPILED:
        _COMPILED[pattern] = re.compile(pattern, re.MULTILINE)
    return _COMPILED[pattern]


def _written(path: str, language: str, text: str) -> Iterator[Import]:
    code = masked(language, text)
    found: list[tuple[int, Import]] = []
    ends = [match.start() for match in _LINE_END.finditer(code)]
    for pattern in _FORMS[language]:
        for match in _form(pattern).finditer(code):
            line = bisect_left(ends, match.start() + len(match[0]) - len(match[0].lstrip())) + 1
            found += [(match.start(), one) for one in _read(path, line, match, text)]
            if len(found) > _MAX_IMPORTS:
                break
    yield from (one for _, one in sorted(found, key=lambda pair: pair[0]))


def _read(path: str, line: int, match: re.Match[str], text: str) -> Iterator[Import]:
    groups = match.groupdict()
    if groups.get("block") is not None:
        for quoted in _STRINGS.finditer(match["block"]):
            start = match.start("block") + quoted.start("quoted")
            below = match.string.count("\n", match.start(), start)
            yield from _spec(path, line + below, text[start : start + len(quoted["quoted"])])
    elif groups.get("quoted"):
        first, last = match.span("quoted")
        yield from _spec(path, line, text[first:last], beside=groups.get("beside") is not None)
    elif groups.get("angle"):
        yield from _spec(path, line, match["angle"])
    elif groups.get("tree") or groups.get("crate"):
        for chain in _expanded(groups.get("tree") or match["crate"]):
            yield from _chain(path, line, chain)
    elif groups.get("dots"):
        yield from _python_lines(path, line, match)
    elif groups.get("dotted"):
        names = _names(groups.get("list"))
        chains = [(*match["dotted"].split("."), *name) for name in names]
        yield from (Import(line, chain) for chain in chains)


def _python_lines(path: str, line: int, match: re.Match[str]) -> Iterator[Import]:
    head = tuple(match["dotted"].split(".")) if match["dotted"] else ()
    for name in _names(match["list"]):
        yield _relative(line, path, [".."] * (len(match["dots"]) - 1), (*head, *name))


def _names(listed: str | None) -> list[tuple[str, ...]]:
    names = re.findall(r"[^\W\d]\w*(?=\s*(?:,|\)|$|\s+as\b))", re.sub(r"\bas\s+\w+", "", listed or ""))
    return [(name,) for name in names] or [()]


def _spec(path: str, line: int, spec: str, *, beside: bool = False) -> Iterator[Import]:
    """A quoted specifier; `beside` when one without dots may lie beside the file."""
    spec = re.sub(r"^(?:package|node|npm|file):", "", spec.strip()).partition("?")[0].replace("\\", "/")
    if spec.startswith("."):
        yield _relative(line, path, (), [spec])
    elif spec and not spec.startswith("/"):
        if beside:
            yield _relative(line, path, (), [spec])
        yield Import(line, tuple(part for part in spec.split("/") if part))


def _expanded(tree: str) -> list[str]:
    """``a::{b, c::{d, e}}`` as its chains."""
    text = re.sub(r"\s+as\s+\w+|\s+|\b(?:function|const)\s", "", tree)
    done: list[str] = []
    left = [text]
    while left and len(done) + len(left) < _MAX_IMPORTS:
        one = left.pop()
        inner = re.search(r"\{([^{}]*)\}", one)
        if inner is None:
            done += one.split(",") if "{" not in one else []
        else:
            left += [one[: inner.start()] + part + one[inner.end() :] for part in inner[1].split(",") if part]
    return done


def _chain(path: str, line: int, chain: str) -> Iterator[Import]:
    """A chain of Rust or PHP; what begins at the crate or above the module is a path of the tree."""
    parts = [part for part in re.split(r"::|\\", chain) if part not in {"", "*"}]
    names = [part for part in parts if part not in {"crate", "self", "super"}]
    if parts and parts[0] == "crate":
        yield Import(line, (*_crate_root(path), *names), is_path=True)
    elif parts and parts[0] in {"self", "super"}:
        module = re.sub(r"(?:/(?:mod|lib|main))?\.rs$", "", path)
        yield _relative(line, module + "/x", [".."] * parts.count("super"), names)
    elif parts:
        yield Import(line, tuple(parts))


def _crate_root(path: str) -> tuple[str, ...]:
    """The nearest ``src`` above a file, else its top folder."""
    folders = path.split("/")[:-1]
    root = next((at for at in range(len(folders), 0, -1) if folders[at - 1] == "src"), min(1, len(folders)))
    return tuple(folders[:root])
