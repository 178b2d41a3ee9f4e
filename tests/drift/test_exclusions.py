from __future__ import annotations

import pytest

from gitmem.drift.exclusions import generated_globs, is_excluded, is_lock_file, is_outside
from tests.support.repo import Repo


@pytest.mark.parametrize(
    "path",
    [
        "package-lock.json", "web/yarn.lock", "Cargo.lock", "go.sum", "uv.lock", "poetry.lock", "pnpm-lock.yaml",
        "vendor/x/y.go", "lib/third_party/z.c", "web/node_modules/a/b.js", "src/__snapshots__/a.txt", "src/a.test.snap",
        "CHANGELOG.md", "docs/changelog.rst", "HISTORY", "NEWS.txt", "release-notes.md", "Release_Notes.md",
        "a.min.js", "api_pb2.py", "api.pb.go", "a.generated.ts", "model.g.dart", "a.js.map",
    ],
)  # fmt: skip
def test_what_a_tool_or_a_release_writes(path: str) -> None:
    assert is_excluded(path)


@pytest.mark.parametrize(
    "path",
    [
        "src/lock.py", "src/locks/file.lock.py", "vendors/a.go", "src/vendor.py", "package.json", "src/changes/a.py",
        "src/history.py", "changelog/reader.py", "src/map.py", "src/generated.py", "news.py", "src/min.js",
    ],
)  # fmt: skip
def test_what_only_looks_like_it(path: str) -> None:
    assert not is_excluded(path)


def test_lock_files_are_told_by_name() -> None:
    assert is_lock_file("a/b/Gemfile.lock")
    assert not is_lock_file("a/b/Gemfile")


@pytest.mark.parametrize(
    ("glob", "path", "outside"),
    [
        ("src/**", "src/vendor/a.go", True),
        ("**", "vendor/a.go", True),
        ("vendor/**", "vendor/lib", False),
        ("vendor/", "vendor/a.go", False),
        ("vendor", "vendor/a.go", False),
        ("vendor/lib", "vendor/lib/a.go", False),
        ("vendor/lib/**", "vendor/lib/a.go", False),
        ("vendor/lib/**", "vendor/other/a.go", True),
        ("src/vendor/*/a.go", "src/vendor/x/a.go", False),
        ("web/node_modules/react/**", "web/node_modules/react/a.js", False),
        ("src/__snapshots__/*.txt", "src/__snapshots__/a.txt", False),
        ("**/uv.lock", "api/uv.lock", False),
        ("api/*", "api/uv.lock", True),
        ("uv.lock", "uv.lock", False),
        ("**/*.snap", "src/a.test.snap", False),
        ("**/CHANGELOG.md", "docs/CHANGELOG.md", False),
        ("docs/*.md", "docs/CHANGELOG.md", True),
        ("src/**", "src/made/a.py", True),
        ("src/made/**", "src/made/a.py", False),
        ("src/made/deep/*.py", "src/made/deep/a.py", False),
        ("src/**", "src/a.gen.ts", True),
        ("src/**/*.gen.ts", "src/x/a.gen.ts", False),
        ("web/**", "web/a.d.ts", True),
        ("src/**", "src/a.py", False),
    ],
)
def test_a_scope_may_name_what_is_left_out(glob: str, path: str, outside: bool) -> None:
    generated = frozenset({"src/made/**", "*.gen.ts", "web/**/*.d.ts"})
    assert is_outside(path, (glob,), generated) is outside
    assert is_outside(path, ("other/**", glob), generated) is outside


ATTRIBUTES = b"""\
# generated
*.gen.ts linguist-generated
/api/*.py linguist-generated=true
docs/** linguist-vendored
proto/**/*.py text linguist-generated eol=lf
*.keep linguist-generated=false
*.off -linguist-generated
build/ linguist-generated
"""


@pytest.mark.parametrize(
    ("path", "excluded"),
    [
        ("a.gen.ts", True),
        ("src/x/a.gen.ts", True),
        ("api/a.py", True),
        ("src/api/a.py", False),
        ("api/deep/a.py", False),
        ("docs/a.md", True),
        ("docs/x/a.md", True),
        ("proto/a.py", True),
        ("proto/x/y/a.py", True),
        ("a.keep", False),
        ("a.off", False),
    ],
)
def test_what_the_attributes_mark(path: str, excluded: bool) -> None:
    assert is_excluded(path, generated_globs(ATTRIBUTES)) is excluded


def test_attributes_in_a_folder_speak_of_that_folder() -> None:
    marked = generated_globs(b"*.ts linguist-generated\n/out/** linguist-generated\n", "web")
    assert is_excluded("web/a.ts", marked)
    assert is_excluded("web/deep/a.ts", marked)
    assert is_excluded("web/out/x/y.js", marked)
    assert not is_excluded("api/a.ts", marked)
    assert not is_excluded("out/x.js", marked)


PATTERNS = (
    "*.ts",
    "/a.ts",
    "src/*.ts",
    "src/**",
    "**/gen/*.py",
    "gen/**/x.py",
    "/src/**/deep/*.ts",
    "a?.py",
    "[ab].py",
)
PATHS = (
    "a.ts",
    "src/a.ts",
    "src/x/a.ts",
    "gen/b.py",
    "x/gen/b.py",
    "gen/x.py",
    "gen/y/x.py",
    "src/deep/a.ts",
    "src/x/y/deep/a.ts",
    "ab.py",
    "a.py",
    "x/b.py",
    "b.py",
)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_mean_what_git_means(repo: Repo, pattern: str) -> None:
    repo.write(".gitattributes", f"{pattern} linguist-generated\n")
    lines = repo.git("check-attr", "linguist-generated", "--", *PATHS).splitlines()
    git = {line.split(": ")[0] for line in lines if line.endswith(": set")}
    marked = generated_globs((repo.path / ".gitattributes").read_bytes())
    assert {path for path in PATHS if is_excluded(path, marked)} == git
