from __future__ import annotations

import pytest

from gitmem.drift.glob_words import is_literal, static_prefix
from gitmem.drift.interval import Interval
from gitmem.drift.scope_change import (
    ScopeAt,
    ScopeChange,
    churned_share,
    scope_change,
)
from gitmem.model.change import MODE_GITLINK, Change
from tests.support.tree_view import Files, TreeOfText, between, without_history

TEXT = "".join(f"def f{number}(x):\n    return x + {number}\n\n\n" for number in range(5))


def scope_at(then: Files, now: Files, *globs: str, generated: frozenset[str] = frozenset()) -> ScopeAt:
    return ScopeAt(globs, TreeOfText(then).matching(globs), TreeOfText(now).matching(globs), generated)


def changed(then: Files, now: Files, *globs: str, generated: frozenset[str] = frozenset()) -> ScopeChange:
    globs = globs or ("src/**",)
    return scope_change(scope_at(then, now, *globs, generated=generated), between(then, now))


def told(change: ScopeChange) -> list[tuple[str, str]]:
    return [(str(found.verdict), found.reason) for found in change.findings]


@pytest.mark.parametrize(
    ("then", "now", "expected", "substantive"),
    [
        ({"src/a.py": TEXT}, {"src/a.py": TEXT}, [], 0),
        ({"src/a.py": TEXT}, {"src/a.py": TEXT, "lib/b.py": "x = 1\n"}, [], 0),
        ({"src/a.py": TEXT}, {"src/a.py": "# x\n" + TEXT}, [("cosmetic", "only comments, docstrings or formatting")], 0),
        ({"src/a.py": TEXT}, {"src/a.py": "import x\n" + TEXT}, [("touched", "src/a.py: only type annotations or imports changed")], 0),
        ({"src/a.py": TEXT}, {"src/a.py": TEXT.replace("+ 1", "- 1")}, [("touched", "src/a.py changed")], 1),
        ({"src/a.py": TEXT}, {"src/a.py": TEXT, "src/b.py": "x = 1\n"}, [("touched", "src/b.py is new")], 1),
        ({"src/a.py": TEXT}, {"z.md": ""}, [("touched", "src/a.py was deleted")], 1),
        ({"src/a.py": TEXT}, {"src/b.py": TEXT}, [("relocated", "src/a.py is now src/b.py")], 0),
        ({"src/a.py": TEXT}, {"lib/b.py": TEXT}, [("relocated", "src/a.py is now lib/b.py")], 0),
        ({"lib/a.py": TEXT}, {"src/a.py": TEXT}, [("touched", "src/a.py moved here from lib/a.py")], 1),
        ({"src/a.py": TEXT}, {"src/b.py": TEXT.replace("+ 1", "- 1")}, [("touched", "src/a.py changed")], 1),
    ],
)  # fmt: skip
def test_each_row(then: Files, now: Files, expected: list[tuple[str, str]], substantive: int) -> None:
    change = changed(then, now)
    assert (told(change), len(change.substantive)) == (expected, substantive)


def test_a_file_that_the_scope_names_is_gone_when_deleted() -> None:
    assert told(changed({"src/a.py": TEXT}, {"z.md": ""}, "src/a.py")) == [("gone", "src/a.py was deleted")]


@pytest.mark.parametrize(
    "path", ["src/package-lock.json", "src/vendor/x.py", "src/CHANGELOG.md", "src/x.snap", "src/made/y.py"]
)
def test_what_a_tool_writes_is_left_out_unless_named(path: str) -> None:
    generated = frozenset({"src/made/**"})
    then, now = {path: "a\nb\n", "src/a.py": TEXT}, {path: "c\nd\n", "src/a.py": TEXT}
    assert told(changed(then, now, "src/**", generated=generated)) == []
    assert [verdict for verdict, _ in told(changed(then, now, path, generated=generated))] == ["touched"]


def test_a_submodule_is_its_commit() -> None:
    row = Change("modified", "src/lib", "src/lib", MODE_GITLINK, MODE_GITLINK, "1" * 40, "2" * 40)
    tree = TreeOfText({"src/lib": ""})
    scope = ScopeAt(("src/**",), ("src/lib",), ("src/lib",))
    change = scope_change(scope, Interval(tree, tree, [row]))
    assert told(change) == [("touched", "src/lib: submodule 1111111 → 2222222")]
    assert len(change.substantive) == 1


def test_without_the_old_tree_only_the_stored_digest_tells() -> None:
    now = {"src/a.py": TEXT}
    for differs in (False, True):
        scope = ScopeAt(("src/**",), (), ("src/a.py",), differs=differs)
        assert [one for one, _ in told(scope_change(scope, without_history(now)))] == ["touched"] * differs


# share of lines
def share(then: Files, now: Files, *, additions: bool = False) -> float:
    interval = between(then, now)
    scope = scope_at(then, now, "src/**")
    return churned_share(scope_change(scope, interval), scope, interval, additions=additions)


TEN = "".join(f"value_{number} = {number}\n" for number in range(10))


