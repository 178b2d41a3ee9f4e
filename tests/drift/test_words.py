from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.drift.words import Token, TokenKind, code_tokens, is_compound


def short(token: Token) -> tuple[str, str]:
    return (token.text, str(token.kind))


def named(text: str) -> list[tuple[str, str]]:
    return [short(token) for token in code_tokens(text) if token.kind is not TokenKind.PRODUCT]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see `src/a.py`", [("src/a.py", "path")]),
        ("see `./src/a.py` and `src/app/`", [("src/a.py", "path"), ("src/app/", "path")]),
        ("edit package.json", [("package.json", "path")]),
        ("the Makefile has it", [("Makefile", "path")]),
        ("read `.env.example`", [(".env.example", "path")]),
        ("call `charge()`", [("charge", "identifier")]),
        ("call charge() once", [("charge", "identifier")]),
        ("`Session.request(url, data)` sends", [("Session.request", "dotted")]),
        ("`user?.profile.name` may be empty", [("user.profile.name", "dotted")]),
        ("`self._table` holds it", [("_table", "identifier")]),
        ("MAX_RETRIES bounds retryCount", [("MAX_RETRIES", "identifier"), ("retryCount", "identifier")]),
        ("the `lint` step", [("lint", "word")]),
        ("import from @/i18n/server", [("@/i18n/server", "module")]),
        ("`@acme/ui` and `next-auth`", [("@acme/ui", "module"), ("next-auth", "module")]),
        ("`httpx`, `requests` and `lodash`", [("httpx", "word"), ("requests", "word"), ("lodash", "word")]),
        ("`http_client` and `httpx.get()`", [("http_client", "identifier"), ("httpx.get", "dotted")]),
        ("``requests.get`` in reStructuredText", [("requests.get", "dotted")]),
    ],
)
def test_a_name_is_found_with_its_kind(text: str, expected: list[tuple[str, str]]) -> None:
    assert [one for one in named(text) if one[0] != "reStructuredText"] == expected


@pytest.mark.parametrize(
    "text",
    [
        "https://example.org/src/a.py and mail to a.b@example.org",
        "`src/**/*.ts` and `**/*.py`",
        "`<name>.py`, `{slug}/page.tsx`, `$HOME/x.py`, `docs/YYYY-MM.md`",
        "version 1.2.3, `v2.0`, `>=3.11`",
        "`true`, `None`, `GET`, `utf-8`",
        "Use an ordinary sentence, e.g. this one, i.e. prose.",
        "[[Checkout]] is linked",
        "`--turbo` and `-x`",
        "`https://example.org/httpx` and `http://localhost`",
        '`"quoted"`',
        "JavaScript on GitHub",
    ],
)
def test_what_is_no_name_is_left_out(text: str) -> None:
    assert named(text) == []


def test_lines_after_an_example_still_count() -> None:
    assert ("src/a.py", "path") in named("for example, e.g. `src/a.py`")


def test_a_citation_keeps_file_and_symbol() -> None:
    for text in ("src/a.py:Cart.total", "src/a.py#Cart.total", "src/a.py::Cart::total"):
        (token,) = code_tokens(f"see `{text}`")
        assert (token.kind, token.path, token.text) == (TokenKind.PATH_SYMBOL, "src/a.py", "Cart.total")


def test_line_spans_are_read_from_either_form() -> None:
    spans = [token.lines for token in code_tokens("`src/a.py:40-58`, `src/a.py:7`, [x](src/a.py#L3-L9)")]
    assert spans == [(40, 58), (7, 7), (3, 9)]


def test_a_links_target_counts_once_and_its_label_does_not_double_it() -> None:
    assert named("like [a.test.ts](mdc:web/src/a.test.ts)") == [("web/src/a.test.ts", "path")]
    assert named("like [`helper_one`](docs/x.md)") == [("helper_one", "identifier"), ("docs/x.md", "path")]
    assert named("see [site](https://example.org) and [part](#part)") == []


@pytest.mark.parametrize(
    ("text", "runner", "name"),
    [
        ("`yarn lint`", "yarn", "lint"),
        ("`npm run build:prod -- --watch`", "npm", "build:prod"),
        ("run npm run build first", "npm", "build"),
        ("`pnpm --filter web run test`", "pnpm", "test"),
        ("`yarn workspace @acme/web test`", "yarn", "test"),
        ("`make -C docs html`", "make", "html"),
        ("`uv run --group dev pytest -q`", "uv", "pytest"),
        ("`poetry run ruff check .`", "poetry", "ruff"),
        ("`cd web && CI=1 pnpm test`", "pnpm", "test"),
        ("`nox -s lint`", "nox", "lint"),
        ("`cargo xtask dist`", "cargo", "xtask"),
        ("`ruff check src/`", "", "ruff"),
    ],
)
def test_a_command_names_what_it_runs(text: str, runner: str, name: str) -> None:
    commands = [token for token in code_tokens(text) if token.kind is TokenKind.COMMAND]
    assert [(token.runner, token.text) for token in commands] == [(runner, name)]


