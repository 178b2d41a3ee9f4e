from __future__ import annotations

from datetime import UTC, date, datetime
from itertools import combinations

import pytest

from gitmem.model.memory import Claim, Evidence, Kind, Memory, Scope, Status
from gitmem.model.problem import Problem
from gitmem.model.validation import Baseline, Mark
from gitmem.model.watch import Polarity, Quote, Watch, WatchKind
from gitmem.store.memories import default_kind, last_known_true, parse_memory, spelling_of
from gitmem.store.spellings import SPELLINGS

FILE = ".ai/memory/m-001.yaml"
HEAD = "id: m-001\nstatus: active\n"


def parse(text: str) -> tuple[Memory | None, tuple[Problem, ...]]:
    parsed = parse_memory(FILE, text.encode())
    return parsed.memory, parsed.problems


def loaded(text: str) -> Memory:
    memory, problems = parse(text)
    assert problems == ()
    assert memory is not None
    return memory


def places(problems: tuple[Problem, ...]) -> list[tuple[int, int, str, str]]:
    return [(one.line, one.column, one.field, one.severity) for one in problems]


class Repository:
    """A resolver over literals."""

    def exists(self, path: str) -> bool:
        return path in {"docs/adr/1.md", ".ai/memory/architecture.md", "abcd"}

    def commit(self, prefix: str) -> str | None:
        return "c0ffee" + "0" * 34 if prefix == "c0ffee0" else None


