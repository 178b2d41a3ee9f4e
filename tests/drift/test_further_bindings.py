"""Defaults, schedules, rows of a map, constructors and task runners: what statements name beyond definitions."""

from __future__ import annotations

import pytest

from gitmem.drift.concrete import concrete_things
from gitmem.drift.derive import Derivation, derive
from gitmem.drift.speaking import Edited, spoken
from gitmem.model.memory import Scope
from tests.support.tree_view import TreeOfText

SHOP = TreeOfText(
    {
        "agent/service.py": "def run(\n    step_timeout: int = 120,\n    retries=3,\n):\n    return step_timeout\n",
        "global.json": '{"sdk": {"version": "10.0.100-rc.1.25411.109"}}\n',
        "pixi.toml": '[tasks]\ntest = "pytest"\n[feature.lint.tasks]\nlint = "ruff check"\n[feature.x.tasks]\nfmt = { cmd = "ruff format" }\n',
        "src/security/check.py": "def check():\n    return 1\n",
        "Seeder/RecipeBuilder.cs": "class RecipeBuilder\n{\n    public RecipeBuilder(int a)\n    {\n    }\n    public void Build()\n    {\n    }\n}\n",
    }
)


def derived(text: str, *globs: str) -> Derivation:
    return derive([text], Scope(paths=globs), SHOP, files=SHOP.matching(globs))


def watches(text: str, *globs: str) -> list[str]:
    return [str(one) for one in derived(text, *globs).watches]


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("`step_timeout` (default: `120`): seconds for each step", [("step_timeout", "120")]),
        ("`wait` defaults to 5", [("wait", "5")]),
        ("`mode`, default `fast`", [("mode", "fast")]),
        ("`port` (default 8080)", [("port", "8080")]),
        ("`retries`의 기본값은 `3`이다", [("retries", "3")]),
        ("`retries` のデフォルトは 3", [("retries", "3")]),
        ("`fullscreen` 默认为 `false`", [("fullscreen", "false")]),
        ("`x` returns the default `y`", []),
        ("`x` is there. Default `y`", []),
        ("the default `x`", []),
    ],
)
def test_a_name_is_told_with_its_default(text: str, settings: list[tuple[str, str]]) -> None:
    assert [(one.name, one.value) for one in concrete_things(text) if one.kind == "setting"] == settings


def test_a_default_is_watched_where_code_gives_it() -> None:
    assert watches("`step_timeout` (default: `120`)", "agent/**")[0].startswith("lines agent/service.py:2-2")
    assert watches("`retries` 기본값은 3", "agent/**")[0].startswith("lines agent/service.py:3-3")
    assert not any(one.startswith("lines") for one in watches("`retries` defaults to 4", "agent/**"))


def test_a_version_in_parentheses_is_watched_though_editing_is_banned() -> None:
    told = watches(
        "`global.json`: pins the SDK version (10.0.100-rc.1.25411.109) - never modify it", "global.json"
    )
    assert told == ["ident 10.0.100-rc.1.25411.109", "path global.json"]


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("pixi run test", "tasks.test"),
        ("pixi run lint", "feature.lint.tasks.lint"),
        ("pixi run fmt", "feature.x.tasks.fmt"),
    ],
)
def test_tasks_of_pixi_are_scripts(command: str, key: str) -> None:
    assert watches(f"Try `{command}`", "pixi.toml")[0].startswith(f"key pixi.toml#{key}")


@pytest.mark.parametrize(
    "text",
    [
        "security/ # Security checks that keep secrets out",
        "├── src/security/  # 보안 검사",
        "**Security (`src/security/check.py`)**: the checks of a run",
    ],
)
def test_a_row_of_a_map_rests_on_its_path(text: str) -> None:
    found = derived(text, "src/security/**")
    assert [one.kind for one in found.watches] == ["path"]
    assert found.pinned


@pytest.mark.parametrize(
    "text", ["# Security checks", "Fix # 3 in src", "`src/security/check.py` # returns 1 twice"]
)
def test_a_heading_is_no_row(text: str) -> None:
    assert (
        "file src/security/check.py" in watches(text, "src/security/check.py")
        or not derived(text, "src/security/**").pinned
    )


def test_a_word_that_names_class_and_constructor_means_the_class() -> None:
    told = watches("`RecipeBuilder` is a fluent API", "Seeder/**")
    assert told
    assert not any("RecipeBuilder.RecipeBuilder" in one for one in told)


@pytest.mark.parametrize("said", ["every 6 hours", "nightly", "매일", "毎日", "每天"])
def test_a_schedule_in_words_speaks_of_cron(said: str) -> None:
    old, new = (
        f"name: tests\non:\n  schedule:\n    - cron: '{when}'\njobs: 1\n".encode()
        for when in ("0 */6 * * *", "0 9,21 * * *")
    )
    other = old.replace(b"jobs: 1", b"jobs: 2")
    statement = f"The workflow runs {said}"
    assert spoken(statement, [Edited("ci.yml", old, new)]) == (True,)
    assert spoken(statement, [Edited("ci.yml", old, other)]) == (False,)
