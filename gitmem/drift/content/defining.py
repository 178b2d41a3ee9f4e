"""Whether a file may define a name at its top, told by its text, so that files that only use it are not parsed.

Only for languages in which a keyword or an assignment stands before or behind the name; of others every file may. What
is said too often costs a parse; what defines the name is never passed over.
"""

from __future__ import annotations

import re
from functools import lru_cache

from gitmem.drift.content.language import language_of

_SCRIPT = (
    r"\b(?:function|class|interface|type|enum|namespace|module)\b[\s*]*(?:[\"'][^\"'\n]*)?NAME(?![\w$])"
    r"|\b(?:const|let|var)\b[^=;]*?(?<![\w$])NAME(?![\w$])|\bexports\b[^=;\n]*(?<![\w$])NAME(?![\w$])"
    r"|\b(?:const|let|var)\b[^;]*?[,{\s]NAME\s*[,:=}]"
    r"|^\s*(?:(?:async|get|set|static)\s+|\*)*NAME\s*\([^;\n]*\{\s*$"
)
_FORMS = {
    "python": r"^[^\S\n]*(?:async[^\S\n]+)?(?:def|class|type)[^\S\n]+NAME\b|(?<![\w.])NAME\b[^=\n]*=",
    "rust": r"\b(?:fn|struct|enum|trait|type|const|static|mod|union)\s+(?:mut\s+|unsafe\s+)?NAME\b|\bmacro_rules!\s*NAME\b|\b(?:as|extern|impl)\b[^;{]*\bNAME\b",
    "go": r"\b(?:func|type|var|const)\b[^\n]*\bNAME\b|^[^\S\n]+(?:\w+[^\S\n]*,[^\S\n]*)*NAME\b",
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "javascript": _SCRIPT,
}


def may_define(name: str, path: str, data: bytes) -> bool:
    """Whether a file's text has what a definition of a name at its top looks like; True where that cannot be told."""
    form = _FORMS.get(language_of(path, data))
    return (
        form is None
        or name == "default"
        or _pattern(form, name).search(data.decode("utf-8", "replace")) is not None
    )


@lru_cache(maxsize=4096)
def _pattern(form: str, name: str) -> re.Pattern[str]:
    return re.compile(form.replace("NAME", re.escape(name)), re.MULTILINE)
