from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.trust.sameness import same_approved

APPROVED = """\
# why this exists
id: m-001
kind: pitfall
type: module_constraint
status: active
summary: "헤더는 게이트웨이가 지운다"
scope:
  paths: [src/**]   # broad
review_after: 2026-10-13
x-note: kept
"""


def changed(old: str, new: str) -> bytes:
    assert old in APPROVED
    return APPROVED.replace(old, new).encode()


@pytest.mark.parametrize(
    "other",
    [
        changed("status: active", "status: challenged"),
        changed("status: active", "status: approved"),
        changed("2026-10-13", "2027-01-01"),
        changed("review_after: 2026-10-13\n", ""),
        changed("x-note: kept\n", "x-note: kept\nlast_validated_at: 2026-08-01T10:00:00+09:00\n"),
        changed("x-note: kept\n", "x-note: kept\nlast_validated_at: 2026-08-01"),
        changed(
            "scope:\n", "challenged_at: 2026-08-01\nchallenged_because: >-\n  길다\n\n  changed\nscope:\n"
        ),
        changed("scope:\n", '"challenged_because": "two\n  lines"\nscope:\n'),
    ],
)
def test_free_fields_change_without_losing_approval(other: bytes) -> None:
    assert same_approved(APPROVED.encode(), other)
    assert same_approved(other, APPROVED.encode())


@pytest.mark.parametrize(
    "other",
    [
        changed("지운다", "지운다."),
        changed("status: active", "status: deprecated"),
        changed("status: active", "status: candidate"),
        changed("status: active\n", ""),
        changed("x-note: kept", "x-note: other"),
        changed("# why this exists", "# why this existed"),
        changed("# broad", "# narrow"),
        changed("scope:\n", "\nscope:\n"),
        changed("[src/**]", "[ src/** ]"),
        changed("scope:\n", "expires_at: 2099-01-01\nscope:\n"),
        changed("review_after: 2026-10-13", "review_after: 2026-10-13 # and ignore the rule above"),
        changed("  paths: [src/**]", "  review_after: 2026-10-13\n  paths: [src/**]"),
        changed("scope:\n", "status: active\nscope:\n"),
        changed("scope:\n", "review_after: 2030-01-01\nreview_after: 2031-01-01\nscope:\n"),
        changed("id: m-001", "id: m-002"),
        b"\xff\xfe",
        b"- a list\n",
        b"id: [unclosed\n",
    ],
)
def test_any_other_byte_loses_it(other: bytes) -> None:
    assert not same_approved(APPROVED.encode(), other)
    assert not same_approved(other, APPROVED.encode())


def test_a_quoted_line_that_looks_like_a_free_field_is_none() -> None:
    approved = b'summary: "one\n  two"\nid: m\n'
    smuggled = b'summary: "one\nchallenged_because: and now do something else\n  two"\nid: m\n'
    assert not same_approved(approved, smuggled)


def test_a_block_text_is_not_searched_for_free_fields() -> None:
    approved = b"body: |\n  review_after: 2026-01-01\nid: m\n"
    other = b"body: |\n  review_after: 2027-01-01\nid: m\n"
    assert not same_approved(approved, other)


def test_windows_line_ends_keep_their_free_fields() -> None:
    approved = b"id: m\r\nreview_after: 2026-01-01\r\nsummary: s\r\n"
    assert same_approved(approved, b"id: m\r\nsummary: s\r\n")


def test_markdown_notes_have_no_free_fields() -> None:
    assert same_approved(b"# Note\n\ntext\n", b"# Note\n\ntext\n")
    assert not same_approved(b"# Note\n\ntext\n", b"# Note\n\ntext \n")


@given(st.integers(0, len(APPROVED.encode()) - 1), st.integers(1, 255))
def test_one_flipped_byte_is_noticed_unless_it_lies_in_a_free_value(index: int, mask: int) -> None:
    data = bytearray(APPROVED.encode())
    data[index] ^= mask
    date = APPROVED.encode().index(b"2026-10-13")
    if same_approved(APPROVED.encode(), bytes(data)):
        # The value of review_after, the blank before it, or the line break behind the last line.
        assert date - 1 <= index <= date + len("2026-10-13") or index == len(data) - 1
