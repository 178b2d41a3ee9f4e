from __future__ import annotations

import os
import unicodedata
from datetime import date
from pathlib import Path

import pytest

from gitmem.errors import NotFoundError, NotServedError
from gitmem.git.opening import open_repository
from gitmem.model.verdict import BaselineHow
from gitmem.usecases.checking import check
from gitmem.usecases.request import Request, Target
from tests.support.drifting import (
    ABOUT_SEND,
    CODE,
    PROSE,
    SEND,
    SHOP,
    STAGED,
    WORKTREE,
    checked,
    confirmed,
    forget_history,
    judged,
    remembered,
    shallow,
    validated,
    verdict,
)
from tests.support.memories import hosted, memory, path_of
from tests.support.repo import Repo

CHANGED = SHOP.replace("    log(order)\n", "    tell(order)\n")
ELSEWHERE = {"src/shop.py": SHOP.replace(SEND, ""), "src/mail.py": "X = 1\n\n\n" + SEND}


# the ladder, 1: the baseline's commit is here
def test_1_the_commit_of_the_validation(repo: Repo) -> None:
    baseline = validated(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    found = judged(repo.path)
    assert (str(found.verdict), found.status, found.baseline, found.how) == (
        "changed",
        "challenged",
        baseline,
        BaselineHow.RECORDED,
    )
    (first, *_) = found.findings
    assert (first.commit, first.author, first.commits, first.subject) == (
        repo.head(),
        "Ada Tester",
        1,
        "Tell",
    )


def test_1_the_commit_need_not_be_an_ancestor(repo: Repo) -> None:
    root = repo.commit("Root", {"other.txt": "x\n"})
    baseline = validated(repo)
    repo.git("branch", "before")
    repo.git("checkout", "-q", "-b", "rebased", root)
    repo.commit("Another base", {"base.txt": "x\n"})
    repo.git("cherry-pick", f"{root}..before")
    repo.git("branch", "-q", "-M", "rebased", "main")
    assert verdict(repo.path) == ("fresh", "active")
    repo.commit("Tell", {"src/shop.py": CHANGED})
    found = judged(repo.path)
    assert (str(found.verdict), found.baseline, found.how) == ("changed", baseline, BaselineHow.RECORDED)


# 2: it is not, and nothing differs
def test_2_the_same_content_without_the_commit_is_fresh(repo: Repo) -> None:
    baseline = validated(repo)
    forget_history(repo)
    assert not repo.git("cat-file", "-t", baseline, check=False)
    assert verdict(repo.path) == ("fresh", "active")
    repo.commit("Elsewhere", {"README.md": "# Bank\n"})
    assert verdict(repo.path) == ("fresh", "active")


def test_2_a_tree_that_is_still_here_serves_as_well(repo: Repo) -> None:
    validated(repo)
    tree = repo.git("rev-parse", "HEAD~1^{tree}")
    repo.git("tag", "kept", tree)
    forget_history(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    found = judged(repo.path)
    assert (str(found.verdict), found.baseline) == ("changed", tree)


# 3: it is not, and something differs: the stored marks decide
@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"src/shop.py": CHANGED}, ("changed", "challenged")),
        ({"src/shop.py": "# said\n" + SHOP}, ("touched", "active")),
        ({"src/bank.py": "LIMIT = 5\n"}, ("touched", "active")),
        ({"src/shop.py": SHOP.replace("def send", "def post")}, ("relocated", "active")),
        (ELSEWHERE, ("relocated", "active")),
        ({"src/shop.py": SHOP.replace(SEND, "")}, ("gone", "challenged")),
        ({"README.md": "# Bank\n"}, ("fresh", "active")),
    ],
)
def test_3_a_clone_of_the_last_commit_alone(
    repo: Repo, tmp_path: Path, files: dict[str, str], expected: tuple[str, str]
) -> None:
    validated(repo)
    repo.commit("Change", files)
    assert verdict(shallow(repo, tmp_path / "shallow").path) == expected


def test_3_missing_history_is_said_once_with_the_cure(repo: Repo, tmp_path: Path) -> None:
    for name in ("m-002", "m-003"):
        repo.write(path_of(name), memory(name, ABOUT_SEND))
    validated(repo)
    confirmed(repo.path, "m-002", "m-003")
    repo.commit("Tell", {"src/shop.py": CHANGED})
    report = checked(shallow(repo, tmp_path / "shallow").path)
    assert [one.status for one in report.judgements] == ["challenged"] * 3
    assert report.history_missing
    assert report.remarks == (
        "history is missing here (shallow clone): git fetch --unshallow brings the missing history",
    )
    assert not checked(repo.path).history_missing


