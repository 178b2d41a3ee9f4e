"""Secrets leave no trace, and what is none stays as it is."""

from __future__ import annotations

import base64
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.redaction.masking import Masker
from gitmem.redaction.rules import RULES
from gitmem.wire.triggers import may_hold_secret, secret_values
from tests.redaction.planted import planted

MASKER = Masker()

ORDINARY = [
    "commit 9c68058e1f00a2b3c4d5e6f708192a3b4c5d6e7f fixes the token refresh",
    "token = 9c68058e1f00a2b3c4d5e6f708192a3b4c5d6e7f",
    "key: value pairs are sorted, the primary_key=user_id2 comes first",
    "password is required; secret: optional; token: string",
    "max_tokens=4096, token_count: 128000, keyboard: qwerty",
    "tests/auth/test_token.py:12: AssertionError: token expired",
    "see https://example.org/home/page and https://example.org:8080/key?x=1",
    "author: Alice Example, basic authentication was removed",
    "토큰은 만료되었다. 비밀번호는 8자 이상이어야 한다. 암호: 필수",
    "인증 토큰: 없음, 키: 값, 중복 제출은 ViewModel의 isSubmitting guard로 차단한다.",
    "パスワード: 必須、トークンの更新",
    "API_KEY=${API_KEY} TOKEN=$TOKEN password=<your password> secret: {{ secret }}",
    "api_key = os.environ['API_KEY']; token = get_token(user)",
    "uuid 123e4567-e89b-12d3-a456-426614174000, version v1.24.3, 2026-07-13T09:28:00+09:00",
    "CheckoutViewModelTests.testSubmitOrder_whenFailed_allowsRetry",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "git@github.com:owner/name.git and ssh://git@example.org/owner/name.git",
]


def test_of_two_hundred_planted_secrets_none_is_left() -> None:
    left = [
        text
        for secret, text in planted(200)
        if any(part in MASKER.mask(text).text for part in secret.split("\n"))
    ]

    assert left == []


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert MASKER.mask(text).text == text


def test_commit_ids_are_never_masked_wherever_they_stand() -> None:
    chance = random.Random(3)
    ids = [
        "".join(chance.choice("0123456789abcdef") for _ in range(length)) for length in (7, 12, 40, 64) * 50
    ]
    texts = [f"{words} {one}" for one in ids for words in ("commit", "token:", "key =", "merged", "커밋")]

    assert [text for text in texts if MASKER.mask(text).kinds] == []


def test_what_is_masked_is_triggered_on_the_hot_path_too() -> None:
    plain = [text for secret, text in planted(200) if secret in text]

    assert [text for text in plain if not may_hold_secret(text.encode())] == []


def test_every_trigger_of_a_rule_is_one_of_the_hot_path() -> None:
    assert [
        (rule.kind, trigger)
        for rule in RULES
        for trigger in rule.triggers
        if not may_hold_secret(trigger.encode()) and not may_hold_secret(trigger.upper().encode())
    ] == []
    assert may_hold_secret(rb"C:\Users\ada")
    assert not may_hold_secret(b"fix the retry of a failed submit, #4 review_passed")


def test_count_and_kinds_are_told() -> None:
    masked = MASKER.mask("AKIAABCDEFGHIJKLMNOP and ghp_" + "a1B2" * 9 + " and AKIAABCDEFGHIJKLMNO2")

    assert (masked.count, masked.kinds) == (3, {"aws_key": 2, "github_token": 1})
    assert masked.text == "[masked:aws_key] and [masked:github_token] and [masked:aws_key]"


def test_masking_twice_changes_nothing_more() -> None:
    for _, text in planted(200):
        once = MASKER.mask(text).text
        assert MASKER.mask(once).text == once


def test_values_of_secret_variables_are_masked_by_value_and_in_base_64() -> None:
    environment = {
        "DEPLOY_TOKEN": "plain-words-here",
        "SSH_KEY": "/run/key",
        "PATH": "/bin:/usr/bin",
        "A_KEY": "12345678",
    }
    masker = Masker(values=secret_values(environment))

    assert secret_values(environment) == ("plain-words-here",)
    assert masker.mask("got plain-words-here back").text == "got [masked:environment] back"
    wrapped = base64.b64encode(b"plain-words-here").decode()
    assert wrapped[:16] not in masker.mask(f"sent {wrapped}").text


def test_home_folders_lose_their_owners_name() -> None:
    masker = Masker(homes=("/srv/people/ada",))

    assert masker.mask("/home/ada/work/x.py: error").text == "/home/~/work/x.py: error"
    assert masker.mask(r"C:\Users\ada\x.py").text == r"C:\Users\~\x.py"
    assert (
        masker.mask("/Users/ada/x /srv/people/ada/y /srv/people/adam/z").text
        == "/Users/~/x ~/y /srv/people/adam/z"
    )


def test_a_value_is_masked_through_all_its_levels_and_by_its_key() -> None:
    value, kinds = MASKER.mask_value(
        {"password": "hunter2hunter2", "list": [{"t": "AKIAABCDEFGHIJKLMNOP"}], "n": 3, "path": "src/a.py"}
    )

    assert value == {
        "password": "[masked:secret_value]",
        "list": [{"t": "[masked:aws_key]"}],
        "n": 3,
        "path": "src/a.py",
    }
    assert sum(kinds.values()) == 2


def test_bytes_that_are_no_text_pass_and_what_lies_between_is_masked() -> None:
    data, kinds = MASKER.mask_bytes(b"\xff\x00AKIAABCDEFGHIJKLMNOP\x00\xfe")

    assert (data, kinds) == (b"\xff\x00[masked:aws_key]\x00\xfe", {"aws_key": 1})
    assert MASKER.mask_bytes(b"\xff\x00\xee\x80\x80")[0] == b"\xff\x00\xee\x80\x80"


@settings(deadline=None)
@given(st.text())
def test_any_text_can_be_masked(text: str) -> None:
    masked = MASKER.mask(text)

    assert masked.kinds or masked.text == text


@pytest.mark.parametrize(
    "text",
    [
        "-" * 50_000 + "password",
        "a.b-c_" * 10_000 + "=token",
        "://" * 20_000,
        "eyJ" * 20_000,
        "-----BEGIN PRIVATE KEY-----" * 3_000,
        "/home/" * 10_000,
        "password=" * 8_000,
        "A" * 60_000,
        "bearer " + " " * 50_000,
    ],
)
def test_hostile_text_does_not_blow_up(text: str) -> None:
    # A pattern that backtracks for ever would never come back; no time is asserted.
    MASKER.mask(text)