def test_open_words_that_only_look_like_commands_are_none() -> None:
    text = "make sure to go test the yarn you have"
    assert not [token for token in code_tokens(text) if token.kind is TokenKind.COMMAND]


def test_paths_in_a_commands_arguments_are_found() -> None:
    assert ("tests/unit", "path") in named("`pytest tests/unit -k cart`")


def test_of_a_fence_only_the_commands_count() -> None:
    text = "Run:\n```bash\n$ make check\nlocal_name = compute()\n```\nthen `after_it`"
    assert named(text) == [("check", "command"), ("after_it", "identifier")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cancelOrder를 쓰지 않는다", [("cancelOrder", "identifier")]),
        ("취소는 src/checkout/cancel.ts에서 한다", [("src/checkout/cancel.ts", "path")]),
        ("설계는 docs/설계/결제.md를 본다", [("docs/설계/결제.md", "path")]),
        ("`결제_서비스`가 한다", [("결제_서비스", "identifier")]),
        ("使用src/a.py来做", [("src/a.py", "path")]),
        ("`load_user`を呼び出す", [("load_user", "identifier")]),
    ],
)
def test_a_particle_ends_a_name(text: str, expected: list[tuple[str, str]]) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "product"),
    [
        ("This is a Lerna monorepo", "Lerna"),
        ("NextAuth.js setup", "NextAuth.js"),
        ("We test using pytest here", "pytest"),
        ("pytest로 테스트한다", "pytest"),
        ("uses pre-commit hooks", "pre-commit"),
    ],
)
def test_a_product_is_a_weak_token(text: str, product: str) -> None:
    assert product in [token.text for token in code_tokens(text) if token.kind is TokenKind.PRODUCT]


def test_a_version_belongs_to_its_product() -> None:
    versions = {token.text: token.version for token in code_tokens("Needs Python 3.11+ and Node 20.")}
    assert (versions["Python"], versions["Node"]) == ("3.11", "20")


def test_compounds_are_code_and_words_are_not() -> None:
    assert all(map(is_compound, ("camelCase", "snake_case", "TinyDB", "MAX_SIZE", "HTTPError", "_table")))
    assert not any(map(is_compound, ("Word", "word", "HTTP", "API")))


@given(st.text(max_size=300))
def test_any_text_gives_tokens_that_lie_inside_it_in_order(text: str) -> None:
    tokens = code_tokens(text)
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)
    assert [token.start for token in tokens] == sorted(token.start for token in tokens)


@given(
    st.lists(
        st.sampled_from(
            [
                "`a/b.py`",
                "Xy_z",
                "(",
                ")",
                "[",
                "]",
                "``",
                "```",
                "#",
                ":",
                "--",
                "를",
                "make",
                "\n",
                "*",
                ".",
                "<",
            ]
        ),
        max_size=40,
    )
)
def test_hostile_markup_is_read_without_failing(parts: list[str]) -> None:
    assert isinstance(code_tokens(" ".join(parts)), tuple)


def test_a_long_hostile_text_is_read_in_linear_time() -> None:
    for text in ("`" * 20_000, "[" * 20_000, "a/" * 20_000, "a." * 20_000, "x(" * 20_000, "-" * 20_000):
        assert isinstance(code_tokens(text), tuple)


@pytest.mark.parametrize(
    ("text", "product"),
    [
        ("- Better-Auth for sign-in", "Better-Auth"),
        ("A Redis-backed queue.", "Redis"),
        ("Made with [`fast-tool`](https://example.org/fast-tool).", "fast-tool"),
    ],
)
def test_a_product_written_with_hyphens_is_one_name(text: str, product: str) -> None:
    assert product in [token.text for token in code_tokens(text)]


def test_a_version_makes_a_short_word_and_an_opening_one_a_product() -> None:
    (token,) = code_tokens("- Go 1.22+")
    assert (token.text, token.kind, token.version) == ("Go", TokenKind.PRODUCT, "1.22")


def test_a_qualified_class_is_one_name_whatever_its_packages_are_called() -> None:
    (token,) = code_tokens("It is in the class [org.shop.ai.orders.OrderTask].")
    assert (token.text, token.kind) == ("org.shop.ai.orders.OrderTask", TokenKind.DOTTED)


def test_a_built_bundle_is_a_file_and_no_attribute() -> None:
    assert [token.kind for token in code_tokens("It relaunches `Shop.app`; `request.app` is one.")] == [
        TokenKind.PATH,
        TokenKind.DOTTED,
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It will use `chardet\n<https://pypi.org/project/chardet/>`_ to guess", [("chardet", "product", False)]),
        ("See `the guide <https://x.example/a.py>`__ and `send_all`", [("send_all", "identifier", True)]),
        ("A `Session <#session>`_ keeps ``max_age``", [("Session", "product", False), ("max_age", "identifier", True)]),
        (":class:`~requests.Session` is open", [("requests.Session", "dotted", True)]),
    ],
)  # fmt: skip
def test_links_and_roles_of_restructured_text(text: str, found: list[tuple[str, str, bool]]) -> None:
    assert [(one.text, str(one.kind), one.ticked) for one in code_tokens(text)] == found
    assert all(one.text == text[one.start : one.end] for one in code_tokens(text))
