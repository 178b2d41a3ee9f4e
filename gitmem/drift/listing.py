"""Every leaf of one state of the code, sorted for matching: files, symbolic links and gitlinks.

A listing comes from ``git ls-tree -r -t -z`` of a commit, where git tells the ids of folders, or from a flat listing
of the index or work tree, where they are computed as git would when it commits.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from gitmem.model.change import MODE_GITLINK, MODE_TREE, TreeEntry

BLOB, TREE = b"b"[0], b"t"[0]


class Listing:
    """The leaves of one state of the code, in byte order of their paths.

    Args:
        paths: Paths as git stores them, sorted.
        lines: For each leaf ``OID TAB PATH``.
        gitlinks: Positions of the submodules among the leaves.
        trees: Ids of the folders; None to compute them from `modes`.
        modes: For each leaf its mode; needed only without `trees`.
    """

    __slots__ = ("_modes", "_spans", "_trees", "gitlinks", "lines", "paths")

    def __init__(
        self,
        paths: list[bytes],
        lines: list[bytes],
        gitlinks: Iterable[int],
        trees: Mapping[bytes, bytes] | None = None,
        modes: Sequence[int] = (),
    ) -> None:
        self.paths = paths
        self.lines = lines
        self.gitlinks = tuple(gitlinks)
        self._trees = trees
        self._modes = modes
        self._spans: dict[bytes, tuple[int, int]] = {b"": (0, len(paths))}

    @property
    def trees(self) -> Mapping[bytes, bytes]:
        """Object id of every folder but the root."""
        if self._trees is None:
            oids = [line.partition(b"\t")[0] for line in self.lines]
            self._trees = tree_ids(self.paths, self._modes, oids)
        return self._trees

    def span(self, folder: bytes) -> tuple[int, int]:
        """First position below a folder and the one behind the last; equal when nothing is there."""
        found = self._spans.get(folder)
        if found is None:
            # "0" is the byte behind "/"
            found = (bisect_left(self.paths, folder + b"/"), bisect_left(self.paths, folder + b"0"))
            self._spans[folder] = found
        return found


def parse_ls_tree(raw: bytes) -> Listing:
    """Read the output of ``git ls-tree -r -t -z --full-tree COMMIT``.

    Raises:
        ValueError: When it is no such output.
    """
    paths: list[bytes] = []
    lines: list[bytes] = []
    gitlinks: list[bytes] = []
    trees: dict[bytes, bytes] = {}
    width = raw.find(b"\t") - 12 if raw[7:8] != b"c" else raw.find(b"\t") - 14
    behind = width + 1
    try:
        for record in raw.split(b"\0"):
            if not record:
                continue
            kind = record[7]
            if kind == BLOB:
                line = record[12:]
                lines.append(line)
                paths.append(line[behind:])
            elif kind == TREE:
                trees[record[12 + behind :]] = record[12 : 12 + width]
            else:
                lines.append(record[14:])
                paths.append(record[14 + behind :])
                gitlinks.append(paths[-1])
    except IndexError:
        raise ValueError("not the output of git ls-tree -r -t -z") from None
    if raw and width not in (40, 64):
        raise ValueError("not the output of git ls-tree -r -t -z")
    if any(one >= other for one, other in pairwise(paths)):
        paths, lines = _sorted(paths, lines)
    return Listing(paths, lines, (bisect_left(paths, path) for path in gitlinks), trees)


def _sorted(paths: list[bytes], lines: list[bytes]) -> tuple[list[bytes], list[bytes]]:
    """A damaged tree object may list names out of order, or twice."""
    pairs = sorted(zip(paths, lines, strict=True))
    return [path for path, _ in pairs], [line for _, line in pairs]


def list_entries(entries: Iterable[TreeEntry]) -> Listing:
    """A listing from entries of a tree, the index or the work tree; entries that are folders are passed over."""
    rows = sorted(
        (entry.path.encode("utf-8", "surrogateescape"), entry.oid.encode("ascii"), entry.mode)
        for entry in entries
        if entry.mode != MODE_TREE
    )
    return Listing(
        [path for path, _, _ in rows],
        [b"%s\t%s" % (oid, path) for path, oid, _ in rows],
        (at for at, (_, _, mode) in enumerate(rows) if mode == MODE_GITLINK),
        modes=[mode for _, _, mode in rows],
    )


def tree_ids(paths: Sequence[bytes], modes: Sequence[int], oids: Sequence[bytes]) -> dict[bytes, bytes]:
    """Ids of all folders as git would write them for these leaves, the root left out.

    Args:
        paths: Sorted, no path both a leaf and a folder.
        modes: One for each path.
        oids: One for each path; their length says SHA-1 or SHA-256.
    """
    children: dict[bytes, list[tuple[bytes, bytes]]] = {}
    for path, mode, oid in zip(paths, modes, oids, strict=True):
        folder, _, name = path.rpartition(b"/")
        children.setdefault(folder, []).append((name, _entry(mode, name, oid)))
    for folder in list(children):
        above = folder
        while above:
            above = above.rpartition(b"/")[0]
            children.setdefault(above, [])
    children.pop(b"", None)
    found: dict[bytes, bytes] = {}
    for folder in sorted(children, key=lambda path: path.count(b"/"), reverse=True):
        found[folder] = oid = _tree_id(children[folder], len(oids[0]))
        above, _, name = folder.rpartition(b"/")
        if above:
            children[above].append((name + b"/", _entry(MODE_TREE, name, oid)))
    return found


def _entry(mode: int, name: bytes, oid: bytes) -> bytes:
    return b"%o %s\0" % (mode, name) + bytes.fromhex(oid.decode("ascii"))


def _tree_id(entries: list[tuple[bytes, bytes]], width: int) -> bytes:
    import hashlib

    content = b"".join(entry for _, entry in sorted(entries))
    algorithm = "sha1" if width == 40 else "sha256"
    return (
        hashlib.new(algorithm, b"tree %d\0" % len(content) + content, usedforsecurity=False)
        .hexdigest()
        .encode()
    )
