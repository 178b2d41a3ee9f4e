"""`gitmem remember --from`: documents of others, one or many lessons each."""

from __future__ import annotations

import json

import pytest

from tests.cli.test_remember import candidates, remember
from tests.store.seeds import FOLDER, seed
from tests.support.repo import Repo


@pytest.mark.parametrize(
    ("name", "summaries"),
    [
        (
            "awtl-candidate.json",
            ["public response schema가 바뀌는 경우 contract artifact와 verifier evidence를 함께 갱신한다."],
        ),
        (
            "candidates.json",
            [
                "비동기 제출 함수는 ViewModel에서 중복 진입을 막고 실패 후 상태를 복구한다.",
                "PaymentAPI 변경은 payment-owner 승인이 필요하다.",
            ],
        ),
        ("memory-20260713-001.yaml", ["중복 제출은 ViewModel의 isSubmitting guard로 차단한다."]),
        ("memory-20260713-001.approved.yaml", ["중복 제출은 ViewModel의 isSubmitting guard로 차단한다."]),
        ("memory-architecture-014.yaml", ["Checkout 화면 상태는 ViewModel이 소유한다."]),
    ],
)
def test_every_example_is_taken_in_as_a_candidate_whatever_it_says_of_its_approval(
    repo: Repo, name: str, summaries: list[str]
) -> None:
    done = remember(repo, "--from", str(FOLDER / name))
    assert done.code == 0, done.err
    held = candidates(repo)
    assert [one["summary"] for one in held] == summaries
    for one in held:
        assert one["status"] == "candidate"
        assert not {"approved_by", "approved_at", "validated_by", "last_validated_at"} & one.keys()
    again = remember(repo, "--from", "-", stdin=seed(name).decode())
    assert (again.code, len(candidates(repo))) == (0, len(summaries))
    assert f"{len(summaries)} known already" in again.err


def test_the_form_of_another_tool_is_marked_imported_and_keeps_its_fields(repo: Repo) -> None:
    remember(repo, "--from", str(FOLDER / "awtl-candidate.json"), "--actor", "codex")
    (held,) = candidates(repo)
    assert (held["id"], held["requires_human_review"]) == ("memcand-demo-a", True)
    assert held["origin"]["imported"] == "awtl.memory_candidate.v2"  # type: ignore[index]
    assert held["scope"] == {
        "applies_to": ["public_api", "contract_change"],
        "does_not_apply_to": ["internal_refactor", "test_only_change"],
    }
    assert held["verification"] == {"probe": "public-contract-regression"}
    assert "schema" not in held


def test_a_record_without_words_is_named_with_the_cure(repo: Repo) -> None:
    done = remember(repo, "--from", str(FOLDER / "lifecycle.json"))
    assert (done.code, done.out) == (1, "")
    assert "has no words of its own" in done.err
    assert done.err.endswith("1 failed\n")


def test_what_fails_is_named_by_its_line_and_the_others_go_in(repo: Repo) -> None:
    document = """\
memory_candidates:
  - summary: The gateway drops the key
    type: module_constraint
  - summary: Another rule of the queue
    kind: rule
  - type: note
  - summary: A third rule about retries
    summary: twice
  - summary: The token is ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8 here
  - summary: Ids are opaque to clients
    evidnce: [test:a]
"""
    repo.write("many.yaml", document)
    done = remember(repo, "--from", "many.yaml")
    assert done.code == 1
    assert [one["summary"] for one in candidates(repo)] == [
        "The gateway drops the key",
        "Ids are opaque to clients",
    ]
    said = done.err.splitlines()
    assert said[0].startswith("many.yaml:5:11: error: ")
    assert "pitfall" in said[0]
    assert said[1].startswith("many.yaml:6:5: error: summary is missing")
    assert said[2].startswith("many.yaml:8:5: error: summary is given twice, first on line 7")
    assert said[3].startswith("many.yaml:11:5: warning: unknown field evidnce (did you mean evidence?)")
    assert said[4].startswith("many.yaml:9: error: ")
    assert "ghp_" not in said[4]
    assert said[-1] == "2 stored, 4 failed"


def test_json_names_lines_too(repo: Repo) -> None:
    document = '[\n {"summary": "The gateway drops the key"},\n {"summary": "x", "kind": "rule"},\n {"a": 1,\n  "a": 2}\n]'
    done = remember(repo, "--from", "-", "--json", stdin=document)
    assert (done.code, done.document["failed"], len(done.document["remembered"])) == (1, 2, 1)
    places = [(one["file"], one["line"], one["column"]) for one in done.document["problems"]]
    assert {("standard input", 3, 27), ("standard input", 5, 3)} <= set(places)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("{", "not readable as JSON"),
        ("a: &x [*x]", "error"),
        ("[" * 100_000, "error"),
        ("just words", "mapping"),
        ('{"summary": "\\ud800"}', "surrogate"),
        ("", "mapping"),
    ],
)
def test_what_cannot_be_read_is_one_problem_and_stores_nothing(repo: Repo, document: str, said: str) -> None:
    done = remember(repo, "--from", "-", stdin=document)
    assert (done.code, done.out) == (1, "")
    assert said in done.err
    assert repo.git("for-each-ref", "refs/ai") == ""


def test_an_id_that_is_taken_by_other_words_is_refused(repo: Repo) -> None:
    first = json.dumps({"id": "c-001", "summary": "The gateway drops the key"})
    remember(repo, "--from", "-", stdin=first)
    done = remember(repo, "--from", "-", stdin=json.dumps({"id": "c-001", "summary": "Ids are opaque"}))
    assert done.code == 1
    assert "the id c-001 is taken by another candidate or memory" in done.err
    assert len(candidates(repo)) == 1


def test_two_of_one_document_that_say_the_same_are_stored_once(repo: Repo) -> None:
    document = json.dumps(
        [{"summary": "The gateway drops the key"}, {"summary": "the gateway drops the key."}]
    )
    done = remember(repo, "--from", "-", "--json", stdin=document).document
    first, second = done["remembered"]
    assert second["deduplicated"]
    assert first["candidate"] == second["candidate"]
    assert len(candidates(repo)) == 1


def test_the_fixing_commit_is_looked_up(repo: Repo) -> None:
    head = repo.commit("Fix", {"a.py": "x = 1\n"})
    known = json.dumps({"summary": "The gateway drops the key", "fixed_by": head[:10]})
    assert remember(repo, "--from", "-", stdin=known).code == 0
    assert candidates(repo)[0]["fixed_by"] == head
    unknown = json.dumps({"summary": "Ids are opaque to clients", "fixed_by": "1234567"})
    assert "no such commit here" in remember(repo, "--from", "-", stdin=unknown).err
