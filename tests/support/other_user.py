"""Work done as a user who may not write everywhere, also where the tests run as root."""

from __future__ import annotations

import os
import shutil
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.writers import CONTEXT

NOBODY = 65534


def as_other_user(work: Callable[[Path], Any], folder: Path) -> Any:
    """What some work on a copy of a folder answers in a process of its own, as `nobody` when this one is root's.

    The copy lies outside of pytest's folders, which are closed to everybody else. The answer must be picklable.

    Raises:
        AssertionError: With the trace, when the work raises.
    """
    top = Path(tempfile.mkdtemp(prefix="gitmem-test-"))
    try:
        copy = top / folder.name
        shutil.copytree(folder, copy, symlinks=True)
        if os.geteuid() == 0:
            for path in (top, *top.rglob("*")):
                os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
        return _answer(work, copy)
    finally:
        shutil.rmtree(top, ignore_errors=True)


def _answer(work: Callable[[Path], Any], copy: Path) -> Any:
    answers = CONTEXT.Queue()

    def begin() -> None:
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setresgid(NOBODY, NOBODY, NOBODY)
                os.setresuid(NOBODY, NOBODY, NOBODY)
            answers.put((True, work(copy)))
        except BaseException:  # noqa: BLE001 - told to the process that waits
            answers.put((False, traceback.format_exc()))

    process = CONTEXT.Process(target=begin)
    process.start()
    worked, answer = answers.get(timeout=120)
    process.join()
    assert worked, answer
    return answer
