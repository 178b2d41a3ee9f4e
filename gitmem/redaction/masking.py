"""Masking secrets and personal paths in texts and in JSON values, before anything is written. Pure."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gitmem.redaction.finding import Found, find, find_cut, merged
from gitmem.redaction.json_documents import mask_documents, may_hide_words
from gitmem.redaction.regions import SHORT, broken, condensed
from gitmem.redaction.views import STRETCH, View, apart, seen
from gitmem.wire.triggers import may_be_wrapped, may_hold_secret, secret_values

MARK = "[masked:{}]"

_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/_-])(?:(?:[A-Za-z0-9+/_-]{40,76}\r?\n[ \t]{0,20}){1,2000}[A-Za-z0-9+/_-]{1,76}|[A-Za-z0-9+/_-]{24,})={0,2}(?![A-Za-z0-9+/_=-])"
)
Look = Callable[[str], View | None]
_PART = re.compile(r"[A-Za-z0-9+_=-]{24,}")
_STANDARD = str.maketrans("-_", "+/")
_SPACE = re.compile(r"\s+")
_ORDERS = (b"\xff\xfe", b"\xfe\xff")


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
        self._wrapped_values = _encoded(values)
        folders = [home.rstrip("/") for home in homes if len(home.rstrip("/")) > 1]
        self._homes = tuple(re.compile(re.escape(home) + r"(?![A-Za-z0-9_.-])") for home in folders)
        self._every_value = (*values, *folders, *self._wrapped_values)
        self._known = tuple(one.encode("utf-8", "surrogatepass") for one in self._every_value)

    def mask(self, text: str) -> Masked:
        """Mask one text."""
        if len(text) <= SHORT and not self._may_hold(text):
            return Masked(text)
        found = _Finds()
        text = _replaced(text, merged(self._spans(text)), found)
        return Masked(text, found.kinds)

    def mask_lines(self, lines: Sequence[str]) -> list[str]:
        """Mask lines of one text, each by itself, so that they stay as many; home folders stay too."""
        text = "\n".join(lines)
        spans = [one for one in merged(self._spans(text)) if one.kind != "home_path"]
        masked: list[str] = []
        start = 0
        for line in lines:
            end = start + len(line)
            inside = [
                Found(max(one.start, start) - start, min(one.end, end) - start, one.kind)
                for one in spans
                if one.start < end and one.end > start
            ]
            masked.append(_replaced(line, inside, _Finds()))
            start = end + 1
        return masked

    def mask_name(self, name: str) -> Masked:
        """Mask a file's name; what replaces a secret can stand in one."""
        masked = self.mask(name)
        plain = re.sub(r"\[masked:(\w+)\]", r"masked-\1", masked.text).lstrip("~-") or "masked"
        return Masked(plain, masked.kinds) if masked.kinds else masked

    def mask_bytes(self, data: bytes) -> tuple[bytes, Mapping[str, int]]:
        """Mask an artifact; bytes that are not UTF-8 or UTF-16 pass as they are, what lies between them is looked at."""
        if data[:2] in _ORDERS:
            return self._mask_wide(data)
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

    def _mask_wide(self, data: bytes) -> tuple[bytes, Mapping[str, int]]:
        codec = "utf-16-le" if data[:1] == b"\xff" else "utf-16-be"
        even = len(data) // 2 * 2
        masked = self.mask(data[:even].decode(codec, "surrogatepass"))
        if not masked.kinds:
            return data, masked.kinds
        return masked.text.encode(codec, "surrogatepass") + data[even:], masked.kinds

    def mask_value(self, value: Any) -> tuple[Any, Mapping[str, int]]:
        """Mask every text of a JSON value, keys too; a text under a telling key is looked at together with it."""
        # Most values hold nothing, and one look at all texts together says so.
        if not self._may_hold("\n".join(_texts(value))):
            return _plain(value), {}
        found = _Finds()
        return self._value(value, found, ""), found.kinds

    def _may_hold(self, text: str) -> bool:
        return may_hold_secret(text.encode("utf-8", "surrogatepass"), self._known)

    def _value(self, value: Any, found: _Finds, name: str) -> Any:
        if isinstance(value, str):
            return self._text(value, found, name)
        if isinstance(value, Mapping):
            return self._mapping(value, found)
        if isinstance(value, (list, tuple)):
            return [self._value(item, found, name) for item in value]
        return value

    def _mapping(self, value: Mapping[Any, Any], found: _Finds) -> dict[str, Any]:
        # {"name": "DB_PASSWORD", "value": "…"} says it by another field.
        told = next((value[one] for one in ("name", "key") if isinstance(value.get(one), str)), "")
        masked: dict[str, Any] = {}
        for key, item in value.items():
            name = self._text(str(key), found, "")
            content = self._value(item, found, told if told and key == "value" else str(key))
            masked[_free(name, masked)] = content
        return masked

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

    def _spans(self, text: str) -> Iterator[Found]:
        """What is to be masked, seen in each way that a reader may see it."""
        if len(text) <= SHORT:
            whole = View(text)
            for look in (View, seen, apart):
                yield from self._through(whole, look)
            return
        telling = condensed(text, self._every_value)
        hidden = broken(text)
        yield from self._through(telling)
        yield from self._through(telling, seen)
        for look in (seen, apart):
            yield from self._through(hidden, look, self._condensed)

    def _condensed(self, text: str) -> View:
        return condensed(text, self._every_value)

    def _through(self, first: View, *looks: Look) -> Iterator[Found]:
        """What is found in the last of several views, each of the one before."""
        chain = [first]
        for look in looks:
            view = look(chain[-1].text)
            if view is None:
                return
            chain.append(view)
        text = chain[-1].text
        for start, end, kind in merged(
            [*self._known_in(text), *find(text), *find_cut(text), *self._wrapped(text)]
        ):
            span = start, end
            for view in reversed(chain):
                span = view.span(*span)
            yield Found(*span, kind)

    def _known_in(self, text: str) -> Iterator[Found]:
        for value in (*self._values, *self._wrapped_values):
            place = text.find(value)
            while place >= 0:
                yield Found(place, place + len(value), "environment")
                place = text.find(value, place + len(value))
        for home in self._homes:
            for match in home.finditer(text):
                yield Found(match.start(), match.end(), "home_path")

    def _wrapped(self, text: str) -> Iterator[Found]:
        """Base-64 that holds a secret, which is masked whole."""
        if STRETCH.search(text) is None:
            return
        for start, end in _runs(text):
            inner = _inside(text[start:end])
            if not inner:
                continue
            found = [*self._known_in(inner), *find(inner)]
            kind = next((one.kind for one in found if one.kind != "home_path"), "")
            if kind:
                yield Found(start, end, kind)


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


