"""Where a project states the version of its language, runtime or target: by settings, and in files that have no keys.

| toolchain | read from |
|---|---|
| Python | ``requires-python``, ``python_requires``, ``.python-version`` |
| Node, npm, pnpm, yarn, bun | ``engines``, ``volta``, ``packageManager``, ``.nvmrc`` |
| Go, Rust, edition | the ``go`` directive, ``rust-version``, ``rust-toolchain.toml``, ``edition`` |
| Java, .NET | toolchains of Gradle and Maven, target frameworks, ``global.json`` |
| Swift, macOS, iOS | ``swift-tools-version`` and platforms of ``Package.swift`` |
| Ruby, PHP, Elixir, Dart, C++, CMake | the manifest's own line |

The key of what stands in a file without keys is the name that the file gives it: ``setup.py#python_requires``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from posixpath import basename, dirname
from typing import NamedTuple

from gitmem.drift.content.leaves import decode
from gitmem.drift.content.reading import key_value
from gitmem.drift.once import once
from gitmem.drift.view import TreeView


class Place(NamedTuple):
    """A key of a file that states a toolchain's version."""

    path: str
    key: str
    value: str


_MISE = ("mise.toml", ".mise.toml")
_PLACES: dict[str, tuple[tuple[str, str], ...]] = {
    "python": (
        ("pyproject.toml", "project.requires-python"),
        ("pyproject.toml", "tool.poetry.dependencies.python"),
        ("setup.cfg", "options.python_requires"),
        ("setup.py", "python_requires"),
        ("Pipfile", "requires.python_version"),
        (".python-version", "version"),
        *((name, "tools.python") for name in _MISE),
        (".tool-versions", "python"),
    ),
    "node": (
        ("package.json", "engines.node"),
        ("package.json", "volta.node"),
        ("package.json", "devEngines.runtime.version"),
        (".nvmrc", "version"),
        (".node-version", "version"),
        *((name, "tools.node") for name in _MISE),
        (".tool-versions", "nodejs"),
    ),
    "go": (
        ("go.mod", "go"),
        ("go.mod", "toolchain"),
        ("go.work", "go"),
        (".go-version", "version"),
        *((name, "tools.go") for name in _MISE),
        (".tool-versions", "golang"),
    ),
    "rust": (
        ("Cargo.toml", "package.rust-version"),
        ("Cargo.toml", "workspace.package.rust-version"),
        ("rust-toolchain.toml", "toolchain.channel"),
        ("rust-toolchain", "version"),
        ("Cargo.toml", "package.edition"),
        ("Cargo.toml", "workspace.package.edition"),
    ),
    "edition": (("Cargo.toml", "package.edition"), ("Cargo.toml", "workspace.package.edition")),
    "java": (
        *(
            (name, key)
            for name in ("build.gradle.kts", "build.gradle")
            for key in (
                "languageVersion",
                "jvmToolchain",
                "sourceCompatibility",
                "targetCompatibility",
                "jvmTarget",
            )
        ),
        *(
            ("pom.xml", key)
            for key in ("maven.compiler.release", "java.version", "maven.compiler.source", "release")
        ),
        (".java-version", "version"),
        (".sdkmanrc", "java"),
    ),
    "dotnet": (
        ("*.csproj", "TargetFramework"),
        ("*.fsproj", "TargetFramework"),
        ("Directory.Build.props", "TargetFramework"),
        ("global.json", "sdk.version"),
    ),
    "swift": (("Package.swift", "swift-tools-version"), (".swift-version", "version")),
    "macos": (("Package.swift", "macOS"),),
    "ios": (("Package.swift", "iOS"),),
    "ruby": ((".ruby-version", "version"), ("Gemfile", "ruby"), ("*.gemspec", "required_ruby_version")),
    "php": (("composer.json", "require.php"),),
    "elixir": (("mix.exs", "elixir"), (".tool-versions", "elixir")),
    "dart": (("pubspec.yaml", "environment.sdk"),),
    "flutter": (("pubspec.yaml", "environment.flutter"),),
    "cpp": (("CMakeLists.txt", "CMAKE_CXX_STANDARD"), ("meson.build", "cpp_std")),
    "cmake": (("CMakeLists.txt", "cmake_minimum_required"),),
    **{
        name: (
            ("package.json", "packageManager"),
            ("package.json", f"engines.{name}"),
            ("package.json", f"volta.{name}"),
        )
        for name in ("npm", "pnpm", "yarn", "bun")
    },
}
_WRITTEN = {
    "python_requires": re.compile(r"\bpython_requires\s*=\s*[\"']([^\"']+)"),
    "languageVersion": re.compile(r"\bJavaLanguageVersion\.of\(\s*(\d+)"),
    "jvmToolchain": re.compile(r"\bjvmToolchain\(\s*(\d+)"),
    "sourceCompatibility": re.compile(
        r"\bsourceCompatibility\s*=?\s*(?:JavaVersion\.VERSION_)?[\"']?(?:1[._])?(\d+)"
    ),
    "targetCompatibility": re.compile(
        r"\btargetCompatibility\s*=?\s*(?:JavaVersion\.VERSION_)?[\"']?(?:1[._])?(\d+)"
    ),
    "jvmTarget": re.compile(r"\bjvmTarget\s*=\s*(?:JvmTarget\.JVM_)?[\"']?(?:1[._])?(\d+)"),
    "maven.compiler.release": re.compile(r"<maven\.compiler\.release>\s*(\d+)"),
    "maven.compiler.source": re.compile(r"<maven\.compiler\.source>\s*(?:1\.)?(\d+)"),
    "java.version": re.compile(r"<java\.version>\s*(?:1\.)?(\d+)"),
    "release": re.compile(r"<release>\s*(\d+)"),
    "TargetFramework": re.compile(r"<TargetFrameworks?>\s*([\w.;-]+)"),
    "swift-tools-version": re.compile(r"swift-tools-version:\s*(\d+(?:\.\d+)*)"),
    "macOS": re.compile(r"\.macOS\((?:\.v|\")(\d+(?:[._]\d+)*)"),
    "iOS": re.compile(r"\.iOS\((?:\.v|\")(\d+(?:[._]\d+)*)"),
    "ruby": re.compile(r"^[^\S\n]*ruby\s+[\"']([^\"']+)", re.MULTILINE),
    "required_ruby_version": re.compile(
        r"\brequired_ruby_version\s*=\s*(?:Gem::Requirement\.new\()?[\"']([^\"']+)"
    ),
    "elixir": re.compile(r"\belixir:\s*\"([^\"]+)"),
    "CMAKE_CXX_STANDARD": re.compile(r"(?i)\bset\s*\(\s*CMAKE_CXX_STANDARD\s+(\d+)"),
    "cpp_std": re.compile(r"\bcpp_std=\w*\+\+(\d+)"),
    "cmake_minimum_required": re.compile(r"(?i)\bcmake_minimum_required\s*\(\s*VERSION\s+([\d.]+)"),
}
_VERSION_FILE = re.compile(r"^[^\S\n]*v?(\d[\w.-]*|[a-z]+/\w+|[a-z]+)[^\S\n]*$", re.MULTILINE)
_VERSION_FILES = frozenset(name for places in _PLACES.values() for name, key in places if key == "version")
_LINE_FILES = frozenset({".tool-versions", ".sdkmanrc"})
FILES = frozenset(name for places in _PLACES.values() for name, _ in places)
_BY_ENDING = frozenset(name[1:] for name in FILES if name.startswith("*"))


