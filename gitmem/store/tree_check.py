"""Whether the trees of a run can be read: every folder and every file below a commit, each object looked at once."""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.errors import GitmemError
from gitmem.git.program import ProgramRepository
from gitmem.git.raw_objects import entries_of
from gitmem.model.change import MODE_TREE, TreeEntry
from gitmem.store.run_reading import ARTIFACTS


class TreeCheck:
    """Looks at the trees of many commits; most of what they hold is shared.

    Args:
        repository: Whose.
    """

    def __init__(self, repository: ProgramRepository) -> None:
        self._repository = repository
        self._seen: set[str] = set()
        objects = repository.layout.common_dir / "objects"
        self._partial = any(objects.glob("pack/*.promisor"))

    def wrong(self, commit: str) -> Iterator[str]:
        """What cannot be read of a commit's tree and was not told before, in words."""
        try:
            tree = self._repository.tree_of(commit)
        except GitmemError:
            return  # the commit itself is told elsewhere
        if tree is not None:
            yield from self._folder(TreeEntry("", MODE_TREE, tree))

    def _folder(self, folder: TreeEntry) -> Iterator[str]:
        data = self._data(folder, "tree")
        if data is None or isinstance(data, str):
            if data:
                yield data
            return
        prefix = f"{folder.path}/" if folder.path else ""
        for entry in entries_of(data, prefix, len(folder.oid) // 2):
            if entry.mode == MODE_TREE:
                yield from self._folder(entry)
            elif not entry.path.startswith(f"{ARTIFACTS}/"):  # those are checked by name
                found = self._data(entry, "blob")
                if isinstance(found, str):
                    yield found

    def _data(self, entry: TreeEntry, kind: str) -> bytes | str | None:
        """Content; in words why there is none; None for what was looked at before."""
        if entry.oid in self._seen:
            return None
        self._seen.add(entry.oid)
        what = f"{kind} {entry.oid}" + (f" ({entry.path!r})" if entry.path else "")
        try:
            held = self._repository.read_object(entry.oid)
        except GitmemError as error:
            return f"{what}: {error.message}"
        if held is None:
            return None if self._partial else f"{what} is not in this clone"
        return held[1] if held[0] == kind else f"{what} is a {held[0]}"
