"""A watch that the words only name is touched by what a watch of content is challenged by."""

from __future__ import annotations

import pytest

from gitmem.drift.by_name import softened
from gitmem.drift.script_names import script_name
from gitmem.drift.seen import moved
from gitmem.drift.seen import told as told_of
from gitmem.model.memory import Claim
from gitmem.model.validation import Mark
from gitmem.model.verdict import Verdict
from gitmem.model.watch import parse_watch
from tests.drift.test_grading import about, judge
from tests.support.tree_view import Files, between

USE = "Use `send` to ship an order."
SEND = "export function send(order: Order) {\n  log(order)\n  return ship(order)\n}\n"
CODE = {"src/send.ts": SEND, "src/other.ts": "export const x = 1\n"}


def edited(old: str, new: str) -> dict[str, str]:
    assert old in SEND
    return {**CODE, "src/send.ts": SEND.replace(old, new)}


def told(summary: str, now: Files, *, history: bool = True, **fields: object) -> str:
    return str(judge(about(summary, **fields), now, CODE, history=history).verdict)


BODY = edited("  log(order)\n", "  tell(order)\n")


@pytest.mark.parametrize("history", [True, False])
def test_a_changed_body_touches_what_is_only_named(history: bool) -> None:
    assert told(USE, BODY, history=history) == "touched"


@pytest.mark.parametrize("summary", ["`send` logs each order first", "`send` ships, then answers"])
def test_a_changed_body_challenges_what_is_told_of_it(summary: str) -> None:
    assert told(summary, BODY) == "changed"


@pytest.mark.parametrize(
    ("now", "verdict"),
    [
        (edited("(order: Order)", "(order: Order, now: boolean)"), "changed"),
        (edited("export function", "/** @deprecated use post */\nexport function"), "changed"),
        (edited("export function send(order: Order) {\n  log", "function send(order: Order) {\n  tell"), "changed"),
        ({"src/send.ts": "export const y = 2\n", "src/other.ts": "export const x = 1\n"}, "gone"),
    ],
)  # fmt: skip
def test_gone_deprecated_hidden_or_called_otherwise_challenges_a_name(now: Files, verdict: str) -> None:
    assert told(USE, now) == verdict


def test_what_the_author_wrote_rests_on_content() -> None:
    written = (parse_watch("symbol", "src/send.ts#send"),)
    assert told(USE, BODY, watch=written) == "changed"
    assert told(USE, BODY, claim=Claim.CONTENT) == "changed"


def test_one_name_for_use_hides_no_change_of_another_for_its_content() -> None:
    then = {"src/a.py": "def charge(x):\n    return call(x)\n\n\ndef call(x):\n    return x\n"}
    memory = about("`charge` answers first, through `call`.")
    both = {"src/a.py": then["src/a.py"].replace("return call(x)", "return call(x + 1)")}
    only = {"src/a.py": then["src/a.py"].replace("return x\n", "return x + 1\n")}
    assert str(judge(memory, both, then).verdict) == "changed"
    assert str(judge(memory, only, then).verdict) == "touched"


SCRIPTS = '{"scripts": {"db-push": "db push", "lint": "eslint ."}}\n'


@pytest.mark.parametrize(
    ("summary", "verdict"),
    [
        ("Database: `pnpm run db-push`.", "touched"),
        ("`pnpm run db-push`를 실행한다.", "touched"),
        ("`pnpm run db-push` pushes with DbTool 3", "changed"),
    ],
)
def test_a_script_of_another_value_touches_where_only_its_name_is_said(summary: str, verdict: str) -> None:
    now = {"package.json": SCRIPTS.replace("db push", "db@6 push")}
    found = judge(about(summary, "package.json"), now, {"package.json": SCRIPTS})
    assert str(found.verdict) == verdict


