"""Command lines that are plainly right, read without click: half of a short command's time is click's import.

Anything else, such as an unknown option or a doubled argument, is left to the ordinary way, which tells what is wrong.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing is slow to import
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def plain_fields(
    arguments: Sequence[str], values: Mapping[str, str], flags: Mapping[str, str], *, most_words: int
) -> tuple[dict[str, list[str]], list[str]] | None:
    """What each option was given, and the words beside them; None for anything that is not plain.

    Args:
        arguments: What stands behind the command's word.
        values: Field of each option that takes a value.
        flags: Field of each that takes none.
        most_words: How many words there may be.
    """
    fields: dict[str, list[str]] = {}
    words: list[str] = []
    waiting = list(reversed(arguments))
    while waiting:
        word = waiting.pop()
        name, equals, value = word.partition("=")
        if word in flags:
            fields.setdefault(flags[word], []).append(word)
        elif word in values and waiting and not waiting[-1].startswith("-"):
            fields.setdefault(values[word], []).append(waiting.pop())
        elif name.startswith("--") and equals and name in values:
            fields.setdefault(values[name], []).append(value)
        elif word.startswith("-") or len(words) == most_words:
            return None
        else:
            words.append(word)
    return fields, words
