from __future__ import annotations

import pytest

from gitmem.drift.derive import derive
from gitmem.drift.naming import has_untold_value
from gitmem.model.memory import Scope
from gitmem.model.verdict import Verdict
from gitmem.model.watch import Watch, WatchKind
from tests.support.tree_view import TreeOfText, judged

CONSTANTS = [
    ("a.js", "export const MAX_SIZE = 50;"),
    ("a.mjs", "const MAX_SIZE = 50;"),
    ("a.ts", "export const MAX_SIZE: number = 50;"),
    ("a.ts", "const MAX_SIZE = 50"),
    ("a.tsx", "export let MAX_SIZE = 50; // entries"),
    ("a.rs", "pub const MAX_SIZE: u8 = 50;"),
    ("a.rs", "static MAX_SIZE: usize = 50_usize;"),
]


@pytest.mark.parametrize("text", ["At most 50 entries (`MAX_SIZE`).", "`MAX_SIZE` is 50."])
@pytest.mark.parametrize(("path", "line"), CONSTANTS)
def test_a_told_value_is_watched_where_it_is_given(path: str, line: str, text: str) -> None:
    before, after = ({path: f"{one}\n"} for one in (line, line.replace("50", "51")))
    view = TreeOfText(before)
    watch = Watch(WatchKind.SYMBOL, path=path, name="MAX_SIZE")
    assert derive([text], Scope(paths=("**",)), view, files=view.matching(["**"])).watches == (watch,)
    assert judged(watch, before, after).verdict in {Verdict.CHANGED, Verdict.REWRITTEN}


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("const LIMIT = 50;", "`LIMIT` is 50."),
        ("const LIMIT = 50_000;", "At most 50,000 rows (`LIMIT`)."),
        ("const LIMIT: u32 = 50_000u32;", "At most 50000 rows (`LIMIT`)."),
        ("const LIMIT = 10n;", "`LIMIT` is ten."),
        ("const LEVEL = 'warn';", "`LEVEL` is Warn."),
    ],
)
def test_a_value_that_the_words_tell_is_told(line: str, text: str) -> None:
    assert not has_untold_value(text, line)


@pytest.mark.parametrize(
    "line", ["const SCHEMA_VERSION = 7;", "SCHEMA_VERSION: u8 = 7;", "SCHEMA_VERSION = 7"]
)
def test_a_value_that_the_words_leave_out_is_not(line: str) -> None:
    assert has_untold_value("Bump `SCHEMA_VERSION` with every migration.", line)
