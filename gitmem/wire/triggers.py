"""The cheap question before redaction: could there be a secret in these bytes?

Substring tests alone, no regular expression, nothing imported: a hook asks this about each event, and only a yes
loads the redactor. It says yes too often rather than too seldom: whatever `gitmem.redaction` masks must be triggered
here, which a test holds.
"""

from __future__ import annotations

TRIGGERS = (
    # providers' prefixes
    b"akia", b"asia", b"abia", b"acca", b"aiza", b"ya29.", b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_", b"github_pat_",
    b"glpat-", b"gldt-", b"glrt-", b"glptt-", b"xox", b"xapp-", b"hooks.slack.com", b"sk-", b"sk_", b"rk_", b"pk_live", b"whsec_",
    b"sg.", b"npm_", b"pypi-", b"dop_v1_", b"doo_v1_", b"hf_", b"shpat_", b"shpss_", b"shpca_", b"sq0", b"eaaa", b"key-", b"gsk_",
    b"xai-", b"lin_api_", b"pat-na", b"ntn_", b"dckr_pat_", b"atatt", b"hvs.", b"tskey-", b"age-secret-key", b"aws_", b"r8_",
    b"-----begin", b"eyj",
    # a password in an address
    b"://",
    # words before a value
    b"secret", b"token", b"passw", b"passp", b"pwd", b"key", b"credential", b"bearer", b"basic ", b"auth", b"connectionstring",
    "비밀번호".encode(), "암호".encode(), "토큰".encode(), "パスワード".encode(), "密码".encode(), "密碼".encode(),
    # home folders
    b"/home/", b"/users/", b"users\\",
)  # fmt: skip


def may_hold_secret(text: bytes, values: tuple[bytes, ...] = ()) -> bool:
    """Whether the redactor has to look.

    Args:
        text: UTF-8.
        values: Secrets known by value, from `secret_values`.
    """
    folded = text.lower()
    return (
        any(trigger in folded for trigger in TRIGGERS)
        or any(value in text for value in values)
        or b"SK" in text  # folded it would stand in every "task"
    )


def is_secret_name(name: str) -> bool:
    """Whether an environment variable's name says that its value is a secret: ``*KEY``, ``*TOKEN``, ``*SECRET`` …"""
    return name.upper().endswith(("KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIALS"))


def secret_values(environment: dict[str, str]) -> tuple[str, ...]:
    """Values of the secret variables, longest first; short ones and plain numbers are none."""
    found = {value for name, value in environment.items() if is_secret_name(name) and _is_telling(value)}
    return tuple(sorted(found, key=lambda value: (-len(value), value)))


def _is_telling(value: str) -> bool:
    # A path, a number or a word such as "production" in such a variable would mask ordinary text.
    if len(value) < 8 or value.isdigit() or value[0] in "/~.":
        return False
    return len(value) >= 16 or not value.isalpha()
