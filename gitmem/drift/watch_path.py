"""Judging a watched path, folder or whole file: whether it exists, is the same thing, and where it went."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from posixpath import basename, commonpath, dirname

from gitmem.drift.barrels import handed_on, is_barrel, siblings
from gitmem.drift.content.coarse import cosmetic_words
from gitmem.drift.content.difference import Difference, comparable
from gitmem.drift.content.language import LOCKS_OF, is_lock
from gitmem.drift.content.text import text_digest
from gitmem.drift.interval import REPLACED, Interval
from gitmem.drift.manifests import is_manifest
from gitmem.drift.seen import Seen, finding, moved, percent, submodule_words, told
from gitmem.drift.sketch import alike_place
from gitmem.model.validation import Mark
from gitmem.model.verdict import Verdict


def judge_path(mark: Mark, interval: Interval) -> Seen:
    path = (mark.watch.path or "").rstrip("/")
    if mark.blob is None:
        return told(mark, Verdict.UNKNOWN, f"{path} did not exist when it was validated")
    now = interval.now
    if now.folder_id(path) == mark.blob or now.paths().get(path) == mark.blob:
        return told(mark, Verdict.FRESH, "unchanged")
    return _judge_folder(mark, path, interval) if mark.counts else _judge_path_file(mark, path, interval)


def _judge_path_file(mark: Mark, path: str, interval: Interval) -> Seen:
    if path not in interval.now.paths():
        return _absent_file(mark, path, interval)
    share = interval.share(path, path)
    if (
        share is not None
        and share > REPLACED
        and not is_what_it_is_called(path)
        and not is_lock(path)
        and not _is_prose(path)
        and not _is_small(path, interval)
        and interval.content_difference(path, path) is Difference.SUBSTANTIVE
    ):
        if (place := handed_on(path, interval)) is not None:
            return _handed_on(mark, path, place)
        other = interval.exact_place(path, mark.blob)
        where = f"; what it held is now {other}" if other else ""
        return told(mark, Verdict.REWRITTEN, f"{path} now holds something else{where}", share=share)
    return told(mark, Verdict.FRESH, f"{path} still exists")


_CALLED = re.compile(
    r"(?i)[tj]sconfig(?:\.[\w-]+)*\.json|(?:readme|license|changelog|contributing)(?:[.-][\w-]+)*|\.[\w-]+ignore|\.[\w-]+rc(?:\.\w+)?"
    r"|\.[\w.-]+\.(?:ya?ml|toml|json)|[\w-]+\.config\.\w+|_typos\.toml"
)


def is_what_it_is_called(path: str) -> bool:
    """Whether a file is by its name what it is, so that other content makes it no other thing: manifests, a README, a tool's
    settings.
    """
    return is_manifest(path) or _CALLED.fullmatch(basename(path)) is not None


_PROSE = (".md", ".mdx", ".rst", ".adoc", ".asciidoc", ".mdc")


def _is_prose(path: str) -> bool:
    """Whether a file is a document, which a statement points to by its name: one that was written anew is still that document."""
    return path.endswith(_PROSE)


def _handed_on(mark: Mark, path: str, place: str) -> Seen:
    return moved(mark, replace(mark.watch, path=place), f"{path} is now {place}, which it imports")


SMALL = 4
"""Lines below which a file edited in most of them is still what it was."""


def _is_small(path: str, interval: Interval) -> bool:
    data = interval.then.read(path) if interval.then is not None else None
    return data is not None and sum(bool(line.strip()) for line in data.splitlines()) < SMALL


def _followed(mark: Mark, path: str, interval: Interval) -> str | None:
    """Where the file lies now; without the old tree by the sketch of its lines, too."""
    place = interval.follow_file(path, mark.blob)
    if place is None and interval.then is None and mark.sketch is not None:
        return alike_place(path, mark.sketch, interval.now)
    return place


def _absent_file(mark: Mark, path: str, interval: Interval) -> Seen:
    place = _followed(mark, path, interval)
    if place is not None:
        return moved(mark, replace(mark.watch, path=place), f"{path} is now {place}")
    package = interval.split_package(path)
    if package is not None:
        return moved(mark, replace(mark.watch, path=package), f"{path} was split into the package {package}")
    place = interval.in_own_folder(path) or _other_lock(path, interval)
    if place is not None:
        return moved(mark, replace(mark.watch, path=place), f"{path} is now {place}")
    barrel = _with_its_folder(mark, path, interval)
    if barrel is not None:
        return moved(mark, replace(mark.watch, path=barrel), f"{path} moved with its folder to {barrel}")
    return told(mark, Verdict.GONE, f"{path} no longer exists{_namesake(path, interval)}")


def _other_lock(path: str, interval: Interval) -> str | None:
    """The lock file that the same package manager writes there now: ``bun.lock`` for ``bun.lockb``."""
    own = next((names for names in LOCKS_OF.values() if basename(path) in names), ())
    places = (f"{dirname(path)}/{name}".lstrip("/") for name in own)
    return next((one for one in places if one in interval.now.paths()), None)


def _namesake(path: str, interval: Interval) -> str:
    """Without the old content: the one file of that name, which may be what it became; a name alone decides nothing."""
    if interval.then is not None:
        return ""
    called = [one for one in interval.now.paths() if basename(one) == basename(path)]
    return f"; {called[0]} has its name, and what it held is not here to compare" if len(called) == 1 else ""


def _with_its_folder(mark: Mark, path: str, interval: Interval) -> str | None:
    """Where a barrel is whose folder moved: the barrel there, else the folder; None for other files."""
    if not is_barrel(path):
        return None
    prefix = folder_destination(dirname(path), mark.sample or siblings(path, interval), interval)
    if prefix is None:
        return None
    barrel = f"{prefix}/{basename(path)}"
    return barrel if barrel in interval.now.paths() else f"{prefix}/"


def _judge_folder(mark: Mark, path: str, interval: Interval) -> Seen:
    now = interval.now
    left = [(one, oid) for one, oid in mark.sample if one not in now.paths()]
    total = max(1, len(mark.sample))
    share = len(left) / total
    still_there = now.folder_id(path) is not None
    if still_there and share <= REPLACED:
        return told(mark, Verdict.FRESH, f"{path}/ still exists")
    prefix = folder_destination(path, mark.sample, interval)
    if still_there:
        # The name is occupied, so a reader is led to the wrong place: no relocation, whatever moved out.
        where = f"; it is now in {prefix}/" if prefix is not None else ""
        return told(
            mark,
            Verdict.REWRITTEN,
            f"{path}/ still exists, but most of what it held left it{where}",
            share=share,
        )
    if prefix is not None:
        return moved(mark, replace(mark.watch, path=f"{prefix}/"), f"{path}/ is now {prefix}/")
    return told(mark, Verdict.GONE, f"{path}/ no longer exists")


TEXT_LEVEL = "t"
PREFIX_SHARE = 0.6
"""Part of a folder's files that must have moved to one new prefix for the folder to follow (drift.md, step 3)."""
ANCHORED_SHARE = 0.3
"""Part of them that content or git must pair; the others may stand under the new prefix by their names alone."""
ALONE_SHARE = 0.15
"""The same without the old tree, of files whose content nothing else has: what many folders have (a licence, a compiler's
settings) may have been at its place before."""


