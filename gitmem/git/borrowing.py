"""A repository of its own for a moment, which borrows another one's objects: refs made there never show here."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gitmem.git.interface import Layout
from gitmem.git.runner import Runner


@contextmanager
def borrowing_repository(layout: Layout) -> Iterator[Runner]:
    """Git in an empty bare repository that finds the objects of `layout`; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="gitmem-") as scratch:
        there = Path(scratch)
        runner = Runner(layout._replace(git_dir=there, common_dir=there, work_tree=None))
        runner.output("init", "-q", "--bare", f"--object-format={layout.object_format}", "--template=")
        (there / "objects" / "info").mkdir(exist_ok=True)
        (there / "objects" / "info" / "alternates").write_bytes(os.fsencode(objects_of(layout)) + b"\n")
        yield runner


def objects_of(layout: Layout) -> str:
    """Where a repository keeps its objects."""
    return os.path.realpath(layout.common_dir / "objects")
