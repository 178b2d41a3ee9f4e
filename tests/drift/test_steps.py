from __future__ import annotations

import pytest

from gitmem.drift.content.reading import compare, key_value
from gitmem.drift.derive import derive
from gitmem.drift.steps import Step, holds, is_step_file, parse_step, step_name, steps_of
from gitmem.model.memory import Scope
from gitmem.model.watch import parse_watch
from tests.support.tree_view import Files, TreeOfText, judged

CI, RELEASE = ".github/workflows/ci.yml", ".github/workflows/release.yml"
TEXT = """\
name: CI
on: push
jobs:
  test:
    steps:
      - uses: actions/checkout@v4
      - run: pnpm install
      - name: End to end
        run: |
          # pnpm test:unit
          pnpm build && pnpm test:e2e
  lint:
    steps:
      - run: uv run ruff check .
"""
FILES = {
    CI: TEXT,
    RELEASE: "jobs:\n  publish:\n    steps:\n      - run: npm publish --provenance\n",
    ".gitlab-ci.yml": "test:\n  script:\n    - pip install .\n    - pytest -q\n",
    ".pre-commit-config.yaml": "repos:\n  - repo: https://x/ruff\n    hooks:\n      - id: ruff\n      - id: ruff-format\n",
    "Dockerfile": 'FROM python:3.12-slim AS base\nENV PORT=8080\nRUN pip install \\\n    --no-cache-dir .\nCMD ["gunicorn", "app:app"]\n',
    "Makefile": "ci:\n\tmake lint\n\t@pytest -q tests\nlint:\n\truff check .\n",
    "Procfile": "web: gunicorn app:app\nworker: celery -A app worker\n",
    "Taskfile.yml": "version: '3'\ntasks:\n  build:\n    cmds:\n      - go build ./...\n",
    "compose.yaml": "services:\n  web:\n    command: gunicorn app:app --reload\n",
    "justfile": "build:\n    cargo build --release\n",
    "package.json": '{"scripts": {"test:e2e": "playwright test"}}',
}
VIEW = TreeOfText(FILES)
E2E = f"{CI}#jobs.test.steps[run=pnpm test:e2e]"


@pytest.mark.parametrize(
    ("text", "globs", "expected"),
    [
        ("CI runs `pnpm test:e2e`", [".github/workflows/**"], [E2E]),
        ("CI는 `pnpm test:e2e`를 실행한다", [".github/**"], [E2E]),
        ("CI runs `pnpm test:e2e`", ["**"], [E2E, "package.json#scripts.test:e2e"]),
        ("Before you push run `pnpm test:e2e`", ["**"], ["package.json#scripts.test:e2e"]),
        (
            "The release workflow publishes with `npm publish --provenance`",
            [".github/workflows/*.yml"],
            [f"{RELEASE}#jobs.publish.steps[run=npm publish --provenance]"],
        ),
        ("CI runs `ruff`", [".github/**"], [f"{CI}#jobs.lint.steps[run=ruff]"]),
        ("The tests are `pytest -q`", [".gitlab-ci.yml"], [".gitlab-ci.yml#test.script[=pytest -q]"]),
        (
            "The hooks run `ruff`",
            [".pre-commit-config.yaml"],
            [".pre-commit-config.yaml#repos.hooks[id=ruff]"],
        ),
        (
            "It installs with `pip install --no-cache-dir .`",
            ["Dockerfile"],
            ["Dockerfile#[RUN=pip install --no-cache-dir .]"],
        ),
        ("It starts `gunicorn app:app`", ["Dockerfile"], ["Dockerfile#[CMD=gunicorn app:app]"]),
        ("It is built from `python:3.12-slim`", ["Dockerfile"], ["Dockerfile#[FROM=python:3.12-slim]"]),
        ("`PORT` is 8080", ["Dockerfile"], ["Dockerfile#ENV.PORT"]),
        (
            "It runs `gunicorn app:app --reload`",
            ["compose.yaml"],
            ["compose.yaml#services.web[command=gunicorn app:app --reload]"],
        ),
        ("`go build ./...` builds it", ["Taskfile.yml"], ["Taskfile.yml#tasks.build.cmds[=go build ./...]"]),
        ("Workers are `celery -A app worker`", ["Procfile"], ["Procfile#[worker=celery -A app worker]"]),
        (
            "Releases are `cargo build --release`",
            ["justfile"],
            ["justfile#build.recipe[=cargo build --release]"],
        ),
        ("Run `make lint`", ["Makefile"], ["Makefile#lint"]),
    ],
)
def test_a_command_that_automation_runs_is_watched_where_it_does(
    text: str, globs: list[str], expected: list[str]
) -> None:
    found = derive([text], Scope(paths=tuple(globs)), VIEW, files=VIEW.matching(globs))
    assert [str(one) for one in found.watches] == [f"key {one}" for one in expected]


@pytest.mark.parametrize(
    ("line", "command", "held"),
    [
        ("pnpm test:e2e", "pnpm test:e2e", True),
        ("pnpm build && pnpm  test:e2e --shard=1", "pnpm test:e2e", True),
        ("pnpm test:e2e:ci", "pnpm test:e2e", False),
        ("pnpm test", "pnpm test:e2e", False),
        ("npx pnpm test", "npm test", False),
        ("uv run ruff check", "ruff", True),
        ("CI=1 npx tox -e py", "tox", True),
        ("echo ruff", "ruff", False),
        ("ruff-format", "ruff", False),
    ],
)
def test_a_line_holds_a_command_by_whole_words(line: str, command: str, held: bool) -> None:
    assert holds(line, command) == held


