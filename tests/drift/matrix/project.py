"""A project of the matrix: one function that a memory speaks about, and the code around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

Edit = Mapping[str, str | None]
"""Path to its new text; None deletes the file."""


@dataclass(frozen=True)
class Project:
    """The same small shop in one language.

    Args:
        name: The language.
        files: The project at validation.
        path: The file of the function.
        function: The function as the memory cites it.
        edits: By row, what is replaced in which file: (path, old piece, new piece) …
        new_path: What the file is called once renamed.
        inner: The whole definition as it stands in the file, for moving and deleting it.
        other: A file in the same folder that takes the definition in, as (path, text with ``{}`` for the definition).
        near: Names one of which tells of the callee in the same folder.
        far: Names one of which tells of the callee in another folder.
        constant: The module constant that the function reads.
        summary: The memory's statement.
    """

    name: str
    files: Mapping[str, str]
    path: str
    function: str
    edits: Mapping[str, tuple[tuple[str, str, str], ...]]
    new_path: str
    inner: str
    other: tuple[str, str]
    near: tuple[str, ...]
    far: tuple[str, ...]
    constant: str
    summary: str

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    def edit(self, row: str) -> Edit:
        """What one row does to the files."""
        if row in self.edits:
            return self._replaced(self.edits[row])
        text = self.files[self.path]
        match row:
            case "file renamed":
                return {self.path: None, self.new_path: text}
            case "function moved":
                path, around = self.other
                return {self.path: text.replace(self.inner, ""), path: around.replace("{}", self.inner)}
            case "symbol deleted":
                return {self.path: text.replace(self.inner, "")}
            case "file deleted":
                return {self.path: None}
            case "change outside the scope":
                return {"README.md": "# Shop\n\nOther words.\n", "tools/new.sh": "echo new\n"}
        return {}

    def _replaced(self, pieces: tuple[tuple[str, str, str], ...]) -> Edit:
        found: dict[str, str] = {}
        for path, old, new in pieces:
            text = found.get(path, self.files[path])
            assert old in text, (self.name, path, old)
            found[path] = text.replace(old, new)
        return found


def translated(project: Project, name: str, *pieces: tuple[str, str]) -> Project:
    """The same project with pieces of its text and paths replaced, in order: a language that is nearly another one."""

    def put(text: str) -> str:
        for old, new in pieces:
            text = text.replace(old, new)
        return text

    return replace(
        project,
        name=name,
        files={put(path): put(text) for path, text in project.files.items()},
        path=put(project.path),
        edits={
            row: tuple((put(path), put(old), put(new)) for path, old, new in edits)
            for row, edits in project.edits.items()
        },
        new_path=put(project.new_path),
        inner=put(project.inner),
        other=(put(project.other[0]), put(project.other[1])),
    )


def pooled(project: Project) -> Project:
    """The project in a folder of its own, its names its own, so that those of several languages lie in one tree."""
    suffix, folder = f"_{project.name}", f"{project.name}/"
    names = (project.function, *project.near, *project.far, project.constant)
    renamed = translated(project, project.name, *((name, name + suffix) for name in names))
    return replace(
        renamed,
        files={folder + path: text for path, text in renamed.files.items()},
        path=folder + renamed.path,
        function=project.function + suffix,
        edits={
            row: tuple((folder + path, old, new) for path, old, new in edits)
            for row, edits in renamed.edits.items()
        },
        new_path=folder + renamed.new_path,
        other=(folder + renamed.other[0], renamed.other[1]),
        near=tuple(name + suffix for name in project.near),
        far=tuple(name + suffix for name in project.far),
        constant=project.constant + suffix,
        summary=project.summary.replace(project.function, project.function + suffix),
    )
