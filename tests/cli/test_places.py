"""What a command says of a clone that lacks something, of other files, and of paths from a subfolder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.cli import gitmem
from tests.support.drifting import CODE, validated
from tests.support.memories import hosted, memory, path_of
from tests.support.repo import Repo

BROKEN = "id: m-broken\nsummary: [a\n"


# history
def shallow_clone(tmp_path: Path, depth: int) -> Path:
    server, clone = hosted(tmp_path)
    clone.commit("Reword", {path_of(): memory(summary="Otherwise")})
    clone.commit("Code", {"src/a.py": "x = 2\n"})
    clone.git("push", "-q")
    target = tmp_path / f"depth-{depth}"
    clone.git("clone", "-q", "--depth", str(depth), f"file://{server.path}", str(target))
    return target


@pytest.mark.parametrize(("depth", "subjects"), [(1, []), (2, []), (4, ["Reword", "Start"])])
def test_the_commit_at_which_history_is_cut_is_not_told_as_a_change(
    depth: int, subjects: list[str], tmp_path: Path
) -> None:
    at = shallow_clone(tmp_path, depth)
    (one,) = gitmem("show", "m-001", "--history", "--json", at=at).document["memories"]
    assert [row["subject"] for row in one["history"]] == subjects
    assert one["history_cut"] is (depth < 4)
    text = gitmem("show", "m-001", "--history", at=at).out
    assert ("history is cut here" in text) is (depth < 4)


# bare clones
@pytest.mark.parametrize("kind", ["--bare", "--mirror"])
def test_a_bare_clone_is_told_what_would_make_it_trust_a_branch(kind: str, tmp_path: Path) -> None:
    server, _ = hosted(tmp_path)
    bare = Repo(tmp_path / "bare.git", init=False)
    server.git("clone", "-q", kind, ".", str(bare.path))
    done = gitmem("list", at=bare.path)
    assert done.out.startswith("proposed")
    assert "git fetch" not in done.err
    cure = "git config gitmem.trustedRef refs/heads/main"
    assert cure in done.err
    bare.git(*cure.split()[1:])
    assert gitmem("list", at=bare.path).out.startswith("active")


def test_a_clone_that_fetched_nothing_yet_is_told_to(repo: Repo) -> None:
    repo.git("remote", "add", "origin", "https://example.org/x.git")
    assert "git fetch origin" in gitmem("list", at=repo.path).err


# other memories' files
def test_asked_for_one_memory_drift_tells_its_own_problems_and_counts_the_rest(repo: Repo) -> None:
    double = ".ai/memory/z/m-001.yaml"
    repo.write(".ai/validations/m-001/20260701-aaaaa.yaml", "memory: m-001\n")
    repo.write(".ai/validations/m-002/20260701-aaaaa.yaml", "memory: m-002\n")
    repo.write(".ai/policies/memory-policy.yaml", "[\n")
    repo.write(double, memory())
    repo.commit("Start", {**CODE, path_of(): memory(), path_of("m-broken"): BROKEN})
    done = gitmem("drift", "m-001", "--json", at=repo.path)
    assert {one["file"] for one in done.document["problems"]} == {
        ".ai/validations/m-001/20260701-aaaaa.yaml",
        ".ai/policies/memory-policy.yaml",
        double,
    }
    assert "m-broken" not in done.err
    assert "m-002" not in done.err
    assert "2 other files below .ai/ cannot be read: gitmem lint" in done.err
    assert "m-broken" in gitmem("drift", at=repo.path).err


def test_a_broken_file_elsewhere_does_not_decide_about_the_memory_asked_for(repo: Repo) -> None:
    validated(repo)
    repo.commit("Break", {path_of("m-broken"): BROKEN})
    assert gitmem("drift", "m-001", "--exit-code", at=repo.path).code == 0
    assert gitmem("drift", "--exit-code", at=repo.path).code == 3


def test_drift_and_challenge_name_the_file_that_cannot_be_read(repo: Repo) -> None:
    repo.commit("Start", {**CODE, path_of("m-broken"): BROKEN})
    for arguments in (["drift", "m-broken"], ["challenge", "m-broken", "--reason", "?"]):
        done = gitmem(*arguments, "--json", at=repo.path)
        assert done.code == 3
        assert done.document["error"]["path"] == path_of("m-broken")
        assert done.document["error"]["line"]


def test_what_parsers_say_names_the_files(repo: Repo) -> None:
    code = {
        "src/b.py": "def tell(order):\n    return order\n",
        "src/a.py": "def send(order):\n    return 1\n",
    }
    repo.commit("Start", {path_of(): memory(summary="'`send` ships, `tell` tells'"), **code})
    gitmem("confirm", "m-001", at=repo.path)
    repo.commit("Break", {path: text.replace("):", ":") for path, text in code.items()})
    (remark,) = gitmem("drift", "--json", at=repo.path).document["remarks"]
    assert remark.endswith("this Python does not parse the file (src/a.py and 1 more)")
    assert "(src/a.py and 1 more)" in gitmem("drift", at=repo.path).out


# paths
def test_paths_count_from_the_folder_one_stands_in_else_from_the_top(tmp_path: Path) -> None:
    files = {
        path_of("m-sub"): memory("m-sub", scope="{paths: [sub/a.py]}"),
        path_of("m-top"): memory("m-top", scope="{paths: [a.py]}"),
        "a.py": "x = 1\n",
        "sub/a.py": "x = 1\n",
        "sub/.keep": "",
    }
    _, clone = hosted(tmp_path, files)
    sub = clone.path / "sub"

    def listed(path: str, at: Path) -> list[str]:
        document = gitmem("list", "--path", path, "--json", at=at).document
        return [one["id"] for one in document["memories"]]

    assert listed("a.py", sub) == listed("./a.py", sub) == listed("sub/a.py", sub) == ["m-sub"]
    assert listed("../a.py", sub) == listed("a.py", clone.path) == ["m-top"]
    assert listed(str(sub / "a.py"), clone.path) == listed("../sub/../sub/a.py", sub) == ["m-sub"]
    assert listed("gone.py", sub) == []
    for written in (path_of("m-sub"), "../" + path_of("m-sub")):
        assert gitmem("lint", written, "--json", at=sub).code == 0
    assert gitmem("lint", "m-sub.yaml", at=clone.path / ".ai/memory").code == 0
    for arguments in (["list", "--path", "../../x"], ["lint", "../../x"]):
        done = gitmem(*arguments, at=sub)
        assert (done.code, "not inside this work tree" in done.err) == (3, True)
