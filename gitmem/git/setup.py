"""How git is set up here: its version, and what each remote is configured to fetch, all values of a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

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


class Setting(NamedTuple):
    """One value of a configuration key.

    Args:
        key: Section and name in lower case.
        value: As it is written.
        file: The file that holds it, whole; empty for what stands in no file (``git -c``, the environment).
    """

    key: str
    value: str
    file: str


def settings_with_files(repo: Repository, pattern: str) -> tuple[Setting, ...]:
    """Every value of the keys that a regular expression matches, the one that counts last, with the file it stands in."""
    layout = repo.layout
    runner = Runner(layout)
    status, out, _ = runner.run(
        "config", "--null", "--show-origin", "--get-regexp", pattern, settings=("--no-pager",)
    )
    parts = parsing.text(out).split("\0") if not status else []
    start = layout.work_tree or layout.git_dir
    found = []
    for origin, entry in zip(parts[::2], parts[1::2], strict=False):
        key, _, value = entry.partition("\n")
        told, is_file, name = origin.partition("file:")
        found.append(Setting(key, value, str(start / name) if is_file and not told else ""))
    return tuple(found)
