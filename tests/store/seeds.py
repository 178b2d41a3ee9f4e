"""The examples by which the system was first described, as files."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "fixtures" / "seeds"


def seed(name: str) -> bytes:
    return (FOLDER / name).read_bytes()
