from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.drift.claims import claim_of
from gitmem.drift.prohibitions import prohibited
from gitmem.model.memory import Claim


@pytest.mark.parametrize(
    "text",
    [
        "Core must not import adapters.",
        "Never log the token.",
        "There is no cache.",
        "`api.py` is the only entry.",
        "The sole mapping point.",
        "All requests pass the gateway.",
        "Every handler validates.",
        "None of the workers retries.",
        "Strip headers while leaving `Authorization` alone.",
        "Don't retry.",
        "There are two adapters: `a_b` and `c_d`.",
        "재시도하지 않는다.",
        "직접 호출 금지.",
        "모든 요청은 게이트웨이를 거친다.",
        "항상 먼저 검증한다.",
        "관리자만 지울 수 있다.",
        "캐시가 없다.",
        "테스트를 건너뛰지 말 것.",
        "직접 고치지 마세요.",
        "再試行しない。",
        "直接呼び出しは禁止。",
        "管理者だけが消せる。",
        "不重试。",
        "只有管理员可以删除。",
        "所有请求都经过网关。",
    ],
)
def test_negative_and_universal_words_make_a_negative_claim(text: str) -> None:
    assert claim_of(text) is Claim.NEGATIVE


@pytest.mark.parametrize(
    "text",
    [
        "A notice is sent after checkout.",
        "Not only the cart but also the order is stored.",
        "The worker retries three times.",
        "**All Checks**: `make check`",
        "Run `pre-commit run --all-files`.",
        "The read-only replica answers reports.",
        "10만 건을 만들 수 있다.",
        "하지만 주문을 만든다.",
        "약만큼 남는다.",
        "안내 메일을 보낸다.",
        "빠를 뿐만 아니라 가볍다.",
        "速いだけでなく軽い。",
        "与以前不同。",
    ],
)
def test_words_that_only_look_negative_make_none(text: str) -> None:
    assert claim_of(text) is Claim.CONTENT


@pytest.mark.parametrize(
    "text",
    [
        "Prompts live in `src/prompts/` with `PromptManager`.",
        "`src/run.py` is the runtime entrypoint. Put new logic under `src/inner/`.",
        "The parser is defined in `parse.py`.",
        "결제 코드는 `src/pay/`에 있다.",
        "`src/main.ts`가 진입점이다.",
        "設定は`config.py`にある。",
    ],
)
def test_where_something_is_makes_a_presence_claim(text: str) -> None:
    assert claim_of(text) is Claim.PRESENCE


def test_a_place_with_behaviour_is_content_and_with_only_is_negative() -> None:
    assert claim_of("The parser lives in `parse.py` and returns a tree.") is Claim.CONTENT
    assert claim_of("The parser lives only in `parse.py`.") is Claim.NEGATIVE


def names(text: str) -> list[str]:
    return sorted(token.text for token in prohibited(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Core must not import `fast_api`.", ["fast_api"]),
        ("Core (`src/core/`) must not import `aa_x`, `bb_x`, or `cc_x`.", ["aa_x", "bb_x", "cc_x"]),
        ("Avoid `prune_all` calls.", ["prune_all"]),
        ("Never use `eval_it` in handlers.", ["eval_it"]),
        ("Do not call `send_raw` from `worker.py`.", ["send_raw"]),
        ("Use `day_js` instead of `moment_js`.", ["moment_js"]),
        ("Prefer `fetchJson` over `axiosGet`.", ["axiosGet"]),
        ("`legacyClient` must not be used.", ["legacyClient"]),
        ("In `src/core`, `old_api` is forbidden.", ["old_api"]),
        ("There is no `legacy_client` here.", ["legacy_client"]),
        ("Core must not import from `src/legacy`.", ["src/legacy"]),
        ("Amounts are `BigDecimal`, never as `raw_float`.", ["raw_float"]),
        ("Use `httpx`, never `requests`.", ["requests"]),
        ("HTTP calls use `axios`, never `fetch`.", ["fetch"]),
        ("Calls use `day_js`, never `moment_js` or `luxon_js`.", ["luxon_js", "moment_js"]),
        ("Never `print` in library code.", ["print"]),
        ("Dates are not `moment_js` but `day_js`.", ["moment_js"]),
        ("`old_api`를 쓰지 않는다.", ["old_api"]),
        ("`src/core`에서 `old_api`를 import 하지 않는다.", ["old_api"]),
        ("`aa_x`, `bb_x`를 사용하지 말 것.", ["aa_x", "bb_x"]),
        ("`moment_js` 사용 금지.", ["moment_js"]),
        ("`moment_js` 대신 `day_js`를 쓴다.", ["moment_js"]),
        ("`old_api`를 쓰지 말고 `new_api`를 쓴다.", ["old_api"]),
        ("pruneDatabase를 호출하지 않는다.", ["pruneDatabase"]),
        ("코어에서는 click 사용 금지.", ["click"]),
        ("click 금지.", ["click"]),
        ("core는 click을 쓰지 않는다.", ["click"]),
        ("moment와 axios를 사용하지 말 것.", ["axios", "moment"]),
        ("click을 import 하지 않는다.", ["click"]),
        ("`old_api`を使わない。", ["old_api"]),
        ("禁止使用 `old_api`、`raw_api`。", ["old_api", "raw_api"]),
    ],
)
def test_names_under_a_prohibition_are_found(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Do not skip `validate_order` before saving.",
        "Never edit `src/generated/`.",
        "Never `commit_all` before the tests pass.",
        "Not only `parse_it` but also `safe_parse` is fast.",
        "`validate_order`를 건너뛰지 않는다.",
        "typer를 쓴다. 테스트를 건너뛰지 않는다.",
        "force push 금지.",
        "test 없이 합치지 않는다.",
        "core에서 쓰지 않는다.",
        "`parse_it` does not retry.",
        "Use `day_js`.",
    ],
)
def test_what_must_stay_is_not_prohibited(text: str) -> None:
    assert names(text) == []


@given(st.text(max_size=200))
def test_any_text_has_a_claim_and_prohibits_only_its_own_tokens(text: str) -> None:
    assert claim_of(text) in Claim
    assert all(text[token.start : token.end] for token in prohibited(text))


@pytest.mark.parametrize(
    "text",
    [
        "3. `func listOrders()` is responsible for the logic of the list command.",
        "Use `makeRunner` from `tests/support/runner.ts` to set up a scenario.",
        "Use `cn()` from `@acme/ui` to compose class names.",
    ],
)
def test_roles_and_where_a_name_is_to_be_had_are_presence(text: str) -> None:
    assert claim_of(text) is Claim.PRESENCE


@pytest.mark.parametrize(
    "text",
    [
        "bash build/make_licences.bash",
        "$ pip install -r requirements-dev.txt",
        "Configuration is in [`taze.config.ts`](./taze.config.ts).",
        "音声合成は`src/engine.py`で行われています。",
        "배포는 `scripts/deploy.sh`에서 수행된다.",
        "部署在`scripts/deploy.sh`中进行。",
    ],
)
def test_a_place_or_a_command_that_is_given_one_file_is_presence(text: str) -> None:
    assert claim_of(text) is Claim.PRESENCE


@pytest.mark.parametrize(
    "text",
    [
        "The timeout is in `seconds`.",
        "Coverage is at `80%`.",
        "Retries are in `a.py` and must stay under 3.",
        "bash build/make.bash --all 3",
        "Run bash build/make.bash to get `licenses.json`.",
    ],
)
def test_units_values_and_arguments_are_more_than_a_place(text: str) -> None:
    assert claim_of(text) is Claim.CONTENT
