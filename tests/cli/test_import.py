"""`gitmem import`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.cli import Done, gitmem
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

AGENTS = "# Shop\n\n- Store amounts as integer cents, never as floats.\n- Never edit files under `src/generated`.\n"


def import_(repo: Repo, *sources: str, at: str = "") -> Done:
    return gitmem("import", *sources, "--json", at=repo.path / at)


def candidates(repo: Repo) -> list[dict[str, object]]:
    log = gitmem("run", "log", "inbox", "--json", at=repo.path).document
    return [one["payload"]["candidate"] for one in log["events"]]


def places(done: Done) -> list[tuple[str, int]]:
    return [(one["source"], one["line"]) for one in done.document["candidates"]]


def reasons(done: Done) -> list[str]:
    return [one["reason"] for one in done.document["skipped"]]


def test_each_fact_is_a_candidate_with_its_place_and_scope(repo: Repo) -> None:
    repo.commit("rules", {"AGENTS.md": AGENTS, "web/CLAUDE.md": "- Never block the main thread here\n"})
    done = import_(repo)
    assert (done.code, places(done)) == (0, [("AGENTS.md", 3), ("AGENTS.md", 4), ("web/CLAUDE.md", 1)])
    first, _, nested = candidates(repo)
    assert first["summary"] == "Store amounts as integer cents, never as floats."
    assert (first["origin"], first["evidence"]) == ({"imported": "AGENTS.md:3"}, {"documents": ["AGENTS.md"]})
    assert (first["scope"], nested["scope"]) == ("project", {"paths": ["web/**"]})
    assert repo.git("status", "--porcelain") == ""


def test_importing_again_adds_nothing(repo: Repo) -> None:
    repo.commit("rules", {"AGENTS.md": AGENTS})
    first = import_(repo)
    again = import_(repo)
    assert again.document["candidates"] == []
    assert reasons(again) == [f"known: {one['id']} waits with it" for one in first.document["candidates"]]
    repo.commit("more", {"AGENTS.md": f"\n{AGENTS}- Always sort imports by name\n"})
    assert places(import_(repo)) == [("AGENTS.md", 6)]


def test_what_is_approved_or_was_denied_is_not_taken(repo: Repo) -> None:
    repo.commit(
        "rules",
        {"AGENTS.md": AGENTS, path_of(): memory(summary="Store amounts as integer cents, never as floats")},
    )
    (taken,) = import_(repo).document["candidates"]
    gitmem("deny", taken["id"], "--reason", "generated files are gone", at=repo.path)
    assert sorted(one.partition(":")[0] for one in reasons(import_(repo))) == ["denied before", "known"]


def test_a_copy_of_the_rules_is_folded(repo: Repo) -> None:
    repo.commit("rules", {"AGENTS.md": AGENTS, "CLAUDE.md": AGENTS})
    assert len(import_(repo).document["candidates"]) == 2
    assert "Also said in CLAUDE.md:3" in str(candidates(repo)[0]["body"])


def test_what_is_said_again_or_is_too_short_is_told(repo: Repo) -> None:
    rule = "- Run `make check` before every push to main\n"
    text = f"# Front\n\n{rule}- Use tabs\n- 탭을 쓴다\n- No semicolons\n- Be kind\n\n# Back\n\n{rule}"
    repo.commit("rules", {"AGENTS.md": text})
    done = import_(repo)
    assert places(done) == [("AGENTS.md", 3)]
    assert reasons(done) == ["said again: it stands at AGENTS.md:3, and counts once"]
    assert [(one["line"], one["text"]) for one in done.document["short"]] == [
        (4, "Use tabs"), (5, "탭을 쓴다"), (6, "No semicolons"), (7, "Be kind"),
    ]  # fmt: skip
    said = gitmem("import", at=repo.path).err
    assert (
        "4 short lines left out, too short to be understood alone: "
        "AGENTS.md:4 Use tabs, AGENTS.md:5 탭을 쓴다, AGENTS.md:6 No semicolons and 1 more\n" in said
    )
    assert "1 said again" in said


def test_named_sources_are_read_alone_from_the_folder_that_one_stands_in(repo: Repo) -> None:
    files = {
        "AGENTS.md": AGENTS,
        "doc/notes.md": "- Never sleep in tests of the queue\n",
        "doc/code.py": "x = 1\n",
    }
    repo.commit("rules", files)
    assert places(import_(repo, "notes.md", at="doc")) == [("doc/notes.md", 1)]
    assert places(import_(repo, "doc")) == []
    for wrong in ("absent.md", "doc/code.py", "../elsewhere.md"):
        failed = import_(repo, wrong)
        assert (failed.code, failed.document["error"]["kind"]) == (3, "not_found")


def test_symbolic_links_secrets_and_large_files_are_skipped_with_the_reason(
    repo: Repo, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("- Never take this line from outside\n", encoding="utf-8")
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    repo.commit(
        "rules",
        {
            "AGENTS.md": f"- Always send the token {token} to the gateway\n- Never use floats for money\n",
            "big/AGENTS.md": "- Never take this\n" + "x" * 300_000,
            "bad/AGENTS.md": b"- Never take this \xff\xfe\n",
        },
    )
    (repo.path / "link").mkdir()
    (repo.path / "link/AGENTS.md").symlink_to(outside)
    done = import_(repo)
    assert places(done) == [("AGENTS.md", 2)]
    told = {one["source"]: one["reason"] for one in done.document["skipped"]}
    assert told["link/AGENTS.md"] == "a symbolic link is not followed"
    assert "over the limit" in told["big/AGENTS.md"]
    assert told["bad/AGENTS.md"] == "not UTF-8"
    assert "must not be written down" in told["AGENTS.md"]
    assert token not in done.out + done.err


def test_a_contradiction_is_told_and_waits(repo: Repo) -> None:
    repo.commit(
        "rules",
        {
            "AGENTS.md": "- Retry a failed upload 5 times\n",
            path_of(): memory(summary="Retry a failed upload 3 times"),
        },
    )
    (one,) = import_(repo).document["candidates"]
    assert one["conflicts"] == ["m-001"]


def test_people_read_files_lines_and_how_many(repo: Repo) -> None:
    repo.commit("rules", {"AGENTS.md": AGENTS})
    done = gitmem("import", at=repo.path)
    assert done.out.splitlines()[0] == "AGENTS.md  the whole project"
    assert "Store amounts as integer cents" in done.out
    assert done.err == "2 new candidates of 1 file\n"
    assert "skipped AGENTS.md:3: known: " in gitmem("import", "-v", at=repo.path).err


def test_without_rules_there_is_nothing_to_do(repo: Repo) -> None:
    repo.commit("first", {"a.py": "x = 1\n"})
    assert import_(repo).document["candidates"] == []


def test_rules_files_that_contradict_each_other_are_told(repo: Repo) -> None:
    files = {
        "AGENTS.md": "- Import icons from `@shop/icons` only\n",
        "CLAUDE.md": "- Import icons from `@shop/ui` only\n",
    }
    repo.commit("rules", files)
    first, second = import_(repo).document["candidates"]
    assert (first["conflicts"], second["conflicts"]) == ([], [first["id"]])
    held = candidates(repo)[1]["conflicts"]
    assert "@shop/ui against @shop/icons" in str(held)


@pytest.mark.parametrize(
    ("second", "conflicts"), [("## Server\n\n", 0), ("", 1)], ids=["two headings", "one heading"]
)
def test_what_one_file_says_under_two_headings_contradicts_nothing(
    repo: Repo, second: str, conflicts: int
) -> None:
    rules = f"# Rules\n\n## Web\n\n- Run `npm test` before you commit.\n\n{second}- Run `pytest` before you commit.\n"
    repo.commit("rules", {"CLAUDE.md": rules})
    assert [len(one["conflicts"]) for one in import_(repo).document["candidates"]] == [0, conflicts]
    held = gitmem("review", "--json", at=repo.path).document
    assert ("conflict" in {one["reason"] for one in held["queue"]}) is bool(conflicts)