def ten(replaced: int) -> str:
    return "".join(
        [*(f"other_{number}()\n" for number in range(replaced)), *TEN.splitlines(keepends=True)[replaced:]]
    )


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ({"src/a.py": TEN, "src/b.py": TEN}, 0.0),
        ({"src/a.py": ten(5), "src/b.py": TEN}, 0.25),
        ({"src/a.py": ten(5), "src/b.py": ten(10)}, 0.75),
        ({"src/a.py": TEN}, 0.5),
        ({"src/a.py": TEN, "src/b.py": TEN, "src/c.py": ten(10)}, 0.0),
        ({"src/a.py": TEN, "lib/b.py": TEN}, 0.0),
        ({"src/a.py": "# said\n" * 10 + TEN, "src/b.py": TEN}, 0.0),
    ],
)
def test_the_share_of_lines_that_went(now: Files, expected: float) -> None:
    assert share({"src/a.py": TEN, "src/b.py": TEN}, now) == pytest.approx(expected)


def test_additions_count_when_asked() -> None:
    then = {"src/a.py": TEN, "src/b.py": TEN}
    assert share(then, {**then, "src/c.py": ten(10)}, additions=True) == pytest.approx(0.5)
    assert share(then, {**then, "src/a.py": TEN + "more()\n" * 5}, additions=True) == pytest.approx(0.25)


# following globs
FIVE = {
    f"src/shop/{name}.py": f"# {name}\n{name} = {len(name)}\n" for name in ("a", "bb", "ccc", "dddd", "eeeee")
}


def moved(count: int) -> dict[str, str]:
    paths = sorted(FIVE)
    return {
        (path.replace("src/shop", "lib/store") if at < count else path): FIVE[path]
        for at, path in enumerate(paths)
    }


@pytest.mark.parametrize(
    ("glob", "count", "patch"),
    [
        ("src/shop/**", 5, "lib/store/**"),
        ("src/shop/**", 3, "lib/store/**"),
        ("src/shop/**", 2, None),
        ("src/shop/*.py", 5, "lib/store/*.py"),
        ("src/shop/", 5, "lib/store/"),
        ("src/shop/a.py", 1, "lib/store/a.py"),
        ("src/shop/eeeee.py", 1, None),
        ("**/*.py", 5, None),
    ],
)
def test_a_glob_follows_its_files(glob: str, count: int, patch: str | None) -> None:
    assert changed(FIVE, moved(count), glob).patch == (((glob, patch),) if patch else ())


@pytest.mark.parametrize(
    ("glob", "prefix", "literal"),
    [
        ("src/a.py", "src", True),
        ("src/**", "src", False),
        ("src/a/*.py", "src/a", False),
        ("src/a/", "src/a", False),
        ("*.py", "", False),
        ("README.md", "", True),
        ("src/{a,b}/c.py", "src", False),
        ("a[0]/b.py", "", False),
    ],
)
def test_what_of_a_glob_is_fixed(glob: str, prefix: str, literal: bool) -> None:
    assert (static_prefix(glob), is_literal(glob)) == (prefix, literal)


def test_a_glob_follows_files_that_git_pairs_though_much_in_them_changed() -> None:
    then = {f"lib/{n}.py": "".join(f"x{k} = {n}{k}\n" for k in range(20)) for n in range(5)}
    now = {
        f"src/lib/{n}.py": "".join(f"x{k} = {n}{k}\n" for k in range(11)) + "y = 1\n" * 9 for n in range(5)
    }
    assert changed(then, now, "lib/**").patch == (("lib/**", "src/lib/**"),)


def test_a_submodule_that_comes_or_goes_names_its_commit() -> None:
    tree, scope = TreeOfText({"src/lib": ""}), ScopeAt(("src/**",), ("src/lib",), ("src/lib",))
    gone = Change("deleted", "src/lib", None, MODE_GITLINK, 0, "1" * 40, None)
    new = Change("added", None, "src/lib", 0, MODE_GITLINK, None, "2" * 40)
    assert told(scope_change(scope, Interval(tree, tree, [gone]))) == [
        ("touched", "src/lib was deleted, a submodule at 1111111")
    ]
    assert told(scope_change(scope, Interval(tree, tree, [new]))) == [
        ("touched", "src/lib is new, a submodule at 2222222")
    ]


@pytest.mark.parametrize(
    ("path", "old", "new", "reason", "compared"),
    [
        ("src/a.xyz", "a b", "a  b", "only white space", "compared by white space: no parser for .xyz"),
        ("src/a.xyz", "a b", "a c", "src/a.xyz changed", "compared by white space: no parser for .xyz"),
        ("src/odd", "a b", "a c", "src/odd changed", "compared by white space: no parser for files of this name"),
        ("src/a.sql", "a b", "a c", "src/a.sql changed", "compared without comments and white space: no parser for SQL"),
        ("src/a.md", "a b", "a c", "src/a.md changed", "compared by white space: it is prose"),
        ("src/a.py", "x = 1", "x = 2", "src/a.py changed", None),
        ("src/a.json", "[1]", "[2]", "src/a.json changed", None),
    ],
)  # fmt: skip
def test_a_coarse_comparison_says_so(
    path: str, old: str, new: str, reason: str, compared: str | None
) -> None:
    then, now = TreeOfText({path: old}), TreeOfText({path: new})
    row = Change("modified", path, path, 0o100644, 0o100644, "1" * 40, "2" * 40)
    (found,) = scope_change(ScopeAt(("src/**",), (path,), (path,)), Interval(now, then, [row])).findings
    assert (found.reason, found.compared) == (reason, compared)
