"""Words in backticks that code has as text: a name with hyphens in a string, a command as a list of strings or a literal.

| in the text | in the code | watch |
|---|---|---|
| `` `restrictive-closed` `` | ``'restrictive-closed',`` | the name, which goes on occurring |
| `` `uv run --project <root> -m app.engine` `` | ``[uv, "run", "--project", root, "-m", "app.engine"]`` | the lines of the list |
| `` `git rev-parse --show-toplevel` `` | ``"git rev-parse --show-toplevel"`` | the line |

Each must have stood in the code of the scope when the watch was made: that is what was verified.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence

from gitmem.drift.code_lines import CodeLines, Line, is_code, lines_watch
from gitmem.drift.steps import is_step_file
from gitmem.drift.view import TreeView
from gitmem.drift.words import code_spans, is_literal
from gitmem.model.watch import Watch, WatchKind

MOST_FILES = 3
"""Files of the scope that have a name with hyphens; of more of them none in particular is meant."""
LEAST_WORDS = 3
"""Words of a command, placeholders aside: two stand beside each other anywhere."""
MOST_LINES = 14
"""Lines over which the list of a command is spread."""
_KEBAB = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
_VALUE = re.compile(r"[A-Z][A-Z0-9_]+=(?P<value>[a-z][a-z0-9]*(?:-[a-z0-9]+)+)")
_PLACEHOLDER = re.compile(r"[<>{}$…*\[\]]|\.\.\.")
_WORD = re.compile(r"[\w./:@=+-]+")
_STRING = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`\n]*)`")


def said_words(
    text: str, view: TreeView, files: Sequence[str], known: Container[str], banned: Iterable[int]
) -> Iterator[Watch]:
    """Watches of the words and commands that code has as text.

    Args:
        text: The statement.
        view: The tree.
        files: The files that the scope matches.
        known: Names that are watched already.
        banned: Where prohibited names stand.
    """
    without = tuple(banned)
    spans = [
        (" ".join(text[first + width : last - width].split()).removeprefix("$ "), first)
        for first, last, width in code_spans(text)
        if not any(first <= at < last for at in without)
    ]
    yield from _names([inner for inner, _ in spans], view, files, known)
    for inner, _ in spans:
        yield from _command(inner, view, files)


def _names(
    spans: Iterable[str], view: TreeView, files: Sequence[str], known: Container[str]
) -> Iterator[Watch]:
    values = (found["value"] if (found := _VALUE.fullmatch(one)) else one for one in spans)
    names = [
        one
        for one in dict.fromkeys(values)
        if _KEBAB.fullmatch(one) and not is_literal(one) and one not in known
    ]
    hits, scope = view.files_with(names) if names else {}, frozenset(files)
    for name in names:
        places = [
            path for path in hits[name] if path in scope and is_code(path) and name in view.code_words(path)
        ]
        if 0 < len(places) <= MOST_FILES:
            yield Watch(WatchKind.IDENT, name=name)


def _command(inner: str, view: TreeView, files: Sequence[str]) -> Iterator[Watch]:
    words = [one for one in inner.split(" ") if not _PLACEHOLDER.search(one)]
    if len(words) < LEAST_WORDS or not all(map(_WORD.fullmatch, words)):
        return
    asked = [path for path in files if not is_step_file(path)]
    rare = max(
        (re.findall(r"[A-Za-z_]\w+", one) for one in words), key=lambda found: max(map(len, found), default=0)
    )
    if not rare:
        return
    lines = CodeLines(view, asked, [max(rare, key=len)])
    found = [*_literals(inner, lines)] or [*_lists(words, lines)]
    if len(found) == 1:
        yield lines_watch(found[0])


def _literals(inner: str, lines: CodeLines) -> Iterator[list[Line]]:
    """Lines that have all of the command in one string."""
    if _PLACEHOLDER.search(inner):
        return
    whole = re.compile(rf"(?<![\w-]){re.escape(inner)}(?![\w-])")
    for line in lines:
        if any(whole.search("".join(parts)) for parts in _STRING.findall(line.code)):
            yield [line]


def _lists(words: Sequence[str], lines: CodeLines) -> Iterator[list[Line]]:
    """Runs of lines that have the words as strings of their own in this order; the program may be a variable."""
    wanted = words[1:] if len(words) > LEAST_WORDS else words
    for path in lines.files:
        own = list(lines.of(path))
        strings = [["".join(parts) for parts in _STRING.findall(line.code)] for line in own]
        at = 0
        while at < len(own):
            end = _run(strings, at, wanted) if wanted[0] in strings[at] else None
            if end is not None:
                yield own[at : end + 1]
                at = end
            at += 1


def _run(strings: Sequence[Sequence[str]], first: int, wanted: Sequence[str]) -> int | None:
    """The last line of a run that begins there; None when it does not come to the end of the words."""
    left = list(wanted)
    for at in range(first, min(first + MOST_LINES, len(strings))):
        for string in strings[at]:
            if string == left[0]:
                left.pop(0)
                if not left:
                    return at
    return None
