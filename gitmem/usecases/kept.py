"""What an earlier check found, kept under the git directory; never a source of truth.

Kept by what decides it: the memories by the ids of the ``.ai`` folders, the first pass by the judged tree, the close
look by the judged commit. After new commits only those memories are matched again that a comparison of the two trees
affects. Dates are judged on the day, never kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.model.verdict import DriftReport, Verdict
from gitmem.store.shelf import Shelf
from gitmem.usecases.basis import Basis, Found, Outcome, fresh, judge, settle, worst_first
from gitmem.usecases.vantage import Vantage

if TYPE_CHECKING:
    from gitmem.model.change import Change
    from gitmem.model.problem import Problem
    from gitmem.usecases.drift import Checked

_BASES, _VERDICTS = "memories", "verdicts"


class _Known(NamedTuple):
    """The memories of one vantage, with what a report says of them besides."""

    bases: Sequence[Basis]
    problems: tuple[tuple[Any, ...], ...]
    challenge_on: tuple[str, ...]
    reviewed_at: tuple[str | None, str] | None


class _Settled(NamedTuple):
    """What one check found: `matched` of the first pass by position, and the close look at the others."""

    tree: str
    matched: Mapping[int, int]
    head: str
    history: str
    asked: Mapping[str, bool]
    close: Mapping[int, tuple[Any, ...]]
    remarks: tuple[str, ...]
    history_missing: bool


class KeptVerdicts:
    """The kept answers of one clone.

    Args:
        repository: The clone.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._shelf = Shelf(repository.layout.common_dir)

    def report(self, vantage: Vantage, today: str) -> DriftReport | None:
        """What `check` would report; None when that takes loading or looking."""
        known = self._known(vantage)
        if known is None:
            return None
        outcome = self._outcome(vantage, known)
        return _report(vantage, known, outcome, today) if outcome is not None else None

    def keep(self, vantage: Vantage, checked: Checked) -> None:
        """Keep what a check found, when it looked from this very vantage."""
        knowledge = checked.knowledge
        looked_from = (checked.state.commit, knowledge.trusted.commit)
        if looked_from != (vantage.head, vantage.trusted) or not knowledge.is_whole:
            return
        from gitmem.store.freezing import freeze_problems

        outcome = checked.outcome
        known = _Known(
            outcome.bases,
            freeze_problems(knowledge.problems),
            tuple(sorted(one.value for one in knowledge.policy.challenge_on)),
            (vantage.trusted, vantage.history) if knowledge.policy.require_review else None,
        )
        self._shelf.put(_BASES, vantage.known, (tuple(map(tuple, known.bases)), *known[1:]))
        self._put(vantage, outcome, checked.asked)

    def _known(self, vantage: Vantage) -> _Known | None:
        held = self._shelf.get(_BASES, vantage.known)
        if held is None:
            return None
        known = _Known(*held)
        if known.reviewed_at not in (None, (vantage.trusted, vantage.history)):
            return None
        return known._replace(bases=list(map(Basis._make, known.bases)))

    def _outcome(self, vantage: Vantage, known: _Known) -> Outcome | None:
        held = self._shelf.get(_VERDICTS, vantage.known)
        settled = _Settled(*held) if held is not None else None
        matched = self._matched(vantage, known.bases, settled)
        closely = frozenset(range(len(known.bases))).difference(matched)
        found = {place: fresh(known.bases[place], count) for place, count in matched.items()}
        remarks: tuple[str, ...] = ()
        history_missing = False
        if closely:
            if settled is None or closely != settled.close.keys() or not self._still_holds(vantage, settled):
                return None
            found |= {place: Found(*settled.close[place]) for place in closely}
            remarks, history_missing = settled.remarks, settled.history_missing
        outcome = Outcome(known.bases, found, closely, remarks, history_missing)
        if settled is None or settled.tree != vantage.tree:
            self._put(vantage, outcome, {})
        return outcome

    def _matched(
        self, vantage: Vantage, bases: Sequence[Basis], settled: _Settled | None
    ) -> Mapping[int, int]:
        if settled is not None and settled.tree == vantage.tree:
            return settled.matched
        places = None
        if settled is not None:
            changes = self._changes(settled.tree, vantage.tree)
            places = _affected(bases, changes) if changes is not None else None
            if places is not None and not places:
                return settled.matched
        from gitmem.drift.listing import parse_ls_tree

        listing = parse_ls_tree(self._repository.raw_tree(vantage.tree))
        if settled is None or places is None:
            return settle(bases, listing)
        kept = {place: count for place, count in settled.matched.items() if place not in places}
        return kept | settle(bases, listing, places)

    def _changes(self, old: str, new: str) -> Sequence[Change] | None:
        try:
            return self._repository.diff_trees(old, new, renames=False)
        except GitmemError:  # the older tree was thrown away
            return None

    def _still_holds(self, vantage: Vantage, settled: _Settled) -> bool:
        """Whether a close look at the same commit would start from the same objects."""
        if (settled.head, settled.history) != (vantage.head, vantage.history):
            return False
        here = self._repository.find_objects(list(settled.asked))
        return all((one is not None) == was for one, was in zip(here, settled.asked.values(), strict=True))

    def _put(self, vantage: Vantage, outcome: Outcome, asked: Mapping[str, bool]) -> None:
        matched = {place: one.matched for place, one in outcome.found.items() if place not in outcome.closely}
        close = {place: tuple(outcome.found[place]) for place in sorted(outcome.closely)}
        settled = _Settled(
            vantage.tree,
            matched,
            vantage.head,
            vantage.history,
            dict(asked),
            close,
            outcome.remarks,
            outcome.history_missing,
        )
        self._shelf.put(_VERDICTS, vantage.known, tuple(settled))


