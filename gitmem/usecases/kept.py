"""What an earlier check found, kept under the git directory; never a source of truth.

Kept by what decides it: the memories by the ids of the ``.ai`` folders, the first pass by the judged tree, the close
look by the judged commit. After new commits only those memories are matched again that a comparison of the two trees
affects. Dates are judged on the day, never kept.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gitmem.errors import GitmemError
from gitmem.git.interface import Repository
from gitmem.model.verdict import DriftReport
from gitmem.store.packed import Packed, Sharded
from gitmem.store.shelf import Shelf
from gitmem.usecases.basis import Basis, Found, settle
from gitmem.usecases.garbage import seldom_collected
from gitmem.usecases.kept_report import Known, Matched, judge_known, known_from, known_of
from gitmem.usecases.vantage import Vantage

if TYPE_CHECKING:
    from gitmem.model.change import Change
    from gitmem.usecases.drift import Checked

_FACTS, _BASES, _INDEX, _VERDICTS = "facts", "bases", "index", "verdicts"


class _Index(NamedTuple):
    """Which memories a path concerns.

    Args:
        by_lead: Their positions by the folder that a glob begins with.
        by_object: Their positions by the paths that marks rest on.
        wide: Globs, those meant and those taken out, of the memories that any path may concern, by position.
    """

    by_lead: Sharded
    by_object: Sharded
    wide: Mapping[int, tuple[tuple[str, ...], tuple[str, ...]]]

    def plain(self) -> tuple[Any, ...]:
        """The same of plain values alone."""
        return (self.by_lead.shards, self.by_object.shards, self.wide)


class _Settled(NamedTuple):
    """What one check found: `matched` of the first pass, and the close look at the others by position."""

    tree: str
    matched: Matched
    head: str
    history: str
    asked: Mapping[str, bool] = {}
    close: Mapping[int, tuple[Any, ...]] = {}
    remarks: tuple[str, ...] = ()
    history_missing: bool = False

    def plain(self) -> tuple[Any, ...]:
        """The same of plain values alone."""
        return (self.tree, self.matched.total, self.matched.by_place.data, *self[2:])

    @property
    def found(self) -> dict[int, Found]:
        """The close look's findings."""
        return {place: Found(*one) for place, one in self.close.items()}


