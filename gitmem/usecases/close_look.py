"""The close look: memories whose scope or marks differ from what was stored, judged over one interval each.

One whole-tree comparison for each distinct baseline, its rows shared by all memories of that baseline; never one
comparison a memory (drift.md, "The steps" 2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from gitmem.drift.capturing import capture_memory, claim_in, search_together
from gitmem.drift.content.coarse import has_parser
from gitmem.drift.exclusions import generated_globs
from gitmem.drift.first_pass import affected
from gitmem.drift.grading import Grade, grade
from gitmem.drift.interval import Interval, places_of
from gitmem.drift.marks import capture_mark
from gitmem.drift.scope_change import ScopeAt
from gitmem.drift.scopes import ScopeIndex, ScopeSpec
from gitmem.drift.view import TreeView
from gitmem.git.interface import Repository
from gitmem.model.change import Change
from gitmem.model.memory import Memory
from gitmem.model.validation import ALGO, Mark
from gitmem.model.verdict import CHALLENGING, NO_SCOPE, OTHER_WORDS, BaselineHow, Verdict
from gitmem.model.watch import WatchKind
from gitmem.usecases.coming_together import came_together
from gitmem.usecases.contents import Contents
from gitmem.usecases.folding import folds_between, ignored_revisions
from gitmem.usecases.ground import Ground, Looked
from gitmem.usecases.inference import Inferred, apart, infer_baselines
from gitmem.usecases.locating import commits_that_brought
from gitmem.usecases.past import PastView
from gitmem.usecases.ranges import Start
from gitmem.usecases.rewording import is_restated, words_as_validated, words_digest
from gitmem.usecases.sides import MergedSides
from gitmem.usecases.states import State
from gitmem.usecases.subjects import Subject
from gitmem.usecases.unreadable import unreadable
from gitmem.usecases.views import CommitView

NEW_STATEMENT = "its statement was written anew after what it rests on had changed; confirm it"
SHALLOW_CURE = "git fetch --unshallow brings the missing history"


class CloseLook:
    """Judges the memories of one check that need more than the first pass.

    Args:
        repository: The repository.
        state: What is judged.
        contents: Shared blobs and outlines.

    Attributes:
        history_missing: Whether a baseline was missing because the clone is shallow.
        asked: Objects that decided from where memories are judged, and whether they are here.
    """

    def __init__(self, repository: Repository, state: State, contents: Contents) -> None:
        self._repository = repository
        self._state = state
        self._contents = contents
        self._views: dict[str, CommitView] = {}
        self._changes: dict[str, tuple[Change, ...]] = {}
        self._intervals: dict[str | None, Interval] = {}
        self.history_missing = False
        self.asked: dict[str, bool] = {}
        self._specs: dict[int, ScopeSpec] = {}
        self._sides = MergedSides(repository, self._inferred)

    def judge(self, subjects: Sequence[Subject]) -> list[Looked]:
        """Judge memories, in the order given."""
        grounds = self._grounds(subjects)
        all_of_them = [*grounds, *(ground.earlier for ground in grounds if ground.earlier is not None)]
        self._compare(ground.tree for ground in all_of_them if ground.tree is not None)
        pairs = list(zip(subjects, grounds, strict=True))
        self._preload(pairs)
        self._search(pairs)
        return [self._from(subject, ground) for subject, ground in pairs]

    # where from
    def _grounds(self, subjects: Sequence[Subject]) -> list[Ground]:
        reworded = self._reworded(subjects)
        stored = [self._stored_ground(subject, reworded) for subject in subjects]
        grounds = self._located(subjects, stored)
        missing = [one.memory for one, ground in zip(subjects, grounds, strict=True) if ground is None]
        if self._repository.layout.shallow:
            self.history_missing = self.history_missing or any(map(_lacks_commit, subjects, grounds))
        self._specs |= {id(one.memory): one.spec for one in subjects}
        inferred = self._inferred_apart(missing)
        return [
            ground if ground is not None else self._inferred_ground(subject, inferred.get(id(subject.memory)))
            for subject, ground in zip(subjects, grounds, strict=True)
        ]

    def _stored_ground(self, subject: Subject, reworded: Mapping[int, bool]) -> Ground | None:
        baseline = subject.counting.baseline
        is_restated_since = reworded.get(id(subject.memory))
        if is_restated_since:
            return Ground(None, None, OTHER_WORDS)
        doubt = OTHER_WORDS if is_restated_since is not None else ""
        if baseline is None:
            return Ground(None, None, doubt) if doubt else None
        if baseline.algo != ALGO:
            reason = f"its validation has fingerprints of version {baseline.algo}; confirm it again"
            return Ground(None, None, reason)
        for tree in (baseline.commit, baseline.tree):
            if tree is not None and self._has(tree):
                return Ground(tree, BaselineHow.RECORDED, doubt=doubt)
        return Ground(None, BaselineHow.CONTENT, doubt=doubt)

    def _reworded(self, subjects: Sequence[Subject]) -> Mapping[int, bool]:
        """Memories with other words than were validated, by `id`: whether they say something else, as far as is known."""
        other = [
            one
            for one in subjects
            if one.counting.text is not None and one.counting.text != words_digest(one.memory)
        ]
        tip = self._state.history
        texts = {one.memory.file: one.counting.text or "" for one in other}
        known = words_as_validated(self._repository, tip, texts) if texts and tip is not None else {}
        return {
            id(one.memory): one.memory.file not in known or is_restated(known[one.memory.file], one.memory)
            for one in other
        }

    def _located(self, subjects: Sequence[Subject], grounds: Sequence[Ground | None]) -> list[Ground | None]:
        """Grounds of content alone replaced by the commit that brought the validation, where it held that content."""
        tip = self._state.history
        files = [
            subject.counting.file
            for subject, ground in zip(subjects, grounds, strict=True)
            if ground is not None and ground.how is BaselineHow.CONTENT and subject.counting.file
        ]
        if not files or tip is None:
            return list(grounds)
        brought = commits_that_brought(self._repository, tip, files)
        return [
            self._at_commit(subject, ground, brought.get(subject.counting.file)) or ground
            if ground is not None and ground.how is BaselineHow.CONTENT
            else ground
            for subject, ground in zip(subjects, grounds, strict=True)
        ]

    def _at_commit(self, subject: Subject, ground: Ground, commit: str | None) -> Ground | None:
        baseline = subject.counting.baseline
        if commit is None or baseline is None or baseline.scope is None:
            return None
        held = self.view_of(commit).match(subject.spec).digest
        return replace(ground, tree=commit, how=BaselineHow.RECORDED) if held == baseline.scope else None

    def _has(self, oid: str) -> bool:
        if oid not in self.asked:
            self.asked[oid] = self._repository.has(oid)
        return self.asked[oid]

    def _inferred_apart(self, memories: Sequence[Memory]) -> Mapping[int, Inferred]:
        found: dict[int, Inferred] = {}
        for group in apart(memories):
            told = self._inferred(group, self._state.history)
            self._sides.expect(group, told)
            found |= {id(memory): told[memory.id] for memory in group if memory.id in told}
        return found

    def _inferred(self, memories: Sequence[Memory], tip: str | None) -> Mapping[str, Inferred]:
        if tip is None:
            return {}

        def touches(memory: Memory, rows: Iterable[Change]) -> bool:
            return bool(affected(rows, ScopeIndex([self._specs[id(memory)]])))

        return infer_baselines(self._repository, tip, memories, touches)

    def _inferred_ground(self, subject: Subject, inferred: Inferred | None) -> Ground:
        if inferred is None or inferred.commit is None:
            reason = inferred.reason if inferred is not None else "there is no history yet"
            self.history_missing = self.history_missing or (inferred is not None and inferred.is_cut)
            return Ground(None, None, f"never validated, and {reason}")
        first = inferred.first
        with_code = first is not None and self._came_together(subject, inferred.commit, first)
        side = self._sides.baseline(first, subject.memory.id) if first is not None and with_code else None
        if side is not None:
            return self._inferred_ground(subject, side)
        tree = first if with_code else inferred.commit
        earlier = inferred.earlier
        if earlier is None or earlier.commit in {None, tree}:
            return Ground(tree, BaselineHow.INFERRED)
        return Ground(tree, BaselineHow.INFERRED, earlier=self._inferred_ground(subject, earlier))

    def _came_together(self, subject: Subject, before: str, commit: str) -> bool:
        return came_together(subject, self.view_of(before), self.view_of(commit))

    # both sides
    def _compare(self, trees: Iterable[str]) -> None:
        """Compare all baselines with the judged tree at once, and tell their trees by what differs."""
        now, commit = self._state.view, self._state.commit
        if commit is None or not isinstance(now, CommitView):
            return
        for tree, changes in self._repository.diff_all(list(dict.fromkeys(trees)), commit).items():
            self._changes[tree] = changes
            self._views[tree] = PastView(self._repository, tree, self._contents, now, changes)

    def _preload(self, pairs: Iterable[tuple[Subject, Ground]]) -> None:
        """Read in one batch what marks lie in, where it differs."""
        now, wanted = self._state.view, []
        for subject, ground in pairs:
            baseline = subject.counting.baseline
            then = self._views.get(ground.tree or "")
            for mark in baseline.marks if baseline is not None and then is not None else ():
                path = (mark.watch.path or "").partition("#")[0]
                old, new = then.paths().get(path) if then is not None else None, now.paths().get(path)
                if old != new and path not in now.links:
                    wanted += [oid for oid in (old, new) if oid is not None]
        self._contents.preload(wanted)

    def _search(self, pairs: Iterable[tuple[Subject, Ground]]) -> None:
        """Search each baseline's tree at once for what memories without stored marks name."""
        named: dict[str, list[Memory]] = {}
        for subject, ground in pairs:
            if ground.tree is not None and not subject.has_marks:
                named.setdefault(ground.tree, []).append(subject.memory)
        for tree, memories in named.items():
            search_together(memories, self.view_of(tree))

    @property
    def now(self) -> TreeView:
        """The judged state."""
        return self._state.view

    def view_of(self, tree: str) -> CommitView:
        if tree not in self._views:
            self._views[tree] = CommitView(self._repository, tree, self._contents)
        return self._views[tree]

    def _interval(self, tree: str | None) -> Interval:
        if tree not in self._intervals:
            self._intervals[tree] = self._new_interval(tree)
        return self._intervals[tree]

    def _new_interval(self, tree: str | None) -> Interval:
        now = self._state.view
        if tree is None:
            return Interval(now, None)
        then = self.view_of(tree)
        until = self._state.history
        ignored = ignored_revisions(now)
        for oid in ignored:
            self._has(oid)
        folds = (
            folds_between(self._repository, ignored, tree, until, self._contents) if ignored and until else ()
        )
        changes = self._changes[tree] if tree in self._changes else self._state.changes_since(tree, then)
        return Interval(now, then, changes, folds, self._places, finely=self._contents.difference)

    @cached_property
    def _places(self) -> Mapping[str, Sequence[str]]:
        return places_of(self._state.view.paths())

    @cached_property
    def _generated(self) -> frozenset[str]:
        view = self._state.view
        found: set[str] = set()
        for path in view.paths():
            if path == ".gitattributes" or path.endswith("/.gitattributes"):
                found |= generated_globs(view.read(path) or b"", path.rpartition("/")[0])
        return frozenset(found)

    # one memory
    def _from(self, subject: Subject, ground: Ground) -> Looked:
        """What is found from a baseline, and unknown where it says of words what nobody confirmed of them."""
        found = self._one(subject, ground)
        if ground.how is None or found.grade.verdict in CHALLENGING:
            return found
        doubt = ground.doubt
        if not doubt and ground.earlier is not None:
            before = self._one(subject, ground.earlier).grade
            doubt = NEW_STATEMENT if before.verdict in CHALLENGING else ""
        if not doubt:
            return found
        return replace(found, grade=Grade(Verdict.UNKNOWN, (), notes=(f"could not be checked: {doubt}",)))

    def _one(self, subject: Subject, ground: Ground, begun: Start | None = None) -> Looked:
        new = self._state.view.matched_paths(subject.spec)
        if ground.how is None:
            return Looked(
                Grade(Verdict.UNKNOWN, (), notes=(f"could not be checked: {ground.reason}",)),
                ground,
                len(new),
            )
        memory = subject.memory
        self._contents.met.clear()
        interval = self._interval(ground.tree)
        old = self.view_of(ground.tree).matched_paths(subject.spec) if ground.tree is not None else ()
        marks = begun.marks if begun is not None else self._marks(subject, interval, old)
        scope = ScopeAt(subject.spec.include, old, new, self._generated, self._differs(subject))
        nothing = self._nothing_to_judge(subject, marks, scope)
        if nothing is not None:
            return Looked(
                Grade(Verdict.UNKNOWN, (), notes=(f"could not be checked: {nothing}",)), ground, len(new)
            )
        found = grade(memory, claim_in(memory, marks), marks, scope, interval)
        empty = self._nothing_in_scope(subject, scope, interval)
        if empty is not None and found.verdict.severity < Verdict.UNKNOWN.severity:
            found = replace(
                found, verdict=Verdict.UNKNOWN, notes=(*found.notes, f"could not be checked: {empty}")
            )
        if begun is not None:
            patch = () if begun.known else found.patch
            found = replace(found, notes=(*found.notes, *begun.notes), patch=patch)
        found = replace(found, notes=(*found.notes, *_weakness(subject)))
        hurt = unreadable(found, marks, interval, self._contents, stored=subject.has_marks)
        if hurt is not None:
            found = Grade(Verdict.UNKNOWN, (), notes=(f"could not be checked: {hurt}",))
        return Looked(found, ground, len(new), tuple(marks))

    def _differs(self, subject: Subject) -> bool:
        baseline = subject.counting.baseline
        stored = baseline.scope if baseline is not None else None
        return stored is not None and stored != self._state.view.match(subject.spec).digest

    def _nothing_to_judge(self, subject: Subject, marks: Sequence[Mark], scope: ScopeAt) -> str | None:
        memory = subject.memory
        if marks:
            return None
        if memory.scope.is_empty:
            return NO_SCOPE
        if not subject.spec.include and not memory.scope.elements:
            return "it applies to the whole project and watches nothing"
        return self._empty_scope(subject) if not scope.old and not scope.new else None

    def _nothing_in_scope(self, subject: Subject, scope: ScopeAt, interval: Interval) -> str | None:
        """Why a scope that held nothing at the baseline either says nothing, whatever its watches found."""
        if subject.memory.scope.is_empty or scope.new or scope.old:
            return None
        if not subject.spec.include and not subject.memory.scope.elements:
            return None
        return None if interval.then is None and scope.differs else self._empty_scope(subject)

    @staticmethod
    def _empty_scope(subject: Subject) -> str:
        elements = subject.memory.scope.elements
        if elements and not subject.spec.include:
            return f"its elements ({', '.join(elements)}) have no paths in .ai/elements.yaml"
        return "its scope matches nothing"

    def _marks(self, subject: Subject, interval: Interval, old: Sequence[str]) -> tuple[Mark, ...]:
        baseline = subject.counting.baseline
        stored = baseline.marks if baseline is not None else ()
        then = interval.then
        if then is None:
            return stored
        if not stored:
            return capture_memory(subject.memory, then, old, subject.spec.include).marks
        now = interval.now.paths()
        return tuple(self._renewed(mark, then, old, now) for mark in stored)

    def _renewed(self, mark: Mark, then: TreeView, old: Sequence[str], now: Mapping[str, str]) -> Mark:
        """The mark read anew from the baseline's tree, so that one parser reads both sides."""
        path = (mark.watch.path or "").partition("#")[0]
        if mark.watch.kind is WatchKind.IMPORT or mark.watch.is_prohibition:
            return capture_mark(mark.watch, then, old)
        if mark.watch.kind is WatchKind.IDENT:
            return capture_mark(mark.watch, then, old) if _counts_another_scope(mark, old) else mark
        if now.get(path) == mark.blob:
            return mark
        fresh = capture_mark(mark.watch, then, old, with_uses=False)
        if fresh.blob is None or (fresh.sig is None and fresh.blob in self._contents.damaged):
            return mark
        return replace(fresh, uses=mark.uses)


def _weakness(subject: Subject) -> Iterable[str]:
    """That the watches are weaker than they could be, since a parser came after the validation."""
    baseline = subject.counting.baseline
    known = [one for one in baseline.unparsed if has_parser(one)] if baseline is not None else []
    if known:
        yield f"{WEAK} {' and '.join(known)}: confirm it again"


WEAK = "watched by white space since it was validated without the parser for"


def _counts_another_scope(mark: Mark, old: Sequence[str]) -> bool:
    """Whether an identifier was counted in a scope that has been edited since, as far as its sample tells."""
    in_scope, _, anywhere = (*mark.counts, 0, 0, 0)[:3]
    held = frozenset(old)
    inside = sum(path in held for path, _ in mark.sample)
    return inside > in_scope or (inside < in_scope and (inside == 0 or anywhere == len(mark.sample)))


def _lacks_commit(subject: Subject, ground: Ground | None) -> bool:
    baseline = subject.counting.baseline
    content = ground is not None and ground.how is BaselineHow.CONTENT
    return content and baseline is not None and baseline.commit is not None