def test_3_a_wide_scope_without_marks_cannot_be_judged_without_its_history(
    repo: Repo, tmp_path: Path
) -> None:
    files = {f"src/{number}.py": f"x = {number}\n" for number in range(9)}
    validated(repo, PROSE, files)
    repo.commit("Change", {"src/3.py": "y = 1\n"})
    clone = shallow(repo, tmp_path / "shallow")
    assert verdict(clone.path) == ("unknown", "active")
    assert any("could not be checked" in note for note in judged(clone.path).notes)


# 4: nobody validated, history tells
def test_4_the_commit_that_brought_the_words(repo: Repo) -> None:
    repo.commit("Code", CODE)
    brought = repo.commit("Remember", {path_of(): memory(summary=ABOUT_SEND)})
    assert (judged(repo.path).verdict, judged(repo.path).how) == ("fresh", BaselineHow.INFERRED)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    found = judged(repo.path)
    assert (str(found.verdict), found.status, found.baseline, found.how) == (
        "changed",
        "challenged",
        brought,
        BaselineHow.INFERRED,
    )


def test_4_its_parent_when_that_commit_also_changed_the_scope(repo: Repo) -> None:
    before = repo.commit("Code", CODE)
    repo.commit("Remember and change", {path_of(): memory(summary=ABOUT_SEND), "src/shop.py": CHANGED})
    found = judged(repo.path)
    assert (str(found.verdict), found.baseline) == ("changed", before)


def test_4_a_memory_that_came_with_the_code_it_is_about_is_not_challenged(repo: Repo) -> None:
    repo.commit("Start", {"README.md": "# Shop\n"})
    remembered(repo)
    assert judged(repo.path).status == "active"


def test_4_a_statement_written_later_starts_anew(repo: Repo) -> None:
    remembered(repo, PROSE)
    edited = repo.commit("Reword", {path_of(): memory(summary=ABOUT_SEND)})
    assert (str(judged(repo.path).verdict), judged(repo.path).baseline) == ("fresh", edited)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    assert (judged(repo.path).status, judged(repo.path).baseline) == ("challenged", edited)


def test_4_a_statement_written_after_the_code_changed_is_unknown_until_confirmed(repo: Repo) -> None:
    remembered(repo, PROSE)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    repo.commit("Reword", {path_of(): memory(summary=ABOUT_SEND)})
    found = judged(repo.path)
    assert (str(found.verdict), found.status) == ("unknown", "active")
    assert "written anew after what it rests on had changed" in found.notes[0]
    confirmed(repo.path, at="2026-07-19T10:00:00+09:00", ask=lambda _: True)
    repo.commit("Validate")
    assert verdict(repo.path) == ("fresh", "active")


FORM_ALONE = {
    "title": {"title": "Shipping, in short"},
    "punctuation": {"summary": "'`send`: ships before, it answers!'"},
    "capitals": {"summary": "'`send` SHIPS before it answers'"},
    "body": {"body": "See the handbook."},
    "full-width": {"summary": "'`send` ｓｈｉｐｓ before it answers'"},
}


