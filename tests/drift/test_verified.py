"""What a statement says of a value is looked up in it before and after; what is lost challenges, anything else does not."""

from __future__ import annotations

import pytest

from gitmem.drift.script_names import is_named, labelled
from gitmem.drift.verified import has_strangers, told, verified
from tests.drift.test_grading import about, judge


@pytest.mark.parametrize(
    ("statement", "old", "new", "kept", "lost"),
    [
        ("run the suite 15 times with shuffling", "go test -count=15 -shuffle=on", "X=1 gotestsum -- -shuffle=on -count=15", ("15", "shuffling"), ()),
        ("run the suite 15 times with shuffling", "go test -count=15 -shuffle=on", "go test -count=10 -shuffle=on", ("shuffling",), ("15",)),
        ("type check and tests", "npm run typecheck && npm run test:ci", "npm run test:ci && npm run typecheck", ("type check", "tests"), ()),
        ("ESLint and Prettier checks", "eslint . && prettier --check .", "biome check .", ("checks",), ("ESLint", "Prettier")),
        ("린트는 `ruff check`로 돌린다", "ruff check src", "uv run ruff check src tests", ("ruff check", "ruff", "check"), ()),
        ("린트는 `ruff check`로 돌린다", "ruff check src", "uv run flake8", (), ("ruff check", "ruff", "check")),
        ("테스트를 3번 돌린다", "pytest --count 3", "pytest --count 5", (), ("3",)),
        ("lint first, then test", "lint && test", "lint && build && test", ("lint", "test"), ()),
        ("lint first, then test", "lint && test", "test && lint", ("lint", "test"), ("their order",)),
        ("lint and test", "lint && test", "test && lint", ("lint", "test"), ()),
        ("does what it must", "make -C docs html", "sphinx-build", (), ()),
    ],
)  # fmt: skip
def test_facts(statement: str, old: str, new: str, kept: tuple[str, ...], lost: tuple[str, ...]) -> None:
    assert verified(statement, old, new) == (kept, lost)


def test_the_words_that_name_a_script_are_no_facts_of_its_value() -> None:
    assert verified(
        "`make build-docs -- <x>`: the manual", "build-docs --strict", "mkdocs", "build-docs"
    ) == ((), ())
    assert verified("**lint**: all of it", "run lint", "ruff", "lint").lost == ()


@pytest.mark.parametrize(
    ("statement", "strange"),
    [
        ("`make push` pushes with DbTool", True),
        ("`make push` pushes 3 times", True),
        ("`make push` runs `db --all`", True),
        ("`make push` reads `src/db.py` and `<name>`", False),
        ("`make push` pushes to the database on GitHub", False),
    ],
)
def test_what_the_file_never_had_leaves_the_digest_to_decide(statement: str, strange: bool) -> None:
    assert has_strangers(statement, "push", "push:\n\tdb push\n") is strange


def test_many_facts_are_told_in_few_words() -> None:
    assert told(["a", "b"]) == "a, b"
    assert told("abcdef") == "a, b, c, d and 2 more"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("**longtest**: run the suite", ("longtest",)),
        ("- **fmt**: apply it\n- lint – check it", ("fmt", "lint")),
        ("run make check before a commit", ("check",)),
        ("커밋 전에 make check 를 돌린다", ("check",)),
        ("**Note**: be careful", ()),
        ("the longtest target: slow", ()),
    ],
)
def test_labels_and_unmarked_commands(text: str, names: tuple[str, ...]) -> None:
    assert labelled(text) == names


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("`make lint`", True),
        ("**lint**: x", True),
        ("lint: x", True),
        ("use make lint", True),
        ("runs clean, lint and tests", False),
        ("`lint:ci`", False),
    ],
)
def test_a_script_is_named_as_such(text: str, named: bool) -> None:
    assert is_named("lint", text) is named


MAKE = "longtest:\n\tgo test -count=15 -shuffle=on ./...\n\nfmt:\n\tgofumpt -w .\n"


