"""Versions of languages, runtimes and targets that a statement tells: "Python 3.9 or newer", "requires Node 18+", 「Go 1.21 이상」.

Each is watched where the project states it (`gitmem.drift.toolchains`), as exact as it is told: it holds as long as the
value says so, wherever else the file changes. A version that nothing states is watched only where the words demand it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from gitmem.drift.said_matrix import matrix_keys
from gitmem.drift.sentences import sentence_around
from gitmem.drift.stated import states
from gitmem.drift.toolchains import Place, places_of
from gitmem.drift.view import TreeView
from gitmem.drift.words import Token, TokenKind, versions_behind
from gitmem.model.watch import Watch, WatchKind

_NAMES = {
    "python": r"C?Python|python",
    "node": r"[Nn]ode(?:\.?[Jj][Ss])?|NodeJS",
    "go": r"Go|[Gg]olang|go",
    "edition": r"(?:Rust\s)?[Ee]dition",
    "rust": r"[Rr]ust(?:c|\stoolchain)?|MSRV",
    "java": r"Java|java|(?:Open)?JDK|JRE",
    "dotnet": r"\.NET(?:\sCore)?|dotnet",
    "swift": r"[Ss]wift",
    "macos": r"macOS",
    "ios": r"iOS",
    "ruby": r"[Rr]uby",
    "php": r"PHP|php",
    "elixir": r"[Ee]lixir",
    "dart": r"Dart|dart",
    "flutter": r"[Ff]lutter",
    "cpp": r"C\+\+(?=\d)",
    "cmake": r"CMake|cmake",
    "npm": r"npm|NPM",
    "pnpm": r"[Pp]npm",
    "yarn": r"[Yy]arn",
    "bun": r"[Bb]un",
}
_SAID = re.compile(
    "(?<![\\w./@-])(?:"
    + "|".join(f"(?P<{name}>{pattern})" for name, pattern in _NAMES.items())
    + r")(?![\w-]*[A-Za-z_])"
)
_BETWEEN = re.compile(
    r"(?:\*\*|`|\)|\s+(?:SDK|runtime|toolchain|tools|compiler|language|versions?|edition|is|are|must\s+be|of|at\s+least|minimum|requirement)(?![A-Za-z])"
    r"|\s?[:：=|]|\s?버전(?:은|이)?|은|는|\s?バージョン(?:は)?|は|\s?版本(?:为|為|是)?|为|是)*"
)
_EDITION_AHEAD = re.compile(r"(?<![\w.-])(?P<version>20\d\d)\s+edition\b")
_DEMANDS = re.compile(
    r"(?i)\brequir|\bneeds?\b|\bminimum\b|\bat\s+least\b|\bor\s+(?:newer|later|above|higher|greater)\b|\d\+|>=|≥|\bsupport|\bMSRV\b"
    r"|이상|필요|요구|최소|以上|必要|必須|需要|要求|至少|最低|支持"
)
_DENIES = re.compile(
    r"(?i)\b(?:not|never|no|cannot|unsupported|dropp?(?:s|ed)?|removed?)\b|n['’]t\b|않|금지|미지원|ない|不"
)


def said_toolchains(text: str, view: TreeView, files: Sequence[str]) -> Mapping[int, tuple[Watch, ...]]:
    """Watches of the versions that a statement tells of what the project is built with or runs on, by where each name stands.

    Args:
        text: The statement.
        view: The tree.
        files: The files that the scope matches.
    """
    found: dict[int, tuple[Watch, ...]] = {}
    for toolchain, start, end, versions in _told(text):
        token = Token(text[start:end], TokenKind.PRODUCT, start, end)
        watches = matrix_keys(text, token, versions, view) or _stated(
            versions, _sentence(text, start), list(places_of(toolchain, view, files))
        )
        if watches:
            found[start] = tuple(watches)
    return found


def _told(text: str) -> Iterator[tuple[str, int, int, tuple[str, ...]]]:
    for found in _SAID.finditer(text):
        between = _BETWEEN.match(text, found.end())
        versions = versions_behind(text, between.end() if between else found.end())
        if versions and found.lastgroup is not None:
            yield found.lastgroup, found.start(), found.end(), versions
    for found in _EDITION_AHEAD.finditer(text):
        yield "edition", found.start(), found.end(), (found["version"],)


def _stated(versions: Sequence[str], sentence: str, places: Sequence[Place]) -> list[Watch]:
    """The first place that states each version; else, where one is demanded, the plainest place by its whole value."""
    held = [
        Watch(WatchKind.KEY, path=place.path, name=f"{place.key}@{version}")
        for version in versions
        if (place := next((one for one in places if states(one.value, version)), None)) is not None
    ]
    if held or not places or not _DEMANDS.search(sentence) or _DENIES.search(sentence):
        return held
    return [Watch(WatchKind.KEY, path=places[0].path, name=places[0].key)]


def _sentence(text: str, start: int) -> str:
    first, last = sentence_around(text, start, start)
    return text[first:last]
