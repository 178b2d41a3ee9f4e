from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.drift.leaning import leans_on_command, leans_on_name

NAMED = [
    ("Life of a part (`take` / `drop`) belongs to Table; there is no other.", "take"),
    ("부분의 수명 주기(`take` / `drop`)는 Table에 속한다.", "drop"),
    # object of a verb or preposition
    ("Use `fold()` from `@shop/ui` to compose classes.", "fold"),
    ("When syncing with the store, use `makeHandlers` from `@/hooks/make`.", "makeHandlers"),
    ("Never use `JSON.parse` directly. Instead use `parseJSON` or `safeParse` from `tools`.", "parseJSON"),
    ("Never use `JSON.parse` directly. Instead use `parseJSON` or `safeParse` from `tools`.", "safeParse"),
    ("For simple tests, you can find `run_test()` and `fail_test()` functions.", "run_test"),
    ("For simple tests, you can find `run_test()` and `fail_test()` functions.", "fail_test"),
    ("Acceptance is executed by the behaviour-tree node `AcceptNode`.", "AcceptNode"),
    ("`src/api/__init__.py` defines the public API via `__all__`. Adding a name is a decision.", "__all__"),
    ("Each provider implements the `Model` base class.", "Model"),
    ("Always use `get_db` for sessions.", "get_db"),
    ("See `Store`.", "Store"),
    # subject of place or purpose
    ("`GraphState` maintains message history and usage tracking", "GraphState"),
    ("`flush` and `drain` are helpers for shutdown.", "drain"),
    ("`HttpTransport` in `src/transports.py` is the client transport for servers.", "HttpTransport"),
    ("`Wrapper` (`src/wrapper.py`) wraps a server to mount one server onto another.", "Wrapper"),
    (
        "`src/app.py`: `App.create(...)` and `App.run(...)` are the main programmatic entrypoints; this is what UI layers use.",
        "create",
    ),
    (
        "`src/app.py`: `App.create(...)` and `App.run(...)` are the main programmatic entrypoints; this is what UI layers use.",
        "run",
    ),
    # one of a list
    ("**Provider Pattern**: `Provider` with `acquire`, `get`, `release` lifecycle", "Provider"),
    ("Storage: `Store` with `load` and `save` methods", "Store"),
    ("| `makeObject` | Generate structured output | `ai` |", "makeObject"),
    ("Execution goes through: `PromptNode` → `RequestNode` → `CallNode`", "RequestNode"),
    ("`@shop/authz` → `authzMock`", "authzMock"),
    ("Settings: `app/config.py` with `AppConfig` and `get_config()`.", "get_config"),
    # Korean, Japanese, Chinese
    ("결제에는 `charge`를 사용한다.", "charge"),
    ("커밋하기 전에 `lint`를 실행한다.", "lint"),
    ("`lint`를 먼저 실행하고 `build`를 실행한다.", "lint"),
    ("The jobs run in the helper `worker`.", "worker"),
    ("세션은 `open_session`으로 연다.", "open_session"),
    ("`Ledger`는 장부를 관리한다.", "Ledger"),
    ("決済には`charge`を使う。", "charge"),
    ("`Ledger`は帳簿を管理する。", "Ledger"),
    ("使用 `charge` 付款。", "charge"),
    ("`Ledger` 负责账本。", "Ledger"),
]
TOLD = [
    ("`Wrapper` (`src/wrapper.py`) wraps one server at most.", "Wrapper"),
    ("`App.run(...)` is the entrypoint; this is what retries three times.", "run"),
    ("`App.run(...)` is the entrypoint; it waits for the queue.", "run"),
    ("**Provider**: `Provider` with `acquire` that waits", "Provider"),
    ("`send` ships before it answers", "send"),
    ("`send` returns the order", "send"),
    ("`login` validates the token", "login"),
    ("`retry` retries three times", "retry"),
    ("Errors are retried 3 times by `retry`.", "retry"),
    ("Use `retry`, which waits for the queue.", "retry"),
    ("Use `parse`. It returns null on error.", "parse"),
    ("Use `cache` because it keeps the order.", "cache"),
    ("`Keys` is just an ordered collection that also supports lookup.", "Keys"),
    ("The `Copy` type has a `Tree` but also knows which `Id` it has.", "Copy"),
    ("`map.py` | `CASES`: `Meaning` → use-case class. Register new cases in `CASES`.", "CASES"),
    ("`Cache`: Redis-backed store", "Cache"),
    ("`LIMIT` is 50", "LIMIT"),
    ("`LIMIT = 50`", "LIMIT"),
    ("Set `retry: 2`.", "retry"),
    ("Only `Admin` may delete.", "Admin"),
    ("`api` is the only entry point", "api"),
    ("`Handler` handles errors by waiting", "Handler"),
    ("`Handler`: waits when the queue is full", "Handler"),
    ("`Handler` handles errors. It waits when the queue is full.", "Handler"),
    ("Handlers run synchronously inside `publish`.", "publish"),
    ("Handlers are called within `publish`.", "publish"),
    ("Work waits three times (`take` / `drop`) before it ends.", "take"),
    ("If it fails (`take`, `drop`) nothing is kept.", "take"),
    ("실패하면 (`take`, `drop`) 다시 시도하지 않는다.", "take"),
    ("Rows (`take`) are part of `Table`, and `take` sorts them.", "take"),
    ("`deploy`로 빌드를 먼저 하고 올린다.", "deploy"),
    ("`deploy`을 돌려 마이그레이션을 한 다음에 올린다.", "deploy"),
    ("`charge`는 세 번 재시도한다.", "charge"),
    ("`charge`는 주문이 없으면 예외를 던진다.", "charge"),
    ("`charge`を3回呼び出す。", "charge"),
    ("`charge`は例外を投げる。", "charge"),
    ("`charge` 返回订单。", "charge"),
    ("Payments are fast.", "charge"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name"), NAMED)
def test_a_name_that_is_to_be_used_or_found_is_only_named(text: str, name: str) -> None:
    assert leans_on_name(text, name)


@pytest.mark.parametrize(("text", "name"), TOLD)
def test_what_a_thing_does_or_holds_is_content(text: str, name: str) -> None:
    assert not leans_on_name(text, name)


def test_one_sentence_cites_one_name_for_use_and_another_for_its_content() -> None:
    text = "`charge` retries the call through `Client`."
    assert (leans_on_name(text, "charge"), leans_on_name(text, "Client")) == (False, True)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("DB commands: `pnpm run db-generate`, `pnpm run db-push`, `pnpm run db-reset`.", "db-push"),
        ("| `pnpm update-references` | Update tsconfig.json references |", "update-references"),
        ("| `pnpm pretty-check` | Check formatting |", "pretty-check"),
        ("Run `make lint`.", "lint"),
        ("Targets: `make dev|lint|fmt-check`.", "dev"),
        ("Targets: `make dev|lint|fmt-check`.", "lint"),
        ("`make lint`를 실행한다.", "lint"),
        ("运行 `make lint`。", "lint"),
    ],
)
def test_a_command_that_is_to_be_run_is_only_named(text: str, name: str) -> None:
    assert leans_on_command(text, name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("`yarn lint` - Run ESLint and Prettier checks", "lint"),
        ("| `yarn lint` | Oxlint + Oxfmt |", "lint"),
        ("Server tests: `pnpm --filter web run test --testPathPatterns=x`", "test"),
        ("Run tests against Python 3.9: `make old_tests`", "old_tests"),
        ("`make test` runs pytest in parallel", "test"),
        ("Run the tests.", "test"),
    ],
)
def test_a_command_whose_tool_or_arguments_are_told_is_content(text: str, name: str) -> None:
    assert not leans_on_command(text, name)


WORDS = st.sampled_from(
    [
        "`charge`",
        "charge()",
        "use",
        "Use",
        "`x`",
        "|",
        ":",
        "→",
        "3",
        "returns",
        "`",
        "를 사용한다",
        "을",
        "it",
        "**",
    ]
)
ENDS = st.sampled_from([".", "\n", "\n\n", "。", ";"])


@given(st.lists(WORDS, max_size=30).map(" ".join))
def test_a_number_told_in_the_same_sentence_is_never_left_out(text: str) -> None:
    assert not leans_on_name(f"`charge` does {text} 3 things", "charge")


@given(st.lists(WORDS | ENDS, max_size=30).map(" ".join))
def test_a_statement_leans_on_no_name_that_it_does_not_cite(text: str) -> None:
    assert not leans_on_name(text, "absent")
