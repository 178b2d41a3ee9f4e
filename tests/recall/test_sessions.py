"""What sessions said of memories: citing is testimony, being delivered is not."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gitmem.model.event import Event
from gitmem.recall import sessions as told
from gitmem.recall.factors import Usage
from gitmem.recall.sessions import RunState, fold_sessions


def event(kind: str, session: str | None, number: int = 1, **payload: Any) -> Event:
    at = f"2026-07-{number % 28 + 1:02}T10:00:00+00:00"
    return Event(f"c{number}", number, "w", f"e{number}", "run-1", kind, at, "codex", payload, session)


def state(*events: Event) -> RunState:
    return fold_sessions(({}, {}), events)


def given_and_cited(sessions: int, delivered: list[str], cited: list[str]) -> RunState:
    return state(
        *(event("memory_delivered", f"s{number}", number, ids=delivered) for number in range(sessions)),
        *(
            event("session_ended", f"s{number}", 100 + number, used_memories=cited)
            for number in range(sessions)
        ),
    )


def test_a_citation_counts_once_a_session() -> None:
    said = told.testimony({"r": given_and_cited(3, ["a"], ["a", "a"])})
    assert said.usage == {"a": Usage(3)}


def test_five_citing_sessions_that_never_cite_it_ignore_a_memory() -> None:
    assert told.testimony({"r": given_and_cited(5, ["a", "b"], ["a"])}).usage["b"] == Usage(0, ignored=True)
    assert "b" not in told.testimony({"r": given_and_cited(4, ["a", "b"], ["a"])}).usage


def test_sessions_that_never_cite_are_no_testimony() -> None:
    assert told.testimony({"r": given_and_cited(50, ["a", "b"], [])}).usage == {}


def test_one_citation_ends_being_ignored() -> None:
    runs = {
        "r": given_and_cited(9, ["a", "b"], ["a"]),
        "q": state(event("session_ended", "x", used_memories=["b"])),
    }
    assert told.testimony(runs).usage["b"] == Usage(1)


def test_repetitions_are_counted_by_event() -> None:
    again = event("memory_confirmed", None, 7, memory="a", how="repeated")
    looked = event("memory_confirmed", None, 8, memory="a", how="looked")
    assert told.testimony({"r": state(again, again, looked)}).repeated == {"a": 1}


def test_an_outcome_is_a_session_with_its_words_and_what_it_changed() -> None:
    (one,) = told.testimony(
        {
            "r": state(
                event("commit_recorded", "s", 1, files=["src/a.py", "src/b.py"]),
                event("implementation_completed", "s", 2, changed_files=["src/a.py", "src/c.py"]),
                event("session_ended", "s", 3, summary=" Made retries idempotent \n"),
                event("session_ended", "silent", 4),
            )
        }
    ).outcomes
    assert (one.session, one.summary, one.paths) == (
        "s",
        "Made retries idempotent",
        ("src/a.py", "src/b.py", "src/c.py"),
    )


def test_the_newest_200_outcomes_are_told_newest_first() -> None:
    events = [
        event("session_ended", f"s{number:03}", 1, summary="x")._replace(
            at=f"2026-01-01T{number // 60:02}:{number % 60:02}:00Z"
        )
        for number in range(250)
    ]
    said = told.testimony({"r": state(*events)}).outcomes
    assert [one.session for one in said] == [f"s{number:03}" for number in range(249, 49, -1)]


def test_fields_of_another_shape_are_passed_over() -> None:
    odd = [
        event("memory_delivered", "s", 1, ids={"a": 1}),
        event("session_ended", "s", 2, used_memories=7, summary=["x"]),
        event("memory_confirmed", None, 3, memory=[], how="repeated"),
        event("commit_recorded", "s", 4, files=[1, None]),
    ]
    assert told.testimony({"r": state(*odd)}) == told.testimony(
        {"r": ({"s": [[], [], [], "", "", "", ""]}, {})}
    )


EVENTS = st.lists(
    st.builds(
        lambda kind, session, number, ids: event(
            kind,
            session,
            number,
            ids=ids,
            used_memories=ids,
            summary=session,
            files=ids,
            memory=ids[0],
            how="repeated",
        ),
        st.sampled_from(["memory_delivered", "session_ended", "commit_recorded", "memory_confirmed"]),
        st.sampled_from(["s", "t", "u"]),
        st.integers(1, 20),
        st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3),
    ),
    max_size=12,
)


@given(EVENTS, st.integers(0, 12))
def test_folding_in_pieces_and_again_gives_the_same(events: list[Event], cut: int) -> None:
    pieces = fold_sessions(state(*events[:cut]), events[cut:])
    assert told.testimony({"r": fold_sessions(pieces, events[cut:])}) == told.testimony({"r": state(*events)})


@given(EVENTS)
def test_citing_once_more_never_lowers_what_is_said_of_a_memory(events: list[Event]) -> None:
    before = told.testimony({"r": state(*events)}).usage.get("a", Usage())
    cited = event("session_ended", "another", 21, used_memories=["a"])
    after = told.testimony({"r": state(*events, cited)}).usage["a"]
    assert after.citations == before.citations + 1
    assert not after.ignored
