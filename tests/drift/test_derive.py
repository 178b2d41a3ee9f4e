from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.drift.derive import Derivation, derive
from gitmem.drift.ranking import MOST_WATCHES
from gitmem.drift.words_digest import text_digest
from gitmem.model.memory import Claim, Scope
from gitmem.model.watch import Polarity, Watch, WatchKind
from tests.drift.cases.all_cases import CASES
from tests.drift.cases.case import Case
from tests.support.tree_view import TreeOfText

SHOP = TreeOfText(
    {
        "Makefile": "test:\n\tpytest\n\ndocs:\n\tmkdocs build\n",
        "README.md": "The `ghostFunction` is described here only.\n",
        "docs/checkout.md": "See ../src/checkout/cart.py\n",
        "package.json": '{"name": "shop", "engines": {"node": ">=20"}, "scripts": {"lint": "npm-run-all lint:*", "lint:js": "eslint .",'
        ' "lint:css": "stylelint .", "build": "vite build"}, "devDependencies": {"eslint": "9", "vite": "5", "@acme/ui": "1"}}\n',
        "pyproject.toml": '[project]\nname = "shop"\nrequires-python = ">=3.11"\ndependencies = ["httpx>=0.27", "pydantic"]\n\n'
        '[project.scripts]\nshop = "shop.main:run"\n\n[tool.ruff]\nline-length = 100\n\n[dependency-groups]\ndev = ["pytest", "pre-commit"]\n',
        "src/checkout/__init__.py": "",
        "src/checkout/cart.py": (
            "from .errors import CartFullError\nfrom .stock import reserve_stock\n\nMAX_ITEMS = 50\n\n\n"
            "class Cart:\n    def add_item(self, item):\n        if len(self.items) >= MAX_ITEMS:\n            raise CartFullError(item)\n"
            "        reserve_stock(item)\n        self.items.append(item)\n\n    def total(self):\n        return sum(item.price for item in self.items)\n"
        ),
        "src/checkout/errors.py": "class CartFullError(Exception):\n    pass\n",
        "src/checkout/payment.py": (
            "import httpx\n\n\ndef charge(order, idempotency_key):\n    return httpx.post('/charge', json=order, headers={'Idempotency-Key': idempotency_key})\n\n\n"
            "def refund(order):\n    return httpx.post('/refund', json=order)\n"
        ),
        "src/checkout/stock.py": "def reserve_stock(item):\n    return item\n",
        "src/legacy/soap.py": "class SoapClient:\n    def call(self):\n        return None\n",
        "src/설정/기본.py": "제한_시간 = 30\n",
        "web/src/api/client.ts": "export async function fetchJson(path: string): Promise<unknown> {\n  return (await fetch(path)).json();\n}\n",
        "web/src/api/index.ts": "export { fetchJson } from './client';\n",
        "web/src/config.ts": "export const load = (options: Options) => options.retryLimit ?? 3;\n",
        "tests/test_cart.py": "from src.checkout.cart import Cart\n\n\ndef test_total() -> None:\n    assert Cart().total() == 0\n",
        "big/model.py": "class Model:\n"
        + "".join(f"    def m{n}(self):\n        return {n}\n" for n in range(120)),
    }
)


def watched(text: str, *globs: str, document: str | None = None, view: TreeOfText = SHOP) -> Derivation:
    scope = Scope(paths=globs)
    return derive([text], scope, view, files=view.matching(globs), document=document)


def texts(derivation: Derivation) -> list[str]:
    return [str(watch) for watch in derivation.watches]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_real_statement_rests_on_what_decides_it(case: Case) -> None:
    view = TreeOfText(case.before)
    derivation = derive([case.statement], Scope(paths=case.scope), view, files=view.matching(case.scope))
    assert set(case.watches) <= set(texts(derivation))
    reported = [(one.token, one.nearest) for one in derivation.unresolved if one.severity == "born_false"]
    assert reported == ([case.born_false] if case.born_false else [])


