from __future__ import annotations

import marshal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.model.memory import Kind, Memory, Status
from gitmem.model.problem import Problem
from gitmem.model.validation import Validation
from gitmem.store import cache as cache_module
from gitmem.store.cache import Cache
from gitmem.store.freezing import (
    freeze_memory,
    freeze_problems,
    freeze_validation,
    thaw_memory,
    thaw_problems,
    thaw_validation,
)
from tests.store.strategies import memories, validations


def names_in(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir()]


def test_what_was_put_is_there_for_the_next_process(tmp_path: Path) -> None:
    first = Cache(tmp_path / "gitmem" / "cache")
    first.put("memory", "a", ("x", 1, None))
    first.put("validation", "a", ["y"])
    first.save()
    second = Cache(tmp_path / "gitmem" / "cache")
    assert second.get("memory", "a") == ("x", 1, None)
    assert second.get("validation", "a") == ["y"]
    assert second.get("memory", "b") is None
    assert second.get("other", "a") is None
    assert names_in(tmp_path / "gitmem" / "cache") == ["parsed.marshal"]


@settings(max_examples=40, deadline=None)
@given(cut=st.integers(0, 200), flip=st.integers(0, 200))
def test_a_damaged_file_is_an_empty_cache(
    tmp_path_factory: pytest.TempPathFactory, cut: int, flip: int
) -> None:
    folder = tmp_path_factory.mktemp("cache")
    cache = Cache(folder)
    cache.put("memory", "a", ("value",) * 20)
    cache.save()
    file = folder / "parsed.marshal"
    whole = file.read_bytes()
    file.write_bytes(whole[:cut])
    assert Cache(folder).get("memory", "a") in {None, ("value",) * 20 if cut >= len(whole) else None}
    flipped = bytearray(whole)
    flipped[flip % len(whole)] ^= 0xFF
    file.write_bytes(flipped)
    assert Cache(folder).get("memory", "a") is None


def test_another_version_is_an_empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = Cache(tmp_path)
    old.put("memory", "a", 1)
    old.save()
    monkeypatch.setattr(cache_module, "_HEADER", b"gitmem cache 2\n")
    new = Cache(tmp_path)
    assert new.get("memory", "a") is None
    new.put("memory", "a", 2)
    new.save()
    assert Cache(tmp_path).get("memory", "a") == 2


@pytest.mark.parametrize("what", ["file", "folder"])
def test_where_nothing_can_be_written_nothing_fails(tmp_path: Path, what: str) -> None:
    # A file where a folder must be refuses writing to every user, root too.
    (tmp_path / "blocked").write_text("x")
    if what == "folder":
        (tmp_path / "parsed.marshal").mkdir()
    cache = Cache(tmp_path / "blocked" if what == "file" else tmp_path)
    assert cache.get("memory", "a") is None
    cache.put("memory", "a", 1)
    cache.save()
    assert cache.get("memory", "a") == 1
    assert not [name for name in names_in(tmp_path) if name.endswith(".tmp")]


def test_a_value_that_cannot_be_kept_does_not_fail_the_caller(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("memory", "a", object())
    cache.save()
    assert Cache(tmp_path).get("memory", "a") is None


def test_nothing_new_writes_nothing(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.get("memory", "a")
    cache.save()
    assert names_in(tmp_path) == []


def test_a_cache_that_has_grown_too_long_keeps_what_was_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "_MOST", 10)
    first = Cache(tmp_path)
    for number in range(10):
        first.put("memory", str(number), number)
    first.save()
    second = Cache(tmp_path)
    assert second.get("memory", "3") == 3
    second.put("memory", "new", 11)
    second.save()
    third = Cache(tmp_path)
    assert [third.get("memory", key) for key in ("3", "new", "4")] == [3, 11, None]


@settings(max_examples=60, deadline=None)
@given(memories)
def test_a_memory_survives_freezing_and_marshal(memory: Memory) -> None:
    thawed = thaw_memory(marshal.loads(marshal.dumps(freeze_memory(memory))))
    assert thawed == memory
    assert (type(thawed.kind), type(thawed.status)) == (Kind, Status)


@settings(max_examples=40, deadline=None)
@given(validations)
def test_a_validation_survives_freezing_and_marshal(validation: Validation) -> None:
    assert thaw_validation(marshal.loads(marshal.dumps(freeze_validation(validation)))) == validation


def test_problems_survive_freezing_and_marshal() -> None:
    problems = (Problem("a\udcff", 1, 2, "status", "wrong", "cure", "warning"), Problem("b", 0, 0, "", "x"))
    assert thaw_problems(marshal.loads(marshal.dumps(freeze_problems(problems)))) == problems
