"""Which paths a repository leaves out of itself."""

from __future__ import annotations

from pathlib import Path

from gitmem.git.ignoring import ignored_paths
from gitmem.git.opening import open_repository
from tests.support.repo import Repo


def ignored(repo: Repo, *paths: str) -> set[str]:
    with open_repository(repo.path) as opened:
        return set(ignored_paths(opened.layout, paths))


def test_what_git_ignores_and_does_not_track(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.write("build/kept.txt", "kept")
    repo.git("add", "build/kept.txt")
    repo.commit("Start", {".gitignore": "build/\n*.log\n!keep.log\n임시/\n", "docs/.gitignore": "out.html\n"})
    asked = (
        "build/x.txt",
        "build/kept.txt",
        "a.log",
        "keep.log",
        "docs/out.html",
        "out.html",
        "src/a.py",
        "임시/가.txt",
    )
    assert ignored(repo, *asked) == {"build/x.txt", "a.log", "docs/out.html", "임시/가.txt"}


def test_names_that_lead_elsewhere_are_none(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("Start", {".gitignore": "*\n"})
    odd = ("", "../a.log", "/etc/passwd", "--help", ":(top)a.log", "a/../../b.log", "a\0b.log")
    assert ignored(repo, *odd) == set()
    assert ignored(repo, *odd, "*.log", "a b.log", "a\nb.log", "-") == {"*.log", "a b.log", "a\nb.log"}


def test_the_users_own_exclude_file_does_not_count(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("Start", {"a.py": ""})
    repo.git("config", "core.excludesFile", str(repo.write("mine", "*.log\n")))
    assert ignored(repo, "a.log") == set()


def test_a_path_inside_a_submodule_is_not_asked(tmp_path: Path) -> None:
    repo, inner = Repo(tmp_path / "repo"), Repo(tmp_path / "inner")
    inner.commit("Start", {"a.py": ""})
    repo.commit("Start", {".gitignore": "*.log\n"})
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "lib")
    assert ignored(repo, "lib/a.log", "b.log") <= {"b.log"}


def test_a_bare_repository_ignores_nothing(tmp_path: Path) -> None:
    assert ignored(Repo(tmp_path / "bare", bare=True), "a.log") == set()
