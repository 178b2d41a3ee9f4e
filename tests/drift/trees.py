"""Generated trees and scopes, and the scope digest written a second time from its specification, as slowly as it reads."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from gitmem.drift.scopes import ScopeSpec
from gitmem.model.change import MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, MODE_SYMLINK, TreeEntry
from gitmem.model.glob import parse_glob
from tests.support.repo import Repo

FOLDERS = ("a", "b", "가", "a.py", "a-b", "[a]", "\udcff")
NAMES = ("a", "b", "c.py", "d.ts", ".py", "a.b.py", "가.py", "가", "[a]", "\udcff.ts", "py", "Makefile")
OIDS = tuple(letter * 40 for letter in "123")
MODES = (MODE_FILE, MODE_FILE, MODE_FILE, MODE_EXECUTABLE, MODE_SYMLINK, MODE_GITLINK)

Tree = Mapping[str, tuple[int, str]]
"""Path to mode and object id."""


class Written(NamedTuple):
    """A glob and the folders that it means as a whole."""

    text: str
    folders: tuple[str, ...] = ()


class WrittenScope(NamedTuple):
    include: tuple[Written, ...]
    exclude: tuple[Written, ...]

    @property
    def spec(self) -> ScopeSpec:
        return ScopeSpec(tuple(one.text for one in self.include), tuple(one.text for one in self.exclude))


def without_conflicts(paths: Sequence[str]) -> list[str]:
    """Those that are not folders of others."""
    return [path for path in paths if not any(other.startswith(f"{path}/") for other in paths)]


folders = st.lists(st.sampled_from(FOLDERS), min_size=1, max_size=2).map("/".join)
paths = st.builds("/".join, st.tuples(folders, st.sampled_from(NAMES))) | st.sampled_from(NAMES)
contents = st.tuples(st.sampled_from(MODES), st.sampled_from(OIDS))
trees: st.SearchStrategy[Tree] = st.dictionaries(paths, contents, max_size=14).map(
    lambda tree: {path: tree[path] for path in without_conflicts(list(tree))}
)

_names = st.sampled_from(NAMES)
_endings = st.sampled_from((".py", ".ts", ".b.py", "y", ""))
globs: st.SearchStrategy[Written] = st.one_of(
    paths.map(lambda path: Written(path, (path,))),
    folders.map(lambda folder: Written(folder, (folder,))),
    folders.map(lambda folder: Written(f"{folder}/", (folder,))),
    folders.map(lambda folder: Written(f"{folder}/**", (folder,))),
    folders.map(lambda folder: Written(f"./{folder}//**/*", (folder,))),
    st.tuples(folders, folders).map(lambda two: Written(f"{{{two[0]},{two[1]}}}/**", two)),
    st.tuples(folders, _endings).map(
        lambda two: Written("{}/**/*{}".format(*two), two[:1] if not two[1] else ())
    ),
    st.tuples(folders, _endings).map(lambda two: Written("{}/*{}".format(*two))),
    st.tuples(folders, _names).map(lambda two: Written("{}/**/{}".format(*two))),
    st.tuples(folders, _names).map(lambda two: Written("{}/*/{}".format(*two))),
    st.tuples(folders, folders).map(lambda two: Written("{}/**/{}/**".format(*two))),
    _names.map(lambda name: Written(f"**/{name}")),
    folders.map(lambda folder: Written(f"**/{folder}/**")),
    _endings.map(lambda ending: Written(f"**/*{ending}", () if ending else ("",))),
    _endings.map(lambda ending: Written(f"*{ending}")),
    st.sampled_from(
        (Written("**", ("",)), Written("*/"), Written("?/*"), Written("*/**/?"), Written("**/[ab]*"))
    ),
    st.just(Written("**/*.{py,ts}")),
)
scopes = st.builds(
    WrittenScope,
    st.lists(globs, min_size=1, max_size=3).map(tuple),
    st.one_of(st.just(()), st.lists(globs, min_size=1, max_size=2).map(tuple)),
)


def encoded(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def entries(tree: Tree) -> list[TreeEntry]:
    return [TreeEntry(path, mode, oid) for path, (mode, oid) in tree.items()]


def write(repo: Repo, tree: Tree) -> bytes:
    """Make the tree with git and return its listing, folders included."""
    lines = (b"%o %s 0\t%s\0" % (mode, oid.encode(), encoded(path)) for path, (mode, oid) in tree.items())
    repo.git("read-tree", "--empty")
    repo.git("update-index", "-z", "--index-info", stdin=b"".join(lines))
    made = repo.git("write-tree", "--missing-ok")
    return repo.git("ls-tree", "-r", "-t", "-z", "--full-tree", made).encode("utf-8", "surrogateescape")


def holds(spec: ScopeSpec, path: str, mode: int) -> bool:
    """Whether a scope holds a path, glob by glob."""

    def any_of(texts: Sequence[str]) -> bool:
        found = map(parse_glob, texts)
        if mode == MODE_GITLINK:
            return any(glob.matches_gitlink(encoded(path)) for glob in found)
        return any(glob.matches(encoded(path)) for glob in found)

    return any_of(spec.include) and not any_of(spec.exclude)


def digest(written: WrittenScope, tree: Tree, listing: bytes) -> tuple[str, int]:
    """Digest and count, from the specification in `gitmem.drift.scopes` and git's own tree ids."""
    ids = {}
    for row in listing.split(b"\0")[:-1]:
        head, _, path = row.partition(b"\t")
        ids[path] = head.split()[2], head.split()[1] == b"tree"
    matched = {encoded(path) for path, (mode, _) in tree.items() if holds(written.spec, path, mode)}
    whole = (
        {encoded(folder) for one in written.include for folder in one.folders}
        if not written.exclude
        else set()
    )
    if b"" in whole:
        records = {path + b"/" if ids[path][1] else path for path in ids if b"/" not in path}
    else:
        here = {folder for folder in whole if folder in ids and ids[folder][1]}
        outermost = {one for one in here if not any(one.startswith(other + b"/") for other in here)}
        single = {path for path in matched if not any(path.startswith(folder + b"/") for folder in outermost)}
        records = single | {folder + b"/" for folder in outermost}
    content = b"gitmem scope 1\0"
    for path in sorted(records):
        content += ids[path.removesuffix(b"/")][0] + b"\t" + path + b"\0"
    return hashlib.sha256(content).hexdigest()[:40], len(matched)
