"""Memories cited in what an agent says."""

from __future__ import annotations

import pytest

from gitmem.recall.citing import cited_ids


@pytest.mark.parametrize(
    ("said", "ids"),
    [
        ("Kept the header (memory: m-021).", ("m-021",)),
        ("(Memories: `m-021`, m-040; memory-20260713-001)", ("m-021", "m-040", "memory-20260713-001")),
        ("규칙대로 했다 (memory: m-021), again (memory: m-021)", ("m-021",)),
        ("m-021 was printed, memory: m-022", ()),
        ("cite as (memory: ID)", ()),
        ("(memory: ../../etc)", ()),
        ("(memory: a\nb-123)", ()),
    ],
)
def test_only_the_form_of_a_citation_counts(said: str, ids: tuple[str, ...]) -> None:
    assert cited_ids([said]) == ids
