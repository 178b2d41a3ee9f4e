"""Barrels follow their folder; what hands on to a new place is no other thing."""

from __future__ import annotations

import pytest

from gitmem.drift.barrels import is_barrel
from gitmem.model.watch import parse_watch
from tests.support.tree_view import Files, judged


def module(count: int, word: str = "value") -> str:
    return "".join(f"export const {word}{number} = {number};\n" for number in range(count))


def python(count: int) -> str:
    return "".join(f"def f{number}(x):\n    return x + {number}\n\n\n" for number in range(count))


def told(path: str, then: Files, now: Files, *, history: bool = True, kind: str = "path") -> tuple[str, str]:
    seen = judged(parse_watch(kind, path), then, now, history=history)
    return str(seen.verdict), str(seen.moved)


@pytest.mark.parametrize("path", ["a/index.ts", "a/index.mjs", "a/__init__.py", "src/mod.rs", "src/lib.rs"])
def test_a_barrel_is_known_by_its_name(path: str) -> None:
    assert is_barrel(path)


@pytest.mark.parametrize("path", ["a/main.ts", "a/reindex.ts", "a/index.md", "a/init.py"])
def test_other_files_are_none(path: str) -> None:
    assert not is_barrel(path)


KIT = {f"app/kit/{name}.ts": module(4, name) for name in ("button", "card", "dialog", "menu")}
INDEX = "".join(f"export * from './{name}';\n" for name in ("button", "card", "dialog", "menu"))
OTHER_INDEX = "import './styles.css';\nexport * as ui from './all';\nexport { theme } from './theme';\n"


@pytest.mark.parametrize("history", [True, False])
def test_a_barrel_whose_folder_moved_is_with_it(history: bool) -> None:
    then = {**KIT, "app/kit/index.ts": INDEX}
    now = {path.replace("app/kit", "lib/kit"): text for path, text in KIT.items()}
    now["lib/kit/index.ts"] = OTHER_INDEX
    expected = ("relocated", "path lib/kit/index.ts")
    assert told("app/kit/index.ts", then, now, history=history) == expected


def test_a_barrel_that_its_folder_left_without_one_is_the_folder() -> None:
    then = {**KIT, "app/kit/index.ts": INDEX}
    now = {path.replace("app/kit", "lib/kit"): text for path, text in KIT.items()}
    assert told("app/kit/index.ts", then, now) == ("relocated", "path lib/kit/")


def test_a_barrel_of_a_folder_that_is_gone_is_gone() -> None:
    then = {**KIT, "app/kit/index.ts": INDEX, "z.ts": "export {};\n"}
    assert told("app/kit/index.ts", then, {"z.ts": "export {};\n"}) == ("gone", "None")


def test_another_file_does_not_follow_its_folder_by_name() -> None:
    then = {**KIT, "app/kit/main.ts": module(20, "old")}
    now = {path.replace("app/kit", "lib/kit"): text for path, text in KIT.items()}
    now["lib/kit/main.ts"] = module(20, "new")
    assert told("app/kit/main.ts", then, now) == ("gone", "None")


LOADER = module(30)


@pytest.mark.parametrize("kind", ["path", "file"])
@pytest.mark.parametrize(
    ("path", "left", "place", "then"),
    [
        ("src/load.ts", "export * from './adapter/load';\n", "src/adapter/load.ts", LOADER),
        ("src/load.ts", "export * from './adapter/load.ts';\n", "src/adapter/load.ts", LOADER),
        ("src/load.ts", "export { value1 } from '@/adapter/load';\n", "src/adapter/load/index.ts", LOADER),
        ("src/load.py", "from .adapter.load import *\n", "src/adapter/load.py", python(9)),
        ("src/load.py", "from src.adapter import load\n", "src/adapter/load.py", python(9)),
        ("src/load.rs", "pub use crate::adapter::load::*;\n", "src/adapter/load.rs", LOADER),
    ],
)  # fmt: skip
def test_a_file_that_hands_on_what_it_held_moved(
    path: str, left: str, place: str, then: str, kind: str
) -> None:
    assert told(path, {path: then}, {path: left, place: then}, kind=kind) == ("relocated", f"{kind} {place}")


@pytest.mark.parametrize(
    ("left", "now"),
    [
        ("export * from './adapter/load';\n", module(30, "other")),
        ("export const nothing = 1;\n", LOADER),
    ],
)
def test_an_import_alone_or_a_copy_alone_proves_no_move(left: str, now: str) -> None:
    then = {"src/load.ts": LOADER}
    assert told("src/load.ts", then, {"src/load.ts": left, "src/adapter/load.ts": now})[0] == "rewritten"


@pytest.mark.parametrize(
    ("path", "verdict"),
    [("tsconfig.json", "fresh"), ("README.md", "fresh"), ("package.json", "fresh"), ("data.json", "rewritten")],
)  # fmt: skip
def test_a_file_that_is_what_it_is_called_becomes_no_other_thing(path: str, verdict: str) -> None:
    old = "{\n" + ",\n".join(f'  "old{number}": {number}' for number in range(9)) + "\n}\n"
    new = old.replace("old", "new")
    assert told(path, {path: old}, {path: new})[0] == verdict
