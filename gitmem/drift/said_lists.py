"""Lists of plain names in a statement, "Destinations: production, staging, beta1", bound to the members of one container.

A list is bound only where one container of the scope has every name of it: files or folders called by one pattern
(``deploy.beta1.yml``), or as the products of a list are, keys under one key, or plain words that stand together in one file. Each member is then watched there, so
that one that leaves is told; one that is added says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from gitmem.drift.code_lines import CodeLines, Line
from gitmem.drift.content.language import language_of
from gitmem.drift.content.reading import key_names
from gitmem.drift.declared import folded
from gitmem.drift.view import TreeView
from gitmem.drift.vocabulary import UNTELLING
from gitmem.drift.words import is_compound, is_literal
from gitmem.model.watch import Watch, WatchKind

LEAST, MOST = 3, 10
"""Names of a list: two stand together anywhere, and more than these are no sentence."""
MOST_SETTINGS = 12
SPREAD = 4
"""Lines for each name over which a container in code is spread at most."""
_ITEM = r"(?:`[A-Za-z_][\w.:-]{0,40}`|\*\*[A-Za-z_][\w-]{0,40}\*\*|[A-Za-z_][\w-]*(?:\.[\w-]+)*)"
_JOINT = r"\s*(?:,\s*(?:and\s+|or\s+|및\s+)?|、|·|\s/\s|/(?=`)|\|)\s*"
_LAST = r"(?:\s*,?\s+(?:and|or|및|또는|와|과)\s+|(?:와|과|と|和)\s*)"
_LIST = re.compile(rf"(?<![\w./-]){_ITEM}(?:{_JOINT}{_ITEM})+(?:{_LAST}{_ITEM})?(?![\w-]*/)")
_SETTINGS = frozenset({"json", "toml", "yaml", "ini", "dotenv", "properties"})


def said_lists(
    text: str,
    view: TreeView,
    files: Sequence[str],
    banned: Iterable[int],
    *,
    cited: Sequence[str] = (),
    known: Collection[str] = (),
) -> Iterator[Watch]:
    """Watches of the members of each list in a statement.

    Args:
        text: The statement.
        view: The tree.
        files: The files that the scope matches.
        banned: Where prohibited names stand.
        cited: Files that the statement names: its lists are looked for there first.
        known: Names that are watched already: a list that has no other is bound by them.
    """
    without = tuple(banned)
    for found in _LIST.finditer(text):
        names = _items(found[0]) if _is_whole(text, found) else ()
        if (
            names
            and not set(names).issubset(known)
            and not any(found.start() <= at < found.end() for at in without)
        ):
            yield from (
                _of_keys(names, view, cited)
                or _of_code(names, view, cited)
                or _of_paths(names, files)
                or _of_keys(names, view, files)
                or _of_code([] if any(map(is_compound, names)) else names, view, files)
            )

    for found in _PRODUCTS.finditer(text):
        if not any(found.start() <= at < found.end() for at in without):
            yield from _of_products(re.split(rf"{_LAST}|,\s", found[0]), files)


_OTHER_AHEAD = re.compile(r"[,、·|]\s+(?:[^\s,.;:()`]+\s+){1,4}$")
_OTHER_BEHIND = re.compile(r"[ \t]+(?!(?:and|or|in|for|on|at|to|with|from|by|as|is|are)\b)[A-Za-z]")


def _is_whole(text: str, found: re.Match[str]) -> bool:
    """Whether a list of single words is not the part of one that has names of several words: "MCP client, email, SQL"."""
    if found[0].startswith("`") and found[0].endswith("`"):
        return True
    joined = re.search(_LAST, found[0]) is not None or re.search(r",\s*(?:and|or)\s", found[0]) is not None
    cut = not joined and _OTHER_BEHIND.match(text, found.end()) is not None
    return not cut and _OTHER_AHEAD.search(text, 0, found.start()) is None


def _items(listed: str) -> tuple[str, ...]:
    """The names of a list; none when one of them is a word of a sentence, so that it is no list of names."""
    words = dict.fromkeys(re.findall(r"[A-Za-z_][\w.:-]*", re.sub(_LAST, ", ", listed)))
    names = tuple(one.rstrip(".:-") for one in words)
    plain = [one.lower() for one in names]
    if not LEAST <= len(names) <= MOST or sum(map(len, names)) < LEAST * len(names):
        return ()
    if any(one in UNTELLING for one in plain) or all(map(is_literal, plain)):
        return ()
    return names


# files
def _of_paths(names: Sequence[str], files: Sequence[str]) -> list[Watch]:
    """Files, else folders, of the scope that one pattern gives for every name."""
    known = frozenset(files)
    folders = {head for path in files for head in _heads(path)}
    for spelled in (list(names), [one.lower() for one in names]):
        for path in files:
            for pattern in _patterns(path, spelled[0]):
                found = [f"{pattern[0]}{one}{pattern[1]}" for one in spelled]
                if known.issuperset(found) or folders.issuperset(found):
                    return [Watch(WatchKind.PATH, path=one if one in known else f"{one}/") for one in found]
    return []


def _heads(path: str) -> Iterator[str]:
    parts = path.split("/")
    return ("/".join(parts[:end]) for end in range(1, len(parts)))


def _patterns(path: str, name: str) -> Iterator[tuple[str, str]]:
    """What stands around a name in a path: in the file's own name, and – for a folder – up to its end."""
    for found in re.finditer(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", path):
        rest = path[found.end() :]
        if "/" not in rest:
            yield path[: found.start()], rest
        else:
            yield path[: found.start()], rest.partition("/")[0]


_PRODUCT = r"[A-Z][\w+]*(?:\s[A-Z][\w+]*)?"
_PRODUCTS = re.compile(rf"(?<![\w./`-]){_PRODUCT}(?:,\s{_PRODUCT}){{1,8}}{_LAST}{_PRODUCT}(?![\w/`-])")


def _of_products(names: Sequence[str], files: Sequence[str]) -> list[Watch]:
    """Files of one folder called as products are, ``codex.py`` and ``gemini.py``; one of them may have none."""
    folders: dict[str, dict[str, str]] = {}
    for path in files:
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, {}).setdefault(folded(name.partition(".")[0]), path)
    forms = [(folded(one), folded(one.split()[0])) for one in names if one.strip()]
    for stems in folders.values():
        found = [next((stems[form] for form in some if form in stems), None) for some in forms]
        told = [path for path in found if path is not None]
        if len(told) >= max(LEAST, len(forms) - 1):
            return [Watch(WatchKind.PATH, path=path) for path in told]
    return []


