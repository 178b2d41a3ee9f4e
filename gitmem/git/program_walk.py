"""A walk over commits by the git program: a few through ``cat-file``, many through one ``rev-list``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gitmem.errors import GitmemError
from gitmem.git import raw_objects
from gitmem.git.batch import CatFile
from gitmem.git.interface import Layout
from gitmem.git.raw_objects import RawCommit
from gitmem.git.runner import Runner

IsKnown = Callable[[str], bool]

ONE_BY_ONE = 256
"""Commits after which everything that is left is asked for at once."""


class ProgramWalk:
    """Walks of one repository."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._runner = Runner(layout)

    def commits(self, tips: Sequence[str], is_known: IsKnown) -> Iterator[RawCommit]:
        waiting = list(dict.fromkeys(tips))
        met = set(waiting)
        child = CatFile(lambda: self._runner.start("cat-file", "--batch"), contents=True)
        try:
            while waiting and len(met) < ONE_BY_ONE:
                found = [self._one(child, oid) for oid in waiting]
                yield from found
                fresh = dict.fromkeys(parent for one in found for parent in one.parents)
                waiting = [oid for oid in fresh if oid not in met and not is_known(oid)]
                met.update(waiting)
        finally:
            child.close()
        if waiting:
            yield from self.rest(waiting, met.difference(waiting), is_known)

    def _one(self, child: CatFile, oid: str) -> RawCommit:
        try:
            answer = next(child.ask([oid]))
        except GitmemError:  # damaged; the child is started again for the next
            return RawCommit(oid, (), None)
        if answer.kind != "commit":
            return RawCommit(oid, (), None)
        return raw_objects.commit_parts(oid, answer.data, cut=oid in self._cut)

    @property
    def _cut(self) -> frozenset[str]:
        try:
            shallow = (self._layout.common_dir / "shallow").read_text("ascii")
        except FileNotFoundError:
            return frozenset()
        return frozenset(shallow.split())

    def rest(self, waiting: Sequence[str], met: set[str], is_known: IsKnown) -> Iterator[RawCommit]:
        """Everything at once, what was met or is known left out; one by one when something is damaged."""
        asked = "".join(f"{oid}\n" for oid in waiting).encode("ascii")
        shown = "--format=%H %P%x00%B%x00"
        status, out, _ = self._runner.run(
            "rev-list", "--no-commit-header", "--encoding=UTF-8", shown, "--stdin", stdin=asked
        )
        if status:
            yield from self._one_by_one(waiting, met, is_known)
            return
        parts = iter(out.split(b"\0"))
        cut = self._cut
        for ids, message in zip(parts, parts, strict=False):
            oid, *parents = ids.decode("ascii").split()
            if oid not in met and not is_known(oid):
                yield RawCommit(oid, tuple(parents), message, oid in cut)

    def _one_by_one(self, waiting: Sequence[str], met: set[str], is_known: IsKnown) -> Iterator[RawCommit]:
        left = list(waiting)
        seen = met | set(left)
        child = CatFile(lambda: self._runner.start("cat-file", "--batch"), contents=True)
        try:
            while left:
                one = self._one(child, left.pop())
                yield one
                fresh = [oid for oid in one.parents if oid not in seen and not is_known(oid)]
                seen.update(fresh)
                left += fresh
        finally:
            child.close()
