"""The packages that a repository's own manifests declare, whatever the ecosystem.

Read are ``package.json`` and ``pnpm-workspace.yaml``, ``Cargo.toml``, ``go.mod``, ``pom.xml`` and Gradle's build files,
``pyproject.toml`` and ``setup.cfg``, project files of .NET, and ``Package.swift``. Nothing of them is executed, and one
that cannot be read counts as a folder with that manifest.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gitmem.knowledge_map.folders import is_left_out
from gitmem.model.element import Level
from gitmem.model.glob import parse_glob

_NAMES = frozenset(
    [
        "package.json",
        "pnpm-workspace.yaml",
        "Cargo.toml",
        "go.mod",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "Package.swift",
    ]
)
_DOTNET = (".csproj", ".fsproj", ".vbproj")
_MADE_FROM = frozenset(
    ["template", "templates", "scaffold", "scaffolds", "skeleton", "boilerplate", "buildsrc", "build-logic"]
)
_RUN_FOLDERS = frozenset({"apps", "app", "services", "cmd", "servers", "workers"})


@dataclass(frozen=True, slots=True)
class Package:
    """A folder that its own manifest makes a part of the architecture.

    Args:
        folder: From the root; empty for the root.
        name: What its manifest calls it, else the folder's name.
        level: ``container`` for what runs on its own, else ``component``.
    """

    folder: str
    name: str
    level: Level = Level.COMPONENT


def is_manifest(path: str) -> bool:
    """Whether `find_packages` wants the file's content."""
    name = path.rpartition("/")[2]
    if name not in _NAMES and not name.endswith(_DOTNET):
        return False
    folders = path.split("/")[:-1]
    return not is_left_out("/".join(folders)) and _MADE_FROM.isdisjoint(part.lower() for part in folders)


def find_packages(paths: Collection[str], manifests: Mapping[str, bytes]) -> tuple[Package, ...]:
    """The packages, by folder; where one folder has several manifests, the ecosystem named first counts.

    Args:
        paths: Every path of the tree.
        manifests: Content of those paths that are manifests.
    """
    known = frozenset(paths)
    found: dict[str, Package] = {}
    for one in [
        *_cargo(manifests, known),
        *_go(manifests),
        *_dotnet(manifests),
        *_swift(manifests),
        *_python(manifests),
        *_npm(manifests),
        *_jvm(manifests),
    ]:
        level = Level.CONTAINER if _runs(one.folder, known) else one.level
        found.setdefault(one.folder, Package(one.folder, one.name, level))
    return tuple(found[folder] for folder in sorted(found))


def _runs(folder: str, paths: frozenset[str]) -> bool:
    return folder.split("/", maxsplit=1)[0].lower() in _RUN_FOLDERS or f"{folder}/Dockerfile" in paths


def _named(manifests: Mapping[str, bytes], *names: str) -> Iterable[tuple[str, bytes]]:
    """Folder and content of the manifests of these names."""
    for path, data in sorted(manifests.items()):
        folder, _, name = path.rpartition("/")
        if name in names:
            yield folder, data


def _text(value: Any, folder: str) -> str:
    """A name out of a manifest, when it is one, else the folder's."""
    usable = isinstance(value, str) and 0 < len(value) <= 80 and value.isprintable() and "{{" not in value
    return value.strip() if usable and value.strip() else folder.rpartition("/")[2]


