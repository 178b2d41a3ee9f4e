"""Concrete things in a statement that are no names of code: flags, settings with their values, variables, literals.

Pure on text. They are bound as they stand (`gitmem.drift.binding`): a plain word of a dictionary is none of them.

| in the text | kind |
|---|---|
| ``--dry-run``, ``--features=x`` | a flag, and its value |
| ``GITHUB_READ_ONLY`` | a variable of the environment |
| ``retry: 2``, ``Line length: 88``, ``Pool: "forks"``, a name with its default | a setting and its value |
| ``(requires uv and deno)`` | members of a list |
| ``ubuntu-20.04``, ``golang:1.25-alpine``, ``Python 3.11.3``, ``localhost:8976``, ``~/.app/app.db`` | a literal |
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from gitmem.drift.words import code_spans


class Concern(StrEnum):
    FLAG = "flag"
    VARIABLE = "variable"
    SETTING = "setting"
    LITERAL = "literal"
    FILE = "file"
    MEMBER = "member"


class Concrete(NamedTuple):
    """One concrete thing.

    Args:
        kind: What it is.
        name: The flag without dashes, the variable, the setting's key, the literal itself.
        value: Of a flag or setting, as written without quotes; else empty.
        start: Where it begins in the text.
        loose: Whether it stands within a longer command, which says more than it.
    """

    kind: Concern
    name: str
    value: str = ""
    start: int = 0
    loose: bool = False


_FLAG = re.compile(
    r"(?<![\w/.-])--(?P<name>[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)*)(?:=(?P<value>[\w,./-]+))?(?![\w*-])"
)
_VARIABLE = re.compile(r"(?<![\w$-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w-])")
_NUMBER = r"\d[\d_,]*(?:\.\d+)?"
_UNIT = (
    r"(?:ms|s|m|h|sec|secs|seconds?|min|mins|minutes?|hours?|[kmgKMG]i?[bB]|chars?|%|초|분|자|秒|分|文字|字)"
)
_SPAN_SETTING = re.compile(
    rf"[\"']?(?P<key>[A-Za-z_][\w-]*)[\"']?\s*(?:=|:\s)\s*(?P<value>{_NUMBER}|true|false|\"[^\"]+\"|'[^']+')[,;]?"
)
_SETTING = re.compile(
    rf"(?:^|[\n,;(|]|[-*]\s|\s{{2}})[ \t*]{{0,20}}+(?P<key>[A-Za-z][A-Za-z]*(?:[ -][A-Za-z]+){{0,3}}|[가-힣]+(?: [가-힣]+)?)\**+\s*+[:：]\**+\s*+`?"
    rf"(?P<value>{_NUMBER}(?=\s?{_UNIT}?(?![\w.-]))|\"[^\"\n\0]{{1,40}}\"|true|false)`?\s?(?P<unit>{_UNIT})?(?![\w])",
    re.MULTILINE,
)
_DEFAULTS = (
    r"(?:\(defaults?(?:\s+value)?(?:\s+(?:is|to|of))?\s*[:=]?|,\s*defaults?\b(?:\s+(?:is|to|of))?\s*[:=]?|\bdefaults?\s+(?:value\s+)?(?:to|is|of)\b"
    r"|기본값(?:은|이)?[:：]?|\(기본\s?[:：]?|[(（]既定(?:値)?\s?[:：]?|デフォルト(?:値)?(?:は|[:：])?|(?:默认|預設)(?:值)?(?:为|為|是|[:：])?)"
)
_DEFAULT = re.compile(
    rf"`-{{0,2}}\$?(?P<key>[A-Za-z_][\w.-]*)(?:\(\)|[ =]<?[\w-]+>?)?`\**[^`.\n。]{{0,60}}?{_DEFAULTS}\s*`?(?P<value>{_NUMBER}|true|false|True|False|None|null"
    rf"|\"[^\"\n`]{{0,40}}\"|'[^'\n`]{{0,40}}'|(?<=`)[\w.-]{{1,40}}(?=`))`?"
)
"""A name with its default, as ``step_timeout`` (default: 120): what code gives it where nothing else is said."""
_NO_KEYS = frozenset({"default", "기본", "기본값", "デフォルト", "既定", "默认"})
"""What a value stands behind that is a default, whatever the setting is called."""
_LITERAL = re.compile(
    r"[a-z][\w]*(?:-[a-z]\w*)*-\d+(?:\.\d+)+(?:-[\w.]+)*|[a-z][\w-]*:\d[\w.-]*\d[\w.-]*|\d+\.\d+\.\d+(?:-[\w.]+)?",
    re.ASCII,
)
_PROSE_LITERAL = re.compile(
    r"(?<![\w/@.:-])(?:[a-z][\w-]*:\d+(?:\.\d+)+(?:-[\w.]+)?|(?:(?<=[A-Za-z] )|(?<=[A-Za-z] \())\d+\.\d+\.\d+(?:-[\w.]*\w)?)(?![\w-]|\.\d)",
    re.ASCII,
)
_FILE = re.compile(r"(?:~|\$\w+|%\w+%)/(?:[\w.@-]+/)*(?P<name>[\w-]+(?:\.[\w-]+)*\.[a-z]\w{0,5})", re.ASCII)
_NEEDS = re.compile(
    r"(?i)\((?:requires?|needs?|depends on|필요:?|requires:)\s+(?P<members>[\w.+-]+(?:\s*,\s*(?:and\s+)?[\w.+-]+|\s+and\s+[\w.+-]+)+)\)"
)
_MEMBER = re.compile(r"[A-Za-z][\w+-]*(?:\.[\w-]+)*")


def concrete_things(text: str) -> tuple[Concrete, ...]:
    """The concrete things of a statement in the order in which they stand there, each once."""
    spans = [(first + width, last - width) for first, last, width in code_spans(text)]
    found = [*_flags(text, spans), *_members(text)]
    found += [Concrete(Concern.VARIABLE, match[0], start=match.start()) for match in _VARIABLE.finditer(text)]
    for first, last in spans:
        found += _of_span(text[first:last].strip(), first)
    plain = _blank(text, spans)
    found += [_setting(match) for match in _SETTING.finditer(plain) if match["key"].lower() not in _NO_KEYS]
    found += [
        Concrete(Concern.SETTING, match["key"], match["value"].strip("\"'"), match.start("key"))
        for match in _DEFAULT.finditer(text)
    ]
    found += [
        Concrete(Concern.LITERAL, match[0], start=match.start()) for match in _PROSE_LITERAL.finditer(plain)
    ]
    first_of: dict[tuple[Concern, str, str], Concrete] = {}
    for one in sorted(found, key=lambda one: one.start):
        first_of.setdefault(one[:3], one)
    return tuple(first_of.values())


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    """The text without code spans, save what a label ends in: ``Pool: `"forks"```."""
    for first, last in spans:
        inner = text[first:last]
        if not re.fullmatch(r"\"[^\"]+\"|\d[\d_]*|true|false", inner):
            text = text[:first] + re.sub(r"[^\n]", "\0", inner) + text[last:]
    return text


_DEFAULT_SAID = re.compile(r"(?i)\bdefaults?\b|기본값|\(기본\b|デフォルト|既定|默认|預設")


def _flags(text: str, spans: list[tuple[int, int]]) -> Iterator[Concrete]:
    told = _DEFAULT_SAID.search(text) is not None  # more is said than that it is there
    for match in _FLAG.finditer(text):
        inside = next((text[first:last] for first, last in spans if first <= match.start() < last), "")
        yield Concrete(
            Concern.FLAG,
            match["name"],
            match["value"] or "",
            match.start(),
            loose=told or " " in inside.strip(),
        )


def _of_span(inner: str, start: int) -> Iterator[Concrete]:
    if setting := _SPAN_SETTING.fullmatch(inner):
        yield Concrete(Concern.SETTING, setting["key"], setting["value"].strip("\"'"), start)
    elif _LITERAL.fullmatch(inner):
        yield Concrete(Concern.LITERAL, inner, start=start)
    elif version := re.fullmatch(r"[A-Z][\w.]* v?(\d+\.\d+\.\d+)", inner):
        yield Concrete(Concern.LITERAL, version[1], start=start)
    elif file := _FILE.fullmatch(inner):
        yield Concrete(Concern.FILE, file["name"], start=start)


def _setting(match: re.Match[str]) -> Concrete:
    value = match["value"].strip('"')
    return Concrete(Concern.SETTING, match["key"], f"{value}{match['unit'] or ''}", match.start("key"))


def _members(text: str) -> Iterator[Concrete]:
    for match in _NEEDS.finditer(text):
        for member in _MEMBER.finditer(match["members"]):
            if member[0] != "and":
                yield Concrete(Concern.MEMBER, member[0], start=match.start("members") + member.start())


_SECONDS = {"ms": 0.001, "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "초": 1, "秒": 1}
_SECONDS |= dict.fromkeys(("m", "min", "mins", "minute", "minutes", "분", "分"), 60) | dict.fromkeys(
    ("h", "hour", "hours"), 3600
)


def value_forms(value: str) -> frozenset[str]:
    """How code may write a value: ``15s`` as 15 or 15000, ``1,000`` as 1000, words as they are in lower case."""
    found = re.fullmatch(rf"({_NUMBER})\s*(\D*)", value)
    if found is None:
        return frozenset({value.lower()})
    number = re.sub(r"[_,]", "", found[1])
    forms = {number}
    if (unit := _SECONDS.get(found[2].lower())) is not None:
        seconds = float(number) * unit
        forms |= {f"{amount:.0f}" for amount in (seconds, seconds * 1000) if amount == int(amount)}
    return frozenset(forms)


def flag_forms(name: str) -> tuple[str, ...]:
    """A flag as code may declare it: with dashes, underscores, in camelCase; of ``server.port`` each part so.

    A dotted flag may be declared in a section, by its last part alone.
    """
    if "." in name:
        several = [_spelled(part) for part in name.split(".")]
        own = (
            several[-1] if len(set(several[-1])) > 1 else ()
        )  # a plain word is too common without its section
        return tuple(dict.fromkeys([*(".".join(parts) for parts in zip(*several, strict=True)), *own]))
    return tuple(dict.fromkeys(_spelled(name)))


def _spelled(name: str) -> tuple[str, str, str]:
    first, *others = re.split(r"[-_]", name.lower())
    return (
        "-".join((first, *others)),
        "_".join((first, *others)),
        first + "".join(map(str.capitalize, others)),
    )


def variable_forms(name: str) -> tuple[str, ...]:
    """An environment variable as a reader with a prefix of its own declares it: ``APP_READ_ONLY`` as ``read-only``."""
    _, _, rest = name.partition("_")
    return flag_forms(rest) if "_" in rest else ()


_MEMBERS = re.compile(r"[^()\n`]{0,80}\((?P<members>[\w.+-]+(?:\s*[,、]\s*(?:and\s+)?[\w.+-]+)+)\)")


def members_behind(text: str, at: int) -> tuple[str, ...]:
    """What is listed in parentheses behind a place of the text: ``tools/ | internal tools (lint, build)``."""
    found = _MEMBERS.match(text[at:].lstrip("`"))
    return tuple(one for one in _MEMBER.findall(found["members"]) if one != "and") if found else ()
