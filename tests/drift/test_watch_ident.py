from __future__ import annotations

import pytest

from gitmem.model.watch import Polarity, Watch, WatchKind
from tests.support.tree_view import Files, judged, mark_of

RESOLVE = Watch(WatchKind.IDENT, name="resolveIds")
BANNED = Watch(WatchKind.IDENT, name="moment", polarity=Polarity.PROHIBITS)
USES = "import { resolveIds } from './ids';\n\nexport const all = resolveIds([1, 2]);\n"
NONE = "export const all = [1, 2];\n"


def told(watch: Watch, then: Files, now: Files, *scope: str, history: bool = True) -> tuple[str, str]:
    seen = judged(watch, then, now, scope=scope or ("src/**",), history=history)
    return (str(seen.verdict), seen.findings[0].reason)


def test_it_is_counted_in_scope_in_manifests_and_everywhere() -> None:
    files = {
        "src/a.ts": USES,
        "lib/b.ts": USES,
        "package.json": '{"scripts": {"resolveIds": "x"}}',
        "README.md": "resolveIds",
    }
    mark = mark_of(RESOLVE, files, ("src/**",))
    assert mark.counts == (1, 1, 3)
    assert [path for path, _ in mark.sample] == ["package.json", "src/a.ts", "lib/b.ts"]


@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize(
    ("now", "verdict"),
    [
        ({"src/a.ts": USES + "// more\n"}, "fresh"),
        ({"src/b.ts": USES}, "fresh"),
        ({"src/a.ts": NONE}, "gone"),
        ({"src/a.ts": "// resolveIds was here\n" + NONE}, "gone"),
        ({"src/a.ts": NONE, "docs/use.md": "Call `resolveIds`."}, "gone"),
        ({"src/a.ts": NONE, "yarn.lock": "resolveIds@1.0:\n"}, "gone"),
        ({"src/a.ts": NONE, "notes.py": '"""resolveIds is old."""\n'}, "gone"),
    ],
)
def test_only_code_keeps_a_name_alive(now: Files, verdict: str, history: bool) -> None:
    assert told(RESOLVE, {"src/a.ts": USES}, now, history=history)[0] == verdict


def test_a_longer_name_is_another_name() -> None:
    assert (
        told(RESOLVE, {"src/a.ts": USES}, {"src/a.ts": USES.replace("resolveIds", "resolveIdsNow")})[0]
        == "gone"
    )


def test_one_that_left_the_scope_while_another_place_always_had_it() -> None:
    then = {"src/a.ts": USES, "old/b.ts": USES}
    assert told(RESOLVE, then, {"src/a.ts": NONE, "old/b.ts": USES}) == (
        "changed",
        "resolveIds no longer occurs in scope; old/b.ts still has it",
    )


def test_one_that_moved_with_its_file() -> None:
    then = {"src/a.ts": USES, "src/b.ts": NONE}
    verdict, reason = told(RESOLVE, then, {"lib/a.ts": USES, "src/b.ts": NONE})
    assert (verdict, reason) == ("relocated", "resolveIds moved with its file to lib/a.ts")


def test_one_that_moved_to_a_new_place_out_of_scope() -> None:
    now = {"src/a.ts": NONE, "lib/new.ts": USES + "export const more = 1;\n" * 20}
    assert told(RESOLVE, {"src/a.ts": USES}, now) == (
        "touched",
        "resolveIds left the scope and now occurs in lib/new.ts",
    )


def test_a_place_that_was_merely_edited_is_no_new_place() -> None:
    then = {"src/a.ts": USES, "lib/b.ts": USES}
    now = {"src/a.ts": NONE, "lib/b.ts": USES + "export const more = 1;\n"}
    assert told(RESOLVE, then, now)[0] == "changed"


def test_one_from_outside_the_scope_is_looked_for_everywhere() -> None:
    then = {"src/a.ts": NONE, "lib/b.ts": USES}
    assert told(RESOLVE, then, {"src/a.ts": NONE, "other/c.ts": USES})[0] == "fresh"
    assert told(RESOLVE, then, {"src/a.ts": NONE})[0] == "gone"


def test_a_dependency_is_judged_by_the_manifest_alone() -> None:
    jest = Watch(WatchKind.IDENT, name="jest")
    then = {
        "package.json": '{"devDependencies": {"jest": "29"}}',
        ".github/ci.yml": "run: jest\n",
        "src/a.ts": NONE,
    }
    now = {**then, "package.json": '{"devDependencies": {"vitest": "1"}}'}
    assert told(jest, then, now) == ("gone", "jest is no longer declared in package.json")
    assert told(jest, then, {**then, ".github/ci.yml": "run: npm test\n"})[0] == "fresh"
    assert told(jest, then, {**then, "package.json": '{"devDependencies": {"jest": "30"}}'})[0] == "fresh"


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        ("from griffe import Docstring\n", "fresh"),
        ("import griffe\n", "fresh"),
        ("NAME = 'griffe'\n", "gone"),
        ("# griffe\nimport re\n", "gone"),
    ],
)
def test_one_whose_distribution_is_called_otherwise_now_stays_while_the_scope_imports_it(
    code: str, verdict: str
) -> None:
    griffe = Watch(WatchKind.IDENT, name="griffe")
    then = {"pyproject.toml": '[project]\ndependencies = ["griffe>=1"]\n', "src/a.py": "import griffe\n"}
    now = {
        "pyproject.toml": '[project]\ndependencies = ["griffelib>=2"]\n',
        "src/a.py": code,
        "b.py": "griffe = 1\n",
    }
    assert told(griffe, then, now, "src/**")[0] == verdict


