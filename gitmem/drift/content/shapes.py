"""The shape of every language by its name; see `gitmem.drift.content.shape`."""

from __future__ import annotations

from gitmem.drift.content.shapes_compiled import GO, JAVA, RUST, SWIFT
from gitmem.drift.content.shapes_web import JAVASCRIPT, TSX, TYPESCRIPT

SHAPES = {
    "go": GO,
    "java": JAVA,
    "javascript": JAVASCRIPT,
    "rust": RUST,
    "swift": SWIFT,
    "tsx": TSX,
    "typescript": TYPESCRIPT,
}
