"""Memory files for tests, and a clone with a server behind it."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.support.repo import Repo


def memory(name: str = "m-001", summary: str = "The gateway strips X- headers", **fields: str) -> str:
    """Text of a memory file; a field given as an empty text is left out."""
    written = {
        "id": name,
        "kind": "pitfall",
        "type": "module_constraint",
        "status": "active",
        "summary": summary,
        "scope": "{paths: [src/**], does_not_apply_to: [none]}",
        **fields,
    }
    return "".join(f"{field}: {value}\n" for field, value in written.items() if value)


def path_of(name: str = "m-001") -> str:
    return f".ai/memory/{name}.yaml"


def hosted(folder: Path, files: dict[str, str] | None = None) -> tuple[Repo, Repo]:
    """A bare server and a clone of it, `main` pushed with the files, the remote's HEAD known."""
    server = Repo(folder / "server.git", bare=True)
    clone = Repo(folder / "clone")
    clone.git("remote", "add", "origin", str(server.path))
    clone.commit("Start", files or {path_of(): memory(), "src/a.py": "x = 1\n"})
    clone.git("push", "-q", "-u", "origin", "main")
    clone.git("remote", "set-head", "origin", "main")
    return server, clone


def hosted_copy(made: Path, folder: Path) -> tuple[Repo, Repo]:
    """A copy of what `hosted` made in a folder; quicker than making it anew.

    Args:
        made: Where `hosted` made it.
        folder: Where the copy goes.
    """
    for name in ("server.git", "clone"):
        shutil.copytree(made / name, folder / name, symlinks=True)
    config = folder / "clone/.git/config"
    config.write_text(config.read_text("utf-8").replace(str(made), str(folder)), "utf-8")
    return Repo(folder / "server.git", init=False), Repo(folder / "clone", init=False)
