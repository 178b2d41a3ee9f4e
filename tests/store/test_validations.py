from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from io import StringIO

import pytest
from hypothesis import given, settings
from ruamel.yaml import YAML

from gitmem.model.validation import Baseline, Mark, Validation
from gitmem.model.watch import Quote, Watch, WatchKind
from gitmem.store.field_reading import parse_moment
from gitmem.store.validations import (
    LIMITS,
    format_moment,
    format_validation,
    parse_validation,
    validation_path,
)
from gitmem.store.yaml_reading import build, plain, read_yaml
from tests.store.strategies import validations

EXAMPLE = Validation(
    memory="m-021",
    at=datetime(2026, 7, 13, 10, 35, tzinfo=timezone(timedelta(hours=9))),
    by="claude-code/sarah",
    text="a" * 64,
    baseline=Baseline(
        commit="1" * 40,
        tree="b" * 40,
        scope="c" * 64,
        marks=(
            Mark(
                Watch(WatchKind.SYMBOL, path="src/a.py", name="Api.call"),
                blob="d" * 40,
                sig="e" * 8,
                at=(40, 58),
            ),
            Mark(
                Watch(WatchKind.LINES, path="src/결제.py", lines=(3, 4), quote=Quote('x = "a"\n  y')),
                blob="f" * 40,
            ),
            Mark(
                Watch(WatchKind.PATH, path="src/legacy/"),
                counts=(2,),
                sample=(("src/legacy/a.py", "a" * 40),),
            ),
        ),
    ),
)
TEXT = f"""\
memory: m-021
at: 2026-07-13T10:35:00+09:00
by: claude-code/sarah
how: looked
text: {"a" * 64}
baseline:
  commit: "{"1" * 40}"
  tree: {"b" * 40}
  algo: 1
  scope: {"c" * 64}
  marks:
    - {{watch: symbol src/a.py#Api.call, blob: {"d" * 40}, sig: {"e" * 8}, at: [40, 58]}}
    - {{watch: lines src/결제.py:3-4, quote: {{exact: "x = \\"a\\"\\n  y"}}, blob: {"f" * 40}}}
    - {{watch: path src/legacy/, counts: [2], sample: [{"a" * 40} src/legacy/a.py]}}
"""


def test_a_validation_is_written_readably_one_mark_a_line() -> None:
    assert format_validation(EXAMPLE).decode() == TEXT


def test_a_validation_reads_back() -> None:
    parsed = parse_validation(".ai/validations/m-021/x.yaml", TEXT.encode())
    assert parsed.problems == ()
    assert parsed.validation == replace(EXAMPLE, file=".ai/validations/m-021/x.yaml")


@settings(max_examples=80, deadline=None)
@given(validations)
def test_every_validation_survives_being_written_and_read(validation: Validation) -> None:
    data = format_validation(validation)
    parsed = parse_validation("", data)
    assert parsed.problems == ()
    assert parsed.validation == validation


@settings(max_examples=20, deadline=None)
@given(validations)
def test_ruamel_reads_the_same_tree(validation: Validation) -> None:
    text = format_validation(validation).decode()
    theirs = build("", text, YAML(typ="safe", pure=True).parse(StringIO(text)), LIMITS)
    assert plain(theirs.root) == plain(read_yaml("", text.encode(), LIMITS).root)


def sampled(marks: int, path: str) -> Validation:
    sample = tuple((f"{path}{number}", f"{number:064x}") for number in range(64))
    held = Mark(Watch(WatchKind.PATH, path="src/"), counts=(64,), sample=sample)
    return replace(EXAMPLE, baseline=Baseline(marks=(held,) * marks))


def test_twelve_marks_with_full_samples_pass_the_limits_unthinned() -> None:
    validation = sampled(12, "packages/checkout/src/main/java/org/example/checkout/service/Payment")
    parsed = parse_validation("", format_validation(validation))
    assert parsed.problems == ()
    assert parsed.validation == validation


def test_samples_are_thinned_evenly_until_the_file_fits() -> None:
    validation = sampled(12, "long/" * 100)
    data = format_validation(validation)
    assert len(data) <= LIMITS.size
    parsed = parse_validation("", data).validation
    assert parsed is not None
    assert parsed.baseline is not None
    assert validation.baseline is not None
    assert parsed.baseline.marks[0].sample == validation.baseline.marks[0].sample[::2]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("memory: m-021\nby: a\n", 1, "at is missing"),
        ("memory: ../x\nat: 2026-07-13\nby: a\n", 1, "../x cannot be a memory's id"),
        ("memory: m-021\nat: 2026-02-30\nby: a\n", 2, "2026-02-30 does not exist"),
        ("memory: m-021\nat: 2026-07-13\nby: a\nhow: guessed\n", 4, "unknown how guessed"),
        (
            "memory: m-021\nat: 2026-07-13\nby: a\nbaseline:\nmarks: []\n",
            5,
            "marks belongs under baseline – indent it",
        ),
        (
            "memory: m-021\nat: 2026-07-13\nby: a\nbaseline: {marks: [{watch: symbl a#b}]}\n",
            4,
            "unknown watch 'symbl'",
        ),
        (
            "memory: m-021\nat: 2026-07-13\nby: a\nbaseline: {marks: [{blob: a}]}\n",
            4,
            "a mark names its watch",
        ),
        ("memory: m-021\nat: 2026-07-13\nby: a\nbaseline: {algo: x}\n", 4, "baseline.algo is x"),
        ("- a\n", 1, "a validation is a mapping"),
    ],
)
def test_a_fault_keeps_it_from_loading(text: str, line: int, words: str) -> None:
    parsed = parse_validation("v.yaml", text.encode())
    assert parsed.validation is None
    assert (line, True) in [(one.line, words in one.message) for one in parsed.problems]


def test_an_unknown_field_is_a_warning() -> None:
    parsed = parse_validation("v.yaml", b"memory: m-021\nat: 2026-07-13\nby: a\nbase: x\n")
    assert parsed.validation == Validation("m-021", date(2026, 7, 13), "a", file="v.yaml")
    assert [(one.severity, one.hint) for one in parsed.problems] == [("warning", "did you mean baseline?")]


def test_the_path_names_memory_day_and_chance() -> None:
    at = datetime(2026, 7, 13, 23, 59, tzinfo=UTC)
    assert validation_path("m-021", at, "x7k2q") == ".ai/validations/m-021/20260713-x7k2q.yaml"


def test_two_validations_of_one_second_have_an_order() -> None:
    first, second = (
        format_moment(parse_moment(f"2026-07-13T10:35:00.{part}+09:00")) for part in ("004", "120")
    )
    assert (first, second) == ("2026-07-13T10:35:00.004+09:00", "2026-07-13T10:35:00.120+09:00")
