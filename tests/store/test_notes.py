from __future__ import annotations

import pytest

from gitmem.model.memory import Kind, Memory, Scope, Status
from gitmem.store.notes import parse_note


def note(text: str, path: str = ".ai/memory/architecture.md") -> Memory:
    memory = parse_note(path, text.encode()).memory
    assert memory is not None
    return memory


def test_a_note_is_active_has_no_scope_and_keeps_its_text() -> None:
    memory = note("# iOS\n\n- UI 상태는 MainActor에서 변경한다.\n- 둘째.\n")
    assert (memory.id, memory.kind, memory.status, memory.scope) == (
        "architecture",
        Kind.NOTE,
        Status.ACTIVE,
        Scope(),
    )
    assert (memory.title, memory.summary) == ("iOS", "UI 상태는 MainActor에서 변경한다.")
    assert memory.body == "# iOS\n\n- UI 상태는 MainActor에서 변경한다.\n- 둘째."


@pytest.mark.parametrize(
    ("text", "title", "summary"),
    [
        ("Just text. More.\n", "architecture", "Just text."),
        ("---\ntitle: x\n---\n## Two ##\ntext v1.2 here! more", "Two", "text v1.2 here!"),
        ("# Only a heading\n", "Only a heading", "Only a heading"),
        ("", "architecture", "architecture"),
        ("# A\n## B\n\n1. first\n2. second\n", "A", "first"),
        ("제목이 없다。둘째。", "architecture", "제목이 없다。"),
        ("\ufeff# BOM\r\n\r\nCRLF text.\r\n", "BOM", "CRLF text."),
    ],
)
def test_title_and_summary(text: str, title: str, summary: str) -> None:
    memory = note(text)
    assert (memory.title, memory.summary) == (title, summary)


def test_notes_of_one_name_in_two_folders_have_two_ids() -> None:
    assert note("x", ".ai/memory/module-notes/payment.md").id == "module-notes.payment"
    assert note("x", ".ai/memory/payment.md").id == "payment"
    korean = note("x", ".ai/memory/결제.md").id
    assert korean.startswith("note-")
    assert korean != note("x", ".ai/memory/인증.md").id


@pytest.mark.parametrize(
    ("data", "words", "line"), [(b"ok\n\xff", "is not UTF-8", 2), (b"a" * 70_000, "over the limit", 0)]
)
def test_what_cannot_be_read_is_a_problem(data: bytes, words: str, line: int) -> None:
    parsed = parse_note("a.md", data)
    assert parsed.memory is None
    assert [(one.line, words in one.message) for one in parsed.problems] == [(line, True)]
