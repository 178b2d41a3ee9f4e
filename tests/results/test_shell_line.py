"""Which lines of a shell run tests or builds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.results.shell_line import BUILD, TEST, RecognisedCommand, may_tell_results, recognised


@pytest.mark.parametrize(
    ("line", "kind", "words"),
    [
        ("pytest -q tests/a.py", TEST, "pytest -q tests/a.py"),
        ("cd app && python3 -m pytest 2>&1", TEST, "python3 -m pytest"),
        ("pytest > out.txt 2>&1", TEST, "pytest"),
        ("API_KEY=x timeout 60 go test ./...", TEST, "timeout 60 go test ./..."),
        ("uv run --with x pytest -x", TEST, "uv run --with x pytest -x"),
        ("npx vitest run", TEST, "npx vitest run"),
        ("npm run test:unit -- --ci", TEST, "npm run test:unit -- --ci"),
        ("bundle exec rspec", TEST, "bundle exec rspec"),
        ("./gradlew :app:testDebugUnitTest", TEST, "./gradlew :app:testDebugUnitTest"),
        ("mvn -q verify", TEST, "mvn -q verify"),
        ("node --test", TEST, "node --test"),
        ("make -j4 check", TEST, "make -j4 check"),
        ("make", BUILD, "make"),
        ("cargo build --release", BUILD, "cargo build --release"),
        ("pnpm -r build", BUILD, "pnpm -r build"),
        ("cmake --build out -j", BUILD, "cmake --build out -j"),
        ("xcodebuild -scheme App test", TEST, "xcodebuild -scheme App test"),
        ("set -e\npytest\n", TEST, "pytest"),
    ],
)
def test_a_test_or_build_is_recognised_and_decides(line: str, kind: str, words: str) -> None:
    assert may_tell_results(line)
    assert recognised(line) == RecognisedCommand(kind, tuple(words.split()), True, True)


@pytest.mark.parametrize(
    ("line", "success", "failure"),
    [
        ("make && pytest", True, False),
        ("yes | pytest", True, True),
        ("false || pytest", False, False),
        ("pytest | tail -5", False, False),
        ("pytest; echo done", False, False),
        ("pytest || true", False, False),
        ("pytest &", False, False),
        ("pytest\necho done", False, False),
    ],
)
def test_what_else_stands_in_the_line_may_own_its_exit_status(
    line: str, success: bool, failure: bool
) -> None:
    found = recognised(line)
    assert found is not None
    assert (found.tells_success, found.tells_failure) == (success, failure)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "ls tests",
        "git commit -m 'make test'",
        "grep -rn pytest .",
        "cat test.py",
        "pip install pytest",
        "echo make",
        "pytest --version",
        "make clean",
        "npm install",
        "vitest --watch",
        "bash -c 'pytest'",
        "(cd a; pytest)",
        "x=$(pytest)",
        "echo 'pytest",
        "python manage.py migrate --check",
        "docker build .",
        "rg 'cargo test'",
    ],
)
def test_all_else_is_none(line: str) -> None:
    assert recognised(line) is None


def test_what_gitmem_runs_itself_is_recorded_by_itself() -> None:
    assert not may_tell_results("gitmem run exec -- pytest")


@given(st.text(alphabet="pytest &|;<>()'\"\\\n$`=-2", max_size=40))
def test_any_line_is_answered(line: str) -> None:
    recognised(line)
