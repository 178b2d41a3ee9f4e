"""`map --draft` on real repositories: written once, renewed while nobody edits it, kept afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import NotServedError
from gitmem.git.opening import open_repository
from gitmem.store.elements import FILE, parse_elements
from gitmem.usecases.drafting import write_draft
from tests.support.repo import Repo

CODE = {f"src/{folder}/{name}.py": "" for folder in ("cart", "pay") for name in "ab"}


def drafted(repo: Repo) -> str:
    return write_draft(open_repository(repo.path)).outcome


def names(repo: Repo) -> list[str]:
    parsed = parse_elements(FILE, repo.read(FILE).encode()).elements
    return [one.name for one in parsed.elements] if parsed else []


def test_a_draft_is_renewed_until_somebody_edits_it(repo: Repo) -> None:
    repo.commit("Start", CODE)
    assert drafted(repo) == "made"
    assert names(repo) == ["cart", "pay"]
    assert drafted(repo) == "same"
    repo.commit("Grow", {"src/ship/a.py": "", "src/ship/b.py": ""})
    assert (drafted(repo), names(repo)) == ("renewed", ["cart", "pay", "ship"])
    repo.write(FILE, repo.read(FILE).replace("  cart:", "  Basket:"))
    repo.commit("Edit", {"src/mail/a.py": "", "src/mail/b.py": ""})
    assert (drafted(repo), names(repo)) == ("kept", ["Basket", "pay", "ship"])


def test_generated_files_and_owners_are_read_from_the_tree(repo: Repo) -> None:
    repo.commit(
        "Start",
        {
            **CODE,
            "src/made/a.py": "",
            "src/made/b.py": "",
            "src/.gitattributes": "made/** linguist-generated\n",
        },
    )
    drafted(repo)
    assert names(repo) == ["cart", "pay"]


def test_no_code_no_commit_and_no_work_tree_write_nothing(repo: Repo, tmp_path: Path) -> None:
    with pytest.raises(NotServedError, match="no commit yet"):
        drafted(repo)
    repo.commit("Words", {"README.md": "x\n"})
    assert drafted(repo) == "empty"
    repo.commit("Code", CODE)
    bare = Repo(tmp_path / "bare.git", bare=True)
    repo.git("push", "-q", str(bare.path), "main")
    assert drafted(bare) == "bare"
    assert not (repo.path / FILE).exists()


def test_nothing_is_written_through_a_link(repo: Repo, tmp_path: Path) -> None:
    repo.commit("Start", CODE)
    (tmp_path / "elsewhere").mkdir()
    (repo.path / ".ai").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotServedError, match="symbolic link"):
        drafted(repo)
    assert list((tmp_path / "elsewhere").iterdir()) == []