def _replaced(text: str, spans: list[Found], found: _Finds) -> str:
    parts: list[str] = []
    last = 0
    for start, end, kind in spans:
        found.add({kind: 1})
        # What a home folder's owner is called goes, and that it was a home folder stays.
        parts += (text[last:start], "~" if kind == "home_path" else MARK.format(kind))
        last = end
    return "".join((*parts, text[last:])) if spans else text


def _free(name: str, taken: Mapping[str, Any]) -> str:
    """A key that no other has: two that differ in their secret alone would become one."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    return free


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """What can be base-64, lines together; where it looks like a path, each part of it too."""
    for match in _BASE64.finditer(text):
        yield match.span()
        if "\n" in match[0]:  # what follows may be no part of it
            yield match.start(), match.start() + match[0].rindex("\n")
        if "/" in match[0]:
            yield from (
                (match.start() + one.start(), match.start() + one.end()) for one in _PART.finditer(match[0])
            )


def _inside(wrapped: str) -> str:
    """What base-64 holds when that is text; empty when not."""
    plain = _SPACE.sub("", wrapped).rstrip("=").translate(_STANDARD)
    if not may_be_wrapped(plain.encode("ascii")):
        return ""
    plain = plain[: len(plain) - (len(plain) % 4 == 1)]
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4)).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""


def _encoded(values: tuple[str, ...]) -> tuple[str, ...]:
    """Known values in base-64, as they stand at the start of an encoded text."""
    made = (base64.b64encode(value.encode("utf-8", "surrogatepass")).decode("ascii") for value in values)
    return tuple(text.rstrip("=")[: len(text) // 4 * 4 - 4] or text for text in made)
