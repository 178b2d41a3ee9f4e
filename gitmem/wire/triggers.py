"""The cheap question before redaction: could there be a secret in these bytes?

Substring tests alone, no regular expression, nothing imported: a hook asks this about each event, and only a yes
loads the redactor. It says yes too often rather than too seldom: whatever `gitmem.redaction` masks must be triggered
here, which a test holds.
"""

from __future__ import annotations

TRIGGERS = (
    # providers' prefixes
    b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_", b"github_pat_", b"glpat-", b"gldt-", b"glrt-", b"glptt-", b"glsoat-", b"glcbt-",
    b"glimt-", b"glagent-", b"glft-", b"gloas-", b"atbb", b"atctt3", b"atatt", b"sgp_", b"akia", b"asia", b"abia", b"acca",
    b"aiza", b"ya29.", b"gocspx-", b"1//0", b":apa91b", b"ltai", b"akid", b"dop_v1_", b"doo_v1_", b"dor_v1_", b"hrku-", b"fo1_",
    b"fm2_", b"nfp_", b"rnd_", b"sbp_", b"pscale_", b"dapi", b".atlasv1.", b"pul-", b"hvs.", b"hvb.", b"hvr.", b"dp.pt.",
    b"dp.st.", b"dp.ct.", b"dp.sa.", b"dp.scim.", b"dp.audit.", b"tskey-", b"npm_", b"pypi-", b"rubygems_", b"dckr_pat_",
    b"dckr_oat_", b"akcp", b"oy2", b"ccipat_", b"ccipra_", b"bkua_", b"glsa_", b"glc_ey", b"nrak-", b"nrii-", b"nral-",
    b"sntrys_", b"sntryu_", b"dt0c01.", b"phx_", b"sk-", b"gsk_", b"xai-", b"hf_", b"api_org_", b"r8_", b"nvapi-", b"pplx-",
    b"rpa_", b"pcsk_", b"lsv2_", b"tvly-", b"xox", b"xapp-", b"hooks.slack.com", b"/api/webhooks/", b":aa", b"sg.", b"-us1", b"-us2",
    b"-us3", b"-us4", b"-us5", b"-us6", b"-us7", b"-us8", b"-us9", b"xkeysib-", b"xsmtpsib-", b"pat-na", b"pat-eu", b"sk_", b"rk_",
    b"pk_live", b"whsec_", b"sq0", b"eaaa", b"shpat_", b"shpss_", b"shpca_", b"shppa_", b"access-sandbox-",
    b"access-development-", b"access-production-", b"lin_api_", b"lin_oauth_", b"ntn_", b"figd_", b"figu_", b"figo_", b"pmak-",
    b"cfpat-", b"tfp_", b"aio_", b"eyj", b"-----begin",
    # a password in an address
    b"://",
    # words before a value
    b"secret", b"token", b"passw", b"passp", b"pwd", b"key", b"credential", b"bearer", b"basic ", b"auth", b"sig=", b"signature=", b"cookie",
    b"sessionid", b"session_id", b"sessid", b"connect.sid", b"curl", b"sshpass", b"mysql", b"mariadb",
    "비밀번호".encode(), "암호".encode(), "토큰".encode(), "パスワード".encode(), "トークン".encode(), "密码".encode(),
    "密碼".encode(), "口令".encode(), "令牌".encode(),
    # what can stand in the midst of any of these: escapes of addresses, colours, characters without width
    b"%", b"\\u", b"\\x", b"&#", b"\x1b", b"\b", b"\xef\xb8", b"\xf3\xa0",
    *(one.encode() for one in "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062"),
    *(one.encode() for one in "\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"),
    # home folders
    b"/home/", b"/users/", b"users\\",
)  # fmt: skip


