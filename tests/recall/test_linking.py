"""Links pull their targets in; cycles end, pending ones wait."""

from __future__ import annotations

from gitmem.recall.linking import Placed, Target, linked, placed


def memory(name: str) -> Target:
    return Target("memory", name)


def test_a_link_names_a_title_an_alias_an_element_or_a_decision() -> None:
    texts = {
        "a": "see [[Retry Policy]], [[재시도]], [[Checkout]], [[ADR-0017]] and [[Not yet]] and [[A itself]]"
    }
    names = [("retry policy", "b"), ("재시도", "c"), ("A itself", "a")]
    assert linked(texts, names, ["Checkout"]) == {
        "a": (
            memory("b"),
            memory("c"),
            Target("element", "Checkout"),
            Target("adr", "17"),
            Target("pending", "Not yet"),
        )
    }


def test_a_pending_link_connects_itself_when_the_title_appears() -> None:
    texts = {"a": "[[Later]]"}
    assert linked(texts, [], ())["a"] == (Target("pending", "Later"),)
    assert linked(texts, [("Later", "z")], ())["a"] == (memory("z"),)


def test_a_title_wins_over_an_element_of_the_same_name() -> None:
    assert linked({"a": "[[Checkout]]"}, [("Checkout", "b")], ["Checkout"])["a"] == (memory("b"),)


def test_an_id_names_a_memory_where_no_title_does() -> None:
    texts = {"a": "[[cyc-d]] [[B]] [[a]]"}
    assert linked(texts, [("b", "c")], (), ["a", "b", "cyc-d"]) == {"a": (memory("cyc-d"), memory("c"))}


def test_targets_stand_behind_all_hits() -> None:
    links = {"a": [memory("z"), Target("adr", "17"), Target("pending", "x")]}
    assert placed(["a", "b"], links, strong={"a"}) == [
        Placed(memory("a"), None),
        Placed(memory("b"), None),
        Placed(memory("z"), "a", is_pulled=True),
        Placed(Target("adr", "17"), "a", is_pulled=True),
    ]


def test_what_matched_on_its_own_keeps_its_place_and_says_who_links_to_it() -> None:
    assert placed(["b", "a"], {"a": [memory("b")]}, strong=()) == [
        Placed(memory("b"), "a"),
        Placed(memory("a"), None),
    ]


def test_a_cycle_ends_where_it_meets_itself() -> None:
    links = {"a": [memory("b")], "b": [memory("c")], "c": [memory("a")]}
    assert placed(["a"], links, strong={"a"}) == [
        Placed(memory("a"), "c"),
        Placed(memory("b"), "a", is_pulled=True),
        Placed(memory("c"), "b", is_pulled=True),
    ]


def test_links_of_strong_hits_alone_pull_in_and_never_more_than_three() -> None:
    links = {"a": [memory(f"m-{number}") for number in range(50)], "b": [memory("n")]}
    assert [one.target.name for one in placed(["b", "a"], links, strong={"a"})] == [
        "b",
        "a",
        "m-0",
        "m-1",
        "m-2",
    ]


def test_what_may_not_be_delivered_is_not_pulled_in_either() -> None:
    assert placed(["a"], {"a": [memory("b")]}, strong={"a"}, may_pull=lambda name: name != "b") == [
        Placed(memory("a"), None)
    ]
