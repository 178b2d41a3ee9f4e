"""JSON as the nodes that YAML gives, each with its line and column."""

from __future__ import annotations

import re
from bisect import bisect_right
from json import JSONDecoder

from gitmem.errors import InvalidDataError
from gitmem.store.yaml_reading import Document, Duplicate, Entry, Fields, Items, Node, Text

_SPACE = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r"[^\s,\]}]+")
_LINE_END = re.compile(r"\n")
_DECODER = JSONDecoder()
_WORDS = {"null": None, "true": "true", "false": "false"}


class JsonNodes:
    """Reads one text that `json.loads` has taken before, so that its syntax is known to be right.

    Args:
        path: Name of the source, for errors.
        text: The text.
    """

    def __init__(self, path: str, text: str) -> None:
        self._path = path
        self._text = text
        self._duplicates: list[Duplicate] = []
        self._line_starts = [0, *(found.end() for found in _LINE_END.finditer(text))]

    def read(self) -> Document:
        """The document.

        Raises:
            InvalidDataError: Half a character.
            RecursionError: Nested too deeply.
        """
        root, _ = self._value(self._skip(0))
        return Document(root, tuple(self._duplicates))

    def _value(self, at: int) -> tuple[Node, int]:
        begins = self._text[at]
        if begins == "{":
            return self._object(at)
        if begins == "[":
            return self._list(at)
        line, column = self._place(at)
        if begins == '"':
            said, end = self._string(at)
            return Text(said or None, line, column, quoted=True), end
        scalar = self._match(_SCALAR, at)
        word = self._text[at:scalar]
        return Text(_WORDS.get(word, word), line, column, quoted=word not in _WORDS), scalar

    def _object(self, at: int) -> tuple[Node, int]:
        line, column = self._place(at)
        entries: dict[str, Entry] = {}
        place = self._skip(at + 1)
        while self._text[place] != "}":
            key, end = self._string(place)
            where = self._place(place)
            if key in entries:
                self._duplicates.append(Duplicate(key, *where, entries[key].line))
            value, end = self._value(self._skip(self._skip(end) + 1))
            entries.setdefault(key, Entry(key, value, *where))
            place = self._after(end)
        return Fields(entries, line, column), place + 1

    def _list(self, at: int) -> tuple[Node, int]:
        line, column = self._place(at)
        items: list[Node] = []
        place = self._skip(at + 1)
        while self._text[place] != "]":
            value, end = self._value(place)
            items.append(value)
            place = self._after(end)
        return Items(tuple(items), line, column), place + 1

    def _string(self, at: int) -> tuple[str, int]:
        said, end = _DECODER.raw_decode(self._text, at)
        if any("\ud800" <= character <= "\udfff" for character in said):
            self._refuse("surrogate escape", "write the character itself", self._place(at))
        return said, end

    def _after(self, at: int) -> int:
        """The place of what follows a value: behind the comma, or at the closing bracket."""
        place = self._skip(at)
        return self._skip(place + 1) if self._text[place] == "," else place

    def _skip(self, at: int) -> int:
        return self._match(_SPACE, at)

    def _match(self, pattern: re.Pattern[str], at: int) -> int:
        found = pattern.match(self._text, at)
        return found.end() if found else at

    def _place(self, at: int) -> tuple[int, int]:
        line = bisect_right(self._line_starts, at)
        return line, at - self._line_starts[line - 1] + 1

    def _refuse(self, message: str, hint: str, place: tuple[int, int]) -> None:
        line, column = place
        raise InvalidDataError(
            f"{self._path}:{line}:{column}: {message}", hint=hint, path=self._path, line=line, column=column
        )