def test_an_address_is_read_back() -> None:
    for step in (
        Step("jobs.a.steps", "run", "make x[1]"),
        Step("", "RUN", "a = b"),
        Step("t.script", "", "x"),
    ):
        assert parse_step(step_name(step, step.line)) == step
    assert parse_step("jobs.a.steps") is None


def test_titles_comments_and_other_files_are_no_steps() -> None:
    lines = [one.line for one in steps_of(CI, TEXT.encode())]
    assert "pnpm build && pnpm test:e2e" in lines
    assert not any("End to end" in line or "unit" in line for line in lines)
    assert steps_of("config.yml", TEXT.encode()) == ()
    assert steps_of(CI, b"a: [") == ()
    assert not is_step_file("src/action.py")


WATCH = parse_watch("key", E2E)
MOVED = TEXT.replace("pnpm build && pnpm test:e2e", "pnpm build").replace(
    "      - run: uv run", "      - run: pnpm test:e2e\n      - run: uv run"
)


@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize(
    ("now", "verdict", "reason"),
    [
        ({CI: TEXT.replace("pnpm install", "pnpm i")}, "fresh", "pnpm test:e2e still runs there"),
        ({CI: TEXT.replace("test:e2e", "test:e2e --shard=1")}, "fresh", "pnpm test:e2e still runs there"),
        ({CI: MOVED}, "relocated", "pnpm test:e2e runs in jobs.lint.steps now"),
        (
            {
                CI: TEXT.replace(" && pnpm test:e2e", ""),
                RELEASE: FILES[RELEASE] + "      - run: pnpm test:e2e\n",
            },
            "relocated",
            f"pnpm test:e2e runs in {RELEASE} now",
        ),
        ({RELEASE: TEXT}, "relocated", f"{CI} is now {RELEASE}"),
        ({CI: TEXT.replace(" && pnpm test:e2e", "")}, "gone", f"{CI} no longer runs pnpm test:e2e"),
        (
            {CI: TEXT.replace(" && pnpm test:e2e", " # pnpm test:e2e")},
            "gone",
            f"{CI} no longer runs pnpm test:e2e",
        ),
        ({CI: "on: push\n"}, "gone", f"{CI} no longer runs pnpm test:e2e"),
        ({"a.txt": "x\n"}, "gone", f"{CI} was deleted, and pnpm test:e2e with it"),
        ({CI: "jobs: [\n"}, "unknown", f"pnpm test:e2e could not be looked for in {CI}: it does not parse"),
    ],
)
def test_a_step_is_its_command(now: Files, verdict: str, reason: str, history: bool) -> None:
    seen = judged(WATCH, {CI: TEXT}, now, history=history)
    assert (str(seen.verdict), seen.findings[0].reason) == (verdict, reason)


def test_what_runs_instead_is_told_where_the_old_file_is_known() -> None:
    now = {CI: TEXT.replace("pnpm build && pnpm test:e2e", "pnpm test:smoke")}
    said = [judged(WATCH, {CI: TEXT}, now, history=known).findings[0] for known in (True, False)]
    assert [(str(one.verdict), one.reason) for one in said] == [
        ("changed", "pnpm test:e2e is now pnpm test:smoke"),
        ("gone", f"{CI} no longer runs pnpm test:e2e"),
    ]


@pytest.mark.parametrize("history", [True, False])
def test_another_file_that_always_ran_it_is_no_new_place(history: bool) -> None:
    then = {CI: TEXT, RELEASE: TEXT}
    seen = judged(WATCH, then, {CI: TEXT.replace(" && pnpm test:e2e", ""), RELEASE: TEXT}, history=history)
    assert (str(seen.verdict), seen.findings[0].reason) == (
        "changed",
        f"{CI} no longer runs pnpm test:e2e; {RELEASE} still does",
    )


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("FROM a\nRUN x\n", "# why\n\nFROM a\n\nrun  x # y\n", "substantive"),
        ("FROM a\nRUN x\n", "# why\n\nFROM a\n\nrun  x\n", "cosmetic"),
        ("FROM a\nRUN x \\\n  y\n", "FROM a\nRUN x \\\n  # why\n\n  y\n", "cosmetic"),
        ("FROM a\nRUN x\nRUN y\n", "FROM a\nRUN y\nRUN x\n", "substantive"),
        ("# syntax=a:1\nFROM a\n", "# syntax=a:2\nFROM a\n", "substantive"),
        ("FROM a\nENV A=1\n", "FROM a\nENV A='1'\n", "cosmetic"),
        ("RUN <<E\n# a\nE\nRUN x\n", "RUN <<E\n# b\nE\nRUN x\n", "substantive"),
    ],
)
def test_a_dockerfile_is_compared_by_its_instructions(old: str, new: str, difference: str) -> None:
    assert str(compare("Dockerfile", old.encode(), new.encode()).difference) == difference


def test_values_in_a_dockerfile() -> None:
    text = b"ARG V=1\nFROM a:${V}\nENV PORT 80\nENV A=1 B='x y'\nEXPOSE 80\n"
    found = [key_value("Dockerfile", text, key) for key in ("ARG.V", "FROM", "ENV.B", "EXPOSE", "ENV.C")]
    assert found == ['"1"', '"a:${V}"', '"x y"', '"80"', None]
