"""A first elements file from what the repository itself says of its structure (domain.md section 5, end).

1. Packages that manifests declare (`gitmem.knowledge_map.packages`), aggregators without code of their own left out.
2. Without any: the folders that CODEOWNERS names.
3. What neither covers: top folders, where a folder that holds parts (``src``, ``lib``, ``packages``) or nearly all of
   the code gives its sub-folders, and files beside them make one part more.
4. A part with more than a fifth of the code is drawn as a container with its sub-folders inside it.

Tests, documents, examples, generated and vendored files are no architecture (`gitmem.knowledge_map.folders`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gitmem.knowledge_map.folders import (
    HOLDERS,
    NEARLY_ALL,
    Folders,
    architecture_files,
    is_left_out,
    with_parents,
)
from gitmem.knowledge_map.owners import owned_folders
from gitmem.knowledge_map.packages import Package, find_packages
from gitmem.model.element import ADR_FOLDERS, Element, Elements, Level
from gitmem.model.glob import parse_glob

_LARGE = 0.2
_LARGE_FILES = (0, 40, 150, 400)
"""Source files that make a part large, by how deep it lies inside others."""
_SMALL = 0.002
_FEWEST_INSIDE = 3
_FEWEST_FILES = 2
_FEW = 3
_SETTINGS = re.compile(
    r"^configs?$|(?:^|[-_./])(?:babel|biome|eslint|jest|lint|postcss|prettier|renovate|stylelint|tailwind|tailwindcss|ts"
    r"|typescript|vitest)[-_.]?configs?(?:$|[-_.])|^(?:eslint|prettier)-config-",
    re.IGNORECASE,
)
_SCRIPTS = frozenset({"sh", "ps1"})
_MOST_MODULES = 60
_ENTRY_FILES = frozenset({"__init__", "__main__", "index", "main", "mod", "lib", "version", "_version"})


@dataclass(frozen=True, slots=True)
class Part:
    """One element to be.

    Args:
        folder: Where it lies.
        name: What it is called when nothing else is called so.
        level: Its level.
        only: A pattern of names when it is only files right in the folder; None for everything below.
        inside: Folder, later the name, of the part that holds it.
        split_from: Folder of the container that it was drawn in, whose name stands before its own.
    """

    folder: str
    name: str
    level: Level = Level.COMPONENT
    only: str | None = None
    inside: str | None = None
    split_from: str | None = None

    @property
    def glob(self) -> str:
        return f"{_literal(self.folder)}{'/' if self.folder else ''}{self.only or '**'}"


def draft_elements(
    paths: Collection[str],
    manifests: Mapping[str, bytes],
    *,
    owners: bytes = b"",
    generated: frozenset[str] = frozenset(),
) -> Elements:
    """Draw the elements.

    Args:
        paths: Every path of the tree.
        manifests: Content of those for which `gitmem.knowledge_map.packages.is_manifest` holds.
        owners: Content of the CODEOWNERS file.
        generated: Globs that ``.gitattributes`` marks as generated or vendored.

    Returns:
        Elements by path, each name once whatever its case; none where there is no code.
    """
    usable = [path for path in paths if not _is_broken(path)]
    packages = find_packages(usable, manifests)
    folders = _without_settings(architecture_files(usable, generated), packages)
    root = next((one.name for one in packages if not one.folder), "")
    parts = _packages(folders, packages, root) or _owned(folders, owners)
    parts += _uncovered(folders, parts, root)
    parts = _modules(folders, parts) if len(parts) == 1 else parts
    parts = [one for part in parts for one in _with_insides(folders, part, parts, 1)]
    parts = _nested([part for part in sorted(parts, key=_order) if _is_readable(part.glob)])
    elements = tuple(_element(part, name) for part, name in _names(parts).items())
    return Elements(elements, tuple(dict.fromkeys((*ADR_FOLDERS, *_decision_folders(usable)))))


def _decision_folders(paths: Collection[str]) -> list[str]:
    """Folders called after decisions that hold numbered records, wherever they are."""
    found = (
        re.fullmatch(r"(?:.*/)?(?:adrs?|decisions)(?=/\d{3,4}[-_][^/]+\.(?:md|adoc|rst)$)/.*", path)
        for path in paths
    )
    return sorted({one[0].rpartition("/")[0] for one in found if one})


def _order(part: Part) -> tuple[str, bool]:
    return (part.folder, part.only is None)


def _element(part: Part, name: str) -> Element:
    return Element(name, part.level, (part.glob,), inside=part.inside)


# the parts


def _packages(folders: Folders, packages: Sequence[Package], root: str) -> list[Part]:
    kept = [one for one in packages if one.folder and folders.count(one.folder)]
    kept = [one for one in kept if _own(folders, one.folder, [other.folder for other in kept])]
    # One that is called as the whole is better told by its folder.
    names = {one.folder: one.folder.rpartition("/")[2] if one.name == root else one.name for one in kept}
    return [Part(one.folder, names[one.folder], one.level) for one in kept]


def _nested(parts: Sequence[Part]) -> list[Part]:
    """Each part inside the nearest one that holds it."""
    held = {part.folder for part in parts if part.only is None}
    return [replace(part, inside=next((up for up in _above(part) if up in held), None)) for part in parts]


def _above(part: Part) -> Iterator[str]:
    own = {part.folder, ""} if part.only is None else {""}
    return (up for up in with_parents(part.folder) if up not in own)


def _own(folders: Folders, folder: str, others: Collection[str]) -> int:
    """Source files of a folder that lie in no other one below it."""
    below = [one for one in others if one.startswith(f"{folder}/")]
    outermost = [one for one in below if not any(one.startswith(f"{other}/") for other in below)]
    return folders.count(folder) - sum(map(folders.count, outermost))


def _without_settings(files: Collection[str], packages: Sequence[Package]) -> Folders:
    """The folders, without packages that only share settings of a linter or a compiler."""
    folders = Folders(files)
    aside = tuple(
        f"{one.folder}/"
        for one in packages
        if one.folder and _SETTINGS.search(one.name) and folders.count(one.folder) <= _FEW
    )
    return Folders([path for path in files if not path.startswith(aside)]) if aside else folders


def _owned(folders: Folders, owners: bytes) -> list[Part]:
    owned = [one for one in owned_folders(owners) if folders.count(one) and not is_left_out(one)]
    if len(owned) < _FEWEST_INSIDE:
        return []
    return [Part(one, one.rpartition("/")[2]) for one in owned]


def _uncovered(folders: Folders, parts: Sequence[Part], root: str) -> list[Part]:
    """Parts for the code that lies in none yet."""
    covered = {part.folder for part in parts}
    opened = {up for folder in covered for up in with_parents(folder)} - covered
    found: list[Part] = []
    total = folders.count("")
    is_tiny = total < _LARGE_FILES[1]

    def visit(folder: str) -> None:
        children = folders.children(folder)
        is_holder = folder.rpartition("/")[2] in HOLDERS and (
            is_tiny or any(folders.count(child) >= _FEWEST_FILES for child in children)
        )
        holds_all = folders.count(folder) >= NEARLY_ALL * total
        opens = not folder or folder in opened or (children and (is_holder or holds_all))
        if folder in covered:
            return
        if not opens:
            found.append(Part(folder, folder.rpartition("/")[2]))
            return
        for child in children:
            visit(child)
        found.extend(_loose(folders, folder, root))

    visit("")
    return [one for one in found if one.only or is_tiny or folders.count(one.folder) >= _FEWEST_FILES]


def _loose(folders: Folders, folder: str, root: str) -> list[Part]:
    """The files beside the parts of an opened folder, when they are more than an entry point and scripts."""
    loose = [path for path in folders.loose(folder) if folder or path.rpartition(".")[2] not in _SCRIPTS]
    telling = [path for path in loose if _stem(path) not in _ENTRY_FILES]
    if len(telling) < (1 if folder else _FEWEST_INSIDE):
        return []
    if folder:
        is_nameless = folder in HOLDERS and root
        return [Part(folder, root if is_nameless else folder.rpartition("/")[2], only="*")]
    suffixes = sorted({path.rpartition(".")[2] for path in loose})
    only = suffixes[0] if len(suffixes) == 1 else f"{{{','.join(suffixes)}}}"
    return [Part(folder, root or "top", only=f"*.{only}")]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _modules(folders: Folders, parts: list[Part]) -> list[Part]:
    """The files of the only part there is, since a map of one cell tells nothing; the part itself where they are many."""
    seat = folders.seat(parts[0].folder)
    loose = [path for path in folders.loose(seat) if _stem(path) not in _ENTRY_FILES]
    if folders.children(seat) or not _FEWEST_INSIDE < len(loose) <= _MOST_MODULES:
        return parts
    return [Part(seat, _stem(path), only=_literal(path.rpartition("/")[2])) for path in loose]


def _with_insides(folders: Folders, part: Part, parts: Sequence[Part], depth: int) -> Iterator[Part]:
    """The part, and when it is large its folders inside it."""
    if part.only or depth >= len(_LARGE_FILES):
        yield part
        return
    held = {one.folder for one in parts}
    total = folders.count("")
    is_large = folders.count(part.folder) >= max(_LARGE_FILES[depth], _LARGE * total)
    fewest = max(_FEWEST_FILES, _SMALL * total)
    seat = folders.seat(part.folder)
    inside = [one for one in _branches(folders, seat) if folders.count(one) >= fewest and one not in held]
    enough = 2 if 2 * folders.count(part.folder) >= total else _FEWEST_INSIDE
    if not is_large or len(inside) < enough:
        yield part
        return
    yield replace(part, level=Level.CONTAINER)
    for folder in inside:
        name = folder.removeprefix(seat).strip("/")
        yield from _with_insides(folders, Part(folder, name, split_from=part.folder), parts, depth + 1)


def _branches(folders: Folders, seat: str) -> Iterator[str]:
    for child in folders.children(seat):
        if child.rpartition("/")[2] in HOLDERS and len(folders.children(child)) >= _FEWEST_INSIDE:
            yield from folders.children(child)
        else:
            yield child


# the names


def _names(parts: Sequence[Part]) -> dict[Part, str]:
    """A name for each part that no other has, whatever the case and the separators; longer by folders until it is so.

    Parts of a container have its name before theirs.
    """
    chosen = {part: part.name for part in parts if part.split_from is None}
    for length in range(2, 12):
        taken: dict[str, list[Part]] = {}
        for part, name in chosen.items():
            taken.setdefault(_folded(name), []).append(part)
        clashing = [part for some in taken.values() if len(some) > 1 for part in some]
        if not clashing:
            break
        for part in clashing:
            chosen[part] = _longer(part, length)
    by_folder = {part.folder: name for part, name in chosen.items() if part.only is None}
    for part in parts:  # by folder, so that a container comes before what is in it
        if part.split_from is not None:
            chosen[part] = by_folder[part.folder] = f"{by_folder[part.split_from]}/{part.name}"
    chosen = {part: chosen[part] for part in parts}
    seen: dict[str, int] = {}
    named = {}
    for part, name in chosen.items():
        seen[_folded(name)] = seen.get(_folded(name), 0) + 1
        named[replace(part, inside=by_folder.get(part.inside or ""))] = (
            name if seen[_folded(name)] == 1 else f"{name} {seen[_folded(name)]}"
        )
    return named


def _longer(part: Part, length: int) -> str:
    if not part.folder:
        return f"{part.name} (top)"
    if part.only is None or "*" in part.only:
        name = "/".join(part.folder.split("/")[-length:])
        return f"{name}/*" if part.only else name
    return "/".join([*part.folder.split("/"), _stem(part.only)][-length:])


def _folded(name: str) -> str:
    return re.sub(r"[\s._-]", "", name).casefold()


# the globs


def _literal(path: str) -> str:
    """A path as a glob that means it; brackets, and braces without a comma, stay as they are where that is enough."""
    light = re.sub(
        r"\{[^{},/]*\}|[*?\\{}]", lambda found: found[0] if len(found[0]) > 1 else f"\\{found[0]}", path
    )
    return light if _means(light, path) else re.sub(r"([*?\[\]{},\\])", r"\\\1", path)


def _means(glob: str, path: str) -> bool:
    try:
        return not glob or parse_glob(glob).matches(path.encode())
    except ValueError:
        return False


def _is_broken(path: str) -> bool:
    """Whether a path has bytes that are no UTF-8, which no YAML can hold, or characters that nobody can see."""
    return not path.isprintable()


def _is_readable(glob: str) -> bool:
    try:
        parse_glob(glob)
    except ValueError:
        return False
    return True
