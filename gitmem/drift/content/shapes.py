"""The shape of every language by its name; see `gitmem.drift.content.shape`."""

from __future__ import annotations

from gitmem.drift.content.shape import Shape
from gitmem.drift.content.shapes_compiled import GO, JAVA, RUST, SWIFT
from gitmem.drift.content.shapes_managed import CSHARP, KOTLIN
from gitmem.drift.content.shapes_native import CPP, C
from gitmem.drift.content.shapes_script import PHP, RUBY, SHELL
from gitmem.drift.content.shapes_web import JAVASCRIPT, TSX, TYPESCRIPT

SHAPES: dict[str, Shape] = {
    "c": C,
    "cpp": CPP,
    "csharp": CSHARP,
    "go": GO,
    "java": JAVA,
    "javascript": JAVASCRIPT,
    "kotlin": KOTLIN,
    "php": PHP,
    "ruby": RUBY,
    "rust": RUST,
    "shell": SHELL,
    "swift": SWIFT,
    "tsx": TSX,
    "typescript": TYPESCRIPT,
}
