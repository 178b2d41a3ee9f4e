"""Markdown notes under ``.ai/memory/**/*.md``: read-only memories of kind note, one a file, without scope.

The id is the path below ``.ai/memory`` with dots for slashes (``module-notes/payment.md`` is ``module-notes.payment``), or
``note-`` and a digest where that cannot be an id. The title is the first heading, else the file's name; the summary is
the first sentence of the text; the body is the whole text. A front matter block is left out of title and summary.
"""

from __future__ import annotations

import re
from hashlib import sha256

from gitmem.errors import GitmemError
from gitmem.model.ids import is_memory_id
from gitmem.model.memory import Kind, Memory, Status
from gitmem.store.field_reading import fault
from gitmem.store.memories import Parsed
from gitmem.store.yaml_reading import FILE_LIMITS

_FRONT_MATTER = re.compile(r"---[ \t]*\r?\n.*?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"#{1,6}[ \t]+(.+?)[ \t]*#*")
_MARKS = re.compile(r"(?:[-*+>]|\d{1,9}[.)])[ \t]+")
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？]|$)", re.DOTALL)  # noqa: RUF100 - full stops of CJK text
_ROOT = ".ai/memory/"


def parse_note(path: str, data: bytes) -> Parsed:
    """Read a Markdown note.

    Args:
        path: Repository path of the file.
        data: Its bytes.
    """
    try:
        text = _text(path, data)
    except GitmemError as error:
        return Parsed(None, (fault(path, error),))
    title, summary = _title_and_summary(
        _FRONT_MATTER.sub("", text, count=1) if text.startswith("---") else text
    )
    stem = path.rpartition("/")[2].removesuffix(".md")
    memory = Memory(
        id=note_id(path),
        file=path,
        kind=Kind.NOTE,
        type=None,
        status=Status.ACTIVE,
        summary=summary or title or stem,
        title=title or stem,
        body=text.strip() or None,
    )
    return Parsed(memory)


def note_id(path: str) -> str:
    """The id of the note at a path."""
    below = path.removeprefix(_ROOT).removesuffix(".md").replace("/", ".").lower()
    return (
        below
        if is_memory_id(below)
        else f"note-{sha256(path.encode('utf-8', 'surrogateescape')).hexdigest()[:12]}"
    )


def _text(path: str, data: bytes) -> str:
    if len(data) > FILE_LIMITS.size:
        message = f"{path}: {len(data)} bytes, over the limit of {FILE_LIMITS.size}"
        raise GitmemError(message, hint="split the file", path=path)
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        message = f"{path}:{line}: byte 0x{data[error.start]:02x} is not UTF-8"
        raise GitmemError(message, hint="save it as UTF-8", path=path, line=line) from None


def _title_and_summary(text: str) -> tuple[str | None, str | None]:
    title = None
    for block in re.split(r"\n[ \t\r]*\n|\n(?=#)", text.strip()):
        lines = [line.strip() for line in block.strip().splitlines()]
        heading = _HEADING.fullmatch(lines[0]) if lines else None
        if heading:
            title = title or heading[1].strip()
            lines = lines[1:]
        sentence = _first_sentence(lines)
        if sentence:
            return title, sentence
    return title, None


def _first_sentence(lines: list[str]) -> str | None:
    """The first sentence of a paragraph, or of the first item of a list."""
    taken: list[str] = []
    for line in lines:
        if taken and _MARKS.match(line):
            break
        taken.append(_MARKS.sub("", line, count=1))
    found = _SENTENCE.match(" ".join(taken).strip())
    return found[0].strip() if found else None
