"""Where in a text its secrets lie. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gitmem.redaction.entropy import (
    is_identifier,
    is_mixed,
    is_placeholder,
    is_said,
    is_strong,
    looks_random,
)
from gitmem.redaction.providers import PREFIX, PROVIDERS
from gitmem.redaction.rule import COOKIE, MIXED, RANDOM, SAID, STRICT, VALUE, Rule
from gitmem.redaction.rules import RULES, compiled

_DOUBTFUL_KINDS = frozenset({"bearer", "secret_value"})
_SURE_WORDS = re.compile(r"(?i)passw|secret|api[_-]?key|access[_-]?key|private[_-]?key|_KEY\b")
_PASSWORD_WORDS = re.compile(r"(?i)passw|pwd|passphrase|비밀번호|암호|パスワード|密码|密碼|口令")
_PASSWORD = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[^\s._/(){}$<>:\\-]{6,}")
_PARTICLE = re.compile(r"(?<=[!-~]{6})[^\x00-\x7f]+\Z")
_CALLED = re.compile(r"[A-Za-z_][\w.]*")
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BODY_BACKWARDS = re.compile(
    r"(?:\s|[nr]\\){0,20}[A-Za-z0-9+/=]{1,80}(?:(?:\s|[nr]\\){1,20}[A-Za-z0-9+/=]{40,80}){0,200}"
    r"(?:(?:\s|[nr]\\){1,20}(?=[a-z]*[A-Z0-9+/])[A-Za-z0-9+/=]{1,80}\Z)?"
)
_LONGEST_PEM = 16 * 1024
_CUT = re.compile(r"([A-Za-z0-9_.+/=-]{4,300})(?:\r?\n|\\n)[ \t]{0,12}([A-Za-z0-9_+/=-]{4,300})")


class Found(NamedTuple):
    """A secret: from where to where, and of what kind."""

    start: int
    end: int
    kind: str


def find(text: str) -> list[Found]:
    """What the rules find, sorted; what overlaps is one, of the kind that was found first."""
    folded = text.lower()
    found: list[Found] = []
    for rule in RULES:
        if any(trigger in folded for trigger in rule.triggers):
            found += _of(rule, text)
    if "private key" in folded:
        found += _tails(text)
    return merged(found)


def find_cut(text: str) -> Iterator[Found]:
    """Providers' tokens that go on in the next line, as terminals and mails wrap them."""
    for prefix in PREFIX.finditer(text.lower()):
        match = _CUT.match(text, prefix.start())
        if match is not None and _is_cut(match[1], match[2]):
            yield Found(match.start(), match.end(), _kind(match[1] + match[2]))


def merged(found: Iterable[Found]) -> list[Found]:
    """Sorted and disjoint; a home folder in a secret is a part of it."""
    joined: list[Found] = []
    for one in sorted(found, key=lambda each: each.start):
        if joined and one.start < joined[-1].end:
            last = joined[-1]
            kind = one.kind if last.kind == "home_path" else last.kind
            joined[-1] = Found(last.start, max(last.end, one.end), kind)
        else:
            joined.append(one)
    return joined


def _of(rule: Rule, text: str) -> Iterator[Found]:
    for match in compiled(rule.pattern).finditer(text):
        group = match.lastindex or 0
        secret = match[group]
        if not secret.startswith("[masked:") and _is_secret(rule, match, group):
            yield Found(match.start(group), match.end(group), rule.kind)


def _is_secret(rule: Rule, match: re.Match[str], group: int) -> bool:
    # A particle follows without a space in Korean and Japanese.
    value = _PARTICLE.sub("", match[group].rstrip("."))
    if rule.check == RANDOM:
        if match.string.startswith("(", match.end(group)) and _CALLED.fullmatch(value):
            return False
        return _is_random(rule, value, match[0][: match.start(group) - match.start()])
    if rule.check == VALUE:
        return not is_placeholder(value)
    if rule.check == STRICT:
        return is_strong(value)
    if rule.check == SAID:
        return is_said(value)
    if rule.check == COOKIE:
        values = (pair.partition("=")[2] for pair in value.split(";"))
        return any(len(one) >= 16 and looks_random(one) and not is_identifier(one) for one in values)
    return rule.check != MIXED or is_mixed(value)


def _is_random(rule: Rule, value: str, before: str) -> bool:
    if rule.kind in _DOUBTFUL_KINDS and is_identifier(value):
        return _SURE_WORDS.search(before) is not None and not value.isdigit() and len(value) >= 16
    if _PASSWORD_WORDS.search(before) and _PASSWORD.fullmatch(value) and not is_placeholder(value):
        return True
    return looks_random(value)


def _tails(text: str) -> Iterator[Found]:
    """Ends of private keys whose beginning was cut off, as in the tail of a log."""
    for match in _PEM_END.finditer(text):
        before = text[max(0, match.start() - _LONGEST_PEM) : match.start()][::-1]
        body = _BODY_BACKWARDS.match(before)
        if body is not None and body.end() >= 16:
            yield Found(match.start() - len(body[0].rstrip()), match.end(), "pem")


def _is_cut(head: str, rest: str) -> bool:
    kind = _kind(head + rest)
    if not kind:
        return False
    # What is whole in its own line goes on in the next one only if that is no word.
    return not _kind(head) or (len(rest) >= 8 and looks_random(rest) and is_mixed(rest))


def _kind(token: str) -> str:
    """The kind of a token that is one from end to end; empty for none."""
    for rule in PROVIDERS:
        match = compiled(rule.pattern).match(token)
        if match is not None and match.end() == len(token):
            return rule.kind
    return ""
