from __future__ import annotations

import json

from gitmem.model.element import Element, Level
from gitmem.model.memory import Kind
from gitmem.report.look import PLAIN, Look
from gitmem.report.map_text import map_document, map_lines, map_notes
from gitmem.usecases.map import Mapped
from tests.support.maps import known, mapped

CART = Element("Cart", Level.CONTAINER, ("src/cart/**",))
PAY = Element("결제", paths=("src/pay/**",))
EVIL = Element("\x1b[31mred\u202e\n::error::x", paths=("evil/**",))
PATHS = ["src/cart/a", "src/cart/b", "src/pay/a"]


def sample() -> Mapped:
    memories = [
        known("a", paths=["src/cart/**"], kind=Kind.PITFALL, days=45),
        known("b", elements=["Cart"], status="challenged", days=45),
    ]
    return mapped([PAY, CART, EVIL], PATHS, memories, {"Cart": 12, "결제": 3}, proposed=2, shallow=True)


def test_the_coverage_line_comes_first_then_what_is_known_then_the_gaps() -> None:
    assert list(map_lines(sample())) == [
        "1 of 3 elements documented",
        "",
        "known",
        "  Cart" + " " * 24 + "  12 commits  2 memories (1 pitfall), 40 % fresh, 1 to verify",
        "",
        "nothing known, what changes most first",
        "  결제" + " " * 24 + "   3 commits  1 file",
        "  \\x1b[31mred\\u202e ::error::x   0 commits  0 files",
    ]


def test_where_all_is_doubted_nothing_is_called_fresh() -> None:
    doubted = [known(name, paths=["src/cart/**"], status="challenged", days=0) for name in "ab"]
    assert list(map_lines(mapped([CART], PATHS, doubted)))[-1].endswith(
        "2 memories, 0 of 2 fresh, 2 to verify"
    )


def test_bars_are_for_a_terminal_with_room_and_lines_fit_it() -> None:
    wide = list(map_lines(sample(), Look(width=100)))
    assert "████████████  12 commits" in wide[3]
    assert "███·········" in wide[6]
    for columns in (20, 40, 59, 60, 80):
        lines = list(map_lines(sample(), Look(width=columns)))
        assert all(len(line) <= columns for line in lines)
    assert all("█" not in line for line in map_lines(sample(), PLAIN))


def test_long_lists_of_gaps_are_cut_unless_all_are_asked_for() -> None:
    many = mapped([Element(f"e{number}", paths=(f"e{number}/**",)) for number in range(40)])
    assert list(map_lines(many))[-1] == "  … and 25 more: gitmem map -v"
    assert len(list(map_lines(many, whole=True))) == 43


def test_what_is_said_beside_the_map() -> None:
    assert list(map_notes(sample())) == [
        "commits of the 90 days up to 2026-08-01, the newest one; history is cut here (shallow clone), so there may be more",
        "2 memories are proposed and counted once merged",
    ]
    wide = mapped([CART], PATHS, [known(paths=["**"])])
    assert (
        list(map_notes(wide))[1]
        == "1 memory belongs to no element: project-wide, wider than one, or about what is in none"
    )
    assert list(map_notes(mapped([]))) == [
        "HEAD holds no source code to draw elements from; name them in .ai/elements.yaml"
    ]
    assert list(map_notes(mapped([CART], churn_problem="a tree is missing"))) == [
        "commits could not be counted: a tree is missing"
    ]


def test_the_document_has_the_fields_of_the_contract() -> None:
    document = json.loads(json.dumps(map_document(sample())))
    assert (document["headline"], document["documented"], document["total"]) == (
        "1 of 3 elements documented",
        1,
        3,
    )
    assert document["gaps"] == ["결제", EVIL.name]
    assert document["elements"][1] == {
        "name": "Cart",
        "level": "container",
        "paths": ["src/cart/**"],
        "inside": None,
        "files": 2,
        "memories": 2,
        "memory_ids": ["a", "b"],
        "pitfalls": 1,
        "challenged": 1,
        "freshness": 0.4,
        "churn": 12,
    }
