"""Whether an agent can start what its files name: ``gitmem``, looked for on PATH by its hooks and for its server."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from typing import NamedTuple


class Unfound(NamedTuple):
    """What an agent does not find.

    Args:
        is_never: It is not found from here at all; else it is in an activated virtual environment alone.
        reason: What is wrong.
        cure: What to do.
    """

    is_never: bool
    reason: str
    cure: str


def unfound_program(environment: Mapping[str, str], interpreter: str = sys.executable) -> Unfound | None:
    """Why an agent would not find gitmem; None when it does.

    Args:
        environment: Of a shell that an agent is started from.
        interpreter: The one that runs now; gitmem's program lies beside it.
    """
    path = environment.get("PATH", os.defpath)
    active = environment.get("VIRTUAL_ENV", "")
    plain = [one for one in path.split(os.pathsep) if not active or not _is_below(one, active)]
    if shutil.which("gitmem", path=os.pathsep.join(plain) or os.devnull):
        return None
    beside = os.path.join(os.path.dirname(interpreter), "gitmem")  # noqa: PTH118, PTH120 - as it is written
    own = shutil.which("gitmem", path=path) or beside
    cure = (
        f"ln -s {shlex.quote(own)} ~/.local/bin/gitmem, where that folder is on PATH; or pipx install gitmem-ledger"
        if os.access(own, os.X_OK)
        else "pipx install gitmem-ledger"
    )
    if shutil.which("gitmem", path=path or os.devnull):
        return Unfound(
            False,
            "gitmem is on PATH in this virtual environment alone: start agents from a shell with it",
            cure,
        )
    return Unfound(
        True, "gitmem is not on PATH: an agent's hooks stay silent, and its server does not start", cure
    )


def _is_below(folder: str, top: str) -> bool:
    return os.path.realpath(folder).startswith(os.path.join(os.path.realpath(top), ""))  # noqa: PTH118 - texts of PATH
