"""The file of marks: found again, added to, and never believed when something else happened to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.model.event import Event
from gitmem.store.marks import Marks, load_marks, remove_other_marks, save_marks


def event(number: int) -> Event:
    return Event(f"{number:040x}"[::-1], number, "w", f"id-{number}", "run-1", "x", "", "a", {})


@given(first=st.sets(st.integers(1, 400)), second=st.sets(st.integers(1, 400)))
def test_only_what_was_added_is_found(
    first: set[int], second: set[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    kept = load_marks(
        folder, *save_marks(folder, "run", Marks().with_events(list(map(event, sorted(first)))))
    )
    marks = kept.with_events(list(map(event, sorted(second))))
    for number in range(1, 401):
        expected = number in first | second
        assert marks.may_have_id("w", f"id-{number}") is expected
        assert marks.has_commit(event(number).commit) is expected
        assert not marks.may_have_id("other", f"id-{number}")


def test_what_is_new_is_written_behind_what_is_there(tmp_path: Path) -> None:
    name, length = save_marks(tmp_path, "run", Marks().with_events([event(1), event(2)]))
    before = (tmp_path / name).read_bytes()
    again, longer = save_marks(tmp_path, "run", load_marks(tmp_path, name, length).with_events([event(3)]))
    assert (again, longer) == (name, length * 3 // 2)
    assert (tmp_path / name).read_bytes()[:length] == before


def test_two_that_add_at_once_keep_apart(tmp_path: Path) -> None:
    name, length = save_marks(tmp_path, "run", Marks().with_events([event(1)]))
    one, other = (load_marks(tmp_path, name, length).with_events([event(number)]) for number in (2, 3))
    first = save_marks(tmp_path, "run", one)
    second = save_marks(tmp_path, "run", other)
    assert first[0] == name != second[0]
    assert not load_marks(tmp_path, *second).may_have_id("w", "id-2")
    assert load_marks(tmp_path, *second).may_have_id("w", "id-3")
    assert load_marks(tmp_path, *first).may_have_id("w", "id-2")


def test_files_of_other_runs_stay(tmp_path: Path) -> None:
    (tmp_path / "run-a-b-1234.marks").write_bytes(b"")
    name, length = save_marks(tmp_path, "run-a", Marks().with_events([event(1)]))
    marks = load_marks(tmp_path, name, length)
    save_marks(tmp_path, "run-a", Marks().with_events([event(1)]))
    remove_other_marks(tmp_path, "run-a", "")
    assert [one.name for one in tmp_path.iterdir()] == ["run-a-b-1234.marks"]
    assert marks.may_have_id("w", "id-1")


@pytest.mark.parametrize("content", [None, b"", b"short"])
def test_a_file_that_is_gone_or_cut_is_no_cache(tmp_path: Path, content: bytes | None) -> None:
    name, length = save_marks(tmp_path, "run", Marks().with_events([event(1)]))
    (tmp_path / name).unlink()
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises((OSError, ValueError)):
        load_marks(tmp_path, name, length)
