"""Versions that must not come, and package managers, by what the manifest asks for and which lock file is there."""

from __future__ import annotations

import pytest

from gitmem.drift.derive import derive
from gitmem.model.memory import Scope
from gitmem.model.verdict import Verdict
from gitmem.model.watch import parse_watch
from tests.support.tree_view import TreeOfText, judged

WEB = {
    "package.json": '{"dependencies": {"react": "^18.2.0"}}',
    "pnpm-lock.yaml": "lockfileVersion: 9\n",
    "src/a.ts": "export const x = 1\n",
}


def watches(text: str, tree: dict[str, str], scope: str = "src/**") -> list[str]:
    view = TreeOfText(tree)
    files = view.matching((scope,))
    return [str(one) for one in derive([text], Scope(paths=(scope,)), view, files=files).watches]


@pytest.mark.parametrize(
    "text",
    [
        "React 19 is not supported.",
        "`react` 19 is not supported yet.",
        "Do not upgrade to React 19.",
        "React 19는 지원하지 않는다.",
        "React 19로 올리면 안 된다. React 19 금지.",
    ],
)
def test_a_version_that_must_not_come_is_kept_by_the_one_that_is_asked_for(text: str) -> None:
    assert "key package.json#dependencies.react@18" in watches(text, WEB)


@pytest.mark.parametrize("text", ["React 18 is not optional.", "We use React 18.", "React 18을 쓴다."])
def test_a_version_that_is_asked_for_is_told_as_it_was(text: str) -> None:
    assert "key package.json#dependencies.react@18" in watches(text, WEB)


@pytest.mark.parametrize("text", ["React 19 is planned.", "React is not supported."])
def test_without_a_ban_or_a_version_no_version_is_watched(text: str) -> None:
    assert not any("@18" in one for one in watches(text, WEB))


def test_the_next_version_breaks_it_and_a_patch_does_not() -> None:
    watch = parse_watch("key", "package.json#dependencies.react@18")
    newer = WEB | {"package.json": '{"dependencies": {"react": "^19.0.0"}}'}
    patched = WEB | {"package.json": '{"dependencies": {"react": "^18.3.1"}}'}
    assert judged(watch, WEB, newer).verdict is Verdict.CHANGED
    assert judged(watch, WEB, patched).verdict is Verdict.FRESH


@pytest.mark.parametrize(
    "text",
    ["This project uses pnpm.", "Use pnpm, not npm.", "패키지 관리자는 pnpm이다.", "`pnpm`만 사용한다."],
)
def test_a_package_manager_rests_on_its_lock_file(text: str) -> None:
    assert watches(text, WEB, "package.json") == ["path pnpm-lock.yaml"]


@pytest.mark.parametrize("text", ["This project uses yarn.", "패키지 관리자는 yarn이다."])
def test_a_package_manager_without_a_lock_file_has_no_watch(text: str) -> None:
    assert not any(one.startswith("path ") for one in watches(text, WEB))


def test_a_setting_tells_the_package_manager_before_the_lock_file() -> None:
    tree = WEB | {"package.json": '{"packageManager": "pnpm@9.1.0"}'}
    assert watches("This project uses pnpm.", tree) == ["key package.json#packageManager@pnpm"]


def test_a_lock_file_that_was_written_anew_still_tells_the_package_manager() -> None:
    watch = parse_watch("path", "pnpm-lock.yaml")
    renewed = WEB | {"pnpm-lock.yaml": "lockfileVersion: 10\npackages:\n  a: 1\n  b: 2\n"}
    swapped = {path: text for path, text in WEB.items() if path != "pnpm-lock.yaml"} | {"yarn.lock": "x\n"}
    assert judged(watch, WEB, renewed).verdict is Verdict.FRESH
    assert judged(watch, WEB, swapped).verdict is Verdict.GONE


@pytest.mark.parametrize(
    "text",
    [
        "Set up your Python environment (Python 3.9 or newer required)",
        "`Python` is needed: Python 3.9+",
        "Python 3.9 이상이 필요하다. Python 환경을 먼저 만든다.",
    ],
)
@pytest.mark.parametrize(
    ("manifest", "key"),
    [
        ({"pyproject.toml": '[project]\nname = "x"\nrequires-python = ">=3.9"\n'}, "pyproject.toml#project.requires-python@3.9"),
        ({"setup.cfg": "[options]\npython_requires = >=3.9\n"}, "setup.cfg#options.python_requires@3.9"),
    ],
    ids=["pyproject", "setup.cfg"],
)  # fmt: skip
def test_of_a_name_said_twice_the_one_with_the_version_counts(
    text: str, manifest: dict[str, str], key: str
) -> None:
    assert watches(text, {**manifest, "src/a.py": "x = 1\n"}, "**") == [f"key {key}"]
