"""`gitmem brief` without click, and without anything but the standard library where nothing has changed since the last.

What was told is kept in ``gitmem/cache/`` of the git directory with all that it depends on (`gitmem.wire.standpoint`, the
question, the day, and gitmem itself), at most `_MOST` of them. Commits on top of what it was told about are looked at
(`gitmem.cli.quick_later`). A command line that is not plain goes the ordinary way,
and so does all that is kept nowhere: JSON, and an answer with something to say beside it. A test holds the options here
to those of `gitmem.cli.brief`.
"""

# pathlib is a slow import:
# ruff: noqa: PTH100, PTH109, PTH116, PTH120
from __future__ import annotations

import os
import sys
import time
import zlib

from gitmem.cli.kept_answer import read_answer, write_answer
from gitmem.cli.plain_options import plain_fields
from gitmem.cli.quick_later import Later, keep_later, still_holds
from gitmem.wire.standpoint import find_place, standpoint

TYPE_CHECKING = False  # typing is slow to import
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.cli.briefing import Prepared, Question
    from gitmem.usecases.brief_reach import Leave
    from gitmem.wire.standpoint import Place, Stand

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
    if not text and "quiet" not in fields:
        sys.stderr.write(f"{query}\n")  # where nothing is known, the remark is kept in its place
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

    def __init__(self, where: Place, question: tuple[str | tuple[str, ...], ...], stand: Stand) -> None:
        self.where = where
        name = zlib.crc32(repr(question).encode("utf-8", "backslashreplace"))
        self._folder = f"{where[2]}/gitmem/cache"
        self._file = f"{self._folder}/brief-{name:08x}.marshal"
        rest, self._tip, self.changed = stand
        self._key = (question, _edition(), time.strftime("%Y-%m-%d %z"), rest)

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
        kept = read_answer(self._file)
        if kept is None or kept[0] != self._key:
            return None
        _, tip, later, answer = kept
        if tip == self._tip:
            return answer  # type: ignore[no-any-return]  # as it was kept
        later = still_holds(self.where[1], self._folder, later, self._tip) if later is not None else None
        if later is None:
            return None
        write_answer(self._file, (self._key, self._tip, later, answer))
        return answer  # type: ignore[no-any-return]  # as it was kept

    def keep(self, answer: tuple[str, tuple[str, ...], str], leave: Leave | None) -> None:
        """Keep an answer, where this clone can be written, and what must stay as it is for it."""
        later: Later | None = keep_later(self._folder, leave) if leave is not None else None
        if later is not None and self._tip.strip() not in (b"", later[0].encode()):
            later = None  # HEAD moved on meanwhile
        write_answer(self._file, (self._key, self._tip, later, answer))


_NOT_ASKED = frozenset({"session", "quiet"})


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
        prepared = prepare(question, shelf.changed if shelf is not None else None)
    except Exception:  # noqa: BLE001 - nothing was written, and the ordinary way meets the same failure and tells it
        return None
    if shelf is not None and _is_keepable(prepared, shelf.where):
        brief, text = prepared.brief, prepared.text
        answer = (text.text, text.memories, brief.remark if brief.is_empty else brief.memories.query)
        shelf.keep(answer, _leave(prepared, question))
    invocation = Invocation()
    invocation.json, invocation.quiet = "json" in fields, "quiet" in fields
    return tell(invocation, question, prepared)


def _leave(prepared: Prepared, question: Question) -> Leave | None:
    brief = prepared.brief
    if brief.material is not None or brief.outlook is None:
        return None
    from gitmem.usecases.brief_reach import leave_of

    return leave_of(prepared.repository, brief.outlook, guesses=not question.paths)


def _is_keepable(prepared: Prepared, where: Place) -> bool:
    brief, layout = prepared.brief, prepared.repository.layout
    same = tuple(map(str, (layout.work_tree, layout.git_dir, layout.common_dir)))
    has_answer = bool(prepared.text.text) or (brief.is_empty and brief.material is None)
    is_silent = not (brief.problem or brief.unread) and has_answer
    return brief.is_settled and is_silent and tuple(map(os.path.realpath, where)) == same


def _record(fields: dict[str, list[str]], ids: tuple[str, ...], query: str) -> None:
    from gitmem.cli.briefing import record
    from gitmem.git.opening import open_repository

    record(open_repository(), ids, query, _question(fields))
