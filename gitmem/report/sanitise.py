r"""The one sanitiser of untrusted text (targets.md, security 3).

Whatever comes from a repository or from the command line passes through here on its way to a person: characters that
a terminal obeys instead of showing, and those that nobody can see, become visible escapes such as ``\x1b`` and
``\u202e``. Letters of every script, combining marks, spaces and well-formed emoji stay as they are. JSON needs none of
this; what JSON is shown on may, see `visible_json`. Whatever can be a sentence is told without secrets
(`gitmem.redaction.told`).
"""

from __future__ import annotations

import re

from gitmem.model import visible_text
from gitmem.model.visible_text import is_shown, is_unsafe, visible
from gitmem.redaction.told import masked

__all__ = [
    "code",
    "fenced",
    "inert",
    "inline",
    "is_unsafe",
    "masked",
    "prose",
    "sentence",
    "tagless_json",
    "visible",
    "visible_block",
    "visible_json",
    "without_workflow_commands",
    "workflow_data",
    "workflow_property",
]


def prose(text: str) -> str:
    """As `visible_text.prose`, without secrets."""
    return visible_text.prose(masked(text))


def code(text: str) -> str:
    """As `visible_text.code`, without secrets."""
    return visible_text.code(masked(text))


def fenced(text: str, language: str = "") -> list[str]:
    """As `visible_text.fenced`, without secrets."""
    return visible_text.fenced(masked(text), language)


def visible_block(text: str) -> str:
    """As `visible_text.visible_block`, without secrets."""
    return visible_text.visible_block(masked(text))


def inline(text: str) -> str:
    """As `visible_text.inline`, without secrets."""
    return visible_text.inline(masked(text))


def sentence(text: str) -> str:
    """As `visible_text.sentence`, without secrets."""
    return visible_text.sentence(masked(text))


def visible_json(text: str) -> str:
    r"""JSON text that a terminal may show: hidden characters as JSON's own ``\uXXXX``, so that it reads back equal."""
    lines = text.split("\n")
    return "\n".join(line if is_shown(line) else "".join(map(_escape_json, line)) for line in lines)


def tagless_json(text: str) -> str:
    r"""JSON text that a model may read: as `visible_json`, and no tag begins in it, since ``<`` is ``\u003c`` there."""
    return _TAG.sub(r"\\u003c", visible_json(text))


def inert(text: str) -> str:
    """A sentence as Markdown that renders as the sentence: no markup, HTML, link, image, mention or issue reference.

    Words that a forge links by itself (``@team``, ``#12``, addresses, ``$math$``) become code spans, since no
    backslash stops it from linking them.
    """
    words = [
        _unlinked(word) if _AUTOLINKED.search(word) else _escape_markdown(word)
        for word in prose(text).split(" ")
    ]
    if words and _BLOCK_START.match(words[0]):
        words[0] = re.sub(r"([-+.)=])", r"\\\1", words[0])
    return " ".join(words)


def workflow_data(text: str) -> str:
    """Text behind the ``::`` of a workflow command; its line breaks are kept as escapes."""
    shown = "\n".join(map(visible, masked(text).replace("\r\n", "\n").split("\n")))
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def workflow_property(text: str) -> str:
    """Value of a workflow command's property such as ``file=``."""
    return workflow_data(text).replace(":", "%3A").replace(",", "%2C")


def without_workflow_commands(lines: list[str], token: str) -> list[str]:
    """Lines that a workflow runner shows and never obeys.

    Args:
        lines: Sanitised lines.
        token: A random word that no line can guess.
    """
    return [f"::stop-commands::{token}", *lines, f"::{token}::"]


_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_AUTOLINKED = re.compile(r"[@#$]|://|www\.|(?i:\bgh-\d)")
_AROUND = re.compile(r"""([(\["'“「]*)(.*?)([)\]"'”」,.;:!?。、]*)""", re.DOTALL)
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&])")
_BLOCK_START = re.compile(r"[-+=]|\d+[.)]")


def _unlinked(word: str) -> str:
    """A word as a code span, the punctuation around it left outside."""
    before, core, after = _AROUND.fullmatch(word).groups()  # type: ignore[union-attr]  # every word of one line matches
    return f"{_escape_markdown(before)}{code(core)}{_escape_markdown(after)}"


def _escape_markdown(word: str) -> str:
    return _MARKDOWN.sub(r"\\\1", word)


def _escape_json(character: str) -> str:
    if not is_unsafe(character):
        return character
    number = ord(character)
    if number < 0x10000:
        return f"\\u{number:04x}"
    high, low = divmod(number - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
