from __future__ import annotations

import pytest

from gitmem.drift.manifests import declared_names, is_manifest

MANIFESTS: dict[str, tuple[str, set[str]]] = {
    "package.json": (
        ('{"name": "x", "scripts": {"lint": "eslint ."}, "dependencies": {"@acme/ui": "1", "next.js": "2"}, '
         '"devDependencies": {"jest": "29"}, "peerDependencies": {"react": "18"}, "optionalDependencies": {"fsevents": "2"}, '
         '"engines": {"node": "20"}}'),
        {"lint", "@acme/ui", "next.js", "jest", "react", "fsevents"},
    ),
    "pyproject.toml": (
        ('[project]\nname = "x"\ndependencies = ["click>=8.1", "PyYAML; python_version<\'3.12\'", "httpx[http2]~=0.27"]\n'
         '[project.optional-dependencies]\ntest = ["pytest>=8"]\n[project.scripts]\nshop = "shop:main"\n'
         '[dependency-groups]\ndev = ["ruff", "mypy==1.11"]\n[build-system]\nrequires = ["hatchling"]\n'
         '[tool.poetry.dependencies]\npython = "^3.11"\nrequests = {version = "2", extras = ["socks"]}\n'
         '[tool.uv]\ndev-dependencies = ["pyright>=1.1"]\n'),
        {"pyright", "click", "PyYAML", "httpx", "pytest", "shop", "ruff", "mypy", "hatchling", "python", "requests"},
    ),
    "Cargo.toml": (
        ('[package]\nname = "x"\n[dependencies]\nserde = { version = "1", features = ["derive"] }\nlog = "0.4"\n'
         '[dev-dependencies]\ncriterion = "0.5"\n[build-dependencies]\ncc = "1"\n'
         '[target."cfg(unix)".dependencies]\nnix = "0.29"\n[workspace.dependencies]\ntokio = "1"\n'),
        {"serde", "log", "criterion", "cc", "nix", "tokio"},
    ),
    "go.mod": (
        ("module example.org/x\n\ngo 1.22\n\nrequire github.com/pkg/errors v0.9.1\n\nrequire (\n\tgolang.org/x/sync v0.7.0\n"
        "\tgithub.com/google/uuid v1.6.0 // indirect\n)\n"),
        {"github.com/pkg/errors", "golang.org/x/sync", "github.com/google/uuid"},
    ),
    "Gemfile": ("source 'https://rubygems.org'\ngem 'rails', '~> 7'\n  gem \"pg\"\n# gem 'old'\n", {"rails", "pg"}),
    "composer.json": ('{"require": {"php": ">=8", "monolog/monolog": "3"}, "require-dev": {"phpunit/phpunit": "10"}}', {"php", "monolog/monolog", "phpunit/phpunit"}),
    "Package.swift": (
        ('let package = Package(name: "X", dependencies: [\n    .package(url: "https://github.com/apple/swift-nio.git", from: "2.0.0"),\n'
         '    .package(name: "Vapor", url: "https://github.com/vapor/vapor", from: "4.0.0"),\n])\n'),
        {"swift-nio", "Vapor"},
    ),
    "Makefile": ("CC = gcc\n\n.PHONY: test\ntest: build\n\tpytest\n\nbuild:\n\tmake -C x\n", {"test", "build"}),
    "GNUmakefile": ("lint:\n\truff check\n", {"lint"}),
    "justfile": ("version := '1'\n\ntest arg='x': build\n  pytest {{arg}}\n\nbuild:\n  make\n", {"test", "build"}),
    "Pipfile": ('[packages]\nflask = "*"\n[dev-packages]\npytest = "*"\n', {"flask", "pytest"}),
    "setup.cfg": ("[options]\ninstall_requires =\n    click>=8\n    rich\n\n[options.extras_require]\ntest = pytest\n", {"click", "rich", "pytest"}),
    "build.gradle": ("dependencies {\n  implementation 'com.squareup.okhttp3:okhttp:4.12.0'\n  testImplementation \"junit:junit:4.13\"\n}\n", {"okhttp", "junit"}),
    "build.gradle.kts": ('dependencies {\n  implementation("org.slf4j:slf4j-api:2.0")\n}\n', {"slf4j-api"}),
    "pom.xml": ("<project><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId></dependency></dependencies></project>", {"junit"}),
    "requirements.txt": ("# old-one\nclick>=8.1\nPyYAML==6.0 ; python_version<'4'\n-r base.txt\nhttpx[http2]\n", {"click", "PyYAML", "httpx"}),
    "requirements-dev.in": ("pytest\n", {"pytest"}),
}  # fmt: skip


@pytest.mark.parametrize("name", MANIFESTS)
def test_what_each_kind_declares(name: str) -> None:
    text, expected = MANIFESTS[name]
    found = declared_names(f"web/{name}", text.encode())
    assert found >= expected, expected - found
    assert is_manifest(f"web/{name}")


@pytest.mark.parametrize(
    ("name", "absent"),
    [
        ("package.json", {"name", "node", "engines"}),
        ("pyproject.toml", {"version", "python_version", "socks", "http2"}),
        ("Cargo.toml", {"derive", "features", "version"}),
        ("go.mod", {"example.org/x", "go"}),
        ("Gemfile", {"old"}),
        ("requirements.txt", {"old-one", "base.txt"}),
        ("justfile", {"version"}),
    ],
)
def test_what_is_no_declaration(name: str, absent: set[str]) -> None:
    assert not declared_names(name, MANIFESTS[name][0].encode()) & absent


@pytest.mark.parametrize(
    "path",
    ["src/a.py", "package-lock.json", "packages.json", "a/Makefile.am", "requirement.txt", "README.md"],
)
def test_other_files_declare_nothing(path: str) -> None:
    assert not is_manifest(path)
    assert declared_names(path, b'{"dependencies": {"x": "1"}}') == frozenset()


@pytest.mark.parametrize("name", MANIFESTS)
@pytest.mark.parametrize("data", [b"", b"\x00\xff", b"{", b"[[[", "한국어: 값\n".encode()])
def test_no_bytes_break_it(name: str, data: bytes) -> None:
    assert isinstance(declared_names(name, data), frozenset)
