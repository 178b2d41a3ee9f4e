"""The map of real repositories: approved memories alone, churn by committer date, and every way to have no elements."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from gitmem.errors import NotServedError, UsageError
from gitmem.git.opening import open_repository
from gitmem.usecases import map as maps
from gitmem.usecases.map import Mapped, find_in_map, load_map
from tests.support.memories import hosted, memory, path_of
from tests.support.repo import Repo

TODAY = date(2026, 7, 20)
CODE = {
    "src/cart/a.py": "a = 1\n",
    "src/cart/b.py": "b = 1\n",
    "src/pay/a.py": "a = 2\n",
    "src/pay/b.py": "b = 2\n",
}
ELEMENTS = "version: 1\nelements:\n  Cart: [src/cart/**]\n  Pay: [src/pay/**]\n"
FILE = ".ai/elements.yaml"


def load(repo: Repo) -> Mapped:
    return load_map(open_repository(repo.path), today=TODAY)


def cells(mapped: Mapped) -> dict[str, tuple[int, int]]:
    return {one.element.name: (len(one.memories), one.churn) for one in mapped.map.cells}


def at(day: str) -> dict[str, str]:
    return {"GIT_COMMITTER_DATE": f"{day}T10:00:00+09:00", "GIT_AUTHOR_DATE": "2001-01-01T00:00:00+09:00"}


def test_approved_memories_count_and_proposed_ones_wait(tmp_path: Path) -> None:
    approved = memory(scope="{paths: [src/cart/**]}")
    _, clone = hosted(tmp_path, {path_of(): approved, FILE: ELEMENTS, **CODE})
    clone.commit("Propose", {path_of("m-002"): memory("m-002", scope="{paths: [src/pay/**]}")})
    mapped = load(clone)
    assert mapped.map.headline == "1 of 2 elements documented"
    assert (mapped.proposed, mapped.source, mapped.problems) == (1, "file", ())
    assert [one.memory.id for one in mapped.map.cells[0].memories] == ["m-001"]


def test_a_memory_whose_code_moved_is_told_as_one_to_verify(repo: Repo) -> None:
    text = memory(
        summary='"`a` is one."',
        scope="{paths: [src/cart/a.py]}",
        last_validated_at="2026-07-13T10:00:00+09:00",
    )
    repo.commit("Start", {path_of(): text, FILE: ELEMENTS, **CODE})
    repo.commit("Change", {"src/cart/a.py": "def a():\n    return 7\n"})
    cell = load(repo).map.cells[0]
    assert (cell.challenged, cell.is_documented) == (1, True)
    assert cell.memories[0].warning


def test_freshness_counts_from_the_last_validation(repo: Repo) -> None:
    validation = "memory: m-001\nat: 2026-07-20T10:00:00+09:00\nby: ada\n"
    text = memory(scope="{paths: [src/cart/**]}", created_at="2020-01-01")
    files = {path_of(): text, FILE: ELEMENTS, **CODE}
    repo.commit("Start", files)
    assert load(repo).map.cells[0].freshness == 0.0
    repo.commit("Look", {".ai/validations/m-001/20260720-aaaaa.yaml": validation})
    assert load(repo).map.cells[0].freshness == 1


def test_churn_counts_commits_of_the_last_90_days_by_committer_date_and_no_merge(repo: Repo) -> None:
    repo.commit("First", {FILE: ELEMENTS, **CODE}, environment=at("2026-01-01"))
    repo.commit("Old", {"src/pay/a.py": "x\n"}, environment=at("2026-01-02"))
    repo.commit("New", {"src/pay/a.py": "y\n"}, environment=at("2026-06-01"))
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("Side", {"src/pay/b.py": "y\n"}, environment=at("2026-06-02"))
    repo.git("checkout", "-q", "main")
    repo.move("src/cart/b.py", "src/pay/c.py")
    repo.commit("Move", environment=at("2026-06-03"))
    repo.git("merge", "-q", "--no-ff", "-m", "Merge", "side", environment=at("2026-06-04"))
    mapped = load(repo)
    assert cells(mapped) == {"Cart": (0, 1), "Pay": (0, 3)}
    assert mapped.until == date(2026, 6, 4)
    assert [cell.element.name for cell in mapped.map.gaps] == ["Pay", "Cart"]


def test_churn_is_kept_by_commit_and_elements(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("First", {FILE: ELEMENTS, **CODE})
    repo.commit("More", {"src/pay/a.py": "y\n"})
    first = cells(load(repo))
    with monkeypatch.context() as patched:
        patched.setattr(maps, "count_commits", lambda *_: pytest.fail("counted again"))
        assert cells(load(repo)) == first == {"Cart": (0, 1), "Pay": (0, 2)}
    repo.write(FILE, ELEMENTS.replace("src/cart/**", "src/**"))
    assert cells(load(repo))["Cart"] == (0, 2)
    repo.commit("Again", {"src/pay/a.py": "z\n"})
    assert cells(load(repo))["Pay"] == (0, 3)


def test_the_first_commit_of_a_new_project_counts_and_so_does_each_other_one(repo: Repo) -> None:
    repo.commit("First", {FILE: ELEMENTS, **CODE})
    assert cells(load(repo)) == {"Cart": (0, 1), "Pay": (0, 1)}
    repo.commit("More", {"src/pay/a.py": "y\n"})
    assert cells(load(repo)) == {"Cart": (0, 1), "Pay": (0, 2)}


def test_a_shallow_clone_says_so_and_its_cut_commit_is_no_churn(repo: Repo, tmp_path: Path) -> None:
    repo.commit("First", {FILE: ELEMENTS, **CODE})
    repo.commit("More", {"src/pay/a.py": "y\n"})
    repo.commit("Last", {"src/cart/a.py": "y\n"})
    clone = Repo(tmp_path / "shallow", init=False)
    repo.git("clone", "-q", "--depth", "2", f"file://{repo.path}", str(clone.path))
    mapped = load(clone)
    assert (mapped.shallow, cells(mapped)) == (True, {"Cart": (0, 1), "Pay": (0, 0)})


def test_without_elements_the_drafted_ones_are_shown(repo: Repo) -> None:
    repo.commit("First", CODE)
    for text in (None, "version: 1\nelements: {}\n"):
        if text:
            repo.write(FILE, text)
        mapped = load(repo)
        assert (mapped.source, list(cells(mapped))) == ("draft", ["cart", "pay"])


def test_the_work_trees_file_counts_before_it_is_committed(repo: Repo) -> None:
    repo.commit("First", {FILE: ELEMENTS, **CODE})
    repo.write(FILE, ELEMENTS.replace("Cart", "Basket"))
    assert list(cells(load(repo))) == ["Basket", "Pay"]


def test_a_broken_element_is_told_with_its_line_and_the_others_are_shown(repo: Repo) -> None:
    repo.commit("First", {FILE: f"{ELEMENTS}  Bad:\n    level: galaxy\n    paths: [/abs]\n", **CODE})
    mapped = load(repo)
    assert list(cells(mapped)) == ["Cart", "Pay"]
    assert {(one.line, one.severity) for one in mapped.problems} == {(6, "error"), (7, "error")}


def test_a_file_that_is_no_yaml_is_told_and_the_draft_is_shown(repo: Repo) -> None:
    repo.commit("First", {FILE: "version: 1\nelements: [\n", **CODE})
    mapped = load(repo)
    assert (mapped.source, list(cells(mapped))) == ("draft", ["cart", "pay"])
    assert [(one.file, one.severity) for one in mapped.problems] == [(FILE, "error")]


def test_a_file_that_is_a_link_is_not_followed(repo: Repo, tmp_path: Path) -> None:
    repo.commit("First", {".ai/README.md": "x\n", **CODE})
    (tmp_path / "mine.yaml").write_text(ELEMENTS)
    (repo.path / FILE).symlink_to(tmp_path / "mine.yaml")
    assert load(repo).source == "draft"


def test_a_bare_repository_has_the_map_of_its_head(repo: Repo, tmp_path: Path) -> None:
    repo.commit("First", {FILE: ELEMENTS, path_of(): memory(scope="{elements: [Pay]}"), **CODE})
    bare = Repo(tmp_path / "bare.git", bare=True)
    repo.git("push", "-q", str(bare.path), "main")
    assert cells(load(bare)) == {"Cart": (0, 1), "Pay": (1, 1)}


def test_no_commit_and_no_code(repo: Repo) -> None:
    with pytest.raises(NotServedError, match="no commit yet"):
        load(repo)
    repo.commit("Words", {"README.md": "x\n"})
    assert load(repo).map.headline == "0 of 0 elements documented"


def test_history_that_cannot_be_read_leaves_the_map(repo: Repo) -> None:
    repo.commit("First", {FILE: ELEMENTS, **CODE})
    repo.commit("More", {"src/pay/a.py": "y\n"})
    old = repo.git("rev-parse", "HEAD~1^{tree}")
    (repo.path / ".git/objects" / old[:2] / old[2:]).unlink()
    mapped = load(repo)
    assert mapped.churn_problem
    assert cells(mapped) == {"Cart": (0, 0), "Pay": (0, 0)}


def test_elements_are_found_by_approved_memories(repo: Repo) -> None:
    text = memory(summary="Checkout sends an order once", scope="{elements: [Pay]}")
    repo.commit("First", {FILE: ELEMENTS, path_of(): text, **CODE})
    found = find_in_map(open_repository(repo.path), "checkout", today=TODAY)
    assert [one.element.name for one in found.matches] == ["Pay"]
    with pytest.raises(UsageError, match="no words"):
        find_in_map(open_repository(repo.path), " \n", today=TODAY)
