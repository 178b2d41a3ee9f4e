"""What counts as a secret: one pattern for each kind, each with a cheap word that must stand in the text first.

A rule's first group that took part, where it has one, is what gets masked; the rest stays readable. The tokens of
providers are a table of their own, `gitmem.redaction.providers`.
"""

from __future__ import annotations

import re
from functools import cache

from gitmem.redaction.providers import PROVIDERS
from gitmem.redaction.rule import COOKIE, RANDOM, SAID, STRICT, VALUE, Rule

# What follows one of these words and a sign is looked at; whatever the word begins with needs no look.
_TELLING = (
    r"(?:secret|token|passw(?:or)?d|passphrase|passwort|pwd|api[_-]?key|access[_-]?key|private[_-]?key|encryption[_-]?key"
    r"|signing[_-]?key|account[_-]?key|auth[_-]?key|credentials?|authorization|_KEY\b|sess(?:ion)?_?id\b|connect\.sid"
    r"|비밀번호|암호|토큰|パスワード|トークン|密码|密碼|口令|令牌)"
)
_LOGIN = r"(?:passw(?:or)?d|passphrase|passwort|pwd|비밀번호|암호|パスワード|密码|密碼|口令)"
_SIGN = (
    # with its type: `token: str = "…"`, `const KEY: &'static str = "…"`, `var key string = "…"`
    r"(?::\s?&?(?:'static\s)?[A-Za-z]{1,12}(?:\[[A-Za-z]{1,12}\])?(?:\s\|\sNone)?\s?=|\s[Ss]tring\s?=|=>|:=|[=:：＝]|은|는|は|是|为|為)"
)
_VALUE = r"((?:[^\s\"'`,;<>(){}\[\]\\]|\\(?![nrtu\"])){6,500})"
_BLOCK = r"(?:[|>][+-]?\s{1,40})?"  # YAML's text over several lines
_TELLING_TRIGGERS = (
    "secret", "token", "passw", "passphrase", "pwd", "key", "credential", "auth", "sessionid", "session_id", "sessid",
    "connect.sid", "비밀번호", "암호", "토큰", "パスワード", "トークン", "密码", "密碼", "口令", "令牌",
)  # fmt: skip
_LOGIN_TRIGGERS = ("passw", "passphrase", "pwd", "비밀번호", "암호", "パスワード", "密码", "密碼", "口令")

