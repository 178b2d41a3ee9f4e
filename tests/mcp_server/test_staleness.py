"""A server that was asked before answers as one that was started just now, whatever changed in between.

Each change is made by git or gitmem processes of their own, or by another thread of the same server.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest

from gitmem.git.discovery import discover
from gitmem.mcp_server.capping import capped
from gitmem.mcp_server.desk import Desk
from gitmem.mcp_server.fields import read_arguments
from gitmem.mcp_server.resources import list_addresses
from gitmem.mcp_server.tools import BY_NAME
from tests.support.drifting import SHOP, confirmed
from tests.support.memories import memory, path_of
from tests.support.repo import Repo

NOW = datetime.fromisoformat("2026-07-20T10:00:00+09:00")
QUESTIONS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("recall", {"query": "how does send answer"}),
    ("brief", {}),
    ("brief", {"task": "send orders"}),
    ("find_relevant_context", {"task": "send orders of the shop"}),
    ("memory_show", {"id": "m-001"}),
    ("confirm_memory", {"id": "m-001"}),
    ("review_queue", {}),
)
Change = Callable[[Repo], object]


class DayDesk(Desk):
    """A desk with a clock that a test sets."""

    moment = NOW

    def now(self) -> datetime:
        return self.moment


def tell(desk: Desk, tool: str, arguments: Mapping[str, Any]) -> Any:
    desk.begin(60)
    given = read_arguments(BY_NAME[tool].fields, arguments)
    return json.loads(json.dumps(capped(BY_NAME[tool].work(desk, given).document)))


def answers(desk: Desk) -> list[Any]:
    told = [tell(desk, *question) for question in QUESTIONS]
    desk.begin(60)
    return [*told, list_addresses(desk)]


def other_process(tool: str, **arguments: Any) -> Change:
    def change(repo: Repo) -> None:
        with DayDesk(discover(repo.path)) as desk:
            tell(desk, tool, arguments)

    return change


def changed_code(repo: Repo) -> None:
    repo.commit("Change", {"src/shop.py": SHOP.replace("    ship(order)\n", "")})


def validated_again(repo: Repo) -> None:
    confirmed(repo.path, at="2026-07-19T10:00:00+09:00")
    repo.write("src/shop.py", SHOP + "\n\ndef more():\n    pass\n")
    repo.commit("Validate")


def proposed_edit(repo: Repo) -> None:
    repo.git("switch", "-q", "-c", "edit")
    edited = memory(summary="'`send` logs before it answers'", title="Send logs first")
    repo.commit("Propose", {path_of(): edited, path_of("m-002"): memory("m-002", "Orders are sent once")})


def packed(repo: Repo) -> None:
    repo.git("pack-refs", "--all")
    repo.git("checkout", "-q", "--detach")
    tree, parent = repo.git("rev-parse", "HEAD^{tree}"), repo.head()
    made = repo.git("commit-tree", "-p", parent, "-m", "Elsewhere", tree)
    repo.git("update-ref", "refs/heads/main", made)
    repo.git("pack-refs", "--all")
    repo.git("checkout", "-q", "main")
    repo.commit("More", {path_of("m-003"): memory("m-003", "The shop sends orders by hand")})


def fetched(repo: Repo) -> None:
    """The trusted branch becomes that of a remote, which has less."""
    first = repo.git("rev-list", "--max-parents=0", "HEAD")
    repo.git("remote", "add", "origin", "https://example.org/none.git")
    repo.git("update-ref", "refs/remotes/origin/main", first)


def policy(repo: Repo) -> None:
    repo.commit(
        "Policy", {".ai/policies/memory-policy.yaml": "version: 1\nretention:\n  module_constraint: 2d\n"}
    )


def denied(repo: Repo) -> None:
    from gitmem.git.opening import open_repository
    from gitmem.store.ledger import RunLedger
    from gitmem.usecases.candidates import load_candidates, record_decision
    from gitmem.usecases.runs.recording import Teller

    with RunLedger(open_repository(repo.path)) as ledger:
        (one,) = load_candidates(ledger).candidates
        run = ledger.current()
        assert run is not None
        record_decision(run, one.id, "denied", Teller("human"), reason="wrong")


def moved_back(repo: Repo) -> None:
    """The ledger's ref is taken back by one event, which nobody of ours does."""
    ref = repo.git("symbolic-ref", "AI_RUN")
    repo.git("update-ref", ref, f"{ref}~1")


