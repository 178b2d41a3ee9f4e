"""What is told for a place, a link or its own title, and what is left out for a rules file."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.recall.repeating import is_always_loaded, repeated
from gitmem.store.ledger import RunLedger
from tests.support.cli import gitmem
from tests.support.memories import memory, path_of
from tests.support.repo import Repo
from tests.usecases.test_recall import answer, ids

ELEMENTS = "version: 1\nelements:\n  Billing:\n    paths: [src/billing/**]\n  Gateway:\n    paths: [src/gateway/**]\n"


def scoped(name: str, scope: str, summary: str = "Mind limits", **fields: str) -> dict[str, str]:
    return {path_of(name): memory(name, summary, scope=scope, **fields)}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    wide: dict[str, str] = {}
    for number in range(12):
        wide |= scoped(f"wide-{number}", "project", f"Rule {number}")
    made.commit(
        "Start",
        {
            **wide,
            **scoped("api", "{paths: [src/api/**]}"),
            **scoped("web", "{paths: [src/web/**]}"),
            **scoped("all", "{paths: [src/**], exclude: [src/old/**]}"),
            **scoped("named", "{elements: [Billing]}"),
            **scoped("bill", "{paths: [src/billing/tax.py]}"),
            **scoped("gate", "{paths: [src/gateway/**]}"),
            ".ai/elements.yaml": ELEMENTS,
            "src/api/a.py": "x = 1\n",
        },
    )
    return made


@pytest.mark.parametrize(
    ("paths", "elements", "wanted"),
    [
        (("src/api/a.py",), (), {"api", "all"}),
        (("src/api",), (), {"api", "all"}),
        (("src/billing/tax.py",), (), {"bill", "named", "all"}),
        (("src/billing/",), (), {"bill", "named", "all"}),
        (("src/old/a.py",), (), set()),
        (("other/a.py",), (), set()),
        ((), ("Billing",), {"bill", "named", "all"}),
        ((), ("Gateway",), {"gate", "all"}),
    ],
)
def test_what_is_named_gives_what_its_scopes_hold_and_no_sibling(
    repo: Repo, paths: tuple[str, ...], elements: tuple[str, ...], wanted: set[str]
) -> None:
    assert set(ids(answer(repo, paths=paths, elements=elements, most=50))) == wanted
    if paths:
        brief = gitmem("brief", "--path", paths[0], at=repo.path).out
        assert {
            name for name in ("api", "web", "all", "named", "bill", "gate") if f"`{name}`" in brief
        } == wanted


def test_words_find_beside_a_path(repo: Repo) -> None:
    assert "wide-7" in ids(answer(repo, "rule 7", paths=("src/api/a.py",), most=50))


def test_the_words_of_a_link_are_those_of_its_target(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    linkers: dict[str, str] = {}
    for number in range(3):
        said = "'See [[Caching of invoices]], [[Caching of invoices]]'"
        linkers |= scoped(
            f"linker-{number}",
            "project",
            said,
            body="'[[Caching of invoices]] [[Caching of invoices|zebra]]'",
        )
    repo.commit(
        "Start", {**linkers, **scoped("target", "project", "Never", title="Caching of invoices", kind="note")}
    )
    assert ids(answer(repo, "Caching of invoices")) == ["target"]
    assert len(ids(answer(repo, "zebra"))) == 4


def test_what_a_link_pulls_in_has_no_score_of_its_own_and_stands_behind_a_hit_of_words(
    tmp_path: Path,
) -> None:
    repo = Repo(tmp_path / "repo")
    linker = scoped("linker", "{paths: [a/**]}", "'Mind limits, see [[Target]] and [[ADR-1]]'")
    target = scoped("target", "project", "This is the one for all of the others", title="Target")
    repo.commit("Start", {**linker, **target, "docs/adr/0001-x.md": "# X\n", "b/y.py": "y"})
    for number in range(30):
        repo.commit(f"Change something {number}", {"b/y.py": f"{number}"})
    for number in range(3):
        repo.commit(f"Frobnicate the widget {number}", {"a/x.py": f"{number}"})
    by_place = answer(repo, "frobnicate the one of all the others")
    assert not [item for item in by_place.items if item.is_pulled and item.via == "linker"]
    told = answer(repo, "limits for all of the")
    assert [(item.card.id, item.is_pulled) for item in told.items] == [
        ("linker", False),
        ("target", True),
        ("adr:1", True),
    ]
    assert [item.score.value for item in told.items[1:]] == [0, 0]
    out = gitmem("recall", "limits", "--explain", at=repo.path).out
    assert out.count("linked by `linker`, not found by itself") == 2
    assert "0.000 = " not in out


def test_of_outcomes_that_score_alike_the_newest_is_first_and_is_called_by_its_day(repo: Repo) -> None:
    with RunLedger.open(repo.path) as ledger:
        for number, session in enumerate(("b", "c", "a")):
            ledger.run("run-1").append(
                event_type="session_ended",
                actor="codex",
                session=session,
                payload={"summary": "Fed the zebra"},
                at=f"2026-07-1{number}T12:00:00.000000Z",
            )
    told = answer(repo, "zebra")
    assert ids(told) == ["outcome:a", "outcome:c", "outcome:b"]
    assert told.items[0].card.label == "session of 2026-07-12"


@pytest.mark.parametrize(
    ("path", "head", "wanted"),
    [
        ("", "", True),
        ("", "---\npaths: x\n---\n", False),
        (".cursor/rules/css.mdc", "---\nglobs: '*.css'\nalwaysApply: false\n---\n", False),
        (".cursor/rules/css.mdc", "---\ndescription: alwaysApply\nalwaysApply: true\n---\n", True),
        (".cursor/rules/css.mdc", "---\r\nalwaysApply: true # yes\r\n---\r\n", True),
        (".cursor/rules/css.mdc", "", False),
        (".github/instructions/a.instructions.md", "---\napplyTo: '**'\n---\n", True),
        (".github/instructions/a.instructions.md", "---\napplyTo: '**/*.ts'\n---\n", False),
        (".claude/rules/a.md", "# All\n", True),
        (".claude/rules/a.md", "---\npaths:\n  - src/**\n---\n", False),
    ],
)
def test_only_a_file_that_is_always_loaded_says_it_already(path: str, head: str, wanted: bool) -> None:
    assert is_always_loaded(path, f"{head}Caches are cleared nightly.\n") is wanted


def test_a_rule_that_is_loaded_for_some_files_alone_leaves_nothing_out(repo: Repo) -> None:
    rule = "Caches are cleared nightly."
    cursor = "---\nalwaysApply: {}\n---\nCaches are [cleared](x) nightly.\n"
    repo.commit(
        "Cursor", {**scoped("cache", "project", rule), ".cursor/rules/css.mdc": cursor.format("false")}
    )
    assert ids(answer(repo, "caches")) == ["cache"]
    repo.commit("Always", {".cursor/rules/css.mdc": cursor.format("true")})
    assert ids(answer(repo, "caches")) == []


@pytest.mark.parametrize(
    "line", ["Caches are [cleared](x) nightly.", "**Caches** are [cleared][1] `nightly`"]
)
def test_a_link_in_a_rules_file_is_no_other_rule(line: str) -> None:
    assert repeated({"m": "Caches are cleared nightly."}, [line]) == {"m"}


RULE = "Amounts are integer cents and never floats"


@pytest.mark.parametrize(
    ("files", "hosts"),
    [
        ({"AGENTS.md": RULE}, {"codex", "cursor", "copilot", ""}),
        ({"CLAUDE.md": RULE}, {"claude-code", "copilot", ""}),
        ({"CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": RULE}, {"claude-code", "codex", "cursor", "copilot", ""}),
        ({"CLAUDE.md": "@docs/a.md\n", "docs/a.md": "@b.md\n", "docs/b.md": RULE}, {"claude-code"}),
        ({"AGENTS.md": "docs/a.md", "docs/a.md": f"@b.md\n{RULE}"}, {"codex", "cursor", "copilot"}),
        ({"GEMINI.md": RULE}, {"gemini", "copilot", ""}),
        (
            {".gemini/settings.json": '{"context": {"fileName": "AGENTS.md"}}', "AGENTS.md": RULE},
            {"codex", "cursor", "copilot", "gemini", ""},
        ),
        ({".cursor/rules/a.mdc": f"---\nalwaysApply: true\n---\n{RULE}\n"}, {"cursor", ""}),
        ({".claude/rules/a.md": RULE}, {"claude-code", "copilot", ""}),
        ({".github/copilot-instructions.md": RULE}, {"copilot", ""}),
    ],
)
def test_only_what_the_asking_agent_loads_is_left_out(
    tmp_path: Path, files: dict[str, str], hosts: set[str]
) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("Start", {**scoped("cents", "project", RULE), **files})
    agents = ("claude-code", "codex", "cursor", "gemini", "copilot", "")
    told = {host: ids(answer(repo, "integer cents floats", host=host)) for host in agents}
    assert {host for host, found in told.items() if not found} == hosts


def test_a_brief_leaves_out_what_the_agent_loads_once_it_is_imported(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit("Start", {**scoped("cents", "project", RULE), "CLAUDE.md": "@docs/a.md\n", "AGENTS.md": RULE})

    def brief(actor: str) -> str:
        return gitmem("brief", "--task", "integer cents floats", "--actor", actor, at=repo.path).out

    assert [RULE in brief(actor) for actor in ("claude-code", "codex", "human")] == [True, False, False]
    repo.commit("Write the imported file", {"docs/a.md": RULE})
    assert RULE not in brief("claude-code")
    repo.commit("Write it anew", {"docs/a.md": "Nothing of that kind"})
    assert RULE in brief("claude-code")


def test_a_common_word_drowns_nothing_whose_scope_holds_the_touched_path(tmp_path: Path) -> None:
    made = Repo(tmp_path / "drowned")
    screens = [
        scoped(f"web-{at}", "{paths: [src/web/**]}", f"Screens {at} show a change at once.")
        for at in range(6)
    ]
    made.commit(
        "Start",
        {**{path: text for one in screens for path, text in one.items()}, **scoped("bill", "{paths: [src/billing/**]}", "Totals are cents.")},
    )  # fmt: skip
    told = ids(answer(made, "change the amount shown", paths=("src/billing/tax.py",)))
    assert (len(told), told[-1]) == (5, "bill")
    assert "bill" not in ids(answer(made, "change the amount shown", paths=("src/other/tax.py",)))


def test_a_folder_weighs_as_much_as_the_files_in_it(repo: Repo) -> None:
    by_folder, by_file = (
        {one.card.id: one.score.similarity.place for one in answer(repo, "", paths=(path,)).items}
        for path in ("src/api", "src/api/a.py")
    )
    assert by_folder["api"] == pytest.approx(by_file["api"])
    assert by_folder["api"] > 0.1


@pytest.mark.parametrize("query", ["3", "a 5", "9c3d3e0a", "upgrade to 3.12"])
def test_single_letters_and_small_numbers_find_nothing(tmp_path: Path, query: str) -> None:
    made = Repo(tmp_path / "few")
    made.commit("Start", {**scoped("deploy", "project", "No deploys after 3 pm, 5 a day, 12 a week, c d e")})
    assert ids(answer(made, query)) == []
