"""Versions of languages, runtimes and targets: bound to the setting that states them, kept while it says so."""

from __future__ import annotations

import pytest

from gitmem.drift.derive import derive
from gitmem.model.memory import Scope
from gitmem.model.verdict import Verdict
from gitmem.model.watch import parse_watch
from tests.support.tree_view import TreeOfText, judged

TREE = {
    "pyproject.toml": '[project]\nname = "x"\nrequires-python = ">=3.9"\n',
    "package.json": '{"engines": {"node": ">=18.17"}, "packageManager": "pnpm@9.1.0"}',
    "go.mod": "module a\n\ngo 1.21.3\n",
    "Cargo.toml": '[package]\nedition = "2021"\nrust-version = "1.75"\n',
    "build.gradle.kts": "java { toolchain { languageVersion.set(JavaLanguageVersion.of(17)) } }\n",
    "App/App.csproj": "<Project><TargetFrameworks>net8.0;net9.0</TargetFrameworks></Project>\n",
    "App/a.cs": "class A {}\n",
    "Package.swift": "// swift-tools-version: 5.9\nlet p = Package(platforms: [.macOS(.v14), .iOS(.v16)])\n",
    "composer.json": '{"require": {"php": "^8.2"}}',
    ".ruby-version": "3.2.1\n",
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.20)\nset(CMAKE_CXX_STANDARD 20)\n",
    "src/a.py": "x = 1\n",
}


def keys(text: str, scope: str = "**") -> list[str]:
    view = TreeOfText(TREE)
    files = view.matching((scope,))
    found = derive([text], Scope(paths=(scope,)), view, files=files).watches
    return [str(one) for one in found if str(one).startswith("key ")]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Set up Python (Python 3.9 or newer required).", "pyproject.toml#project.requires-python@3.9"),
        ("Python 3.9 이상이 필요하다.", "pyproject.toml#project.requires-python@3.9"),
        ("需要 Python 3.9 或更高版本", "pyproject.toml#project.requires-python@3.9"),
        ("- **Python**: 3.9+", "pyproject.toml#project.requires-python@3.9"),
        ("requires Node 18+", "package.json#engines.node@18"),
        ("Node.js 18 以上が必要です。", "package.json#engines.node@18"),
        ("Needs [Node.js](https://nodejs.org) (>= 18).", "package.json#engines.node@18"),
        ("Use pnpm 9.", "package.json#packageManager@9"),
        ("Built with Go 1.21.", "go.mod#go@1.21"),
        ("The minimum supported Rust version (MSRV): 1.75", "Cargo.toml#package.rust-version@1.75"),
        ("We use the 2021 edition.", "Cargo.toml#package.edition@2021"),
        ("JDK 17 is required.", "build.gradle.kts#languageVersion@17"),
        ("Swift 5.9", "Package.swift#swift-tools-version@5.9"),
        ("macOS 14 (Sonoma) or later", "Package.swift#macOS@14"),
        ("PHP 8.2+", "composer.json#require.php@8.2"),
        ("Ruby 3.2", ".ruby-version#version@3.2"),
        ("The code is C++20.", "CMakeLists.txt#CMAKE_CXX_STANDARD@20"),
        ("CMake 3.20 or newer", "CMakeLists.txt#cmake_minimum_required@3.20"),
    ],
)
def test_a_told_version_is_watched_where_the_project_states_it(text: str, key: str) -> None:
    assert keys(text) == [f"key {key}"]


def test_a_scope_of_code_is_ruled_by_the_nearest_file_above_it() -> None:
    assert keys("Targets .NET 8 and 9.", "App/*.cs") == [
        "key App/App.csproj#TargetFramework@8",
        "key App/App.csproj#TargetFramework@9",
    ]
    assert keys("Python 3.9+", "src/**") == ["key pyproject.toml#project.requires-python@3.9"]
    assert keys(".NET 8", "src/**") == []


def test_a_version_that_nothing_states_is_watched_where_it_is_demanded_alone() -> None:
    assert keys("Requires Python 3.10+.") == ["key pyproject.toml#project.requires-python"]
    assert keys("We develop on Python 3.12.") == []
    assert keys("Python 3.14 is not supported.") == []


@pytest.mark.parametrize(
    "text", ["Go to step 1.21.", "In ios 16 files were found by bundlers", "Swiftly 5.9"]
)
def test_other_words_beside_a_number_mean_no_toolchain(text: str) -> None:
    assert keys(text) == []


def test_a_version_within_what_is_told_keeps_it_and_one_beyond_does_not() -> None:
    watch = parse_watch("key", "Package.swift#swift-tools-version@5.9")
    newer = TREE | {"Package.swift": TREE["Package.swift"].replace("5.9", "6.0")}
    patched = TREE | {"Package.swift": TREE["Package.swift"].replace("5.9", "5.9.2").replace("v14", "v15")}
    assert judged(watch, TREE, newer).verdict is Verdict.CHANGED
    assert judged(watch, TREE, patched).verdict is Verdict.FRESH


OLD = {"setup.py": 'setup(name="x", python_requires=">=3.9")\n', "src/a.py": "x = 1\n"}


@pytest.mark.parametrize(("now", "verdict"), [("3.9", Verdict.RELOCATED), ("3.10", Verdict.CHANGED)])
@pytest.mark.parametrize("kept", [{}, {"setup.py": "from setuptools import setup\n\nsetup()\n"}])
def test_a_version_is_followed_to_the_manifest_that_states_it_now(
    now: str, verdict: Verdict, kept: dict[str, str]
) -> None:
    watch = parse_watch("key", "setup.py#python_requires@3.9")
    new = {"pyproject.toml": f'[project]\nrequires-python = ">={now}"\n', "src/a.py": "x = 1\n"} | kept
    assert judged(watch, OLD, new).verdict is verdict


def test_a_version_that_nothing_states_any_more_is_gone() -> None:
    watch = parse_watch("key", "setup.py#python_requires@3.9")
    assert judged(watch, OLD, OLD | {"setup.py": "setup()\n"}).verdict is Verdict.GONE