def written_value(path: str, data: bytes, key: str) -> str | None:
    """The version that a file without keys states; None when it does not, or has keys.

    Args:
        path: The file.
        data: Its content.
        key: The name that it is stated under, as in a watch.
    """
    name, text = basename(path), decode(data)
    if key == "version" and name in _VERSION_FILES:
        found = _VERSION_FILE.search(text)
    elif name in _LINE_FILES:
        found = re.search(rf"^[^\S\n]*{re.escape(key)}[^\S\n]*[=\s][^\S\n]*(\S+)", text, re.MULTILINE)
    elif key in _WRITTEN and toolchains_of(path, key):
        found = _WRITTEN[key].search(text)
    else:
        return None
    return _plain(found[1]) if found is not None else None


def _plain(value: str) -> str:
    """A version as it is compared: of several frameworks a list, ``13_0`` with a point."""
    plain = re.sub(r"(?<=\d)_(?=\d)", ".", value)
    return f"[{plain.replace(';', ',')}]" if ";" in plain else plain


def _is_called(name: str, file: str) -> bool:
    return name == file or (file[0] == "*" and name.endswith(file[1:]))


def is_written(path: str, key: str) -> bool:
    """Whether a key is the name of a line that a file without keys may have."""
    return (key in _WRITTEN or key == "version" or basename(path) in _LINE_FILES) and bool(
        toolchains_of(path, key)
    )


def toolchains_of(path: str, key: str) -> tuple[str, ...]:
    """The toolchains whose version a key of a file states; empty when it states none."""
    name = basename(path)
    return tuple(
        one
        for one, places in _PLACES.items()
        if any(key == own and _is_called(name, file) for file, own in places)
    )


def places_of(toolchain: str, view: TreeView, files: Sequence[str]) -> Iterator[Place]:
    """Where the version of a toolchain is stated, the nearest to some files first, in each folder the plainest first.

    Args:
        toolchain: Its name in the table above.
        view: The tree.
        files: What is asked for: their folders, those above them and the root are looked at.
    """
    known = once(view, "toolchain files", lambda: tuple(filter(_may_state, view.paths())))
    folders = {folder for path in files for folder in _with_ancestors(dirname(path))} | {""}
    near = sorted(
        (path for path in known if dirname(path) in folders),
        key=lambda path: (path not in files, -path.count("/"), path),
    )
    for file, key in _PLACES.get(toolchain, ()):
        for path in near:
            if _is_called(basename(path), file):
                data = view.read(path) or b""
                value = key_value(path, data, key) or written_value(path, data, key)
                if value is not None:
                    yield Place(path, key, value)


def _may_state(path: str) -> bool:
    name = basename(path)
    return name in FILES or name.endswith(tuple(_BY_ENDING))


def _with_ancestors(folder: str) -> Iterator[str]:
    while folder:
        yield folder
        folder = dirname(folder)
