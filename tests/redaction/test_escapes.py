"""Secrets in texts inside of texts: what an escape bounds is found, and nothing else changes."""

from __future__ import annotations

import json

import pytest

from gitmem.redaction.masking import Masker

MASKER = Masker()
AWS = "AKIA" + "UJZDEGXDNCF32EPF"
STRIPE = "sk_live_" + "OoNZYW2mZp0zVZomHFwUbbYr"
SECRET_KEY = "wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "zzKEYKEYK9"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("request failed\\n", ""),
        ("\\t", "\\n"),
        ("\\r\\n", "\\r\\n"),
        ('{\\"out\\": \\"', '\\"}'),
        ("\\u001b[31m", "\\u001b[0m"),
        ("\x1b[31m", "\x1b[0m"),
        ("\\\\\\\\n", "\\\\\\\\n"),
    ],
)
@pytest.mark.parametrize(("secret", "kind"), [(AWS, "aws_key"), (STRIPE, "stripe_key")])
def test_an_escape_is_a_boundary_and_stays(before: str, after: str, secret: str, kind: str) -> None:
    assert MASKER.mask(f"{before}{secret}{after}").text == f"{before}[masked:{kind}]{after}"


def test_a_named_value_ends_where_an_escaped_line_ends() -> None:
    text = f"aws_secret_access_key = {SECRET_KEY}\\nregion = eu-west-1\\nthe end"

    assert MASKER.mask(text).text == (
        "aws_secret_access_key = [masked:secret_value]\\nregion = eu-west-1\\nthe end"
    )


def test_json_inside_json_inside_json_is_read() -> None:
    inner = json.dumps({"token": "ab9dk2ls0fkz"})
    text = json.dumps({"raw": json.dumps({"password": "hunter2x9", "inner": inner})})

    masked = MASKER.mask(text).text

    assert "ab9dk2ls0fkz" not in masked
    assert "hunter2x9" not in masked
    assert json.loads(json.loads(json.loads(masked)["raw"])["inner"])["token"] == "[masked:secret_value]"


def test_a_private_key_is_masked_over_escaped_lines() -> None:
    key = "-----BEGIN RSA PRIVATE KEY-----\\nMIIEpAIBAAKCAQEA7\\nabcdef\\n-----END RSA PRIVATE KEY-----"

    assert MASKER.mask(f"said: {key}\\nend").text == "said: [masked:pem]\\nend"


def test_a_windows_folder_that_reads_like_an_escape_is_masked() -> None:
    assert MASKER.mask("C:\\Users\\nadia\\x.txt").text == "~\\x.txt"


@pytest.mark.parametrize("filling", ["\\", '"\\', "\x1b[", "\\u00"])
def test_a_file_of_escapes_is_read_in_linear_time(filling: str) -> None:
    assert MASKER.mask(f"{filling * 300_000}\\n{AWS}").text.endswith("\\n[masked:aws_key]")