@pytest.mark.parametrize(
    ("text", "globs", "expected"),
    [
        (
            "`Cart.total` sums prices without tax.",
            ["src/checkout/**"],
            ["symbol src/checkout/cart.py#Cart.total"],
        ),
        (
            "`charge()` sends an idempotency key.",
            ["src/checkout/**"],
            ["symbol src/checkout/payment.py#charge"],
        ),
        ("At most MAX_ITEMS items fit.", ["src/checkout/**"], ["ident MAX_ITEMS"]),
        (
            "See `src/checkout/cart.py:Cart.add_item`.",
            ["src/checkout/**"],
            ["symbol src/checkout/cart.py#Cart.add_item"],
        ),
        ("See `checkout/payment.py#refund`.", ["src/**"], ["symbol src/checkout/payment.py#refund"]),
        (
            "`src/checkout/payment.py`: `refund` needs no key.",
            ["src/**"],
            ["symbol src/checkout/payment.py#refund"],
        ),
        ("A full cart raises CartFullError.", ["src/checkout/cart.py"], ["ident CartFullError"]),
        ("`retryLimit` defaults to three.", ["web/src/**"], ["ident retryLimit"]),
        (
            "`npm run lint` checks scripts and styles.",
            ["package.json"],
            [
                "key package.json#scripts.lint",
                "key package.json#scripts.lint:js",
                "key package.json#scripts.lint:css",
            ],
        ),
        ("`yarn build` bundles the site.", ["web/**"], ["key package.json#scripts.build"]),
        ("`make docs` builds the manual.", ["docs/**"], ["key Makefile#docs"]),
        ("`uv run pre-commit run -a` checks all files.", ["pyproject.toml"], ["ident pre-commit"]),
        ("`uv run shop` starts it.", ["pyproject.toml"], ["key pyproject.toml#project.scripts.shop"]),
        ("`line-length` is one hundred.", ["pyproject.toml"], ["key pyproject.toml#tool.ruff.line-length"]),
        (
            "Needs Python 3.11 or later.",
            ["pyproject.toml"],
            ["key pyproject.toml#project.requires-python@3.11"],
        ),
        ("Runs on Node 20.", ["package.json"], ["key package.json#engines.node@20"]),
        ("HTTP goes through Httpx.", ["src/checkout/**"], ["ident httpx"]),
        ("Buttons come from `@acme/ui`.", ["web/**"], ["ident @acme/ui"]),
        ("Old code lies in `src/legacy/`.", ["src/**"], ["path src/legacy/"]),
        ("Old code lies in `legacy/`.", ["src/checkout/**"], ["path src/legacy/"]),
        ("Start at ../src/checkout/cart.py.", ["docs/**"], ["path src/checkout/cart.py"]),
        ("Requests go through `@/api/client`.", ["web/src/**"], ["path web/src/api/client.ts"]),
        ("Core is `src.checkout.payment`.", ["src/**"], ["path src/checkout/payment.py"]),
        ("The rule is in `src/checkout/cart.py:8-11`.", ["src/**"], ["lines src/checkout/cart.py:8-11"]),
        (
            "`Cart.total`은 세금을 더하지 않는다.",
            ["src/checkout/**"],
            ["symbol src/checkout/cart.py#Cart.total"],
        ),
        ("결제는 charge()가 한다.", ["src/checkout/**"], ["symbol src/checkout/payment.py#charge"]),
        ("장바구니가 가득 차면 CartFullError를 던진다.", ["src/checkout/cart.py"], ["ident CartFullError"]),
        ("설정은 `src/설정/기본.py`에 있다.", ["src/**"], ["path src/설정/기본.py"]),
        ("`제한_시간`은 30초다.", ["src/설정/**"], ["symbol src/설정/기본.py#제한_시간"]),
        ("httpx로 요청을 보낸다.", ["src/checkout/**"], ["ident httpx"]),
    ],
)
def test_a_name_becomes_the_narrowest_watch(text: str, globs: list[str], expected: list[str]) -> None:
    assert set(expected) <= set(texts(watched(text, *globs, document="docs/checkout.md")))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Checkout must not import SoapClient.", "SoapClient"),
        ("Never use `eval_unsafe` in checkout.", "eval_unsafe"),
        ("Never use Pydantic in checkout.", "pydantic"),
        ("`SoapClient`를 직접 호출하지 않는다.", "SoapClient"),
        ("`SoapClient` 대신 `charge`를 쓴다.", "SoapClient"),
    ],
)
def test_a_prohibited_name_is_watched_as_prohibited_and_is_not_born_false(text: str, name: str) -> None:
    derivation = watched(text, "src/checkout/**")
    assert Watch(WatchKind.IDENT, name=name, polarity=Polarity.PROHIBITS) in derivation.watches
    assert not derivation.unresolved


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Checkout avoids `datetime.now()`.", "datetime.now"),
        ("Never call `os.system`.", "os.system"),
        ("Checkout must not call `app.ui`.", "app.ui"),
        ("Do not call `SoapClient.call` here.", "call"),
    ],
)
def test_a_dotted_name_is_prohibited_whole_unless_it_is_a_member_defined_here(text: str, name: str) -> None:
    assert [one for one in texts(watched(text, "src/checkout/**")) if "prohibited" in one] == [
        f"ident {name} (prohibited)"
    ]


