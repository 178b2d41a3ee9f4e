"""A command as one line of text."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

_TELLING = re.compile(
    r"(?i)--?[\w-]*(?:passw(?:or)?d|passphrase|secret|token|api-?key|access-?key|private-?key)"
)
_LONGEST = 2000


def command_line(command: Sequence[str]) -> str:
    """A command quoted for sh, without what follows an option that names a secret (``--token VALUE``)."""
    words: list[str] = []
    hidden = False
    for word in command:
        words.append("[masked:argument]" if hidden and not word.startswith("-") else shlex.quote(word))
        hidden = _TELLING.fullmatch(word) is not None
    line = " ".join(words)
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
