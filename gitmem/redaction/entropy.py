"""Whether a value looks like a secret rather than like a word, a name, a commit id or a placeholder. Pure."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter

_PLACEHOLDER = re.compile(
    r"(?i)^(?:x+|[\W_]+|pass|passw(?:or)?d|passphrase|pwd|pw|secret|token|key|api[_-]?key|login|user(?:name)?|sha-?\d+|md5|base64|utf-?8|aes-?\d+|[hr]s256|ed25519|argon2(?:id|[id])?|pbkdf2|s?bcrypt|scrypt|x509|#[0-9a-f]{3,8}|none|null|nil|undefined|true|false|required|optional|missing|invalid|expired|empty"
    r"|string|str|text|bytes|number|changeme|redacted.*|.*example.*|.*placeholder.*|your[_-].*|my[_-]?(?:secret|token|password|key)"
    r"|\$\w+|\$\{.*|\{\{.*|%\w+%?|<.*|\[masked:.*|os\.environ.*|process\.env.*|env\..*|getenv.*|.*\(.*)$"
)
_NAME = re.compile(r"^[A-Za-z]+(?:[_./:-][A-Za-z]+)*[.:!?]?$")
_CAMEL = re.compile(r"^(?:[a-z]+|[A-Z][a-z]+)(?:[A-Z][a-z]+)+\d?$")
_IDS = re.compile(
    r"^(?:[0-9a-f]{7,64}|\d+(?:[._:-]\d+)*|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|v?\d+(?:\.\d+)+\S*)$"
)
_ALGORITHM = re.compile(r"(?i)(?:sha|md|aes|rsa|ed|utf|base|argon|blake|x)-?\d")
_CLASSES = (str.islower, str.isupper, str.isdigit)


def looks_random(value: str) -> bool:
    """Whether a value after a telling word or ``Bearer`` is taken for a secret."""
    if len(value) < 6 or _PLACEHOLDER.match(value) or _CAMEL.match(value) or value.isdigit():
        return False
    if not value.isascii():
        return False
    if _NAME.match(value):
        # Letters alone are a word, unless they are many and mixed as no word is.
        return len(value) >= 20 and value.isalpha() and _is_mixed_letters(value)
    if _looks_like_code(value):
        return False
    classes = sum(any(map(test, value)) for test in _CLASSES)
    classes += any(not character.isalnum() for character in value)
    return (classes >= 2 and bits(value) >= 2.5) or len(value) >= 24


def is_placeholder(value: str) -> bool:
    """Whether a value says that something stands there in truth: ``changeme``, ``$PASSWORD``, ``<token>``, a mark."""
    return _PLACEHOLDER.match(value) is not None


def is_mixed(value: str) -> bool:
    """Whether letters both small and capital stand beside digits."""
    return all(any(map(test, value)) for test in _CLASSES)


def is_strong(value: str) -> bool:
    """Whether a word in prose is a password: three classes of characters, no name and no identifier."""
    classes = sum(any(map(test, value)) for test in _CLASSES)
    classes += any(character in "!@#$%^&*+?~" for character in value.rstrip("!?."))
    return classes >= 3 and looks_random(value) and not is_identifier(value)


def is_said(value: str) -> bool:
    """Whether a word after "the password is" is one: letters and digits in turns, as no word and no algorithm has them."""
    turns = sum(one.isdigit() != other.isdigit() for one, other in itertools.pairwise(value))
    digits = sum(map(str.isdigit, value))
    return (
        value.isascii()
        and len(value) >= 8
        and digits >= 3
        and turns >= 2
        and bits(value) >= 2.5
        and not is_placeholder(value)
        and not _ALGORITHM.match(value)
        and not _looks_like_code(value)
    )


def is_identifier(value: str) -> bool:
    """Whether a value is a commit id, number, version or UUID: masked only behind a word that leaves no doubt."""
    return _IDS.match(value) is not None


def bits(value: str) -> float:
    """Shannon entropy in bits a character."""
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)


def _is_mixed_letters(value: str) -> bool:
    changes = sum(one.islower() != other.islower() for one, other in itertools.pairwise(value))
    return changes >= len(value) / 4 and bits(value) >= 3.5


def _looks_like_code(value: str) -> bool:
    """A dotted or snake-cased name, a path, a file with its line: ``config.auth_token2``, ``src/token.py:12``."""
    parts = re.split(r"[_./:#@\\-]+", value.strip("./:"))
    if len(parts) < 2:
        return re.fullmatch(r"[A-Za-z]+\d{0,2}", value) is not None
    words = [re.fullmatch(r"[A-Za-z]*\d{0,4}", part) is not None for part in parts]
    return all(words) and not all(part.isdigit() for part in parts)
