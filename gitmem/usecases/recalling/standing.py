"""Which memories are challenged now, and the warning that travels with each, from what a check found or kept.

A small file of its own stands for the day and for all that the verdicts depend on, so that a recall that finds it
judges nothing.
"""

# pathlib is a slow import, and every recall reads here:
# ruff: noqa: PTH116, PTH118
from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.store.shelf import Shelf
from gitmem.usecases.vantage import Outlook, Vantage

_KIND = "warnings"


class Standing(NamedTuple):
    """What is said against memories.

    Args:
        warnings: In words, by id, of those that are challenged.
        problem: Why nothing could be judged, in one sentence; empty when it could.
    """

    warnings: Mapping[str, str]
    problem: str = ""


def standing(repo: Repository, outlook: Outlook, today: date) -> Standing:
    """What is said against approved memories at HEAD, from what was kept where it fits.

    Args:
        repo: The repository.
        outlook: From where it is looked.
        today: The day to judge dates at.
    """
    vantage = outlook.vantage
    if vantage is None:
        return judged(repo, outlook, today)
    shelf, key = Shelf(repo.layout.common_dir), _key(repo, vantage, today)
    held = shelf.get(_KIND, key)
    if held is not None:
        return Standing(held)
    found = judged(repo, outlook, today)
    if not found.problem:
        shelf.put(_KIND, key, dict(found.warnings))
    return found


def judged(repo: Repository, outlook: Outlook, today: date) -> Standing:
    """The same by a check."""
    from gitmem.usecases.checking import check
    from gitmem.usecases.request import Request

    try:
        report = check(repo, Request(today=today), outlook)
    except GitmemError as error:
        return Standing({}, f"nothing was checked against the code: {error.message}")
    return Standing({one.id: one.warning for one in report.challenged if not one.proposed})


def _key(repo: Repository, vantage: Vantage, today: date) -> str:
    """Objects that a fetch brought may let a memory be judged that could not be."""
    try:
        packs = os.stat(os.path.join(repo.layout.common_dir, "objects", "pack")).st_mtime_ns
    except OSError:
        packs = 0
    return f"{' '.join(map(str, vantage))} {today.isoformat()} {packs}"