@pytest.mark.parametrize("edit", FORM_ALONE.values(), ids=FORM_ALONE)
def test_an_edit_that_says_the_same_lifts_no_challenge(repo: Repo, edit: dict[str, str]) -> None:
    first = remembered(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    repo.commit("Polish", {path_of(): memory(**{"summary": ABOUT_SEND, **edit})})
    assert (judged(repo.path).status, judged(repo.path).baseline) == ("challenged", first)


@pytest.mark.parametrize("edit", FORM_ALONE.values(), ids=FORM_ALONE)
@pytest.mark.parametrize("removed", [False, True], ids=["validated", "validations removed"])
def test_nor_does_it_where_somebody_validated_the_words_before(
    repo: Repo, edit: dict[str, str], removed: bool
) -> None:
    validated(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    repo.commit("Polish", {path_of(): memory(**{"summary": ABOUT_SEND, **edit})})
    if removed:
        repo.git("rm", "-rq", ".ai/validations")
        repo.commit("Forget who looked")
    assert verdict(repo.path) == ("changed", "challenged")


@pytest.mark.parametrize("edit", FORM_ALONE.values(), ids=FORM_ALONE)
def test_an_edit_that_says_the_same_is_confirmed_by_nobody_either(repo: Repo, edit: dict[str, str]) -> None:
    validated(repo)
    repo.commit("Polish", {path_of(): memory(**{"summary": ABOUT_SEND, **edit})})
    found = judged(repo.path)
    assert (str(found.verdict), found.status) == ("unknown", "active")
    assert "its words changed since they were validated" in found.notes[0]


def test_4_an_edit_of_other_fields_does_not(repo: Repo) -> None:
    first = remembered(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    repo.commit("Evidence", {path_of(): memory(summary=ABOUT_SEND, evidence="{reviews: [PR-1]}")})
    assert (str(judged(repo.path).verdict), judged(repo.path).baseline) == ("changed", first)


def test_4_a_date_that_a_person_moved_in_the_file(repo: Repo) -> None:
    remembered(repo, last_validated_at="2026-07-01")
    repo.commit("Tell", {"src/shop.py": CHANGED})
    assert judged(repo.path).status == "challenged"
    moved = repo.commit("Looked", {path_of(): memory(summary=ABOUT_SEND, last_validated_at="2026-07-15")})
    assert (str(judged(repo.path).verdict), judged(repo.path).baseline) == ("fresh", moved)


def test_4_a_date_newer_than_every_validation_counts(repo: Repo) -> None:
    validated(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    moved = repo.commit("Looked", {path_of(): memory(summary=ABOUT_SEND, last_validated_at="2026-07-19")})
    assert (str(judged(repo.path).verdict), judged(repo.path).baseline) == ("fresh", moved)


def test_4_a_memory_whose_file_was_renamed(repo: Repo) -> None:
    first = remembered(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    repo.move(path_of(), ".ai/memory/shop/m-001.yaml")
    repo.commit("Sort memories")
    assert (str(judged(repo.path).verdict), judged(repo.path).baseline) == ("changed", first)


BROUGHT_BACK = {
    "as it was": (path_of(), {}),
    "elsewhere": (".ai/memory/shop/m-001.yaml", {}),
    "with a comma": (path_of(), FORM_ALONE["punctuation"]),
    "with another title": (path_of(), FORM_ALONE["title"]),
}


@pytest.mark.parametrize(("file", "edit"), BROUGHT_BACK.values(), ids=BROUGHT_BACK)
@pytest.mark.parametrize("between", [False, True], ids=["before", "between"])
def test_4_a_file_that_was_removed_and_brought_back_says_what_it_said(
    repo: Repo, file: str, edit: dict[str, str], between: bool
) -> None:
    first = remembered(repo)
    tell = {"src/shop.py": CHANGED}
    if not between:
        repo.commit("Tell", tell)
    repo.git("rm", "-q", path_of())
    repo.commit("Forget")
    if between:
        repo.commit("Tell", tell)
    repo.commit("Remember again", {file: memory(**{"summary": ABOUT_SEND, **edit})})
    assert (str(judged(repo.path).verdict), judged(repo.path).baseline) == ("changed", first)


def test_4_what_was_brought_back_with_another_statement_is_unknown_until_confirmed(repo: Repo) -> None:
    remembered(repo, PROSE)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    repo.git("rm", "-q", path_of())
    repo.commit("Forget")
    repo.commit("Remember again", {path_of(): memory(summary=ABOUT_SEND)})
    assert verdict(repo.path) == ("unknown", "active")


def test_4_a_date_brought_back_newer_counts(repo: Repo) -> None:
    remembered(repo, last_validated_at="2026-07-01")
    repo.commit("Tell", {"src/shop.py": CHANGED})
    repo.git("rm", "-q", path_of())
    repo.commit("Forget")
    looked = repo.commit("Looked", {path_of(): memory(summary=ABOUT_SEND, last_validated_at="2026-07-15")})
    assert (str(judged(repo.path).verdict), judged(repo.path).baseline) == ("fresh", looked)


def test_4_the_merge_brought_it_when_it_came_by_a_branch(repo: Repo) -> None:
    repo.commit("Code", CODE)
    repo.git("checkout", "-q", "-b", "note")
    repo.commit("Remember", {path_of(): memory(summary=ABOUT_SEND)})
    repo.git("checkout", "-q", "main")
    repo.commit("Tell", {"src/shop.py": CHANGED})
    repo.git("merge", "-q", "--no-ff", "-m", "Merge note", "note")
    assert (str(judged(repo.path).verdict), judged(repo.path).baseline) == ("fresh", repo.head())


def test_4_at_the_cut_of_a_shallow_clone_nothing_is_inferred(repo: Repo, tmp_path: Path) -> None:
    remembered(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    report = checked(shallow(repo, tmp_path / "shallow").path)
    (found,) = report.judgements
    assert (str(found.verdict), found.status, found.how) == ("unknown", "active", None)
    assert found.notes == ("could not be checked: never validated, and history is cut here (shallow clone)",)
    assert report.history_missing


# 5: nothing
def test_5_a_file_that_is_not_committed_yet(repo: Repo) -> None:
    repo.commit("Code", CODE)
    repo.write(path_of(), memory(summary=ABOUT_SEND))
    found = judged(repo.path, WORKTREE)
    assert (str(found.verdict), found.status, found.how) == ("unknown", "proposed", None)


# what is no drift
def test_other_words_are_unknown_until_confirmed(repo: Repo) -> None:
    validated(repo)
    repo.commit("Reword", {path_of(): memory(summary="'`send` ships first'")})
    found = judged(repo.path)
    assert (str(found.verdict), found.status) == ("unknown", "active")
    assert found.notes == (
        "could not be checked: its words changed since they were validated; confirm it again",
    )


def test_words_that_were_validated_before_are_known_again(repo: Repo) -> None:
    validated(repo)
    repo.commit("Reword", {path_of(): memory(summary="'`send` ships first'")})
    confirmed(repo.path, at="2026-07-15T10:00:00+09:00", ask=lambda _: True)
    repo.commit("Validate")
    repo.commit("As it was", {path_of(): memory(summary=ABOUT_SEND)})
    assert verdict(repo.path) == ("fresh", "active")


def test_a_rewrapped_file_has_the_same_words(repo: Repo) -> None:
    validated(repo)
    repo.commit("Wrap", {path_of(): memory(summary=">-\n  `send` ships\n  before it answers")})
    assert verdict(repo.path) == ("fresh", "active")


@pytest.mark.parametrize("with_commit", [True, False])
def test_fingerprints_of_an_unknown_version_are_unknown(repo: Repo, with_commit: bool) -> None:
    validated(repo)
    (file,) = (repo.path / ".ai/validations/m-001").iterdir()
    file.write_text(file.read_text().replace("algo: 1", "algo: 99"))
    repo.commit("From the future", {"src/shop.py": CHANGED})
    if not with_commit:
        forget_history(repo)
    found = judged(repo.path)
    assert (str(found.verdict), found.status) == ("unknown", "active")
    assert "version 99" in found.notes[0]


def test_a_changed_scope_is_not_drift(repo: Repo) -> None:
    validated(repo)
    repo.commit("Widen", {path_of(): memory(summary=ABOUT_SEND, scope="{paths: [src/**, README.md]}")})
    assert verdict(repo.path) == ("fresh", "active")
    repo.commit("Readme", {"README.md": "# Bank\nand more\n"})
    assert verdict(repo.path) == ("touched", "active")


def test_a_changed_elements_file_is_not_drift(repo: Repo) -> None:
    elements = "version: 1\nelements:\n  Shop:\n    paths: ['%s']\n"
    validated(repo, files={**CODE, ".ai/elements.yaml": elements % "src/shop.py"}, scope="{elements: [Shop]}")
    assert judged(repo.path).matched == 1
    repo.commit("Widen", {".ai/elements.yaml": elements % "src/**"})
    assert judged(repo.path).matched == 2
    assert verdict(repo.path) == ("fresh", "active")


def test_editing_the_memory_with_the_code_is_no_validation(repo: Repo) -> None:
    validated(repo)
    repo.commit(
        "Both", {"src/shop.py": CHANGED, path_of(): memory(summary=ABOUT_SEND, review_after="2027-01-01")}
    )
    assert verdict(repo.path) == ("changed", "challenged")


def test_what_was_confirmed_never_fires_again(repo: Repo) -> None:
    validated(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    confirmed(repo.path, at="2026-07-15T10:00:00+09:00", ask=lambda _: True)
    repo.commit("Validate")
    assert verdict(repo.path) == ("fresh", "active")


def test_a_validation_on_a_branch_counts_on_that_branch(repo: Repo) -> None:
    validated(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    repo.git("checkout", "-q", "-b", "look")
    confirmed(repo.path, at="2026-07-15T10:00:00+09:00", ask=lambda _: True)
    repo.commit("Validate")
    assert verdict(repo.path) == ("fresh", "active")
    repo.git("checkout", "-q", "main")
    assert verdict(repo.path) == ("changed", "challenged")


# ignored revisions
OLD_STYLE = 'def send(order):\n    log("order %s" % order)\n    ship(order)\n    return order\n'
NEW_STYLE = 'def send(order):\n    log(f"order {order}")\n    ship(order)\n    return order\n'
IGNORE = ".git-blame-ignore-revs"


def modernised(
    repo: Repo, files: dict[str, str], *, listed: bool, summary: str = ABOUT_SEND, **fields: str
) -> str:
    validated(
        repo,
        summary,
        {**CODE, "src/shop.py": OLD_STYLE, "pyproject.toml": "[project]\nname = 'a'\n"},
        **fields,
    )
    commit = repo.commit("Modernise", files)
    repo.commit("List", {IGNORE: f"# f-strings\n{commit}\n" if listed else "# nothing\n"})
    return commit


@pytest.mark.parametrize(("listed", "expected"), [(True, "cosmetic"), (False, "changed")])
def test_a_listed_commit_is_folded_away(repo: Repo, listed: bool, expected: str) -> None:
    modernised(repo, {"src/shop.py": NEW_STYLE}, listed=listed)
    assert judged(repo.path).verdict == expected
    assert judged(repo.path, WORKTREE).verdict == expected


def test_an_edit_beside_a_listed_commit_counts(repo: Repo) -> None:
    modernised(repo, {"src/shop.py": NEW_STYLE}, listed=True)
    repo.commit("Tell", {"src/shop.py": NEW_STYLE.replace("ship(", "send_off(")})
    assert verdict(repo.path) == ("changed", "challenged")


def test_a_listed_commit_hides_no_deletion(repo: Repo) -> None:
    modernised(repo, {"src/shop.py": "X = 1\n"}, listed=True)
    assert verdict(repo.path) == ("gone", "challenged")


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("pyproject.toml", "[project]\nname = 'a'\n", "[project]\nname = 'b'\n"),
        (".github/workflows/ci.yml", "on: push\n", "on: pull_request\n"),
        ("web/package.json", '{"scripts": {"a": "b"}}', '{"scripts": {"a": "c"}}'),
    ],
)
def test_manifests_and_ci_are_not_folded(repo: Repo, path: str, before: str, after: str) -> None:
    validated(repo, PROSE, {**CODE, path: before}, scope=f"{{paths: [{path}]}}")
    commit = repo.commit("Bump", {path: after})
    repo.commit("List", {IGNORE: f"{commit}\n"})
    assert judged(repo.path).status == "challenged"


def test_a_listed_commit_outside_the_interval_changes_nothing(repo: Repo) -> None:
    repo.commit("Old", {"src/shop.py": OLD_STYLE})
    early = repo.commit("Early", {"src/shop.py": SHOP})
    validated(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED, IGNORE: f"{early}\n{'0' * 40}\nnot an id\n"})
    assert verdict(repo.path) == ("changed", "challenged")


# what the files are
@pytest.mark.parametrize(
    ("path", "attributes"),
    [
        ("src/package-lock.json", ""),
        ("src/vendor/lib.js", ""),
        ("src/api.gen.py", "*.gen.py linguist-generated\n"),
        ("src/deep/made.py", "src/deep/** linguist-generated=true\n"),
        ("src/CHANGELOG.md", ""),
    ],
)
def test_what_a_tool_writes_is_outside_unless_named(repo: Repo, path: str, attributes: str) -> None:
    validated(repo, files={**CODE, path: "a\nb\n", ".gitattributes": attributes}, type="security_rule")
    repo.commit("Tool", {path: "c\nd\ne\n"})
    assert verdict(repo.path) == ("fresh", "active")


def test_a_named_lock_file_is_inside(repo: Repo) -> None:
    validated(repo, PROSE, {"go.sum": "a v1 h1\n"}, scope="{paths: [go.sum]}")
    repo.commit("Tool", {"go.sum": "b v1 h1\n"})
    assert judged(repo.path).status == "challenged"


def test_a_submodule_is_its_commit(repo: Repo) -> None:
    def link(oid: str) -> None:
        repo.git("update-index", "--add", "--cacheinfo", f"160000,{oid},src/lib")
        repo.git("commit", "-q", "-m", "Link")

    repo.commit("Code", CODE)
    (repo.path / "src/lib").mkdir()
    link("1" * 40)
    repo.write(path_of(), memory(summary=ABOUT_SEND))
    repo.git("add", path_of())
    repo.git("commit", "-q", "-m", "Remember")
    assert confirmed(repo.path).confirmed
    repo.git("add", ".ai")
    repo.git("commit", "-q", "-m", "Validate")
    assert verdict(repo.path) == ("fresh", "active")
    link("2" * 40)
    found = judged(repo.path)
    assert (str(found.verdict), found.status) == ("touched", "active")
    assert [one.reason for one in found.findings if one.watch is None] == [
        "src/lib: submodule 1111111 → 2222222"
    ]


def test_a_symbolic_link_is_its_target_and_not_followed(repo: Repo) -> None:
    def link(target: str) -> None:
        path = repo.path / "src/current"
        path.unlink(missing_ok=True)
        path.symlink_to(target)

    repo.write("src/one/a.py", "x = 1\n")
    link("one")
    validated(repo, PROSE, {"src/two/a.py": "x = 2\n"}, scope="{paths: [src/current]}")
    repo.commit("Target's content", {"src/one/a.py": "x = 9\n"})
    assert verdict(repo.path) == ("fresh", "active")
    link("two")
    for target, status in ((WORKTREE, "challenged"), (STAGED, "active")):
        assert judged(repo.path, target).status == status
    repo.commit("Turn")
    assert judged(repo.path).status == "challenged"


@pytest.mark.parametrize("size", [100, 5 * 1024 * 1024])
def test_binary_and_large_files_are_compared_by_their_ids(repo: Repo, size: int) -> None:
    old, new = b"\0" + b"a" * size, b"\0" + b"b" * size
    validated(repo, PROSE, {"data/a.bin": old, "src/a.py": "x = 1\n"}, scope="{paths: [data/**]}")
    assert verdict(repo.path) == ("fresh", "active")
    repo.write("data/a.bin", new)
    assert judged(repo.path, WORKTREE).status == "challenged"
    repo.commit("New", {"data/a.bin": new})
    assert judged(repo.path).status == "challenged"
    repo.commit("Back", {"data/a.bin": old})
    assert verdict(repo.path) == ("fresh", "active")


def test_a_large_text_file_in_scope_is_no_obstacle(repo: Repo) -> None:
    big = "x = 1\n" * (5 * 1024 * 1024 // 6)
    validated(repo, files={**CODE, "src/big.py": big})
    repo.commit("Big", {"src/big.py": big + "y = 2\n"})
    assert verdict(repo.path) == ("touched", "active")


ODD = {
    "quotes": "src/a \"b\" 'c'.py",
    "newline": "src/a\nb.py",
    "tab": "src/a\tb.py",
    "backslash": "src/a\\b.py",
    "glob": "src/[a]*?.py",
    "hash": "src/a#b.py",
    "NFC": unicodedata.normalize("NFC", "src/결제.py"),
    "NFD": unicodedata.normalize("NFD", "src/결제.py"),
    "bytes": "src/\udcff\udcfe.py",
    "leading dash": "src/-a.py",
    "space": " src/ a .py ",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_file_names(repo: Repo, tmp_path: Path, name: str) -> None:
    path = ODD[name]
    folder = path.split("/")[0]
    validated(
        repo,
        PROSE,
        scope=f'{{paths: ["{folder}/**"]}}',
        files={"README.md": "x\n"} | {os.fsdecode(os.fsencode(path)): SEND},
    )
    assert verdict(repo.path) == ("fresh", "active")
    clone = shallow(repo, tmp_path / "shallow")
    assert verdict(clone.path) == ("fresh", "active")
    for one in (repo, clone):
        one.write(path, SEND.replace("log(", "tell("))
        for target in (WORKTREE, Target()):
            found = judged(one.path, target)
            assert (str(found.verdict), found.findings[0].path) == ("changed", path)
            one.commit("Tell")
    repo.remove(path)
    repo.commit("Delete")
    assert verdict(repo.path) == ("gone", "challenged")


def test_composed_and_decomposed_names_are_two_files(repo: Repo) -> None:
    both = {ODD["NFC"]: SEND, ODD["NFD"]: "y = 1\n"}
    validated(repo, PROSE, both, scope=f"{{paths: [{ODD['NFC']}]}}")
    assert judged(repo.path).matched == 1
    repo.commit("Other", {ODD["NFD"]: "y = 2\n"})
    assert verdict(repo.path) == ("fresh", "active")


# what is never all fresh
def test_a_scope_that_matches_nothing_is_unknown(repo: Repo) -> None:
    remembered(repo, PROSE, scope="{paths: [lib/**]}")
    found = judged(repo.path)
    assert (str(found.verdict), found.matched) == ("unknown", 0)
    assert found.notes == ("could not be checked: its scope matches nothing",)
    with pytest.raises(NotServedError, match="matches nothing in HEAD"):
        confirmed(repo.path)


def test_a_memory_without_scope_is_unknown(repo: Repo) -> None:
    remembered(repo, PROSE, scope="")
    assert judged(repo.path).notes == ("could not be checked: it has no scope",)


def test_a_memory_about_the_whole_project_is_checked_by_its_watches(repo: Repo) -> None:
    remembered(repo, PROSE, scope="project")
    assert verdict(repo.path) == ("unknown", "active")
    repo.commit(
        "Watch", {path_of(): memory(summary=ABOUT_SEND, scope="project", watch="[symbol src/shop.py#send]")}
    )
    assert verdict(repo.path) == ("fresh", "active")
    repo.commit("Tell", {"src/shop.py": CHANGED})
    assert verdict(repo.path) == ("changed", "challenged")


# what is judged
def test_a_range_says_which_memories_a_change_touches(repo: Repo) -> None:
    validated(repo)
    before = repo.head()
    repo.commit("Tell", {"src/shop.py": CHANGED})
    changed = repo.head()
    repo.commit("Readme", {"README.md": "# Bank\n"})
    assert judged(repo.path, since=before).verdict == "changed"
    assert judged(repo.path, Target("commit", changed), since=before).verdict == "changed"
    assert judged(repo.path, since=changed).verdict == "fresh"
    found = judged(repo.path, since="HEAD~2")
    assert (found.baseline, found.how) == (before, BaselineHow.RANGE)


def test_a_revision_is_judged_as_it_was(repo: Repo) -> None:
    validated(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    assert judged(repo.path, Target("commit", "HEAD~1")).verdict == "fresh"
    assert checked(repo.path, Target("commit", "HEAD~1")).head == repo.git("rev-parse", "HEAD~1")
    with pytest.raises(NotFoundError):
        checked(repo.path, Target("commit", "no-such-branch"))


def test_an_id_that_is_not_there_names_the_nearest(repo: Repo) -> None:
    validated(repo)
    with open_repository(repo.path) as repository, pytest.raises(NotFoundError) as caught:
        check(repository, Request(ids=("m-011",)))
    assert caught.value.hint == "did you mean m-001?"


def test_index_and_work_tree_are_judged_apart(repo: Repo) -> None:
    validated(repo)
    repo.write("src/shop.py", CHANGED)
    assert [judged(repo.path, one).verdict for one in (Target(), STAGED, WORKTREE)] == [
        "fresh",
        "fresh",
        "changed",
    ]
    repo.git("add", "-A")
    repo.write("src/shop.py", SHOP)
    assert [judged(repo.path, one).verdict for one in (Target(), STAGED, WORKTREE)] == [
        "fresh",
        "changed",
        "fresh",
    ]
    assert judged(repo.path, STAGED).findings[0].author == "uncommitted edits"


def test_an_untracked_file_counts_in_the_work_tree_and_an_ignored_one_nowhere(repo: Repo) -> None:
    validated(repo, files={**CODE, ".gitignore": "*.log\n"}, drift="strict")
    repo.write("src/a.log", "x\n")
    assert verdict(repo.path, WORKTREE) == ("fresh", "active")
    repo.write("src/new.py", "x = 1\n")
    assert verdict(repo.path, WORKTREE) == ("changed", "challenged")
    assert verdict(repo.path, STAGED) == ("fresh", "active")


def test_line_ends_of_the_work_tree_are_normalised_as_git_does(repo: Repo) -> None:
    validated(repo, PROSE, {**CODE, ".gitattributes": "* text=auto\n"})
    repo.write("src/bank.py", "LIMIT = 4\r\n")
    repo.write("src/shop.py", SHOP.replace("\n", "\r\n"))
    assert verdict(repo.path, WORKTREE) == ("fresh", "active")


def test_a_repository_without_commits(repo: Repo) -> None:
    with pytest.raises(NotServedError) as caught:
        checked(repo.path)
    assert "--worktree" in (caught.value.hint or "")
    repo.write(path_of(), memory(summary=ABOUT_SEND))
    assert verdict(repo.path, WORKTREE) == ("unknown", "proposed")


def test_a_bare_repository_is_judged_by_its_commits(tmp_path: Path) -> None:
    server, clone = hosted(tmp_path, {**CODE, path_of(): memory(summary=ABOUT_SEND)})
    clone.commit("Tell", {"src/shop.py": CHANGED})
    clone.git("push", "-q", "origin", "main")
    assert verdict(server.path) == ("changed", "challenged")


def test_what_is_only_on_a_branch_is_proposed_and_judged(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {**CODE, path_of(): memory(summary=ABOUT_SEND)})
    clone.git("checkout", "-q", "-b", "mine")
    clone.commit("Mine", {path_of("m-002"): memory("m-002", "'`log` prints'"), "src/shop.py": CHANGED})
    report = checked(clone.path)
    found = {one.id: (str(one.verdict), one.status, one.proposed) for one in report.judgements}
    assert found["m-001"] == ("changed", "challenged", False)
    assert found["m-002"][1:] == ("proposed", True)


# dates, marks and policy
def test_dates_challenge_without_a_change(repo: Repo) -> None:
    validated(repo, review_after="2026-10-13")
    due = judged(repo.path, today=date(2026, 10, 14))
    assert (str(due.verdict), due.status, due.challenged_by) == ("fresh", "challenged", ("review",))
    assert due.warning == "VERIFY — review was due 2026-10-13"
    assert judged(repo.path, today=date(2026, 10, 13)).status == "active"


def test_a_mark_stays_though_the_code_was_reverted(repo: Repo) -> None:
    validated(repo)
    repo.commit(
        "Mark",
        {
            path_of(): memory(
                summary=ABOUT_SEND, status="challenged", challenged_at="2026-07-15", challenged_because="gone"
            )
        },
    )
    found = judged(repo.path)
    assert (str(found.verdict), found.status, found.challenged_by) == ("fresh", "challenged", ("mark",))
    confirmed(repo.path, at="2026-07-16T10:00:00+09:00", ask=lambda _: True)
    repo.commit("Validate")
    assert judged(repo.path).status == "active"


def test_policy_says_what_challenges(repo: Repo) -> None:
    policy = "version: 1\ndrift:\n  challenge_on: [gone]\n"
    validated(repo, files={**CODE, ".ai/policies/memory-policy.yaml": policy})
    repo.commit("Tell", {"src/shop.py": CHANGED})
    found = judged(repo.path)
    assert (str(found.verdict), found.status, found.warning) == ("changed", "active", "")
    repo.commit("Delete", {"src/shop.py": "X = 1\n"})
    assert verdict(repo.path) == ("gone", "challenged")


def test_the_worst_stand_first(repo: Repo) -> None:
    for name, summary in (("m-002", "'`log` prints'"), ("m-003", "'`LIMIT` is a limit'")):
        repo.write(path_of(name), memory(name, summary))
    validated(repo)
    repo.commit(
        "Change", {"src/shop.py": CHANGED.split("def log")[0], "src/bank.py": "LIMIT = 4  # at most\n"}
    )
    assert [(one.id, str(one.verdict)) for one in checked(repo.path).judgements][:2] == [
        ("m-002", "gone"),
        ("m-001", "changed"),
    ]


def test_files_that_cannot_be_read_are_named_and_the_others_judged(repo: Repo) -> None:
    repo.write(path_of("broken"), "id: [broken\n")
    validated(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    report = checked(repo.path)
    assert [one.id for one in report.challenged] == ["m-001"]
    assert [one.file for one in report.problems] == [path_of("broken")]


# reading only
def listing(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    found = {}
    for path in sorted(folder.rglob("*")):
        told = path.lstat()
        held = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        if "gitmem" not in path.relative_to(folder).parts:
            found[str(path)] = (told.st_mtime_ns, told.st_mode, held)
    return found


def test_a_check_writes_nothing_but_its_cache(repo: Repo) -> None:
    validated(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    repo.write("src/bank.py", "LIMIT = 5\n")
    repo.write("src/new.py", "x = 1\n")
    repo.git("add", "src/bank.py")
    before = listing(repo.path)
    os.utime(repo.path / "src/shop.py", ns=(1, before[str(repo.path / "src/shop.py")][0]))
    for target in (Target(), STAGED, WORKTREE):
        checked(repo.path, target)
    checked(repo.path, since="HEAD~1")
    assert listing(repo.path) == before


# identifiers over ranges and scopes
WATCH_SHIP = "[{ident: ship}]"


def test_a_range_judges_what_it_changed_and_not_what_was_so_before(repo: Repo) -> None:
    validated(repo, PROSE, watch="[{ident: ship}, {symbol: 'src/shop.py#send'}]")
    repo.commit("Rename", {"src/shop.py": SHOP.replace("ship(", "post(")})
    changed = repo.head()
    repo.commit("Readme", {"README.md": "# Bank\n"})
    assert verdict(repo.path) == ("gone", "challenged")
    assert verdict(repo.path, since=changed) == ("fresh", "active")
    assert verdict(repo.path, since="HEAD~2") == ("gone", "challenged")


def test_a_range_that_takes_a_change_back_needs_no_look(repo: Repo) -> None:
    validated(repo)
    repo.commit("Tell", {"src/shop.py": CHANGED})
    repo.commit("Back", {"src/shop.py": SHOP})
    assert verdict(repo.path) == ("fresh", "active")
    found = judged(repo.path, since="HEAD~1")
    assert (str(found.verdict), found.status, found.course) == ("changed", "active", "answered")


def test_a_narrowed_scope_takes_no_identifier_away(repo: Repo) -> None:
    validated(repo, PROSE, watch=WATCH_SHIP)
    repo.commit(
        "Narrow", {path_of(): memory(summary=PROSE, watch=WATCH_SHIP, scope="{paths: [src/bank.py]}")}
    )
    assert verdict(repo.path) == ("fresh", "active")
    repo.commit("Bank", {"src/bank.py": "LIMIT = 5\n"})
    assert judged(repo.path).status == "active"


def test_a_widened_scope_adds_no_broken_prohibition(repo: Repo) -> None:
    watch = "[{ident: moment, polarity: prohibits}]"
    files = {**CODE, "old/a.py": "import moment\n"}
    validated(repo, PROSE, files, watch=watch)
    repo.commit("Widen", {path_of(): memory(summary=PROSE, watch=watch, scope="{paths: [src/**, old/**]}")})
    assert verdict(repo.path) == ("fresh", "active")
    repo.commit("Spread", {"src/bank.py": "import moment\n"})
    assert verdict(repo.path) == ("changed", "challenged")
