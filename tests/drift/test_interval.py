from __future__ import annotations

import pytest

from gitmem.drift.content.difference import Difference
from gitmem.drift.interval import HeldSymbol, Interval, package_file
from tests.support.tree_view import Files, TreeOfText, between, without_history

LINES = [f"value_{number} = {number}\n" for number in range(20)]
TEXT = "".join(LINES)


def follow(then: Files, now: Files, path: str = "src/a.py") -> str | None:
    return between(then, now).follow_file(path, TreeOfText(then).paths()[path])


def replaced(count: int) -> str:
    """The text with so many of its twenty lines replaced."""
    return "".join([*(f"other_{number}()\n" for number in range(count)), *LINES[count:]])


# exact content
def test_exact_content_at_another_path() -> None:
    assert follow({"src/a.py": TEXT}, {"lib/b.py": TEXT}) == "lib/b.py"


def test_a_copy_that_stood_there_before_is_no_place() -> None:
    assert follow({"src/a.py": TEXT, "lib/a.py": TEXT}, {"lib/a.py": TEXT}) is None


def test_of_two_copies_the_one_with_the_same_name_counts() -> None:
    assert follow({"src/a.py": TEXT}, {"lib/a.py": TEXT, "lib/b.py": TEXT}) == "lib/a.py"


def test_of_two_with_the_same_name_the_one_whose_folders_agree_counts() -> None:
    then = {"web/src/shop/a.py": TEXT}
    now = {"web/lib/shop/a.py": TEXT, "api/old/a.py": TEXT}
    assert follow(then, now, "web/src/shop/a.py") == "web/lib/shop/a.py"


def test_of_two_copies_under_other_names_none_counts() -> None:
    interval = without_history({"lib/b.py": TEXT, "lib/c.py": TEXT})
    assert interval.exact_place("src/a.py", TreeOfText({"x": TEXT}).paths()["x"]) is None


def test_swapped_files_are_unmasked() -> None:
    then = {"one/a.py": TEXT, "two/a.py": replaced(20)}
    now = {"one/a.py": replaced(20), "two/a.py": TEXT}
    assert follow(then, now, "one/a.py") == "two/a.py"
    assert follow(then, now, "two/a.py") == "one/a.py"


def test_without_the_old_tree_exact_content_still_counts() -> None:
    blob = TreeOfText({"x": TEXT}).paths()["x"]
    assert without_history({"lib/b.py": TEXT}).follow_file("src/a.py", blob) == "lib/b.py"


# pairs by similarity
@pytest.mark.parametrize(
    ("lines", "place"), [(1, "lib/a.py"), (8, "lib/a.py"), (9, None), (10, None), (20, None)]
)
def test_a_pair_counts_when_sixty_per_cent_are_equal(lines: int, place: str | None) -> None:
    assert follow({"src/a.py": TEXT}, {"lib/a.py": replaced(lines)}) == place


def test_a_pair_that_git_found_by_half_is_in_the_rows_and_is_not_followed() -> None:
    interval = between({"src/a.py": TEXT}, {"lib/a.py": replaced(10)})
    assert [(row.status, row.similarity) for row in interval.changes] == [("renamed", 50)]
    assert interval.follow_file("src/a.py", None) is None


def test_a_pair_that_was_only_formatted_counts_however_many_lines_differ() -> None:
    wrapped = "".join(f"value_{number} = (\n    {number}\n)\n" for number in range(20))
    interval = between({"src/a.py": TEXT}, {"lib/a.py": wrapped})
    assert interval.follow_file("src/a.py", None) is None  # git pairs nothing here: no line is equal
    half = "".join(f"value_{number} = (\n    {number}\n)\n" for number in range(10)) + "".join(LINES[10:])
    assert follow({"src/a.py": TEXT}, {"lib/a.py": half}) == "lib/a.py"


def test_a_name_alone_never_relocates() -> None:
    assert follow({"src/a.py": TEXT}, {"lib/a.py": replaced(20)}) is None


# module to package
@pytest.mark.parametrize(
    ("path", "package"),
    [
        ("src/a.py", "src/a/__init__.py"),
        ("a.ts", "a/index.ts"),
        ("src/a.tsx", "src/a/index.tsx"),
        ("src/a.js", "src/a/index.js"),
        ("src/a.rs", "src/a/mod.rs"),
        ("src/a/__init__.py", None),
        ("src/index.ts", None),
        ("a.go", None),
        ("Makefile", None),
    ],
)
def test_the_file_of_a_package(path: str, package: str | None) -> None:
    assert package_file(path) == package


def test_a_module_that_became_a_package() -> None:
    others = {"src/a/more.py": replaced(20)}
    assert follow({"src/a.py": TEXT}, {"src/a/__init__.py": TEXT, **others}) == "src/a/__init__.py"
    assert follow({"src/a.py": TEXT}, {"src/a/__init__.py": replaced(8), **others}) == "src/a/__init__.py"
    assert follow({"src/a.py": TEXT}, {"src/a/__init__.py": replaced(19), **others}) is None


