"""Concrete things of a statement, and what they are bound to, on literals."""

from __future__ import annotations

import pytest

from gitmem.drift.binding import bind
from gitmem.drift.concrete import (
    concrete_things,
    flag_forms,
    members_behind,
    value_forms,
    variable_forms,
)
from gitmem.drift.derive import Derivation, derive
from gitmem.drift.stated import states
from gitmem.drift.words import versions_behind
from gitmem.model.memory import Scope
from tests.support.tree_view import TreeOfText

GO_MOD = (
    "module acme.org/shop\n\nrequire (\n\tgithub.com/google/go-github/v82 v82.0.0\n"
    "\tgithub.com/acme/go-github-mock v1.3.0\n)\n"
)
FILES = {
    "hatch/pyproject.toml": '[tool.hatch.envs.test]\nfeatures = ["a"]\n[tool.hatch.envs.test.scripts]\nlint = "ruff"\n',
    "run.sh": "docker run ubuntu-20.04\n",
    ".github/workflows/ci.yml": "jobs:\n  test:\n    runs-on: ubuntu-20.04\n    steps:\n      - uses: denoland/setup-deno@v2\n      - run: uv sync\n",
    "Cargo.toml": '[package]\nname = "shop"\n[features]\ndataframe = ["dep:polars"]\n',
    "Dockerfile": "FROM golang:1.25.8-alpine\nARG PYTHON_VERSION=3.11.3\n",
    "cmd/main.go": 'package main\n\nfunc main() {\n\tflags("dynamic-toolsets")\n\tviper.GetBool("read_only")\n\topen("shop.db")\n}\n',
    "go.mod": GO_MOD,
    "lint/index.js": "export default 1\n",
    "package.json": '{"engines": {"node": "^18.0.0 || ^20.0.0", "pnpm": ">=9.15"}, "packageManager": "pnpm@10.28.2"}\n',
    "pyproject.toml": "[tool.ruff]\nline-length = 88\n[tool.other]\nline-length = 100\n",
    "src/auth/oauth.ts": "export const a = 1\n",
    "src/server.ts": 'export const at = "http://localhost:8976/callback"\n',
    "tools/eslint-config/index.js": "export default 1\n",
    "tools/lint.js": "export default 1\n",
    "vitest.config.mts": 'export default {\n  retry: 2, // twice\n  testTimeout: 15_000,\n  pool: "forks",\n}\n',
    "web/package.json": '{"dependencies": {"@sentry/node": "8", "@acme/nextjs": "1"}}\n',
}  # fmt: skip
SHOP = TreeOfText(FILES)


def derived(text: str, *globs: str) -> Derivation:
    return derive([text], Scope(paths=globs), SHOP, files=SHOP.matching(globs))


def watches(text: str, *globs: str) -> list[str]:
    return [str(one) for one in derived(text, *globs).watches]


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("Flags: --read-only, --gh-host", ["flag read-only", "flag gh-host"]),
        ("`--enable_synthesis`を指定", ["flag enable_synthesis"]),
        ("`cargo run --features=a,b`", ["flag features a,b"]),
        ("All the --color-custom* are gone", []),
        ("`SHOP_READ_ONLY`를 1로", ["variable SHOP_READ_ONLY"]),
        ("Line length: 88 chars maximum", ["setting Line length 88chars"]),
        ("Unit timeout: 15s, retry: 0 (overrides)", ["setting Unit timeout 15s", "setting retry 0"]),
        ('Pool: `"forks"` (not threads)', ["setting Pool forks"]),
        ("`retry: 2`, `restoreMocks: true`", ["setting retry 2", "setting restoreMocks true"]),
        ("재시도: 3", ["setting 재시도 3"]),
        ("Runners are `ubuntu-20.04`", ["literal ubuntu-20.04"]),
        ("built from golang:1.25.8-alpine", ["literal golang:1.25.8-alpine"]),
        ("`Python 3.11.3` を用いて", ["literal 3.11.3"]),
        ("it listens on `localhost:8976`", ["literal localhost:8976"]),
        ("only `127.0.0.1` may call", []),
        ("存储在 `~/.shop/shop.db`", ["file shop.db"]),
        ("`make install` (requires uv and deno)", ["member uv", "member deno"]),
        ("see `src/a.go:29` for it", []),
        ("Note: this is 3 of them", []),
    ],
)
def test_the_concrete_things_of_a_text(text: str, things: list[str]) -> None:
    found = concrete_things(text)
    assert [" ".join(filter(None, (str(one.kind), one.name, one.value))) for one in found] == things


