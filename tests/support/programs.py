"""Programs that come with test dependencies, wherever those are installed."""

from __future__ import annotations

from importlib.metadata import distribution
from pathlib import Path


def program_of(package: str, name: str) -> Path:
    """The program of that name that a distribution installed."""
    owner = distribution(package)
    found = next(file for file in owner.files or () if file.name == name and "bin" in file.parts)
    return Path(str(owner.locate_file(found))).resolve()
