"""What a run has saved, wherever its writers left it."""

from __future__ import annotations

from collections.abc import Mapping

from gitmem.errors import GitmemError
from gitmem.store.large import read_content
from gitmem.store.ledger import Run, RunLedger
from gitmem.store.run_reading import ARTIFACTS, run_prefix

_FOLDER = f"{ARTIFACTS}/"


class SavedFiles:
    """The trees of a run's tips, each listed once, when it is asked for: the own one first, as AI_RUN names it.

    Args:
        ledger: Where.
        run: A run that has events here.

    Raises:
        NotFoundError: When the run has no events here.
    """

    def __init__(self, ledger: RunLedger, run: Run) -> None:
        self._repository = ledger.repository
        tips = {ref: oid for ref, (oid, _) in run.folded().tips.items()}
        own = f"{run_prefix(run.id)}{ledger.writer()}"
        self.ref = own if own in tips else run.ref()
        self._tips = {self.ref: tips.pop(self.ref), **tips}
        self._listed: dict[str, Mapping[str, str]] = {}

    def places(self, own: str = "") -> Mapping[str, str]:
        """The ref that each saved file lies at, by its path: the own one where that has it.

        Args:
            own: What to call the own ref, such as ``AI_RUN``; its name when empty.
        """
        found: dict[str, str] = {}
        for ref, tip in self._tips.items():
            name = own if own and ref == self.ref else ref
            found |= {path: name for path in self._listing(tip) if path not in found}
        return found

    def artifacts(self) -> tuple[str, ...]:
        """Names of all artifacts, as events list them."""
        return tuple(path.removeprefix(_FOLDER) for path in self.places() if path.startswith(_FOLDER))

    def artifact(self, name: str, *, limit: int) -> bytes | None:
        """Content of an artifact, named with or without its folder; see `file`."""
        return self.file(f"{_FOLDER}{name.removeprefix(_FOLDER)}", limit=limit)

    def file(self, path: str, *, limit: int) -> bytes | None:
        """Content of a file: from the own tree, else from another writer's.

        Args:
            path: From the root of a run's tree.
            limit: Most bytes.

        Returns:
            None when it was not saved, is longer, not in this clone, or damaged.
        """
        for tip in self._tips.values():
            oid = self._listing(tip).get(path)
            if oid is not None:
                return self._content(oid, limit)
        return None

    def _content(self, oid: str, limit: int) -> bytes | None:
        try:
            return read_content(self._repository, oid, limit).data
        except GitmemError:
            return None

    def _listing(self, tip: str) -> Mapping[str, str]:
        if tip not in self._listed:
            try:
                entries = self._repository.list_tree(tip)
            except GitmemError:
                entries = ()
            self._listed[tip] = {entry.path: entry.oid for entry in entries}
        return self._listed[tip]