def test_a_script_that_is_gone_challenges() -> None:
    now = {"package.json": '{"scripts": {"lint": "eslint ."}}\n'}
    assert (
        str(
            judge(about("Database: `pnpm run db-push`.", "package.json"), now, {"package.json": SCRIPTS}).verdict
        )
        == "gone"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("watch", "name"),
    [
        ("package.json#scripts.lint", "lint"),
        ("Makefile#old_tests", "old_tests"),
        ("pyproject.toml#tool.hatch.envs.test.scripts.run", "run"),
        ("package.json#engines.node", None),
        ("package.json#scripts.lint.deep", None),
        (".github/workflows/ci.yml#jobs.test.steps[run=make]", None),
    ],
)
def test_the_name_of_a_script(watch: str, name: str | None) -> None:
    assert script_name(parse_watch("key", watch)) == name


def lines(count: int, word: str = "value") -> str:
    return "".join(f"{word}_{number} = {number}\n" for number in range(count))


@pytest.mark.parametrize(("changed", "verdict"), [(1, "relocated"), (3, "relocated"), (7, "gone")])
def test_a_file_beside_its_own_path_is_where_the_path_is(changed: int, verdict: str) -> None:
    then = {"build/make.py": lines(10), "z.py": "z = 1\n"}
    now = {"tools/make.py": lines(changed, "other") + lines(10).split("\n", changed)[-1], "z.py": "z = 1\n"}
    graded = judge(about("python build/make.py", "build/make.py"), now, then)
    assert str(graded.verdict) == verdict


@pytest.mark.parametrize(("place", "verdict"), [("app/a.ts", "relocated"), ("lib/a.mjs", "changed")])
def test_a_file_that_was_written_anew_in_another_language_is_more_than_moved(
    place: str, verdict: str
) -> None:
    path, file = (Mark(parse_watch(kind, "lib/a.ts"), blob="1") for kind in ("path", "file"))
    seen = [
        (path, moved(path, parse_watch("path", place), f"lib/a.ts is now {place}")),
        (file, told_of(file, Verdict.CHANGED, f"{place} changed 25%", share=0.25)),
    ]
    _, (_, found) = softened(about("node lib/a.ts"), seen, between(CODE, CODE))
    assert str(found.verdict) == verdict


POOL = "class Pool:\n    def acquire(self):\n        return 1\n\n    def release(self):\n        return 2\n"
LIFECYCLE = [
    "**Pool**: `Pool` with `acquire`, `release` lifecycle",
    "Limits: `Pool` with `acquire` and `release` methods",
]


@pytest.mark.parametrize("summary", LIFECYCLE)
@pytest.mark.parametrize(
    ("now", "verdict"),
    [
        (POOL + "\n    async def acquire_soon(self):\n        return 3\n", "touched"),
        (POOL.replace("return 1", "return one()"), "touched"),
        (POOL[: POOL.index("    def release")] + "    def reset(self):\n        return [3]\n", "gone"),
    ],
)
def test_a_class_with_its_members_is_named_while_it_has_them(summary: str, now: str, verdict: str) -> None:
    found = judge(about(summary), {"src/pool.py": now}, {"src/pool.py": POOL})
    assert str(found.verdict) in {verdict, verdict.replace("gone", "changed")}


MAKE = "def create(session, *, config=None, flow=None):\n    return session, config, flow\n"


@pytest.mark.parametrize(
    ("summary", "new", "verdict"),
    [
        ("`create(...)` is a helper for sessions.", "(session, *, config=None)", "touched"),
        ("`create(...)` is a helper for sessions.", "(*, config=None, flow=None)", "changed"),
        ("`create(...)` is a helper for sessions.", "(session, owner, *, config=None)", "changed"),
        ("`create()` is a helper for sessions.", "(session, *, config=None)", "changed"),
    ],
)
def test_arguments_that_are_left_open_may_go_where_they_were_optional(
    summary: str, new: str, verdict: str
) -> None:
    now = MAKE.replace("(session, *, config=None, flow=None)", new)
    assert str(judge(about(summary), {"src/make.py": now}, {"src/make.py": MAKE}).verdict) == verdict