def test_a_prohibited_dotted_name_leaves_others_with_the_same_last_part_alone() -> None:
    found = texts(watched("Use `Cart.total`, never `math.total`.", "src/checkout/**"))
    assert found == ["symbol src/checkout/cart.py#Cart.total", "ident math.total (prohibited)"]


def test_a_name_right_after_never_is_prohibited_and_the_one_to_use_is_not() -> None:
    found = texts(watched("Use `vite`, never `eslint`.", "web/**"))
    assert "ident eslint (prohibited)" in found
    assert "ident vite" in found


@pytest.mark.parametrize("name", ["pydantic", "click"])
def test_a_bare_name_that_korean_words_forbid_is_prohibited(name: str) -> None:
    derivation = watched(f"결제에서는 {name} 사용 금지.", "src/checkout/**")
    assert texts(derivation) == [f"ident {name} (prohibited)"]
    assert derivation.claim is Claim.CONTENT


def test_a_watched_prohibition_carries_the_negative_claim() -> None:
    assert watched("Checkout must not import SoapClient.", "src/checkout/**").claim is Claim.CONTENT
    assert watched("Only `charge` talks to the bank.", "src/checkout/**").claim is Claim.NEGATIVE
    both = watched("Checkout must not import SoapClient. Only `charge` pays.", "src/checkout/**")
    assert both.claim is Claim.NEGATIVE


@pytest.mark.parametrize(
    ("text", "globs", "token", "nearest"),
    [
        ("Use `fetchJSONs` for requests.", ["web/src/**"], "fetchJSONs", "fetchJson"),
        ("`Cart.totals()` sums.", ["src/checkout/**"], "Cart.totals", "total"),
        ("The `reserve_stocks` function locks.", ["src/checkout/**"], "reserve_stocks", "reserve_stock"),
        ("See `src/checkout/carts.py`.", ["src/**"], "src/checkout/carts.py", "src/checkout/cart.py"),
        ("See `src/checkout/cart.py:Cart.sum_up`.", ["src/**"], "src/checkout/cart.py:Cart.sum_up", None),
        ("`npm run lints` checks.", ["package.json"], "lints", "lint"),
        ("`make tests` runs everything.", ["Makefile"], "tests", "test"),
        ("`getCartTotal` 함수가 합계를 낸다.", ["src/checkout/**"], "getCartTotal", None),
        ("`reserveStock()`이 재고를 잡는다.", ["src/checkout/**"], "reserveStock", "reserve_stock"),
    ],
)
def test_a_name_that_is_nowhere_is_born_false_with_the_nearest(
    text: str, globs: list[str], token: str, nearest: str | None
) -> None:
    (found,) = watched(text, *globs).unresolved
    assert (found.token, found.severity) == (token, "born_false")
    assert nearest is None or found.nearest == nearest


@pytest.mark.parametrize(
    "text",
    [
        "Set `process.env.DEBUG` or pass `--verbose`.",
        "Answers `application/json` on `GET`.",
        "Returns `None`, never `False`.",
        "Run `git push origin main`, then `npm install`.",
        "Files go to `dist/bundle.js`.",
        "Name it `my_handler` or `YourClass`.",
        "`TypeError` and `Promise` are the language's own.",
        "Write to a.b@example.org or https://example.org/x/y.py.",
        "Everything in `src/**/*.py` and `docs/<name>.md`.",
        "Deploy on 2026-07-13 with version 1.2.3.",
        "결제는 10만 건까지 `true`로 답한다.",
    ],
)
def test_foreign_names_commands_and_values_are_not_born_false(text: str) -> None:
    assert [one for one in watched(text, "src/**").unresolved if one.severity == "born_false"] == []


def test_a_path_through_a_linked_folder_is_found() -> None:
    view = TreeOfText({".claude/skills": "../.agents/skills", ".agents/skills/lint/SKILL.md": "# Lint\n"})
    derivation = watched("See `.claude/skills/lint/SKILL.md`.", "**", view=view)
    assert (texts(derivation), derivation.unresolved) == (["path .agents/skills/lint/SKILL.md"], ())


def test_a_name_that_lives_in_prose_alone_is_not_found() -> None:
    (found,) = watched("The `ghostFunction()` helper waits.", "src/**").unresolved
    assert found.token == "ghostFunction"