def test_a_memory_with_every_field_loads() -> None:
    memory = loaded(
        """
id: m-001
title: Gateway headers
aliases: [gateway, headers]
kind: pitfall
type: module_constraint
status: challenged
summary: The gateway strips long headers.
body: |
  More.
scope:
  paths: [gateway/**]
  exclude: [gateway/gen/**]
  elements: [ApiGateway]
  applies_to: [public_api]
  does_not_apply_to: internal_refactor
watch:
  - symbol: gateway/headers.go#Strip
  - key: package.json#scripts.lint
  - lines: gateway/a.go:3-5
    quote: {exact: "x := 1", prefix: "{"}
  - ident: fooBar
    polarity: prohibits
  - file gateway/b.go
claim: presence
evidence: {tests: [a, b], commit: c0ffee, documents: [docs/adr/1.md]}
verification: {probe: make check, contract_version: v2}
origin: {run: run-1, source_events: [e1], imported: AGENTS.md}
created_at: 2026-07-13
created_by: claude-code/sarah
approved_at: 2026-07-13T10:00:00.25Z
last_validated_at: 2026-07-14 09:30+09:00
review_after: 2026-10-13T00:00:00Z
expires_at: 2027-01-01
challenged_at: 2026-08-01
challenged_because: "changed: gateway/headers.go"
drift: strict
supersedes: m-000
superseded_by: [m-002]
baseline:
  commit: abc
  algo: 2
  marks: [{watch: file gateway/b.go, blob: dead, at: [1, 2]}]
x-note: {anything: [goes]}
"""
    )
    assert (memory.kind, memory.status, memory.claim) == (Kind.PITFALL, Status.CHALLENGED, Claim.PRESENCE)
    assert memory.scope == Scope(
        paths=("gateway/**",),
        exclude=("gateway/gen/**",),
        elements=("ApiGateway",),
        applies_to=("public_api",),
        does_not_apply_to=("internal_refactor",),
    )
    assert memory.watch == (
        Watch(WatchKind.SYMBOL, path="gateway/headers.go", name="Strip"),
        Watch(WatchKind.KEY, path="package.json", name="scripts.lint"),
        Watch(WatchKind.LINES, path="gateway/a.go", lines=(3, 5), quote=Quote("x := 1", "{")),
        Watch(WatchKind.IDENT, name="fooBar", polarity=Polarity.PROHIBITS),
        Watch(WatchKind.FILE, path="gateway/b.go"),
    )
    assert memory.evidence == Evidence(tests=("a", "b"), commits=("c0ffee",), documents=("docs/adr/1.md",))
    assert memory.approved_at == datetime(2026, 7, 13, 10, 0, 0, 250_000, UTC)
    assert memory.last_validated_at == datetime(2026, 7, 14, 0, 30, tzinfo=UTC)
    assert memory.review_after == date(2026, 10, 13)
    assert not isinstance(memory.review_after, datetime)
    assert memory.baseline == Baseline(
        commit="abc",
        algo=2,
        marks=(Mark(Watch(WatchKind.FILE, path="gateway/b.go"), blob="dead", at=(1, 2)),),
    )
    assert (memory.supersedes, memory.superseded_by) == (("m-000",), ("m-002",))
    assert memory.extra == {"x-note": {"anything": ["goes"]}}
    assert memory.body == "More.\n"


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("scope: project", Scope(project=True)),
        ("scope: {project: true}", Scope(project=True)),
        ("scope: src/**", Scope(paths=("src/**",))),
        ("scope: [a/**, b.py]", Scope(paths=("a/**", "b.py"))),
        ("valid_for: [x]\nnot_valid_for: [y]", Scope(applies_to=("x",), does_not_apply_to=("y",))),
        ("scope:", Scope()),
        ("scope: null", Scope()),
        ("scope: {paths: ~}", Scope()),
        ("", Scope()),
    ],
)
def test_the_forms_of_a_scope(scope: str, expected: Scope) -> None:
    assert loaded(f"{HEAD}summary: x\n{scope}\n").scope == expected


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("test:a.b", Evidence(tests=("a.b",))),
        ("review: r1", Evidence(reviews=("r1",))),
        ("judge:v", Evidence(reviews=("v",))),
        ("commit:abc", Evidence(commits=("abc",))),
        ("doc:a.md", Evidence(documents=("a.md",))),
        ("artifact:x", Evidence(artifacts=("x",))),
        ("docs/adr/1.md", Evidence(documents=("docs/adr/1.md",))),
        ("abcd", Evidence(documents=("abcd",))),
        ("c0ffee0", Evidence(commits=("c0ffee" + "0" * 34,))),
        ("deadbeef", Evidence(tests=("deadbeef",))),
        ("review.json#issue-3", Evidence(artifacts=("review.json#issue-3",))),
        ("CheckoutTests.testRetry", Evidence(tests=("CheckoutTests.testRetry",))),
        ("tests/test_a.py::test_b", Evidence(tests=("tests/test_a.py::test_b",))),
    ],
)
@pytest.mark.parametrize("key", ["evidence", "evidence_refs"])
def test_untyped_evidence_is_sorted_by_prefix_then_by_what_exists(
    key: str, reference: str, expected: Evidence
) -> None:
    text = f'{HEAD}summary: x\n{key}: ["{reference}"]\n'
    memory = parse_memory(FILE, text.encode(), Repository()).memory
    assert memory is not None
    assert memory.evidence == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [("docs/adr/1.md", "docs/adr/1.md"), ("architecture.md", ".ai/memory/architecture.md"), ("x.md", "x.md")],
)
def test_a_source_is_looked_up_at_the_root_then_below_the_memories(source: str, expected: str) -> None:
    memory = parse_memory(FILE, f"{HEAD}summary: x\nsource: [{source}]\n".encode(), Repository()).memory
    assert memory is not None
    assert memory.evidence.documents == (expected,)


SAME_FIELD = [
    pair
    for pair in combinations([*SPELLINGS, "status", "summary", "id"], 2)
    if SPELLINGS.get(pair[0], pair[0]) == SPELLINGS.get(pair[1], pair[1])
]


@pytest.mark.parametrize(("one", "other"), SAME_FIELD)
def test_two_spellings_of_one_field_are_an_error(one: str, other: str) -> None:
    memory, problems = parse(f"{one}: active\n{other}: active\n")
    assert memory is None
    assert any("both say" in problem.message and problem.line == 2 for problem in problems)


@pytest.mark.parametrize(
    "text",
    [
        "evidence: {test: a, tests: b}",
        "evidence: [a]\nevidence_refs: [b]",
        "source: a.md\nevidence: {documents: [b.md]}",
        "failure_class: a\norigin: {failure_class: b}",
        "verification: {probe: a}\nverification_probe_candidate: b",
        "valid_for: [a]\nscope: {applies_to: [b]}",
        "origin_candidate_id: a\norigin: {candidate: b}",
    ],
)
def test_a_field_and_its_other_spelling_in_a_group_are_an_error(text: str) -> None:
    memory, problems = parse(f"{HEAD}summary: x\n{text}\n")
    assert memory is None
    assert [problem.message.count("both say") for problem in problems] == [1]


