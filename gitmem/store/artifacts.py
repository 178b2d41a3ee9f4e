"""Where artifacts lie in a run's tree, so that saving one more costs the same at the first and the ten thousandth.

``artifacts/<name>`` as long as there are under 100 names; the same name again takes the place of the old one, which
stays in the older commits. Further names go to ``artifacts/more-<k>/<name>``, 100 in each folder. The event lists the
name as it lies (``more-3/build.log``), so ``git show AI_RUN:artifacts/<name as listed>`` finds each one. No tree ever
holds more than some hundred entries; a flat one of 10,000 would be written anew, 400 kB long, with each artifact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gitmem.errors import UsageError
from gitmem.git.event_commits import list_folder
from gitmem.git.program import ProgramRepository
from gitmem.model.change import MODE_TREE
from gitmem.store.codec import is_artifact_name
from gitmem.store.run_reading import ARTIFACTS

RUN_FILES = frozenset({"handoff.md", "latest-failure.json", "decisions.md"})
"""Files at the top of a run's tree."""

MOST_NAMES = 100
_MORE = "more-"


def check_names(artifacts: Iterable[str], files: Iterable[str]) -> None:
    """Refuse names that cannot stand in a run's tree.

    Raises:
        UsageError: Naming the one at fault.
    """
    for name in artifacts:
        if "/" in name or name.startswith(_MORE) or not is_artifact_name(name):
            raise UsageError(
                f"not an artifact name: {name[:80]!r}", hint="a plain file name, without folders"
            )
    for name in files:
        if name not in RUN_FILES:
            raise UsageError(
                f"not a file of a run: {name[:80]!r}", hint=f"one of {', '.join(sorted(RUN_FILES))}"
            )


def place(repository: ProgramRepository, tree: str, names: Iterable[str]) -> Mapping[str, str]:
    """Where new artifacts go in a root tree (empty for none): name as listed by name as given."""
    wanted = list(names)
    if not wanted:
        return {}
    top = _names(repository, tree, ARTIFACTS)
    files = {name for name, is_folder in top.items() if not is_folder}
    folder = max((_number(name) for name, is_folder in top.items() if is_folder), default=0)
    inside: set[str] | None = None
    placed: dict[str, str] = {}
    for name in wanted:
        if name in files or len(files) < MOST_NAMES:
            files.add(name)
            placed[name] = name
            continue
        if inside is None:
            folder = max(folder, 1)
            inside = set(_names(repository, tree, f"{ARTIFACTS}/{_MORE}{folder}"))
        if name not in inside and len(inside) >= MOST_NAMES:
            folder, inside = folder + 1, set()
        inside.add(name)
        placed[name] = f"{_MORE}{folder}/{name}"
    return placed


def _names(repository: ProgramRepository, tree: str, folder: str) -> dict[str, bool]:
    """Names in a folder, and whether each is a folder."""
    if not tree:
        return {}
    entries = list_folder(repository, tree, folder)
    return {entry.path.rpartition("/")[2]: entry.mode == MODE_TREE for entry in entries}


def _number(name: str) -> int:
    digits = name.removeprefix(_MORE)
    return int(digits) if name.startswith(_MORE) and digits.isdecimal() and len(digits) < 10 else 0