@pytest.mark.parametrize(
    ("text", "globs", "expected"),
    [
        ("Line length: 88 chars maximum", ["pyproject.toml"], ["key pyproject.toml#tool.ruff.line-length"]),
        ("Flags: --read-only and --dynamic-toolsets", ["cmd/**"], ["ident read_only", "ident dynamic-toolsets"]),
        ("**SHOP_READ_ONLY** - Set to 1", ["cmd/**"], ["ident read_only"]),
        ("`cargo run --features=dataframe`", ["Cargo.toml"], ["key Cargo.toml#features.dataframe"]),
        ("Runners are `ubuntu-20.04`", [".github/**"], ["key .github/workflows/ci.yml#jobs.test[runs-on=ubuntu-20.04]"]),
        ("러너는 `ubuntu-20.04`이다", [".github/**"], ["key .github/workflows/ci.yml#jobs.test[runs-on=ubuntu-20.04]"]),
        ("It runs `ubuntu-20.04`", ["run.sh"], ["ident ubuntu-20.04"]),
        ("built in stages (golang:1.25.8-alpine)", ["Dockerfile"], ["ident golang:1.25.8-alpine"]),
        ("`Python 3.11.3` を用いて", ["Dockerfile"], ["ident 3.11.3"]),
        ("it listens on `localhost:8976`", ["src/**"], ["ident localhost:8976"]),
        ("`retry: 2`", ["vitest.config.mts"], ["lines vitest.config.mts:2-2"]),
        ("Unit timeout: 15s", ["vitest.config.mts"], ["lines vitest.config.mts:3-3"]),
        ('Pool: `"forks"` (not threads)', ["vitest.config.mts"], ["lines vitest.config.mts:4-4"]),
        ("All is stored in `~/.shop/shop.db`", ["cmd/**"], ["ident shop.db"]),
    ],
)  # fmt: skip
def test_a_concrete_thing_is_watched_where_it_stands(
    text: str, globs: list[str], expected: list[str]
) -> None:
    assert watches(text, *globs) == expected


@pytest.mark.parametrize(
    ("text", "globs", "expected"),
    [
        ("**Node.js**: v18 or v20", ["package.json"], ["key package.json#engines.node@18", "key package.json#engines.node@20"]),
        ("[pnpm](https://pnpm.io/installation) 9+", ["package.json"], ["key package.json#engines.pnpm@9"]),
        ("pnpm 10을 쓴다", ["package.json"], ["key package.json#packageManager@10"]),
        ("Uses google/go-github for the API", ["go.mod"], ["ident github.com/google/go-github"]),
        ("Mock it with `go-github-mock`", ["go.mod"], ["ident github.com/acme/go-github-mock"]),
        ("| `tools/` | Internal (eslint-config, tsconfig) |", ["tools/**"], ["path tools/", "path tools/eslint-config/"]),
        ("uvx hatch run +py=3.12 test:lint a.py", ["hatch/**"], ["key hatch/pyproject.toml#tool.hatch.envs.test.scripts.lint"]),
        ("Run `hatch run test:types`", ["hatch/**"], ["key hatch/pyproject.toml#tool.hatch.envs.test"]),
        ("Spawns Node with care", ["web/**"], []),
        ("We use NextJS", ["web/**"], ["ident @acme/nextjs"]),
        ("It waits for the OAuth callback", ["src/**"], []),
    ],
)  # fmt: skip
def test_products_libraries_and_members(text: str, globs: list[str], expected: list[str]) -> None:
    assert sorted(watches(text, *globs)) == sorted(expected)


def test_a_setting_that_is_told_and_not_found_leaves_the_file_watched() -> None:
    assert derived("`retry: 2`", "vitest.config.mts").pinned
    assert not derived("`retry: 2`, `bail: 1`", "vitest.config.mts").pinned


def test_where_a_file_of_the_user_lies_does_not_stand_in_for_the_code() -> None:
    found = derived("All is stored in `~/.shop/shop.db`", "cmd/**")
    assert found.loose == frozenset(found.watches)
    assert not found.pinned


@pytest.mark.parametrize(
    "text", ["`package.json` 버전은 수정하지 않음", "Never edit `package.json`", "`package.json` は編集禁止"]
)
def test_a_file_that_must_not_be_edited_is_watched_as_a_path(text: str) -> None:
    found = derived(text, "package.json")
    assert [str(one) for one in found.watches] == ["path package.json"]
    assert found.pinned


def test_what_a_step_says_is_not_bound_again() -> None:
    text = "built from `golang:1.25.8-alpine`"
    assert bind(text, SHOP, ["Dockerfile"]).watches
    assert not bind(text, SHOP, ["Dockerfile"], [(0, len(text))]).watches


def test_forms_of_values_flags_and_variables() -> None:
    assert value_forms("15s") == {"15", "15000"}
    assert value_forms("2분") == {"2", "120", "120000"}
    assert value_forms("1,000") == {"1000"}
    assert value_forms("Forks") == {"forks"}
    assert flag_forms("dry-run") == ("dry-run", "dry_run", "dryRun")
    assert flag_forms("json") == ("json",)
    assert flag_forms("debug.warn-only")[-3:] == ("warn-only", "warn_only", "warnOnly")
    assert "port" not in flag_forms("server.port")
    assert variable_forms("GITHUB_READ_ONLY") == ("read-only", "read_only", "readOnly")
    assert variable_forms("PATH") == ()


def test_versions_and_members_behind_a_name() -> None:
    text = "[Node.js](https://nodejs.org/) 20+"
    assert versions_behind(text, text.index("]")) == ("20",)
    assert versions_behind("**Node.js**: v18, v20, or v22 (v22 best)", 9) == ("18", "20", "22")
    assert versions_behind("Node does 3 things", 4) == ()
    assert members_behind("`tools/` | Internal (lint, build, and tsc)", 7) == ("lint", "build", "tsc")
    assert members_behind("`tools/` (see below)", 7) == ()


def test_a_value_of_alternatives_states_each() -> None:
    assert states("^18.0.0 || ^20.0.0", "20")
    assert not states("^22.0.0 || ^24.0.0", "20")
    assert not states(">=3.9,<4", "4")