def test_a_spelling_that_says_nothing_is_no_second_one() -> None:
    assert loaded("id: m-001\nmemory_id:\nstatus: active\npromotion_status: null\nsummary: x\n").id == "m-001"


def test_an_origin_text_is_the_system_and_goes_with_a_candidate() -> None:
    origin = loaded(f"{HEAD}summary: x\norigin: awtl\norigin_candidate_id: c1\n").origin
    assert (origin.system, origin.candidate) == ("awtl", "c1")


@pytest.mark.parametrize(
    ("line", "severity", "words", "hint"),
    [
        ("sumary: y", "warning", "unknown field sumary", "did you mean summary?"),
        ("creatd_at: 2026-01-01", "warning", "unknown field creatd_at", "did you mean created_at?"),
        ("scope: {pahts: [a]}", "warning", "unknown field pahts in scope", "did you mean paths?"),
        ("kind: pitfal", "error", "unknown kind pitfal", "did you mean pitfall?"),
        ("kind: zzz", "error", "unknown kind zzz", "one of pitfall, convention, note, session_outcome"),
        ("claim: presense", "error", "unknown claim presense", "did you mean presence?"),
        ("drift: loose", "error", "unknown drift loose", "one of strict, graded"),
        ("validated_by: robot", "error", "unknown validated_by robot", "one of human, replay"),
        ("created_at: 2026-02-30", "warning", "2026-02-30 does not exist", ""),
        ("last_validated_at: soon", "warning", "soon is not a date", ""),
        ("review_after: 2026-13-01", "error", "2026-13-01 does not exist", ""),
        ("expires_at: 13.07.2026", "error", "13.07.2026 is not a date", "write 2026-07-13"),
        ("challenged_at: 2026-07-13T25:00:00Z", "error", "does not exist", ""),
        ("created_at: 2026-07-13T10:00:00", "warning", "has no offset and is read as UTC", ""),
        ("scope: ['[x']", "error", "'[x' is no path pattern", ""),
        ("scope: {paths: [/etc/passwd]}", "error", "/etc/passwd is no path pattern", ""),
        ("scope: {paths: [../x]}", "error", "../x is no path pattern", ""),
        ("watch: [symbol a.py]", "error", "write PATH#NAME", ""),
        ("watch: [{symbl: a.py#b}]", "error", "a watch names one kind", "one of symbol"),
        ("watch: [{lines: 'a.py:9-3'}]", "error", "the first line comes first", ""),
        ("title: [a]", "error", "title is a list, but must be one text", ""),
        ("aliases: {a: b}", "error", "aliases is a mapping, but must be a list of texts", ""),
        ("aliases: [a: b]", "error", "item 1 of aliases is a mapping", "quote it"),
        ("tests: [a]", "error", "tests belongs under evidence – indent it", ""),
        ("probe: x", "error", "probe belongs under verification – indent it", ""),
        ("run: x", "error", "run belongs under origin – indent it", ""),
        ("paths: [a]", "error", "paths belongs under scope – indent it", ""),
    ],
)
def test_a_fault_is_named_with_its_value_and_cure(line: str, severity: str, words: str, hint: str) -> None:
    memory, problems = parse(f"{HEAD}summary: x\n{line}\n")
    found = [problem for problem in problems if words in problem.message]
    assert found, problems
    assert (found[0].line, found[0].severity) == (4, severity)
    assert hint in found[0].hint
    assert (memory is None) == (severity == "error")


@pytest.mark.parametrize(
    ("status", "expected"), [("approved", Status.ACTIVE), *((str(one), one) for one in Status)]
)
def test_the_statuses(status: str, expected: Status) -> None:
    assert loaded(f"id: m-001\nsummary: x\nstatus: {status}\n").status is expected


@pytest.mark.parametrize("status", ["aktive", "Active", "merged", "[active]"])
def test_an_unknown_status_is_an_error(status: str) -> None:
    memory, problems = parse(f"id: m-001\nsummary: x\nstatus: {status}\n")
    assert memory is None
    assert places(problems) == [(3, 9, "status", "error")]


def test_all_problems_are_told_at_once_with_line_and_column() -> None:
    memory, problems = parse(
        "id: NO\nstatus: activ\nkind: pit\ncreated_at: x\nfoo: 1\nscope: {paths: [a, '{']}\n"
    )
    assert memory is None
    assert places(problems) == [
        (1, 1, "summary", "error"),
        (1, 5, "id", "error"),
        (2, 9, "status", "error"),
        (3, 7, "kind", "error"),
        (4, 13, "created_at", "warning"),
        (5, 1, "foo", "warning"),
        (6, 20, "scope.paths", "error"),
    ]


