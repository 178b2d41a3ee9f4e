"""`gitmem brief` without click, and without anything but the standard library where nothing has changed since the last.

What was told is kept in ``gitmem/cache/`` of the git directory with all that it depends on (`gitmem.wire.standpoint`, the
question, the day, and gitmem itself), at most `_MOST` of them. A command line that is not plain goes the ordinary way,
and so does all that is kept nowhere: JSON, and an answer with something to say beside it. A test holds the options here
to those of `gitmem.cli.brief`.
"""

# pathlib is a slow import:
# ruff: noqa: PTH100, PTH103, PTH105, PTH108, PTH109, PTH116, PTH120, PTH123, PTH208
from __future__ import annotations

import marshal
import os
import sys
import time
import zlib

from gitmem import __version__
from gitmem.cli.plain_options import plain_fields
from gitmem.wire.standpoint import find_place, standpoint

TYPE_CHECKING = False  # typing is slow to import
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.cli.briefing import Prepared, Question
    from gitmem.wire.standpoint import Place

VALUES = {
    "--task": "task",
    "--path": "paths",
    "--run": "run",
    "--budget": "budget",
    "--session": "session",
    "--actor": "actor",
}
"""Options with a value, and the field of a `Question` that each one gives."""
FLAGS = {"--json": "json", "-q": "quiet", "--quiet": "quiet"}
_VARIABLES = {"run": "GITMEM_RUN", "session": "GITMEM_SESSION", "actor": "GITMEM_ACTOR"}
_HEADER = f"gitmem brief 1 {__version__}\n".encode()
_MOST = 8


def quick_brief(arguments: Sequence[str]) -> int | None:
    """Answer a command line.

    Args:
        arguments: What stands behind the word ``brief``.

    Returns:
        The exit code; None when it has to go the ordinary way, and nothing was written.
    """
    plain = plain_fields(arguments, VALUES, FLAGS, most_words=0)
    if plain is None or "_GITMEM_COMPLETE" in os.environ:
        return None
    fields = _with_variables(plain[0])
    if "budget" in fields and not _is_budget(fields["budget"][-1]):
        return None
    try:
        shelf = None if "json" in fields or "GITHUB_ACTIONS" in os.environ else _Shelf.here(fields)
        held = shelf.held() if shelf is not None else None
    except OSError:
        shelf = held = None
    if held is None:
        return _answer(fields, shelf)
    text, ids, query = held
    sys.stdout.write(text)
    if ids and fields.get("session"):
        _record(fields, ids, query)
    return 0


def _with_variables(fields: dict[str, list[str]]) -> dict[str, list[str]]:
    given = {field: [os.environ.get(variable, "")] for field, variable in _VARIABLES.items()}
    return {field: values for field, values in {**given, **fields}.items() if values != [""]}


def _is_budget(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) < 10 and int(word) > 0