def folder_destination(
    folder: str, files: Sequence[tuple[str, str | None]], interval: Interval
) -> str | None:
    """The folder that most files of a folder went to, changed ones among them; None when there is none.

    Args:
        folder: The folder, without a trailing slash.
        files: Files it held at the baseline, with their blobs.
        interval: Baseline to judged tree.
    """
    now, then = interval.now.paths(), interval.then.paths() if interval.then is not None else {}
    moves = {
        one: place
        for one, oid in files
        if one not in now
        and (place := interval.follow_file(one, oid) or interval.renamed_to(one)) is not None
    }
    if interval.then is None:
        moves = {one: place for one, place in moves.items() if interval.is_alone(place)}
    prefix = common_destination(folder, moves)
    least = ANCHORED_SHARE if interval.then is not None else ALONE_SHARE
    if prefix is None or len(moves) < least * len(files):
        return None
    places = [f"{prefix}{one[len(folder) :]}" for one, _ in files]
    named = sum(place in now and place not in then for place in places)
    return prefix if max(named, len(moves)) >= PREFIX_SHARE * len(files) else None


def common_destination(folder: str, moves: dict[str, str]) -> str | None:
    """The one folder that files of `folder` moved to, the rest of their paths kept; None when there is none."""
    counts: dict[str, int] = {}
    for old, new in moves.items():
        rest = old[len(folder) :] if folder else "/" + old
        if new.endswith(rest):
            destination = new[: -len(rest)]
            counts[destination] = counts.get(destination, 0) + 1
    best = max(counts, key=lambda one: (counts[one], one), default=None)
    if best is None or counts[best] < PREFIX_SHARE * len(moves):
        return _renamed_within(folder, moves)
    return best if best != folder else None


