"""What of a memory is embedded."""

from __future__ import annotations

import pytest

from gitmem.model.memory import Kind, Memory, Status
from gitmem.usecases.embedding.texts import memory_text


@pytest.mark.parametrize(
    ("summary", "body", "text"),
    [
        ("Retry thrice, as [[Payment limits]] says", None, "Retry thrice, as  says"),
        ("Retry thrice", "More in [[ADR-17]] and [[Limits|the bank's limits]].", "Retry thrice\nMore in  and the bank's limits."),
        ("`[[ -f x ]]` tests for a file", None, "`[[ -f x ]]` tests for a file"),
        ("[[Payment limits]]", None, "[[Payment limits]]"),
    ],
)  # fmt: skip
def test_what_links_name_is_anothers_text(summary: str, body: str | None, text: str) -> None:
    told = Memory("m", ".ai/memory/m.yaml", Kind.NOTE, None, Status.ACTIVE, summary, body=body)
    assert memory_text(told) == text