class _Shelf:
    """Where the answer to one question is kept, and what it would stand for.

    Args:
        where: The repository.
        question: All of the question that an answer depends on.
        stand: What the repository stands at.
    """

    def __init__(self, where: Place, question: tuple[str | tuple[str, ...], ...], stand: bytes) -> None:
        self.where = where
        name = zlib.crc32(repr(question).encode("utf-8", "backslashreplace"))
        self._folder = f"{where[2]}/gitmem/cache"
        self._file = f"{self._folder}/brief-{name:08x}.marshal"
        self._key = (question, _edition(), time.strftime("%Y-%m-%d %z"), stand)

    @classmethod
    def here(cls, fields: dict[str, list[str]]) -> _Shelf | None:
        """None where nothing can be kept."""
        folder = os.getcwd()
        where = find_place(folder)
        if where is None:
            return None
        # Without a run, who says what it is about is not told of the work tree (`gitmem.usecases.brief`).
        is_told = "task" in fields or "paths" in fields
        has_run = "run" in fields or os.path.lexists(f"{where[1]}/AI_RUN")
        stand = standpoint(where, work_tree=has_run or not is_told)
        if stand is None:
            return None
        asked = tuple(sorted((name, *values) for name, values in fields.items() if name not in _NOT_ASKED))
        return cls(where, (folder, *asked), stand)

    def held(self) -> tuple[str, tuple[str, ...], str] | None:
        """Text, ids of the memories in it and what was asked of them; None when nothing fits."""
        try:
            with open(self._file, "rb") as stream:
                data = stream.read()
        except OSError:
            return None
        start = len(_HEADER) + 4
        check = zlib.crc32(data[start:]).to_bytes(4, "big")
        if not data.startswith(_HEADER) or data[start - 4 : start] != check:
            return None
        try:
            key, answer = marshal.loads(data[start:])  # noqa: S302 - this clone wrote it under its own git directory, with a checksum
        except (EOFError, ValueError, TypeError):
            return None
        return answer if key == self._key else None

    def keep(self, text: str, ids: tuple[str, ...], query: str) -> None:
        """Keep an answer, where this clone can be written."""
        data = marshal.dumps((self._key, (text, ids, query)))
        temporary = f"{self._file}.{os.getpid()}.tmp"
        try:
            os.makedirs(self._folder, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
            with open(os.open(temporary, flags, 0o666), "wb") as stream:
                stream.write(_HEADER + zlib.crc32(data).to_bytes(4, "big") + data)
            os.replace(temporary, self._file)
            kept = [
                f"{self._folder}/{name}" for name in os.listdir(self._folder) if name.startswith("brief-")
            ]
            for file in sorted(kept, key=lambda one: os.stat(one).st_mtime_ns)[:-_MOST]:
                os.unlink(file)
        except OSError:
            return


_NOT_ASKED = frozenset({"session", "actor", "quiet"})


def _edition() -> tuple[int, ...]:
    """Names the modules of this package, so that another gitmem of the same version does not tell what this one kept."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    with os.scandir(package) as entries:
        folders = sorted(entry.name for entry in entries if entry.is_dir())
    return tuple(os.stat(f"{package}/{folder}").st_mtime_ns for folder in ("", *folders))


def _question(fields: dict[str, list[str]]) -> Question:
    from gitmem.cli.briefing import Question

    single = {name: values[-1] for name, values in fields.items()}
    return Question(
        single.get("task", ""),
        tuple(fields.get("paths", ())),
        single.get("run"),
        int(single["budget"]) if "budget" in single else None,
        single.get("session"),
        single.get("actor", "human"),
    )


def _answer(fields: dict[str, list[str]], shelf: _Shelf | None) -> int | None:
    """The answer made anew, and kept."""
    try:
        from gitmem.cli.briefing import prepare, tell
        from gitmem.cli.invocation import Invocation

        question = _question(fields)
        prepared = prepare(question)
    except Exception:  # noqa: BLE001 - nothing was written, and the ordinary way meets the same failure and tells it
        return None
    if shelf is not None and _is_keepable(prepared, shelf.where):
        shelf.keep(prepared.text.text, prepared.text.memories, prepared.brief.memories.query)
    invocation = Invocation()
    invocation.json, invocation.quiet = "json" in fields, "quiet" in fields
    return tell(invocation, question, prepared)


def _is_keepable(prepared: Prepared, where: Place) -> bool:
    brief, layout = prepared.brief, prepared.repository.layout
    same = tuple(map(str, (layout.work_tree, layout.git_dir, layout.common_dir)))
    is_silent = not (brief.problem or brief.unread) and bool(prepared.text.text)
    return brief.is_settled and is_silent and tuple(map(os.path.realpath, where)) == same


def _record(fields: dict[str, list[str]], ids: tuple[str, ...], query: str) -> None:
    from gitmem.cli.briefing import record
    from gitmem.git.opening import open_repository

    record(open_repository(), ids, query, _question(fields))
