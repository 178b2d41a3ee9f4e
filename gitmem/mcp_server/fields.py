"""The arguments of a tool: one table says what they are, and both the schema and the check are made from it.

Names are written with underscores; their camelCase twins are taken too, and so are one text where a list of texts is
wanted and null for what is left out, since models write all of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final, Literal, NamedTuple

from gitmem.errors import UsageError

Kind = Literal["text", "texts", "number", "flag", "record"]
Values = Mapping[str, Any]

_JSON: Final[Mapping[Kind, str]] = {
    "text": "string",
    "texts": "array",
    "number": "integer",
    "flag": "boolean",
    "record": "object",
}
_WORDS: Final[Mapping[Kind, str]] = {
    "text": "a text",
    "texts": "a list of texts",
    "number": "a whole number",
    "flag": "true or false",
    "record": "an object",
}
_NOTHING: Final[Mapping[Kind, Callable[[], Any]]] = {
    "text": str,
    "texts": tuple,
    "number": int,
    "flag": bool,
    "record": dict,
}
_MOST_TEXTS = 200
_ALSO: Final = {"session_id": "session", "memory_id": "id", "run_id": "run", "text": "content"}
"""Names that hosts and models use for the same; a tool that has the field itself takes it as it is."""


class Field(NamedTuple):
    """One argument.

    Args:
        name: As the schema writes it.
        kind: What it must be.
        says: What it is, for the schema; empty where the name says it.
        required: Whether a call without it is refused.
        choices: The only texts that it may be.
        most: Characters of a text, or the largest number.
    """

    name: str
    kind: Kind = "text"
    says: str = ""
    required: bool = False
    choices: tuple[str, ...] = ()
    most: int = 4_000


def schema_of(fields: Sequence[Field]) -> dict[str, Any]:
    """The JSON Schema of the arguments."""
    schema: dict[str, Any] = {"type": "object", "properties": {one.name: _schema(one) for one in fields}}
    required = [one.name for one in fields if one.required]
    return {**schema, "required": required} if required else schema


def _schema(field: Field) -> dict[str, Any]:
    told: dict[str, Any] = {"type": _JSON[field.kind]}
    if field.kind == "texts":
        told["items"] = {"type": "string"}
    if field.choices:
        told["enum"] = list(field.choices)
    if field.says:
        told["description"] = field.says
    return told


def read_arguments(fields: Sequence[Field], given: Mapping[str, Any]) -> Values:
    """The arguments by name, each of its kind; what was left out is empty.

    Raises:
        UsageError: An unknown name, one in two spellings, a wrong kind, too long, none of the choices, or a required one is
            missing; an argument is named as it was written.
    """
    known = {one.name: one for one in fields}
    values: dict[str, Any] = {one.name: _NOTHING[one.kind]() for one in fields}
    spelled: dict[str, str] = {}
    for written, value in given.items():
        name = _name(written, known)
        if name in spelled and given[spelled[name]] != value:
            raise UsageError(f"{spelled[name]} and {written} are one argument", hint=f"say {name} once")
        spelled[name] = written
        if value is not None:
            values[name] = _read(known[name]._replace(name=written), value)
    missing = [one for one in fields if one.required and not _is_said(values[one.name])]
    if missing:
        name = spelled.get(missing[0].name, missing[0].name)
        raise UsageError(f"{name} is missing or empty", hint=f"it must be {_wanted(missing[0])}")
    return values


def spellings(fields: Sequence[Field], given: Mapping[str, Any]) -> dict[str, str]:
    """Each argument by name as a call writes it; by its own name where the call leaves it out."""
    known = {one.name: one for one in fields}
    spelled = {name: name for name in known}
    for written in given:
        try:
            spelled[_name(written, known)] = written
        except UsageError:  # told when the arguments are read
            continue
    return spelled


def _name(written: str, known: Mapping[str, Field]) -> str:
    if written in known:
        return written
    plain = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", written).lower()[:80]
    name = plain if plain in known else _ALSO.get(plain, "")
    if name in known:
        return name
    near = get_close_matches(plain, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"it takes {', '.join(known)}"
    raise UsageError(f"no such argument: {written[:80]!r}", hint=hint)


def _read(field: Field, value: Any) -> Any:
    if field.kind == "texts":
        return _texts(field, value)
    if field.kind == "text" and isinstance(value, str):
        return _text(field, value)
    fits = {
        "number": type(value) is int and 0 < value <= field.most,
        "flag": type(value) is bool,
        "record": type(value) is dict,
    }
    if not fits.get(field.kind, False):
        raise UsageError(f"{field.name} is {_told(value)}", hint=f"it must be {_wanted(field)}")
    return value


def _texts(field: Field, value: Any) -> tuple[str, ...]:
    many = [value] if isinstance(value, str) else value
    if not isinstance(many, list) or not all(isinstance(one, str) for one in many):
        raise UsageError(f"{field.name} is {_told(value)}", hint=f"it must be {_wanted(field)}")
    if len(many) > _MOST_TEXTS:
        raise UsageError(f"{field.name} has {len(many)} texts", hint=f"{_MOST_TEXTS} at most")
    return tuple(_text(field, one) for one in many if one.strip())


def _text(field: Field, value: str) -> str:
    if len(value) > field.most:
        raise UsageError(f"{field.name} has {len(value)} characters", hint=f"{field.most} at most")
    if field.choices and value and value not in field.choices:
        raise UsageError(f"{field.name} is {_told(value)}", hint=f"one of {', '.join(field.choices)}")
    return value


def _is_said(value: Any) -> bool:
    return bool(value.strip()) if isinstance(value, str) else bool(value)


def _wanted(field: Field) -> str:
    most = f" from 1 to {field.most}" if field.kind == "number" else ""
    return f"{_WORDS[field.kind]}{most}"


def _told(value: Any) -> str:
    return f"{value!r:.60}" if isinstance(value, str | int | float | bool) else f"a {type(value).__name__}"