LESSON = {"content": "Orders of the bank stand in src/bank.py", "paths": ["src/bank.py"]}
CHANGES: Mapping[str, Mapping[str, Change]] = {
    "commits": {
        "code under a memory": changed_code,
        "a merged memory": lambda repo: repo.commit(
            "New", {path_of("m-004"): memory("m-004", "Send answers once an order")}
        ),
        "a validation": validated_again,
        "the policy": policy,
        "elements": lambda repo: repo.commit(
            "Elements", {".ai/elements.yaml": "version: 1\nelements:\n  Sending:\n    paths: [src/**]\n"}
        ),
        "a retired memory": lambda repo: repo.commit("Gone", {path_of(): memory(status="deprecated")}),
    },
    "branches": {
        "an unmerged edit": proposed_edit,
        "what it was before": lambda repo: repo.git("switch", "-q", "main"),
        "packed refs and commits behind them": packed,
        "what a remote has": fetched,
        "the trusted branch": lambda repo: repo.git("config", "gitmem.trustedRef", "main"),
    },
    "the work tree": {
        "elements": lambda repo: repo.write(
            ".ai/elements.yaml", "version: 1\nelements:\n  Orders:\n    paths: [src/**]\n"
        ),
        "a changed file": lambda repo: repo.write("src/bank.py", "LIMIT = 5\n"),
        "a new file": lambda repo: repo.write("src/new.log", "x = 1\n"),
        "a file ignored from now on": lambda repo: repo.write(".gitignore", "*.log\n"),
        "a file as it was": lambda repo: repo.git("checkout", "-q", "src/bank.py"),
        "a staged removal": lambda repo: repo.git("rm", "-q", "README.md"),
    },
    "the ledger": {
        "an event": other_process("run_event", type="finding_noted", payload={"finding": "Send is slow"}),
        "an event taken back": moved_back,
        "a candidate": other_process("remember", **LESSON),
        "its denial": denied,
        "what is known said again": other_process("remember", content="`send` ships before it answers"),
        "the outcome of a session": other_process(
            "end_session", session="s-1", summary="send orders twice", used_memories=["m-001"]
        ),
        "another run": other_process("run_start", task="another", goal="Something else"),
    },
}


@pytest.fixture
def working(shop: Repo) -> Repo:
    """The shop with a run and something that waits."""
    other_process("run_start", task="checkout", goal="An order is sent once")(shop)
    return shop


@pytest.mark.parametrize("group", CHANGES)
def test_no_change_is_missed(working: Repo, group: str) -> None:
    held: dict[str, tuple[object, object]] = {}
    with DayDesk(discover(working.path), held=held) as desk:
        before = answers(desk)
        for kind, change in CHANGES[group].items():
            change(working)
            with DayDesk(discover(working.path)) as fresh:
                expected = answers(fresh)
            assert answers(desk) == expected, kind
            assert expected != before, kind
            before = expected
    with DayDesk(discover(working.path), held=held) as thread:
        assert answers(thread) == before


def test_another_day_is_another_answer(working: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    working.commit("Due", {path_of(): memory(review_after="2026-07-21")})
    with DayDesk(discover(working.path)) as desk:
        before = answers(desk)
        monkeypatch.setattr(DayDesk, "moment", NOW + timedelta(days=3))
        with DayDesk(discover(working.path)) as fresh:
            expected = answers(fresh)
        assert answers(desk) == expected != before
