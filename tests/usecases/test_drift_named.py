"""What lies outside a scope unless the scope names it, and scopes that hold nothing."""

from __future__ import annotations

import pytest

from gitmem.usecases.request import HEAD, Target
from tests.support.drifting import (
    ABOUT_SEND,
    CODE,
    PROSE,
    SHOP,
    STAGED,
    WORKTREE,
    checked,
    judged,
    validated,
    verdict,
)
from tests.support.memories import memory, path_of
from tests.support.repo import Repo


def library(repo: Repo) -> Repo:
    """A repository that the other has as a submodule at ``vendor/lib``."""
    lib = Repo(repo.path.parent / "lib")
    lib.commit("One", {"a.c": "int a;\n"})
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(lib.path), "vendor/lib")
    return lib


@pytest.mark.parametrize("scope", ["vendor/**", "vendor/", "vendor/lib"])
@pytest.mark.parametrize(
    "summary", ["'`vendor/lib` is pinned to what we tested'", "'`send` uses the library'"]
)
def test_a_vendored_submodule_that_the_scope_names(repo: Repo, scope: str, summary: str) -> None:
    repo.commit("Code", CODE)
    lib = library(repo)
    then = lib.git("rev-parse", "HEAD")
    validated(repo, summary, scope=f"{{paths: ['{scope}']}}")
    assert verdict(repo.path) == ("fresh", "active")
    lib.commit("Two", {"a.c": "int b;\n"})
    bumped = Repo(repo.path / "vendor/lib", init=False)
    bumped.git("-c", "protocol.file.allow=always", "pull", "-q")
    for target in (WORKTREE, STAGED, HEAD):
        if target is STAGED:
            repo.git("add", "vendor/lib")
        if target is HEAD:
            repo.commit("Bump")
        now = bumped.git("rev-parse", "HEAD")
        assert _told(repo, target) == [f"vendor/lib: submodule {then[:7]} → {now[:7]}"]


def _told(repo: Repo, target: Target) -> list[str]:
    found = judged(repo.path, target)
    assert str(found.verdict) in {"touched", "changed"}
    return [one.reason for one in found.findings if one.watch is None]


@pytest.mark.parametrize(
    ("scope", "path"),
    [
        ("web/node_modules/**", "web/node_modules/a.js"),
        ("**/uv.lock", "api/uv.lock"),
        ("src/__snapshots__/*", "src/__snapshots__/a.txt"),
        ("src/made/**", "src/made/a.txt"),
    ],
)
def test_a_narrow_scope_of_what_a_tool_writes_is_watched_by_its_files(
    repo: Repo, scope: str, path: str
) -> None:
    files = {**CODE, ".gitattributes": "src/made/** linguist-generated\n", path: "a\nb\n"}
    validated(repo, PROSE, files, scope=f"{{paths: ['{scope}']}}")
    assert verdict(repo.path) == ("fresh", "active")
    repo.commit("Tool", {path: "c\nd\ne\n"})
    assert judged(repo.path).status == "challenged"


# a scope that holds nothing
NOWHERE = "{paths: [nowhere/**]}"


def test_a_scope_that_matches_nothing_is_not_fresh_for_its_watches(repo: Repo) -> None:
    watch = "[{symbol: 'src/shop.py#send'}]"
    validated(repo, watch=watch)
    repo.commit("Narrow", {path_of(): memory(summary=ABOUT_SEND, scope=NOWHERE, watch=watch)})
    for target in (HEAD, STAGED, WORKTREE):
        found = judged(repo.path, target)
        assert (str(found.verdict), found.status, found.matched) == ("unknown", "active", 0)
        assert "could not be checked: its scope matches nothing" in found.notes
    repo.commit("Comment", {"src/shop.py": "# said\n" + SHOP})
    assert judged(repo.path).verdict == "unknown"
    repo.commit("Tell", {"src/shop.py": SHOP.replace("    log(order)\n", "    tell(order)\n")})
    assert verdict(repo.path) == ("changed", "challenged")


def test_nor_is_one_that_was_edited_to_match_nothing(repo: Repo) -> None:
    validated(repo)
    repo.commit("Narrow", {path_of(): memory(summary=ABOUT_SEND, scope=NOWHERE)})
    assert verdict(repo.path) == ("unknown", "active")


def test_a_scope_whose_files_all_moved_stays_relocated(repo: Repo) -> None:
    validated(repo, scope="{paths: [src/**]}")
    repo.move("src", "lib")
    repo.commit("Move")
    assert (str(judged(repo.path).verdict), judged(repo.path).matched) == ("relocated", 0)


def test_a_memory_of_elements_without_paths_is_not_fresh(repo: Repo) -> None:
    watch = "[{symbol: 'src/shop.py#send'}]"
    validated(repo, watch=watch)
    repo.commit("Widen", {path_of(): memory(summary=ABOUT_SEND, scope="{elements: [Shop]}", watch=watch)})
    assert verdict(repo.path) == ("unknown", "active")


def test_a_scope_of_the_whole_repository_does_not_hold_the_memories_themselves(repo: Repo) -> None:
    validated(repo, PROSE, scope="{paths: ['**']}")
    assert verdict(repo.path) == ("fresh", "active")
    repo.commit("another memory", {path_of("m-002"): memory("m-002"), ".ai/README.md": "other\n"})
    assert {one.id: str(one.verdict) for one in checked(repo.path).judgements}["m-001"] == "fresh"


def test_a_written_watch_that_names_nothing_is_unknown_and_never_fresh(repo: Repo) -> None:
    validated(repo, "Shipping is logged", watch="[{symbol: 'src/shop.py#sendd'}]")
    found = judged(repo.path)
    assert (str(found.verdict), found.status) == ("unknown", "active")
    assert "src/shop.py#sendd" in found.notes[0]


def test_a_written_path_is_not_challenged_by_edits_inside_it(repo: Repo) -> None:
    validated(repo, "The shop lives here", watch="[{path: src/}]")
    repo.commit("edit", {"src/shop.py": SHOP.replace("ship(order)", "post(order)")})
    assert verdict(repo.path) == ("touched", "active")