# Base-64 of plain characters: what the first, second and third letter of four can be (both alphabets).
_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_CODES = tuple(zip(_ALPHABET + b"+/-_", (*range(62), 62, 63, 62, 63), strict=True))
_FIRST, _SECOND, _THIRD = (bytes(letter for letter, code in _CODES if not code & bit) for bit in (32, 8, 2))
_WINDOW = 24
_NAME_ENDS = (
    "KEY", "TOKEN", "SECRET", "SECRETS", "PASSWORD", "PASSWD", "PASSPHRASE", "_PASS", "_PWD", "_PAT", "CREDENTIAL", "CREDENTIALS",
    "_COOKIE", "_DSN", "CONNECTION_STRING",
)  # fmt: skip
_TO_WORDS = bytes(code if code in _ALPHABET + b"+/-_." else 32 for code in range(256))


def may_hold_secret(text: bytes, values: tuple[bytes, ...] = ()) -> bool:
    """Whether the redactor has to look.

    Args:
        text: UTF-8.
        values: Secrets known by value, from `secret_values`.
    """
    return (
        _is_triggered(text.lower(), TRIGGERS)
        or any(value in text for value in values)
        or b"SK" in text  # folded it would stand in every "task"
        or any(map(_is_telling_word, _long_words(text)))
    )


def which_may_hold_secret(texts: list[bytes]) -> list[bool]:
    """The same of many texts: most triggers stand in none of them, and all together are asked for these once."""
    together = b"\n".join(texts).lower()
    met = tuple(trigger for trigger in TRIGGERS if trigger in together)
    return [
        _is_triggered(text.lower(), met) or b"SK" in text or any(map(_is_telling_word, _long_words(text)))
        for text in texts
    ]


def _is_triggered(folded: bytes, triggers: tuple[bytes, ...]) -> bool:
    for trigger in triggers:  # noqa: SIM110 - thousands of texts are asked, and a generator would take twice as long
        if trigger in folded:
            return True
    return False


def may_be_wrapped(word: bytes) -> bool:
    """Whether base-64 holds a stretch of plain characters: some 24 of its letters decode to bytes below 0x80."""
    return any(
        not word[at : at + _WINDOW : 4].strip(_FIRST)
        and not word[at + 1 : at + _WINDOW : 4].strip(_SECOND)
        and not word[at + 2 : at + _WINDOW : 4].strip(_THIRD)
        for at in range(0, len(word) - _WINDOW + 1, _WINDOW)
    )


def _long_words(text: bytes) -> list[bytes]:
    return [word for word in text.translate(_TO_WORDS).split() if len(word) >= _WINDOW]


def _is_telling_word(word: bytes) -> bool:
    """Whether a word may be a secret by its shape alone: base-64 of plain characters, or a token that dots divide."""
    if b"." in word and is_dotted_token(word.split(b".")):
        return True
    return may_be_wrapped(word) or any(map(may_be_wrapped, word.replace(b".", b"/").split(b"/")))


def is_dotted_token(parts: list[bytes]) -> bool:
    """The shapes of Discord's and Airtable's tokens, which no word stands in."""
    sizes = [len(part) for part in parts]
    discord = any(
        sizes[at - 1] >= 23 and sizes[at] == 6 and sizes[at + 1] >= 27 for at in range(1, len(sizes) - 1)
    )
    return discord or any(size >= 64 for size in sizes[1:])


def is_secret_name(name: str) -> bool:
    """Whether an environment variable's name says that its value is a secret: ``*KEY``, ``*TOKEN``, ``*SECRET`` …"""
    return name.upper().endswith(_NAME_ENDS)


def secret_values(environment: dict[str, str]) -> tuple[str, ...]:
    """Values of the secret variables, longest first; short ones and plain numbers are none."""
    named = [value for name, value in environment.items() if is_secret_name(name)]
    named += [_password_of(value) for value in environment.values() if "://" in value and "@" in value]
    found = {value for value in named if _is_telling(value)}
    return tuple(sorted(found, key=lambda value: (-len(value), value)))


def _password_of(address: str) -> str:
    """The password in an address, as in DATABASE_URL; empty when it holds none."""
    user = address.partition("://")[2].partition("/")[0].rpartition("@")[0]
    return user.partition(":")[2]


def _is_telling(value: str) -> bool:
    # A path, a number or a word such as "production" in such a variable would mask ordinary text.
    if len(value) < 8 or not value.strip() or value.isdigit() or value[0] in "/~.":
        return False
    return len(value) >= 16 or not value.isalpha()
