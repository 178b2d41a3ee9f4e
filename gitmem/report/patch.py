"""Patches for display: the hunks that were read, or why they are not shown."""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.patches.reading import FilePatch, Hunk, ReadPatch, Refused, Shown
from gitmem.patches.scan import NO_NEWLINE
from gitmem.report.look import Look, Span
from gitmem.report.sanitise import masked, prose, visible

LONGEST_LINE = 1_000
"""Of one line no more is drawn, however wide the reader."""
TAB_STOP = 4

_STYLES = {"+": "green", "-": "red"}


# choosing
def hunks_touching(
    file_patch: FilePatch, old_lines: tuple[int, int] | None, new_lines: tuple[int, int] | None
) -> tuple[Hunk, ...]:
    """The hunks that change a span: a removed line in the old span, an added line in the new one.

    Context does not count, so a change next to a symbol does not pass for a change of it. On the side that has no line
    of a change, the place between two lines of the span counts.

    Args:
        file_patch: The file.
        old_lines: First and last line of the span on the old side, counted from 1; None when it was not there.
        new_lines: As ``old_lines``, on the new side.
    """
    spans = {"-": old_lines, "+": new_lines}
    return tuple(hunk for hunk in file_patch.hunks if any(_touches(hunk, *span) for span in spans.items()))


def _touches(hunk: Hunk, side: str, span: tuple[int, int] | None) -> bool:
    """Whether the hunk changes the span on the side whose own lines carry this sign."""
    if span is None:
        return False
    first, last = span
    is_old = side == "-"
    start, count = (hunk.old_start, hunk.old_count) if is_old else (hunk.new_start, hunk.new_count)
    at = start if count else start + 1
    for line in hunk.lines:
        if line.sign in ("+", "-") and (first <= at <= last if line.sign == side else first < at <= last):
            return True
        at += line.sign in (" ", side)
    return False


# showing
def patch_lines(
    read: ReadPatch, look: Look, limit: int, *, indent: str = "", command: str = ""
) -> Iterator[str]:
    """Sanitised lines for a terminal; a tab shows as an arrow up to the next stop.

    Args:
        read: What `read_patch` returned.
        look: What the reader can take.
        limit: How many lines at most; one more says how many were left out.
        indent: Stands before every line.
        command: Named where something is left out: what shows the whole patch.
    """
    elsewhere = f": {visible(command)}" if command else ""
    if isinstance(read, Refused):
        yield look.line(indent, Span("patch not shown", "yellow"), f", {prose(read.reason)}{elsewhere}")
        return
    left_out = 0
    for number, spans in enumerate(_spans(read)):
        if number < limit:
            yield look.line(indent, *spans)
        else:
            left_out += 1
    if left_out:
        yield look.line(indent, f"… {left_out} more line{'s' if left_out > 1 else ''} left out{elsewhere}")


def _spans(shown: Shown) -> Iterator[tuple[Span, ...]]:
    if not shown.files:
        yield (Span("the patch changes no file", "dim"),)
    for file in shown.files:
        yield Span(_title(file), "bold"), Span(_remark(file), "dim")
        for hunk in file.hunks:
            heading = f" {_columns(hunk.heading)}" if hunk.heading else ""
            sides = f"-{_side(hunk.old_start, hunk.old_count)} +{_side(hunk.new_start, hunk.new_count)}"
            yield Span(f"@@ {sides} @@", "cyan"), Span(heading, "dim")
            for line in hunk.lines:
                yield (Span(f"{line.sign}{_columns(line.text)}", _STYLES.get(line.sign, "")),)
                if not line.ends:
                    yield (Span(NO_NEWLINE, "dim"),)


def _title(file: FilePatch) -> str:
    paths = [path for path in dict.fromkeys((file.old_path, file.new_path)) if path is not None]
    return " → ".join(map(visible, paths)) or "(no name)"


def _remark(file: FilePatch) -> str:
    status = "" if file.status == "modified" else file.status
    remark = ", ".join(part for part in (status, file.note) if part)
    return f"  ({visible(remark)})" if remark else ""


def _side(start: int, count: int) -> str:
    return str(start) if count == 1 else f"{start},{count}"


def _columns(text: str) -> str:
    """One line as a terminal may show it, without secrets; tabs are drawn, so that none passes for spaces."""
    text = masked(text)
    first, *rest = map(visible, text[:LONGEST_LINE].split("\t"))
    shown = first
    for piece in rest:
        shown += "→" + " " * (TAB_STOP - 1 - len(shown) % TAB_STOP) + piece
    more = len(text) - LONGEST_LINE
    return f"{shown}… ({more} more characters)" if more > 0 else shown
