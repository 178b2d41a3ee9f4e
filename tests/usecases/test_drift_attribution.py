"""Whom a challenge names: those who changed what is watched, and nobody else."""

from __future__ import annotations

import pytest

from gitmem.model.verdict import Finding
from tests.support.drifting import ABOUT_SEND, CODE, PROSE, SEND, SHOP, WORKTREE, judged, validated
from tests.support.repo import Repo

CHANGED = SEND.replace("    log(order)\n", "    tell(order)\n")
OTHER = "\n\ndef log(order):\n    print(order)\n"
WATCH = "[{symbol: 'src/shop.py#send'}]"


def by(repo: Repo, author: str, files: dict[str, str]) -> str:
    return repo.commit(f"By {author}", files, environment={"GIT_AUTHOR_NAME": author})


def worst(repo: Repo, **arguments: object) -> Finding:
    return judged(repo.path, **arguments).findings[0]  # type: ignore[arg-type]  # of judged


def named(found: Finding) -> tuple[str | None, int | None]:
    return (found.author, found.commits)


def test_who_changed_another_definition_of_the_file_is_not_named(repo: Repo) -> None:
    validated(repo)
    guilty = by(repo, "Guilty", {"src/shop.py": CHANGED + OTHER})
    by(repo, "Innocent", {"src/shop.py": CHANGED + OTHER.replace("print", "write")})
    found = worst(repo)
    assert (found.commit, *named(found)) == (guilty, "Guilty", 1)


def test_each_who_changed_it_is_counted_and_the_last_named(repo: Repo) -> None:
    validated(repo)
    for number, author in enumerate(("One", "Two", "Three")):
        by(repo, author, {"src/shop.py": CHANGED.replace("tell", f"tell_{number}") + OTHER})
        by(
            repo,
            "Between",
            {"src/shop.py": CHANGED.replace("tell", f"tell_{number}") + OTHER + f"X = {number}\n"},
        )
    by(repo, "Comment", {"src/shop.py": "# said\n" + CHANGED.replace("tell", "tell_2") + OTHER})
    assert named(worst(repo)) == ("Three", 3)


def test_many_memories_are_told_apart_alike(repo: Repo) -> None:
    from tests.support.drifting import checked, confirmed
    from tests.support.memories import memory, path_of

    files = {f"src/f{n}.py": SEND.replace("send", f"send{n}") + OTHER for n in range(6)}
    for n in range(6):
        repo.write(
            path_of(f"m-10{n}"), memory(f"m-10{n}", PROSE, watch=f"[{{symbol: 'src/f{n}.py#send{n}'}}]")
        )
    validated(repo, files={**CODE, **files})
    confirmed(repo.path, *(f"m-10{n}" for n in range(6)))
    repo.commit("Validate")
    by(repo, "Guilty", {path: text.replace("ship(", "post(") for path, text in files.items()})
    by(
        repo,
        "Innocent",
        {path: text.replace("ship(", "post(").replace("print", "write") for path, text in files.items()},
    )
    told = [one.findings[0] for one in checked(repo.path).challenged]
    assert [named(one) for one in told] == [("Guilty", 1)] * 6


@pytest.mark.parametrize(
    ("watch", "path", "start", "edits"),
    [
        ("{key: 'package.json#scripts.lint'}", "package.json", '{"scripts": {"lint": "a", "test": "b"}}', ('{"scripts": {"lint": "c", "test": "b"}}', '{"scripts": {"lint": "c", "test": "d"}}')),
        ("{key: 'package.json#dependencies.next@15'}", "package.json", '{"dependencies": {"next": "15.1"}}', ('{"dependencies": {"next": "16.0"}}', '{"dependencies": {"next": "16.1"}}')),
        ("{key: 'package.json#dependencies.@acme/ui'}", "package.json", '{"dependencies": {"@acme/ui": "1"}}', ('{"dependencies": {"@acme/ui": "2"}}', '{"dependencies": {"@acme/ui": "2", "b": "1"}}')),
        ("{key: '.github/workflows/ci.yml#jobs.t.steps[run=make test]'}", ".github/workflows/ci.yml", "jobs:\n  t:\n    steps:\n      - run: make test\n", ("jobs:\n  t:\n    steps:\n      - run: make all\n", "jobs:\n  t:\n    steps:\n      - run: make all x\n")),
        ("{lines: 'notes.txt:2-3'}", "notes.txt", "one\ntwo\nthree\nfour\n", ("one\ntwo\n3\nfour\n", "1\ntwo\n3\nfour\nfive\n")),
        ("{ident: ship}", "src/shop.py", SHOP, (SHOP.replace("ship(", "post("), SHOP.replace("ship(", "post(") + "X = 1\n")),
    ],
)  # fmt: skip
def test_a_key_lines_and_a_name(
    repo: Repo, watch: str, path: str, start: str, edits: tuple[str, str]
) -> None:
    validated(repo, PROSE, {**CODE, path: start}, watch=f"[{watch}]")
    by(repo, "Guilty", {path: edits[0]})
    by(repo, "Innocent", {path: edits[1]})
    found = judged(repo.path)
    assert (found.status, *named(found.findings[0])) == ("challenged", "Guilty", 1)


