"""Parsed prohibitions: what must not be done with which name, where, and where alone it may be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.drift.prohibitions import Prohibition, Verb, prohibitions


def told(text: str) -> list[tuple[str, str, str, str]]:
    """Thing, verb, first subject, exempt places."""
    return [_row(one) for one in prohibitions(text)]


def _row(one: Prohibition) -> tuple[str, str, str, str]:
    subject = one.subjects[0].text if one.subjects else ""
    return (one.thing.text, str(one.verb), subject, " ".join(token.text for token in one.exempt))


CORE = [("app/ui", "import", "app/core", "")]
INFRA = [("src/infra", "import", "src/domain", "")]
GATEWAY = [("db", "import", "", "app/gateway")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`app/core` must not import from `app/ui`.", CORE),
        ("app/core must not import app/ui", CORE),
        ("Do not import `app/ui` in `app/core`.", CORE),
        ("`app/ui` must not be imported from `app/core`.", CORE),
        ("`app/ui` must never be imported by `app/core`.", CORE),
        ("`app/core` can't import `app/ui`.", CORE),
        ("`app/core` must not have a dependency on `app/ui`.", CORE),
        ("`app/core` must import neither `app/ui` nor `db`.", [*CORE, ("db", "import", "app/core", "")]),
        ("Imports from `app/ui` are not allowed in `app/core`.", CORE),
        ("Importing `app/ui` from `app/core` is forbidden.", CORE),
        ("nothing under src/domain may import `src/infra`", INFRA),
        ("No code in `src/domain` may depend on `src/infra`.", INFRA),
        ("`src/domain` has no imports from `src/infra`.", INFRA),
        ("`src/domain` never imports `src/infra`.", INFRA),
        ("`src/domain` imports nothing from `src/infra`.", INFRA),
        ("`src/domain` is not allowed to import `src/infra`.", INFRA),
        ("`src/domain` is forbidden from importing `src/infra`.", INFRA),
        ("Code under `src/domain` should not know about `src/infra`.", INFRA),
        ("`src/domain` must stay free of `src/infra` imports.", [("src/infra", "use", "src/domain", "")]),
        ("There must be no dependency from `src/domain` on `src/infra`.", INFRA),
        ("`src/domain` → `src/infra` imports are forbidden.", INFRA),
        ("Neither `app/core` nor `app/db` may import `app/ui`.", [("app/ui", "import", "app/db", "")]),
        ("`core` must not depend on the `ui` package.", [("ui", "import", "core", "")]),
        ("`packages/core` must never import `react`.", [("react", "import", "packages/core", "")]),
        ("`a/b` may import `a/c`, but `a/c` must not import `a/b`.", [("a/b", "import", "a/c", "")]),
        ("app/core에서는 app/ui를 import하면 안 된다", CORE),
        ("`app/core`는 `app/ui`를 import하지 않는다.", CORE),
        ("`app/core`는 `app/ui`에 의존하지 않는다.", CORE),
        ("`app/core`에서 `app/ui` import 금지.", CORE),
        ("`app/ui`는 `app/core`에서 import하면 안 된다.", CORE),
        ("`app/core`에서 `app/ui`를 가져와서는 안 된다.", CORE),
        ("`app/core`에서는 `app/ui`를 임포트할 수 없다.", CORE),
        ("`app/core`では`app/ui`をインポートしてはいけない。", CORE),
        ("`app/core` 不得导入 `app/ui`。", CORE),
    ],
)
def test_an_import_is_prohibited_in_a_place(text: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Only `app/gateway` may import `db`.",
        "only `app/gateway` imports `db`",
        "`app/gateway` is the only module that imports `db`.",
        "`app/gateway` is the only package allowed to import `db`.",
        "`db` is imported only from `app/gateway`.",
        "`db` must only be imported by `app/gateway`.",
        "`db` may be imported only in `app/gateway`.",
        "Import `db` only in `app/gateway`.",
        "Only import `db` in `app/gateway`.",
        "Never import `db` outside `app/gateway`.",
        "`db` must not be imported outside of `app/gateway`.",
        "Do not import `db` anywhere except in `app/gateway`.",
        "Nothing except `app/gateway` may import `db`.",
        "Only the gateway (`app/gateway`) may import `db`.",
        "Only files in `app/gateway` may import `db`.",
        "`db` may be imported by `app/gateway` only.",
        "No direct imports of `db` outside `app/gateway`.",
        "Keep `db` imports inside `app/gateway`.",
        "All imports of `db` belong in `app/gateway`.",
        "`app/gateway` 안의 코드만 `db`를 import할 수 있다.",
        "No module other than `app/gateway` may import `db`.",
        "`db`는 `app/gateway`에서만 import한다.",
        "`db`는 오직 `app/gateway` 안에서만 import할 수 있다.",
        "`app/gateway`에서만 `db`를 import한다.",
        "`app/gateway`만 `db`를 import할 수 있다.",
        "`app/gateway` 외에는 `db`를 import하지 않는다.",
        "`app/gateway` 이외의 곳에서 `db`를 import하면 안 된다.",
        "`db`는 `app/gateway` 밖에서 import하지 않는다.",
        "`db`は`app/gateway`からのみインポートする。",
        "`app/gateway`だけが`db`をimportする。",
        "只有 `app/gateway` 可以导入 `db`。",
        "`db` 只能由 `app/gateway` 导入。",
    ],
)
def test_only_one_place_may_import_it(text: str) -> None:
    assert told(text) == GATEWAY


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`db` is used only from `app/gateway`.", [("db", "use", "", "app/gateway")]),
        ("`db` must only be used by `app/a` and `app/b`.", [("db", "use", "", "app/a app/b")]),
        ("Only `Gateway` may call `charge()`.", [("charge", "use", "", "Gateway")]),
        ("`print` is allowed only in `cli/`.", [("print", "use", "", "cli/")]),
        ("Do not use `print` except in `cli/`.", [("print", "use", "", "cli/")]),
        ("All calls to `charge` go through `app/gateway`.", [("charge", "use", "", "app/gateway")]),
        ("`db` 접근은 `app/gateway`에서만 허용한다.", [("db", "use", "", "app/gateway")]),
        ("`charge`는 `Gateway`에서만 호출한다.", [("charge", "use", "", "Gateway")]),
    ],
)
def test_only_one_place_may_use_it(text: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "never call `send` without `lock`",
        "Never call `send` before `lock`.",
        "Do not use `send` until `lock` is held.",
        "`send` must not be called without `lock`.",
        "Without `lock`, never call `send`.",
        "Never use `send` alone.",
        "`lock` 없이 `send`를 호출하지 않는다.",
        "`lock` 없이 `send` 호출 금지.",
        "`lock`을 잡기 전에 `send`를 호출하면 안 된다.",
        "`lock`なしで`send`を呼び出さない。",
        "没有 `lock` 不要调用 `send`。",
        "Not only `parse_it` but also `safe_parse` is fast.",
        "`send` may be used only when it rains.",
        "Only run this when `a_b` uses `c_d`.",
    ],
)
def test_what_is_done_under_a_condition_is_not_prohibited(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Use `a_x` instead of `b_x`.",
        "Prefer `a_x` over `b_x`.",
        "Use `a_x` rather than `b_x`.",
        "Values are not `b_x` but `a_x`.",
        "Do not use `b_x` when `a_x` is there.",
        "`b_x` 대신 `a_x`를 쓴다.",
        "`b_x`가 아니라 `a_x`를 쓴다.",
        "`b_x`보다 `a_x`를 쓴다.",
        "`b_x`の代わりに`a_x`を使う。",
    ],
)
def test_what_another_name_is_preferred_to_is_prohibited_softly(text: str) -> None:
    assert [(one.thing.text, one.soft) for one in prohibitions(text)] == [("b_x", True)]


@pytest.mark.parametrize(
    ("text", "name", "verb"),
    [
        ("Never `print` to `sys.stdout`.", "print", Verb.USE),
        ("Do not use Redux.", "Redux", Verb.USE),
        ("Never use Moment.js", "Moment.js", Verb.USE),
        ("Do not add GraphQL.", "GraphQL", Verb.ADD),
        ("never import `httpx`", "httpx", Verb.IMPORT),
        ("Redux는 사용하지 않는다.", "Redux", Verb.USE),
        ("GraphQL을 도입하지 않는다.", "GraphQL", Verb.ADD),
        ("Moment.js 사용 금지.", "Moment.js", Verb.USE),
        ("Reduxを使わない。", "Redux", Verb.USE),
        ("不要使用 Redux。", "Redux", Verb.USE),
        ("Never return `raw_row`.", "raw_row", Verb.OTHER),
    ],
)
def test_the_verb_says_what_must_not_be_done(text: str, name: str, verb: Verb) -> None:
    assert [(one.thing.text, one.verb) for one in prohibitions(text)] == [(name, verb)]


def test_an_example_limits_nothing() -> None:
    (one,) = prohibitions("When writing tests, especially in `tests/server`, avoid `prune_all` calls.")
    assert one.subjects == ()


NAMES = st.sampled_from(["`app/core`", "`db`", "`send()`", "Redux", "app/ui", "`a_b`"])
WORDS = st.sampled_from(
    [
        "only",
        "never",
        "must",
        "not",
        "import",
        "use",
        "in",
        "outside",
        "without",
        "is",
        "from",
        "by",
        "and",
        "nothing",
        "에서만",
        "를",
        "은",
        "import하지",
        "않는다",
        "금지",
        "없이",
        "だけ",
        "只有",
        ",",
        ".",
    ]
)


@given(st.lists(st.one_of(NAMES, WORDS), max_size=14).map(" ".join))
def test_any_sentence_prohibits_each_name_once_and_never_where_alone_it_may_be(text: str) -> None:
    found = prohibitions(text)
    assert len({one.thing for one in found}) == len(found)
    for one in found:
        assert one.thing not in one.exempt
        assert one.thing not in one.subjects


def test_a_long_name_takes_no_long_time() -> None:
    assert prohibitions("`" + "a" * 15_000 + "` only 만 " * 3) == ()
