"""`gitmem recall` on the command line: the line an agent reads, the JSON document, and what is recorded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from gitmem.cli import quick_recall
from gitmem.store.ledger import RunLedger
from tests.support.cli import gitmem, gitmem_process
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

LISTED = memory(
    "retry",
    "A failed payment is retried three times",
    title="Retry of payments",
    scope="{elements: [Pay], paths: [src/pay/**], applies_to: [payments], does_not_apply_to: [reports, 보고서]}",
    verification="{probe: make test-pay}",
    created_at="2026-07-10",
    created_by="claude-code/sarah",
)
HOSTILE = memory(
    "hostile",
    '"zebra <script>alert(1)</script> \\e[31m \\u202e ::error::x [a](javascript:b) ![i](x)"',
    title='"**- [x]** `\\u200b"',
    scope='{paths: ["z*`**"], does_not_apply_to: ["a\\u001bb"]}',
    created_by='"\\e]0;x"',
)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    files = {path_of("retry"): LISTED, path_of("hostile"): HOSTILE, "src/pay/a.py": "x = 1\n"}
    made.commit(
        "Start", {**files, ".ai/elements.yaml": "version: 1\nelements:\n  Pay:\n    paths: [src/pay/**]\n"}
    )
    return made


def test_the_line_says_rule_author_and_age_and_the_next_where_it_applies(repo: Repo) -> None:
    done = gitmem("recall", "failed payment", at=repo.path)
    rule, where = done.out.splitlines()
    assert rule.startswith("- **Pay** [PITFALL] (claude-code/sarah, ")
    assert rule.endswith(" days ago): A failed payment is retried three times")
    assert where == "  applies to: payments · not for: reports, 보고서 · check: `make test-pay`"
    assert (done.code, done.err) == (0, "")


def test_the_document_has_every_factor_and_their_product_is_the_score(repo: Repo) -> None:
    document = gitmem("recall", "failed payment", "--json", at=repo.path).document
    assert list(document) == ["query", "vectors", "profile", "results", "remark", "problems"]
    (one,) = document["results"]
    factors = one["factors"]
    assert one["score"] == pytest.approx(
        factors["similarity"] * factors["kind"] * factors["freshness"] * factors["usage"] * factors["drift"]
    )
    assert (one["id"], one["kind"], one["status"], one["via"]) == ("retry", "pitfall", "active", None)
    assert one["does_not_apply_to"] == ["reports", "보고서"]
    assert one["verification"] == {"probe": "make test-pay"}
    assert one["validated_at"] == "2026-07-10"
    assert factors["semantic"] is None
    assert document["vectors"] is False


def test_an_anti_scope_that_says_none_is_not_told(repo: Repo) -> None:
    repo.commit(
        "More", {path_of("none"): memory("none", "Yak", scope="{paths: [y], does_not_apply_to: [none]}")}
    )
    assert "not for" not in gitmem("recall", "yak", at=repo.path).out


def test_explain_tells_each_score_and_the_profile(repo: Repo) -> None:
    out = gitmem("recall", "failed payment", "--explain", at=repo.path).out
    assert "× kind 3.00 × freshness" in out
    assert out.splitlines()[-1] == "profile default, words alone, without vectors"


def test_hostile_text_is_shown_and_never_obeyed(repo: Repo) -> None:
    done = gitmem("recall", "zebra", at=repo.path)
    assert not {"\x1b", "\u202e", "\u200b"} & set(done.out)
    assert "\\<script>" in done.out
    assert "\\![i\\](x)" in done.out
    assert all(line.startswith(("- **", "  ")) for line in done.out.splitlines())
    assert (
        gitmem("recall", "zebra", "--json", at=repo.path).document["results"][0]["created_by"] == "\x1b]0;x"
    )


# what is recorded
def events(repo: Repo, run: str) -> list[tuple[str, str | None, dict[str, object]]]:
    with RunLedger.open(repo.path) as ledger:
        return [(one.type, one.session, dict(one.payload)) for one in ledger.run(run).events()]


def test_with_a_session_one_event_tells_what_was_delivered(repo: Repo) -> None:
    done = gitmem_process("recall", "failed payment", "--session", "s1", at=repo.path)
    assert done.code == 0
    assert events(repo, "inbox") == [
        ("memory_delivered", "s1", {"ids": ["retry"], "query": "failed payment"})
    ]
    gitmem("run", "start", "task", at=repo.path)
    run = gitmem("run", "show", "--json", at=repo.path).document["run_id"]
    gitmem("recall", "failed payment", at=repo.path, environment={"GITMEM_SESSION": "s2"})
    assert events(repo, run)[-1][:2] == ("memory_delivered", "s2")


def test_without_a_session_or_an_answer_nothing_is_written(repo: Repo) -> None:
    gitmem("recall", "failed payment", at=repo.path)
    gitmem("recall", "quux", "--session", "s", at=repo.path)
    assert repo.git("for-each-ref", "refs/ai") == ""


def test_a_failure_to_record_fails_nobody(repo: Repo) -> None:
    done = gitmem("recall", "failed payment", "--session", "s", "--run", "no-such-run", at=repo.path)
    assert (done.code, done.err) == (0, "")
    assert "retried three times" in done.out


# without click
def test_options_are_those_of_the_ordinary_command() -> None:
    from gitmem.cli.recall import recall

    known = {name: one for one in recall.params if isinstance(one, click.Option) for name in one.opts}
    assert quick_recall.VALUES.keys() | quick_recall.FLAGS.keys() <= known.keys()
    assert all(not known[name].is_flag for name in quick_recall.VALUES)
    assert all(known[name].is_flag for name in quick_recall.FLAGS)


@pytest.mark.parametrize(
    "arguments",
    [
        ["failed payment", "--json"],
        ["--explain", "-n", "1", "payment zebra"],
        ["--path", "src/pay/a.py", "--path=src/b.py", "--element=Pay"],
        [""],
        ["payment", "--as-of", "HEAD"],
        ["payment", "-n", "0"],
        ["two", "words"],
        ["--unknown"],
        ["payment", "--path", "../outside"],
        ["payment", "--as-of", "no-such", "--json"],
    ],
)
def test_the_short_way_answers_as_the_ordinary_one(repo: Repo, arguments: list[str]) -> None:
    ordinary = gitmem("recall", *arguments, at=repo.path)
    short = gitmem_process("recall", *arguments, at=repo.path)
    assert short == ordinary


def test_a_plain_recall_loads_neither_click_nor_parsers(repo: Repo) -> None:
    gitmem("recall", "payment", at=repo.path)
    code = (
        "import sys; sys.argv = ['caller', 'recall', 'payment']\n"
        "from gitmem._main import main\nmain()\n"
        "print(sorted({'click', 'pygit2', 'yaml', 'ruamel', 'pydantic', 'tree_sitter', 'json'} & set(sys.modules)))"
    )
    assert _python(repo, code).splitlines()[-1] == "[]"


ROOT = Path(__file__).parents[2]
"""A process of its own runs the very gitmem that the tests run: another one trusts nothing that this one kept."""


def _python(repo: Repo, code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=repo.path,
        env={**repo.environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout
