"""What callers may hand over as an event, and what is said of the rest: an expected failure with its cure, nothing written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from gitmem.errors import NotFoundError, UsageError
from gitmem.store.ledger import RunLedger
from tests.support.repo import Repo


@pytest.fixture
def ledger(repo: Repo) -> Iterator[RunLedger]:
    repo.commit("first", {"a": "1"})
    with RunLedger.open(repo.path) as opened:
        yield opened


def cyclic(kind: type[dict[str, Any] | list[Any]]) -> dict[str, Any]:
    inner: Any = kind()
    if isinstance(inner, list):
        inner.append(inner)
    else:
        inner |= {"a": inner, "b": inner}
    return {"top": inner}


def deep(levels: int) -> Any:
    return [deep(levels - 1)] if levels else []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"payload": [1]}, "payload is no mapping but list"),
        ({"payload": []}, "payload is no mapping but list"),
        ({"payload": "x"}, "payload is no mapping but str"),
        ({"payload": {"a": object()}}, r"payload\.a is object"),
        ({"payload": {"a": [b"x"]}}, r"payload\.a\.0 is bytes"),
        ({"payload": {"a": float("nan")}}, "not a JSON number: nan"),
        ({"payload": {1: 2}}, "payload has the key 1, which is no text"),
        ({"payload": {"a": {None: 2}}}, r"payload\.a has the key None"),
        ({"payload": {"a": "x\ud800"}}, r"payload\.a holds the lone surrogate U\+D800"),
        ({"payload": {"\ud800": 1}}, r"lone surrogate U\+D800"),
        ({"payload": cyclic(dict)}, r"payload\.top\.a holds itself"),
        ({"payload": cyclic(list)}, r"payload\.top\.0 holds itself"),
        ({"payload": {"a": deep(250)}}, "nested over 200 levels"),
        ({"payload": {"finding": 3}}, "finding must be text"),
        ({"artifacts": {"a": "text"}}, "'a' is no bytes but str"),
        ({"artifacts": {1: b""}}, "not a name: 1"),
        ({"artifacts": [b""]}, "artifacts is no mapping but list"),
        ({"artifacts": {"../a": b""}}, "not an artifact name"),
        ({"files": {"handoff.md": "text"}}, "'handoff.md' is no bytes"),
        ({"actor": None}, "not an actor: None"),
        ({"actor": "a\nb"}, r"not an actor: 'a\\nb'"),
        ({"actor": "a\x1b[31m"}, "not an actor"),
        ({"actor": "a\u2028b"}, "not an actor"),
        ({"actor": "\ud800"}, "not an actor"),
        ({"actor": "  "}, "not an actor"),
        ({"session": 3}, "not a session: 3"),
        ({"event_type": None}, "not an event type: None"),
        ({"event_type": "two words"}, "not an event type"),
        ({"id": 5}, "not an event id: 5"),
        ({"code": "abc"}, "not a whole commit id"),
        ({"code": 4}, "not a whole commit id"),
        ({"at": "yesterday"}, "not an RFC 3339 time"),
        ({"at": 12}, "not an RFC 3339 time"),
    ],
)
def test_what_no_event_can_be_is_refused_with_its_cure(
    ledger: RunLedger, given: dict[str, Any], said: str
) -> None:
    usual: dict[str, Any] = {"event_type": "finding_noted", "actor": "human"}
    with pytest.raises(UsageError, match=said) as caught:
        ledger.run("run-1").append(**{**usual, **given})
    assert caught.value.hint
    assert not ledger.run("run-1").exists()


def test_what_json_has_is_kept(ledger: RunLedger) -> None:
    path = b"src/\xff.py".decode("utf-8", "surrogateescape")
    payload = {"가": [1, 2.5, None, True, 10**30], "nul": "x\0y", "pair": "\ud83d\ude00", path: path}
    run = ledger.run("run-1")
    run.append(event_type="own_type", actor="Ünal 김", payload=payload, artifacts=None)
    assert run.events()[-1].payload == {**payload, "pair": "😀"}


def test_a_value_that_stands_at_two_places_is_no_cycle(ledger: RunLedger) -> None:
    shared = {"a": [1]}
    run = ledger.run("run-1")
    run.append(event_type="own_type", actor="human", payload={"one": shared, "two": shared})
    assert run.events()[-1].payload == {"one": shared, "two": shared}


def test_an_event_without_a_commit_says_so(ledger: RunLedger, repo: Repo) -> None:
    run = ledger.run("run-1")
    told = [
        run.append(event_type="finding_noted", actor="human", code=code)
        for code in (None, "", "a" * len(repo.head()))
    ]
    assert [event.code for event in told] == [repo.head(), None, "a" * len(repo.head())]
    assert [event.code for event in run.events()] == [event.code for event in told]


def test_what_is_not_there_is_named_with_a_cure(ledger: RunLedger) -> None:
    for ask in (ledger.run("run-none").load, ledger.run("run-none").snapshot):
        with pytest.raises(NotFoundError, match="run-none") as caught:
            ask()
        assert "run list" in caught.value.hint
    with pytest.raises(UsageError, match="not a run id: 7"):
        ledger.run(7)  # type: ignore[arg-type]  # as an untyped caller might
