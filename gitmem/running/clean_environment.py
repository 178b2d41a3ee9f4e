"""The environment of a command that runs on a clean checkout: what a machine needs to know, nothing of this session.

Left out: what tells git, Python, gitmem or a session which repository, code or person is meant (``GIT_*``, ``GITMEM_*``,
``PYTHON*``, XDG folders, agents of ssh and gpg), variables whose name says that they hold a secret, and entries of PATH that
are relative. Home and temporary folder are new and empty. Installed tool chains that are found through the home folder stay
where they are.

``PYTHONPATH`` names the checkout and its ``src``, since the environment that a project's tests run in often has the project
installed from the user's own work tree (``pip install -e``): the code of today would be tested on both sides of a fix.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from gitmem.wire.triggers import is_secret_name

_DROPPED = (
    "GIT_",
    "GITMEM_",
    "PYTHON",
    "XDG_",
    "SSH_",
    "GPG_",
    "DBUS_",
    "PRE_COMMIT",
    "HUSKY",
    "npm_",
    "INIT_CWD",
)
_NAMES = frozenset(
    {"OLDPWD", "PWD", "HOME", "TMPDIR", "TMP", "TEMP", "DISPLAY", "WAYLAND_DISPLAY", "MAKEFLAGS", "MFLAGS"}
)
_TOOL_CHAINS = {
    "RUSTUP_HOME": ".rustup",
    "CARGO_HOME": ".cargo",
    "GOMODCACHE": "go/pkg/mod",
    "PYENV_ROOT": ".pyenv",
    "RBENV_ROOT": ".rbenv",
    "NVM_DIR": ".nvm",
    "VOLTA_HOME": ".volta",
    "ASDF_DATA_DIR": ".asdf",
    "SDKMAN_DIR": ".sdkman",
}


def clean_environment(given: Mapping[str, str], *, folder: Path, home: Path, scratch: Path) -> dict[str, str]:
    """The environment for a command in a folder.

    Args:
        given: This process's.
        folder: The checkout.
        home: Its home folder.
        scratch: Its folder for temporary files.
    """
    kept = {name: value for name, value in given.items() if _is_kept(name)}
    kept |= _tool_chains(given)
    path = [part for part in given.get("PATH", os.defpath).split(os.pathsep) if part.startswith("/")]
    sources = [str(one) for one in (folder / "src", folder) if one.is_dir()]
    return {
        **kept,
        "PATH": os.pathsep.join(path),
        "HOME": str(home),
        "TMPDIR": str(scratch),
        "PWD": str(folder),
        "PYTHONPATH": os.pathsep.join(sources),
        "PYTHONDONTWRITEBYTECODE": "1",
        "TERM": "dumb",
        "CI": "true",
    }


def _is_kept(name: str) -> bool:
    return not (name.startswith(_DROPPED) or name in _NAMES or is_secret_name(name))


def _tool_chains(given: Mapping[str, str]) -> dict[str, str]:
    home = given.get("HOME", "")
    if not home.startswith("/"):
        return {}
    places = {name: Path(home, place) for name, place in _TOOL_CHAINS.items() if name not in given}
    return {name: str(place) for name, place in places.items() if place.is_dir()}
