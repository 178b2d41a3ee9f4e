"""Patches read: their files and hunks as git meant them, or refused with the reason.

Which files changed is never read from here: comparing trees tells that. unidiff reads the hunks; names and everything
around hunks are read by `scan` and `header`, since unidiff silently mis-reads quoted names, merges, coloured diffs,
copies and diffs without prefixes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from gitmem.patches.header import Status, told
from gitmem.patches.scan import NO_NEWLINE, RawHunk, Section, Unshowable, scan

MOST_BYTES = 4 * 1024 * 1024
MOST_LINES = 20_000

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class PatchLine(NamedTuple):
    """One line of a hunk.

    Args:
        sign: ``+``, ``-`` or a space.
        text: The line without its line break; bytes that are not UTF-8 as surrogate escapes.
        ends: Whether a line break follows; False on a last line without one.
    """

    sign: str
    text: str
    ends: bool = True


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that changed together.

    Args:
        old_start: First line on the old side; the line before when the count is 0.
        old_count: How many lines of the old side it holds.
        new_start: As ``old_start``, on the new side.
        new_count: As ``old_count``, on the new side.
        heading: What git writes behind the second ``@@``.
        lines: Context, removed and added lines in order.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int
    heading: str
    lines: tuple[PatchLine, ...]


@dataclass(frozen=True, slots=True)
class FilePatch:
    """What the patch does to one file.

    Args:
        old_path: Its path before; None when it was not there (or the patch names none).
        new_path: Its path after; None when it is gone (or the patch names none).
        hunks: In order; empty for binary content and where only name or mode changed.
        note: What the hunks do not tell: similarity, modes, binary content, doubt.
        status: What became of the file.
    """

    old_path: str | None
    new_path: str | None
    hunks: tuple[Hunk, ...]
    note: str = ""
    status: Status = "modified"

    @property
    def added(self) -> int:
        return _count(self.hunks, "+")

    @property
    def removed(self) -> int:
        return _count(self.hunks, "-")


@dataclass(frozen=True, slots=True)
class Shown:
    files: tuple[FilePatch, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """A patch that cannot be shown for certain.

    Args:
        reason: Why, as the end of a sentence: "line 3 is coloured".
    """

    reason: str


ReadPatch = Shown | Refused


def _count(hunks: Sequence[Hunk], sign: str) -> int:
    return sum(line.sign == sign for hunk in hunks for line in hunk.lines)


def read_patch(data: bytes) -> ReadPatch:
    """The files and hunks of a unified patch of git or diff, or why it cannot be shown for certain.

    Mail and log headers, summaries and signatures around the patch are left out. One doubtful line refuses the whole
    patch; only one that was cut between two files or hunks looks whole.

    Args:
        data: The patch as git wrote it; any bytes.
    """
    if len(data) > MOST_BYTES or data.count(b"\n") > MOST_LINES:
        return Refused(f"it is longer than {MOST_LINES} lines or {MOST_BYTES // 2**20} MiB")
    if data.startswith(_UTF16):
        return Refused("it is UTF-16 text, not what git wrote")
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    is_cut = lines[-1] != ""
    if not is_cut:
        lines.pop()
    try:
        files = [_file(section, lines) for section in scan(lines)]
    except Unshowable as reason:
        return Refused(str(reason))
    if is_cut and files:
        files[-1] = _with_note(files[-1], "the patch ends without a line break: its last line may be cut")
    return Shown(tuple(_told_apart(files)))


def _told_apart(files: Sequence[FilePatch]) -> Iterator[FilePatch]:
    """A path comes twice when its type changed or a merge is compared with each parent: say so."""
    total = Counter(one.new_path or one.old_path for one in files)
    seen: Counter[str | None] = Counter()
    for one in files:
        path = one.new_path or one.old_path
        seen[path] += 1
        several = total[path] > 1 and path is not None
        yield _with_note(one, f"part {seen[path]} of {total[path]} about this path") if several else one


def _with_note(file: FilePatch, note: str) -> FilePatch:
    return replace(file, note=f"{file.note}, {note}" if file.note else note)


def _file(section: Section, lines: Sequence[str]) -> FilePatch:
    says = told(section)
    return FilePatch(says.old_path, says.new_path, _hunks(section, lines), says.note, says.status)


# hunks, held against a second reading
def _hunks(section: Section, lines: Sequence[str]) -> tuple[Hunk, ...]:
    """The hunks as unidiff reads them, held against an independent count of the signs in the patch."""
    if not section.hunks:
        return ()
    hunks = tuple(_parsed(section))
    first, end = section.span
    for sign in "+-":
        counted = sum(line.startswith(sign) for line in lines[first:end])
        if _count(hunks, sign) != counted:
            raise Unshowable(
                f"line {section.line} starts a file of which two readings count {sign} differently"
            )
    return hunks


def _parsed(section: Section) -> Iterator[Hunk]:
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    fed = ["--- a/file\n", "+++ b/file\n"]
    for raw in section.hunks:
        fed += [_hunk_header(raw), *(f"{line}\n" for line in raw.lines)]
    try:
        (read,) = PatchSet(fed)
    except (UnidiffParseError, ValueError):
        raise Unshowable(f"line {section.line} starts a file whose hunks cannot be read") from None
    if len(read) != len(section.hunks):
        raise Unshowable(
            f"line {section.line} starts a file whose hunks are counted differently by two readings"
        )
    for raw, hunk in zip(section.hunks, read, strict=True):
        pairs = [(line.line_type, line.value.removesuffix("\n")) for line in hunk]
        yield Hunk(*raw.old, *raw.new, raw.heading, tuple(_patch_lines(pairs)))


def _hunk_header(raw: RawHunk) -> str:
    return f"@@ -{raw.old[0]},{raw.old[1]} +{raw.new[0]},{raw.new[1]} @@\n"


def _patch_lines(pairs: Sequence[tuple[str, str]]) -> Iterator[PatchLine]:
    for index, (sign, text) in enumerate(pairs):
        if sign != "\\":
            yield PatchLine(sign, text, ends=pairs[index + 1 : index + 2] != [("\\", NO_NEWLINE[1:])])
