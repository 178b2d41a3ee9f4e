"""Two hundred secrets made from a seed, each in a sentence as logs and agents write them. None is anybody's."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable

UPPER_32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
ALNUM = string.ascii_letters + string.digits
URL_SAFE = ALNUM + "_-"
HEX = "0123456789abcdef"


def planted(count: int = 200, seed: int = 7) -> list[tuple[str, str]]:
    """Pairs of the secret itself and the text that holds it."""
    chance = random.Random(seed)
    makers = [_provider, _pem, _jwt, _address, _keyword, _header, _wrapped, _command, _disguised]
    return [makers[number % len(makers)](chance) for number in range(count)]


def _some(chance: random.Random, letters: str, length: int) -> str:
    return "".join(chance.choice(letters) for _ in range(length))


def _password(chance: random.Random) -> str:
    parts = [
        _some(chance, ALNUM, 9),
        chance.choice("!#%+@"),
        chance.choice(string.digits),
        chance.choice("abc"),
    ]
    return "".join(parts)


def tokens(seed: int = 7) -> list[str]:
    """One token of each provider, of the shape that it describes."""
    chance = random.Random(seed)
    return [shape(chance) for shape in _SHAPES]


def _shape(*parts: str | tuple[str, int]) -> Callable[[random.Random], str]:
    """Literal parts, and letters with how many of them."""
    return lambda chance: "".join(part if isinstance(part, str) else _some(chance, *part) for part in parts)


UPPER = string.ascii_uppercase + string.digits
LOWER = string.ascii_lowercase + string.digits
DIGITS = string.digits

_SHAPES = [
    _shape("AKIA", (UPPER_32, 16)),
    _shape("ASIA", (UPPER_32, 16)),
    _shape("ghp_", (ALNUM, 36)),
    _shape("gho_", (ALNUM, 36)),
    _shape("ghs_", (ALNUM, 36)),
    _shape("github_pat_", (ALNUM, 22), "_", (ALNUM, 59)),
    _shape("glpat-", (URL_SAFE, 20)),
    _shape("glsoat-", (URL_SAFE, 20)),
    _shape("ATBB", (ALNUM, 32)),
    _shape("ATATT3xFfGF0", (URL_SAFE, 180)),
    _shape("sgp_", (HEX, 40)),
    _shape("xoxb-", (DIGITS, 12), "-", (ALNUM, 24)),
    _shape("xapp-1-", (UPPER, 11), "-", (DIGITS, 13), "-", (HEX, 64)),
    _shape("sk-ant-api03-", (URL_SAFE, 93), "AA"),
    _shape("sk-proj-", (URL_SAFE, 60)),
    _shape("sk-", (ALNUM, 20), "T3BlbkFJ", (ALNUM, 20)),
    _shape("gsk_", (ALNUM, 52)),
    _shape("hf_", (ALNUM, 34)),
    _shape("hf_", (string.ascii_letters, 34)),
    _shape("r8_", (ALNUM, 37)),
    _shape("nvapi-", (URL_SAFE, 64)),
    _shape("pplx-", (ALNUM, 48)),
    _shape("lsv2_pt_", (HEX, 32), "_", (HEX, 10)),
    _shape("AIza", (URL_SAFE, 35)),
    _shape("GOCSPX-", (URL_SAFE, 28)),
    _shape("ya29.", (URL_SAFE, 80)),
    _shape("1//0", (URL_SAFE, 60)),
    _shape((URL_SAFE, 22), ":APA91b", (URL_SAFE, 134)),
    _shape("LTAI", (ALNUM, 20)),
    _shape("AKID", (ALNUM, 32)),
    _shape("sk_live_", (ALNUM, 24)),
    _shape("rk_live_", (ALNUM, 24)),
    _shape("whsec_", (ALNUM, 32)),
    _shape("test_gsk_", (ALNUM, 32)),
    _shape("sq0csp-", (URL_SAFE, 43)),
    _shape("shpat_", (HEX, 32)),
    _shape("SG.", (URL_SAFE, 22), ".", (URL_SAFE, 43)),
    _shape("SK", (HEX, 32)),
    _shape("key-", (HEX, 32)),
    _shape((HEX, 32), "-us12"),
    _shape("xkeysib-", (HEX, 64), "-", (ALNUM, 16)),
    _shape("pat-na1-", (HEX, 8), "-", (HEX, 4), "-", (HEX, 4), "-", (HEX, 4), "-", (HEX, 12)),
    _shape((DIGITS, 9), ":AA", (URL_SAFE, 33)),
    _shape("MTA4", (ALNUM, 20), ".", (ALNUM, 6), ".", (URL_SAFE, 26), "x"),
    _shape("npm_", (ALNUM, 36)),
    _shape("pypi-AgEIcHlwaS5vcmc", (URL_SAFE, 60)),
    _shape("rubygems_", (HEX, 48)),
    _shape("dckr_pat_", (URL_SAFE, 27)),
    _shape("AKCp", (ALNUM, 69)),
    _shape("oy2", (LOWER, 43)),
    _shape("CCIPAT_", (ALNUM, 22), "_", (HEX, 40)),
    _shape("bkua_", (HEX, 40)),
    _shape("dop_v1_", (HEX, 64)),
    _shape("HRKU-AA", (URL_SAFE, 58)),
    _shape("fo1_", (URL_SAFE, 43)),
    _shape("nfp_", (ALNUM, 36)),
    _shape("sbp_", (HEX, 40)),
    _shape("sb_secret_", (URL_SAFE, 31)),
    _shape("pscale_tkn_", (URL_SAFE, 43)),
    _shape("dapi", (HEX, 32)),
    _shape((ALNUM, 14), ".atlasv1.", (URL_SAFE, 67)),
    _shape("pul-", (HEX, 40)),
    _shape("hvs.", (URL_SAFE, 90)),
    _shape("dp.pt.", (ALNUM, 43)),
    _shape("tskey-auth-", (ALNUM, 12), "-", (ALNUM, 30)),
    _shape("AGE-SECRET-KEY-1", ("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    _shape("glsa_", (ALNUM, 32), "_", (HEX, 8)),
    _shape("NRAK-", (UPPER, 27)),
    _shape("sntrys_eyJpYXQiOjE3", (ALNUM, 60)),
    _shape("sntryu_", (HEX, 64)),
    _shape("dt0c01.", (UPPER, 24), ".", (UPPER, 64)),
    _shape("phx_", (ALNUM, 43)),
    _shape("lin_api_", (ALNUM, 40)),
    _shape("ntn_", (ALNUM, 46)),
    _shape("pat", (ALNUM, 14), ".", (HEX, 64)),
    _shape("figd_", (URL_SAFE, 40)),
    _shape("PMAK-", (HEX, 24), "-", (HEX, 34)),
    _shape("CFPAT-", (URL_SAFE, 43)),
    _shape("sk.eyJ1Ijoi", (URL_SAFE, 60), ".", (URL_SAFE, 22)),
]


def _provider(chance: random.Random) -> tuple[str, str]:
    secret = chance.choice(_SHAPES)(chance)
    return secret, chance.choice(
        ["the run printed {} and failed", "키 {} 로 호출했다", '{{"auth": "{}"}}']
    ).format(secret)


def _command(chance: random.Random) -> tuple[str, str]:
    secret = _password(chance)
    shapes = [
        "curl -u admin:{} https://example.org",
        "curl -s --user 'ci:{}' https://example.org",
        "sshpass -p '{}' ssh host",
        "mysql -h db -u root -p{} app",
        "deploy --token {} now",
        "<password>{}</password>",
        '<add key="DbPassword" value="{}"/>',
        "FROM x\nENV APP_SECRET {}\nRUN y",
        "machine example.org login ci password {}",
        '{{"name": "DB_PASSWORD", "value": "{}"}}',
        'let token: String = "{}";',
        'builder.withPassword("{}")',
        "the password is {}",
        "パスワード：{}",
        "密码是{}",
        'config["api_key"] = "{}"',
    ]
    return secret, chance.choice(shapes).format(secret)


def _disguised(chance: random.Random) -> tuple[str, str]:
    """A secret as a reader sees it, with something between it and a pattern; what is told is its last half."""
    token = f"ghp_{_some(chance, ALNUM, 36)}"
    value = _some(chance, ALNUM, 24) + "7aZ"
    head, tail = token[:20], token[20:]
    shapes = [
        (tail, f"\x1b[31m{token}\x1b[0m"),
        (tail, f"gh\x1b[1mp_{token[4:]}"),
        (tail, f"{token[:8]}\u200b{token[8:20]}\u2060{tail}"),
        (tail, f"next?token%3D{token}"),
        (tail, f"{head}\n{tail}"),
        (tail, f"{head}\n    {tail}\nnext"),
        (tail, f'"{head}" + "{tail}"'),
        (tail, f"'{head}'\n    '{tail}'"),
        (tail, f"{head}\\\n{tail}"),
        (value, f'password = \\\n  "{value}"'),
        (value, json.dumps(json.dumps({"client_secret": value}))),
        (value, json.dumps({"비밀번호": value})),
        (value, f"sh -c 'echo client_secret: '\"'\"'{value}'\"'\"''"),
        (value, f"&quot;password&quot;: &quot;{value}&quot;"),
        (value, f"Cookie: theme=dark; sessionid={value}; lang=ko"),
        (value, f"https://x.blob.example/c?sv=2020&sig={value}"),
    ]
    return chance.choice(shapes)


def _pem(chance: random.Random) -> tuple[str, str]:
    body = "\n".join(_some(chance, ALNUM + "+/", 64) for _ in range(4))
    kind = chance.choice(["RSA ", "EC ", "OPENSSH ", ""])
    return body, f"before\n-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----\nafter"


def _jwt(chance: random.Random) -> tuple[str, str]:
    head = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').rstrip(b"=").decode()
    claims = (
        base64.urlsafe_b64encode(json.dumps({"sub": _some(chance, ALNUM, 9)}).encode()).rstrip(b"=").decode()
    )
    secret = f"{head}.{claims}.{_some(chance, URL_SAFE, 43)}"
    return secret, f"cookie session={secret}; path=/"


def _address(chance: random.Random) -> tuple[str, str]:
    secret = _some(chance, ALNUM, 14)
    scheme = chance.choice(["postgres", "https", "redis", "mongodb+srv", "amqp"])
    return secret, f"connect to {scheme}://service:{secret}@db.example.org:5432/app failed"


def _keyword(chance: random.Random) -> tuple[str, str]:
    secret = _password(chance)
    shapes = [
        "DB_PASSWORD={}",
        'export API_KEY="{}"',
        "client_secret: {}",
        '{{"password": "{}"}}',
        "AWS_SECRET_ACCESS_KEY = '{}'",
        "비밀번호: {}",
        "token => '{}'",
        "--password={} --verbose",
        "STRIPE_KEY={}",
    ]
    return secret, chance.choice(shapes).format(secret)


def _header(chance: random.Random) -> tuple[str, str]:
    secret = _some(chance, ALNUM, 32)
    return secret, chance.choice(
        ["Authorization: Bearer {}", "curl -H 'X-Api-Key: {}' host", "x-auth-token: {}"]
    ).format(secret)


def _wrapped(chance: random.Random) -> tuple[str, str]:
    inner = f"DB_PASSWORD={_password(chance)}"
    secret = base64.b64encode(inner.encode()).decode().rstrip("=")
    return secret, f"secret data: {secret}"