def test_a_package_that_was_there_before_took_nothing_in() -> None:
    assert (
        follow({"src/a.py": TEXT, "src/a/__init__.py": replaced(8)}, {"src/a/__init__.py": replaced(8)})
        is None
    )


# definitions
SEND = "def send(order):\n    log(order)\n    ship(order)\n    return order\n"


def find(interval: Interval, then: Files, path: str = "a.py", name: str = "send") -> tuple[str, str] | None:
    symbol = next(one for one in TreeOfText(then).outline(path).symbols if one.name == name)  # type: ignore[union-attr]  # parsed
    held = HeldSymbol(symbol.digest[:16], symbol.body[:16], symbol.end - symbol.start + 1)
    found = interval.find_symbol(path, name, held)
    return (found[0], found[1].name) if found is not None else None


def test_the_pair_is_asked_before_other_files_with_the_name() -> None:
    then = {"a.py": SEND + TEXT}
    now = {"lib/a.py": SEND + TEXT, "b/a.py": SEND}
    assert find(between(then, now), then) == ("lib/a.py", "send")


def test_a_definition_beats_the_best_pair_of_its_file() -> None:
    then = {"a.py": SEND + TEXT}
    now = {"lib/a.py": TEXT, "far/b.py": "X = 1\n\n\n" + SEND}
    assert find(between(then, now), then) == ("far/b.py", "send")


def test_one_that_stood_there_before_does_not_count() -> None:
    then = {"a.py": SEND, "b.py": SEND + "x = 1\n"}
    assert find(between(then, {"a.py": "y = 1\n", "b.py": SEND + "x = 2\n"}), then) is None


def test_another_language_is_not_searched() -> None:
    then = {"a.py": SEND}
    assert find(between(then, {"a.py": "", "b.txt": SEND}), then) is None


def test_stood_there_asks_for_the_very_name() -> None:
    interval = between({"a.py": "class A:\n    def f(self):\n        return 1\n"}, {"a.py": ""})
    assert interval.stood_there("a.py", "A.f")
    assert not interval.stood_there("a.py", "f")
    assert not interval.stood_there("b.py", "A.f")
    assert not without_history({"a.py": ""}).stood_there("a.py", "A.f")


# what differs, ignored commits folded
BEFORE, FORMATTED, AFTER = "f(1)\ng(2)\n", "f(one=1)\ng(2)\n", "f(one=1)\ng(3)\n"


def folded(now: str) -> Interval:
    return between({"a.py": BEFORE}, {"a.py": now}, [({"a.py": BEFORE}, {"a.py": FORMATTED})])


def test_only_what_lies_outside_ignored_commits_differs() -> None:
    assert folded(FORMATTED).content_difference("a.py", "a.py") is Difference.SAME
    assert folded(AFTER).content_difference("a.py", "a.py") is Difference.SUBSTANTIVE
    assert folded(FORMATTED).share("a.py", "a.py") == 0
    assert folded(AFTER).share("a.py", "a.py") == pytest.approx(0.5)


def test_an_ignored_commit_that_left_the_file_alone_changes_nothing() -> None:
    interval = between({"a.py": BEFORE}, {"a.py": AFTER}, [({"a.py": BEFORE, "b.py": ""}, {"a.py": BEFORE})])
    assert len(interval.segments("a.py", "a.py")) == 1


def test_an_ignored_commit_is_folded_through_a_rename() -> None:
    fold = ({"b.py": BEFORE}, {"b.py": FORMATTED})
    interval = between({"a.py": BEFORE}, {"b.py": FORMATTED}, [fold])
    assert interval.content_difference("a.py", "b.py") is Difference.SAME


def test_without_the_old_tree_nothing_is_known() -> None:
    interval = without_history({"a.py": BEFORE})
    assert interval.content_difference("a.py", "a.py") is None
    assert interval.share("a.py", "a.py") is None
    assert interval.arrivals == ("a.py",)


def test_an_annotation_that_came_with_the_move_is_soft_where_the_file_moved_or_the_old_tree_is_missing() -> (
    None
):
    typed = SEND.replace("(order)", "(order: Order) -> Order", 1)
    then = {"a.py": SEND + TEXT}
    symbol = next(one for one in TreeOfText(then).outline("a.py").symbols if one.name == "send")  # type: ignore[union-attr]  # parsed
    beside, whole = {"a.py": TEXT, "b.py": typed}, {"b.py": typed + TEXT}
    for core, expected in ((symbol.core[:16], "b.py"), (None, None)):
        held = HeldSymbol(symbol.digest[:16], "-", 4, core)
        for interval in (without_history(beside), between(then, whole)):
            found = interval.find_symbol("a.py", "send", held)
            assert (found[0] if found else None) == expected
        assert between(then, beside).find_symbol("a.py", "send", held) is None
