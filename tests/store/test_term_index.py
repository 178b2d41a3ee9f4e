"""The index file: what it holds after any edits, and that damage, other writers and no right to write change nothing."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.store.term_index import DAMAGE, Postings, TermIndex, load_index
from gitmem.store.term_writing import Cards, Indexed, Wanted, counted, renewed

TERMS = st.dictionaries(st.sampled_from(["wa", "wb", "wc", "bx", "gy"]), st.integers(1, 9), max_size=4)
STATES = st.lists(st.dictionaries(st.sampled_from("abcdefgh"), TERMS, max_size=8), min_size=1, max_size=5)
ALL: dict[str, dict[str, int]] = {
    **{letter: {"wa": 1, "wb": number + 1, "gy": 2} for number, letter in enumerate("abcdef")},
    "g": {},
    "h": {"bx": 7},
}
DOCUMENTS = {"a": {"wa": 2, "wb": 1}, "b": {"wb": 3}, "c": {"bx": 1}}


def wanted(documents: Mapping[str, Mapping[str, int]], state: str = "one") -> Wanted:
    by_key = {f"{key} {sorted(terms.items())}": (key, terms) for key, terms in documents.items()}

    def indexed(keys: Sequence[str]) -> list[Indexed]:
        return [Indexed(terms, name) for name, terms in map(by_key.__getitem__, keys)]

    def heads_of(numbers: Mapping[str, int]) -> dict[str, int]:
        return {by_key[key][0]: number for key, number in numbers.items()}

    return Wanted(state, list(by_key), indexed, heads_of)


def told_by_cards(documents: Mapping[str, Mapping[str, int]], state: str = "one") -> Wanted:
    """The same, where the card tells the terms and these are made in one go."""
    asked = wanted(documents, state)

    def postings_of(cards: Mapping[int, str]) -> dict[str, Postings]:
        told: dict[str, list[int]] = {}
        for number, name in cards.items():
            for term, count in documents[name].items():
                told.setdefault(term, []).extend([number] * count)
        return {term: counted(numbers) for term, numbers in told.items()}

    cards = Cards(lambda key: key.partition(" ")[0], ALL.__getitem__, postings_of)
    return asked._replace(documents=cards)


def content(index: TermIndex) -> dict[str, object]:
    """All that a reader can see, by name and not by number."""
    names = {number: name for name, number in index.heads.items()}
    assert dict(index.cards()) == names
    return {
        "count": index.count,
        "postings": {
            term: {names[number]: count for number, count in zip(*found, strict=True)}
            for term, found in index.postings(["wa", "wb", "wc", "bx", "gy"])
        },
        "frequencies": index.frequencies(["wa", "wb", "wc", "bx", "gy"]),
        "lengths": {
            channel: {name: (*index.lengths(channel), *([0] * 99))[number] for number, name in names.items()}
            for channel in "wbg"
        },
        "totals": {channel: sum(index.lengths(channel)) for channel in "wbg"},
    }


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(STATES)
def test_an_index_renewed_step_by_step_holds_what_one_made_anew_holds(
    states: list[dict[str, dict[str, int]]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "index.sqlite")
        old = None
        for number, documents in enumerate(states):
            index = renewed(file, wanted(documents, str(number)), old=old)
            anew = renewed("", wanted(documents))
            assert content(index) == content(anew)
            if old is not None:
                old.close()
            anew.close()
            old = index
        if old is not None:
            old.close()


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.sets(st.sampled_from(sorted(ALL)), min_size=1), min_size=1, max_size=5))
def test_an_index_whose_cards_tell_the_terms_holds_the_same(states: list[set[str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "index.sqlite")
        old = None
        for number, names in enumerate(states):
            documents = {name: ALL[name] for name in names}
            index = renewed(file, told_by_cards(documents, str(number)), old=old)
            anew = renewed("", wanted(documents))
            assert content(index) == content(anew)
            for one in (anew, old):
                if one is not None:
                    one.close()
            old = index
        if old is not None:
            old.close()


def test_only_what_is_new_is_made(tmp_path: Path) -> None:
    file = str(tmp_path / "index.sqlite")
    many = {f"{letter}{number}": {"wa": 1} for letter in "ab" for number in range(5)}
    old = renewed(file, wanted(many))
    asked = wanted({**many, "new": {"wb": 1}}, "two")
    made: list[str] = []
    indexed = asked.documents
    assert not isinstance(indexed, Cards)

    def noted(keys: Sequence[str]) -> Iterable[Indexed]:
        made.extend(keys)
        return indexed(keys)

    renewed(file, asked._replace(documents=noted), old=old).close()
    old.close()
    assert [key.split(" ")[0] for key in made] == ["new"]


def test_a_kept_index_is_found_by_its_state_alone(tmp_path: Path) -> None:
    file = str(tmp_path / "odd ?#%name" / "index.sqlite")
    renewed(file, wanted(DOCUMENTS)).close()
    held = load_index(file, "one")
    assert held is not None
    assert content(held)["count"] == 3
    held.close()
    assert load_index(file, "two") is None
    assert load_index(file + "x") is None


@pytest.mark.parametrize("damage", ["empty", "cut", "text", "flip", "folder"])
def test_a_damaged_file_is_no_index_or_says_so_when_it_is_read(tmp_path: Path, damage: str) -> None:
    file = tmp_path / "index.sqlite"
    many = {f"{number:03}": {f"w{number}": 1, "wa": 2} for number in range(200)}
    renewed(str(file), wanted(many)).close()
    data = file.read_bytes()
    file.unlink()
    if damage == "folder":
        file.mkdir()
    else:
        file.write_bytes(
            {
                "empty": b"",
                "cut": data[: len(data) // 2],
                "text": b"no database at all\n" * 500,
                "flip": bytes(255 - byte if place % 97 == 0 else byte for place, byte in enumerate(data)),
            }[damage]
        )
    held = load_index(str(file), "one")
    if held is not None:
        with pytest.raises(DAMAGE):
            content(held)
        held.close()
    again = renewed(str(file), wanted(DOCUMENTS, "two"))
    assert content(again)["count"] == 3
    again.close()


def test_a_damaged_older_index_is_not_built_upon(tmp_path: Path) -> None:
    file = str(tmp_path / "index.sqlite")
    old = renewed(file, wanted(DOCUMENTS))
    connection = sqlite3.connect(file)
    connection.execute("UPDATE terms SET counts = x'00'")
    connection.commit()
    connection.close()
    more = {**DOCUMENTS, "d": {"wb": 1}}
    again = renewed(file, wanted(more, "two"), old=old)
    anew = renewed("", wanted(more))
    assert content(again) == content(anew)
    for one in (old, again, anew):
        one.close()


def test_a_reader_keeps_the_file_that_it_opened(tmp_path: Path) -> None:
    file = str(tmp_path / "index.sqlite")
    first = renewed(file, wanted(DOCUMENTS))
    seen = content(first)
    renewed(file, wanted({"z": {"wc": 1}}, "two")).close()
    assert content(first) == seen
    first.close()


def test_an_index_lives_in_memory_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where a folder should be")
    index = renewed(str(tmp_path / "cache" / "index.sqlite"), wanted(DOCUMENTS))
    assert content(index)["count"] == 3
    index.close()


def test_writers_at_once_leave_a_whole_file_and_nothing_else(tmp_path: Path) -> None:
    file = str(tmp_path / "index.sqlite")

    def write(number: int) -> None:
        renewed(file, wanted({f"{number}": {"wa": number}}, str(number))).close()

    threads = [Thread(target=write, args=(number,)) for number in range(1, 9)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    held = load_index(file)
    assert held is not None
    assert content(held)["lengths"] == {
        "w": {held.state: int(held.state)},
        "b": {held.state: 0},
        "g": {held.state: 0},
    }
    held.close()
    assert [one.name for one in tmp_path.iterdir()] == ["index.sqlite"]


def test_what_a_killed_writer_left_is_removed_once_it_is_old(tmp_path: Path) -> None:
    for name, age in (("index.sqlite.1.a.tmp", 3_600), ("index.sqlite.2.b.tmp", 0), ("other.tmp", 3_600)):
        (tmp_path / name).write_bytes(b"")
        when = time.time() - age
        os.utime(tmp_path / name, (when, when))
    renewed(str(tmp_path / "index.sqlite"), wanted(DOCUMENTS)).close()
    assert {one.name for one in tmp_path.iterdir()} == {"index.sqlite", "index.sqlite.2.b.tmp", "other.tmp"}
