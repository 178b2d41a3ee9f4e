"""The command line called from tests: in this process for speed, or as a child where the process itself is tested."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from gitmem.redaction.told import values_here
from tests.support.repo import sealed_environment


class Done(NamedTuple):
    """What a command answered.

    Args:
        code: Exit code.
        out: Stdout.
        err: Stderr.
    """

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Stdout as the one JSON document that it must be."""
        return json.loads(self.out)


def gitmem(
    *arguments: str,
    at: Path,
    stdin: str = "",
    environment: Mapping[str, str] | None = None,
    terminal: bool = False,
) -> Done:
    """Run one command line in this process, inside the folder `at`, sealed off this machine's configuration."""
    from gitmem.cli.app import run

    streams = [_Stream(io.BytesIO(), terminal) for _ in range(2)]
    with (
        patch.dict(os.environ, {**sealed_environment(at.parent), **(environment or {})}, clear=True),
        _without_values_of_before(),
        patch.multiple(sys, stdout=streams[0], stderr=streams[1], stdin=_typed(stdin), argv=["gitmem"]),
        _inside(at),
    ):
        code = run(list(arguments))
    return Done(code, *map(_written, streams))


@contextmanager
def _without_values_of_before() -> Iterator[None]:
    """A process reads the secret values of its environment once, and here several share one."""
    values_here.cache_clear()
    try:
        yield
    finally:
        values_here.cache_clear()


def gitmem_process(
    *arguments: str, at: Path, stdin: bytes = b"", environment: Mapping[str, str] | None = None
) -> Done:
    """Run one command line as a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "gitmem", *arguments],
        cwd=at,
        env={**sealed_environment(at.parent), **(environment or {})},
        input=stdin,
        capture_output=True,
        check=False,
    )
    return Done(
        done.returncode,
        done.stdout.decode(errors="surrogateescape"),
        done.stderr.decode(errors="surrogateescape"),
    )


class _Stream(io.TextIOWrapper):
    """A stream as `gitmem._main` leaves it, that may claim to be a terminal."""

    def __init__(self, kept: io.BytesIO, terminal: bool) -> None:
        super().__init__(kept, encoding="utf-8", errors="backslashreplace", write_through=True)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def _typed(text: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")


def _written(stream: _Stream) -> str:
    stream.flush()
    kept = stream.buffer
    assert isinstance(kept, io.BytesIO)
    return kept.getvalue().decode()


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
