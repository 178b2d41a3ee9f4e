"""Masking secrets and personal paths in texts and in JSON values, before anything is written. Pure."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gitmem.redaction.entropy import is_identifier, looks_random
from gitmem.redaction.escapes import readable
from gitmem.redaction.json_documents import mask_documents, may_hide_words
from gitmem.redaction.rules import RULES, Rule, compiled
from gitmem.wire.triggers import may_hold_secret, secret_values

MARK = "[masked:{}]"

_DOUBTFUL_KINDS = frozenset({"bearer", "secret_value"})
_SURE_WORDS = re.compile(r"(?i)passw|secret|api[_-]?key|access[_-]?key|private[_-]?key|_KEY\b")
_PASSWORD_WORDS = re.compile(r"(?i)passw|pwd|passphrase|비밀번호|암호")
_PASSWORD = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[^\s._/(){}$<>:\\-]{6,}")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,}={0,2}(?![A-Za-z0-9+/_=-])")


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without its secrets.

    Args:
        text: The text; each secret replaced by ``[masked:KIND]``.
        kinds: How many of each kind.
    """

    text: str
    kinds: Mapping[str, int] = field(default_factory=dict)

    @property
    def count(self) -> int:
        return sum(self.kinds.values())


class Masker:
    """Masks by rules and by known values.

    Args:
        values: Secrets known by value (environment variables named ``*KEY``, ``*TOKEN``, ``*SECRET``), longest first.
        homes: Home folders, masked whole wherever they lie.
    """

    def __init__(self, *, values: tuple[str, ...] = (), homes: tuple[str, ...] = ()) -> None:
        self._values = values
        self._homes = tuple(home.rstrip("/") for home in homes if len(home.rstrip("/")) > 1)
        self._known = tuple(
            one.encode("utf-8", "surrogatepass") for one in (*values, *self._homes, *_encoded(values))
        )

    def mask(self, text: str) -> Masked:
        """Mask one text."""
        if not self._may_hold(text):
            return Masked(text)
        found = _Finds()
        text = _apply_rules(self._mask_known(text, found), found)
        text = _BASE64.sub(lambda match: self._unwrapped(match, found), text)
        return Masked(text, found.kinds)

    def mask_bytes(self, data: bytes) -> tuple[bytes, Mapping[str, int]]:
        """Mask an artifact; bytes that are not UTF-8 pass as they are, what lies between them is looked at."""
        masked = self._document(data.decode("utf-8", "surrogateescape").replace("\0", "\ue000"))
        if not masked.kinds:
            return data, masked.kinds
        return masked.text.replace("\ue000", "\0").encode("utf-8", "surrogateescape"), masked.kinds

    def _document(self, text: str) -> Masked:
        """Mask a whole file; in JSON each text as what it says, not as it is written."""
        if not self._may_hold(text) and not may_hide_words(text):
            return Masked(text)
        found = _Finds()

        def lines(block: str) -> str:
            masked = self.mask(block)
            found.add(masked.kinds)
            return masked.text

        cleaned = mask_documents(text, lambda said, name: self._text(said, found, name), lines)
        return self.mask(text) if cleaned is None else Masked(cleaned, found.kinds)

    def mask_value(self, value: Any) -> tuple[Any, Mapping[str, int]]:
        """Mask every text of a JSON value, keys too; a text under a telling key is looked at together with it."""
        # Most values hold nothing, and one look at all texts together says so.
        if not self._may_hold("\n".join(_texts(value))):
            return _plain(value), {}
        found = _Finds()
        return self._value(value, found, ""), found.kinds

    def _may_hold(self, text: str) -> bool:
        return (
            may_hold_secret(text.encode("utf-8", "surrogatepass"), self._known)
            or _BASE64.search(text) is not None
        )

    def _value(self, value: Any, found: _Finds, name: str) -> Any:
        if isinstance(value, str):
            return self._text(value, found, name)
        if isinstance(value, Mapping):
            return {
                self._text(str(key), found, ""): self._value(item, found, str(key))
                for key, item in value.items()
            }
        if isinstance(value, (list, tuple)):
            return [self._value(item, found, name) for item in value]
        return value

    def _text(self, text: str, found: _Finds, name: str) -> str:
        masked = self.mask(text)
        found.add(masked.kinds)
        if masked.kinds or not name:
            return masked.text
        # {"password": "…"} says it by its key.
        prefix = f"{name}="
        named = self.mask(prefix + text) if " " not in text and "\n" not in text else masked
        if named.kinds and named.text.startswith(prefix):
            found.add(named.kinds)
            return named.text[len(prefix) :]
        return masked.text

    def _mask_known(self, text: str, found: _Finds) -> str:
        for value in (*self._values, *_encoded(self._values)):
            if value in text:
                found.add({"environment": text.count(value)})
                text = text.replace(value, MARK.format("environment"))
        for home in self._homes:
            pattern = re.compile(re.escape(home) + r"(?![A-Za-z0-9_.-])")
            text, count = pattern.subn("~", text)
            if count:
                found.add({"home_path": count})
        return text

    def _unwrapped(self, match: re.Match[str], found: _Finds) -> str:
        """Base-64 that holds a secret is masked whole."""
        wrapped = match[0].rstrip("=").replace("-", "+").replace("_", "/")
        try:
            inner = base64.b64decode(wrapped + "=" * (-len(wrapped) % 4)).decode("ascii")
        except (binascii.Error, UnicodeDecodeError, ValueError):
            return match[0]
        if not inner.isprintable() and "\n" not in inner:
            return match[0]
        plain = _Finds()
        cleaned = self._mask_known(inner, plain)
        for rule in RULES:
            if rule.kind != "home_path" and any(trigger in cleaned.lower() for trigger in rule.triggers):
                cleaned = _apply(rule, cleaned, plain)
        if not plain.kinds:
            return match[0]
        kind = next(iter(plain.kinds))
        found.add({kind: 1})
        return MARK.format(kind)


