"""Parting a patch into files and hunks, strictly: a line that belongs to nothing makes the whole patch unshowable.

A lenient reader skips what it does not know, and then shows a merge, a coloured diff or a cut hunk as "no change". Hunks
are delimited by the counts in their headers, so content that looks like a header (``--- a``, ``diff --git``) stays
content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

NO_NEWLINE = "\\ No newline at end of file"
MOST_DIGITS = 9

_HUNK = re.compile(r"@@ -([0-9]+)(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@(?: (.*))?")
_EXTENDED = re.compile(
    r"(?:(old mode|new mode|deleted file mode|new file mode) ([0-7]{6})"
    r"|(copy from|copy to|rename from|rename to) (.+)"
    r"|(similarity index|dissimilarity index) ([0-9]{1,3}%)"
    r"|(index) ([0-9a-f]{1,64}\.\.[0-9a-f]{1,64}(?: [0-7]{6})?))"
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_MAIL = re.compile(r"From [0-9a-f]{40,64} ")
_COMMIT = re.compile(r"commit [0-9a-f]{40,64}\b")
_COMMIT_TEXT = re.compile(r"[A-Z][A-Za-z]*( \([^()]*\))?:|    |$|---$")
_STAT = re.compile(
    r" .* \| +([0-9]+( [+-]+)?|Bin( .*)?)$| [0-9]+ files? changed"
    r"| (create|delete) mode [0-9]{6} | mode change [0-9]{6} => [0-9]{6} | (rename|copy) .* \([0-9]+%\)$"
)
_SIGNATURE = re.compile(r"[0-9]+\.[0-9][\w.() -]*$")
_BASE85 = re.compile(r"[A-Za-z][0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]{5,65}$")


class Unshowable(Exception):  # noqa: N818 -- not an error of the program: it carries the reason that the reader returns
    """Why a patch cannot be shown, in words."""


class RawHunk(NamedTuple):
    """A hunk as it stands in the patch.

    Args:
        old: First line and count on the old side.
        new: First line and count on the new side.
        heading: What git writes behind the second ``@@``.
        lines: Each with its sign; the marker of a missing line break in git's own words.
    """

    old: tuple[int, int]
    new: tuple[int, int]
    heading: str
    lines: tuple[str, ...]


@dataclass(slots=True)
class Section:
    """What a patch says of one file, not yet interpreted.

    Args:
        line: Where it starts, counted from 1.
        header: What follows ``diff --git``; None in a patch of another program.
        extended: Git's extended header lines by their first words.
        labels: What follows ``---`` and ``+++``; None without them.
        binary: Whether git told only that binary content differs.
        span: The patch lines that hold its hunks, first and one past the last, counted from 0.
        stripped: Whether blank lines lack the space that makes them context.
    """

    line: int
    header: str | None = None
    extended: dict[str, str] = field(default_factory=dict)
    labels: tuple[str, str] | None = None
    hunks: list[RawHunk] = field(default_factory=list)
    binary: bool = False
    span: tuple[int, int] = (0, 0)
    stripped: bool = False


class _Cursor:
    """The lines of a patch and how far they were read."""

    __slots__ = ("at", "lines")

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.at = 0

    def peek(self, ahead: int = 0) -> str | None:
        return self.lines[self.at + ahead] if self.at + ahead < len(self.lines) else None

    def sees(self, prefix: str, ahead: int = 0) -> bool:
        line = self.peek(ahead)
        return line is not None and line.startswith(prefix)

    def take(self) -> str:
        line = self.lines[self.at]
        self.at += 1
        return line

    def wrong(self, reason: str) -> Unshowable:
        return Unshowable(f"line {self.at + 1} {reason}")


def scan(lines: Sequence[str]) -> Iterator[Section]:
    """The files of a patch, one after the other.

    Args:
        lines: The patch without line breaks, parted at line feeds only.

    Raises:
        Unshowable: At the first line that no grammar holds.
    """
    cursor = _Cursor(lines)
    _take_stat(cursor)
    while cursor.peek() is not None:
        if cursor.sees("diff --git "):
            yield _git_section(cursor)
        elif _at_labels(cursor):
            section = Section(cursor.at + 1)
            _take_hunks(cursor, section)
            yield section
        else:
            _take_between(cursor)


def _at_labels(cursor: _Cursor, ahead: int = 0) -> bool:
    return cursor.sees("--- ", ahead) and cursor.sees("+++ ", ahead + 1) and cursor.sees("@@ -", ahead + 2)


# what stands between files
def _take_between(cursor: _Cursor) -> None:
    line = cursor.peek() or ""
    if not line.strip():
        cursor.take()
    elif _MAIL.match(line):
        _take_mail(cursor)
    elif _COMMIT.match(line):
        _take_commit(cursor)
    elif line == "-- " and _SIGNATURE.match(cursor.peek(1) or ""):
        cursor.at += 2
    else:
        raise cursor.wrong(_why_outside(line))


def _why_outside(line: str) -> str:
    if _COLOUR.match(line):
        return "is coloured"
    if line.startswith(("diff --cc ", "diff --combined ")):
        return "starts the combined diff of a merge, which has more than two sides"
    if line.startswith("* Unmerged path "):
        return "names a file whose merge is not finished"
    if line.startswith("Submodule "):
        return "tells a submodule by its commits (diff.submodule), not by a hunk"
    if line.startswith(("+", "-", " ", "\\", "@@")):
        return "looks like part of a hunk and lies outside every hunk"
    return "belongs to no file of the patch"


def _take_mail(cursor: _Cursor) -> None:
    while (line := cursor.peek()) != "---":
        if line is None:
            raise cursor.wrong("should go on with the patch of a mail, and there is none")
        if line.startswith(("diff ", "@@ ")) or (line.startswith("--- ") and _at_labels(cursor)):
            raise cursor.wrong("looks like a patch inside the message of a mail")
        cursor.take()
    cursor.take()
    _take_stat(cursor)


def _take_commit(cursor: _Cursor) -> None:
    is_merge = False
    cursor.take()
    while (line := cursor.peek()) is not None and (_COMMIT_TEXT.match(line) or _STAT.match(line)):
        is_merge |= line.startswith("Merge: ")
        cursor.take()
    if is_merge and (cursor.peek() is None or cursor.sees("commit ")):
        raise cursor.wrong("follows a merge of which git showed no side")


def _take_stat(cursor: _Cursor) -> None:
    while (line := cursor.peek()) is not None and (not line or _STAT.match(line)):
        cursor.take()


# one file
def _git_section(cursor: _Cursor) -> Section:
    section = Section(cursor.at + 1, cursor.take().removeprefix("diff --git "))
    while (found := _EXTENDED.fullmatch(cursor.peek() or "")) is not None:
        key, value = (part for part in found.groups() if part is not None)
        if key in section.extended:
            raise cursor.wrong(f"says {key} twice")
        section.extended[key] = value
        cursor.take()
    if "\r" in (section.header or "") or any("\r" in value for value in section.extended.values()):
        raise Unshowable(f"line {section.line} ends in CR LF: the line ends of the patch were converted")
    if cursor.sees("--- "):
        _take_hunks(cursor, section)
    elif cursor.sees("Binary files ") and (cursor.peek() or "").endswith(" differ"):
        section.binary = True
        cursor.take()
    elif cursor.peek() == "GIT binary patch":
        section.binary = True
        cursor.take()
        _take_binary(cursor)
    return section


def _take_binary(cursor: _Cursor) -> None:
    while re.match(r"(literal|delta) [0-9]+$", cursor.peek() or ""):
        cursor.take()
        while _BASE85.match(cursor.peek() or ""):
            cursor.take()
        if cursor.peek() != "":
            raise cursor.wrong("breaks off binary content")
        cursor.take()


def _take_hunks(cursor: _Cursor, section: Section) -> None:
    old = cursor.take().removeprefix("--- ")
    if not cursor.sees("+++ "):
        raise cursor.wrong("should name the new side (+++)")
    section.labels = (old, cursor.take().removeprefix("+++ "))
    if any(label.endswith("\r") for label in section.labels):
        raise cursor.wrong("follows CR LF: the line ends of the patch were converted")
    start = cursor.at
    while cursor.sees("@@"):
        section.hunks.append(_take_hunk(cursor, section))
    section.span = (start, cursor.at)
    if not section.hunks:
        raise cursor.wrong("should start a hunk")
    _check_order(section)


def _check_order(section: Section) -> None:
    """Hunks come in the order of both files and never overlap; only the last may reach a missing line break."""
    ends = (1, 1)
    for number, hunk in enumerate(section.hunks, 1):
        starts = _first(hunk.old), _first(hunk.new)
        if starts[0] < ends[0] or starts[1] < ends[1]:
            raise Unshowable(f"line {section.line} starts a file whose hunks overlap or are out of order")
        ends = starts[0] + hunk.old[1], starts[1] + hunk.new[1]
        if NO_NEWLINE in hunk.lines and number < len(section.hunks):
            raise Unshowable(f"line {section.line} starts a file that goes on after its end")


def _first(side: tuple[int, int]) -> int:
    """The first line; git counts the line before when a side has none."""
    return side[0] + 1 if side[1] == 0 else side[0]


# one hunk
def _take_hunk(cursor: _Cursor, section: Section) -> RawHunk:
    found = _HUNK.fullmatch(cursor.peek() or "")
    if found is None:
        raise cursor.wrong("is not the header of a hunk with two sides")
    numbers = [text or "1" for text in found.group(1, 2, 3, 4)]
    if any(len(number) > MOST_DIGITS for number in numbers):
        raise cursor.wrong("counts more lines than a file can have")
    start = cursor.at
    cursor.take()
    old_start, old_count, new_start, new_count = map(int, numbers)
    lines = _hunk_lines(cursor, section, old_count, new_count)
    if not any(line[0] in "+-" for line in lines):
        raise Unshowable(f"line {start + 1} starts a hunk without any change, as a word diff has")
    return RawHunk((old_start, old_count), (new_start, new_count), found[5] or "", tuple(lines))


def _hunk_lines(cursor: _Cursor, section: Section, old: int, new: int) -> list[str]:
    """The lines of a hunk that promised so many; each count goes down to nothing, never below."""
    lines: list[str] = []
    while old or new:
        if (line := cursor.peek()) is None:
            raise cursor.wrong(
                f"should go on with a hunk, and the patch ends (lines lacking: {max(old, new)})"
            )
        if section.header is None and lines and _at_labels(cursor):
            raise cursor.wrong("may start the next file or be part of the hunk")
        sign = line[:1] or " "
        section.stripped |= not line
        old -= sign in " -"
        new -= sign in " +"
        if sign not in " +-" or old < 0 or new < 0:
            raise cursor.wrong(_why_not_in_hunk(line, sign))
        lines.append(line or " ")
        cursor.take()
        if cursor.sees("\\ "):
            if (old and sign in " -") or (new and sign in " +"):
                raise cursor.wrong("ends a file that goes on")
            lines.append(NO_NEWLINE)
            cursor.take()
    return lines


def _why_not_in_hunk(line: str, sign: str) -> str:
    if _COLOUR.match(line):
        return "is coloured"
    if sign in " +-":
        return "is more than its hunk promised"
    if line.startswith(("diff ", "commit ", "From ")):
        return "starts something new in the middle of a hunk"
    return "is no line of a hunk (a word diff, or cut)"
