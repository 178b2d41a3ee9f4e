"""The cache of vectors: whatever happens to its file, reading and writing go on."""

from __future__ import annotations

import sqlite3
from array import array
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.store.vectors import Failed, VectorStore, text_key, vector_file

ONE, OTHER = array("f", [1, 0]), array("f", [0, 1])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return Path(vector_file(tmp_path / "cache", "model"))


def store(file: Path, identity: str = "model") -> VectorStore:
    return VectorStore(str(file), identity)


def filled(file: Path) -> VectorStore:
    held = store(file)
    held.put({"a": ONE, "b": OTHER})
    return held


def test_what_is_put_is_got_by_another_process(file: Path) -> None:
    filled(file).close()
    held = store(file)
    assert held.get(["b", "a", "none"]) == {"a": ONE.tobytes(), "b": OTHER.tobytes()}
    assert held.missing(["none", "a", "none"]) == ["none"]
    assert (held.size, held.count) == (2, 2)
    held.keep_only(["b"])
    assert held.get(["a", "b"]) == {"b": OTHER.tobytes()}
    held.close()


def test_more_keys_than_one_question_takes(file: Path) -> None:
    held = store(file)
    held.put({f"k{number}": ONE for number in range(1_201)})
    assert len(held.get(f"k{number}" for number in range(2_000))) == 1_201
    held.close()


def test_another_model_or_another_length_begins_anew(file: Path) -> None:
    held = filled(file)
    held.put({"c": array("f", [1, 0, 0])})
    assert held.get(["a", "c"]).keys() == {"c"}
    assert held.size == 3
    held.close()
    held = store(file, "another model with the same check sum")
    assert (held.count, held.size, held.note("identity")) == (0, 0, "another model with the same check sum")
    held.close()
    assert vector_file("x", "one") != vector_file("x", "other")


def test_notes_and_the_last_failure_are_kept(file: Path) -> None:
    held = filled(file)
    assert held.failed is None
    held.failed = Failed(5.0, "gone", 4.0)
    held.set_note("unrelated", "0.8")
    held.close()
    held = store(file)
    assert held.failed == Failed(5.0, "gone", 4.0)
    held.failed = None
    assert (held.failed, held.note("unrelated")) == (None, "0.8")
    held.close()


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 40), st.binary(min_size=1, max_size=600))
def test_a_damaged_file_is_filled_anew(file: Path, block: int, noise: bytes) -> None:
    filled(file).close()
    data = bytearray(file.read_bytes())
    at = min(block * 512, len(data) - 1)
    data[at : at + len(noise)] = noise
    file.write_bytes(data)
    held = store(file)
    told = held.get(["a", "b"])
    assert told.items() <= {"a": ONE.tobytes(), "b": OTHER.tobytes()}.items()
    held.put({"a": ONE, "b": OTHER})
    assert held.get(["a", "b"]) == {"a": ONE.tobytes(), "b": OTHER.tobytes()}
    held.close()
    file.unlink()


@pytest.mark.parametrize("content", [b"", b"no database at all, but long enough to be looked at" * 99])
def test_another_file_in_its_place_is_no_cache(file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    held = filled(file)
    assert held.count == 2
    held.close()


def test_it_may_be_thrown_away_while_it_is_open(file: Path) -> None:
    held = filled(file)
    with sqlite3.connect(file) as other:
        other.execute("DROP TABLE vectors")
    other.close()
    assert held.get(["a"]) == {}
    held.put({"a": ONE})
    assert held.get(["a"]) == {"a": ONE.tobytes()}
    held.close()


def test_without_a_place_to_write_vectors_live_in_memory(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    held = filled(Path(vector_file(tmp_path / "cache", "model")))
    assert held.count == 2
    held.close()


def test_several_write_at_once_and_nothing_is_lost(file: Path) -> None:
    def write(writer: int) -> None:
        held = store(file)
        for number in range(20):
            held.put({f"{writer} {number}": ONE})
        held.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))
    held = store(file)
    assert held.count == 80
    held.close()


def test_a_busy_file_is_left_whole(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gitmem.store.vectors._PATIENCE", 0.01)
    held = filled(file)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    assert held.get(["a"]) == {}
    held.put({"c": ONE})
    other.execute("COMMIT")
    other.close()
    assert held.get(["a", "c"]) == {"a": ONE.tobytes()}
    held.close()


def test_any_text_has_a_key() -> None:
    assert text_key("a\ud800") != text_key("a")