def _renamed_within(folder: str, moves: dict[str, str]) -> str | None:
    """Where a folder went whose inner folders were renamed with it: ``Status/Sources/Status`` to ``StatusKit/…``.

    Either all that moved lies in one folder whose name is alike, or most of it in one of the very name.
    """
    place = commonpath([dirname(new) for new in moves.values()]) if len(moves) > 1 else ""
    one, other = basename(folder).lower(), basename(place).lower()
    if one and other and (one in other or other in one) and _is_elsewhere(place, folder):
        return place
    counts = Counter(
        above for new in moves.values() for above in _folders_called(one, new) if _is_elsewhere(above, folder)
    )
    best = max(counts, key=lambda found: (counts[found], found), default=None)
    return best if best is not None and counts[best] >= PREFIX_SHARE * len(moves) > 1 else None


def _is_elsewhere(place: str, folder: str) -> bool:
    return place != folder and not place.startswith(f"{folder}/")


def _folders_called(name: str, path: str) -> Iterator[str]:
    """The folders above a file that have a name, the shallowest first."""
    parts = dirname(path).split("/")
    return ("/".join(parts[: at + 1]) for at, part in enumerate(parts) if part.lower() == name)


def judge_file(mark: Mark, interval: Interval) -> Seen:
    path = mark.watch.path or ""
    if mark.blob is None:
        return told(mark, Verdict.UNKNOWN, f"{path} did not exist when it was validated")
    if interval.now.paths().get(path) == mark.blob:
        return told(mark, Verdict.FRESH, "unchanged")
    place = path if path in interval.now.paths() else _followed(mark, path, interval)
    if place is None:
        return _absent_file(mark, path, interval)
    seen = _judge_content(mark, path, place, interval)
    if place != path and seen.verdict.severity < Verdict.TOUCHED.severity:
        return moved(mark, replace(mark.watch, path=place), f"{path} is now {place}")
    return seen


def _judge_content(mark: Mark, path: str, place: str, interval: Interval) -> Seen:
    kind = interval.content_difference(path, place)
    if kind is None:
        kind = _stored_difference(mark, place, interval)
    if kind in {Difference.SAME, Difference.COSMETIC}:
        words = cosmetic_words(interval.compared(path, place))
        return told(mark, Verdict.COSMETIC, f"{basename(place)}: {words}")
    if kind is Difference.SOFT:
        soft = f"{basename(place)}: only type annotations or imports changed"
        if place == path:
            return told(mark, Verdict.TOUCHED, soft)
        target = replace(mark.watch, path=place)
        found = finding(mark, Verdict.TOUCHED, soft, new_path=place)
        return Seen((replace(found, moved=str(target)),), moved=target)
    row = interval.by_old_path.get(path)
    said = submodule_words(row) if row is not None else None
    if said is not None:
        return told(mark, Verdict.CHANGED, said)
    share = interval.share(path, place)
    verdict = Verdict.REWRITTEN if share is not None and share > REPLACED else Verdict.CHANGED
    if verdict is Verdict.REWRITTEN and place == path and (other := handed_on(path, interval)) is not None:
        return _handed_on(mark, path, other)
    words = "rewritten" if verdict is Verdict.REWRITTEN else "changed"
    found = finding(
        mark,
        verdict,
        f"{place} {words}{percent(share)}",
        new_path=place if place != path else None,
        share=share,
    )
    return Seen((found,))


def _stored_difference(mark: Mark, place: str, interval: Interval) -> Difference:
    outline = interval.now.outline(place)
    if outline is None or mark.sig is None:
        return Difference.SUBSTANTIVE
    if outline.digest.startswith(mark.sig):
        return Difference.COSMETIC
    if mark.sig[:1] == TEXT_LEVEL and not comparable(mark.sig, outline.digest):
        # recorded by white space before a finer reading of such files was known
        same = text_digest(interval.now.read(place) or b"").startswith(mark.sig)
        return Difference.COSMETIC if same else Difference.SUBSTANTIVE
    return Difference.SOFT if mark.core and outline.core.startswith(mark.core) else Difference.SUBSTANTIVE