def test_a_definition_is_followed_through_renames(repo: Repo) -> None:
    validated(repo, watch=WATCH)
    by(repo, "Guilty", {"src/shop.py": CHANGED + OTHER})
    for author, old, new in (("Mover", "src/shop.py", "src/b.py"), ("Again", "src/b.py", "src/c.py")):
        repo.move(old, new)
        by(repo, author, {})
    by(repo, "Innocent", {"src/c.py": CHANGED + OTHER.replace("print", "write")})
    found = judged(repo.path)
    assert (found.status, *named(found.findings[0])) == ("challenged", "Guilty", 1)


@pytest.mark.parametrize("literal", [True, False])
def test_who_deleted_the_file_is_named(repo: Repo, literal: bool) -> None:
    validated(
        repo,
        ABOUT_SEND if not literal else PROSE,
        scope="{paths: [src/shop.py]}" if literal else "{paths: [src/**]}",
    )
    by(repo, "Innocent", {"src/shop.py": SEND + OTHER.replace("print", "write")})
    repo.remove("src/shop.py")
    guilty = by(repo, "Guilty", {})
    by(repo, "Later", {"src/bank.py": "LIMIT = 5\n"})
    found = worst(repo)
    assert (str(found.verdict), found.commit) == ("gone", guilty)


def test_who_took_the_last_of_a_folder_is_named_and_not_who_edited_there(repo: Repo) -> None:
    files = {f"src/old/{name}.py": f"{name} = 1\n" for name in "abc"}
    validated(repo, PROSE, {**CODE, **files}, watch="[{path: src/old/}]")
    by(repo, "Innocent", {"src/old/a.py": "a = 2\n"})
    repo.remove("src/old")
    guilty = by(repo, "Guilty", {})
    found = worst(repo)
    assert (str(found.verdict), found.commit, found.commits) == ("gone", guilty, 1)


def test_a_merge_is_not_named_for_what_its_branch_did(repo: Repo) -> None:
    validated(repo)
    repo.git("checkout", "-q", "-b", "side")
    by(repo, "Guilty", {"src/shop.py": CHANGED + OTHER})
    repo.git("checkout", "-q", "main")
    by(repo, "Innocent", {"src/shop.py": "X = 1\n\n\n" + SEND + OTHER.replace("print", "write")})
    repo.git(
        "merge",
        "-q",
        "--no-ff",
        "-X",
        "ours",
        "-m",
        "Merge",
        "side",
        environment={"GIT_AUTHOR_NAME": "Merger"},
    )
    assert named(worst(repo)) == ("Guilty", 1)


def test_an_uncommitted_edit_beside_it_is_not_named_either(repo: Repo) -> None:
    validated(repo)
    by(repo, "Guilty", {"src/shop.py": CHANGED + OTHER})
    repo.write("src/shop.py", CHANGED + OTHER.replace("print", "write"))
    assert named(worst(repo, target=WORKTREE)) == ("Guilty", 1)
    repo.write("src/shop.py", CHANGED.replace("ship(", "post(") + OTHER)
    assert worst(repo, target=WORKTREE).author == "uncommitted edits"


def test_beyond_the_bound_nobody_is_named(repo: Repo) -> None:
    validated(repo)
    by(repo, "Guilty", {"src/shop.py": CHANGED + OTHER})
    stream = "".join(
        f"commit refs/heads/main\ncommitter Innocent <i@x> {1_800_000_000 + number} +0000\ndata 2\nc\n"
        + ("from refs/heads/main^0\n" if number == 0 else "")
        + f"M 644 inline src/shop.py\ndata {len(text)}\n{text}\n"
        for number in range(61)
        for text in (CHANGED + OTHER + f"X = {number}\n",)
    )
    repo.git("fast-import", "--quiet", stdin=stream.encode())
    repo.git("reset", "-q", "--hard")
    found = judged(repo.path)
    assert (found.status, *named(found.findings[0])) == ("challenged", None, None)
