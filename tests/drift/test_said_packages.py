"""What command lines say of the project's packages and of its package manager."""

from __future__ import annotations

import pytest

from gitmem.drift.derive import derive
from gitmem.model.memory import Scope
from gitmem.model.verdict import Verdict
from gitmem.model.watch import parse_watch
from tests.support.tree_view import TreeOfText, judged

TREE = {
    "package.json": '{"name": "root", "scripts": {"lint": "eslint ."}}',
    "pnpm-lock.yaml": "lockfileVersion: 9\n",
    "apps/web/package.json": '{"name": "@acme/web", "scripts": {"dev": "vite"}}',
    "tasks/pc/Cargo.toml": '[package]\nname = "app_pc"\n',
    "tasks/pc/src/main.rs": "fn main() {}\n",
    "uv.lock": "version = 1\n",
    "pyproject.toml": '[project]\nname = "p"\n',
}


def watches(text: str) -> list[str]:
    view = TreeOfText(TREE)
    return [
        str(one) for one in derive([text], Scope(paths=("**",)), view, files=view.matching(("**",))).watches
    ]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("`cargo run -p app_pc`", "tasks/pc/Cargo.toml#package.name"),
        ("Run `cargo test --package=app_pc -- --ignored`.", "tasks/pc/Cargo.toml#package.name"),
        ("`pnpm --filter @acme/web dev`", "apps/web/package.json#name"),
        ("`yarn workspace @acme/web build`", "apps/web/package.json#name"),
    ],
)
def test_a_package_that_a_command_names_is_watched_by_its_manifest(text: str, key: str) -> None:
    assert f"key {key}" in watches(text)


@pytest.mark.parametrize("text", ["`cargo run -p other`", "`cargo build`", "`pnpm --filter ./apps/web dev`"])
def test_a_package_that_is_not_there_is_not_watched(text: str) -> None:
    assert not any(one.endswith((".name", "#name")) for one in watches(text))


@pytest.mark.parametrize(
    ("text", "lock"),
    [
        ("`pnpm install`", "pnpm-lock.yaml"),
        ("First `pnpm install --frozen-lockfile`.", "pnpm-lock.yaml"),
        ("`pnpm lint`", "pnpm-lock.yaml"),
        ("`uv sync --all-extras`를 실행한다.", "uv.lock"),
        ("```\npnpm install\npnpm dev\n```", "pnpm-lock.yaml"),
    ],
)
def test_a_command_of_the_package_manager_rests_on_what_makes_it_that(text: str, lock: str) -> None:
    assert f"path {lock}" in watches(text)


@pytest.mark.parametrize(
    "text", ["`pnpm install left-pad`", "`pnpm install -g x`", "`pnpm publish`", "`npm ci`", "`npm run lint`", "`uv pip install x`"]
)  # fmt: skip
def test_what_anybody_may_type_says_nothing_of_the_package_manager(text: str) -> None:
    assert not any(one.startswith("path ") for one in watches(text))


def test_another_lock_file_of_the_same_package_manager_takes_the_place_of_one() -> None:
    watch = parse_watch("path", "bun.lockb")
    assert judged(watch, {"bun.lockb": "\x01a"}, {"bun.lock": "{}"}).verdict is Verdict.RELOCATED
    assert judged(watch, {"bun.lockb": "\x01a"}, {"pnpm-lock.yaml": "a: 1\n"}).verdict is Verdict.GONE