RULES: tuple[Rule, ...] = (
    Rule(
        "pem",
        ("private key",),
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\Z)",
    ),
    Rule("jwt", ("eyj",), r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"),
    Rule("url_password", ("://",), r"://[^\s/:@\"'<>]{0,200}:([^\s/@\"'<>]{1,300})@", VALUE),
    Rule("url_token", ("://",), r"https?://([A-Za-z0-9_-]{16,300})@"),
    Rule("url_signature", ("sig=", "signature="), r"(?i:[?&;](?:sig|signature|x-amz-signature|x-goog-signature))=([A-Za-z0-9%+/_=-]{20,400})"),
    Rule("slack_webhook", ("hooks.slack.com",), r"hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/]{20,100})"),
    Rule("discord_webhook", ("/api/webhooks/",), r"/api/webhooks/\d{10,25}/([A-Za-z0-9_-]{50,100})"),
    *PROVIDERS,
    Rule("bearer", ("bearer",), r"(?i:bearer)\s+([A-Za-z0-9._~+/-]{16,2000}=*)", RANDOM),
    Rule("basic_auth", ("basic ",), r"(?i:authorization)[\"']?\s*[:=]\s*[\"']?(?i:basic)\s+([A-Za-z0-9+/]{8,500}=*)"),
    Rule("cookie", ("cookie",), r"(?i:cookie)[\"']?\s{0,4}[:=]\s{0,4}[\"']?([\w.$%-]{1,60}=[^\s;\"']{1,4000}(?:;\s?[\w.$%-]{1,60}=[^\s;\"']{0,4000}){0,60})", COOKIE),
    Rule("password", ("curl",), r"\bcurl\b[^\n|;&]{0,400}?\s(?:-u|--(?:proxy-)?user)[\s=]?[\"']?[^\s:\"']{1,100}:([^\s\"']{4,200})", VALUE),
    Rule("password", ("sshpass",), r"\bsshpass\s+-p\s?(?:\"([^\"\n]{4,200})\"|'([^'\n]{4,200})'|([^\s\"']{4,200}))", VALUE),
    Rule("password", ("mysql", "mariadb"), r"\b(?:mysql|mariadb)[a-z-]{0,10}\b[^\n|;]{0,200}?\s-p[\"']?([^\s\"']{6,200})", RANDOM),
    Rule("password", ("passw",), r"\b(?:login|user)\s+[^\s/]{1,100}\s+password\s+([^\s\"']{4,200})(?![^\s\"'])(?!\s{0,9}[=:(])", VALUE),
    Rule("password", _LOGIN_TRIGGERS, rf"(?i:<[\w:.-]{{0,40}}{_LOGIN})[^<>]{{0,100}}>(?:<!\[CDATA\[)?([^<>\s\]]{{4,200}})(?:\]\]>)?</", VALUE),
    Rule("secret_value", _TELLING_TRIGGERS, rf"(?i:<[\w:.-]{{0,40}}{_TELLING})[^<>]{{0,100}}>(?:<!\[CDATA\[)?([^<>\s\]]{{6,500}})(?:\]\]>)?</", RANDOM),
    # Two fields that belong together: {"name": "DB_PASSWORD", "value": "…"}, <add key="ApiKey" value="…"/>.
    Rule("secret_value", _TELLING_TRIGGERS, rf"(?i:\b(?:name|key)[\"']?\s{{0,4}}[:=]\s{{0,4}}[\"']?[\w.-]{{0,60}}{_TELLING}[\w.-]{{0,20}}[\"']?[\s,]{{1,40}}[\"']?value[\"']?\s{{0,4}}[:=]\s{{0,4}}[\"']?){_VALUE}", RANDOM),
    Rule("secret_value", _TELLING_TRIGGERS, rf"(?<![\w-])--?(?:[A-Za-z][\w-]{{0,40}}[-_])?(?i:{_TELLING})\s{{1,4}}[\"']?(?!-){_VALUE}", RANDOM),
    Rule("secret_value", _TELLING_TRIGGERS, rf"(?i:\b(?:ENV|ARG|setx?|setenv)\s{{1,4}}(?:-\w+\s)?[A-Za-z0-9_]{{0,60}}{_TELLING}[A-Za-z0-9_]{{0,20}}\s{{1,4}}[\"']?){_VALUE}", RANDOM),
    Rule("secret_value", ("passw", "secret", "key", "passphrase"), r"(?i:password|passwd|passphrase|secret|api_?key|access_?key)\(\s{0,4}(?:\"([^\"\s]{6,200})\"|'([^'\s]{6,200})')", RANDOM),
    Rule("secret_value", _TELLING_TRIGGERS, rf"(?i:{_TELLING}[A-Za-z0-9_.-]{{0,20}}[\"'`]?\]?\s{{0,4}}{_SIGN}\s{{0,4}}{_BLOCK}(?:[rbf]?[\"'`])?){_VALUE}", RANDOM),
    Rule("secret_value", _LOGIN_TRIGGERS, rf"(?i:{_LOGIN})[\"']?\s{{0,4}}{_SIGN}\s{{0,4}}(?:\"([^\"\s]{{4,200}})\"|'([^'\s]{{4,200}})')", VALUE),
    Rule("secret_value", _LOGIN_TRIGGERS, rf"(?i:{_LOGIN}\s(?:is|was|for\s\S{{1,60}}\s(?:is|was))\s[\"'`]?)([^\s\"'`,;<>(){{}}]{{8,200}})", STRICT),
    # In prose: "the password of staging is …", "my secret key was …".
    Rule("secret_value", _TELLING_TRIGGERS, r"(?i:\b(?:secret(?:\s(?:key|token))?|(?:api|access|private|auth|deploy)[\s_-](?:key|token)|token|passw(?:or)?d|passphrase|pwd|credential)s?(?:\s(?:of|for|to|on)\s(?:the\s)?\S{1,60}){0,2}\s(?:is|was)\s[\"'`]?)([^\s\"'`,;<>(){}]{8,200})", SAID),
    Rule(
        "home_path",
        ("/home/", "/users/", "users\\"),
        r"(?<![A-Za-z0-9_.])((?:/(?:home|Users)/|(?<![A-Za-z])[A-Za-z]:[\\/]{1,2}Users[\\/]{1,2})(?!~)[^/\\\s:\"'<>|]{1,64})",
    ),
)  # fmt: skip
"""In the order in which they are tried: what is sure before what is guessed."""


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, made once it is first wanted."""
    return re.compile(pattern, re.DOTALL)
