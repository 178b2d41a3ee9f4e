from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.drift.listing import list_entries, parse_ls_tree, tree_ids
from gitmem.drift.scopes import ScopeIndex, ScopeMatcher, ScopeSpec, scope_digest
from gitmem.model.change import MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, MODE_TREE, TreeEntry
from tests.drift.trees import Tree, WrittenScope, digest, encoded, entries, holds, scopes, trees, write
from tests.support.repo import Repo

ONE, TWO = "1" * 40, "2" * 40
some_scopes = st.lists(scopes, min_size=1, max_size=6)


def flat(files: Mapping[str, str], mode: int = MODE_FILE) -> list[TreeEntry]:
    return [TreeEntry(path, mode, oid) for path, oid in files.items()]


def of(
    include: str | tuple[str, ...], files: Mapping[str, str], exclude: tuple[str, ...] = ()
) -> tuple[str, int]:
    spec = ScopeSpec((include,) if isinstance(include, str) else include, exclude)
    return scope_digest(spec, list_entries(flat(files)))


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return Repo(tmp_path_factory.mktemp("trees") / "repo")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(trees, some_scopes)
def test_the_digest_of_a_flat_listing_is_that_of_the_specification(
    sealed: Repo, tree: Tree, written: list[WrittenScope]
) -> None:
    listing = write(sealed, tree)
    matcher = ScopeMatcher(list_entries(entries(tree)))
    assert [matcher.match(one.spec) for one in written] == [digest(one, tree, listing) for one in written]


@settings(max_examples=40, deadline=None)
@given(trees)
def test_tree_ids_are_those_that_git_writes(sealed: Repo, tree: Tree) -> None:
    assert dict(list_entries(entries(tree)).trees) == dict(parse_ls_tree(write(sealed, tree)).trees)


@settings(max_examples=100, deadline=None)
@given(trees, some_scopes)
def test_a_path_finds_the_scopes_that_hold_it(tree: Tree, written: list[WrittenScope]) -> None:
    specs = [one.spec for one in written]
    index = ScopeIndex(specs)
    for path, (mode, _) in tree.items():
        expected = {number for number, spec in enumerate(specs) if holds(spec, path, mode)}
        assert index.matching(encoded(path), gitlink=mode == MODE_GITLINK) == expected


@settings(max_examples=100, deadline=None)
@given(trees, some_scopes)
def test_a_scope_finds_the_paths_that_it_holds(tree: Tree, written: list[WrittenScope]) -> None:
    matcher = ScopeMatcher(list_entries(entries(tree)))
    for one in written:
        expected = sorted(encoded(path) for path, (mode, _) in tree.items() if holds(one.spec, path, mode))
        assert matcher.paths(one.spec) == expected


_parts = st.sampled_from(
    ["a", "b", "a.py", ".py", ".a", "a.b.py", "*", "**", "*.py", "*.b.py", "*.", "*.*", "a*", "*a*.py", "", ".", "..", "c:", "***"]
)  # fmt: skip
_plain_globs = st.lists(_parts, min_size=1, max_size=4).map("/".join) | st.sampled_from(
    ["a/" * 999 + "*.py", "a\0/*.py", "c:/*.py", "\n/*.py", " /*.py", "a/*\udcff", "a/*\ud800", "\ud800"]
)


@settings(max_examples=150, deadline=None)
@given(trees, st.lists(_plain_globs, min_size=1, max_size=8))
def test_a_glob_that_need_not_be_parsed_holds_the_same_when_it_is(tree: Tree, globs: list[str]) -> None:
    """What cannot be parsed is refused both ways, where it is no path that is there."""
    tree = {**tree, "a/a.py": (MODE_FILE, ONE), "b/.py": (MODE_FILE, ONE), "a/b/a.b.py": (MODE_FILE, TWO)}
    tree = {path: one for path, one in tree.items() if not any(path.startswith(f"{up}/") for up in tree)}
    matcher = ScopeMatcher(list_entries(entries(tree)))
    for spec in (ScopeSpec((glob,)) for glob in globs):
        try:
            expected = matcher._match_parsed(spec)
        except ValueError:
            with pytest.raises(ValueError, match="glob"):
                matcher.match(spec)
        else:
            assert matcher.match(spec) == expected, spec


