"""Where in the judged state a finding points: the first line there of what changed, for whoever shows it beside the code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from gitmem.drift.view import TreeView
from gitmem.model.verdict import CHALLENGING, Finding, Verdict

_NAMED = re.compile(r"(?:symbol|key|verifier) [^#]+#(?P<name>.+)", re.DOTALL)
_KEY = r"""(?m)^[^\S\n]*(?:-[^\S\n]+)?(?:\[[^\]\n]*)?["']?%s["']?[^\S\n]*(?:[:=\]({]|$)"""


def pointed(findings: Iterable[Finding], now: TreeView, then: TreeView | None) -> tuple[Finding, ...]:
    """The findings, those that challenge with their line where the judged state has one.

    Args:
        findings: What was found on one memory.
        now: The judged state.
        then: The state at the baseline; None when it is not here.
    """
    return tuple(
        replace(one, line=line_of(one, now, then)) if one.verdict in CHALLENGING else one for one in findings
    )


def line_of(found: Finding, now: TreeView, then: TreeView | None) -> int | None:
    """The line, from 1; None for what is gone, and for folders and files that are not text."""
    path = found.new_path or found.path
    data = now.read(path) if path is not None and found.verdict is not Verdict.GONE else None
    if path is None or data is None or b"\0" in data:
        return None
    lines = data.decode("utf-8", "replace").split("\n")
    spans = list(_spans(found, path, now, lines))
    old = then.read(found.path) if then is not None and found.path is not None else None
    for first, last in spans:
        if (changed := _first_new(lines, old, first, last)) is not None:
            return changed
    return spans[0][0]


def _spans(found: Finding, path: str, now: TreeView, lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """First and last line of where to look, the narrowest first."""
    named = _NAMED.fullmatch(found.watch or "")
    if named is not None:
        outline = now.outline(path)
        symbol = outline.symbol(named["name"]) if outline is not None else None
        if symbol is not None:
            yield symbol.start, symbol.end
        elif (line := _line_of_key(named["name"], lines)) is not None:
            yield line, line
            return
    yield 1, len(lines)


def _line_of_key(name: str, lines: Sequence[str]) -> int | None:
    """Where a key of settings is written, told by the last part of its name that stands at the beginning of a line."""
    text = "\n".join(lines)
    for part in reversed(re.split(r"[.@]", name)):
        found = re.search(_KEY % re.escape(part), text) if part else None
        if found is not None:
            return text.count("\n", 0, found.start()) + 1
    return None


def _first_new(lines: Sequence[str], old: bytes | None, first: int, last: int) -> int | None:
    if old is None:
        return None
    held = {" ".join(line.split()) for line in old.decode("utf-8", "replace").split("\n")}
    for number in range(first, min(last, len(lines)) + 1):
        folded = " ".join(lines[number - 1].split())
        if folded and folded not in held:
            return number
    return None
