"""Vectors, and the scale that models are put on."""

from __future__ import annotations

from array import array

import pytest

from gitmem.embedding import vector
from gitmem.embedding.calibration import on_common_scale, probes, unrelated_likeness
from gitmem.embedding.vector import cosines, normalised


def packed(*rows: list[float]) -> list[bytes]:
    return [normalised(row).tobytes() for row in rows]


def test_a_cosine_is_one_for_the_same_and_minus_one_for_the_opposite() -> None:
    told = cosines(normalised([3, 4]), packed([6, 8], [-3, -4], [4, -3]))
    assert told == pytest.approx([1, -1, 0], abs=1e-6)


def test_what_is_damaged_is_nothing_alike() -> None:
    broken = array("f", [float("nan"), 1]).tobytes()
    assert cosines(normalised([3, 4]), [b"", b"abc", broken]) == [0, 0, 0]


def test_many_are_compared_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = packed(*([float(one), 7.0 - one, 1.0] for one in range(1, 50)))
    rows.append(array("f", [float("inf"), 0, 0]).tobytes())
    asked = normalised([1, 2, 3])
    slow = cosines(asked, rows)
    monkeypatch.setattr(vector, "_MANY", 0)
    assert cosines(asked, rows) == pytest.approx(slow, abs=1e-6)
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    assert cosines(asked, rows) == slow


def test_unrelated_sentences_tell_where_a_model_begins() -> None:
    near = [normalised([10, *(1.0 if place == other else 0.0 for place in range(12))]) for other in range(12)]
    assert len(near) == len(probes())
    unrelated = unrelated_likeness(near)
    assert unrelated == pytest.approx(100 / 101, abs=1e-3)
    assert on_common_scale(1.0, unrelated) == 1
    assert on_common_scale(unrelated, unrelated) == 0
    assert on_common_scale(-1.0, 0.1) == -1
