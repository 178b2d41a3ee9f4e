"""Claims: testimony of who was shown the evidence; nothing is edited and no challenge is cleared by one."""

from __future__ import annotations

import pytest

from gitmem.errors import NotFoundError
from gitmem.store.ledger import RunLedger
from gitmem.usecases.claim import Claimed, claim, show_evidence
from gitmem.usecases.reviewing.loading import load_queue
from gitmem.usecases.runs.inbox import inbox
from gitmem.usecases.runs.recording import Teller
from tests.support.drifting import SHOP, TODAY, confirmed, judged, validated
from tests.support.repo import Repo

CODEX = Teller("codex", "s-1")


@pytest.fixture
def doubtful(repo: Repo) -> Repo:
    validated(repo)
    repo.commit("Change", {"src/shop.py": SHOP.replace("    ship(order)\n", "")})
    return repo


def claimed(repo: Repo, token: str, name: str = "m-001") -> Claimed:
    with RunLedger.open(repo.path) as ledger:
        return claim(ledger, inbox(ledger), CODEX, name, token, today=TODAY)


def shown(repo: Repo) -> Claimed:
    with RunLedger.open(repo.path) as ledger:
        return show_evidence(ledger.repository, "m-001", today=TODAY)


def test_the_token_is_the_one_that_confirm_asks_for(doubtful: Repo) -> None:
    (asking,) = confirmed(doubtful.path).asks
    assert shown(doubtful).asking == asking


def test_a_claim_goes_first_in_review_and_the_memory_stays_challenged(doubtful: Repo) -> None:
    event = claimed(doubtful, shown(doubtful).asking.token).event
    assert event is not None
    assert (event.payload["how"], event.actor, event.session) == ("claimed", "codex", "s-1")
    with RunLedger.open(doubtful.path) as ledger:
        assert [(one.id, one.reason) for one in load_queue(ledger, today=TODAY).items] == [
            ("m-001", "claimed")
        ]
    assert judged(doubtful.path).status == "challenged"
    assert doubtful.git("status", "--porcelain") == ""


def test_the_same_claim_is_recorded_once(doubtful: Repo) -> None:
    token = shown(doubtful).asking.token
    assert claimed(doubtful, token).event == claimed(doubtful, token).event
    with RunLedger.open(doubtful.path) as ledger:
        assert len(inbox(ledger).events()) == 1


def test_a_token_of_older_evidence_records_nothing_and_gets_the_new_one(doubtful: Repo) -> None:
    old = shown(doubtful).asking.token
    doubtful.commit("Change again", {"src/shop.py": "def send(order):\n    return None\n"})
    told = claimed(doubtful, old)
    assert told.event is None
    assert told.asking.stale_token
    assert told.asking.token != old
    assert doubtful.git("for-each-ref", "refs/ai/") == ""


def test_a_memory_that_is_not_there_is_an_error(doubtful: Repo) -> None:
    with pytest.raises(NotFoundError, match="m-404"):
        claimed(doubtful, "x", "m-404")
