"""Which memories document an element, how fresh it is, and the order of the gaps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.knowledge_map.cells import KnowledgeMap, Known, count_commits, draw_map
from gitmem.model.element import Element
from gitmem.model.memory import Kind
from tests.support.maps import TODAY, known

CART, PAY = Element("Cart", paths=("src/cart/**",)), Element("결제", paths=("src/pay/**", "pay.py"))
PATHS = ["src/cart/a.py", "src/cart/b.py", "src/pay/a.py", "pay.py", "README.md"]


def drawn(*memories: Known, churn: dict[str, int] | None = None) -> KnowledgeMap:
    return draw_map([CART, PAY], PATHS, memories, churn or {}, TODAY)


def documented(*memories: Known) -> list[str]:
    return [cell.element.name for cell in drawn(*memories).cells if cell.is_documented]


@pytest.mark.parametrize(
    ("memory", "expected"),
    [
        (known(elements=["결제"]), ["결제"]),
        (known(elements=["Nobody"]), []),
        (known(paths=["src/cart/a.py"]), ["Cart"]),
        (known(paths=["src/cart/**", "pay.py"]), ["Cart", "결제"]),
        (known(paths=["src/**"]), []),
        (known(paths=["**"]), []),
        (known(paths=["src/**"], exclude=["src/pay/**"]), ["Cart"]),
        (known(paths=["src/cart/gone.py"]), ["Cart"]),
        (known(paths=["src/cart/old/**/*.py"]), ["Cart"]),
        (known(paths=["elsewhere/**"]), []),
        (known(paths=["src/cart/**"], status="challenged"), ["Cart"]),
        (known(paths=["src/cart/**"], status="proposed"), []),
        (known(paths=["src/cart/**"], status="deprecated"), []),
        (known(paths=["src/cart/**"], kind=Kind.SESSION_OUTCOME), []),
    ],
)
def test_what_documents_an_element(memory: Known, expected: list[str]) -> None:
    assert documented(memory) == expected


def test_the_headline_counts_documented_elements() -> None:
    assert drawn().headline == "0 of 2 elements documented"
    assert drawn(known(elements=["Cart"])).headline == "1 of 2 elements documented"
    assert draw_map([CART], PATHS, [], {}, TODAY).headline == "0 of 1 element documented"
    assert draw_map([], PATHS, [], {}, TODAY).headline == "0 of 0 elements documented"


def test_what_is_counted_of_an_element() -> None:
    cell = drawn(
        known("a", elements=["Cart"], kind=Kind.PITFALL, days=45),
        known("b", paths=["src/cart/a.py"], status="challenged", days=0),
        churn={"Cart": 7},
    ).cells[0]
    assert (cell.files, len(cell.memories), cell.pitfalls, cell.challenged, cell.churn) == (2, 2, 1, 1, 7)
    assert cell.freshness == pytest.approx((0.5 + 0.6) / 2)


def test_what_belongs_to_no_element_is_told_apart() -> None:
    found = drawn(
        known("a", paths=["**"]), known("b", elements=["Cart"]), known("c", paths=["x"], status="denied")
    )
    assert [one.memory.id for one in found.outside] == ["a"]


def test_freshness_is_untold_where_nothing_tells_when() -> None:
    assert drawn(known(elements=["Cart"], days=None)).cells[0].freshness is None
    assert drawn(known(elements=["Cart"], days=-3)).cells[0].freshness == 1


def test_gaps_come_by_churn_then_by_size() -> None:
    elements = [Element(name, paths=(f"{name}/**",)) for name in "abcd"]
    paths = ["a/1", "b/1", "b/2", "c/1", "d/1"]
    found = draw_map(elements, paths, [known(paths=["d/**"])], {"a": 1, "b": 1, "c": 9}, TODAY)
    assert [cell.element.name for cell in found.gaps] == ["c", "b", "a"]


def test_a_commit_counts_once_for_each_element_that_it_touched() -> None:
    commits = [("src/cart/a.py", "src/cart/gone.py"), ("pay.py", "src/cart/a.py"), ("README.md",), ()]
    assert count_commits([CART, PAY], commits) == {"Cart": 2, "결제": 1}


PARTS = st.sampled_from(["a", "b", "한", "*", "**"])
GLOBS = st.lists(PARTS, min_size=1, max_size=3).map("/".join)


@given(st.lists(GLOBS, max_size=4), st.lists(GLOBS, min_size=1, max_size=4))
def test_another_memory_never_takes_documentation_away(scopes: list[str], owned: list[str]) -> None:
    elements = [Element(str(number), paths=(glob,)) for number, glob in enumerate(owned)]
    paths = ["a", "b/a", "a/b/한", "한/a/b", "b/b"]
    memories = [known(str(number), paths=[glob]) for number, glob in enumerate(scopes)]
    counts = [
        draw_map(elements, paths, memories[:many], {}, TODAY).documented for many in range(len(memories) + 1)
    ]
    assert counts == sorted(counts)
