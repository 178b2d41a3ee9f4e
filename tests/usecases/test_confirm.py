from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.errors import NotFoundError, NotServedError
from gitmem.git.opening import open_repository
from gitmem.store.validations import parse_validation
from gitmem.usecases.confirm import Asking
from gitmem.usecases.contents import Contents
from gitmem.usecases.states import State
from gitmem.usecases.uncommitted import uncommitted_patch
from tests.support.drifting import (
    ABOUT_SEND,
    CODE,
    PROSE,
    SEND,
    SHOP,
    WORKTREE,
    confirmed,
    judged,
    remembered,
    validated,
    verdict,
)
from tests.support.memories import hosted, memory, path_of
from tests.support.other_user import as_other_user
from tests.support.repo import Repo, sealed_environment

CHANGED = SHOP.replace("    log(order)\n", "    tell(order)\n")
LATER = "2026-07-15T10:00:00+09:00"


def validations(repo: Repo, name: str = "m-001") -> list[Path]:
    folder = repo.path / ".ai/validations" / name
    return sorted(folder.iterdir()) if folder.is_dir() else []


# what nobody validated
def test_what_nobody_validated_and_the_code_contradicts_is_shown_first(repo: Repo) -> None:
    remembered(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    assert judged(repo.path).warning.startswith("VERIFY — the code under this changed since it was written: ")
    asked = confirmed(repo.path)
    (one,) = asked.asks
    assert (asked.confirmed, validations(repo)) == ((), [])
    assert "+    tell(order)" in one.patch
    (done,) = confirmed(repo.path, seen=one.token).confirmed
    assert done.id == "m-001"


# at once
def test_capture_writes_at_once_what_the_memory_rests_on(repo: Repo) -> None:
    baseline = remembered(repo, "'`send` ships with `DHL_KEY` in `src/nowhere.py`'")
    result = confirmed(repo.path)
    (one,) = result.confirmed
    assert not result.asks
    assert [str(mark.watch) for mark in one.captured.marks] == ["symbol src/shop.py#send"]
    assert {found.token for found in one.captured.unresolved} >= {"src/nowhere.py"}
    (file,) = validations(repo)
    assert one.file == file.relative_to(repo.path).as_posix()
    parsed = parse_validation(one.file, file.read_bytes())
    assert parsed.problems == ()
    validation = parsed.validation
    assert validation is not None
    assert (validation.memory, validation.by, validation.how) == ("m-001", "Ada", "looked")
    held = validation.baseline
    assert held is not None
    assert (held.commit, held.tree) == (baseline, repo.git("rev-parse", "HEAD^{tree}"))
    assert held.marks == one.captured.marks
    assert held.scope


@pytest.mark.parametrize(
    ("files", "before"),
    [
        ({}, "fresh"),
        ({"src/shop.py": SHOP.replace("    log(order)", "    # told\n    log(order)")}, "cosmetic"),
        ({"src/bank.py": "LIMIT = 5\n"}, "touched"),
        ({"src/shop.py": SHOP.replace("def send", "def post")}, "relocated"),
    ],
)
def test_what_is_not_challenged_is_confirmed_at_once(repo: Repo, files: dict[str, str], before: str) -> None:
    validated(repo)
    repo.commit("Change", files)
    (one,) = confirmed(repo.path, at=LATER).confirmed
    assert str(one.judgement.verdict) == before
    repo.commit("Validate")
    assert len(validations(repo)) == 2
    assert verdict(repo.path) == ("fresh", "active")


def test_several_at_once_and_one_that_asks(repo: Repo) -> None:
    repo.write(path_of("m-002"), memory("m-002", "'`log` prints'"))
    validated(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    result = confirmed(repo.path, "m-001", "m-002", at=LATER)
    assert [one.id for one in result.confirmed] == ["m-002"]
    assert [one.judgement.id for one in result.asks] == ["m-001"]


def test_an_id_given_twice_is_confirmed_once(repo: Repo) -> None:
    remembered(repo)
    assert len(confirmed(repo.path, "m-001", "m-001").confirmed) == 1


def test_the_ninety_day_line(repo: Repo) -> None:
    repo.commit("Old", {"src/shop.py": SHOP}, environment={"GIT_COMMITTER_DATE": "2026-01-01T10:00:00+09:00"})
    repo.commit(
        "Out of it", {"src/shop.py": CHANGED}, environment={"GIT_COMMITTER_DATE": "2026-02-01T10:00:00+09:00"}
    )
    repo.commit("One", {"src/shop.py": SHOP}, environment={"GIT_COMMITTER_DATE": "2026-06-01T10:00:00+09:00"})
    repo.commit(
        "Two",
        {"src/shop.py": "# said\n" + SHOP},
        environment={"GIT_COMMITTER_DATE": "2026-06-02T10:00:00+09:00"},
    )
    repo.commit(
        "Three", {"src/shop.py": CHANGED}, environment={"GIT_COMMITTER_DATE": "2026-06-03T10:00:00+09:00"}
    )
    remembered(repo, files={})
    assert confirmed(repo.path).confirmed[0].challenges == 2


# asking
def asked(repo: Repo) -> Asking:
    (asking,) = confirmed(repo.path, at=LATER).asks
    return asking


@pytest.mark.parametrize(
    "files", [{"src/shop.py": CHANGED}, {"src/shop.py": SHOP.replace(SEND, "")}], ids=["changed", "gone"]
)
def test_a_challenged_memory_asks_and_shows_both_sides(repo: Repo, files: dict[str, str]) -> None:
    validated(repo)
    repo.commit("Change", files)
    asking = asked(repo)
    assert asking.judgement.status == "challenged"
    assert "-    log(order)" in asking.patch
    assert len(asking.token) >= 8
    assert len(validations(repo)) == 1
    assert asked(repo).token == asking.token


def test_the_token_of_this_evidence_confirms(repo: Repo) -> None:
    validated(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    result = confirmed(repo.path, at=LATER, seen=asked(repo).token)
    assert (len(result.confirmed), len(result.asks)) == (1, 0)
    repo.commit("Validate")
    assert verdict(repo.path) == ("fresh", "active")


@pytest.mark.parametrize(
    "files",
    [
        {"src/shop.py": CHANGED.replace("ship(order)", "ship_to(order)")},
        {path_of(): memory(summary="'`send` ships first'")},
    ],
    ids=["code", "words"],
)
def test_a_token_of_older_evidence_is_refused(repo: Repo, files: dict[str, str]) -> None:
    validated(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    token = asked(repo).token
    repo.commit("More", files)
    result = confirmed(repo.path, at=LATER, seen=token)
    (asking,) = result.asks
    assert not result.confirmed
    assert asking.stale_token
    assert asking.token != token
    assert len(validations(repo)) == 1


def test_a_token_of_another_memory_is_refused(repo: Repo) -> None:
    repo.write(path_of("m-002"), memory("m-002", ABOUT_SEND))
    validated(repo)
    confirmed(repo.path, "m-002")
    repo.commit("Tell", {"src/shop.py": CHANGED})
    token = asked(repo).token
    assert confirmed(repo.path, "m-002", at=LATER, seen=token).asks


def test_a_person_answers(repo: Repo) -> None:
    validated(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    shown: list[Asking] = []

    def no(asking: Asking) -> bool:
        shown.append(asking)
        return False

    assert confirmed(repo.path, at=LATER, ask=no).asks
    assert len(shown) == 1
    assert confirmed(repo.path, at=LATER, ask=lambda _: True).confirmed


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"review_after": "2026-07-10"}, "review"),
        ({"expires_at": "2026-07-10"}, "expiry"),
        ({"status": "challenged", "challenged_at": "2026-07-10", "challenged_because": "wrong"}, "mark"),
    ],
)
def test_what_is_challenged_for_another_reason_asks_too(
    repo: Repo, fields: dict[str, str], reason: str
) -> None:
    remembered(repo, ABOUT_SEND, CODE, **fields)
    asking = asked(repo)
    assert asking.judgement.challenged_by == (reason,)
    confirmed(repo.path, at=LATER, seen=asking.token)
    repo.commit("Validate")
    assert judged(repo.path).status == ("challenged" if reason == "expiry" else "active")


def test_other_words_ask_once_they_were_validated(repo: Repo) -> None:
    validated(repo)
    repo.commit("Reword", {path_of(): memory(summary="'`send` ships first'")})
    assert str(asked(repo).judgement.verdict) == "unknown"


def test_a_memory_on_a_branch_can_be_confirmed(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, dict(CODE))
    clone.git("checkout", "-q", "-b", "mine")
    clone.commit("Mine", {path_of(): memory(summary=ABOUT_SEND)})
    assert confirmed(clone.path).confirmed
    clone.commit("Validate")
    assert verdict(clone.path) == ("fresh", "proposed")


def test_of_an_approved_memory_and_its_edit_the_one_that_is_here_is_confirmed(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {**CODE, path_of(): memory(summary=ABOUT_SEND)})
    clone.git("checkout", "-q", "-b", "reword")
    clone.commit("Reword", {path_of(): memory(summary="'`send` ships first'")})
    assert len(confirmed(clone.path).confirmed) == 1
    assert len(validations(clone)) == 1
    clone.commit("Validate")
    clone.git("push", "-q", "origin", "reword:main")
    assert verdict(clone.path) == ("fresh", "active")


# the work tree
@pytest.mark.parametrize("path", ["src/shop.py", "src/new.py", path_of()])
def test_dirty_paths_are_refused_and_listed(repo: Repo, path: str) -> None:
    validated(repo)
    repo.write(path, CHANGED if path != path_of() else memory(summary=ABOUT_SEND, review_after="2027-01-01"))
    with pytest.raises(NotServedError) as caught:
        confirmed(repo.path, at=LATER)
    assert caught.value.exit_code == 3
    assert path in caught.value.message
    assert "--worktree" in caught.value.hint
    assert len(validations(repo)) == 1


@pytest.mark.parametrize("change", ["delete", "stage"])
def test_deleted_and_staged_paths_are_dirty_too(repo: Repo, change: str) -> None:
    validated(repo)
    if change == "delete":
        (repo.path / "src/shop.py").unlink()
    else:
        repo.write("src/shop.py", CHANGED)
        repo.git("add", "-A")
    with pytest.raises(NotServedError, match=r"src/shop\.py"):
        confirmed(repo.path, at=LATER)


def test_a_dirty_path_elsewhere_is_no_obstacle(repo: Repo) -> None:
    validated(repo)
    repo.write("README.md", "# Bank\n")
    repo.write("notes.txt", "x\n")
    assert confirmed(repo.path, at=LATER).confirmed


def test_code_memory_and_validation_in_one_commit(repo: Repo) -> None:
    repo.commit("Start", {"README.md": "# Shop\n"})
    for path, text in {**CODE, path_of(): memory(summary=ABOUT_SEND)}.items():
        repo.write(path, text)
    (one,) = confirmed(repo.path, worktree=True).confirmed
    validation = parse_validation(one.file, validations(repo)[0].read_bytes()).validation
    assert validation is not None
    assert validation.baseline is not None
    assert (validation.baseline.commit, validation.baseline.tree) == (None, None)
    assert [str(mark.watch) for mark in validation.baseline.marks] == ["symbol src/shop.py#send"]
    assert verdict(repo.path, WORKTREE) == ("fresh", "proposed")
    repo.commit("All together")
    assert verdict(repo.path) == ("fresh", "active")
    repo.commit("Tell", {"src/shop.py": CHANGED})
    assert verdict(repo.path) == ("changed", "challenged")


def test_the_daily_case_of_a_change_and_its_confirmation(repo: Repo) -> None:
    validated(repo)
    repo.write("src/shop.py", CHANGED)
    (asking,) = confirmed(repo.path, at=LATER, worktree=True).asks
    assert "tell(order)" in asking.patch
    assert confirmed(repo.path, at=LATER, worktree=True, seen=asking.token).confirmed
    repo.commit("Tell, and it still holds")
    assert verdict(repo.path) == ("fresh", "active")


def test_an_edit_after_a_work_tree_validation_counts(repo: Repo) -> None:
    remembered(repo)
    confirmed(repo.path, worktree=True)
    repo.write("src/shop.py", CHANGED)
    assert verdict(repo.path, WORKTREE) == ("changed", "challenged")


def test_line_ends_are_taken_as_git_would_store_them(repo: Repo) -> None:
    remembered(repo, files={**CODE, ".gitattributes": "* text=auto\n"})
    repo.write("src/shop.py", SHOP.replace("\n", "\r\n"))
    confirmed(repo.path, worktree=True)
    repo.commit("Validate")
    assert verdict(repo.path) == ("fresh", "active")


# where a repository stands
def test_a_bare_repository_has_nowhere_to_write(tmp_path: Path) -> None:
    server, _ = hosted(tmp_path, {**CODE, path_of(): memory(summary=ABOUT_SEND)})
    with pytest.raises(NotServedError) as caught:
        confirmed(server.path)
    assert caught.value.exit_code == 3
    assert "bare" in caught.value.message


def test_an_unborn_repository(repo: Repo) -> None:
    for path, text in {**CODE, path_of(): memory(summary=ABOUT_SEND)}.items():
        repo.write(path, text)
    with pytest.raises(NotServedError, match="no commits"):
        confirmed(repo.path)
    assert confirmed(repo.path, worktree=True).confirmed
    repo.commit("First")
    assert verdict(repo.path) == ("fresh", "active")


def test_a_detached_head(repo: Repo) -> None:
    remembered(repo)
    repo.git("checkout", "-q", "--detach")
    assert confirmed(repo.path).confirmed
    repo.commit("Validate")
    assert verdict(repo.path) == ("fresh", "active")


def test_a_linked_work_tree(repo: Repo, tmp_path: Path) -> None:
    remembered(repo)
    linked = Repo(tmp_path / "linked", init=False)
    repo.git("worktree", "add", "-q", "-b", "look", str(linked.path))
    assert confirmed(linked.path).confirmed
    assert len(validations(linked)) == 1
    assert not validations(repo)
    linked.commit("Validate")
    assert verdict(linked.path) == ("fresh", "active")


def test_a_subfolder(repo: Repo) -> None:
    remembered(repo)
    assert confirmed(repo.path / "src").confirmed
    assert len(validations(repo)) == 1


def test_nobody_configured(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    remembered(repo)
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("EMAIL", "")
    assert confirmed(repo.path).confirmed


def test_an_id_that_is_not_there(repo: Repo) -> None:
    remembered(repo)
    with pytest.raises(NotFoundError, match="m-404"):
        confirmed(repo.path, "m-001", "m-404")
    assert not validations(repo)


# what stands in the way
@pytest.mark.parametrize("link", [".ai/validations", ".ai/validations/m-001"])
def test_a_symbolic_link_is_not_followed(repo: Repo, tmp_path: Path, link: str) -> None:
    remembered(repo)
    outside = tmp_path / "outside"
    outside.mkdir()
    (repo.path / link).parent.mkdir(parents=True, exist_ok=True)
    (repo.path / link).symlink_to(outside, target_is_directory=True)
    with pytest.raises(NotServedError, match="symbolic link"):
        confirmed(repo.path)
    assert list(outside.rglob("*")) == []


def test_a_file_where_the_folder_should_be(repo: Repo) -> None:
    remembered(repo)
    repo.write(".ai/validations", "not a folder\n")
    with pytest.raises(NotServedError) as caught:
        confirmed(repo.path)
    assert ".ai/validations" in caught.value.message


def test_a_folder_that_may_not_be_written(repo: Repo) -> None:
    remembered(repo)

    def work(path: Path) -> str:
        folder = path / ".ai"
        folder.chmod(0o500)
        try:
            with pytest.raises(NotServedError) as told:
                confirmed(path)
            return told.value.message
        finally:
            folder.chmod(0o700)

    assert "cannot be written" in as_other_user(work, repo.path)


def test_a_prose_memory_of_odd_paths_survives_its_validation(repo: Repo) -> None:
    files = {"src/결제 모듈.py": SEND, 'src/a "b"\n.py': SEND, "src/\udcff.py": SEND}
    validated(repo, PROSE, files)
    (file,) = validations(repo)
    parsed = parse_validation("x", file.read_bytes())
    assert parsed.problems == ()
    assert parsed.validation is not None
    assert parsed.validation.baseline is not None
    assert {mark.watch.path for mark in parsed.validation.baseline.marks} == set(files)
    assert verdict(repo.path) == ("fresh", "active")


# two at once
CHILD = """
import sys
from datetime import datetime
from pathlib import Path
from tests.support.drifting import confirmed
sys.stdin.readline()
result = confirmed(Path(sys.argv[1]))
print(len(result.confirmed), len(result.already))
"""


def test_two_processes_confirm_at_once(repo: Repo) -> None:
    remembered(repo)
    children = [
        subprocess.Popen(
            [sys.executable, "-c", CHILD, str(repo.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            env=sealed_environment(repo.path.parent),
            text=True,
        )
        for _ in range(2)
    ]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("\n")
        child.stdin.flush()
    told = [child.communicate() for child in children]
    # The later one may see what the earlier has written.
    answers = [out.split() for out, _ in told]
    assert all(sorted(one) == ["0", "1"] for one in answers), told
    assert len(validations(repo)) == sum(one == ["1", "0"] for one in answers) > 0
    repo.commit("Validate twice")
    assert verdict(repo.path) == ("fresh", "active")


def test_validations_of_two_branches_merge_without_a_conflict(repo: Repo) -> None:
    validated(repo)
    repo.git("checkout", "-q", "-b", "one")
    confirmed(repo.path, at=LATER)
    repo.commit("One")
    repo.git("checkout", "-q", "-b", "two", "main")
    confirmed(repo.path, at="2026-07-16T10:00:00+09:00")
    repo.commit("Two")
    repo.git("merge", "-q", "--no-edit", "one")
    assert len(validations(repo)) == 3
    assert judged(repo.path).validated_at == "2026-07-16T10:00:00+09:00"


# the patch of what is not committed
def test_the_patch_of_the_work_tree_is_one_that_git_applies(repo: Repo, tmp_path: Path) -> None:
    then = {
        "a.txt": "one\ntwo\n",
        "no end": "one",
        "gone.txt": "x\n",
        'q"\n.txt': "x\n",
        "한글.txt": "하나\n",
        "same": "s\n",
    }
    baseline = repo.commit("Then", then)
    now = {"a.txt": "one\n2\nthree", "no end": "two", 'q"\n.txt': "y\n", "한글.txt": "둘\n", "new.txt": "n\n"}
    for path, text in now.items():
        repo.write(path, text)
    (repo.path / "gone.txt").unlink()
    with open_repository(repo.path) as repository:
        state = State(repository, WORKTREE, Contents(repository))
        patch = uncommitted_patch(repository, baseline, state.view, [*then, "new.txt", "absent"])
    other = Repo(tmp_path / "other")
    other.commit("Then", then)
    other.git("apply", "-", stdin=patch.encode())
    assert {path: other.read(path) for path in now} == now
    assert not (other.path / "gone.txt").exists()
    assert "same" not in patch


def test_the_patch_names_binary_and_large_files_only(repo: Repo) -> None:
    baseline = repo.commit("Then", {"a.bin": b"\0one", "big.txt": "x\n"})
    repo.write("a.bin", b"\0two")
    repo.write("big.txt", "y\n" * 200_000)
    with open_repository(repo.path) as repository:
        state = State(repository, WORKTREE, Contents(repository))
        patch = uncommitted_patch(repository, baseline, state.view, ["a.bin", "big.txt"])
    assert patch.count("Binary files") == 2
    assert len(patch) < 300
