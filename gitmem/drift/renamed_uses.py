"""A definition that differs by nothing but new names of what it uses, where what it uses is elsewhere under that name.

The old names, written anew in the old file, must give the very content that is there now.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitmem.drift.content.outline import Symbol
from gitmem.drift.content.reading import outline
from gitmem.drift.interval import HeldSymbol, Interval
from gitmem.drift.marks import symbol_at
from gitmem.drift.renames import find_definition
from gitmem.model.validation import Mark

MOST_NAMES = 3


def renamed_uses(
    mark: Mark, old: Symbol | None, new: Symbol, interval: Interval
) -> tuple[tuple[str, str], ...]:
    """Names that a definition used, each with the one that its definition has now; empty unless that is all that changed.

    Args:
        mark: The definition's mark.
        old: It at the baseline; None when that is not known.
        new: It now.
        interval: Baseline to judged tree.
    """
    path = mark.watch.path or ""
    data = interval.then.read(path) if interval.then is not None else None
    if old is None or data is None:
        return ()
    gone, came = old.uses - new.uses, new.uses - old.uses
    if not gone or len(gone) > MOST_NAMES or not came:
        return ()
    pairs = tuple(_renamed(gone, mark, interval))
    names = dict(pairs)
    if len(names) < len(gone) or not came.issuperset(names.values()):
        return ()
    word = re.compile(rb"(?<![\w$])(" + b"|".join(re.escape(one.encode()) for one in names) + rb")(?![\w$])")
    written = word.sub(lambda match: names[match[0].decode()].encode(), data)
    then = symbol_at(outline(path, written), mark.watch.name or "")
    return pairs if then is not None and then.digest == new.digest else ()


def _renamed(gone: frozenset[str], mark: Mark, interval: Interval) -> Iterator[tuple[str, str]]:
    """Of some names those whose definition has another one now, its body equal."""
    for target, _, _ in mark.uses:
        path, _, name = target.partition("#")
        bare = name.rpartition(".")[2]
        symbol = (
            symbol_at(interval.then.outline(path), name)
            if bare in gone and interval.then is not None
            else None
        )
        if symbol is None:
            continue
        held = HeldSymbol(symbol.digest, symbol.body, symbol.end - symbol.start + 1, symbol.core)
        found = find_definition(path, name, held, interval)
        last = found[1].name.rpartition(".")[2] if found is not None else bare
        if last != bare:
            yield bare, last
