from __future__ import annotations

import pytest

from gitmem.model.verdict import Verdict
from gitmem.model.watch import Quote, Watch, WatchKind, parse_watch
from tests.support.tree_view import judged

PACKAGE = '{\n  "scripts": {"lint": "eslint .", "test": "jest"}\n}\n'
LINT = parse_watch("key", "package.json#scripts.lint")


# keys
@pytest.mark.parametrize(
    ("new", "verdict", "reason"),
    [
        (PACKAGE, "fresh", "unchanged"),
        ('{"scripts": {"test": "vitest", "lint": "eslint ."}}', "fresh", "scripts.lint has the same value"),
        (
            PACKAGE.replace('"lint": "eslint .", ', ""),
            "gone",
            "scripts.lint no longer exists in package.json",
        ),
    ],
)
def test_a_key_is_its_value(new: str, verdict: str, reason: str) -> None:
    for known in (True, False):
        (found,) = judged(LINT, {"package.json": PACKAGE}, {"package.json": new}, history=known).findings
        assert (str(found.verdict), found.reason) == (verdict, reason)


def test_a_changed_key_tells_both_values_where_the_old_one_is_known() -> None:
    after = {"package.json": PACKAGE.replace("eslint .", "biome check")}
    reasons = [
        judged(LINT, {"package.json": PACKAGE}, after, history=known).findings[0].reason
        for known in (True, False)
    ]
    assert reasons == [
        'scripts.lint was "eslint .", now is "biome check"',
        'scripts.lint now is "biome check"',
    ]


def test_long_values_are_shown_from_where_they_part() -> None:
    old, new = ("run-s " + "x" * 100 + one for one in ("lint", "test"))
    seen = judged(
        LINT,
        {"package.json": PACKAGE.replace("eslint .", old)},
        {"package.json": PACKAGE.replace("eslint .", new)},
    )
    assert seen.findings[0].reason == f'scripts.lint was …{"x" * 20}lint", now is …{"x" * 20}test"'


def test_a_key_in_a_file_that_does_not_parse_is_unknown_and_never_gone() -> None:
    for known in (True, False):
        seen = judged(LINT, {"package.json": PACKAGE}, {"package.json": "{broken"}, history=known)
        assert str(seen.verdict) == "unknown"


def test_a_key_whose_file_is_gone() -> None:
    seen = judged(LINT, {"package.json": PACKAGE}, {"b.json": "{}"})
    assert (str(seen.verdict), seen.findings[0].reason) == (
        "gone",
        "scripts.lint is gone with package.json, which was deleted",
    )


def test_a_key_follows_its_file() -> None:
    for known in (True, False):
        seen = judged(LINT, {"package.json": PACKAGE}, {"web/package.json": PACKAGE}, history=known)
        assert (str(seen.verdict), str(seen.moved)) == ("relocated", "key web/package.json#scripts.lint")


def test_a_key_that_was_never_there() -> None:
    watch = parse_watch("key", "package.json#scripts.build")
    assert str(judged(watch, {"package.json": PACKAGE}, {"package.json": "{}"}).verdict) == "unknown"


def test_a_long_value_is_cut_in_the_reason() -> None:
    seen = judged(LINT, {"package.json": PACKAGE}, {"package.json": PACKAGE.replace("eslint .", "x" * 500)})
    assert seen.findings[0].reason.endswith("…")
    assert len(seen.findings[0].reason) < 110


@pytest.mark.parametrize(
    ("path", "key", "old", "new"),
    [
        ("pyproject.toml", "project.requires-python", '[project]\nrequires-python = ">=3.11"\n', '[project]\nrequires-python = ">=3.12"\n'),
        ("Makefile", "test", "test:\n\tpytest\n", "test:\n\ttox\n"),
        (".github/ci.yml", "jobs.test.runs-on", "jobs:\n  test:\n    runs-on: ubuntu\n", "jobs:\n  test:\n    runs-on: macos\n"),
        ("go.mod", "go", "module x\n\ngo 1.21\n", "module x\n\ngo 1.22\n"),
    ],
)  # fmt: skip
def test_every_kind_of_file_with_keys(path: str, key: str, old: str, new: str) -> None:
    watch = parse_watch("key", f"{path}#{key}")
    assert str(judged(watch, {path: old}, {path: new}).verdict) == "changed"
    assert str(judged(watch, {path: old}, {path: "# said\n" + old}).verdict) == "fresh"


