"""A written watch that names nothing: the same words from lint, from confirm and from drift."""

from __future__ import annotations

from tests.support.cli import gitmem
from tests.support.drifting import ABOUT_SEND, CODE, remembered
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

WATCH = "\n  - symbol: src/shop.py#send\n  - symbol: src/shop.py#sendd"
WORDS = "symbol src/shop.py#sendd: src/shop.py defines no sendd – did you mean send?"


def test_lint_warns_at_line_and_column(repo: Repo) -> None:
    remembered(repo, ABOUT_SEND, CODE, watch=WATCH)
    done = gitmem("lint", "--json", at=repo.path)
    (problem,) = done.document["problems"]
    assert done.code == 0
    assert (problem["file"], problem["line"], problem["column"]) == (path_of(), 9, 5)
    assert (problem["field"], problem["severity"], problem["message"]) == ("watch", "warning", WORDS)


def test_confirm_and_drift_say_the_same(repo: Repo) -> None:
    remembered(repo, ABOUT_SEND, CODE, watch=WATCH)
    out = gitmem("confirm", "m-001", at=repo.path).out
    assert f"not found: {WORDS}" in out
    assert f"corrected under watch: in {path_of()}, drift says unknown" in out
    repo.commit("Validate")
    for _ in range(2):
        (one,) = gitmem("drift", "--json", at=repo.path).document["memories"]
        assert (one["verdict"], one["status"]) == ("unknown", "active")
        assert f"could not be checked: {WORDS}" in one["notes"]


def test_what_came_later_asks_to_be_confirmed(repo: Repo) -> None:
    remembered(repo, ABOUT_SEND, CODE, watch="[{file: src/till.py}]")
    gitmem("confirm", "m-001", at=repo.path)
    repo.commit("Add it", {"src/till.py": "OPEN = True\n"})
    out = gitmem("drift", at=repo.path).out
    assert "src/till.py did not exist when it was validated; it is there now: confirm it again" in out


def test_the_work_tree_counts_and_retired_memories_do_not(repo: Repo) -> None:
    remembered(repo, ABOUT_SEND, CODE, watch="[{file: src/till.py}]")
    assert "src/till.py does not exist" in gitmem("lint", at=repo.path).out
    repo.write("src/till.py", "OPEN = True\n")
    assert gitmem("lint", at=repo.path).out == ""
    (repo.path / "src/till.py").unlink()
    repo.write(path_of(), memory(summary=ABOUT_SEND, status="deprecated", watch="[{file: src/till.py}]"))
    assert gitmem("lint", at=repo.path).out == ""
