"""Scripts and targets as keys of their files, and where a statement names them."""

from __future__ import annotations

import re
from posixpath import basename

from gitmem.drift.words import code_spans
from gitmem.model.watch import Watch

_SCRIPT = re.compile(
    r"(?:^|\.)(?:scripts|tasks|targets)\.(?P<name>\"[^\"]+\"|[^.\[\]]+)(?:\.(?:run|cmd|shell|cmds))?"
)
_RULES = re.compile(r"(?i)(?:GNU)?makefile|\.?justfile|.*\.mk")


def script_name(watch: Watch) -> str | None:
    """The name of the script or target that a key is; None for any other key."""
    key = watch.name or ""
    if found := _SCRIPT.search(key):
        return found["name"].strip('"') if found.end() == len(key) else None
    return key if _RULES.fullmatch(basename(watch.path or "")) and not re.search(r"[\[\]=]", key) else None


def is_named(script: str, text: str) -> bool:
    """Whether a text names a script as such: in a code span, in bold, as a label, or behind a runner.

    ``lint`` in "runs clean, lint and tests" is a plain word, and ``test`` in ``test:ci`` another name.
    """
    name = rf"(?<![\w:.-]){re.escape(script)}(?![\w:-]|\.\w)"
    spans = (text[first:last] for first, last, _ in code_spans(text))
    if any(re.search(name, span) for span in spans):
        return True
    label = rf"\A\W*{re.escape(script)}(?:\s*[:：](?!\w)|\s+[–—-]\s)"
    return re.search(rf"\*\*{name}\*\*|{label}|\b(?:make|just|task|run)\s+{name}", text) is not None


_LABEL = re.compile(
    r"^[^\S\n]*(?:[-*+•]\s+|\d+[.)]\s+)?(?:\*\*(?P<bold>[a-z][\w:.-]*)\*\*|(?P<plain>[a-z][\w:-]*))\s*(?:[:：]\**|[-–—]\s)",
    re.MULTILINE,
)
_RUN = re.compile(r"(?<![\w`/-])(?:make|just|task)\s+(?P<name>[a-z][\w:-]*\w)(?![\w`/-]|\.\w)")


def labelled(text: str) -> tuple[str, ...]:
    """Words that may name a script where nothing marks them as code: ``**longtest**: …``, ``lint – …``, "run make lint".

    They do only where a file of the scope has one of that name.
    """
    labels = (match["bold"] or match["plain"] for match in _LABEL.finditer(text))
    runs = (match["name"] for match in _RUN.finditer(text))
    return tuple(dict.fromkeys([*labels, *runs]))