class KeptVerdicts:
    """The kept answers of one clone.

    Args:
        repository: The clone.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._shelf = Shelf(repository.layout.common_dir)
        self._is_whole = True

    def report(self, vantage: Vantage, today: str) -> DriftReport | None:
        """What `check` would report; None when that takes loading or looking."""
        key = (vantage, today)
        report, _ = self._repository.kept("drift", key, lambda: self._read(vantage, today), lasts=_lasts)
        return report

    def _read(self, vantage: Vantage, today: str) -> tuple[DriftReport | None, bool]:
        """The report from the shelf, and whether it would be the same whatever else arrives in this clone."""
        with seldom_collected():
            known = self._known(vantage)
            settled = self._settled_now(vantage, known) if known is not None else None
            if known is None or settled is None:
                return None, False
            judgements, problems = judge_known(known, settled.matched, settled.found, today)
            return DriftReport(
                vantage.head, judgements, problems, settled.remarks, settled.history_missing
            ), self._is_whole

    def settled_bases(self, vantage: Vantage) -> Sequence[Basis] | None:
        """The bases of all memories, where the first pass settled every one of them at this very tree and history had no say."""
        known = self._known(vantage)
        settled = self._settled(vantage)
        bases = self._shelf.get(_BASES, vantage.known)
        if known is None or settled is None or bases is None or known.reviewed_at is not None:
            return None
        is_whole = settled.tree == vantage.tree and settled.matched.total == known.total
        return list(map(Basis._make, bases)) if is_whole and not settled.close else None

    def keep(self, vantage: Vantage, checked: Checked) -> None:
        """Keep what a check found, when it looked from this very vantage."""
        knowledge = checked.knowledge
        looked_from = (checked.state.commit, knowledge.trusted.commit)
        if looked_from != (vantage.head, vantage.trusted) or not knowledge.is_whole:
            return
        from gitmem.store.freezing import freeze_problems

        outcome, key = checked.outcome, vantage.known
        known = known_of(
            outcome.facts,
            freeze_problems(knowledge.problems),
            knowledge.policy.challenge_on,
            (vantage.trusted, vantage.history) if knowledge.policy.require_review else None,
        )
        by_lead = _indexed(map(_lead, basis.include) for basis in outcome.bases)
        index = _Index(
            Sharded.of(by_lead),
            Sharded.of(_indexed((path for path, _ in basis.objects) for basis in outcome.bases)),
            {at: (outcome.bases[at].include, outcome.bases[at].exclude) for at in by_lead.get("", ())},
        )
        self._shelf.put(_FACTS, key, known.plain())
        self._shelf.put(_BASES, key, tuple(map(tuple, outcome.bases)))
        self._shelf.put(_INDEX, key, index.plain())
        settled = _Settled(
            vantage.tree,
            Matched.of(outcome.matched),
            vantage.head,
            vantage.history,
            dict(checked.asked),
            {place: tuple(one) for place, one in outcome.close.items()},
            outcome.remarks,
            outcome.history_missing,
        )
        self._shelf.put(_VERDICTS, key, settled.plain())

    def _known(self, vantage: Vantage) -> Known | None:
        held = self._shelf.get(_FACTS, vantage.known)
        known = known_from(held) if held is not None else None
        if known is None or known.reviewed_at not in (None, (vantage.trusted, vantage.history)):
            return None
        return known

    def _settled(self, vantage: Vantage) -> _Settled | None:
        held = self._shelf.get(_VERDICTS, vantage.known)
        return _settled_from(held) if held is not None else None

    def _settled_now(self, vantage: Vantage, known: Known) -> _Settled | None:
        """What was found, as it is at this vantage; None when that takes looking."""
        settled = self._settled(vantage)
        matched = self._matched(vantage, settled)
        if matched is None:
            return None
        if matched.total < known.total:
            # the same commit, so that the first pass settles the same memories
            if settled is None or not self._still_holds(vantage, settled):
                return None
            self._is_whole = all(settled.asked.values())
            return settled if matched.total + len(settled.close) == known.total else None
        now = _Settled(vantage.tree, matched, vantage.head, vantage.history)
        if settled is None or settled.tree != vantage.tree:
            self._shelf.put(_VERDICTS, vantage.known, now.plain())
        return now

    def _matched(self, vantage: Vantage, settled: _Settled | None) -> Matched | None:
        """The first pass, only for those that differ since it was last made; None when what it needs is not kept."""
        if settled is not None and settled.tree == vantage.tree:
            return settled.matched
        places = self._places(settled.tree, vantage) if settled is not None else None
        if settled is not None and places is not None and not places:
            return settled.matched
        held = self._shelf.get(_BASES, vantage.known)
        if held is None:
            return None
        from gitmem.drift.listing import parse_ls_tree

        bases = list(map(Basis._make, held))
        listing = parse_ls_tree(self._repository.raw_tree(vantage.tree))
        if settled is None or places is None:
            return Matched.of(settle(bases, listing))
        before = settled.matched.by_place.value.items()
        kept = {place: count for place, count in before if place not in places}
        return Matched.of(kept | settle(bases, listing, places))

    def _places(self, tree: str, vantage: Vantage) -> set[int] | None:
        """Positions of the memories that another judged tree may make another of; None when that cannot be told."""
        held = self._shelf.get(_INDEX, vantage.known)
        changes = self._changes(tree, vantage.tree) if held is not None else None
        if held is None or changes is None:
            return None
        by_lead, by_object, wide = held
        return self._affected(vantage, _Index(Sharded(by_lead), Sharded(by_object), wide), changes)

    def _affected(self, vantage: Vantage, index: _Index, changes: Sequence[Change]) -> set[int] | None:
        paths = [path for change in changes for path in (change.old_path, change.new_path) if path]
        above = set(paths).union(*map(_folders, paths))
        touched = {place for path in above for place in index.by_object.get(path, ())}
        near = sorted({place for path in above for place in index.by_lead.get(path, ())} - touched)
        if not near:
            return touched
        if all(place in index.wide for place in near):
            return touched | _in_scope(index.wide, near, changes)
        bases = self._shelf.get(_BASES, vantage.known)
        return touched | _in_scope(dict(enumerate(bases)), near, changes) if bases is not None else None

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


def _lasts(read: tuple[DriftReport | None, bool]) -> bool:
    report, is_whole = read
    return report is not None and is_whole


def _settled_from(plain: Sequence[Any]) -> _Settled:
    """What `_Settled.plain` made plain."""
    tree, total, matched, *others = plain
    return _Settled(tree, Matched(total, Packed(matched)), *others)


# after new commits
def _in_scope(bases: Mapping[int, Any], near: Sequence[int], changes: Sequence[Change]) -> set[int]:
    """Positions, out of some, of the memories whose scope holds one of the changed paths."""
    paths = (path for one in changes for path in (one.old_path, one.new_path) if path)
    names = {name for path in paths for name in path.split("/")}
    possible = [place for place in near if any(_may_end(glob, names) for glob in bases[place][0])]
    if not possible:
        return set()
    from gitmem.drift.first_pass import affected
    from gitmem.drift.scopes import ScopeIndex, ScopeSpec

    index = ScopeIndex([ScopeSpec(*bases[place][:2]) for place in possible])
    return {possible[at] for at in affected(changes, index)}


def _may_end(glob: str, names: Container[str]) -> bool:
    """Whether a glob can hold a path of some names: the last one that it writes out must be among them."""
    last = glob.rstrip("/").rpartition("/")[2]
    return last in names or last in _NO_NAMES or not _WILD.isdisjoint(glob if "{" in glob else last)


def _indexed(names: Iterable[Iterable[str]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, some in enumerate(names):
        for name in dict.fromkeys(some):
            found.setdefault(name, []).append(place)
    return found


def _lead(glob: str) -> str:
    """The folder that a glob names before its first wildcard, or the whole path; empty when it names none."""
    if "./" in glob or "//" in glob:  # what the parser drops
        return ""
    for at, letter in enumerate(glob):
        if letter in _WILD:
            return glob[:at].rpartition("/")[0]
    return glob.rstrip("/")


_WILD = frozenset("*?[]{}\\!")
_NO_NAMES = frozenset({"", ".", ".."})


def _folders(path: str) -> Iterable[str]:
    """The path itself, the folders above it, and the root."""
    yield path
    while path:
        path = path.rpartition("/")[0]
        yield path
