"""Configuration by value: JSON (with comments), TOML, YAML, INI, Makefiles, go.mod, requirements.

Each is read into plain dicts, lists and scalars; `canonical` writes those as one JSON text in which key order, layout,
comments and quote style are gone. In YAML nothing is typed by a loader: a plain scalar that YAML would read as number,
boolean or null stays as it is written and unquoted (so ``3.10`` is neither ``"3.10"`` nor ``3.1``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from gitmem.drift.content.leaves import decode
from gitmem.drift.content.plain_value import Plain, UnreadableError

MAX_NAMES = 5_000
_PLAIN_KEY = re.compile(r"[^.\s\"'\[\]]+")
_KEY_PART = re.compile(r"""\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|\[(\d+)\]|([^.\[]+|\[))\s*(?:\.|(?=\[)|$)""")


def load(language: str, data: bytes) -> Any:
    """The value of a configuration file.

    Raises:
        UnreadableError: When it does not parse, nests too deeply, or expands to more than MAX_NODES values.
    """
    try:
        return _LOADERS[language](decode(data))
    except UnreadableError:
        raise
    except RecursionError:
        raise UnreadableError("nested too deeply") from None
    except Exception as fault:  # noqa: BLE001 - parsers raise what they like on hostile text
        raise UnreadableError(str(fault).partition("\n")[0] or type(fault).__name__) from None


def canonical(value: Any, language: str) -> str:
    """One JSON text for one value that `load` gave for this language.

    Raises:
        UnreadableError: When it nests too deeply to be written.
    """
    try:
        if language == "yaml":
            return "".join(_pieces(value))
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_dated)
    except (RecursionError, TypeError, ValueError) as fault:
        raise UnreadableError(str(fault).partition("\n")[0]) from None


def _pieces(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield "{"
        for at, key in enumerate(sorted(value)):
            yield f"{',' if at else ''}{json.dumps(key, ensure_ascii=False)}:"
            yield from _pieces(value[key])
        yield "}"
    elif isinstance(value, list):
        yield "["
        for at, one in enumerate(value):
            if at:
                yield ","
            yield from _pieces(one)
        yield "]"
    elif isinstance(value, Plain):
        yield str(value)
    else:
        yield json.dumps(value, ensure_ascii=False, default=_dated)


def _dated(value: Any) -> dict[str, str]:
    return {"$date": value.isoformat()}


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return json.loads(_strict(text))


_JSON_EXTRA = re.compile(
    r"""("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|,(?=(?:\s|//[^\n]*\n|/\*[\s\S]{0,2000}?\*/)*[\]}])"""
)


def _strict(text: str) -> str:
    """JSON with comments and trailing commas as plain JSON."""
    return _JSON_EXTRA.sub(lambda match: match[1] or " ", text)


def _toml(text: str) -> Any:
    import tomllib

    return tomllib.loads(text)


def _yaml(text: str) -> Any:
    from gitmem.drift.content import yaml_value

    return yaml_value.load(text)


def _ini(text: str) -> Any:
    """Sections as dicts; what stands before the first section at the top."""
    from configparser import RawConfigParser

    parser = RawConfigParser(strict=False, allow_no_value=True, default_section="\0", interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]  # keys keep their case
    parser.read_string(f"[\1]\n{text}")
    found: dict[str, Any] = {name: dict(parser.items(name)) for name in parser.sections() if name != "\1"}
    return dict(parser.items("\1")) | found


_EXPORT = re.compile(r"^[ \t]*export[ \t]+", re.MULTILINE)


def _dotenv(text: str) -> Any:
    """As INI; ``export`` and what follows `` #`` outside quotes say nothing."""
    return _ini("\n".join(map(_uncommented, _EXPORT.sub("", text).split("\n"))))


def _uncommented(line: str) -> str:
    at = line.find(" #", max(line.find("="), line.rfind('"'), line.rfind("'"), 0))
    return line[:at] if at >= 0 else line


_PROPERTY = re.compile(r"(?P<key>(?:\\.|[^\s:=\\])+)(?:\s*[:=]\s*|\s+|$)(?P<value>.*)")


def _properties(text: str) -> Any:
    """Java properties: the text behind ``=``, ``:`` or white space by key; a backslash continues a line."""
    joined = re.sub(r"\\\n[ \t]*", "", text)
    lines = (line.strip() for line in joined.split("\n"))
    found = (_PROPERTY.fullmatch(line) for line in lines if line and line[0] not in "#!")
    return {match["key"]: match["value"].strip() for match in found if match}


_RULE = re.compile(r"([^\s:=#][^:=#]*?)\s*(::?)(?![=:])\s*(.*)")
_VARIABLE = re.compile(r"(?:export\s+|override\s+)*([\w.-]+)\s*(?:[:?+!]{0,3}=)\s*(.*)")


def _make(text: str) -> Any:
    """Variables as strings, targets as ``{"needs": […], "recipe": […]}``; a target of several rules has them all."""
    found: dict[str, Any] = {}
    current: list[str] = []
    for line in text.replace("\\\n", " ").split("\n"):
        if line.startswith("\t"):
            command = " ".join(line.split())
            if command and not command.startswith("#"):
                for name in current:
                    found[name]["recipe"].append(command)
            continue
        bare = re.sub(r"(?:^|\s)#.*", "", line).strip()
        if not bare:
            continue
        current = []
        if variable := _VARIABLE.fullmatch(bare):
            found[variable[1]] = " ".join(variable[2].split())
        elif rule := _RULE.fullmatch(bare):
            needs, _, command = rule[3].partition(";")
            current = rule[1].split()
            for name in current:
                if not isinstance(found.get(name), dict):
                    found[name] = {"needs": [], "recipe": []}
                found[name]["needs"] += needs.split()
                found[name]["recipe"] += [" ".join(command.split())] if command.strip() else []
        else:
            found.setdefault(" ", []).append(" ".join(bare.split()))
    return found


_RECIPE = re.compile(r"@?(?P<name>[A-Za-z_][\w-]*)(?P<parameters>(?:\s[^:]*?)?):(?!=)\s*(?P<needs>.*)")
_SETTING = re.compile(r"(?:export\s+|alias\s+)?(?P<name>[A-Za-z_][\w-]*)\s*:=\s*(?P<value>.*)")


def _just(text: str) -> Any:
    """Variables, aliases as strings; recipes as ``{"parameters": …, "needs": …, "recipe": […]}``; attributes are left out."""
    found: dict[str, Any] = {}
    recipe: list[str] = []
    for line in text.split("\n"):
        if line[:1] in {" ", "\t"}:
            if (command := " ".join(line.split())) and not command.startswith("# "):
                recipe.append(command)
            continue
        bare = re.sub(r"(?:^|\s)#.*", "", line).strip()
        if head := _SETTING.fullmatch(bare):
            found[head["name"]] = " ".join(head["value"].split())
        elif head := _RECIPE.fullmatch(bare):
            recipe = []
            named = {
                "parameters": " ".join(head["parameters"].split()),
                "needs": " ".join(head["needs"].split()),
            }
            found[head["name"]] = {**named, "recipe": recipe}
        elif bare and not bare.startswith("["):
            found.setdefault(" ", []).append(" ".join(bare.split()))
    return found


def _gomod(text: str) -> Any:
    """``go`` and ``module`` as strings, ``require``, ``replace`` … by module."""
    found: dict[str, Any] = {}
    block = ""
    for line in text.split("\n"):
        words = line.partition("//")[0].split()
        if not words:
            continue
        if block and words == [")"]:
            block = ""
        elif words[1:] == ["("]:
            block = words[0]
        elif block:
            found.setdefault(block, {})[words[0]] = " ".join(words[1:])
        elif len(words) > 2:
            found.setdefault(words[0], {})[words[1]] = " ".join(words[2:])
        else:
            found[words[0]] = " ".join(words[1:])
    return found


def _requirements(text: str) -> Any:
    """The version condition by package; options by themselves."""
    found: dict[str, Any] = {}
    for line in text.replace("\\\n", " ").split("\n"):
        bare = re.sub(r"(?:^|\s)#.*", "", line).strip()
        match = re.match(r"([A-Za-z0-9][\w.-]*(?:\[[^\]]*\])?)\s*(.*)", bare)
        if match:
            found[match[1]] = "".join(match[2].split())
        elif bare:
            found[bare] = ""
    return found


def _docker(text: str) -> Any:
    from gitmem.drift.content import docker_value

    return docker_value.load(text)


_LOADERS: dict[str, Callable[[str], Any]] = {
    "json": _json,
    "toml": _toml,
    "yaml": _yaml,
    "ini": _ini,
    "dotenv": _dotenv,
    "properties": _properties,
    "docker": _docker,
    "make": _make,
    "just": _just,
    "gomod": _gomod,
    "requirements": _requirements,
}
LANGUAGES = frozenset(_LOADERS)


def names(value: Any) -> tuple[str, ...]:
    """Dotted names of every key, parents before children, at most MAX_NAMES; a part with a dot is quoted."""
    found: dict[str, None] = {}
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting and len(found) < MAX_NAMES:
        name, one = waiting.pop()
        if name:
            found[name] = None
        if isinstance(one, dict):
            keys = [(f"{name}.{_quoted(key)}" if name else _quoted(key), child) for key, child in one.items()]
            waiting.extend(reversed(keys))
        elif isinstance(one, list) and not name:
            waiting.extend(("", document) for document in reversed(one) if isinstance(document, dict))
    return tuple(found)


def _quoted(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def find(value: Any, key: str) -> Any:
    """The value under a dotted key.

    The longest key that exists is taken at each step, so ``scripts.a.b`` finds ``{"scripts": {"a.b": …}}``; parts
    may be quoted, list items are ``[0]`` or ``.0``. Of a file of several documents the first that has it answers.

    Raises:
        KeyError: When it is not there.
    """
    parts = _parts(key)
    documents = value if isinstance(value, list) and not re.fullmatch(r"\d+|\[\d+\]", parts[0]) else [value]
    for document in documents:
        try:
            return _descend(document, parts)
        except KeyError:
            continue
    raise KeyError(key)


def _parts(key: str) -> list[str]:
    parts: list[str] = []
    at = 0
    while at < len(key):
        match = _KEY_PART.match(key, at)
        if not match or match.end() == at:
            return key.split(".")
        double, single, index, plain = match.groups()
        if double is not None:
            parts.append(re.sub(r"\\(.)", r"\1", double))
        else:
            parts.append(next(one for one in (single, index, plain) if one is not None).strip())
        at = match.end()
    return parts or [key]


def _descend(value: Any, parts: list[str]) -> Any:
    if not parts:
        return value
    if isinstance(value, dict):
        for taken in range(len(parts), 0, -1):
            name = ".".join(parts[:taken])
            if name in value:
                try:
                    return _descend(value[name], parts[taken:])
                except KeyError:
                    continue
        tagged = next(iter(value), "")
        if len(value) == 1 and tagged.startswith("!"):
            return _descend(value[tagged], parts)
    elif isinstance(value, list) and parts[0].isdecimal() and int(parts[0]) < len(value):
        return _descend(value[int(parts[0])], parts[1:])
    raise KeyError(".".join(parts))
