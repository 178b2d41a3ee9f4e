from __future__ import annotations

from datetime import date

import pytest

from gitmem.model.problem import Problem
from gitmem.store.defaults import default_files
from gitmem.usecases.lint import lint_files

TREE = ("src/checkout/api.py", "src/checkout/view.py", "docs/adr/0017-gateway.md", "lib", "결제/a.py")
ELEMENTS = "version: 1\nelements: {Checkout: [src/checkout/**]}\n"


def memory(name: str, *lines: str, status: str = "active") -> dict[str, bytes]:
    body = "\n".join([f"id: {name}", f"status: {status}", "summary: x", *lines])
    return {f".ai/memory/{name}.yaml": f"{body}\n".encode()}


def lint(
    *parts: dict[str, bytes], today: date | None = None, symlinks: tuple[str, ...] = ()
) -> tuple[Problem, ...]:
    files: dict[str, bytes] = {}
    for part in parts:
        files |= part
    return lint_files(files, {*TREE, *files}, today=today, symlinks=symlinks)


def only(*parts: dict[str, bytes], today: date | None = None) -> Problem:
    problems = lint(*parts, today=today)
    assert len(problems) == 1, problems
    return problems[0]


def test_what_is_in_order_has_no_problem() -> None:
    first_files = {path: text.encode() for path, text in default_files().items()}
    good = memory(
        "m-001",
        "title: Gateway",
        "type: module_constraint",
        "body: see [[Other]], [[Checkout]], [[ADR-17]], [[alias]]",
        "scope: {paths: [src/checkout/**, src/checkout/api.py, lib/**, 결제/], elements: [Checkout]}",
        "supersedes: [m-000]",
        "created_at: 2026-07-13T23:00:00-09:00",
        "review_after: 2026-07-13",
        "evidence: {documents: [docs/adr/0017-gateway.md, 'docs/adr/0017-gateway.md#part', 'site://x']}",
    )
    other = memory("m-002", "title: Other", "aliases: [Alias]")
    old = memory("m-000", "superseded_by: [m-001]", "title: Gateway", "scope: [gone/**]", status="deprecated")
    validation = {".ai/validations/m-001/20260713-abcde.yaml": b"memory: m-001\nat: 2026-07-13\nby: a\n"}
    note = {".ai/memory/notes/lessons.md": "# Lessons\n\n결제는 [[Gateway]] 참고.\n".encode()}
    elements = {".ai/elements.yaml": ELEMENTS.encode()}
    assert lint(first_files, good, other, old, validation, note, elements, today=date(2026, 8, 1)) == ()


def test_one_bad_file_never_hides_the_others() -> None:
    problems = lint(
        {
            ".ai/memory/a-bomb.yaml": b"a: &a [*a]\n",
            ".ai/memory/b-binary.yaml": b"\xff\xfe",
            ".ai/memory/c-big.yaml": b"x" * 70_000,
        },
        memory("m-001", "scope: [nowhere/**]"),
        {
            ".ai/policies/memory-policy.yaml": b"version: 9\n",
            ".ai/elements.yaml": b"{",
            ".ai/policies/routes.yaml": b"- a\n",
        },
        {
            ".ai/validations/m-001/x.yaml": b"memory: [\n",
            ".ai/policies/compaction-policy.yaml": b"inject: {}\n",
        },
    )
    assert sorted({problem.file.rpartition("/")[2] for problem in problems}) == [
        "a-bomb.yaml",
        "b-binary.yaml",
        "c-big.yaml",
        "compaction-policy.yaml",
        "elements.yaml",
        "m-001.yaml",
        "memory-policy.yaml",
        "routes.yaml",
        "x.yaml",
    ]


def test_problems_come_by_file_and_line() -> None:
    problems = lint(memory("m-002", "kind: x", "foo: 1"), memory("m-001", "kind: y"))
    assert [(one.file, one.line) for one in problems] == [
        (".ai/memory/m-001.yaml", 4),
        (".ai/memory/m-002.yaml", 4),
        (".ai/memory/m-002.yaml", 5),
    ]


def test_an_id_is_the_file_name() -> None:
    found = only({".ai/memory/other.yaml": memory("m-001")[".ai/memory/m-001.yaml"]})
    assert (found.line, found.column, found.field, found.severity) == (1, 5, "id", "warning")
    assert found.message == "id m-001 is not the file's name other"


