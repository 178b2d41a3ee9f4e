"""Recall over real repositories: what is delivered, in which order, with which doubts, and what is kept of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gitmem.git.opening import open_repository
from gitmem.store.ledger import RunLedger
from gitmem.usecases.confirm import ConfirmRequest, confirm
from gitmem.usecases.recall import Asked, Recalled, recall
from tests.support.memories import hosted, memory, path_of
from tests.support.repo import Repo

NOW = datetime(2026, 7, 20, 12, tzinfo=UTC)
DATED = {"created_at": "2026-07-10", "created_by": "claude-code/sarah"}
MEMORIES = {
    "retry": memory(
        "retry",
        "A failed payment is retried three times",
        title="Retry of payments",
        scope="{paths: [src/pay/**], does_not_apply_to: [reports]}",
        **DATED,
    ),
    "keys": memory(
        "keys",
        "결제 재시도는 멱등 키가 있어야 한다",
        kind="convention",
        scope="{paths: [src/pay/retry.py], applies_to: [payments]}",
        **DATED,
    ),
    "header": memory(
        "header", "The gateway strips X-Internal headers", scope="{paths: [gateway/**]}", **DATED
    ),
    "dead": memory("dead", "A failed payment is never retried", status="deprecated", **DATED),
}
SOURCES = {
    "src/pay/retry.py": "def retry(call):\n    for _ in range(3):\n        call()\n",
    "gateway/headers.py": "STRIPPED = ['X-Internal']\n",
}


def files(memories: Mapping[str, str] = MEMORIES) -> dict[str, str]:
    return {path_of(name): text for name, text in memories.items()}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo")
    made.commit("Start", {**SOURCES, **files()})
    return made


def answer(
    repo: Repo, query: str = "", semantic: Mapping[str, float] | None = None, **fields: object
) -> Recalled:
    with open_repository(repo.path) as repository:
        return recall(repository, Asked(query, **fields), NOW, semantic=semantic)  # type: ignore[arg-type]  # fields of Asked


def ids(recalled: Recalled) -> list[str]:
    return [item.card.id for item in recalled.items]


def cache(repo: Repo) -> Path:
    return repo.path / ".git" / "gitmem"


# what is delivered
def test_what_speaks_of_the_task_comes_first_and_what_is_retired_never(repo: Repo) -> None:
    told = answer(repo, "retrying failed payments")
    assert ids(told)[0] == "retry"
    assert "dead" not in ids(answer(repo, "a failed payment is never retried", most=50))
    assert told.items[0].status == "active"
    assert told.items[0].age_days == 10


def test_korean_with_other_particles_finds_it(repo: Repo) -> None:
    assert ids(answer(repo, "재시도를 하려면 멱등 키는?"))[0] == "keys"


def test_a_touched_path_is_a_hint_and_never_a_filter(repo: Repo) -> None:
    assert ids(answer(repo, paths=("gateway/headers.py",)))[0] == "header"
    assert set(ids(answer(repo, "payment headers", paths=("gateway/headers.py",)))) == {"retry", "header"}


def test_without_paths_the_history_of_similar_commits_is_a_hint(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    same = {
        name: memory(name, "Mind the limits here", scope=f"{{paths: [{name}/**]}}", **DATED)
        for name in ("aaa", "zzz")
    }
    repo.commit("Start", files(same))
    repo.commit("Throttle the inbound queue", {"zzz/queue.py": "x = 1\n"})
    repo.commit("Word the manual", {"aaa/manual.py": "x = 1\n"})
    told = answer(repo, "limits when we throttle the queue")
    assert ids(told) == ["zzz", "aaa"]
    assert told.items[0].score.similarity.place > 0
    assert [item.score.similarity.place for item in answer(repo, "limits of giraffes").items] == [0, 0]
    repo.commit("Feed giraffes", {"aaa/manual.py": "x = 2\n"})
    assert [item.score.similarity.place > 0 for item in answer(repo, "limits of giraffes").items] == [
        True,
        False,
    ]


@pytest.mark.parametrize("later", [0, 60])
def test_sharing_only_a_top_folder_with_a_similar_commit_is_no_hint(tmp_path: Path, later: int) -> None:
    repo = Repo(tmp_path / "repo")
    stored = {
        "gw-a": memory("gw-a", "Internal names are strip at the edge", scope="{paths: [src/gateway/**]}"),
        "pay-a": memory("pay-a", "Money needs approval", scope="{paths: [src/pay/**]}"),
    }
    repo.commit("Base", {**files(stored), "src/gateway/h.py": "x = 1\n", "src/pay/p.py": "x = 1\n"})
    for number in range(later):
        repo.commit(f"Count {number}", {"src/pay/p.py": f"x = {number}\n"})
    repo.commit("strip headers at the gateway", {"src/gateway/h.py": "x = 2\n"})
    places = {item.card.id: item.score.similarity.place for item in answer(repo, "strip headers").items}
    assert places["gw-a"] > 0
    assert places.get("pay-a", 0) < 0.03


def test_only_what_the_trusted_branch_holds_is_delivered(tmp_path: Path) -> None:
    _, clone = hosted(tmp_path, {**SOURCES, **files()})
    clone.git("switch", "-qc", "topic")
    clone.commit(
        "Propose", {path_of("new"): memory("new", "A failed payment is retried nine times", **DATED)}
    )
    clone.commit("Edit", {path_of("retry"): memory("retry", "Never retry a failed payment", **DATED)})
    clone.git("rm", "-q", path_of("header"))
    clone.git("commit", "-qm", "Remove")
    told = answer(clone, "failed payment retried headers", most=50)
    assert {"retry", "header"} <= set(ids(told))
    assert "new" not in ids(told)
    assert told.items[0].card.summary == "A failed payment is retried three times"


def test_an_heir_takes_the_place_of_what_it_supersedes(repo: Repo) -> None:
    repo.commit(
        "Newer",
        {
            path_of("newer"): memory(
                "newer", "A failed payment is retried twice", supersedes="[retry]", **DATED
            )
        },
    )
    assert "retry" not in ids(answer(repo, "failed payment retried", most=50))
    assert "newer" in ids(answer(repo, "failed payment retried", most=50))


def test_a_challenged_memory_is_told_with_its_warning_and_further_down(repo: Repo) -> None:
    before = answer(repo, "failed payment retried three times").items[0]
    with open_repository(repo.path) as repository:
        confirm(repository, ConfirmRequest(("retry",), "ada", NOW), ask=lambda _: True)
    repo.git("add", "-A")
    repo.git("commit", "-qm", "Confirm")
    assert answer(repo, "failed payment").items[0].warning == ""
    repo.commit(
        "Rewrite", {"src/pay/retry.py": "def again(call, most):\n    while most:\n        most -= call()\n"}
    )
    after = next(
        item for item in answer(repo, "failed payment retried three times").items if item.card.id == "retry"
    )
    assert after.status == "challenged"
    assert after.warning.startswith("VERIFY")
    assert after.score.factors.drift == 0.6
    assert before.score.factors.drift == 1.0


def test_a_passed_date_challenges_from_its_day_on(repo: Repo) -> None:
    repo.commit(
        "Dated", {path_of("dated"): memory("dated", "Zebra crossing", review_after="2026-07-19", **DATED)}
    )
    assert "review was due" in answer(repo, "zebra").items[0].warning
    with open_repository(repo.path) as repository:
        earlier = recall(repository, Asked("zebra"), datetime(2026, 7, 18, tzinfo=UTC))
    assert earlier.items[0].warning == ""


def test_what_an_agent_reads_anyway_is_left_out(repo: Repo) -> None:
    repo.commit("Rules", {"AGENTS.md": "# Rules\n\n- The gateway **strips**\n  `X-Internal` headers.\n"})
    told = answer(repo, "failed gateway strips headers")
    assert (ids(told), "rules files" in told.remark) == ([], True)
    repo.commit("Other rules", {"AGENTS.md": "# Rules\n\nBe kind.\n", ".cursor/rules/a.mdc": "Nothing.\n"})
    assert "header" in ids(answer(repo, "gateway headers"))


def test_the_same_question_is_answered_alike_warm_and_cold(repo: Repo) -> None:
    cold = answer(repo, "failed payment headers")
    assert answer(repo, "failed payment headers") == cold
    shutil.rmtree(cache(repo))
    assert answer(repo, "failed payment headers") == cold


def test_after_new_memories_the_answer_is_that_of_a_clone_that_keeps_nothing(repo: Repo) -> None:
    answer(repo, "payment")
    more = {
        f"m-{number:03}": memory(f"m-{number:03}", f"Payment number {number}", **DATED) for number in range(3)
    }
    repo.commit("More", files(more))
    (repo.path / path_of("header")).unlink()
    repo.git("commit", "-qam", "Less")
    warm = answer(repo, "payment headers", most=50)
    shutil.rmtree(cache(repo))
    assert answer(repo, "payment headers", most=50) == warm


@pytest.mark.parametrize("name", ["recall.sqlite", "testimony.marshal", "sessions.marshal", "commits"])
def test_damage_of_what_was_kept_changes_no_answer(repo: Repo, name: str) -> None:
    with RunLedger.open(repo.path) as ledger:
        ledger.run("run-1").append(
            event_type="session_ended", actor="a", session="s", payload={"summary": "payment"}
        )
    before = answer(repo, "payment")
    (file,) = (cache(repo) / "cache").glob(f"{name}*")
    data = file.read_bytes()
    for damaged in (data[: len(data) // 3], data[:100] + b"\xff" * (len(data) - 100)):
        file.write_bytes(damaged)
        assert answer(repo, "payment") == before


def test_a_clone_that_cannot_be_written_answers_all_the_same(repo: Repo) -> None:
    before = answer(repo, "payment")
    shutil.rmtree(cache(repo))
    cache(repo).write_text("no folder")
    assert answer(repo, "payment") == before


# links
def test_links_pull_their_targets_in_behind(repo: Repo) -> None:
    repo.commit(
        "Links",
        {
            path_of("zebra"): memory(
                "zebra", "'Zebra: see [[Retry of payments]], [[Gate]], [[ADR-7]], [[Not yet]]'", **DATED
            ),
            ".ai/elements.yaml": "version: 1\nelements:\n  Gate:\n    paths: [gateway/**]\n    description: Lets nothing in.\n",
            "docs/adr/0007-retries.md": "# Retries\n",
        },
    )
    told = answer(repo, "zebra")
    assert [(item.card.id, item.via) for item in told.items] == [
        ("zebra", None),
        ("retry", "zebra"),
        ("element:Gate", "zebra"),
        ("adr:7", "zebra"),
    ]
    assert told.items[3].card.paths == ("docs/adr/0007-retries.md",)
    both = answer(repo, "zebra payment", most=2).items
    assert {item.card.id for item in both if not item.is_pulled} == {"zebra", "retry"}


def test_an_id_is_a_link_too(repo: Repo) -> None:
    repo.commit("Link", {path_of("zebra"): memory("zebra", "'Zebra: see [[header]]'", **DATED)})
    assert [(item.card.id, item.via) for item in answer(repo, "zebra").items] == [
        ("zebra", None),
        ("header", "zebra"),
    ]


@pytest.mark.parametrize("query", ["the of", "paymaster gatehouse strippers", "is it what"])
def test_crumbs_of_words_find_nothing(repo: Repo, query: str) -> None:
    assert ids(answer(repo, query)) == []


def test_a_path_finds_what_holds_it_and_not_what_shares_a_top_folder(repo: Repo) -> None:
    repo.commit(
        "More", files({f"m-{n}": memory(f"m-{n}", "Zebra", scope="{paths: [src/zoo/**]}") for n in range(4)})
    )
    assert set(ids(answer(repo, paths=("src/pay/retry.py",), most=20))) == {"retry", "keys"}
    assert set(ids(answer(repo, paths=("src/zoo/a.py",), most=20))) == {f"m-{n}" for n in range(4)}


def test_a_cycle_of_links_ends(repo: Repo) -> None:
    repo.commit(
        "Cycle",
        {
            path_of("one"): memory("one", "'Zebra [[Two]]'", title="One", **DATED),
            path_of("two"): memory("two", "'Yak [[One]]'", title="Two", **DATED),
        },
    )
    assert [(item.card.id, item.via) for item in answer(repo, "zebra").items] == [
        ("one", "two"),
        ("two", "one"),
    ]


def test_a_validation_still_to_come_does_not_make_a_memory_fresh(repo: Repo) -> None:
    late = memory("late", "Zebra", scope="project", last_validated_at="2099-01-01", **DATED)
    repo.commit(
        "Late", {path_of("late"): late}, environment={"GIT_COMMITTER_DATE": "2026-05-01T12:00:00+00:00"}
    )
    (item,) = answer(repo, "zebra").items
    assert (item.age_days, item.validated_at[:10]) == (80, "2026-05-01")
    assert item.score.factors.freshness == 0.8


# domains and elements
ROUTES = "version: 1\nroutes:\n  payments:\n    include: [memory/pay]\n  reports:\n    include: [memory]\n"


@pytest.fixture
def routed(repo: Repo) -> Repo:
    repo.commit(
        "Routes",
        {
            ".ai/policies/routes.yaml": ROUTES,
            ".ai/memory/pay/fee.yaml": memory("fee", "A payment has a fee", **DATED),
            path_of("everywhere"): memory(
                "everywhere", "Payment words are English", scope="project", **DATED
            ),
        },
    )
    return repo


def test_a_domain_reads_its_entries_and_what_is_for_the_whole_project(routed: Repo) -> None:
    assert set(ids(answer(routed, "payment 결제", domain="payments"))) == {"fee", "everywhere", "keys"}
    assert set(ids(answer(routed, domain="payments"))) == {"fee", "everywhere", "keys"}


def test_the_anti_scope_excludes(routed: Repo) -> None:
    told = ids(answer(routed, "failed payment retried fee", domain="reports", most=50))
    assert "fee" in told
    assert "retry" not in told


def test_an_unknown_domain_delivers_nothing_and_says_which_exist(routed: Repo) -> None:
    told = answer(routed, "payment", domain="nowhere")
    assert told.items == ()
    assert told.remark == "No domain is called nowhere: there are payments, reports."


def test_broken_routes_or_elements_are_told_and_the_rest_is_answered(repo: Repo) -> None:
    repo.commit(
        "Broken", {".ai/policies/routes.yaml": "routes: [", ".ai/elements.yaml": "elements: {a: {paths: {"}
    )
    told = answer(repo, "failed payment")
    assert ids(told)[0] == "retry"
    assert any("routes.yaml" in one for one in told.problems)
    assert any("elements.yaml" in one for one in told.problems)
    domain = answer(repo, "payment", domain="x").remark
    assert domain == "No domain is called x: the domains cannot be read: .ai/policies/routes.yaml:2."
    element = answer(repo, "payment", elements=("x",)).remark
    assert element == "No element is called x: the elements cannot be read: .ai/elements.yaml:2."


def test_an_element_given_twice_is_known_to_recall_as_it_is_to_the_map(repo: Repo) -> None:
    repo.commit("Twice", {".ai/elements.yaml": "version: 1\nelements:\n  A: [gateway/**]\n  A: [x/**]\n"})
    told = answer(repo, elements=("A",))
    assert "No element" not in told.remark
    assert any(".ai/elements.yaml:4" in one for one in told.problems)
    assert "what cannot be read: .ai/elements.yaml:4" in answer(repo, elements=("B",)).remark


def test_an_element_is_a_hint_and_an_unknown_one_is_told(repo: Repo) -> None:
    repo.commit(
        "Elements",
        {
            ".ai/elements.yaml": "version: 1\nelements:\n  Gate:\n    paths: [gateway/**]\n",
            path_of("gated"): memory("gated", "Zebra", scope="{elements: [Gate]}", **DATED),
        },
    )
    told = answer(repo, elements=("Gate",))
    assert ids(told)[0] == "gated"
    assert "header" in ids(told)
    assert "No element is called Door: there are Gate." in answer(repo, "zebra", elements=("Door",)).remark


def test_a_scope_that_takes_out_all_that_is_touched_is_left_out(repo: Repo) -> None:
    excluding = memory("but", "Zebra", scope="{paths: [src/**], exclude: [src/old/**]}", **DATED)
    repo.commit("Excluding", {path_of("but"): excluding})
    assert "but" not in ids(answer(repo, "zebra", paths=("src/old/a.py",)))
    assert "but" in ids(answer(repo, "zebra", paths=("src/old/a.py", "src/new.py")))


# sessions
@pytest.fixture
def ledger(repo: Repo) -> Iterator[RunLedger]:
    with RunLedger.open(repo.path) as made:
        yield made


def cite(ledger: RunLedger, session: str, *memories: str, run: str = "run-1") -> None:
    ledger.run(run).append(
        event_type="session_ended", actor="codex", session=session, payload={"used_memories": list(memories)}
    )


def test_citations_raise_and_being_delivered_alone_does_not(repo: Repo, ledger: RunLedger) -> None:
    for number in range(6):
        ledger.run("run-1").append(
            event_type="memory_delivered",
            actor="codex",
            session=f"s{number}",
            payload={"ids": ["retry", "header"]},
        )
    assert answer(repo, "failed payment").items[0].score.factors.usage == 1.0
    cite(ledger, "s0", "retry")
    assert answer(repo, "failed payment").items[0].score.factors.usage == 1.25
    assert answer(repo, "gateway headers").items[0].score.factors.usage == 1.0
    for number in range(1, 6):
        cite(ledger, f"s{number}", "retry", run="run-2")
    assert answer(repo, "gateway headers").items[0].score.factors.usage == 0.75


def test_what_was_said_again_counts_as_a_confirmation(repo: Repo, ledger: RunLedger) -> None:
    ledger.run("inbox").append(
        event_type="memory_confirmed", actor="codex", payload={"memory": "retry", "how": "repeated"}
    )
    assert answer(repo, "failed payment").items[0].confirmations == 1


def test_an_outcome_is_delivered_once_as_history_and_not_as_knowledge(repo: Repo, ledger: RunLedger) -> None:
    run = ledger.run("run-1")
    paths = [f"zoo/{name}.py" for name in "abc"]
    run.append(
        event_type="implementation_completed", actor="codex", session="s", payload={"changed_files": paths}
    )
    run.append(
        event_type="session_ended",
        actor="codex",
        session="s",
        payload={"summary": "Made the zebra idempotent"},
    )
    told = answer(repo, "zebra idempotent", paths=("zoo/a.py", "zoo/b.py"))
    assert ids(told).count("outcome:s") == 1
    (one,) = (item for item in told.items if item.card.id == "outcome:s")
    assert (one.card.kind, one.status, one.card.paths) == ("session_outcome", "outcome", tuple(paths))


# looking back, and vectors
def test_as_of_a_commit_only_what_was_approved_then_is_known(repo: Repo) -> None:
    then = repo.head()
    repo.commit(
        "Later",
        {path_of("later"): memory("later", "A failed payment is told", **DATED), path_of("retry"): ""},
    )
    (repo.path / path_of("retry")).unlink()
    repo.git("commit", "-qam", "Gone")
    assert "later" in ids(answer(repo, "failed payment", most=50))
    told = ids(answer(repo, "failed payment", most=50, as_of=then))
    assert "later" not in told
    assert "retry" in told


def test_vectors_are_mixed_in_and_say_so(repo: Repo) -> None:
    told = answer(repo, "payment", semantic={"header": 0.9, "retry": 0.1})
    assert told.vectors
    (header,) = (item for item in told.items if item.card.id == "header")
    assert header.score.similarity.semantic == 1.0
    assert not answer(repo, "payment").vectors


# bad input
@pytest.mark.parametrize("query", ["", "   ", "\n\t"])
def test_an_empty_question_is_answered_with_one_sentence(repo: Repo, query: str) -> None:
    told = answer(repo, query)
    assert told.items == ()
    assert told.remark.startswith("Nothing was asked")


def test_a_question_of_100_kilobytes_is_answered(repo: Repo) -> None:
    assert ids(answer(repo, "failed payment " + "word " * 20_000 + "결제" * 20_000))[0] == "retry"


def test_a_question_that_nothing_speaks_of_is_answered_with_one_sentence(repo: Repo) -> None:
    assert answer(repo, "quux").remark == "Nothing that is known here speaks of this."


def test_a_repository_without_memories_says_so(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "bare-one")
    repo.commit("Start", SOURCES)
    assert answer(repo, "payment").remark == "No memory is approved here yet."


def test_an_unborn_repository_says_that_nothing_is_approved(tmp_path: Path) -> None:
    assert answer(Repo(tmp_path / "unborn"), "payment").remark.startswith("Nothing is approved here")


def test_a_broken_memory_is_passed_over(repo: Repo) -> None:
    repo.commit("Broken", {path_of("broken"): "id: [\n"})
    assert ids(answer(repo, "failed payment"))[0] == "retry"


def test_reading_touches_neither_refs_nor_index_nor_work_tree(repo: Repo) -> None:
    before = (repo.git("for-each-ref"), (repo.path / ".git" / "index").read_bytes())
    answer(repo, "failed payment")
    assert (repo.git("for-each-ref"), (repo.path / ".git" / "index").read_bytes()) == before
    assert repo.git("status", "--porcelain") == ""


def test_a_budget_cuts_the_answer(repo: Repo) -> None:
    assert len(answer(repo, "payment headers failed", budget=10).items) == 1
    repo.commit(
        "Policy",
        {
            ".ai/policies/memory-policy.yaml": "version: 1\nbudgets: {recall: 10}\nrecall: {profile: classic}\n"
        },
    )
    told = answer(repo, "payment headers failed")
    assert (len(told.items), told.profile) == (1, "classic")
