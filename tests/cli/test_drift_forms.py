"""`gitmem drift`: options that contradict each other, and a range as a gate."""

from __future__ import annotations

import pytest

from tests.support.cli import gitmem
from tests.support.drifting import SHOP, confirmed, validated
from tests.support.repo import Repo


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--json", "--format", "sarif"), "--json and --format sarif name two forms"),
        (("--format", "text", "--json"), "--json and --format text name two forms"),
        (("--explain", "--format", "github"), "--explain has no form github"),
        (("--range", "HEAD....HEAD"), "--range HEAD....HEAD: not of the form BASE..HEAD"),
        (("--range", "HEAD"), "--range HEAD: not of the form BASE..HEAD"),
        (("--staged", "--range", "HEAD..HEAD"), "--staged and --range name two states to judge"),
    ],
)
def test_options_that_contradict_each_other_are_refused_with_a_cure(
    options: tuple[str, ...], said: str, repo: Repo
) -> None:
    validated(repo)
    done = gitmem("drift", *options, at=repo.path)
    assert done.code == 2
    assert said in done.err + done.out
    assert gitmem("drift", "--json", "--format", "json", at=repo.path).code == 0


def test_a_range_is_a_gate_that_its_own_cure_opens(repo: Repo) -> None:
    validated(repo)
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit("Change", {"src/shop.py": SHOP.replace("    log(order)\n", "    tell(order)\n")})
    gate = ("drift", "--range", "main..HEAD", "--exit-code")
    assert gitmem(*gate, at=repo.path).code == 1
    confirmed(repo.path, at="2026-07-15T10:00:00+09:00", ask=lambda _: True)
    repo.commit("Confirm")
    done = gitmem(*gate, at=repo.path)
    assert done.code == 0
    assert done.out.startswith("ANSWERED  m-001")
    assert done.out.endswith(
        "confirmed in this change by Ada, committed by Ada Tester <ada@example.org>\n1 checked: 0 touched, 1 answered, 0 challenged\n"
    )
    assert gitmem("drift", "--range", "main...HEAD", "--exit-code", at=repo.path).out == done.out
    assert gitmem(*gate, "--json", at=repo.path).document["memories"][0]["course"] == "answered"
    explained = gitmem(*gate, "--explain", at=repo.path)
    assert explained.code == 0
    assert "confirmed in this change by Ada" in explained.out
    markdown = gitmem("drift", "--range", "main..HEAD", "--format", "markdown", at=repo.path).out
    assert "- **ANSWERED** `m-001`" in markdown