def test_an_id_is_taken_once() -> None:
    found = only(memory("m-001"), {".ai/memory/sub/m-001.yaml": b"summary: y\nstatus: active\nid: m-001\n"})
    assert (found.file, found.line) == (".ai/memory/sub/m-001.yaml", 3)
    assert found.message == "id m-001 is taken by .ai/memory/m-001.yaml; this file is left out"
    assert found.severity == "error"


def test_paths_that_differ_by_case_or_composition_alone_are_told() -> None:
    files = {".ai/memory/Café.md": b"x", ".ai/memory/cafe\u0301.md": b"y"}
    assert any("differs from" in problem.message for problem in lint(files))


def test_a_title_is_taken_once_by_what_a_reader_sees() -> None:
    found = only(memory("m-001", "title: Caf\u00e9 Rule"), memory("m-002", "title: cafe\u0301  rule"))
    assert (found.file, found.field, found.line) == (".ai/memory/m-002.yaml", "title", 4)


@pytest.mark.parametrize(
    "field", ["approved_at", "last_validated_at", "review_after", "expires_at", "challenged_at"]
)
def test_nothing_happens_before_creation(field: str) -> None:
    found = only(memory("m-001", "created_at: 2026-07-13", f"{field}: 2026-07-12"))
    assert (found.line, found.field) == (5, field)
    assert found.message == f"{field} 2026-07-12 lies before created_at 2026-07-13"


def test_what_has_happened_does_not_lie_in_the_future() -> None:
    found = only(memory("m-001", "last_validated_at: 2026-07-15"), today=date(2026, 7, 13))
    assert (found.field, found.message) == (
        "last_validated_at",
        "last_validated_at 2026-07-15 lies in the future",
    )
    assert lint(memory("m-001", "last_validated_at: 2026-07-14"), today=date(2026, 7, 13)) == ()


@pytest.mark.parametrize(
    ("scope", "column", "message"),
    [
        ("scope: [src/**, srcs/**]", 17, "srcs/** matches nothing"),
        ("scope: {paths: [src/**], exclude: [src/checkout/*.ts]}", 36, "src/checkout/*.ts matches nothing"),
        ("scope: {paths: [src/check]}", 17, "src/check matches nothing"),
    ],
)
def test_a_glob_that_matches_nothing_is_told_with_its_place(scope: str, column: int, message: str) -> None:
    found = only(memory("m-001", scope))
    assert (found.line, found.column, found.message) == (4, column, message)


def test_a_dead_link_is_told_with_its_place() -> None:
    found = only(memory("m-001", "body: |", "  first", "  see [[Nobody]] and `[[Code]]`"))
    assert (found.line, found.column, found.field) == (6, 7, "body")
    assert "[[Nobody]] leads nowhere yet" in found.message
    assert "[[ADR-18]]" in only(memory("m-001", "title: see [[ADR-18]]")).message


def test_an_unknown_element_is_told_with_the_nearest_name() -> None:
    elements = {".ai/elements.yaml": ELEMENTS.encode()}
    found = only(elements, memory("m-001", "scope: {elements: [Chekout]}"))
    assert (found.column, found.message, found.hint) == (
        20,
        "there is no element Chekout",
        "did you mean Checkout?",
    )
    broken = lint({".ai/elements.yaml": b"{"}, memory("m-001", "scope: {elements: [Chekout]}"))
    assert [problem.file for problem in broken] == [".ai/elements.yaml"]


def test_an_element_whose_glob_matches_nothing_is_told() -> None:
    found = only({".ai/elements.yaml": b"version: 1\nelements:\n  A: {paths: [src/**, none/**]}\n"})
    assert (found.file, found.line, found.message) == (".ai/elements.yaml", 3, "none/** matches nothing")


@pytest.mark.parametrize(
    ("line", "field", "message"),
    [
        ("supersedes: [m-009]", "supersedes", "there is no memory m-009"),
        ("evidence: {documents: [docs/none.md]}", "evidence.documents", "there is no document docs/none.md"),
    ],
)
def test_what_a_memory_refers_to_exists(line: str, field: str, message: str) -> None:
    found = only(memory("m-001", line))
    assert (found.line, found.field, found.message) == (4, field, message)


