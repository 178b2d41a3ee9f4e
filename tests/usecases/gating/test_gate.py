"""The gate over real repositories: what it takes from git and from the ledger, and what no file can claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from gitmem.errors import InvalidDataError, NotFoundError
from gitmem.model.memory import Evidence, Memory, Origin, Scope, Verification
from gitmem.promotion.ruling import GateDecision, Outcome
from gitmem.store.ledger import RunLedger
from gitmem.usecases.candidates import record_decision
from gitmem.usecases.gate import Gate, Gated, gate_candidate, gate_memory
from gitmem.usecases.gating.asked import GateAnswer, ask_gate
from gitmem.usecases.runs.inbox import inbox
from gitmem.usecases.runs.recording import Teller
from tests.support.candidates import ADA, LESSON, candidate, lesson, told
from tests.support.cli import gitmem
from tests.support.memories import hosted, hosted_copy, memory, path_of
from tests.support.repo import Repo

FILES = {
    "src/shop.py": "def send(order):\n    ship(order)\n    return order.id\n\n\ndef ship(order):\n    print(order)\n",
    "tests/test_shop.py": "def test_once():\n    assert True\n",
    path_of(): memory(summary="The gateway strips X- headers"),
}
TEST = "tests/test_shop.py::test_once"
POLICY = ".ai/policies/memory-policy.yaml"
DAY = date(2026, 7, 20)
CODEX = Teller("codex")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    hosted(folder, FILES)
    return folder


@pytest.fixture
def clone(made: Path, tmp_path: Path) -> Repo:
    return hosted_copy(made, tmp_path)[1]


@contextmanager
def gate(repo: Repo, **asked: Any) -> Iterator[Gate]:
    with RunLedger.open(repo.path) as ledger:
        yield Gate(ledger, today=DAY, **asked)


def gated(repo: Repo, name: str = LESSON.id, **asked: Any) -> Gated:
    with gate(repo, **asked) as opened:
        return opened.candidate(opened.candidates.find(name))


def file_gated(repo: Repo, path: str, **asked: Any) -> Gated:
    with gate(repo, worktree=True, **asked) as opened:
        (one,) = ask_gate(opened, [path]).gated
        return one


def answer(repo: Repo, *words: str, **asked: Any) -> GateAnswer:
    with gate(repo, worktree=True, **asked) as opened:
        return ask_gate(opened, words)


def outcome(one: Gated, rule: str) -> Outcome:
    return next(result.outcome for result in one.results if result.rule == rule)


def reason(one: Gated, rule: str) -> str:
    return next(result.reason for result in one.results if result.rule == rule)


def lacking(one: Gated) -> list[str]:
    return [result.rule for result in one.lacking]


def tell(repo: Repo, event_type: str, payload: dict[str, Any], run: str = "run-1", **more: Any) -> str:
    with RunLedger.open(repo.path) as ledger:
        return ledger.run(run).append(event_type=event_type, actor="codex", payload=payload, **more).commit


def decide(repo: Repo, decision: str, name: str = LESSON.id, **more: Any) -> None:
    with RunLedger.open(repo.path) as ledger:
        record_decision(inbox(ledger), name, decision, ADA, **more)


# the whole
def test_a_persons_own_lesson_waits_for_a_review_alone(clone: Repo) -> None:
    told(clone)
    one = gated(clone)
    assert (one.decision, lacking(one)) == (GateDecision.NEEDS_HUMAN, ["accepted_review"])


def test_a_lesson_from_a_failure_with_all_its_evidence_is_accepted(clone: Repo) -> None:
    failure = tell(clone, "test_failed", {"failing": [TEST], "failure_class": "agent_failure"})
    tell(clone, "approach_rejected", {"approach": "a lock", "reason": "two processes"})
    fix = clone.commit("Fix", {"src/shop.py": FILES["src/shop.py"].replace("print", "post")})
    clone.git("push", "-q")
    tell(clone, "test_passed", {"command": "pytest -v", "tests": [TEST]})
    tell(clone, "review_passed", {"artifact": "review.json"}, artifacts={"review.json": b"{}"})
    fields: dict[str, Any] = {
        "type": "verified_fix_pattern",
        "evidence": Evidence(tests=(TEST,), reviews=("review.json",), commits=(fix,)),
        "origin": Origin(run="run-1", source_events=(failure,), failure_class="agent_failure"),
    }
    told(clone, lesson(**fields), teller=CODEX, fixed_by=fix)
    one = gated(clone)
    assert (one.decision, one.lacking) == (GateDecision.ACCEPT, ())
    assert "passed" in reason(one, "evidence_sources")


def test_the_two_short_forms_say_the_same(clone: Repo) -> None:
    told(clone)
    with RunLedger.open(clone.path) as ledger:
        one = gate_candidate(ledger, candidate(clone))
        other = gate_memory(ledger, lesson(file=".ai/memory/x.yaml"))
    assert one.decision is other.decision is GateDecision.NEEDS_HUMAN


def test_it_writes_nothing(clone: Repo) -> None:
    told(clone)
    clone.write(path_of("m-002"), memory("m-002", "Prices are integers"))
    before = (clone.git("for-each-ref"), clone.git("status", "--porcelain"), clone.git("count-objects"))
    assert len(answer(clone).gated) == 2
    assert (
        clone.git("for-each-ref"),
        clone.git("status", "--porcelain"),
        clone.git("count-objects"),
    ) == before


# the code of today
def test_a_lesson_whose_code_changed_since_is_stale(clone: Repo) -> None:
    told(clone)
    assert outcome(gated(clone), "stale_rule") is Outcome.PASSED
    clone.commit("Change", {"src/shop.py": "def send(order):\n    queue(order)\n    return None\n"})
    one = gated(clone)
    assert (one.decision, outcome(one, "stale_rule")) == (GateDecision.REFUSE, Outcome.FAILED)
    assert "src/shop.py" in reason(one, "stale_rule")


def test_a_comment_makes_nothing_stale(clone: Repo) -> None:
    told(clone)
    clone.commit("Comment", {"src/shop.py": "# the shop\n" + FILES["src/shop.py"]})
    assert outcome(gated(clone), "stale_rule") is Outcome.PASSED


def test_what_is_told_before_the_commit_is_about_what_is_committed(clone: Repo) -> None:
    clone.write("src/shop.py", "def send(order):\n    queue(order)\n    return None\n")
    with RunLedger.open(clone.path) as ledger:
        from gitmem.usecases.candidates import record_candidate

        record_candidate(ledger.run("run-1"), LESSON, CODEX)
    commit = clone.commit("Queue")
    tell(clone, "commit_recorded", {"commit": commit, "subject": "Queue"})
    assert outcome(gated(clone), "stale_rule") is Outcome.PASSED


@pytest.mark.parametrize(
    ("scope", "said"),
    [
        (Scope(paths=("src/gone/**",), does_not_apply_to=("none",)), "its scope matches no file"),
        (Scope(elements=("Chekout",), does_not_apply_to=("none",)), "no element is called Chekout"),
    ],
)
def test_a_scope_that_finds_nothing_is_stale(clone: Repo, scope: Scope, said: str) -> None:
    told(clone, lesson(scope=scope))
    assert reason(gated(clone), "stale_rule") == said


def test_a_lesson_for_the_whole_project_is_not_looked_for(clone: Repo) -> None:
    told(clone, lesson(scope=Scope(project=True, does_not_apply_to=("none",))))
    assert lacking(gated(clone)) == ["accepted_review"]


# what is known
def test_what_an_approved_memory_says_is_a_duplicate(clone: Repo) -> None:
    told(
        clone,
        lesson(
            summary="the gateway strips X- headers",
            scope=Scope(paths=("src/**",), does_not_apply_to=("none",)),
        ),
    )
    one = gated(clone)
    assert (one.decision, reason(one, "duplicated_memory")) == (GateDecision.REFUSE, "m-001 says the same")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Repository가 재시도 정책을 관리한다.", "UseCase가 재시도 정책을 관리한다."),
        ("The Repository manages the retry policy.", "The UseCase manages the retry policy."),
        ("재시도는 최대 3번이다.", "재시도는 최대 5번이다."),
    ],
)
def test_a_contradiction_waits_for_a_persons_answer(clone: Repo, old: str, new: str) -> None:
    clone.commit("Add", {path_of("memory-021"): memory("memory-021", old)})
    clone.git("push", "-q")
    fresh = lesson(summary=new, title=None, scope=Scope(paths=("src/**",), does_not_apply_to=("none",)))
    told(clone, fresh)
    rule = "no_conflict_with_existing_memory"
    one = gated(clone)
    assert (one.decision, outcome(one, rule)) == (GateDecision.HOLD, Outcome.HELD)
    assert reason(one, rule).startswith("memory-021 may say otherwise: ")
    decide(clone, "both_hold", memory="memory-021", reason="two layers")
    assert outcome(gated(clone), rule) is Outcome.PASSED


def test_an_answer_about_another_memory_answers_nothing(clone: Repo) -> None:
    clone.commit("Add", {path_of("memory-021"): memory("memory-021", "재시도는 최대 3번이다.")})
    clone.git("push", "-q")
    told(
        clone,
        lesson(
            summary="재시도는 최대 5번이다.",
            title=None,
            scope=Scope(paths=("src/**",), does_not_apply_to=("none",)),
        ),
    )
    decide(clone, "both_hold", memory="memory-022")
    assert outcome(gated(clone), "no_conflict_with_existing_memory") is Outcome.HELD


def test_what_supersedes_a_memory_neither_repeats_nor_contradicts_it(clone: Repo) -> None:
    clone.commit("Add", {path_of("memory-021"): memory("memory-021", "재시도는 최대 3번이다.")})
    clone.git("push", "-q")
    fresh = lesson(
        summary="재시도는 최대 5번이다.",
        title=None,
        supersedes=("memory-021",),
        scope=Scope(paths=("src/**",), does_not_apply_to=("none",)),
    )
    told(clone, fresh)
    assert lacking(gated(clone)) == ["accepted_review"]


def test_a_denied_fact_blocks_its_near_duplicate_and_says_who_denied_it(clone: Repo) -> None:
    told(clone, lesson("candidate-1", "`send` ships an order before it answers."), lesson())
    decide(clone, "denied", "candidate-1", reason="only in the old shop")
    one = gated(clone)
    assert (one.decision, outcome(one, "denied_before")) == (GateDecision.REFUSE, Outcome.FAILED)
    assert "candidate-1 said so and was denied by human on" in reason(one, "denied_before")
    assert reason(one, "denied_before").endswith(": only in the old shop")


def test_a_denied_candidate_stays_denied(clone: Repo) -> None:
    told(clone)
    decide(clone, "denied", reason="no")
    assert outcome(gated(clone), "denied_before") is Outcome.FAILED


def test_two_candidates_that_say_the_same_are_told_of_each_other(clone: Repo) -> None:
    told(clone, lesson(), lesson("candidate-2"))
    assert reason(gated(clone), "duplicated_note") == "candidate-2 says the same"


def test_a_proposal_is_no_duplicate_of_the_candidate_that_it_comes_from(clone: Repo) -> None:
    told(clone)
    clone.write(
        path_of("m-9"),
        memory(
            "m-9",
            f"'{LESSON.summary}'",
            scope="{paths: [src/shop.py], does_not_apply_to: [none]}",
            origin=f"{{candidate: {LESSON.id}, system: human}}",
        ),
    )
    one = file_gated(clone, path_of("m-9"))
    assert lacking(one) == ["accepted_review"]


# proposals
def test_two_files_with_one_id_are_two_proposals_of_one_thing(clone: Repo) -> None:
    for folder in ("a", "b"):
        clone.write(f".ai/memory/{folder}/m-9.yaml", memory("m-9", f"Prices are integers in {folder}"))
    told_of = [one for one in answer(clone).gated if one.subject == "m-9"]
    assert [outcome(one, "one_proposal") for one in told_of] == [Outcome.FAILED, Outcome.FAILED]
    assert ".ai/memory/b/m-9.yaml has its id" in reason(told_of[0], "one_proposal")


def test_two_files_of_one_candidate_are_two_proposals_of_one_thing(clone: Repo) -> None:
    told(clone)
    for name in ("m-8", "m-9"):
        clone.write(
            path_of(name),
            memory(name, f"Prices are integers in {name}", origin=f"{{candidate: {LESSON.id}}}"),
        )
    one = file_gated(clone, path_of("m-9"))
    assert f"m-8 comes from {LESSON.id} too" in reason(one, "one_proposal")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"approved_by": "mallory"}, "approved_by: mallory"),
        ({"approved_at": "2026-07-13"}, "approved_at: 2026-07-13"),
        ({"validated_by": "replay"}, "validated_by: replay"),
    ],
)
def test_what_a_file_claims_of_its_approval_holds_it(clone: Repo, fields: dict[str, str], said: str) -> None:
    clone.write(path_of("m-9"), memory("m-9", "Prices are integers", **fields))
    one = file_gated(clone, path_of("m-9"))
    assert outcome(one, "claims") is Outcome.HELD
    assert said in reason(one, "claims")


def test_a_file_that_says_active_is_judged_like_any_other(clone: Repo) -> None:
    clone.write(
        path_of("m-9"), memory("m-9", "Maybe prices are integers", status="approved", approved_by="human")
    )
    assert file_gated(clone, path_of("m-9")).decision is GateDecision.REFUSE


def test_a_file_that_cannot_be_read_is_refused_and_hides_no_other(clone: Repo) -> None:
    clone.write(path_of("m-8"), "id: m-8\nsummary: [\n")
    clone.write(path_of("m-9"), memory("m-9", "Prices are integers"))
    broken, whole = answer(clone).gated
    assert (broken.subject, broken.decision, lacking(broken)) == (
        path_of("m-8"),
        GateDecision.REFUSE,
        ["readable"],
    )
    assert reason(broken, "readable").startswith("line ")
    assert whole.subject == "m-9"


def test_what_is_merged_has_been_approved_by_a_person(clone: Repo) -> None:
    one = file_gated(clone, "m-001")
    assert (one.decision, outcome(one, "accepted_review")) == (GateDecision.ACCEPT, Outcome.PASSED)
    assert reason(one, "evidence") == "nothing but its words says so; a person merged it"
    assert answer(clone).gated == ()


def test_free_fields_propose_nothing_and_other_words_do(clone: Repo) -> None:
    clone.write(path_of(), memory(status="challenged", review_after="2099-01-01"))
    assert answer(clone).gated == ()
    clone.write(path_of(), memory(summary="The gateway keeps X- headers"))
    (one,) = answer(clone).gated
    assert outcome(one, "accepted_review") is Outcome.NEEDS_HUMAN


def test_a_branch_that_lags_behind_proposes_nothing(clone: Repo) -> None:
    clone.git("branch", "old")
    clone.commit("More", {path_of("m-9"): memory("m-9", "Prices are integers")})
    clone.git("push", "-q")
    clone.git("switch", "-q", "old")
    assert answer(clone).gated == ()


# replay
def test_only_a_replay_of_exactly_these_words_counts(clone: Repo) -> None:
    told(clone, lesson(verification=Verification("make contract")))
    assert outcome(gated(clone), "replay") is Outcome.NOT_APPLICABLE
    of = candidate(clone).commit
    decide(clone, "replayed", scorecard={"verdict": "strong", "of": of, "command": "make contract"})
    assert outcome(gated(clone), "replay") is Outcome.PASSED
    decide(clone, "replayed", scorecard={"verdict": "failed", "of": of, "command": "make contract"})
    assert (outcome(gated(clone), "replay"), gated(clone).decision) == (Outcome.FAILED, GateDecision.REFUSE)
    told(
        clone,
        lesson(summary="`send` ships an order after it answers", verification=Verification("make contract")),
    )
    assert outcome(gated(clone), "replay") is Outcome.NOT_APPLICABLE


# the policy
STRICT = "version: 1\ndurable_memory:\n  allow: [architecture_rule]\n"
LOOSE = "version: 1\ndurable_memory:\n  allow: [gossip, module_constraint, architecture_rule]\n  deny: []\n"


def test_a_policy_that_is_loosened_in_the_same_change_does_not_count_and_is_reported(clone: Repo) -> None:
    clone.commit("Policy", {POLICY: STRICT})
    clone.git("push", "-q")
    clone.git("switch", "-qc", "topic")
    clone.commit(
        "Loosen", {POLICY: LOOSE, path_of("m-9"): memory("m-9", "Maybe prices are integers", type="gossip")}
    )
    told_of = answer(clone)
    (one,) = told_of.gated
    assert (outcome(one, "type_allowed"), outcome(one, "unverified_guess")) == (
        Outcome.FAILED,
        Outcome.FAILED,
    )
    (remark,) = told_of.remarks
    assert remark.startswith(f"{POLICY} here is looser than that of origin/main, which counts: ")
    assert "durable_memory.allow adds gossip, module_constraint" in remark


def test_a_base_is_judged_by_its_own_policy_and_memories(clone: Repo) -> None:
    base = clone.commit("Policy", {POLICY: STRICT})
    clone.commit("Loosen", {POLICY: LOOSE, path_of("m-9"): memory("m-9", "Prices are integers")})
    clone.git("push", "-q")
    told_of = answer(clone, base=base)
    (one,) = told_of.gated
    assert (one.subject, outcome(one, "type_allowed")) == ("m-9", Outcome.FAILED)
    assert len(told_of.remarks) == 1
    assert answer(clone).gated == ()


def test_a_forged_trusted_setting_does_not_change_what_a_base_says(clone: Repo) -> None:
    base = clone.commit("Policy", {POLICY: STRICT})
    clone.commit("Loosen", {POLICY: LOOSE, path_of("m-9"): memory("m-9", "Prices are integers")})
    clone.git("update-ref", "refs/remotes/origin/main", "HEAD")
    assert outcome(answer(clone, base=base).gated[0], "type_allowed") is Outcome.FAILED


def test_a_stricter_branch_is_not_reported_and_does_not_count_either(clone: Repo) -> None:
    clone.write(POLICY, STRICT)
    told(clone)
    told_of = answer(clone)
    assert told_of.remarks == ()
    assert outcome(told_of.gated[0], "type_allowed") is Outcome.PASSED


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("version: 1\npromotion:\n  require: [evidense]\n", "line 3: "),
        ("version: 7\n", "line 1: "),
        ("durable_memory: [\n", "refuses to guess"),
        ("version: 1\nretention: {a: 1d}\ndurable_memory:\n  retention: {a: 1d}\n", "refuses to guess"),
    ],
)
def test_a_broken_policy_makes_the_gate_refuse_to_guess(clone: Repo, policy: str, said: str) -> None:
    clone.commit("Policy", {POLICY: policy})
    clone.git("push", "-q")
    with pytest.raises(InvalidDataError, match="refuses to guess") as caught, gate(clone):
        pass
    assert said in caught.value.message
    assert (caught.value.path, bool(caught.value.hint)) == (POLICY, True)


def test_a_policy_that_is_a_link_is_not_followed(clone: Repo) -> None:
    (clone.path / ".ai/policies").mkdir(parents=True)
    (clone.path / POLICY).symlink_to("../../loose.yaml")
    clone.commit("Link", {"loose.yaml": LOOSE})
    clone.git("push", "-q")
    with pytest.raises(InvalidDataError, match="no file that can be read"), gate(clone):
        pass


def test_a_broken_policy_on_the_branch_alone_is_reported(clone: Repo) -> None:
    clone.write(POLICY, "version: [\n")
    told(clone)
    told_of = answer(clone)
    assert told_of.remarks == (f"{POLICY} here cannot be read; judged by that of origin/main",)
    assert told_of.gated[0].decision is GateDecision.NEEDS_HUMAN


# secrets
@pytest.mark.parametrize(
    "summary",
    [
        "The service signs in with AKIAIOSFODNN7EXAMPLF and the rest is in the vault",
        "열쇠는 AKIAIOSFODNN7EXAMPLF 이고 나머지는 금고에 있다",
        "The script is /home/ada/keys/deploy.sh",
    ],
)
def test_a_secret_or_personal_path_in_a_file_is_refused_without_showing_it(clone: Repo, summary: str) -> None:
    clone.write(path_of("m-9"), memory("m-9", f"'{summary}'"))
    one = file_gated(clone, path_of("m-9"))
    assert outcome(one, "user_specific_secret") is Outcome.FAILED
    assert "AKIA" not in reason(one, "user_specific_secret")


@pytest.mark.parametrize(
    ("summary", "outcome_"),
    [
        ("Read build/report.html after a run", Outcome.NEEDS_HUMAN),
        ("실행한 뒤 `build/report.html`을 읽는다", Outcome.NEEDS_HUMAN),
        ("Generated pages go to build/ and are never edited", Outcome.PASSED),
        ("Read build/kept.html after a run", Outcome.PASSED),
        ("Read ../build/report.html and src/shop.py", Outcome.PASSED),
    ],
)
def test_a_file_that_git_ignores_is_told(clone: Repo, summary: str, outcome_: Outcome) -> None:
    clone.write("build/kept.html", "kept")
    clone.git("add", "build/kept.html")
    clone.commit("Ignore", {".gitignore": "build/\n"})
    told(clone, lesson(summary=summary))
    assert outcome(gated(clone), "temporary_file_path") is outcome_


# places
def test_what_does_not_exist_is_said(clone: Repo) -> None:
    for word, said in (("candidate-gone", "no candidate"), (".ai/memory/gone.yaml", "no such memory file")):
        with pytest.raises(NotFoundError, match=said):
            answer(clone, word)
    with pytest.raises(NotFoundError, match="no such revision"):
        answer(clone, base="gone")


def test_evidence_that_went_away_is_refused(clone: Repo) -> None:
    told(clone, lesson(evidence=Evidence(tests=(TEST,))))
    assert outcome(gated(clone), "evidence_exists") is Outcome.PASSED
    clone.remove("tests/test_shop.py")
    clone.commit("Remove")
    assert (outcome(gated(clone), "evidence_exists"), gated(clone).decision) == (
        Outcome.FAILED,
        GateDecision.REFUSE,
    )


def _unborn(folder: Path) -> Repo:
    return Repo(folder / "unborn")


def _bare(folder: Path) -> Repo:
    server, _ = hosted(folder, FILES)
    return server


def _detached(folder: Path) -> Repo:
    _, clone = hosted(folder, FILES)
    clone.git("switch", "-q", "--detach")
    return clone


def _sha256(folder: Path) -> Repo:
    repo = Repo(folder / "sha256", object_format="sha256")
    repo.commit("Start", FILES)
    return repo


@pytest.mark.parametrize("place", [_unborn, _bare, _detached, _sha256], ids=lambda one: one.__name__)
def test_it_works_wherever_git_does(tmp_path: Path, place: Callable[[Path], Repo]) -> None:
    repo = place(tmp_path)
    told(repo)
    (one,) = answer(repo).gated
    assert one.decision is GateDecision.NEEDS_HUMAN


def test_without_a_trusted_branch_the_defaults_count_and_that_is_said(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.git("switch", "-qc", "trunk")
    repo.commit("Start", FILES | {POLICY: LOOSE})
    told(repo)
    told_of = answer(repo)
    assert told_of.remarks[0].startswith("judged by the defaults, since no branch is trusted here: ")
    assert any("looser" in one for one in told_of.remarks)


def test_a_memory_is_found_by_its_id(clone: Repo) -> None:
    (one,) = answer(clone, "m-001").gated
    assert isinstance(one.memory, Memory)
    assert (one.subject, one.file) == ("m-001", path_of())


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("version: 1\ndurable_memory:\n  alow: [module_constraint]\n", "alow"),
        ("version: 1\ntrust:\n  require_reviews: true\n", "require_reviews"),
        ("version: 1\npromotion:\n  rejects_if: [stale_rule]\n", "rejects_if"),
    ],
)
def test_with_a_misspelt_policy_the_gate_refuses_to_guess(clone: Repo, policy: str, said: str) -> None:
    clone.commit("Misspell", {".ai/policies/memory-policy.yaml": policy})
    clone.git("update-ref", "refs/remotes/origin/main", "HEAD")
    done = gitmem("gate", at=clone.path)
    assert (done.code, "unknown field" in done.err, said in done.err, "refuses to guess" in done.err) == (
        3,
        True,
        True,
        True,
    )
