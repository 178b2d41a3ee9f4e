from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.drift.first_pass import affected, first_pass
from gitmem.drift.listing import list_entries, parse_ls_tree
from gitmem.drift.scopes import ScopeIndex, ScopeMatcher, ScopeSpec
from gitmem.model.change import MODE_GITLINK, Change
from tests.drift.trees import Tree, WrittenScope, digest, entries, scopes, trees, without_conflicts, write
from tests.support.repo import Repo


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    return Repo(tmp_path_factory.mktemp("trees") / "repo")


@settings(max_examples=50, deadline=None)
@given(trees, st.lists(scopes, min_size=1, max_size=8))
def test_the_pass_over_a_commit_gives_the_digests_of_the_specification(
    sealed: Repo, tree: Tree, written: list[WrittenScope]
) -> None:
    listing = write(sealed, tree)
    assert first_pass(listing, [one.spec for one in written]) == [
        digest(one, tree, listing) for one in written
    ]


def differences(old: Tree, new: Tree) -> list[Change]:
    """What differs, a deletion and an addition for what moved."""
    found = []
    for path in sorted({*old, *new}):
        (old_mode, old_oid), (new_mode, new_oid) = old.get(path, (0, "")), new.get(path, (0, ""))
        if (old_mode, old_oid) != (new_mode, new_oid):
            before, after = (path if path in old else None), (path if path in new else None)
            found.append(
                Change("modified", before, after, old_mode, new_mode, old_oid or None, new_oid or None)
            )
    return found


@settings(max_examples=150, deadline=None)
@given(trees, trees, st.lists(scopes, min_size=1, max_size=8), st.data())
def test_a_scope_whose_digest_changed_is_among_those_affected(
    old: Tree, other: Tree, written: list[WrittenScope], data: st.DataObject
) -> None:
    kept = data.draw(st.sets(st.sampled_from(sorted(old)))) if old else set()
    both = {path: old[path] for path in kept} | dict(other)
    new = {path: both[path] for path in without_conflicts(list(both))}
    specs = [one.spec for one in written]
    before, after = (ScopeMatcher(list_entries(entries(tree))) for tree in (old, new))
    changed = {number for number, spec in enumerate(specs) if before.match(spec) != after.match(spec)}
    assert changed <= affected(differences(old, new), ScopeIndex(specs))


def test_scopes_that_a_change_does_not_touch_are_not_affected() -> None:
    index = ScopeIndex(
        [ScopeSpec((glob,)) for glob in ("src/**", "doc/**", "**/a.py", "*.py", "src/a.py", "src/b.py")]
    )
    changed = Change("modified", "src/a.py", "src/a.py", 0o100644, 0o100644, "1" * 40, "2" * 40)
    assert affected([changed], index) == {0, 2, 4}


def test_a_rename_affects_scopes_of_both_places() -> None:
    index = ScopeIndex([ScopeSpec(("old/**",)), ScopeSpec(("new/**",)), ScopeSpec(("other/**",))])
    moved = Change("renamed", "old/a", "new/a", 0o100644, 0o100644, "1" * 40, "1" * 40, 100)
    assert affected([moved], index) == {0, 1}


def test_a_submodule_affects_scopes_that_name_it_as_a_folder() -> None:
    index = ScopeIndex([ScopeSpec(("lib/**",)), ScopeSpec(("lib/",), ("lib",)), ScopeSpec(("lib/x.c",))])
    moved = Change("modified", "lib", "lib", MODE_GITLINK, MODE_GITLINK, "1" * 40, "2" * 40)
    assert affected([moved], index) == {0}


def test_an_empty_tree_holds_nothing() -> None:
    (match,) = first_pass(b"", [ScopeSpec(("**",))])
    assert match.matched == 0


def test_a_tree_out_of_order_is_sorted_first() -> None:
    rows = [b"100644 blob %s\t%s\0" % (b"1" * 40, path) for path in (b"b", b"a", b"c")]
    assert parse_ls_tree(b"".join(rows)).paths == [b"a", b"b", b"c"]


@pytest.mark.parametrize(
    "raw", [b"x", b"100644 blob 12\ta\0", b"not a listing of a tree at all\0", b"\0\0x\0"]
)
def test_another_output_is_refused(raw: bytes) -> None:
    with pytest.raises(ValueError, match="not the output of git ls-tree"):
        first_pass(raw, [ScopeSpec(("**",))])