def _report(vantage: Vantage, known: _Known, outcome: Outcome, today: str) -> DriftReport:
    challenge_on = frozenset(map(Verdict, known.challenge_on))
    judged = (
        judge(basis, outcome.found[place], today, challenge_on) for place, basis in enumerate(outcome.bases)
    )
    problems: tuple[Problem, ...] = ()
    if known.problems:
        from gitmem.store.freezing import thaw_problems

        problems = thaw_problems(known.problems)
    return DriftReport(
        vantage.head, tuple(worst_first(judged)), problems, outcome.remarks, outcome.history_missing
    )


# after new commits
def _affected(bases: Sequence[Basis], changes: Sequence[Change]) -> set[int]:
    """Positions of the memories that these changes may make another of: by a mark's object, or by the scope."""
    paths = {path for change in changes for path in (change.old_path, change.new_path) if path}
    above = {folder for path in paths for folder in _folders(path)}
    touched = {place for place, basis in enumerate(bases) if any(path in above for path, _ in basis.objects)}
    return touched | _in_scope(bases, changes)


def _in_scope(bases: Sequence[Basis], changes: Sequence[Change]) -> set[int]:
    from gitmem.drift.first_pass import affected
    from gitmem.drift.scopes import ScopeIndex, ScopeSpec

    near = list(_near(bases, changes))
    index = ScopeIndex([ScopeSpec(bases[place].include, bases[place].exclude) for place in near])
    return {near[at] for at in affected(changes, index)}


def _near(bases: Sequence[Basis], changes: Sequence[Change]) -> Iterator[int]:
    """Memories one of whose globs begins as one of the changed paths does, told without parsing a glob."""
    paths = [path for change in changes for path in (change.old_path, change.new_path) if path]
    top = set(paths).union(*map(_folders, paths))
    for place, basis in enumerate(bases):
        for glob in basis.include:
            if _lead(glob) in top:
                yield place
                break


def _lead(glob: str) -> str:
    """The folder that a glob names before its first wildcard, or the whole path; empty when it names none."""
    if "./" in glob or "//" in glob:  # what the parser drops
        return ""
    for at, letter in enumerate(glob):
        if letter in _WILD:
            return glob[:at].rpartition("/")[0]
    return glob.rstrip("/")


_WILD = frozenset("*?[]{}\\!")


def _folders(path: str) -> Iterable[str]:
    """The path itself, the folders above it, and the root."""
    yield path
    while path:
        path = path.rpartition("/")[0]
        yield path
