"""`gitmem gate` as people and programs see it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gitmem.model.policy import ALLOWED_TYPES
from gitmem.store.ledger import RunLedger
from gitmem.usecases.candidates import load_candidates
from tests.support.candidates import LESSON, lesson, told
from tests.support.cli import Done, gitmem
from tests.support.drifting import CODE
from tests.support.memories import hosted, hosted_copy, memory, path_of
from tests.support.repo import Repo

POLICY = ".ai/policies/memory-policy.yaml"
HOSTILE = "Maybe \x1b[2J\u202e::error::x `ok` $(rm -rf x)"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    hosted(folder, {**CODE, path_of(): memory()})
    return folder


@pytest.fixture
def clone(made: Path, tmp_path: Path) -> Repo:
    return hosted_copy(made, tmp_path)[1]


def gate(repo: Repo, *words: str, **settings: Any) -> Done:
    return gitmem("gate", *words, at=repo.path, **settings)


def test_the_screen_says_what_speaks_against_it_first_and_what_would_cure_it(clone: Repo) -> None:
    told(clone, lesson(summary="아마 재시도 때문이다", type=None))
    done = gate(clone, LESSON.id)
    assert done.code == 1
    assert done.out.splitlines() == [
        f"{LESSON.id}  refused  아마 재시도 때문이다",
        "  failed  unverified_guess: it says “아마”",
        "          → find out, then say it without doubt",
        "  held    type_allowed: it has no type",
        f"          → --type, one of {', '.join(ALLOWED_TYPES)}",
        "  person  accepted_review: nobody has reviewed it yet",
        "          → a person merges the pull request, or --evidence review:NAME of one that passed",
        "  18 rules passed, 11 do not apply (-v shows them)",
    ]


def test_verbose_tells_every_rule(clone: Repo) -> None:
    told(clone)
    few, all_ = gate(clone, LESSON.id), gate(clone, LESSON.id, "-v")
    assert len(all_.out.splitlines()) > 30
    assert "  passed  scope\n" in all_.out
    assert "  –       failure_class: it names none\n" in all_.out
    assert len(few.out.splitlines()) < 8


def test_the_document_of_one(clone: Repo) -> None:
    told(clone)
    done = gate(clone, LESSON.id, "--json")
    document = done.document
    assert (done.code, document["subject"], document["decision"]) == (1, LESSON.id, "needs_human")
    assert {one["rule"] for one in document["rules"]} > {"failure_class", "scope", "accepted_review"}
    assert {tuple(one) for one in document["rules"]} == {("rule", "outcome", "reason", "cure")}
    assert document["policy"] == {"of": "origin/main", "commit": clone.head()}
    assert document["kind"] == "candidate"


def test_the_document_of_all_is_a_list_even_of_one_or_none(clone: Repo) -> None:
    assert gate(clone, "--json").document["subjects"] == []
    told(clone)
    clone.write(path_of("m-9"), memory("m-9", "Prices are integers"))
    document = gate(clone, "--json").document
    assert [(one["subject"], one["kind"], one["file"]) for one in document["subjects"]] == [
        (LESSON.id, "candidate", None),
        ("m-9", "memory", path_of("m-9")),
    ]
    assert document["subjects"][1]["blob"] == clone.git("hash-object", path_of("m-9"))


def test_nothing_to_judge_is_no_failure(clone: Repo) -> None:
    done = gate(clone)
    assert (done.code, done.out) == (0, "")
    assert "no open candidate" in done.err


def test_an_accepted_one_exits_zero(clone: Repo) -> None:
    clone.commit("Policy", {POLICY: "version: 1\npromotion:\n  require: [evidence]\n"})
    clone.git("push", "-q")
    told(clone)
    done = gate(clone)
    assert (done.code, done.out.splitlines()[0]) == (0, f"{LESSON.id}  accepted  {LESSON.summary}")


def test_a_file_is_named_from_where_one_stands(clone: Repo) -> None:
    clone.write(path_of("m-9"), memory("m-9", "Prices are integers"))
    done = gitmem("gate", "m-9.yaml", "--json", at=clone.path / ".ai/memory")
    assert done.document["subject"] == "m-9"


def test_a_file_that_is_approved_as_it_stands_passes_whatever_a_rule_would_say_of_it(clone: Repo) -> None:
    done = gate(clone, path_of(), "--record")
    assert (done.code, done.out) == (0, "m-001  approved and unchanged  The gateway strips X- headers\n")
    assert decisions(clone) == []
    clone.write(path_of(), memory(status="challenged", challenged_at="2026-07-15"))
    assert gate(clone, path_of()).code == 0


def test_an_edit_of_it_is_judged(clone: Repo) -> None:
    clone.write(path_of(), memory(summary="게이트웨이는 아마 헤더를 지운다"))
    done = gate(clone, path_of())
    assert (done.code, "unverified_guess" in done.out) == (1, True)


@pytest.mark.parametrize("moved", [False, True], ids=["beside it", "moved"])
def test_a_file_whose_id_an_approved_one_has_is_refused(clone: Repo, *, moved: bool) -> None:
    if moved:
        clone.git("rm", "-q", path_of())
    clone.write(".ai/memory/elsewhere/m-001.yaml", memory(summary="Other words of the gateway"))
    done = gate(clone, ".ai/memory/elsewhere/m-001.yaml", "--fail-on", "refuse")
    assert (done.code, f"is taken by {path_of()}" in done.out) == ((0, False) if moved else (1, True))


def test_the_beginning_of_an_id_is_enough(clone: Repo) -> None:
    told(clone)
    assert gate(clone, LESSON.id[:-3], "--json").document["subject"] == LESSON.id


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("candidate-gone",), 3, "no candidate 'candidate-gone'"),
        ((".ai/memory/gone.yaml",), 3, "no such memory file"),
        (("--base", "gone"), 3, "no such revision"),
        (("--bas",), 2, "--bas"),
    ],
)
def test_what_is_not_there(clone: Repo, words: tuple[str, ...], code: int, said: str) -> None:
    done = gate(clone, *words)
    assert (done.code, done.out) == (code, "")
    assert said in done.err


def test_a_broken_policy_is_named_with_its_line(clone: Repo) -> None:
    clone.commit("Break", {POLICY: "version: 1\npromotion:\n  require: [evidense]\n"})
    clone.git("push", "-q")
    done = gate(clone, "--json")
    assert done.code == 3
    assert done.document["error"]["path"] == POLICY
    assert done.document["error"]["line"] == 3
    assert "refuses to guess" in done.document["error"]["message"]


def test_a_looser_policy_of_the_branch_is_said_on_stderr(clone: Repo) -> None:
    clone.write(POLICY, "version: 1\ndurable_memory:\n  deny: []\n")
    told(clone)
    done = gate(clone)
    assert "is looser than that of origin/main, which counts: durable_memory.deny drops" in done.err
    assert "looser" not in done.out
    assert len(gate(clone, "--json").document["remarks"]) == 1


def test_remote_asks_the_server(clone: Repo) -> None:
    told(clone)
    assert "origin says so too" in gate(clone, "--remote").err
    clone.git("update-ref", "refs/remotes/origin/main", clone.commit("Forged"))
    assert "origin's default branch stands at" in gate(clone, "--remote").err


# recording
def decisions(repo: Repo) -> list[Any]:
    with RunLedger.open(repo.path) as ledger:
        return list(load_candidates(ledger).decisions)


def test_nothing_is_written_without_being_asked(clone: Repo) -> None:
    told(clone)
    gate(clone)
    assert decisions(clone) == []


def test_record_writes_the_decision_with_its_scorecard_once(clone: Repo) -> None:
    told(clone)
    assert gate(clone, "--record", "--actor", "ci").code == 1
    assert gate(clone, "--record", "--actor", "ci").code == 1
    (one,) = decisions(clone)
    assert (one.candidate, one.decision, one.by, one.run) == (LESSON.id, "needs_human", "ci", "inbox")
    assert one.reason == "accepted_review: nobody has reviewed it yet"
    assert (one.scorecard["policy"], one.scorecard["head"]) == (clone.head(), clone.head())
    assert {"rule": "scope", "outcome": "passed"} in one.scorecard["rules"]
    clone.commit("Change", {"src/shop.py": "x = 1\n"})
    gate(clone, "--record")
    assert len(decisions(clone)) == 2


def test_the_decision_on_a_file_names_exactly_its_blob(clone: Repo) -> None:
    clone.write(path_of("m-9"), memory("m-9", "Prices are integers"))
    gate(clone, path_of("m-9"), "--record")
    (one,) = decisions(clone)
    assert (one.memory, one.blob) == ("m-9", clone.git("hash-object", path_of("m-9")))
    assert one.scorecard["of"] == one.blob
    clone.write(path_of("m-9"), memory("m-9", "Prices are whole numbers"))
    gate(clone, path_of("m-9"), "--record")
    assert len({one.blob for one in decisions(clone)}) == 2


def test_a_recorded_decision_leaves_a_candidate_where_it_stands(clone: Repo) -> None:
    told(clone)
    gate(clone, "--record")
    assert gate(clone, "--json").document["subjects"][0]["subject"] == LESSON.id


def test_the_current_run_or_a_named_one_takes_the_decision(clone: Repo) -> None:
    told(clone)
    gitmem("run", "start", "gating", at=clone.path)
    gate(clone, "--record")
    assert decisions(clone)[0].run != "inbox"
    assert gate(clone, "--record", "--run", "nowhere").code == 3


# hostile text
def test_text_of_a_candidate_never_reaches_the_terminal_as_it_is(clone: Repo) -> None:
    told(clone, lesson(summary=HOSTILE))
    for words in ((), ("-v",), ("--json",)):
        done = gate(clone, *words, environment={"GITHUB_ACTIONS": "true"})
        for character in ("\x1b", "\u202e"):
            assert character not in done.out + done.err
        if "--json" not in words:
            first = done.out.splitlines()[0]
            assert first.startswith("::stop-commands::")


def test_a_large_hostile_file_is_answered(clone: Repo) -> None:
    clone.write(path_of("m-9"), memory("m-9", "x" * 50_000))
    clone.write(path_of("m-8"), "a: &a [*a]\n" * 20_000)
    done = gate(clone)
    assert done.code == 1
    assert done.out.count("refused") == 2