def test_a_large_class_named_alone_is_watched_by_name() -> None:
    assert texts(watched("`Model` holds everything.", "big/**")) == ["ident Model"]
    assert "symbol big/model.py#Model.m7" in texts(watched("`Model.m7` is seven.", "big/**"))


def test_a_class_gives_way_to_its_named_member() -> None:
    assert texts(watched("`Cart.total` in `Cart` sums.", "src/checkout/**")) == [
        "symbol src/checkout/cart.py#Cart.total"
    ]


def test_a_name_without_definition_is_watched_where_it_is_used() -> None:
    view = TreeOfText(
        {"src/a.py": "def send(options):\n    return options.retryLimit\n\n\ndef other():\n    return 1\n"}
    )
    assert set(texts(watched("`retryLimit` bounds retries.", "src/**", view=view))) == {
        "ident retryLimit",
        "symbol src/a.py#send",
    }


def test_code_outside_the_scope_is_content_only_when_nothing_inside_is_named() -> None:
    alone = watched("`reserve_stock` locks a row.", "web/**")
    assert texts(alone) == ["symbol src/checkout/stock.py#reserve_stock"]
    beside = watched("`fetchJson()` calls reserve_stock().", "web/**")
    assert "ident reserve_stock" in texts(beside)
    assert "symbol src/checkout/stock.py#reserve_stock" not in texts(beside)


def test_a_statement_without_names_pins_nothing() -> None:
    derivation = watched("Amounts are rounded half up.", "src/checkout/payment.py")
    assert (derivation.watches, derivation.pinned) == ((), False)


def test_a_path_alone_pins_nothing_but_a_line_of_a_map_does() -> None:
    assert not watched("`src/checkout/payment.py` retries three times.", "src/checkout/payment.py").pinned
    assert watched("| `src/checkout/payment.py` | Payment |", "src/checkout/payment.py").pinned


def test_a_long_statement_gives_few_watches_the_narrowest_first() -> None:
    names = " ".join(f"`Model.m{n}`" for n in range(40))
    derivation = watched(f"`big/` {names} `src/legacy/`", "big/**")
    assert len(derivation.watches) == MOST_WATCHES
    assert {watch.kind for watch in derivation.watches} == {WatchKind.SYMBOL}


def test_title_and_body_count_and_the_order_is_stable() -> None:
    parts = ["Cart", "`Cart.total` sums.", "It calls `refund()` never."]
    first = derive(parts, Scope(paths=("src/**",)), SHOP, files=SHOP.matching(["src/**"]))
    again = derive(parts, Scope(paths=("src/**",)), SHOP, files=SHOP.matching(["src/**"]))
    assert first == again
    assert "symbol src/checkout/cart.py#Cart.total" in texts(first)


def test_the_digest_ignores_wrapping_and_composition_and_nothing_else() -> None:
    one = text_digest("결제", "A  rule\nwrapped", None, None)
    assert one == text_digest("결제".encode().decode(), " A rule wrapped ", "", None)
    assert text_digest("카드", "x", None, None) == text_digest("\u110f\u1161\u1103\u1173", "x", None, None)
    assert one != text_digest("결제", "A rule Wrapped", None, None)
    assert one != text_digest("결제", "A rule wrapped", None, ())
    assert text_digest(None, "a", "b", None) != text_digest(None, "a b", None, None)


@given(st.text(max_size=200))
def test_any_text_gives_only_watches_that_exist(text: str) -> None:
    derivation = watched(text, "src/**")
    for watch in derivation.watches:
        if watch.path is not None:
            assert watch.path in SHOP.paths() or SHOP.is_folder(watch.path.rstrip("/"))


@pytest.mark.parametrize(
    ("text", "globs", "expected"),
    [
        ("Bump `MAX_ITEMS` when the cart grows.", ["src/checkout/**"], "ident MAX_ITEMS"),
        ("`MAX_ITEMS` is 50.", ["src/checkout/**"], "symbol src/checkout/cart.py#MAX_ITEMS"),
        ("See `src/checkout/cart.py`: `Cart`: what a customer holds (items, etc.)", ["src/checkout/cart.py"], "ident Cart"),
        ("`Cart` limits what it holds.", ["src/checkout/cart.py"], "symbol src/checkout/cart.py#Cart"),
        ("`web/src/api/` must not import from `src/checkout/`.", ["web/src/api/**"], "import src/checkout/ (prohibited)"),
    ],
)  # fmt: skip
def test_a_name_is_rested_on_no_further_than_the_words_go(text: str, globs: list[str], expected: str) -> None:
    found = watched(text, *globs)
    assert expected in texts(found)
    assert found.pinned


