"""`gitmem map` from the command line."""

from __future__ import annotations

import builtins
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import gitmem
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

CODE = {f"src/{folder}/{name}.py": "" for folder in ("cart", "pay") for name in "ab"}
FILE = ".ai/elements.yaml"


@pytest.fixture
def shop(repo: Repo) -> Repo:
    repo.commit("Start", {**CODE, path_of(): memory(scope="{paths: [src/cart/**]}")})
    return repo


def test_the_map_as_text_and_data(shop: Repo) -> None:
    done = gitmem("map", at=shop.path)
    assert (done.code, done.out.splitlines()[0]) == (
        0,
        "1 of 2 elements documented (elements drafted from the structure)",
    )
    assert "gitmem map --draft" in done.err
    document = gitmem("map", "--json", at=shop.path).document
    assert [(one["name"], one["memories"]) for one in document["elements"]] == [("cart", 1), ("pay", 0)]
    assert (document["source"], document["gaps"]) == ("draft", ["pay"])


def test_colours_and_bars_are_for_terminals(shop: Repo) -> None:
    assert "\x1b[" in gitmem("map", at=shop.path, terminal=True).out
    assert "\x1b[" not in gitmem("map", at=shop.path).out


def test_draft_writes_and_keeps_what_was_edited(shop: Repo) -> None:
    done = gitmem("map", "--draft", at=shop.path)
    assert (done.code, done.out) == (0, "")
    assert f"wrote {FILE} with 2 elements" in done.err
    assert gitmem("lint", at=shop.path).out == ""
    shop.write(FILE, shop.read(FILE).replace("cart", "basket", 1))
    kept = gitmem("map", "--draft", at=shop.path)
    assert "  cart:" in kept.out
    assert "edited and is kept" in kept.err
    assert "basket" in shop.read(FILE)
    document = gitmem("map", "--draft", "--json", at=shop.path).document
    assert (document["outcome"], [one["name"] for one in document["elements"]]) == ("kept", ["cart", "pay"])


def test_init_drafts_the_elements_when_there_is_code(shop: Repo) -> None:
    gitmem("init", at=shop.path)
    assert "  cart:\n" in shop.read(FILE)
    assert gitmem("map", "--draft", at=shop.path).err.startswith(f"{FILE} has these 2 elements already")


def test_a_broken_file_is_told_with_its_line_and_the_map_goes_on(shop: Repo) -> None:
    shop.write(FILE, "version: 1\nelements:\n  Cart: [src/cart/**]\n  Bad: [/x]\n")
    done = gitmem("map", at=shop.path)
    assert done.code == 0
    assert done.out.splitlines()[0] == "1 of 1 element documented"
    assert f"{FILE}:4:9: error" in done.err


def test_find_ranks_with_reasons(shop: Repo) -> None:
    done = gitmem("map", "--find", "gateway headers of pay", at=shop.path)
    assert done.out.splitlines() == [
        "pay   1.00  name: pay; paths: pay",
        "cart  0.48  memory “m-001” (gateway, headers)",
    ] or [line.split()[0] for line in done.out.splitlines()] == ["pay", "cart"]
    document = gitmem("map", "--find", "gateway", "--json", at=shop.path).document
    assert document["elements"][0]["reasons"][0] == {
        "field": "memories",
        "words": ["gateway"],
        "example": "m-001",
    }
    nothing = gitmem("map", "--find", "zzz", at=shop.path)
    assert (nothing.code, nothing.out) == (0, "")
    assert "none of 2 elements" in nothing.err
    assert gitmem("map", "--find", "", at=shop.path).code == 2


def test_html_is_written_whole_and_beside_nothing(shop: Repo) -> None:
    done = gitmem("map", "--html", "map.html", at=shop.path)
    assert (done.code, done.out) == (0, "")
    page = shop.path / "map.html"
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")
    assert stat.S_IMODE(page.stat().st_mode) == 0o666 & ~_umask()
    page.chmod(0o600)
    gitmem("map", "--html", "map.html", "--json", at=shop.path)
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert [one.name for one in shop.path.iterdir()] != []
    assert not [one for one in shop.path.iterdir() if one.name.startswith(".map")]


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_html_is_not_written_through_a_link_or_where_it_cannot_be(shop: Repo, tmp_path: Path) -> None:
    target = tmp_path / "other.txt"
    target.write_text("mine")
    (shop.path / "link.html").symlink_to(target)
    done = gitmem("map", "--html", "link.html", at=shop.path)
    assert (done.code, "symbolic link" in done.err, target.read_text()) == (3, True, "mine")
    assert gitmem("map", "--html", "src", at=shop.path).code == 3
    missing = gitmem("map", "--html", "no/such/folder.html", at=shop.path)
    assert (missing.code, "no/such/folder.html cannot be written" in missing.err) == (3, True)


@pytest.mark.parametrize(
    "place", [".git/config", ".git/new.html", ".git", "src/../.git/HEAD", ".GIT/new.html", "beside/new.html"]
)
def test_html_is_never_written_into_the_git_directory(shop: Repo, place: str) -> None:
    shop.git("worktree", "add", "-q", "tree")
    (shop.path / "beside").symlink_to(shop.path / ".git" / "worktrees" / "tree")
    (shop.path / ".GIT").mkdir(exist_ok=True)
    before = {one: one.read_bytes() for one in (shop.path / ".git").glob("*") if one.is_file()}
    for at in (shop.path, shop.path / "tree"):
        done = gitmem("map", "--html", str(shop.path / place), at=at)
        assert (done.code, "git directory" in done.err) == (3, True)
    assert {one: one.read_bytes() for one in before} == before
    assert not list((shop.path / ".git").rglob("*.html"))


@pytest.mark.parametrize(
    "words", ["", "# Ours\n", '`<meta name="generator" content="gitmem">`', "<!DOCTYPE html>"]
)
def test_html_takes_the_place_of_its_own_pages_alone(shop: Repo, words: str) -> None:
    shop.write("README.md", words)
    shop.git("add", "README.md")
    for _ in range(2):
        done = gitmem("map", "--html", "README.md", at=shop.path)
        assert (done.code, "is no page of gitmem's" in done.err, shop.read("README.md")) == (3, True, words)
        shop.commit("Say")
    for _ in range(2):
        assert gitmem("map", "--html", "map.html", at=shop.path).code == 0
        shop.commit("Keep the map")


def test_without_jinja_the_page_is_a_clear_error(shop: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    load = builtins.__import__

    def without(name: str, *rest: Any, **named: Any) -> Any:
        if name.partition(".")[0] == "jinja2":
            raise ImportError(name)
        return load(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    done = gitmem("map", "--html", "map.html", at=shop.path)
    assert done.code == 3
    assert "gitmem-ledger[full]" in done.err
    assert not (shop.path / "map.html").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("--find", "pay", "--html", "map.html"),
        ("--draft", "--find", "pay"),
        ("--draft", "--html", "map.html"),
        ("--html", "-"),
    ],
)
def test_what_cannot_be_answered_together_is_refused_and_nothing_is_written(
    repo: Repo, words: tuple[str, ...]
) -> None:
    repo.commit("Start", {"src/pay/a.py": "x = 1\n"})
    before = sorted(repo.path.rglob("*.html")) + sorted(repo.path.glob(".ai/*"))
    assert gitmem("map", *words, at=repo.path).code == 2
    assert sorted(repo.path.rglob("*.html")) + sorted(repo.path.glob(".ai/*")) == before
    assert not (repo.path / "-").exists()