def test_a_superseded_memory_is_not_active() -> None:
    found = only(memory("m-001", "superseded_by: [m-002]"), memory("m-002"))
    assert (found.line, found.field) == (2, "status")
    assert found.hint == "write status: deprecated"


def test_a_type_is_one_that_the_policy_allows() -> None:
    policy = {".ai/policies/memory-policy.yaml": b"version: 1\n"}
    found = only(policy, memory("m-001", "type: module_constrain"))
    assert (found.line, found.field, found.hint) == (4, "type", "did you mean module_constraint?")
    assert lint(memory("m-001", "type: module_constrain")) == ()


def test_a_temporary_workaround_expires() -> None:
    policy = {".ai/policies/memory-policy.yaml": b"version: 1\n"}
    found = only(policy, memory("m-001", "type: temporary_workaround"))
    assert found.message == "a temporary_workaround without expires_at"


def test_a_validation_belongs_to_a_memory_that_exists() -> None:
    text = b"memory: m-009\nat: 2026-07-13\nby: a\n"
    problems = lint({".ai/validations/m-008/x.yaml": text})
    assert sorted(problem.message for problem in problems) == [
        "says memory: m-009, but lies in the folder of m-008",
        "there is no memory m-009",
    ]


def test_a_validation_of_a_memory_that_does_not_load_is_not_blamed() -> None:
    broken = {".ai/memory/m-001.yaml": b"id: m-001\nstatus: x\nsummary: y\n"}
    validation = {".ai/validations/m-001/x.yaml": b"memory: m-001\nat: 2026-07-13\nby: a\n"}
    assert only(broken, validation).file == ".ai/memory/m-001.yaml"


@pytest.mark.parametrize("character", ["\u202e", "\u200b", "\U000e0041", "\u2066", "\xad"])
def test_hidden_characters_are_told_with_their_place(character: str) -> None:
    found = only(memory("m-001", f"body: ab{character}c"))
    assert (found.line, found.column) == (4, 9)
    assert found.message == f"hidden character U+{ord(character):04X}"


def test_every_hidden_character_of_a_file_is_told_up_to_a_bound() -> None:
    few = lint(memory("m-001", "title: a\u202eb\u200b\nbody: \u2066c\u202e"))
    assert [(one.line, one.column, one.message.split()[-1]) for one in few] == [
        (4, 9, "U+202E"),
        (4, 11, "U+200B"),
        (5, 7, "U+2066"),
        (5, 9, "U+202E"),
    ]
    *told, last = lint(memory("m-001", "body: a" + "\u200b" * 30 + "\u202e"))
    assert (len(told), {one.message for one in told}) == (20, {"hidden character U+200B"})
    assert (last.column, last.message) == (28, "more hidden characters from here on: 10 × U+200B, 1 × U+202E")


def test_hidden_characters_behind_escapes_are_told_too_each_at_its_escape() -> None:
    found = lint(memory("m-001", 'title: "a\\u202eb\\u200B\\u202e"'))
    assert [(one.line, one.column, one.field, one.message) for one in found] == [
        (4, 10, "title", "title holds a hidden character U+202E"),
        (4, 17, "title", "title holds a hidden character U+200B"),
        (4, 23, "title", "title holds a hidden character U+202E"),
    ]


def test_a_symbolic_link_is_told() -> None:
    problems = lint(memory("m-001"), symlinks=(".ai/memory/m-002.yaml",))
    assert [(one.file, one.message) for one in problems] == [(".ai/memory/m-002.yaml", "is a symbolic link")]


def test_a_route_that_leads_nowhere_is_told() -> None:
    routes = b"version: 1\nroutes:\n  pay:\n    include: [memory/m-001.yaml, memory/none/**]\n"
    found = only(memory("m-001"), {".ai/policies/routes.yaml": routes})
    assert (found.line, found.column, found.message) == (4, 34, "memory/none/** matches nothing below .ai")


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("../../etc/**", "is no path pattern: "),
        ("/etc/passwd", "is no path pattern: "),
        ("'memory/[z'", "is no path pattern: "),
        (".ai/memory/none/**", "matches nothing below .ai"),
    ],
)
def test_a_route_that_can_match_nothing_is_told(entry: str, said: str) -> None:
    routes = f"version: 1\nroutes:\n  pay:\n    include: [memory/m-001.yaml, {entry}]\n".encode()
    found = only(memory("m-001"), {".ai/policies/routes.yaml": routes})
    assert said in found.message
    assert (found.line, found.column) == (4, 34)


