"""Concrete words of a statement beyond names of code: what they are bound to, and what they are not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gitmem.drift.capturing import capture_memory, claim_in
from gitmem.drift.derive import derive
from gitmem.drift.grading import Grade, grade
from gitmem.drift.quantities import quantities
from gitmem.drift.scope_change import ScopeAt
from gitmem.model.memory import Kind, Memory, Scope, Status
from gitmem.model.verdict import CHALLENGING
from tests.support.tree_view import Files, TreeOfText, between

SHOP: Files = {
    "package.json": '{"scripts": {"test": "vitest"}, "devDependencies": {"react-devtools-core": "^4.28.5", "vitest": "2.0.0"}}\n',
    "mise.toml": '[tools]\nnode = "20"\ncargo-insta = "1"\nruff = "0.6"\nuv = "0.5"\n[tasks.seed]\nrun = "bin/seed"\n',
    "empty/mise.toml": "[tools]\n[tasks]\n",
    "config/deploy.beta1.yml": "a: 1\n",
    "config/deploy.beta2.yml": "a: 2\n",
    "config/deploy.production.yml": "a: 3\n",
    "config/routes.rb": "draw\n",
    "slug/slug.rb": 'module Slug\n  PATTERN = /(\\d{7,})/\n  FORMAT = "%07d"\n  OTHER = 7\nend\n',
    "agent/retry.py": "MAX_RETRIES = 5\nPOLL_SECONDS = 30\nPORT = 8976\n\n\ndef run():\n    return MAX_RETRIES\n",
    "agent/start.py": 'def command(uv, root):\n    return [\n        uv,\n        "run",\n        "--project",\n        str(root),\n        "-m",\n        "app.engine",\n    ]\n',
    "agent/git.py": 'def top():\n    return shell("git rev-parse --show-toplevel")\n',
    "agent/profiles.ts": "export const PROFILES = [\n  'permissive-open',\n  'strict-closed',\n];\n",
    "agent/modes.py": 'MODES = {\n    "draft": 1,\n    "review": 2,\n    "final": 3,\n}\n',
    "src/sim/rng.ts": "export const rng = 1;\n",
    "src/sim/world.ts": "export const world = 1;\n",
    "workers/run.ts": "import { rng } from '../src/sim/rng';\nrng();\n",
    "docs/guide.md": "`strict-closed`\n",
}


def watches(text: str, *globs: str, files: Files = SHOP) -> list[str]:
    view = TreeOfText(files)
    return [str(one) for one in derive([text], Scope(paths=globs), view, files=view.matching(globs)).watches]


def judged(text: str, *globs: str, then: Files = SHOP, now: Files) -> Grade:
    interval, old, new = between(then, now), TreeOfText(then), TreeOfText(now)
    memory = Memory(
        id="m-1",
        file=".ai/memory/m-1.yaml",
        kind=Kind.PITFALL,
        type="module_constraint",
        status=Status.ACTIVE,
        summary=text,
        scope=Scope(paths=globs),
    )
    marks = capture_memory(memory, old, old.matching(globs), globs).marks
    scope = ScopeAt(globs, old.matching(globs), new.matching(globs))
    return grade(memory, claim_in(memory, marks), marks, scope, interval)


def fate(watch: str, found: Grade) -> str:
    """What became of one watch."""
    return next(str(one.verdict) for one in found.findings if one.watch == watch)


def edited(path: str, old: str, new: str) -> Files:
    text = SHOP[path]
    assert isinstance(text, str)
    assert old in text
    return {**SHOP, path: text.replace(old, new)}


# quantities
@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("an id of 7+ digits", [{"7"}]),
        ("retries up to 5 times", [{"5"}]),
        ("listens on port `8976`", [{"8976"}]),
        ("waits 30 seconds", [{"30", "30000"}]),
        ("at most 1,000 rows", [{"1000"}]),
        ("최대 5회 재시도한다", [{"5"}]),
        ("이름은 40자 이하", [{"40"}]),
        ("最大5回まで再試行する", [{"5"}]),
        ("see step 3 and section 4.2", []),
        ("Python 3.11 is required", []),
        ("released on 2026-05-04", []),
        ("fixes #482", []),
        ("exactly 1 file", []),
    ],
)
def test_a_number_that_says_how_much_is_a_quantity(text: str, numbers: list[set[str]]) -> None:
    assert [set(one.number) for one in quantities(text)] == numbers


@pytest.mark.parametrize(
    ("text", "glob", "line"),
    [
        ("Each account has an id (7+ digits)", "slug/**", "lines slug/slug.rb:2-2"),
        ("Gives up after a maximum of 5 retries", "agent/**", "lines agent/retry.py:1-1"),
        ("최대 5회 재시도(max retries)한다", "agent/**", "lines agent/retry.py:1-1"),
        ("The server listens on port 8976", "agent/**", "lines agent/retry.py:3-3"),
    ],
)
def test_a_quantity_is_watched_in_the_one_line_that_gives_it(text: str, glob: str, line: str) -> None:
    assert line in watches(text, glob)


@pytest.mark.parametrize(
    "text",
    [
        "Gives up after 6 retries",
        "Sleeps 30 seconds between deployments",
        "Never more than 5 reviewers",
        "It has 3 parts",
    ],
)
def test_a_number_that_no_line_gives_is_bound_to_none(text: str) -> None:
    assert not any(one.startswith("lines") for one in watches(text, "agent/**"))


def test_a_limit_that_changed_challenges() -> None:
    found = judged("An id has 7+ digits", "slug/**", now=edited("slug/slug.rb", "{7,}", "+"))
    assert fate("lines slug/slug.rb:2-2", found) == "gone"


def test_a_line_written_otherwise_that_still_gives_the_number_is_touched() -> None:
    found = judged(
        "Gives up after a maximum of 5 retries",
        "**",
        now=edited("agent/retry.py", "MAX_RETRIES = 5", "MAX_RETRIES: Final[int] = 5"),
    )
    assert found.verdict == "touched"
    assert "agent/retry.py:1 still says 5" in found.findings[0].reason


# commands
def test_a_command_is_watched_as_the_list_of_strings_that_code_runs() -> None:
    text = "Starts `uv run --project <root> -m app.engine` when no command is passed"
    assert "lines agent/start.py:4-8" in watches(text, "agent/**")
    flag = edited("agent/start.py", '"run",', '"run",\n        "--no-sync",')
    assert judged(text, "agent/**", now=flag).verdict == "changed"


def test_a_command_is_watched_in_the_string_that_has_it() -> None:
    assert "lines agent/git.py:2-2" in watches("뿌리는 `git rev-parse --show-toplevel` 로 찾는다", "agent/**")


@pytest.mark.parametrize(
    "text",
    [
        "Run `uv sync` first",
        "Starts `uv run --project <root> -m other.engine`",
        "Runs `git rev-parse --git-dir`",
        "Do not call `git rev-parse --show-toplevel`",
    ],
)
def test_a_command_that_code_does_not_have_is_bound_to_nothing(text: str) -> None:
    assert not any(one.startswith("lines") for one in watches(text, "agent/**"))


# words
def test_a_name_with_hyphens_is_watched_where_code_has_it_as_text() -> None:
    text = "The `strict-closed` profile denies all"
    assert "ident strict-closed" in watches(text, "agent/**")
    assert (
        judged(text, "agent/**", now=edited("agent/profiles.ts", "strict-closed", "none")).verdict == "gone"
    )


def test_a_name_with_hyphens_that_only_prose_has_is_no_name() -> None:
    assert watches("`strict-closed` 프로필", "docs/**") == []
    assert "ident strict-open" not in watches("The `strict-open` profile", "agent/**")


# lists
def test_a_list_is_watched_as_the_files_that_one_pattern_gives() -> None:
    text = "Destinations: production, beta1, beta2"
    assert watches(text, "config/**") == [
        "path config/deploy.production.yml",
        "path config/deploy.beta1.yml",
        "path config/deploy.beta2.yml",
    ]
    now = {path: data for path, data in SHOP.items() if "beta2" not in path}
    assert judged(text, "config/**", now=now).verdict == "gone"
    more = {**SHOP, "config/deploy.beta3.yml": "a: 9\n"}
    assert judged(text, "config/**", now=more).verdict == "touched"


def test_a_list_is_watched_as_keys_of_one_table() -> None:
    found = watches("mise 로 node, ruff, uv 를 설치한다", "mise.toml")
    assert [one for one in found if "@" in one] == [
        f"key mise.toml#tools@{one}" for one in ("node", "ruff", "uv")
    ]
    text = "It installs node, ruff and uv"
    newer, without = edited("mise.toml", "0.6", "0.7"), edited("mise.toml", 'ruff = "0.6"\n', "")
    assert fate("key mise.toml#tools@ruff", judged(text, "mise.toml", now=newer)) == "fresh"
    assert fate("key mise.toml#tools@ruff", judged(text, "mise.toml", now=without)) == "changed"


def test_a_list_is_watched_as_words_that_stand_together_in_one_file() -> None:
    text = "A page is draft, review or final"
    names = [f"ident {one} in agent/modes.py" for one in ("draft", "review", "final")]
    assert [one for one in watches(text, "agent/**") if " in " in one] == names
    done = judged(text, "agent/**", now=edited("agent/modes.py", '"final": 3', '"done": 3'))
    assert fate("ident final in agent/modes.py", done) == "gone"
    other = judged(text, "agent/**", now=edited("agent/modes.py", "1,", "7,"))
    assert fate("ident final in agent/modes.py", other) == "fresh"


@pytest.mark.parametrize(
    ("text", "glob"),
    [
        ("Destinations: production, beta1, beta9", "config/**"),
        ("Read, then write, then close", "**"),
        ("production, beta1", "config/**"),
        ("Never deploy production, beta1, beta2 by hand: use no node, ruff, uv", "agent/**"),
        ("A page is draft, rejected or final", "agent/**"),
    ],
)
def test_a_list_of_which_a_name_is_nowhere_is_bound_to_nothing(text: str, glob: str) -> None:
    assert not any(" in agent" in one or "path config" in one or "@" in one for one in watches(text, glob))


ADAPTERS = {
    f"tools/adapters/{name}.py": f"NAME = '{name}'\n" for name in ("codex", "cursor", "opencode", "gemini")
}


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("It ships to Claude Code, Codex CLI, Cursor, OpenCode, and Gemini CLI.", ADAPTERS),
        ("It ships to Codex, Cursor and Gemini", [one for one in ADAPTERS if "open" not in one]),
        ("It ships to Zed, Windsurf, Cursor, and Gemini CLI.", []),
    ],
)
def test_a_list_of_products_is_watched_as_the_files_of_one_folder(text: str, bound: Sequence[str]) -> None:
    view = TreeOfText(ADAPTERS)
    files = view.matching(("tools/adapters/**",))
    derived = derive([text], Scope(paths=("tools/adapters/**",)), view, files=files).watches
    assert {str(one) for one in derived if " tools/" in str(one)} == {f"path {one}" for one in bound}


def test_a_product_whose_file_leaves_makes_the_list_false() -> None:
    text = "It ships to Claude Code, Codex CLI, Cursor, OpenCode, and Gemini CLI."
    now = {path: data for path, data in ADAPTERS.items() if "gemini" not in path}
    assert judged(text, "tools/adapters/**", then=ADAPTERS, now=now).verdict == "gone"


# products and tables
def test_a_product_of_several_words_is_its_dependency_with_the_version_told() -> None:
    text = "The interface is compatible with React DevTools version 4.x."
    key = "key package.json#devDependencies.react-devtools-core@4"
    assert key in watches(text, "package.json")
    assert key in watches("React DevTools 4 와 호환된다", "package.json")
    assert (
        judged(text, "package.json", now=edited("package.json", "^4.28.5", "^6.1.2")).verdict in CHALLENGING
    )
    assert key not in watches("React DevTools 5 works, too", "package.json")
    assert key not in watches("React DevTools helps", "package.json")


def test_a_table_of_a_tool_is_watched_for_being_there() -> None:
    for text in ("The phases are mise tasks", "각 단계는 mise 태스크다"):
        assert "key mise.toml#tasks@any" in watches(text, "mise.toml")
        without = edited("mise.toml", '[tasks.seed]\nrun = "bin/seed"\n', "")
        assert judged(text, "mise.toml", now=without).verdict == "gone"
        other = edited("mise.toml", "bin/seed", "bin/plant")
        assert judged(text, "mise.toml", now=other).verdict != "gone"
    assert "key empty/mise.toml#tasks@any" not in watches("The phases are mise tasks", "empty/mise.toml")


# imports
@pytest.mark.parametrize(
    "text",
    [
        "The workers import `src/sim/**` directly",
        "워커는 `src/sim/**` 를 직접 import 해 번들한다",
        "Workers are imported with `src/sim`",
    ],
)
def test_an_import_that_is_there_is_watched(text: str) -> None:
    assert "import src/sim/" in watches(text, "workers/**")
    now = edited("workers/run.ts", "import { rng } from '../src/sim/rng';\n", "const rng = () => 1;\n")
    assert judged(text, "workers/**", now=now).verdict == "gone"


@pytest.mark.parametrize(
    ("text", "glob"),
    [
        ("The workers read `src/sim/**`", "workers/**"),
        ("The agent imports `src/sim/**`", "agent/**"),
        ("Workers must not import `src/sim/`", "workers/**"),
        ("워커는 `src/sim/` 을 import 하지 않는다", "workers/**"),
    ],
)
def test_an_import_that_is_not_there_or_not_allowed_is_not_asserted(text: str, glob: str) -> None:
    assert "import src/sim/" not in watches(text, glob)


def test_an_import_that_most_of_its_importers_dropped_challenges() -> None:
    then = {**SHOP, **{f"workers/{name}.ts": "import '../src/sim/world';\n" for name in "abcd"}}
    now = {**then, **{f"workers/{name}.ts": "run();\n" for name in "abcd"}}
    text = "The workers import `src/sim/` directly"
    assert fate("import src/sim/", judged(text, "workers/**", then=then, now=now)) == "rewritten"
    few = {**then, "workers/a.ts": "run();\n"}
    assert fate("import src/sim/", judged(text, "workers/**", then=then, now=few)) == "fresh"


# methods of one name
EVENTS: Files = {
    f"events/{name}.py": f"class {name.title()}:\n    def serialize(self):\n        return ({at},)\n"
    for at, name in enumerate(("start", "stop", "pause"))
}
OTHERS: Files = {"log/types.py": "class Entry:\n    def serialize(self):\n        return b''\n"}


def test_methods_that_left_the_scope_are_gone_though_other_code_has_their_name() -> None:
    text = "`serialize()` must keep the order of the fields"
    bare = dict.fromkeys(EVENTS, "class Event:\n    kind = 1\n")
    user = {"tools/run.py": "def run(x):\n    return x.serialize()\n"}
    then = {**EVENTS, **OTHERS}
    assert judged(text, "events/**", then=then, now={**bare, **OTHERS, **user}).verdict == "gone"


def test_methods_that_moved_out_of_the_scope_are_not_gone() -> None:
    text = "`serialize()` must keep the order of the fields"
    bare = dict.fromkeys(EVENTS, "class Event:\n    kind = 1\n")
    base = {"base/event.py": "class Base:\n    def serialize(self):\n        return tuple(self)\n"}
    found = judged(text, "events/**", then={**EVENTS, **OTHERS}, now={**bare, **OTHERS, **base})
    assert found.verdict == "touched"


# defaults
CONFIG: Files = {
    "app/env.py": 'LEVEL = os.getenv("LOG_LEVEL", "info")\nport = env("APP_PORT", 3000)\nother = env("APP_HOST", "local")\n',
    "app/cli.py": 'parser.add_argument("--workers", default=4)\n',
    "app/limits.ts": "export const limits = {\n  rateLimit: 120,\n  burst: 15,\n};\n",
    "app/kinds.cs": "enum Kind\n{\n    Uniform,\n    PowerLaw,\n    MegaGroup\n}\n",
    "app/other.cs": "// Uniform PowerLaw MegaGroup\nenum Other { Uniform, PowerLaw, MegaGroup }\n",
    "app/cart.py": "class Cart(BaseModel):\n    total = 1\n",
    "app/base.py": "class BaseModel:\n    pass\n",
}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("`LOG_LEVEL` (default: `info`) sets how much is told", "lines app/env.py:1-1"),
        ("`APP_PORT` defaults to 3000", "lines app/env.py:2-2"),
        ("`--workers` (default: 4)", "lines app/cli.py:1-1"),
        ("`LOG_LEVEL`의 기본값은 `info`이다", "lines app/env.py:1-1"),
        ("| `APP_PORT` | 3000 | where it listens |", "lines app/env.py:2-2"),
    ],
)
def test_a_default_is_watched_in_the_line_that_reads_the_name_with_it(text: str, line: str) -> None:
    assert line in watches(text, "app/**", files=CONFIG)


@pytest.mark.parametrize(
    "text",
    [
        "`LOG_LEVEL` (default: `warn`)",
        "`APP_HOST` defaults to 3000",
        "`--workers` (default: 8)",
        "| `rateLimit` | 15 | requests |",
    ],
)
def test_a_default_that_no_line_gives_is_bound_to_none(text: str) -> None:
    assert not any(one.startswith("lines") for one in watches(text, "app/**", files=CONFIG))


def test_a_list_beside_a_cited_file_is_looked_for_in_that_file() -> None:
    text = "`app/kinds.cs` — Uniform, PowerLaw, MegaGroup"
    assert "ident PowerLaw in app/kinds.cs" in watches(text, "app/**", files=CONFIG)
    assert not any(
        " in " in one for one in watches("Kinds: Uniform, PowerLaw, MegaGroup", "app/**", files=CONFIG)
    )


@pytest.mark.parametrize(
    "text",
    [
        "`Cart` extends `BaseModel`",
        "`Cart` inherits from the BaseModel",
        "`Cart`는 `BaseModel`을 상속한다",
        "`Cart` は `BaseModel` を継承する",
    ],
)
def test_a_base_is_watched_in_the_file_of_its_heir(text: str) -> None:
    assert "ident BaseModel in app/cart.py" in watches(text, "app/**", files=CONFIG)
    now = {**CONFIG, "app/cart.py": "class Cart:\n    total = 1\n"}
    found = judged(text, "app/**", then=CONFIG, now=now)
    assert fate("ident BaseModel in app/cart.py", found) == "changed"
    other = judged(
        text, "app/**", then=CONFIG, now={**CONFIG, "app/cart.py": "class Cart(BaseModel):\n    total = 2\n"}
    )
    assert fate("ident BaseModel in app/cart.py", other) == "fresh"


@pytest.mark.parametrize(
    "text",
    [
        "`Cart` must not extend `BaseModel`",
        "`Cart` extends `Basket`",
        "`BaseModel` extends `Cart`",
        "`Cart` 는 `BaseModel` 을 쓴다",
    ],
)
def test_what_is_no_base_here_is_not_watched_as_one(text: str) -> None:
    assert not any(" in app/" in one for one in watches(text, "app/**", files=CONFIG))
