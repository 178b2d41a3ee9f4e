"""JSON Schemas (the keywords that draft 7 and 2020-12 share) of the files that people write, made from the tables they are read by.

``python -m gitmem.store.schema`` writes them to ``gitmem/schemas/``; a test holds that they are equal. Editors find
the schema through the first line of a file, a path inside the repository: ``gitmem init`` puts the schemas into
``.ai/schema/``. A schema describes what should be written; the reader accepts more (other spellings, dates in other
forms), and what it only warns of (an unknown field) the schema allows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gitmem.model.element import Level
from gitmem.model.memory import Claim, Kind, Status
from gitmem.model.policy import DENY_RULES, EVIDENCE_SOURCES, PROFILES, REJECT_RULES, REQUIRE_RULES
from gitmem.model.verdict import Verdict
from gitmem.model.watch import Polarity, WatchKind
from gitmem.store import elements, memories, policies, spellings, validations
from gitmem.store.field_reading import read_globs, read_texts

Schema = dict[str, Any]

FOLDER = Path(__file__).parent.parent / "schemas"
_TEXT: Schema = {"type": ["string", "number", "boolean", "null"]}
_TEXTS: Schema = {"type": ["array", "string", "number", "boolean", "null"], "items": _TEXT}
_NUMBER: Schema = {"type": ["integer", "null"], "minimum": 0}
_FLAG: Schema = {"type": ["boolean", "null"]}
_NUMBERS: Schema = {"type": "array", "items": {"type": "integer", "minimum": 0}}
_DAY = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_CLOCK = r"[Tt ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)? ?([Zz]|[+-][0-9]{2}(:?[0-9]{2})?)?"
_MOMENT: Schema = {"type": ["string", "null"], "pattern": f"^{_DAY}({_CLOCK})?$"}
_TRUSTED_MOMENT: Schema = {"type": ["string", "null"]}


def _words(words: Any) -> Schema:
    return {"enum": [*(str(word) for word in words), None]}


def _list_of(words: Any) -> Schema:
    return {"type": ["array", "string", "null"], "items": _words(words)}


def _watch() -> Schema:
    quote = {"type": ["object", "string"], "properties": dict.fromkeys(("exact", "prefix", "suffix"), _TEXT)}
    kinds = dict.fromkeys((str(kind) for kind in WatchKind), _TEXT)
    explicit = {"kind": _words(WatchKind), "path": _TEXT, "name": _TEXT, "lines": _NUMBERS}
    places = {"in": _TEXTS, "outside": _TEXTS}
    fields = {**kinds, **explicit, **places, "quote": quote, "polarity": _words(Polarity)}
    return {
        "anyOf": [
            {"type": "string", "pattern": f"^({'|'.join(WatchKind)}) .+"},
            {"type": "object", "properties": fields, "minProperties": 1},
        ]
    }


def _baseline() -> Schema:
    quote = {"type": ["object", "string"]}
    texts = dict.fromkeys(("blob", "sig", "core", "body"), _TEXT)
    mark = {
        **texts,
        "watch": _watch(),
        "quote": quote,
        "polarity": _words(Polarity),
        "at": _NUMBERS,
        "counts": _NUMBERS,
        "sample": _TEXTS,
        "uses": _TEXTS,
        "sketch": _TEXT,
    }
    marks = {
        "type": ["array", "null"],
        "items": {"type": "object", "properties": mark, "required": ["watch"]},
    }
    fields = {**dict.fromkeys(("commit", "tree", "scope"), _TEXT), "algo": _NUMBER, "marks": marks}
    fields["unparsed"] = _TEXTS
    return {"type": ["object", "string", "null"], "properties": fields}


_FORMS_OF_MEMORY: dict[str, Schema] = {
    "kind": _words(Kind),
    "status": _words([*Status, *spellings.STATUS_WORDS]),
    "claim": _words(Claim),
    "drift": _words(["strict", "graded"]),
    "validated_by": _words(["human", "replay"]),
    "scope.project": _FLAG,
    "watch": {"type": ["array", "object", "string", "null"], "items": _watch()},
    "baseline": _baseline(),
    "id": {"type": ["string", "null"], "pattern": "^[a-z0-9][a-z0-9._-]{2,99}$"},
    **dict.fromkeys(("review_after", "expires_at", "challenged_at"), _MOMENT),
    **dict.fromkeys(("created_at", "approved_at", "last_validated_at"), _TRUSTED_MOMENT),
}
_LISTS_OF_MEMORY = {name for name, form in memories.FORMS.items() if form in {read_texts, read_globs}}


def memory_schema() -> Schema:
    """Of memory files, in all spellings."""
    fields = {
        name: _FORMS_OF_MEMORY.get(name, _TEXTS if name in _LISTS_OF_MEMORY else _TEXT)
        for name in memories.FORMS
    }
    top = {name: schema for name, schema in fields.items() if "." not in name}
    for group in spellings.GROUPS:
        top[group] = {"type": ["object", "array", "string", "null"], "properties": _children(fields, group)}
    for spelling, name in spellings.SPELLINGS.items():
        group, _, child = spelling.partition(".")
        if child:
            top[group]["properties"][child] = fields[name]
        else:
            top[spelling] = fields[name]
    for key, parent in spellings.PARENTS.items():
        top.setdefault(key, {"not": {}, "description": f"belongs under {parent}"})
    summaries = [name for name in ("summary", *spellings.SPELLINGS, "origin") if _says_summary(name)]
    return {
        **_headed("memory", "A memory of gitmem: one fact with its scope, evidence and status"),
        "properties": top,
        "anyOf": [{"required": [name]} for name in summaries],
    }


def _says_summary(name: str) -> bool:
    means = spellings.SPELLINGS.get(name, name)
    return means in {"summary", "origin", "origin.candidate"}


def _children(fields: dict[str, Schema], group: str) -> dict[str, Schema]:
    hidden = {"evidence.mixed", "evidence.source"}
    names = [name for name in fields if name.startswith(f"{group}.") and name not in hidden]
    return {name.partition(".")[2]: fields[name] for name in names}


def _headed(name: str, title: str) -> Schema:
    return {"$id": f"gitmem/{name}.schema.json", "title": title, "type": "object"}


def validation_schema() -> Schema:
    """Of ``.ai/validations/**``."""
    fields: dict[str, Schema] = {name: {"type": "string"} for name in validations.FORMS}
    fields |= {
        "at": {**_MOMENT, "type": "string"},
        "how": _words(["looked", "replay"]),
        "text": _TEXT,
        "baseline": _baseline(),
    }
    head = _headed(
        "validation", "A validation of gitmem: who looked, when, and what the memory rested on then"
    )
    return {**head, "properties": fields, "required": ["memory", "at", "by"]}


_VERSION: Schema = {"enum": [1, "1"]}


def memory_policy_schema() -> Schema:
    """Of ``.ai/policies/memory-policy.yaml``."""
    duration = {"type": "string", "pattern": "^(permanent|[1-9][0-9]{0,4}[dw])$"}
    forms: dict[str, Schema] = {
        "durable_memory.deny": _list_of(DENY_RULES),
        "durable_memory.evidence_sources": _list_of(EVIDENCE_SOURCES),
        "durable_memory.retention": {"type": ["object", "null"], "additionalProperties": duration},
        "promotion.require": _list_of(REQUIRE_RULES),
        "promotion.reject_if": _list_of(REJECT_RULES),
        "drift.challenge_on": _list_of(verdict for verdict in Verdict if verdict is not Verdict.FRESH),
        "recall.profile": _words(PROFILES),
        "probes": {"type": ["object", "null"], "additionalProperties": _TEXT},
        "trust.require_review": _FLAG,
        "budgets": {"type": ["object", "null"], "additionalProperties": _NUMBER},
    }
    title = "What gitmem may remember, and what it asks for"
    schema = _of_table("memory-policy", title, policies.MEMORY_TABLE.forms, forms)
    for name in policies.MEMORY_TABLE.either:
        schema["properties"][name] = schema["properties"]["durable_memory"]["properties"][name]
    return schema


def compaction_policy_schema() -> Schema:
    """Of ``.ai/policies/compaction-policy.yaml``."""
    forms = {name: _NUMBER for name in policies.COMPACTION_TABLE.forms if name.startswith("limits.")}
    title = "What gitmem puts into an agent's context"
    return _of_table("compaction-policy", title, policies.COMPACTION_TABLE.forms, forms)


def _of_table(name: str, title: str, fields: Any, forms: dict[str, Schema]) -> Schema:
    properties: Schema = {"version": _VERSION}
    for field in fields:
        group, _, child = field.rpartition(".")
        schema = forms.get(field, _TEXTS)
        if group:
            properties.setdefault(group, {"type": ["object", "null"], "properties": {}})["properties"][
                child
            ] = schema
        else:
            properties[child] = schema
    for group in [key for key in properties if "properties" in properties[key]]:
        for child in properties[group]["properties"]:
            properties.setdefault(child, {"not": {}, "description": f"belongs under {group}"})
    return {**_headed(name, title), "properties": properties, "required": ["version"]}


def elements_schema() -> Schema:
    """Of ``.ai/elements.yaml``."""
    forms = {"level": _words(Level), "paths": _TEXTS, "tags": _TEXTS}
    fields = {name: forms.get(name, _TEXT) for name in elements.ELEMENT_FORMS}
    element = {
        "type": ["object", "array", "string", "null"],
        "properties": fields,
        "items": {"type": "string"},
    }
    properties = {
        "version": _VERSION,
        "adr": _TEXTS,
        "elements": {"type": ["object", "null"], "additionalProperties": element},
    }
    head = _headed("elements", "The architecture's elements and their paths")
    return {**head, "properties": properties, "required": ["version"]}


def schemas() -> dict[str, str]:
    """Every schema as text, by its file name."""
    import json

    made = {
        "memory": memory_schema(),
        "validation": validation_schema(),
        "memory-policy": memory_policy_schema(),
        "compaction-policy": compaction_policy_schema(),
        "elements": elements_schema(),
    }
    return {
        f"{name}.schema.json": json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        for name, schema in made.items()
    }


def main() -> None:
    """Write the schemas that the package ships."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in schemas().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
