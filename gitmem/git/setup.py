"""How git is set up here: its version, and what each remote is configured to fetch, all values of a key."""

from __future__ import annotations

from collections.abc import Mapping

from gitmem.git import parsing
from gitmem.git.interface import Repository
from gitmem.git.runner import Runner

_ASKED = r"^remote\..*\.fetch$"


def fetch_refspecs(repo: Repository) -> Mapping[str, tuple[str, ...]]:
    """Refspecs by remote, in the order of the configuration; empty where nothing is configured."""
    status, out, _ = Runner(repo.layout).run("config", "--null", "--get-regexp", _ASKED)
    found: dict[str, list[str]] = {}
    for entry in parsing.text(out).split("\0") if not status else ():
        key, _, value = entry.partition("\n")
        if value:
            found.setdefault(key.removeprefix("remote.").removesuffix(".fetch"), []).append(value)
    return {remote: tuple(specs) for remote, specs in found.items()}


def covers(refspec: str, ref: str) -> bool:
    """Whether a refspec writes below this prefix of local refs, such as ``refs/ai/``."""
    target = refspec.lstrip("+^").partition(":")[2]
    before, star, _ = target.partition("*")
    return bool(target) and (before.startswith(ref) or (bool(star) and ref.startswith(before)))


def program_version(repo: Repository) -> str:
    """As the git program tells it, such as ``git version 2.39.5``."""
    return parsing.text(Runner(repo.layout).output("version")).strip()


def unset_settings(repo: Repository, section: str) -> tuple[str, ...]:
    """Remove every key of a section from this repository's own configuration.

    Returns:
        The keys that were there.
    """
    runner = Runner(repo.layout)
    status, out, _ = runner.run(
        "config", "--local", "--null", "--name-only", "--get-regexp", rf"^{section}\."
    )
    keys = tuple(dict.fromkeys(key for key in parsing.text(out).split("\0") if key)) if not status else ()
    for key in keys:
        runner.output("config", "--local", "--unset-all", key)
    return keys