@pytest.mark.parametrize(
    ("summary", "old", "new", "verdict"),
    [
        ("**longtest**: run the suite 15 times with shuffling enabled.", "go test -c", "CGO=1 go test -c", "touched"),
        ("**longtest**: run the suite 15 times with shuffling enabled.", "count=15", "count=5", "changed"),
        ("**longtest**: run the suite 15 times with shuffling enabled.", "gofumpt", "gofmt", "touched"),
        ("**longtest**: 테스트를 15번 섞어서 돌린다.", "go test -c", "CGO=1 go test -c", "touched"),
        ("**longtest**: 테스트를 15번 섞어서 돌린다.", "count=15", "count=5", "changed"),
        ("**longtest**: only runs the suite 15 times.", "./...", "./... && rm -r out", "changed"),
        ("**longtest**: 15번만 돌린다.", "./...", "./... && rm -r out", "changed"),
        ("**longtest**: run the suite 15 times.", "longtest:", "slowtest:", "gone"),
    ],
)  # fmt: skip
def test_a_target_is_judged_by_what_is_said_of_it(summary: str, old: str, new: str, verdict: str) -> None:
    found = judge(about(summary, "Makefile"), {"Makefile": MAKE.replace(old, new)}, {"Makefile": MAKE})
    assert str(found.verdict) == verdict


MISE = '[tools]\nnode = "22"\n\n[tasks.lint]\ndescription = "Lint"\nrun = ["cargo fmt", "cargo clippy"]\n'


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ('"22"', '"24"', "touched"),
        ('"Lint"', '"Check all"', "touched"),
        ('["cargo fmt"', '["typos", "cargo fmt"', "touched"),
        ("cargo clippy", "cargo check", "changed"),
        ("[tasks.lint]", "[tasks.check]", "gone"),
    ],
)
def test_a_task_of_mise(old: str, new: str, verdict: str) -> None:
    memory = about("`mise run lint` – run `cargo fmt` and `cargo clippy`.", "mise.toml")
    found = judge(memory, {"mise.toml": MISE.replace(old, new)}, {"mise.toml": MISE})
    assert str(found.verdict) == verdict


SCRIPTS = '{"scripts": {"all": "npm run lint && npm run test:ci", "lint": "eslint . && prettier -c .", "test:ci": "vitest"}}\n'


@pytest.mark.parametrize(
    ("summary", "old", "new", "verdict"),
    [
        ("`npm run all` runs lint and tests.", '"vitest"', '"vitest && npm run sea"', "touched"),
        ("`npm run all` runs lint and tests.", "prettier -c .", "biome .", "touched"),
        ("`npm run all` runs ESLint and the tests.", "eslint . && ", "", "changed"),
        ("`npm run all` runs lint and tests.", "npm run lint && ", "", "changed"),
        ("`npm run all`은 ESLint와 테스트를 돌린다.", "eslint . && ", "", "changed"),
        ("`npm run all`은 lint와 test를 돌린다.", '"vitest"', '"vitest --run"', "touched"),
    ],
)
def test_a_script_that_another_calls_is_there_for_the_facts_that_it_has(
    summary: str, old: str, new: str, verdict: str
) -> None:
    then = {"package.json": SCRIPTS}
    found = judge(about(summary, "package.json"), {"package.json": SCRIPTS.replace(old, new)}, then)
    assert str(found.verdict) == verdict


NODE = '{"engines": {"node": ">=20.0.0"}, "version": "1.0.0"}\n'


@pytest.mark.parametrize(
    ("summary", "old", "new", "verdict"),
    [
        ("**Runtime:** Node.js (>=20.0.0, recommended ~20.19.0)", '"1.0.0"', '"1.1.0"', "touched"),
        ("**Runtime:** Node.js (>=20.0.0, recommended ~20.19.0)", ">=20", ">=22", "changed"),
        ("런타임: Node.js (>=20.0.0)", '"1.0.0"', '"1.1.0"', "touched"),
        ("런타임: Node.js (>=20.0.0)", ">=20", ">=22", "changed"),
    ],
)
def test_a_version_in_parentheses(summary: str, old: str, new: str, verdict: str) -> None:
    then = {"package.json": NODE}
    found = judge(about(summary, "package.json"), {"package.json": NODE.replace(old, new)}, then)
    assert str(found.verdict) == verdict