# lines
LINES = "one = 1\n\nif ready:\n    start()\n    wait()\nelse:\n    stop()\n"
WATCH = Watch(WatchKind.LINES, path="a.py", lines=(3, 5))
QUOTED = Watch(WatchKind.LINES, path="a.py", lines=(3, 5), quote=Quote("if ready:\n    start()\n    wait()"))


@pytest.mark.parametrize("watch", [WATCH, QUOTED], ids=["counted", "quoted"])
@pytest.mark.parametrize(
    ("new", "verdict"),
    [
        (LINES, "fresh"),
        (LINES.replace("one = 1", "one = 2"), "fresh"),
        ("zero = 0\n" + LINES, "fresh"),
        (LINES.replace("    ", "\t"), "fresh"),
        (LINES.replace("    start()\n", "    start()\n\n"), "fresh"),
        (LINES.replace("\n", "\r\n"), "fresh"),
        (LINES.replace("    wait()", "    sleep()"), "changed"),
        (LINES.replace("    start()\n    wait()", "    go()"), "rewritten"),
        ("x = 1\n", "gone"),
    ],
)
def test_quoted_lines(watch: Watch, new: str, verdict: str) -> None:
    assert str(judged(watch, {"a.py": LINES}, {"a.py": new}).verdict) == verdict


def test_lines_that_moved_down_say_where() -> None:
    assert str(judged(WATCH, {"a.py": LINES}, {"a.py": "zero = 0\n" + LINES}).moved) == "lines a.py:4-6"


def test_lines_follow_their_file() -> None:
    seen = judged(WATCH, {"a.py": LINES}, {"lib/b.py": LINES})
    assert (str(seen.verdict), str(seen.moved)) == ("relocated", "lines lib/b.py:3-5")


def test_lines_that_moved_to_another_file_are_found_there() -> None:
    quoted = "if ready:\n    start()\n    wait()\n"
    seen = judged(
        WATCH, {"a.py": LINES, "b.py": "x = 1\n"}, {"a.py": "one = 1\n", "b.py": "x = 1\n" + quoted}
    )
    assert (str(seen.verdict), str(seen.moved)) == ("relocated", "lines b.py:2-4")


def test_a_copy_that_stood_elsewhere_before_is_no_new_place() -> None:
    then = {"a.py": LINES, "b.py": LINES}
    seen = judged(WATCH, then, {"a.py": "one = 1\n", "b.py": LINES + "x = 1\n"})
    assert (str(seen.verdict), seen.moved) == ("gone", None)


def test_lines_of_a_deleted_file() -> None:
    assert str(judged(WATCH, {"a.py": LINES}, {"c.txt": ""}).verdict) == "gone"


def test_without_the_old_tree_a_quote_decides_and_bare_numbers_cannot() -> None:
    moved = "zero = 0\n" + LINES
    assert str(judged(QUOTED, {"a.py": LINES}, {"a.py": moved}, history=False).verdict) == "fresh"
    assert str(judged(WATCH, {"a.py": LINES}, {"a.py": moved}, history=False).verdict) == "unknown"


def test_lines_beyond_the_end_of_the_file_were_never_there() -> None:
    watch = Watch(WatchKind.LINES, path="a.py", lines=(90, 95))
    assert str(judged(watch, {"a.py": LINES}, {"a.py": "x\n"}).verdict) == "unknown"


@pytest.mark.parametrize(
    ("then", "now", "verdict"),
    [
        ("a = 1\nb = 2  # two\nc = 3\n", "a = 1\nb = 2  # a pair\nc = 3\n", Verdict.COSMETIC),
        ("a = 1\nb = 2\nc = 3\n", "a = 1\nb = 2  # new\nc = 3\n", Verdict.COSMETIC),
        ("a = 1\nb = 2  # two\nc = 3\n", "a = 1\nb = 3  # two\nc = 3\n", Verdict.CHANGED),
        ("a = 1\n# one\n# two\nc = 3\n", "a = 1\n# three\n# two\nc = 3\n", Verdict.CHANGED),
        ("a = 1\nb = '# two'\nc = 3\n", "a = 1\nb = '# one'\nc = 3\n", Verdict.CHANGED),
    ],
)
def test_comments_of_quoted_code_say_nothing_and_quoted_comments_do(
    then: str, now: str, verdict: Verdict
) -> None:
    watch = parse_watch("lines", "src/a.py:2-3")
    assert judged(watch, {"src/a.py": then}, {"src/a.py": now}).verdict is verdict
