"""Versions that CI is said to run on are watched where CI holds them; other statements of versions are not."""

from __future__ import annotations

import json

import pytest

from gitmem.drift.derive import derive
from gitmem.model.memory import Scope
from gitmem.model.verdict import Verdict
from gitmem.model.watch import parse_watch
from tests.support.tree_view import TreeOfText, judged

KEY = ".github/workflows/ci.yml#jobs.test.strategy.matrix"


def files(**matrix: list[str]) -> dict[str, str]:
    return {
        ".github/workflows/ci.yml": json.dumps({"jobs": {"test": {"strategy": {"matrix": matrix}}}}),
        "pyproject.toml": '[project]\nname = "x"\nrequires-python = ">=3.10"\n',
        "package.json": '{"engines": {"node": ">=18"}}',
        "src/a.py": "x = 1\n",
    }


PYTHON = files(**{"python-version": ["3.10", "3.11"]})
NODE = files(node=["18", "20", "22"])


def watches(text: str, tree: dict[str, str]) -> list[str]:
    view = TreeOfText(tree)
    return [str(one) for one in derive([text], Scope(paths=("src/**",)), view, files=("src/a.py",)).watches]


@pytest.mark.parametrize(
    "text",
    [
        "CI runs on Python 3.10 and 3.11.",
        "The test matrix covers Python 3.10 and 3.11.",
        "CI는 Python 3.10과 3.11에서 돈다.",
        "워크플로 매트릭스는 Python 3.10, 3.11이다.",
    ],
)
def test_the_matrix_is_watched_and_not_what_the_package_requires(text: str) -> None:
    assert watches(text, PYTHON) == [f"key {KEY}.python-version"]


@pytest.mark.parametrize("text", ["The workflow has Node 18 and 20.", "CI는 Node 18과 20에서 돈다."])
def test_of_more_versions_those_that_are_told(text: str) -> None:
    assert watches(text, NODE) == [f"key {KEY}.node@18", f"key {KEY}.node@20"]


def test_a_matrix_of_inclusions_is_watched_whole() -> None:
    tree = files(include=[{"python": "3.10"}, {"python": "3.11"}])  # type: ignore[list-item]  # mappings
    assert watches("CI runs on Python 3.10 and 3.11.", tree) == [f"key {KEY}"]


@pytest.mark.parametrize(
    "text",
    ["Requires Python 3.10.", "Python 3.10 is the oldest that is supported.", "Python 3.10이 필요하다."],
)
def test_a_requirement_is_none_of_ci(text: str) -> None:
    assert watches(text, PYTHON) == ["key pyproject.toml#project.requires-python@3.10"]


def test_versions_that_no_matrix_holds_are_not_bound_to_one() -> None:
    assert not any(KEY in one for one in watches("CI runs on Python 3.8 and 3.9.", PYTHON))
    assert not any(KEY in one for one in watches("CI는 Node 3.10과 3.11에서 돈다.", PYTHON))


def test_another_version_in_the_list_is_no_change_of_those_told() -> None:
    told = parse_watch("key", f"{KEY}.node@18")
    more, fewer = files(node=["18", "20", "22", "24"]), files(node=["20", "22"])
    assert judged(told, NODE, more).verdict is Verdict.FRESH
    assert judged(told, NODE, fewer).verdict is Verdict.CHANGED
