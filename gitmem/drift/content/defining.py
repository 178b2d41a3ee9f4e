"""Whether a file may define a name at its top, told by its text, so that files that only use it are not parsed.

Only for languages in which a keyword or an assignment stands before or behind the name; of others every file may. What
is said too often costs a parse; what defines the name is never passed over.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gitmem.drift.content.language import language_of

MOST_PLACES = 40
"""Occurrences that are looked at; a file with more may define the name."""
_REACH = 2_000
_TAIL = 400


class _Form(NamedTuple):
    """What stands around a name where it is defined: before it, back to the end of the last statement, or on both sides."""

    before: re.Pattern[str]
    around: tuple[re.Pattern[str], re.Pattern[str]] | None = None


_SCRIPT = _Form(
    re.compile(
        r"\b(?:function|class|interface|type|enum|namespace|module)\b[\s*]*(?:[\"'][^\"'\n]*)?$"
        r"|\b(?:const|let|var)\b[^;]*$|\bexports\b[^=;\n]*$"
    ),
    (
        re.compile(r"(?:^|\n)[^\S\n]*(?:(?:async|get|set|static)\s+|\*)*$"),
        re.compile(r"\s*\([^;\n]*\{\s*(?:\n|$)"),
    ),
)
_FORMS = {
    "python": _Form(
        re.compile(r"(?:^|\n)[^\S\n]*(?:async[^\S\n]+)?(?:def|class|type)[^\S\n]+$"),
        (re.compile(r"(?<![.])$"), re.compile(r"[^=\n]*=")),
    ),
    "rust": _Form(
        re.compile(
            r"\b(?:fn|struct|enum|trait|type|const|static|mod|union|as|extern|impl)\b[^;{]*$|\bmacro_rules!\s*$"
        )
    ),
    "go": _Form(re.compile(r"\b(?:func|type|var|const)\b[^\n]*$|\n[^\S\n]+(?:\w+[^\S\n]*,[^\S\n]*)*$")),
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "javascript": _SCRIPT,
}


def may_define(name: str, path: str, data: bytes) -> bool:
    """Whether a file's text has what a definition of a name at its top looks like; True where that cannot be told."""
    form = _FORMS.get(language_of(path, data))
    if form is None or name == "default":
        return True
    text, at, seen = data.decode("utf-8", "replace"), -1, 0
    while (at := text.find(name, at + 1)) >= 0:
        seen += 1
        end = at + len(name)
        whole = not (_is_letter(text, at - 1) or _is_letter(text, end))
        if seen > MOST_PLACES or (whole and _is_defined(form, text, at, end)):
            return True
    return False


def _is_letter(text: str, at: int) -> bool:
    return 0 <= at < len(text) and (text[at].isalnum() or text[at] in "_$")


def _is_defined(form: _Form, text: str, at: int, end: int) -> bool:
    start = max(text.rfind(";", 0, at), at - _REACH, 0)
    if form.before.search(text, start, at):
        return True
    if form.around is None:
        return False
    head, tail = form.around
    line = max(text.rfind("\n", 0, at), 0)
    return head.search(text, line, at) is not None and tail.match(text, end, end + _TAIL) is not None