def test_the_digest_is_a_stored_format() -> None:
    files = {"src/a.py": ONE, "src/b/c.py": TWO, "x.md": ONE}
    assert of("src/a.py", files) == ("4b4784e967bdf6f1770ad5eee00c826dadfd3836", 1)
    assert of("src/**", files) == ("c325d75073894a6ec736b2230278232486ee5628", 2)
    assert of("src/**/*.py", files) == ("9b3885be0c49a8145d04da51f9c89992801aad81", 2)
    assert of("**", files) == ("0e3088554645b47af30ee44df936e5d7faaf9f3d", 3)
    assert of("nothing/**", files) == ("a573f55d8f9800149c6b11f4efd9828b64df977c", 0)


def test_a_sha256_repository_has_digests_too(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo", object_format="sha256")
    repo.commit("Start", {"src/a/b.py": "1\n", "src/c.py": "2\n", "d": "3\n"})
    listing = parse_ls_tree(repo.git("ls-tree", "-r", "-t", "-z", "--full-tree", "HEAD").encode())
    rows = [row.split("\t") for row in repo.git("ls-files", "-s", "-z").split("\0") if row]
    flat_listing = list_entries(TreeEntry(path, MODE_FILE, head.split()[1]) for head, path in rows)
    assert scope_digest(ScopeSpec(("src",)), flat_listing) == scope_digest(ScopeSpec(("src",)), listing)
    assert flat_listing.trees == listing.trees


@pytest.mark.parametrize("glob", ["src", "src/", "src/**", "src/**/*", "./src//"])
def test_a_whole_folder_has_one_digest_however_it_is_written(glob: str) -> None:
    files = {"src/a": ONE, "src/b/c": TWO, "srcs/d": ONE}
    assert of(glob, files) == of("src", files)


def test_a_folder_inside_another_adds_nothing() -> None:
    files = {"src/a": ONE, "src/b/c": TWO, "src-b/c": ONE}
    assert of(("src/**", "src/b/**", "src/a"), files) == of("src", files)
    assert of(("src/b", "src-b", "src"), files) == of(("src", "src-b"), files)


def test_the_order_of_globs_does_not_matter() -> None:
    files = {"src/a": ONE, "doc/b": TWO, "x.md": ONE}
    assert of(("src", "*.md", "doc/*"), files) == of(("doc/*", "src", "*.md"), files)


@pytest.mark.parametrize("exclude", ["src/gen/**", "src/gen", "**/gen/**", "src/gen/", "**/*.out"])
def test_a_change_to_what_is_excluded_changes_nothing(exclude: str) -> None:
    before = of("src/**", {"src/a": ONE, "src/gen/b.out": ONE}, (exclude,))
    assert of("src/**", {"src/a": ONE, "src/gen/b.out": TWO}, (exclude,)) == before
    assert of("src/**", {"src/a": ONE}, (exclude,)) == before
    assert of("src/**", {"src/a": TWO, "src/gen/b.out": ONE}, (exclude,)) != before


@pytest.mark.parametrize("glob", ["lib", "lib/", "lib/**", "*", "**"])
def test_a_submodule_that_moved_changes_the_scope(glob: str) -> None:
    listings = [list_entries(flat({"lib": oid}, MODE_GITLINK)) for oid in (ONE, TWO)]
    (before, matched), (after, _) = (scope_digest(ScopeSpec((glob,)), listing) for listing in listings)
    assert matched == 1
    assert before != after


def test_a_mode_alone_changes_a_whole_folder_and_not_a_file() -> None:
    plain, executable = (
        list_entries([TreeEntry("src/a", mode, ONE)]) for mode in (MODE_FILE, MODE_EXECUTABLE)
    )
    assert scope_digest(ScopeSpec(("src/a",)), plain) == scope_digest(ScopeSpec(("src/a",)), executable)
    assert scope_digest(ScopeSpec(("src",)), plain) != scope_digest(ScopeSpec(("src",)), executable)


def test_a_file_that_became_a_folder_is_another_thing() -> None:
    assert of("a", {"a": ONE}) != of("a", {"a/b": ONE})


def test_folders_among_the_entries_are_passed_over() -> None:
    listed = [TreeEntry("src", MODE_TREE, TWO), TreeEntry("src/a", MODE_FILE, ONE)]
    assert list_entries(listed).paths == [b"src/a"]


def test_no_paths_have_no_trees() -> None:
    assert tree_ids([], [], []) == {}


def test_a_glob_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ValueError, match="not closed"):
        ScopeIndex([ScopeSpec(("src/[a",))])
    for exclude in ((), ("src/[a",)):
        include = ("**",) if exclude else ("src/[a",)
        with pytest.raises(ValueError, match="not closed"):
            scope_digest(ScopeSpec(include, exclude), list_entries([]))
    with pytest.raises(ValueError, match="half a character"):
        scope_digest(ScopeSpec(("a\ud800",)), list_entries([]))