def test_one_that_was_never_there() -> None:
    assert told(RESOLVE, {"src/a.ts": NONE}, {"src/a.ts": NONE + NONE})[0] == "unknown"


# prohibitions
@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize(
    ("then", "now", "verdict"),
    [
        (NONE, NONE + "const x = 1;\n", "fresh"),
        (NONE, "import moment from 'moment';\n" + NONE, "changed"),
        (NONE, "// moment is banned\n" + NONE, "fresh"),
    ],
)
def test_a_prohibition_is_kept_by_absence(then: str, now: str, verdict: str, history: bool) -> None:
    assert told(BANNED, {"src/a.ts": then}, {"src/a.ts": now}, history=history)[0] == verdict


def test_what_a_prohibition_says_when_broken() -> None:
    now = {"src/a.ts": "import moment from 'moment';\n"}
    assert told(BANNED, {"src/a.ts": NONE}, now)[1] == "moment is prohibited here, and now occurs in src/a.ts"


@pytest.mark.parametrize("history", [True, False])
def test_a_broken_prohibition_points_at_the_file_that_broke_it(history: bool) -> None:
    had = "import moment from 'moment';\n"
    then = {"package.json": '{"dependencies": {"moment": "2"}}', "src/a.ts": had, "src/b.ts": NONE}
    seen = judged(BANNED, then, {**then, "src/b.ts": had}, scope=("src/**",), history=history)
    assert seen.findings[0].path == "src/b.ts"
    assert seen.findings[0].reason == "moment is prohibited here, and now occurs in src/b.ts"


def test_a_file_that_was_renamed_with_a_prohibited_name_did_not_break_the_rule() -> None:
    had = "import moment from 'moment';\n" + NONE
    then = {"src/b.ts": had, "src/c.ts": NONE + "// other\n" * 9}
    now = {"src/a.ts": had, "src/c.ts": had + "// other\n" * 9}
    assert judged(BANNED, then, now, scope=("src/**",)).findings[0].path == "src/c.ts"


def test_a_prohibition_looks_at_its_scope_only() -> None:
    assert (
        told(BANNED, {"src/a.ts": NONE}, {"src/a.ts": NONE, "lib/b.ts": "import moment from 'moment';\n"})[0]
        == "fresh"
    )


def test_a_name_that_the_scope_already_had_may_stay_and_not_spread() -> None:
    had = "import moment from 'moment';\n"
    then = {"src/a.ts": had, "src/b.ts": NONE}
    assert told(BANNED, then, {**then, "src/a.ts": had + NONE})[0] == "fresh"
    assert told(BANNED, then, {**then, "src/b.ts": had})[0] == "changed"


def test_a_prohibited_name_that_is_gone_everywhere_makes_the_rule_obsolete() -> None:
    then = {"src/a.ts": NONE, "lib/b.ts": "import moment from 'moment';\n"}
    verdict, reason = told(BANNED, then, {"src/a.ts": NONE})
    assert (verdict, reason) == (
        "touched",
        "moment is gone from the whole repository: the rule may be obsolete",
    )


@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize(("left", "verdict"), [(8, "fresh"), (4, "fresh"), (3, "rewritten"), (0, "gone")])
def test_a_name_used_everywhere_and_now_hardly_is_no_longer_what_it_was(
    left: int, verdict: str, history: bool
) -> None:
    then = {f"src/{number}.ts": USES for number in range(10)}
    now = then | {f"src/{number}.ts": NONE for number in range(left, 10)}
    assert told(RESOLVE, then, now, history=history)[0] == verdict


def test_a_name_in_few_files_leaves_them_one_by_one() -> None:
    then = {f"src/{number}.ts": USES for number in range(5)}
    now = then | {f"src/{number}.ts": NONE for number in range(1, 5)}
    assert told(RESOLVE, then, now)[0] == "fresh"


def test_a_name_that_lives_on_in_tests_alone_has_not_moved() -> None:
    then: Files = {"src/a.ts": USES, "tests/a.test.ts": "test('nothing')\n"}
    used = "test('nothing', () => resolveIds([1]))\n"
    now: Files = {"src/a.ts": NONE, "tests/a.test.ts": used}
    assert told(RESOLVE, then, now)[0] == "changed"
    assert told(RESOLVE, then, {"src/a.ts": NONE, "lib/a.ts": used})[0] == "touched"


def test_a_value_that_another_place_sets_now_is_no_longer_set_here() -> None:
    watch = Watch(WatchKind.IDENT, name="localhost:8976")
    then = {"src/a.ts": "listen('localhost:8976');\n"}
    now = {"src/a.ts": "listen(options.at);\n", "lib/new.ts": "start('localhost:8976');\n"}
    assert told(watch, then, now) == (
        "changed",
        "localhost:8976 no longer occurs in scope, which gave it; lib/new.ts does now",
    )
