"""What gitmem's own editor writes into the free fields of an approved file is no edit of what was approved."""

from __future__ import annotations

import pytest

from gitmem.store.editing import set_scalar
from gitmem.trust.sameness import same_approved
from tests.support.memories import memory

FILES = {
    "plain": memory(),
    "no last line break": memory().rstrip("\n"),
    "windows": memory().replace("\n", "\r\n"),
    "comments": memory().replace("status: active", "status: active  # since the incident"),
    "marked before": memory(status="challenged", challenged_at="2026-07-01", challenged_because="old"),
    "older spelling": memory().replace("status: active", "promotion_status: approved"),
    "byte order mark": "\ufeff" + memory(),
    "quoted": memory(status='"active"', review_after="'2026-10-01'"),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("challenged_at", "2026-08-01"),
        ("challenged_because", "changed: src/a.py rewritten, 3 commits\n한 줄 더"),
        ("last_validated_at", "2026-08-01T10:00:00+09:00"),
        ("review_after", None),
    ],
)
def test_free_fields(name: str, field: str, value: str | None) -> None:
    before = FILES[name].encode()
    after = set_scalar(before, field, value)
    assert same_approved(before, after)


@pytest.mark.parametrize("name", FILES)
def test_the_status(name: str) -> None:
    before = FILES[name].encode()
    field = "promotion_status" if name == "older spelling" else "status"
    marked = set_scalar(before, field, "challenged")
    assert same_approved(before, marked)
    assert not same_approved(before, set_scalar(before, field, "deprecated"))