def test_a_missing_id_is_the_file_name_and_a_missing_status_is_candidate() -> None:
    memory, problems = parse("summary: x\n")
    assert memory is not None
    assert (memory.id, memory.status) == ("m-001", Status.CANDIDATE)
    assert [problem.field for problem in problems] == ["id", "status"]


@pytest.mark.parametrize("text", ["", "- a\n", "just text", "[]", "null"])
def test_what_is_no_mapping_is_one_error(text: str) -> None:
    memory, problems = parse(text)
    assert memory is None
    assert [(one.message, one.severity) for one in problems] == [
        ("a memory is a mapping of fields to values", "error")
    ]


def test_broken_yaml_is_one_error_with_its_place() -> None:
    memory, problems = parse("id: m-001\nsummary: a: b\n")
    assert memory is None
    assert places(problems) == [(2, 11, "", "error")]
    assert "mapping values are not allowed" in problems[0].message
    assert "quote a text that contains a colon" in problems[0].hint


def test_a_key_given_twice_is_an_error() -> None:
    memory, problems = parse(f"{HEAD}summary: x\nstatus: denied\n")
    assert memory is None
    assert [(one.line, one.message) for one in problems] == [(4, "status is given twice, first on line 2")]


def test_an_unknown_field_is_kept_and_an_x_field_is_no_problem() -> None:
    memory, problems = parse(
        f"{HEAD}summary: x\nfoo: {{a: [1, ~]}}\nx-bar: 1\nscope: {{x-y: 2, paths: [a]}}\n"
    )
    assert memory is not None
    assert memory.extra == {"foo": {"a": ["1", None]}, "x-bar": "1", "scope.x-y": "2"}
    assert [problem.field for problem in problems] == ["foo"]


@pytest.mark.parametrize(
    ("type_name", "kind"),
    [
        ("verified_failure_pattern", Kind.PITFALL),
        ("temporary_workaround", Kind.PITFALL),
        ("architecture_rule", Kind.CONVENTION),
        ("module_constraint", Kind.CONVENTION),
        ("verified_fix_pattern", Kind.CONVENTION),
        ("something_else", Kind.NOTE),
        (None, Kind.NOTE),
    ],
)
def test_the_kind_comes_from_the_type(type_name: str | None, kind: Kind) -> None:
    assert default_kind(type_name) is kind


def test_last_known_true_is_the_first_date_that_the_file_has() -> None:
    created = loaded(f"{HEAD}summary: x\ncreated_at: 2026-01-01\n")
    approved = loaded(f"{HEAD}summary: x\ncreated_at: 2026-01-01\napproved_at: 2026-01-02\n")
    validated = loaded(f"{HEAD}summary: x\napproved_at: 2026-01-02\nlast_validated_at: 2026-01-03\n")
    assert [last_known_true(one) for one in (created, approved, validated)] == [
        date(2026, 1, 1),
        date(2026, 1, 2),
        date(2026, 1, 3),
    ]
    assert last_known_true(loaded(f"{HEAD}summary: x\n")) is None
    assert created.last_validated_at is None


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("status", ("promotion_status",)),
        ("summary", ("content",)),
        ("scope.applies_to", ("scope", "applies_to")),
        ("evidence.tests", ("evidence", "test")),
        ("origin.candidate", ("origin_candidate_id",)),
        ("title", None),
        ("origin.run", None),
    ],
)
def test_an_edit_finds_the_spelling_of_the_file(field: str, expected: tuple[str, ...] | None) -> None:
    text = "promotion_status: candidate\ncontent: x\nscope: {applies_to: [a]}\nevidence: {test: a}\norigin_candidate_id: c\n"
    assert spelling_of(FILE, text.encode(), field) == expected


def test_an_edit_finds_a_group_that_is_one_list() -> None:
    text = "scope: [a]\nevidence_refs: [b]\norigin: human\nsource: c\n"
    fields = ("scope.paths", "evidence.mixed", "origin.system", "evidence.documents", "scope.exclude")
    assert [spelling_of(FILE, text.encode(), field) for field in fields] == [
        ("scope",),
        ("evidence_refs",),
        ("origin",),
        ("source",),
        None,
    ]