def _json(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _toml(data: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}


def _table(value: dict[str, Any], *keys: str) -> dict[str, Any]:
    for key in keys:
        inner = value.get(key)
        value = inner if isinstance(inner, dict) else {}
    return value


def _texts(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


# npm, pnpm, yarn, bun


def _npm(manifests: Mapping[str, bytes]) -> list[Package]:
    """Members of the workspaces; where none is declared, every folder with a manifest that is in no other's."""
    read = {folder: _json(data) for folder, data in _named(manifests, "package.json")}
    spaces = {folder: _workspace_globs(one) for folder, one in read.items() if "workspaces" in one}
    spaces |= {folder: _pnpm_globs(data) for folder, data in _named(manifests, "pnpm-workspace.yaml")}
    members = {folder for folder in read if any(_is_member(folder, *one) for one in spaces.items())}
    # What lies in no workspace stands for itself, unless it is a part of what does.
    alone = [one for one in read if one and one not in members and not _is_below(one, [*members, *spaces])]
    outermost = [one for one in alone if not _is_below(one, [other for other in alone if other != one])]
    return [
        Package(one, _without_scope(_text(read[one].get("name"), one)))
        for one in {*members, *outermost, ""}
        if one in read
    ]


def _without_scope(name: str) -> str:
    return (name.partition("/")[2] or name) if name.startswith("@") else name


def _workspace_globs(manifest: dict[str, Any]) -> list[str]:
    value = manifest.get("workspaces")
    return _texts(value.get("packages") if isinstance(value, dict) else value)


def _pnpm_globs(data: bytes) -> list[str]:
    globs, inside = [], False
    for line in data.decode("utf-8", "replace").splitlines():
        if re.match(r"\S", line) and not line.startswith(("#", "-")):
            inside = line.startswith("packages:")
        found = re.match(r"\s*-\s+[\"']?([^\"'#]+)", line) if inside else None
        globs += [found[1].strip()] if found else []
    return globs


def _is_member(folder: str, root: str, globs: Iterable[str]) -> bool:
    """Whether a folder belongs to a workspace; a later ``!glob`` takes out what an earlier one took in."""
    prefix = f"{root}/" if root else ""
    if not folder.startswith(prefix) or folder == root:
        return False
    inside = False
    for glob in globs:
        if _matches(glob.lstrip("!"), folder.removeprefix(prefix)):
            inside = not glob.startswith("!")
    return inside


def _matches(glob: str, path: str) -> bool:
    cleaned = glob.removeprefix("./").rstrip("/")
    if not set("*?{[") & set(cleaned):  # without a wildcard a glob also means everything below
        return cleaned == path
    try:
        return parse_glob(cleaned).matches(path.encode("utf-8", "surrogateescape"))
    except ValueError:
        return False


def _is_below(folder: str, others: Iterable[str]) -> bool:
    return any(other != folder and folder.startswith(f"{other}/") for other in others if other)


# the others


def _cargo(manifests: Mapping[str, bytes], paths: frozenset[str]) -> list[Package]:
    read = {folder: _toml(data) for folder, data in _named(manifests, "Cargo.toml")}
    out = {
        f"{root}/{glob}".strip("/")
        for root, one in read.items()
        for glob in _texts(_table(one, "workspace").get("exclude"))
    }
    found = []
    for folder, one in read.items():
        if "package" in one and not any(_matches(glob, folder) for glob in out):
            runs = f"{folder}/src/main.rs".lstrip("/") in paths
            name = _text(_table(one, "package").get("name"), folder)
            found.append(Package(folder, name, Level.CONTAINER if runs else Level.COMPONENT))
    return found


def _go(manifests: Mapping[str, bytes]) -> list[Package]:
    found = []
    for folder, data in _named(manifests, "go.mod"):
        module = re.search(rb"^module\s+\"?([^\s\"]+)", data, re.MULTILINE)
        parts = module[1].decode("utf-8", "replace").split("/") if module else [""]
        name = parts[-2] if len(parts) > 1 and re.fullmatch(r"v\d+", parts[-1]) else parts[-1]
        found.append(Package(folder, folder.rpartition("/")[2] or name))
    return found


def _jvm(manifests: Mapping[str, bytes]) -> list[Package]:
    built = _named(manifests, "pom.xml", "build.gradle", "build.gradle.kts")
    return [Package(folder, folder.rpartition("/")[2]) for folder, _ in built]


def _python(manifests: Mapping[str, bytes]) -> list[Package]:
    found = []
    for folder, data in _named(manifests, "pyproject.toml"):
        one = _toml(data)
        declared = _table(one, "project").get("name") or _table(one, "tool", "poetry").get("name")
        if declared or "build-system" in one:
            found.append(Package(folder, _text(declared, folder)))
    others = _named(manifests, "setup.py", "setup.cfg")
    return [*found, *(Package(folder, folder.rpartition("/")[2]) for folder, _ in others)]


def _dotnet(manifests: Mapping[str, bytes]) -> list[Package]:
    found = []
    for path, data in sorted(manifests.items()):
        if path.endswith(_DOTNET):
            folder, _, name = path.rpartition("/")
            stem = name.rpartition(".")[0]
            runs = re.search(rb"Microsoft\.NET\.Sdk\.(?:Web|Worker)\b|<OutputType>\s*(?:Win)?Exe\b", data)
            if not is_left_out(stem):
                found.append(Package(folder, stem, Level.CONTAINER if runs else Level.COMPONENT))
    return found


_SWIFT_TARGET = re.compile(
    rb"\.(target|executableTarget|macro|plugin)\(\s*name:\s*\"([^\"]+)\"((?:(?!\.(?:target|executableTarget|testTarget)\()[^)])*)"
)


def _swift(manifests: Mapping[str, bytes]) -> list[Package]:
    found = []
    for folder, data in _named(manifests, "Package.swift"):
        for kind, raw, rest in _SWIFT_TARGET.findall(data):
            name = raw.decode("utf-8", "replace")
            path = re.search(rb"path:\s*\"([^\"]+)\"", rest)
            below = path[1].decode("utf-8", "replace").strip("./") if path else f"Sources/{name}"
            level = Level.CONTAINER if kind == b"executableTarget" else Level.COMPONENT
            found.append(Package(f"{folder}/{below}".strip("/"), name, level))
    return found
