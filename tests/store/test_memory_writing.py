from __future__ import annotations

from dataclasses import replace
from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from gitmem.errors import InvalidDataError
from gitmem.model.memory import Evidence, Kind, Memory, Scope, Status
from gitmem.model.watch import Polarity, Watch, WatchKind
from gitmem.store.memories import parse_memory
from gitmem.store.memory_writing import format_memory
from gitmem.store.yaml_reading import build, plain, read_yaml
from tests.store.strategies import few, memories, texts, words

EXAMPLE = Memory(
    id="m-001",
    file=".ai/memory/payment/m-001.yaml",
    kind=Kind.PITFALL,
    type="module_constraint",
    status=Status.ACTIVE,
    summary="결제는 guard로 막는다: 두 번 금지",
    title="Guard",
    body="First line.\n\n- second: line\n",
    scope=Scope(paths=("src/pay/**",), does_not_apply_to=("internal_refactor",)),
    watch=(
        Watch(WatchKind.SYMBOL, path="src/pay/a.py", name="Api.call"),
        Watch(WatchKind.IDENT, name="isSubmitting", polarity=Polarity.PROHIBITS),
    ),
    evidence=Evidence(tests=("PayTests.testRetry",)),
    created_by="claude-code/sarah",
)
TEXT = """\
# yaml-language-server: $schema=../../schema/memory.schema.json
id: m-001
title: Guard
kind: pitfall
type: module_constraint
status: active
summary: "결제는 guard로 막는다: 두 번 금지"
body: |
  First line.

  - second: line
scope:
  paths:
    - src/pay/**
  does_not_apply_to:
    - internal_refactor
watch:
  - {symbol: src/pay/a.py#Api.call}
  - {ident: isSubmitting, polarity: prohibits}
evidence:
  tests:
    - PayTests.testRetry
created_by: claude-code/sarah
"""


def test_a_memory_is_written_as_a_person_would() -> None:
    assert format_memory(EXAMPLE).decode() == TEXT


def test_a_scope_of_the_whole_project_is_one_word() -> None:
    assert b"\nscope: project\n" in format_memory(replace(EXAMPLE, scope=Scope(project=True)))


def test_half_a_character_is_refused() -> None:
    with pytest.raises(InvalidDataError, match=r"U\+DCFF"):
        format_memory(replace(EXAMPLE, title="a\udcff"))


scopes = st.builds(Scope, few(words), few(words), few(texts), few(words), few(texts), st.booleans())
evidences = st.builds(Evidence, few(texts), few(texts), few(words), few(texts), few(texts))


@settings(max_examples=80, deadline=None)
@given(memories, scopes, evidences, texts.filter(str.strip))
def test_every_memory_survives_being_written_and_read(
    memory: Memory, scope: Scope, evidence: Evidence, summary: str
) -> None:
    # An empty list of watches means "derive them", which is no list; x- marks a field of one's own.
    memory = replace(
        memory,
        file=".ai/memory/a.yaml",
        summary=summary,
        scope=scope,
        evidence=evidence,
        watch=memory.watch or None,
        validated_by=memory.validated_by or ("human" if memory.approved_by == "human" else None),
        extra={f"x-{key}": value for key, value in memory.extra.items() if value is not None},
    )
    data = format_memory(memory)
    parsed = parse_memory(memory.file, data)
    assert parsed.problems == ()
    assert parsed.memory == memory
    text = data.decode()
    theirs = build("", text, YAML(typ="safe", pure=True).parse(StringIO(text)))
    assert plain(theirs.root) == plain(read_yaml("", data).root)
