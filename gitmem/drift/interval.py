"""From the baseline to the judged state: the two trees, the rows that differ, and where content went.

Relocation comes before judging (drift.md, "The steps" 3): an exact blob at another path, rename pairs, module to
package, then the symbol. A place counts only if the content was not there at the baseline; a name alone never counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from posixpath import basename, dirname, splitext

from gitmem.drift.comparisons import Comparisons, Finely, Stop, stop_difference, stop_share
from gitmem.drift.content.difference import Difference, worst_of
from gitmem.drift.content.language import language_of
from gitmem.drift.content.outline import Outline, Symbol
from gitmem.drift.content.text import line_share
from gitmem.drift.manifests import is_manifest
from gitmem.drift.view import TreeView
from gitmem.model.change import Change

PAIRED_EQUAL = 0.6
"""Part of a file that must be equal for a pair that git found by similarity (drift.md, step 3)."""
REPLACED = 0.6
"""Part that is gone or replaced above which a thing counts as rewritten (drift.md, table of verdicts)."""
SUBSTANTIAL_LINES = 3
"""Shorter definitions are too alike to be recognised under another name in another file."""
SEARCHED_FILES = 2_000
PACKAGE_FILES = {
    ".py": "__init__.py",
    ".ts": "index.ts",
    ".tsx": "index.tsx",
    ".js": "index.js",
    ".rs": "mod.rs",
}

VALUES = frozenset({"constant", "field", "variable", "property"})

Fold = tuple[TreeView, TreeView]
"""The trees before and after one commit listed in ``.git-blame-ignore-revs``."""


class Interval:
    """What lies between one baseline and the judged tree.

    Args:
        now: The judged tree.
        then: The tree at the baseline; None when its commit is missing here and only marks remain.
        changes: Whole-tree rows from `then` to `now` with renames paired; empty when `then` is None.
        folds: Ignored commits between the two, oldest first.
        places: Paths of `now` by object id, when they were told already.
        finely: Tells how two files differ where that is known, or costs less than their outlines.
    """

    def __init__(
        self,
        now: TreeView,
        then: TreeView | None,
        changes: Sequence[Change] = (),
        folds: Sequence[Fold] = (),
        places: Mapping[str, Sequence[str]] | None = None,
        *,
        finely: Finely | None = None,
    ) -> None:
        self.now = now
        self.then = then
        self.changes = tuple(changes)
        self.folds = tuple(folds)
        self._told_places = places
        self._comparisons = Comparisons(then, now, finely)
        self._stood: dict[str, frozenset[str]] = {}

    @cached_property
    def by_old_path(self) -> Mapping[str, Change]:
        return {row.old_path: row for row in self.changes if row.old_path is not None}

    @cached_property
    def _places(self) -> Mapping[str, Sequence[str]]:
        return places_of(self.now.paths()) if self._told_places is None else self._told_places

    @cached_property
    def arrivals(self) -> tuple[str, ...]:
        """Paths of the judged tree whose content was not there at the baseline; all of them when that is unknown."""
        if self.then is None:
            return tuple(self.now.paths())
        return tuple(row.new_path for row in self.changes if row.new_path is not None and row.new_oid)

    @cached_property
    def _arrived(self) -> Mapping[str, Sequence[str]]:
        """`arrivals` by the language that their extension tells."""
        found: dict[str, list[str]] = {}
        for path in self.arrivals:
            found.setdefault(_family(path), []).append(path)
        return found

    # files
    def exact_place(self, path: str, blob: str | None) -> str | None:
        """Another path that holds exactly this blob now and did not at the baseline, the most alike name first."""
        if not blob:
            return None
        held_then = self.then.paths() if self.then is not None else {}
        found = [one for one in self._places.get(blob, ()) if one != path and held_then.get(one) != blob]
        same_name = [one for one in found if basename(one) == basename(path)]
        if same_name:
            return max(same_name, key=lambda one: (_common_tail(one, path), _common_head(one, path), one))
        return found[0] if len(found) == 1 else None

    def is_alone(self, path: str) -> bool:
        """Whether no other file of the judged tree has the content of this one."""
        return len(self._places.get(self.now.paths().get(path, ""), ())) == 1

    def follow_file(self, path: str, blob: str | None) -> str | None:
        """Where the file at a baseline path lies now, content followed; None when it is nowhere."""
        return self.exact_place(path, blob) or self._rename_pair(path) or self._package_place(path)

    def renamed_to(self, path: str) -> str | None:
        """The file that git pairs with a baseline path, whatever changed in it; None when it pairs none."""
        row = self.by_old_path.get(path)
        return row.new_path if row is not None and row.status == "renamed" else None

    def _rename_pair(self, path: str) -> str | None:
        paired = self.renamed_to(path)
        return paired if paired is not None and self.is_mostly_equal(path, paired) else None

    def _package_place(self, path: str) -> str | None:
        place = package_file(path)
        if place is None or place not in self.now.paths() or self.then is None or place in self.then.paths():
            return None
        return place if self.is_mostly_equal(path, place) else None

    def split_package(self, path: str) -> str | None:
        """The folder, with a trailing slash, of the package that a deleted module was split into; None when none was."""
        package, folder = package_file(path), splitext(path)[0]
        now, then = self.now.paths(), self.then.paths() if self.then is not None else {}
        # A package that stood beside the module is not what the module became.
        is_new = package is not None and package in now and package not in then
        return f"{folder}/" if is_new and path not in now else None

    def in_own_folder(self, path: str) -> str | None:
        """Where a deleted file lies in a new folder of its own name: ``schema.prisma`` in ``schema/main.prisma``.

        The file there that holds most of its lines, else the folder when its files hold them together; None when they do not.
        """
        stem, extension = splitext(path)
        old = self.then.read(path) if self.then is not None and not self.then.is_folder(stem) else None
        beside = [
            one for one in self.arrivals if one.startswith(f"{stem}/") and one.endswith(extension or "/")
        ]
        if old is None or path in self.now.paths() or not beside:
            return None
        texts = {one: self.now.read(one) or b"" for one in beside}
        best = min(beside, key=lambda one: (line_share(old, texts[one]), one))
        if 1 - line_share(old, texts[best]) >= PAIRED_EQUAL:
            return best
        return f"{stem}/" if 1 - line_share(old, b"\n".join(texts.values())) >= PAIRED_EQUAL else None

    def is_mostly_equal(self, old_path: str, new_path: str) -> bool:
        """Whether a file now holds what one held at the baseline: equal in substance, or 60 % of its lines."""
        share = self._comparisons.share(old_path, new_path)
        if share is None:
            return False
        if 1 - share >= PAIRED_EQUAL:
            return True
        return self._comparisons.difference(old_path, new_path) is not Difference.SUBSTANTIVE

    # content, ignored commits folded away
    def segments(self, old_path: str, new_path: str) -> tuple[tuple[Stop, Stop], ...]:
        """Pairs of stops between which the file counts; one pair when no ignored commit touched it."""
        if self.then is None:
            return ()
        last: Stop = (self.then, old_path)
        pairs: list[tuple[Stop, Stop]] = []
        for before, after in self.folds if is_foldable(new_path) else ():
            entry = _standing(before, old_path, new_path)
            leave = _standing(after, old_path, new_path)
            if entry and leave and before.paths()[entry] != after.paths()[leave]:
                pairs.append((last, (before, entry)))
                last = (after, leave)
        pairs.append((last, (self.now, new_path)))
        return tuple(pairs)

    def content_difference(self, old_path: str, new_path: str) -> Difference | None:
        """How the file differs, worst of its segments; None when the old content is not in this clone."""
        worst = self._comparisons.difference(old_path, new_path)
        if worst is not Difference.SUBSTANTIVE or not self.folds:
            return worst
        kinds = [stop_difference(one, other) for one, other in self.segments(old_path, new_path)]
        known = [kind for kind in kinds if kind is not None]
        return worst_of(known) if len(known) == len(kinds) else worst

    def compared(self, old_path: str, new_path: str) -> str:
        """How two contents were compared, in words; empty by the finest test, or when the old one is not here."""
        return self._comparisons.said(old_path, new_path)

    def share(self, old_path: str, new_path: str) -> float | None:
        """Part of the old lines that are gone or replaced, ignored commits folded; None when unknown."""
        stops = self.segments(old_path, new_path)
        if len(stops) == 1:
            return self._comparisons.share(old_path, new_path)
        shares = [stop_share(one, other) for one, other in stops]
        known = [share for share in shares if share is not None]
        return min(1.0, sum(known)) if known and len(known) == len(shares) else None

    # symbols
    def find_symbol(self, path: str, name: str, held: HeldSymbol) -> tuple[str, Symbol] | None:
        """Where a definition went that no longer stands at its place: equal content, newly there."""
        for equal in filter(None, (held, held.softly)):
            for place in self.likely_places(path, name):
                if equal is not held and not self._may_be_soft(path, place):
                    continue
                found = self._equal_symbol(
                    place, name, equal, renamed=place == path or self._is_sure_pair(path, place, held)
                )
                if found is not None:
                    return place, found
        return self._renamed_elsewhere(path, held)

    def _is_sure_pair(self, path: str, place: str, held: HeldSymbol) -> bool:
        """Whether git pairs the two and a body as short as this one came to no other file as well."""
        return place == self.renamed_to(path) and (
            not held.is_short or len(self.same_bodies(path, held)) <= 1
        )

    def _may_be_soft(self, path: str, place: str) -> bool:
        """Whether other annotations at that place are a soft change: the file itself moved there, as far as is known."""
        return self.then is None or place in {path, self.renamed_to(path), self._package_place(path)}

    def likely_places(self, path: str, name: str) -> Iterator[str]:
        """Files in which a definition may stand now, the likeliest first: its own, what that became, new ones with the name."""
        bare = name.rpartition(".")[2]
        if path in self.now.paths():
            yield path
        followed = self.by_old_path.get(path)
        if followed is not None and followed.new_path is not None and followed.new_path != path:
            yield followed.new_path
        arrived = set(self.arrivals)
        named = self.now.files_with([bare]).get(bare, ())
        alike = [one for one in named if one != path and one in arrived and _family(one) == _family(path)]
        yield from sorted(alike, key=lambda one: (-_common_head(one, path), one))[:SEARCHED_FILES]

    def _equal_symbol(self, place: str, name: str, held: HeldSymbol, *, renamed: bool) -> Symbol | None:
        outline = self.now.outline(place)
        if outline is None:
            return None
        bare = name.rpartition(".")[2]
        new = [one for one in outline.symbols if not self.stood_there(place, one.name)]
        for symbol in new:
            if symbol.name.rpartition(".")[2] == bare and held.is_held_by(symbol):
                return symbol
        if not renamed or held.body is None:
            return None
        unsure = self.then is None and held.is_short
        bodies = [
            one for one in new if one.body.startswith(held.body) and not (unsure and one.kind in VALUES)
        ]
        return bodies[0] if len(bodies) == 1 else None

    def _renamed_elsewhere(self, path: str, held: HeldSymbol) -> tuple[str, Symbol] | None:
        found = self.same_bodies(path, held)
        return found[0] if len(found) == 1 else None

    def same_bodies(self, path: str, held: HeldSymbol) -> list[tuple[str, Symbol]]:
        """New definitions elsewhere with this body under any name.

        A line or two are too common to be recognised in a file that was there before; where the old file is gone they
        may be in a file that came, values aside.
        """
        if held.body is None or self.then is None:
            return []
        short = held.is_short
        if short and path in self.now.paths():
            return []
        known = self.then.paths() if short else {}
        alike = self._arrived.get(_family(path), ())
        places = [one for one in alike if one != path and one not in known]
        return [
            (place, symbol)
            for place in places[:200]
            for symbol in _symbols(self.now.outline(place))
            if symbol.body.startswith(held.body)
            and not (short and symbol.kind in VALUES)
            and not self.stood_there(place, symbol.name)
        ]

    def stood_there(self, path: str, name: str) -> bool:
        """Whether a definition of that name stood at that path at the baseline."""
        names = self._stood.get(path)
        if names is None:
            outline = self.then.outline(path) if self.then is not None and path in self.then.paths() else None
            names = self._stood[path] = frozenset(one.name for one in _symbols(outline))
        return name in names


def places_of(paths: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
    """Paths by object id."""
    places: dict[str, list[str]] = {}
    for path, oid in paths.items():
        places.setdefault(oid, []).append(path)
    return places


class HeldSymbol:
    """What a mark knows of a definition: its digests and how many lines it had."""

    __slots__ = ("body", "core", "lines", "sig")

    def __init__(self, sig: str, body: str | None, lines: int, core: str | None = None) -> None:
        self.sig = sig
        self.body = body
        self.lines = lines
        self.core = core

    @property
    def is_short(self) -> bool:
        return self.lines < SUBSTANTIAL_LINES

    @property
    def softly(self) -> HeldSymbol | None:
        """The same without type annotations and imports; None when it is not known so."""
        return HeldSymbol("", None, self.lines, self.core) if self.sig and self.core else None

    def is_held_by(self, symbol: Symbol) -> bool:
        return symbol.digest.startswith(self.sig) if self.sig else symbol.core.startswith(self.core or "-")


def is_foldable(path: str) -> bool:
    """Whether ignored commits are folded in this file: in source and prose, never in manifests, settings and CI."""
    return language_of(path) not in _SETTINGS and not is_manifest(path) and basename(path) != "Jenkinsfile"


_SETTINGS = frozenset(
    {
        "json",
        "toml",
        "yaml",
        "ini",
        "dotenv",
        "properties",
        "make",
        "just",
        "docker",
        "gomod",
        "requirements",
        "terraform",
    }
)


def package_file(path: str) -> str | None:
    """The file that a module becomes when it is made a package: ``a.py`` to ``a/__init__.py``; None for others."""
    stem, extension = splitext(path)
    inner = PACKAGE_FILES.get(extension)
    return f"{stem}/{inner}" if inner and basename(path) != inner else None


def _symbols(outline: Outline | None) -> tuple[Symbol, ...]:
    return outline.symbols if outline is not None else ()


def _standing(view: TreeView, *paths: str) -> str | None:
    return next((path for path in paths if path in view.paths()), None)


_FAMILIES = {
    **dict.fromkeys((".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts"), ".ts"),
    **dict.fromkeys((".c", ".h", ".cc", ".cpp", ".hpp"), ".c"),
}


def _family(path: str) -> str:
    """One extension for all that a language has."""
    extension = splitext(path)[1]
    return _FAMILIES.get(extension, extension)


def _common_head(one: str, other: str) -> int:
    return _agreeing(dirname(one).split("/"), dirname(other).split("/"))


def _common_tail(one: str, other: str) -> int:
    return _agreeing(one.split("/")[::-1], other.split("/")[::-1])


def _agreeing(left: Sequence[str], right: Sequence[str]) -> int:
    count = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        count += 1
    return count
