from __future__ import annotations

import hashlib

import pytest

from gitmem.drift.content.outline import Outline
from gitmem.drift.content.reading import outline
from gitmem.drift.volatility import challenges
from gitmem.model.change import MODE_FILE, Change
from gitmem.model.validation import Mark
from gitmem.model.watch import Polarity, Watch, WatchKind, parse_watch

SEND = "def send(order):\n    return order\n"
OTHER = "\n\ndef log(order):\n    print(order)\n"


class Blobs:
    """Contents that rows are made of."""

    def __init__(self) -> None:
        self._held: dict[str, bytes] = {}

    def put(self, text: str | bytes) -> str:
        data = text.encode() if isinstance(text, str) else text
        oid = hashlib.sha1(data).hexdigest()
        self._held[oid] = data
        return oid

    def blob(self, oid: str) -> bytes | None:
        return self._held.get(oid)

    def outline(self, path: str, oid: str) -> Outline | None:
        data = self.blob(oid)
        return outline(path, data) if data is not None else None

    def row(
        self, old: str | None, new: str | None, path: str = "a.py", new_path: str | None = None
    ) -> Change:
        status = (
            "added" if old is None else "deleted" if new is None else "renamed" if new_path else "modified"
        )
        return Change(
            status,  # type: ignore[arg-type]  # one of the literals
            path if old is not None else None,
            (new_path or path) if new is not None else None,
            MODE_FILE,
            MODE_FILE,
            self.put(old) if old is not None else None,
            self.put(new) if new is not None else None,
        )


SYMBOL = Mark(parse_watch("symbol", "a.py#send"))
FILE = Mark(parse_watch("file", "a.py"))
PATH = Mark(parse_watch("path", "a.py"))
KEY = Mark(parse_watch("key", "p.json#scripts.lint"))


@pytest.mark.parametrize(
    ("mark", "old", "new", "count"),
    [
        (SYMBOL, SEND + OTHER, SEND.replace("return", "yield") + OTHER, 1),
        (SYMBOL, SEND + OTHER, SEND + OTHER.replace("print", "warn"), 0),
        (SYMBOL, SEND + OTHER, "# said\n" + SEND + OTHER, 0),
        (SYMBOL, SEND + OTHER, SEND.replace("(order)", "(order: str)") + OTHER, 0),
        (SYMBOL, SEND + OTHER, OTHER, 1),
        (SYMBOL, SEND + OTHER, None, 1),
        (SYMBOL, None, SEND, 0),
        (FILE, SEND + OTHER, SEND, 1),
        (FILE, SEND, "# said\n" + SEND, 0),
        (FILE, SEND, "import x\n" + SEND, 0),
        (PATH, SEND, OTHER, 0),
        (PATH, SEND, None, 1),
    ],
)
def test_one_commit(mark: Mark, old: str | None, new: str | None, count: int) -> None:
    blobs = Blobs()
    assert challenges([mark], [[blobs.row(old, new)]], blobs) == count


def test_a_key() -> None:
    blobs = Blobs()
    one, same, other = (
        '{"scripts": {"lint": "a"}}',
        '{"x": 1, "scripts": {"lint": "a"}}',
        '{"scripts": {"lint": "b"}}',
    )
    assert challenges([KEY], [[blobs.row(one, same, "p.json")]], blobs) == 0
    assert challenges([KEY], [[blobs.row(one, other, "p.json")]], blobs) == 1


def test_commits_are_counted_and_not_rows_or_marks() -> None:
    blobs = Blobs()
    rows = [blobs.row(SEND, OTHER), blobs.row(SEND, OTHER, "b.py")]
    marks = [SYMBOL, FILE, Mark(parse_watch("file", "b.py"))]
    assert challenges(marks, [rows, rows, [blobs.row(SEND, OTHER, "c.py")]], blobs) == 2


def test_a_rename_with_its_content_is_none() -> None:
    blobs = Blobs()
    assert challenges([SYMBOL, FILE], [[blobs.row(SEND, SEND, new_path="b.py")]], blobs) == 0


def test_a_memory_that_rests_on_names_alone_is_not_replayed() -> None:
    blobs = Blobs()
    ident = Mark(Watch(WatchKind.IDENT, name="send", polarity=Polarity.PROHIBITS))
    assert challenges([ident], [[blobs.row(SEND, OTHER)]], blobs) == 0


def test_content_that_is_missing_counts_nothing() -> None:
    blobs = Blobs()
    row = Change("modified", "a.py", "a.py", MODE_FILE, MODE_FILE, "1" * 40, "2" * 40)
    assert challenges([SYMBOL, FILE], [[row]], blobs) == 0
