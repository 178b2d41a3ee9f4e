"""The close look at what one change does: every memory judged from the change's own start.

What moved between a memory's validation and that start is followed first. Words that the change itself brings, and that
nobody confirmed in it, are judged from where they will be judged once it is merged (drift.md, fallback 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gitmem.drift.capturing import capture_memory
from gitmem.drift.first_pass import affected
from gitmem.drift.interval import Interval
from gitmem.drift.scopes import ScopeIndex
from gitmem.git.interface import Repository
from gitmem.model.verdict import OTHER_WORDS, BaselineHow
from gitmem.usecases.close_look import CloseLook
from gitmem.usecases.contents import Contents
from gitmem.usecases.edits import Edits
from gitmem.usecases.ground import Ground, Looked
from gitmem.usecases.past import PastView
from gitmem.usecases.ranges import Start, at_start, followed_scope
from gitmem.usecases.states import State
from gitmem.usecases.subjects import Subject
from gitmem.usecases.views import CommitView


class RangeLook(CloseLook):
    """Judges what the change between two commits does to memories.

    Args:
        repository: The repository.
        state: The commit that the change ends at.
        contents: Shared blobs and outlines.
        edits: What the change itself writes.
    """

    def __init__(self, repository: Repository, state: State, contents: Contents, edits: Edits) -> None:
        super().__init__(repository, state, contents)
        self._edits = edits
        self._before: dict[str | None, Interval] = {}
        self._later: dict[str | None, bool] = {}

    def judge(self, subjects: Sequence[Subject]) -> list[Looked]:
        """Judge memories from the start of the range, in the order given."""
        since = self._edits.since
        self._compare([since])
        own = self._grounds(subjects)
        self.history_missing = False  # a range says what its two ends tell, whatever is missing before it
        trees = list(dict.fromkeys(one.tree for one in own if one.tree is not None and one.tree != since))
        start = self.view_of(since)
        for tree, rows in self._repository.diff_all(trees, since).items():
            past = self._views.get(tree) or PastView(self._repository, tree, self._contents, start, rows)
            self._before[tree] = Interval(start, past, rows)
        self._before |= {None: Interval(start, None), since: Interval(start, start)}
        self._search(zip(subjects, own, strict=True))
        return [self._over_range(subject, one, since) for subject, one in zip(subjects, own, strict=True)]

    def _over_range(self, subject: Subject, own: Ground, since: str) -> Looked:
        if self._edits.states(subject.memory):
            return self._from(subject, self._once_merged(subject, own, since))
        begun = self._start(subject, own, since)
        return self._one(replace(subject, spec=begun.spec), Ground(since, BaselineHow.RANGE), begun)

    def _once_merged(self, subject: Subject, own: Ground, since: str) -> Ground:
        """From where words of the change are judged once they are merged: from before it when it also edits their scope."""
        if subject.counting.baseline is not None or own.reason == OTHER_WORDS:
            return own
        head = self._edits.head
        if not affected(self._changes.get(since, ()), ScopeIndex([subject.spec])):
            return Ground(head, BaselineHow.INFERRED)
        is_new = subject.memory.id in self._edits.first and self._came_together(subject, since, head)
        return Ground(head if is_new else since, BaselineHow.INFERRED)

    def _start(self, subject: Subject, own: Ground, since: str) -> Start:
        """What the memory rests on at the start of a range; by its words there when nothing is known from before."""
        view, before, spec, begun = self.view_of(since), self._before[own.tree], subject.spec, None
        if own.how is not None:
            old = before.then.matched_paths(spec) if isinstance(before.then, CommitView) else ()
            stored = self._marks(subject, before, old)
            spec = followed_scope(spec, old, view.matched_paths(spec), before)
            scope, later = view.matched_paths(spec), self._is_later(own.tree, since)
            begun = at_start(stored, spec, scope, before, later=later)
        if begun is not None and begun.marks:
            return begun
        anew = capture_memory(subject.memory, view, view.matched_paths(spec), spec.include).marks
        return Start(spec, anew, begun.notes if begun is not None else ())

    def _is_later(self, tree: str | None, since: str) -> bool:
        """Whether the validation was made after the start of the range, on the same line."""
        if tree not in self._later:
            commit = self._repository.commit(tree) if tree is not None and tree != since else None
            self._later[tree] = commit is not None and self._repository.merge_base(since, commit.oid) == since
        return self._later[tree]