def test_a_route_may_be_written_from_the_root() -> None:
    routes = b"version: 1\nroutes:\n  pay:\n    include: [.ai/memory/*.yaml]\n"
    assert lint(memory("m-001"), {".ai/policies/routes.yaml": routes}) == ()


@pytest.mark.parametrize(
    ("value", "form"), [("5", "number"), ("-1.5e3", "number"), ("true", "truth value"), ("'5'", "text")]
)
def test_what_stands_in_the_place_of_a_mapping_is_called_what_a_person_sees(value: str, form: str) -> None:
    found = only({".ai/policies/routes.yaml": f"version: 1\nroutes:\n  pay: {value}\n".encode()})
    assert found.message.startswith(f"routes.pay is a {form}, but must be a mapping")


def test_no_name_is_suggested_in_its_own_place() -> None:
    text = "version: 1\nelements:\n  lost: {paths: [src/**], inside: ghost}\n  lots: {paths: [a/**]}\n"
    found = lint({".ai/elements.yaml": text.encode()})
    hints = {one.message: one.hint for one in found}
    assert hints["lost is inside ghost, which is no element"] == ""


def elements_lint(text: str, *paths: str) -> list[tuple[int, str]]:
    data = f"version: 1\nelements:\n{text}".encode()
    found = lint_files({".ai/elements.yaml": data}, {*paths, ".ai/elements.yaml"})
    return [(one.line, one.message) for one in found]


def test_elements_that_share_files_are_told_unless_one_lies_inside_the_other() -> None:
    paths = [f"src/{name}.py" for name in ("a", "b")]
    apart = "  All: [src/**]\n  One:\n    paths: [src/a.py]\n"
    assert elements_lint(apart, *paths) == [(4, "All and One share 1 file, src/a.py for one")]
    assert elements_lint(f"{apart}    inside: All\n", *paths) == []


def test_folders_of_code_without_an_element_are_told_and_other_folders_are_not() -> None:
    bare = [f"lib/{folder}/{name}.py" for folder in ("x", "y") for name in "ab"]
    quiet = [
        "docs/conf.py",
        "docs/b.py",
        "tests/test_a.py",
        "tests/helper.py",
        "single/a.py",
        "data/a.csv",
        ".ci/a.py",
    ]
    assert elements_lint("  A: [src/**]\n", "src/a.py", *bare, *quiet) == [
        (2, "lib lies in no element (4 files of source code)")
    ]
    assert elements_lint("  {}\n", *bare) == []


def test_what_attributes_mark_as_generated_needs_no_element() -> None:
    data = b"version: 1\nelements: {A: [src/**]}\n"
    paths = {"src/a.py", "made/a.py", "made/b.py", ".ai/elements.yaml"}
    files = {".ai/elements.yaml": data}
    assert len(lint_files(files, paths)) == 1
    assert lint_files(files, paths, generated=frozenset({"made/**"})) == ()


def test_a_glob_of_an_element_written_as_a_list_is_told_where_it_stands() -> None:
    assert elements_lint("  A: [src/**, gone/**]\n", "src/a.py") == [(3, "gone/** matches nothing")]


def test_an_elements_file_of_a_thousand_elements_loads() -> None:
    text = "".join(
        f"  element-{number}:\n    level: component\n    paths: [src/e{number}/**]\n"
        for number in range(1000)
    )
    paths = [f"src/e{number}/a.py" for number in range(1000)]
    assert elements_lint(text, *paths) == []


def test_a_secret_that_would_be_masked_when_told_is_named_with_its_place() -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    found = lint(memory("m-001", "title: The token", f"body: use {token}", "scope: {paths: [src/**]}"))
    (problem,) = [one for one in found if "secret" in one.message]
    assert (problem.line, problem.field) == (5, "body")
    assert problem.message == "body holds what looks like a secret (github_token)"
    assert token not in f"{problem.message}{problem.hint}"
