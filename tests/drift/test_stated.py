from __future__ import annotations

import pytest

from gitmem.drift.derive import derive
from gitmem.drift.stated import stated_value, states
from gitmem.model.memory import Scope
from gitmem.model.watch import parse_watch
from tests.support.tree_view import TreeOfText, judged

PACKAGE = '{"packageManager": "pnpm@9.4.0", "dependencies": {"@acme/next": "1", "next": "^15.2.1"}, "engines": {"node": ">=20 <25"}}'


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("dependencies.next@15", "15"),
        ("dependencies.next@15.2", "15.2"),
        ("dependencies.next@15.3", '"^15.2.1"'),
        ("dependencies.next@1", '"^15.2.1"'),
        ("dependencies.next", '"^15.2.1"'),
        ("packageManager@pnpm", "pnpm"),
        ("packageManager@npm", '"pnpm@9.4.0"'),
        ("dependencies.@acme/next", '"1"'),
        ("dependencies.gone@2", None),
        ("peerDependencies@none", "none"),
        ("dependencies@none", '{"@acme/next":"1","next":"^15.2.1"}'),
    ],
)
def test_a_value_is_held_as_far_as_it_is_stated(name: str, held: str | None) -> None:
    assert stated_value("package.json", PACKAGE.encode(), name) == held


def test_a_version_is_stated_by_whole_numbers() -> None:
    assert states('">=3.10,<4"', "3.10")
    assert not states('">=3.1"', "3.10")
    assert not states('"latest"', "3")


@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize(
    ("new", "verdict"),
    [
        (PACKAGE.replace("15.2.1", "15.9.0"), "fresh"),
        (PACKAGE.replace("15.2.1", "16.0.0"), "changed"),
        (PACKAGE.replace('"next": "^15.2.1"', '"next-intl": "4"'), "gone"),
    ],
)
def test_a_stated_version_holds_until_another_is_declared(new: str, verdict: str, history: bool) -> None:
    watch = parse_watch("key", "package.json#dependencies.next@15")
    seen = judged(watch, {"package.json": PACKAGE}, {"package.json": new}, history=history)
    assert str(seen.verdict) == verdict


TREE = TreeOfText(
    {
        "package.json": PACKAGE,
        "tools/package.json": '{"name": "tools", "dependencies": {}, "devDependencies": {"vite": "5"}}',
        "justfile": "build:\n  cargo build\n\nship target='all': build\n  upload {{target}}\n",
        "go.mod": "module example.org/shop\n\ngo 1.22\n\nrequire github.com/spf13/cobra v1.8.0\n",
        "lib/Cargo.toml": '[package]\nname = "shop"\nrust-version = "1.80"\n\n[dependencies]\ngit2 = "0.19"\n',
    }
)


@pytest.mark.parametrize(
    ("text", "scope", "expected"),
    [
        ("- Next.js 15 with an app router", "package.json", "key package.json#dependencies.next@15"),
        ("- Pnpm v.9.4.0", "package.json", "key package.json#packageManager@9.4.0"),
        ("1. Use pnpm for package management", "package.json", "key package.json#packageManager@pnpm"),
        ("- Go 1.22+", "go.mod", "key go.mod#go@1.22"),
        ("Needs Rust 1.80 or later.", "lib/Cargo.toml", "key lib/Cargo.toml#package.rust-version@1.80"),
        ("Needs Node 20.", "package.json", "key package.json#engines.node@20"),
        ("It uses `libgit2` to read objects.", "lib/Cargo.toml", "ident git2"),
        ("Pages are made with Next.", "package.json", "ident next"),
        ("The tools ship with no runtime dependencies.", "tools/package.json", "key tools/package.json#dependencies@none"),
        ("`just ship` builds and uploads.", "justfile", "key justfile#ship"),
        ("런타임 의존성이 없다.", "tools/package.json", "key tools/package.json#dependencies@none"),
    ],
)  # fmt: skip
def test_a_tool_is_watched_by_what_the_words_state_of_it(text: str, scope: str, expected: str) -> None:
    found = derive([text], Scope(paths=(scope,)), TREE, files=TREE.matching((scope,)))
    assert [str(watch) for watch in found.watches] == [expected]
    assert found.pinned


def test_a_manifest_with_dependencies_is_not_watched_for_having_none() -> None:
    found = derive(["It has no dependencies."], Scope(paths=("package.json",)), TREE, files=["package.json"])
    assert found.watches == ()