# settings
def _of_keys(names: Sequence[str], view: TreeView, files: Sequence[str]) -> list[Watch]:
    """Keys under one key of a settings file, all of them called so; the smallest such table."""
    settings = [path for path in files if language_of(path) in _SETTINGS][:MOST_SETTINGS]
    best: tuple[int, list[Watch]] | None = None
    for path in settings:
        tables: dict[str, set[str]] = {}
        for key in key_names(path, view.read(path) or b""):
            table, _, last = key.rpartition(".")
            if table:
                tables.setdefault(table, set()).add(last.strip('"'))
        for table, members in tables.items():
            if members.issuperset(names) and (best is None or len(members) < best[0]):
                watches = [Watch(WatchKind.KEY, path=path, name=f"{table}@{one}") for one in names]
                best = (len(members), watches)
    return best[1] if best is not None else []


# code
def _of_code(names: Sequence[str], view: TreeView, files: Sequence[str]) -> list[Watch]:
    """Words that stand together in one file of code, as strings or names; none when several files have them so."""
    if not names:
        return []
    lines = CodeLines(view, files, names)
    found = [path for path in lines.files if _stand_together(names, list(lines.of(path)))]
    if len(found) != 1:
        return []
    return [Watch(WatchKind.IDENT, name=one, inside=(_glob(found[0]),)) for one in names]


def _glob(path: str) -> str:
    return re.sub(r"([*?\[\]{}\\])", r"\\\1", path)


def _stand_together(names: Sequence[str], lines: Sequence[Line]) -> bool:
    """Whether some stretch of lines, a few for each name, has every name as a word of its own."""
    wanted = set(names)
    held = [wanted.intersection(re.findall(r"(?<![\w-])[A-Za-z_][\w:-]*", line.code)) for line in lines]
    last = [at for at, some in enumerate(held) if some]
    for first in last:
        end = lines[first].number + SPREAD * len(wanted)
        near = (some for line, some in zip(lines[first:], held[first:], strict=True) if line.number <= end)
        if wanted <= set().union(*near):
            return True
    return False
