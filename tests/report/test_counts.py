from __future__ import annotations

import pytest

from gitmem.report.counts import count_of


@pytest.mark.parametrize(("number", "said"), [(0, "0 events"), (1, "1 event"), (2, "2 events")])
def test_one_is_singular(number: int, said: str) -> None:
    assert count_of(number, "event") == said
