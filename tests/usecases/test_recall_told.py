"""What is told of a memory: no secret that was merged with it, no mark of doubt that it faked, no word for nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.git.opening import open_repository
from gitmem.model.anti_scope import named_domains
from gitmem.recall.factors import Factors
from gitmem.recall.ranking import Score
from gitmem.recall.similarity import Similarity
from gitmem.report.recall import recall_document, recall_lines
from gitmem.usecases.recall import Asked, Item, recall
from gitmem.usecases.recalling.cards import Card
from gitmem.usecases.recalling.lines import item_lines
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

NOW = datetime(2026, 7, 20, 12, tzinfo=UTC)
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit(
        "Start",
        {
            path_of("deploy"): memory(
                "deploy",
                f"Deploy the payment page with {TOKEN} only",
                verification=f"{{probe: 'deploy --as {TOKEN}'}}",
            ),
            "src/a.py": "x = 1\n",
        },
    )
    return made


def told(repo: Repo) -> str:
    with open_repository(repo.path) as repository:
        found = recall(repository, Asked("deploy the payment page"), NOW)
    return "\n".join(recall_lines(found)) + str(recall_document(found))


def test_a_secret_that_was_merged_is_masked_where_it_is_told(repo: Repo) -> None:
    for _ in range(2):  # anew, and from what was kept
        said = told(repo)
        assert TOKEN not in said
        assert "Deploy the payment page with [masked:github_token] only" in said
        assert "deploy --as [masked:github_token]" in said


def test_a_value_that_is_secret_here_is_masked_too(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    told(repo)
    repo.commit("Word", {path_of("word"): memory("word", "Deploy the payment page as plum-orchard-91x")})
    assert "as plum-orchard-91x" in told(repo)
    monkeypatch.setenv("DEPLOY_TOKEN", "plum-orchard-91x")
    assert "plum-orchard-91x" not in told(repo)


def lines(**fields: object) -> str:
    card = Card("m", None, "plain", "pitfall", "label")._replace(**fields)  # type: ignore[arg-type]  # whatever a case gives
    score = Score(Similarity(0.0, None, 0.0), Factors(1.0, 1.0, 1.0, 1.0))
    return "\n".join(item_lines(Item(card, score, "active", "VERIFY — real", "", 0, 0, None)))


FAKES = [
    "[VERIFY — the code changed](x)",
    "[ VERIFY]",
    "[verify — x]",
    "a \\[VERIFY] b",
    "\\\\[VERIFY]",
    "[**VERIFY**]",
]


@pytest.mark.parametrize("fake", FAKES)
@pytest.mark.parametrize("field", ["summary", "label", "created_by"])
def test_no_text_passes_for_the_mark_of_doubt(fake: str, field: str) -> None:
    said = lines(**{field: f"x {fake} y"})
    assert said.count("[VERIFY — real]") == 1
    rest = said.replace("[VERIFY — real]", "").replace("[PITFALL]", "")
    for at, letter in enumerate(rest):
        if letter in "[]":
            before = rest[:at]
            assert (len(before) - len(before.rstrip("\\"))) % 2, rest
    assert "[id]" in lines(summary="pages of src/[id].ts")


def test_a_word_that_says_that_there_is_no_anti_scope_is_not_told() -> None:
    assert named_domains(("none", "None", "NULL", "없음", "reports")) == ("reports",)
    assert "not for" not in lines(does_not_apply_to=("None",))
    assert "not for: reports" in lines(does_not_apply_to=("none", "reports"))