def test_a_prohibited_folder_is_watched_whether_or_not_it_is_imported_already() -> None:
    view = TreeOfText({"core/a.py": "from app.web import page\n", "app/web/page.py": "X = 1\n"})
    found = watched("`core/` must not import from `app/web/`.", "core/**", view=view)
    assert texts(found) == ["import app/web/ (prohibited)", "path core/"]


def test_the_type_of_a_library_is_not_the_one_here_of_the_same_name() -> None:
    view = TreeOfText(
        {"ui/dialog.go": "package ui\n\ntype Action struct {\n\tCmd int\n}\n\nfunc run(c tea.Cmd) {}\n"}
    )
    assert texts(watched("Return a `tea.Cmd`.", "ui/**", view=view)) == [
        "symbol ui/dialog.go#run",
        "ident Cmd",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "- `Makefile`: Common commands.",
        "- `src/checkout/payment.py`, `src/checkout/stock.py`: Payments and what is left.",
        "- Payments and refunds: `src/checkout/payment.py`",
        "**Payments**: `src/checkout/payment.py`, `src/checkout/stock.py`",
        "- [`src/checkout/`](../src/checkout) - all that a customer buys with",
        "결제: `src/checkout/payment.py`",
    ],
)
def test_a_line_of_a_map_pins_its_places_alone(text: str) -> None:
    found = watched(text, "src/checkout/**")
    assert found.pinned
    assert {watch.kind for watch in found.watches} == {WatchKind.PATH}


@pytest.mark.parametrize(
    "text",
    [
        "Run `src/checkout/payment.py` twice: once to charge, once to refund.",
        "Payments: ask `shop-support` first.",
    ],
)
def test_a_sentence_that_is_no_line_of_a_map_pins_nothing(text: str) -> None:
    assert not watched(text, "src/checkout/payment.py").pinned


def test_a_qualified_class_rests_on_its_file_too() -> None:
    source = "package org.shop;\n\npublic class Order {\n    int total() { return 1; }\n}\n"
    view = TreeOfText({"lib/src/org/shop/Order.java": source})
    found = watched("It is implemented in the class [org.shop.Order].", "lib/**", view=view)
    assert "symbol lib/src/org/shop/Order.java#Order" in texts(found)


def test_a_word_that_is_the_folder_of_the_whole_scope_is_that_folder() -> None:
    view = TreeOfText({"shop/src/Shop.java": "class Shop {}\n", "other/a.py": "x = 1\n"})
    assert texts(watched("| `shop` | Command line |", "shop/**", view=view)) == ["path shop/"]


@pytest.mark.parametrize(
    ("text", "watched"),
    [
        ("Each call has a record in `src/legacy/*.py`.", ["path src/legacy/"]),
        ("호출마다 `src/legacy/*.py`에 기록이 있다.", ["path src/legacy/"]),
        ("Everything lies in `src/*.py`.", []),
        ("Records lie in `src/nowhere/*.py`.", []),
    ],
)
def test_a_glob_stands_for_its_folder_unless_the_whole_scope_lies_in_it(
    text: str, watched: list[str]
) -> None:
    files = SHOP.matching(("src/**",))
    found = derive([text], Scope(("src/**",)), SHOP, files=files)
    assert [str(one) for one in found.watches] == watched


@pytest.mark.parametrize(
    "text", ["`DATABASE_URL` is set in `.env.example`.", "`.env.example`에서 `DATABASE_URL`을 정한다."]
)
def test_a_variable_of_a_cited_file_of_variables_is_watched_in_it(text: str) -> None:
    view = TreeOfText({".env.example": "DATABASE_URL=x\nPORT=1\n", "src/a.py": "DATABASE_URL = env()\n"})
    assert "ident DATABASE_URL in .env.example" in texts(watched(text, "**", view=view))


@pytest.mark.parametrize(
    "text", ["Set `DATABASE_URL` before the start.", "시작하기 전에 `DATABASE_URL`을 정한다."]
)
def test_a_variable_that_only_files_of_variables_set_is_watched_by_name(text: str) -> None:
    view = TreeOfText({".env.example": "DATABASE_URL=x\nPORT=1\n", "src/a.py": "x = 1\n"})
    assert texts(watched(text, "**", view=view)) == ["ident DATABASE_URL"]


