from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.store import parses as parses_module
from gitmem.store.parses import Parses

OID = "a" * 40
OTHER = "b" * 40


def test_what_was_put_is_there_for_the_next_process_once_it_is_saved(tmp_path: Path) -> None:
    first = Parses(tmp_path)
    first.put("outline", "python .py", OID, b"one")
    first.put("outline", "python .py", OTHER, b"two")
    assert Parses(tmp_path).get("outline", "python .py", OID) is None
    first.save()
    second = Parses(tmp_path)
    assert second.get("outline", "python .py", OID) == b"one"
    assert second.get("outline", "python .py", OTHER) == b"two"
    assert second.get("outline", "text .py", OID) is None
    assert second.get("words", "python .py", OID) is None
    assert {one.name for one in (tmp_path / "gitmem" / "parses").iterdir()} == {"a.marshal", "b.marshal"}


@settings(max_examples=40, deadline=None)
@given(cut=st.integers(0, 300), flip=st.integers(0, 300))
def test_a_damaged_file_is_as_nothing_kept(
    tmp_path_factory: pytest.TempPathFactory, cut: int, flip: int
) -> None:
    folder = tmp_path_factory.mktemp("parses")
    first = Parses(folder)
    first.put("outline", "n", OID, b"value" * 20)
    first.save()
    file = folder / "gitmem" / "parses" / "a.marshal"
    whole = file.read_bytes()
    file.write_bytes(whole[:cut])
    assert Parses(folder).get("outline", "n", OID) == (b"value" * 20 if cut >= len(whole) else None)
    flipped = bytearray(whole)
    flipped[flip % len(whole)] ^= 0xFF
    file.write_bytes(flipped)
    assert Parses(folder).get("outline", "n", OID) is None


def test_another_gitmem_reads_nothing_and_writes_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Parses(tmp_path)
    first.put("outline", "n", OID, b"old")
    first.save()
    monkeypatch.setattr(parses_module, "edition", lambda: "another")
    second = Parses(tmp_path)
    assert second.get("outline", "n", OID) is None
    second.put("outline", "n", "a1" * 20, b"new")
    second.save()
    monkeypatch.undo()
    assert Parses(tmp_path).get("outline", "n", OID) is None


def test_a_file_is_bounded_and_what_was_used_last_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parses_module, "MOST_BYTES", 2_000)
    oids = [f"a{number:039d}" for number in range(40)]
    for oid in oids[:10]:
        cache = Parses(tmp_path)
        cache.put("outline", "n", oid, b"x" * 100)
        cache.get("outline", "n", oids[0])
        cache.save()
    last = Parses(tmp_path)
    kept = [oid for oid in oids[:10] if last.get("outline", "n", oid)]
    assert oids[0] in kept, "it was used each time"
    assert oids[9] in kept
    assert oids[1] not in kept
    assert (tmp_path / "gitmem" / "parses" / "a.marshal").stat().st_size < 2_500


def test_a_clone_that_cannot_be_written_keeps_nothing_and_fails_nobody(tmp_path: Path) -> None:
    (tmp_path / "gitmem").write_text("no folder")
    cache = Parses(tmp_path)
    cache.put("outline", "n", OID, b"one")
    cache.save()
    assert cache.get("outline", "n", OID) == b"one"
    assert Parses(tmp_path).get("outline", "n", OID) is None


def _write(folder: str, number: int) -> None:
    for step in range(15):
        cache = Parses(folder)
        cache.put("outline", "n", f"a{number:019d}{step:020d}", b"x" * 500)
        cache.save()


def test_processes_that_write_at_once_leave_a_whole_file(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_write, args=(str(tmp_path), number)) for number in range(4)]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    cache = Parses(tmp_path)
    kept = [
        (number, step)
        for number in range(4)
        for step in range(15)
        if cache.get("outline", "n", f"a{number:019d}{step:020d}") == b"x" * 500
    ]
    assert all(one.exitcode == 0 for one in writers)
    assert any(step == 14 for _, step in kept), "who wrote last wrote all that it had"
    assert {one.name for one in (tmp_path / "gitmem" / "parses").iterdir()} == {"a.marshal"}