def masker_of(environment: Mapping[str, str]) -> Masker:
    """A masker that knows the secret variables and the home folder of an environment."""
    home = environment.get("HOME", "")
    return Masker(values=secret_values(dict(environment)), homes=(home,) if home else ())


class _Finds:
    """Counts while masking."""

    def __init__(self) -> None:
        self.kinds: dict[str, int] = {}

    def add(self, kinds: Mapping[str, int]) -> None:
        for kind, count in kinds.items():
            self.kinds[kind] = self.kinds.get(kind, 0) + count


def _texts(value: Any) -> Iterator[str]:
    """Every text of a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def _apply_rules(text: str, found: _Finds) -> str:
    """Every rule over a text: what spans lines first, then what its escapes bound, then all as it stands."""
    escaped = readable(text)
    if escaped is not None:
        for rule in RULES:
            if rule.kind == "pem":
                text = _apply(rule, text, found)
        escaped = readable(text)
    if escaped is not None:
        text = escaped.restored(_apply_all(escaped.text, found))
    return _apply_all(text, found)


def _apply_all(text: str, found: _Finds) -> str:
    folded = text.lower()
    for rule in RULES:
        if any(trigger in folded for trigger in rule.triggers):
            text = _apply(rule, text, found)
    return text


def _apply(rule: Rule, text: str, found: _Finds) -> str:
    def replaced(match: re.Match[str]) -> str:
        group = next((number for number in range(1, len(match.groups()) + 1) if match[number] is not None), 0)
        secret = match[group]
        if secret.startswith("[masked:") or (rule.checked and not _is_secret(rule, match, group)):
            return match[0]
        found.add({rule.kind: 1})
        start, end = match.start(group) - match.start(), match.end(group) - match.start()
        # What a home folder's owner is called goes, and that it was a home folder stays.
        mark = "~" if rule.kind == "home_path" else MARK.format(rule.kind)
        return f"{match[0][:start]}{mark}{match[0][end:]}"

    return compiled(rule.pattern).sub(replaced, text)


def _is_secret(rule: Rule, match: re.Match[str], group: int) -> bool:
    value = match[group].rstrip(".")
    before = match[0][: match.start(group) - match.start()]
    if rule.kind in _DOUBTFUL_KINDS and is_identifier(value):
        return _SURE_WORDS.search(before) is not None and not value.isdigit() and len(value) >= 16
    if _PASSWORD_WORDS.search(before) and _PASSWORD.fullmatch(value):
        return True
    return looks_random(value)


def _encoded(values: tuple[str, ...]) -> tuple[str, ...]:
    """Known values in base-64, as they stand at the start of an encoded text."""
    made = (base64.b64encode(value.encode("utf-8", "surrogatepass")).decode("ascii") for value in values)
    return tuple(text.rstrip("=")[: len(text) // 4 * 4 - 4] or text for text in made)
