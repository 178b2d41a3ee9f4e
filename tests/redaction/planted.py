"""Two hundred secrets made from a seed, each in a sentence as logs and agents write them. None is anybody's."""

from __future__ import annotations

import base64
import json
import random
import string

UPPER_32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
ALNUM = string.ascii_letters + string.digits
URL_SAFE = ALNUM + "_-"
HEX = "0123456789abcdef"


def planted(count: int = 200, seed: int = 7) -> list[tuple[str, str]]:
    """Pairs of the secret itself and the text that holds it."""
    chance = random.Random(seed)
    makers = [_provider, _pem, _jwt, _address, _keyword, _header, _wrapped]
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


def _provider(chance: random.Random) -> tuple[str, str]:
    shapes = [
        f"AKIA{_some(chance, UPPER_32, 16)}",
        f"ghp_{_some(chance, ALNUM, 36)}",
        f"github_pat_{_some(chance, ALNUM, 22)}_{_some(chance, ALNUM, 59)}",
        f"glpat-{_some(chance, URL_SAFE, 20)}",
        f"xoxb-{_some(chance, string.digits, 12)}-{_some(chance, ALNUM, 24)}",
        f"sk-ant-api03-{_some(chance, URL_SAFE, 93)}",
        f"sk-proj-{_some(chance, URL_SAFE, 60)}",
        f"AIza{_some(chance, URL_SAFE, 35)}",
        f"sk_live_{_some(chance, ALNUM, 24)}",
        f"SG.{_some(chance, URL_SAFE, 22)}.{_some(chance, URL_SAFE, 43)}",
        f"npm_{_some(chance, ALNUM, 36)}",
        f"pypi-AgEIcHlwaS5vcmc{_some(chance, URL_SAFE, 60)}",
        f"hf_{_some(chance, string.ascii_letters, 34)}",
        f"dop_v1_{_some(chance, HEX, 64)}",
    ]
    secret = chance.choice(shapes)
    return secret, chance.choice(
        ["the run printed {} and failed", "키 {} 로 호출했다", '{{"auth": "{}"}}']
    ).format(secret)


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