@pytest.mark.parametrize(
    "text", ["Pass `--server.pool-size` to change it.", "`--server.pool-size`로 바꾼다."]
)
def test_a_flag_of_a_group_is_watched_as_code_spells_it(text: str) -> None:
    for spelled in ("server.pool-size", "server.pool_size", "server.poolSize"):
        view = TreeOfText({"src/a.py": f"add('--{spelled}')\n"})
        assert texts(watched(text, "src/**", view=view)) == [f"ident {spelled}"]


def test_a_flag_whose_default_is_told_rests_on_more_than_its_name() -> None:
    view = TreeOfText({"src/a.py": "add('--server.port', 80)\n"})
    assert not watched("The default of `--server.port` is 80.", "src/**", view=view).pinned
    assert watched("Pass `--server.port`.", "src/**", view=view).pinned


def test_a_place_where_something_belongs_is_watched_and_not_what_is_in_it() -> None:
    view = TreeOfText({"src/api/a.ts": "a()\n", "src/ui/b.ts": "b()\n"})
    assert watched("Add endpoints in `src/api/`, not in ui.", "src/**", view=view).pinned
    assert not watched("Endpoints in `src/api/` return JSON.", "src/**", view=view).pinned


@pytest.mark.parametrize(
    "text",
    [
        "See [the guide](../../docs/guide.md).",
        "`../docs/guide.md`에 안내가 있다.",
        "See ../../docs/guide.md first.",
    ],
)
def test_a_path_from_an_unknown_document_upwards_is_found_from_the_root(text: str) -> None:
    view = TreeOfText({"docs/guide.md": "x\n", "src/a.py": "x = 1\n"})
    found = watched(text, "**", view=view)
    assert "path docs/guide.md" in texts(found)
    assert not found.unresolved


def test_a_path_upwards_that_is_nowhere_is_no_other_file() -> None:
    view = TreeOfText({"docs/guide.md": "x\n"})
    assert watched("See [it](../../docs/other.md).", "**", view=view).watches == ()


def test_a_bare_statement_of_a_place_rests_on_the_folder_of_its_scope_that_it_names() -> None:
    view = TreeOfText({"packages/shared/src/runtime/agent.ts": "export const a = 1\n"})
    scope = Scope(paths=("packages/shared/src/runtime/**",))
    files = view.matching(scope.paths)
    named = derive(["The runtime lives in shared."], scope, view, files=files)
    other = derive(["The queue lives in the worker."], scope, view, files=files)
    assert [str(one) for one in named.watches] == ["path packages/shared/src/runtime/"]
    assert other.watches == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The report is in `src/made/report.json`.", True),
        ("It writes `src/made/report.json`.", False),
        ("결과는 `src/made/report.json`에 저장한다.", False),
        ("Output is saved to `src/made/report.json` after a run.", False),
        ("It writes logs. See `src/made/report.json`.", True),
    ],
)
def test_a_path_that_something_is_said_to_write_need_not_be_in_the_tree(text: str, *, told: bool) -> None:
    view = TreeOfText({"src/a.py": "x = 1\n"})
    found = derive([text], Scope(paths=("src/**",)), view, files=["src/a.py"])
    assert bool(found.unresolved) is told


@pytest.mark.parametrize("text", ["`Server(port=...)` is deprecated.", "Do not call `Server(port=1)`."])
def test_a_ban_of_an_argument_bans_nothing_that_takes_it(text: str) -> None:
    view = TreeOfText(
        {"src/a.py": "class Server:\n    def __init__(self, port=1):\n        self.port = port\n"}
    )
    found = derive([text], Scope(paths=("src/**",)), view, files=["src/a.py"])
    assert not any(watch.is_prohibition for watch in found.watches)
    assert "key src/a.py#Server(port)" in map(str, found.watches)


@pytest.mark.parametrize(("methods", "watch"), [(4, "symbol src/a.rs#Server"), (150, "ident Server")])
def test_a_type_whose_members_stand_behind_it_is_as_large_as_they_are(methods: int, watch: str) -> None:
    body = "\n".join(f"    pub fn f{at}(&self) -> u32 {{\n        {at}\n    }}" for at in range(methods))
    view = TreeOfText(
        {"src/a.rs": f"pub struct Server {{\n    pub a: u32,\n}}\n\nimpl Server {{\n{body}\n}}\n"}
    )
    found = derive(["`Server` holds the state and is used by the daemon when it runs."], Scope(paths=("src/**",)), view, files=["src/a.rs"])  # fmt: skip
    assert str(found.watches[0]) == watch
