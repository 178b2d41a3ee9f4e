"""The concepts that ``gitmem help TOPIC`` explains: one text a file in ``topics/``, one screen each."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_TOPICS: Final = Path(__file__).parent / "topics"


def topics() -> list[str]:
    """The names of all concepts."""
    return sorted(file.stem for file in _TOPICS.glob("*.txt"))


def text_of(topic: str) -> str:
    return (_TOPICS / f"{topic}.txt").read_text("utf-8")
