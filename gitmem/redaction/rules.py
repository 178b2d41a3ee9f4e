"""What counts as a secret: one pattern for each kind, each with a cheap word that must stand in the text first.

Shapes are taken from the providers' own descriptions of their tokens. A rule's first group, where it has one, is what
gets masked; the rest stays readable.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

_WORD = r"(?<![A-Za-z0-9])"
_END = r"(?![A-Za-z0-9])"


class Rule(NamedTuple):
    """One kind of secret.

    Args:
        kind: What replaces it says this.
        triggers: Folded words, one of which stands in every text that the pattern finds.
        pattern: Source of the regular expression.
        checked: Whether a find must also look random (`entropy.looks_random`).
    """

    kind: str
    triggers: tuple[str, ...]
    pattern: str
    checked: bool = False


_KEYWORD = (
    r"(?:[A-Za-z0-9_.-]{0,40}(?:secret|token|passwd|password|passphrase|pwd|api[_-]?key|access[_-]?key|private[_-]?key"
    r"|encryption[_-]?key|signing[_-]?key|account[_-]?key|auth[_-]?key|credentials?|client[_-]?secret|authorization)"
    r"[A-Za-z0-9_.-]{0,20}|[A-Z0-9_]{2,}_KEY|비밀번호|암호|토큰|パスワード|密码|密碼)"
)

RULES: tuple[Rule, ...] = (
    Rule(
        "pem",
        ("-----begin",),
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    Rule("jwt", ("eyj",), r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"),
    Rule("url_password", ("://",), r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,200}:([^\s/@\"'<>]{1,300})@"),
    Rule("url_token", ("://",), r"https?://([A-Za-z0-9_-]{16,300})@"),
    Rule("aws_key", ("akia", "asia", "abia", "acca"), rf"{_WORD}((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{{16}}){_END}"),
    Rule("github_token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), rf"{_WORD}(gh[pousr]_[A-Za-z0-9]{{30,255}})"),
    Rule("github_token", ("github_pat_",), rf"{_WORD}(github_pat_[A-Za-z0-9_]{{22,255}})"),
    Rule("gitlab_token", ("glpat-", "gldt-", "glrt-", "glptt-"), rf"{_WORD}(gl(?:pat|dt|rt|ptt)-[A-Za-z0-9_-]{{20,255}})"),
    Rule("slack_token", ("xox", "xapp-"), rf"{_WORD}((?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{{10,255}})"),
    Rule("slack_webhook", ("hooks.slack.com",), r"hooks\.slack\.com/services/([A-Za-z0-9/]{20,100})"),
    Rule(
        "ai_key",
        ("sk-", "gsk_", "xai-", "hf_", "r8_"),
        rf"{_WORD}(sk-(?:ant-|proj-|or-|svcacct-|admin-)[A-Za-z0-9_-]{{16,255}}|sk-[A-Za-z0-9]{{20,255}}"
        rf"|gsk_[A-Za-z0-9]{{20,255}}|xai-[A-Za-z0-9]{{20,255}}|hf_[A-Za-z]{{30,100}}|r8_[A-Za-z0-9]{{30,100}})",
    ),
    Rule("google_key", ("aiza", "ya29."), rf"{_WORD}(AIza[A-Za-z0-9_-]{{35}}|ya29\.[A-Za-z0-9_-]{{20,255}})"),
    Rule("stripe_key", ("sk_", "rk_", "pk_live", "whsec_"), rf"{_WORD}((?:[sr]k_(?:live|test)|pk_live)_[A-Za-z0-9]{{16,255}}|whsec_[A-Za-z0-9+/=]{{20,100}})"),
    Rule("sendgrid_key", ("sg.",), rf"{_WORD}(SG\.[A-Za-z0-9_-]{{16,64}}\.[A-Za-z0-9_-]{{16,64}})"),
    Rule("twilio_key", ("sk",), rf"{_WORD}(SK[0-9a-f]{{32}}){_END}"),
    Rule("npm_token", ("npm_",), rf"{_WORD}(npm_[A-Za-z0-9]{{36}}){_END}"),
    Rule("pypi_token", ("pypi-",), rf"{_WORD}(pypi-[A-Za-z0-9_-]{{50,255}})"),
    Rule(
        "provider_token",
        ("dop_v1_", "doo_v1_", "shpat_", "shpss_", "shpca_", "sq0", "lin_api_", "ntn_", "dckr_pat_", "hvs.", "tskey-", "atatt"),
        rf"{_WORD}((?:do[op]_v1_|shp(?:at|ss|ca)_)[0-9a-f]{{32,64}}|sq0[a-z]{{3}}-[A-Za-z0-9_-]{{22,50}}"
        rf"|lin_api_[A-Za-z0-9]{{30,64}}|ntn_[A-Za-z0-9]{{30,64}}|dckr_pat_[A-Za-z0-9_-]{{20,64}}|hvs\.[A-Za-z0-9_-]{{20,200}}"
        rf"|tskey-[a-z]+-[A-Za-z0-9-]{{10,100}}|ATATT[A-Za-z0-9_=-]{{30,255}})",
    ),
    Rule("mailgun_key", ("key-",), rf"{_WORD}(key-[0-9a-f]{{32}}){_END}"),
    Rule("age_key", ("age-secret-key",), rf"{_WORD}(AGE-SECRET-KEY-1[A-Z0-9]{{50,64}})"),
    Rule("bearer", ("bearer",), r"(?i:bearer)\s+([A-Za-z0-9._~+/-]{16,2000}=*)", checked=True),
    Rule("basic_auth", ("basic ",), r"(?i:authorization)[\"']?\s*[:=]\s*[\"']?(?i:basic)\s+([A-Za-z0-9+/]{8,500}=*)"),
    Rule(
        "secret_value",
        (
            "secret", "token", "passw", "passphrase", "pwd", "key", "credential", "auth",
            "비밀번호", "암호", "토큰", "パスワード", "密码", "密碼",
        ),
        rf"(?:(?<![A-Za-z0-9])(?i:{_KEYWORD})[\"'`]?\s{{0,4}}(?:=>|:=|[:=]|은|는)\s{{0,4}}[\"'`]?)([^\s\"'`,;<>(){{}}\[\]]{{6,500}})",
        checked=True,
    ),
    Rule(
        "secret_value",
        ("passw", "passphrase", "pwd"),
        r"(?<![A-Za-z0-9])(?i:[A-Za-z0-9_.-]{0,40}(?:password|passwd|passphrase|pwd))[\"']?\s{0,4}(?::=|[:=])\s{0,4}(?:\"([^\"\s]{4,200})\"|'([^'\s]{4,200})')",
    ),
    Rule(
        "home_path",
        ("/home/", "/users/", "users\\"),
        r"(?<![A-Za-z0-9_.])(?:/(?:home|Users)/|(?<![A-Za-z])[A-Za-z]:[\\/]{1,2}Users[\\/]{1,2})([^/\\\s:\"'<>|]{1,64})",
    ),
)  # fmt: skip


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, made once it is first wanted."""
    return re.compile(pattern, re.DOTALL)
