from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.report.treemap import Rect, squarify

FRAME = Rect(10, 20, 600, 400)


def test_the_papers_example_is_laid_as_the_paper_lays_it() -> None:
    rects = squarify([6, 6, 4, 3, 2, 2, 1], Rect(0, 0, 6, 4))
    assert rects[:3] == [Rect(0, 0, 3, 2), Rect(0, 2, 3, 2), pytest.approx(Rect(3, 0, 12 / 7, 7 / 3))]


@given(st.lists(st.floats(0.1, 1e6), min_size=1, max_size=60))
def test_areas_are_in_proportion_and_nothing_overlaps_or_leaves_the_frame(weights: list[float]) -> None:
    rects = squarify(weights, FRAME)
    scale = FRAME.width * FRAME.height / sum(weights)
    for weight, rect in zip(weights, rects, strict=True):
        assert rect.width * rect.height == pytest.approx(weight * scale, rel=1e-6, abs=1e-3)
        assert rect.x >= FRAME.x - 1e-6
        assert rect.x + rect.width <= FRAME.x + FRAME.width + 1e-6
        assert rect.y >= FRAME.y - 1e-6
        assert rect.y + rect.height <= FRAME.y + FRAME.height + 1e-6
    ordered = sorted(rects)
    for at, one in enumerate(ordered):
        for other in ordered[at + 1 :]:
            across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
            down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
            assert min(across, down) < 1e-6


def test_nothing_to_lay_and_nowhere_to_lay_it() -> None:
    assert squarify([], FRAME) == []
    assert squarify([0, 0], FRAME) == [Rect(10, 20, 0, 0)] * 2
    assert squarify([1], Rect(0, 0, 0, 5)) == [Rect(0, 0, 0, 0)]


def test_even_weights_give_nearly_square_rectangles() -> None:
    for rect in squarify([1.0] * 1000, FRAME):
        assert 0.4 < rect.width / rect.height < 2.5
