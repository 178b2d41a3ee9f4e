"""Memory files: ``.ai/memory/<folders you like>/<id>.yaml``, one memory a file (domain.md section 2).

Form: the small YAML of `gitmem.store.yaml_reading`, at most 64 KiB; one mapping. Fields and forms:

| field | form |
|---|---|
| id | slug ``[a-z0-9][a-z0-9._-]{2,99}``; missing = the file's stem, noted |
| title, type, summary, body, created_by, approved_by, challenged_because | text |
| aliases, supersedes, superseded_by | list of texts; one text is a list of one |
| kind | pitfall, convention, note, session_outcome; missing = by the type, see `default_kind` |
| status | candidate, active, challenged, deprecated, archived, denied; ``approved`` = active; missing = candidate, noted |
| scope | paths and exclude (globs), elements, applies_to, does_not_apply_to (lists), project (true); a list alone is paths; \
the word ``project`` alone |
| watch, baseline | see `gitmem.store.baselines` |
| claim | content, presence, negative |
| evidence | tests, reviews, commits, documents, artifacts (lists); a list alone is sorted by `gitmem.store.evidence` |
| verification | probe, contract_version |
| origin | run, candidate, source_events, failure_class, failure_type, root_cause, imported, system; a text alone is system |
| created_at, approved_at, last_validated_at, challenged_at | date, or time with offset (none = UTC, noted) |
| review_after, expires_at | date |
| validated_by | human, replay; ``approved_by: human`` means human |
| drift | strict, graded |

Other spellings are the table in `gitmem.store.spellings`. Faults are `Problem` values, all of a file at once. An error
keeps the memory from loading: broken YAML, a key given twice, two spellings of one field, a field outside its parent
(`tests belongs under evidence – indent it`), an unknown status or kind, a bad id, glob or watch, no summary (but a
lifecycle record whose ``origin.candidate`` holds the words loads), a limiting date (review_after, expires_at,
challenged_at) that does not exist. A warning does not: an unknown field (kept in ``extra``; ``x-…`` is no problem), a
missing id or status, a date that only adds trust (created_at, approved_at, last_validated_at) and does not exist –
the memory is then read as if it were not written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, cast

from gitmem.errors import GitmemError
from gitmem.model.ids import is_memory_id
from gitmem.model.memory import Claim, Kind, Memory, Origin, Scope, Status, Verification
from gitmem.model.problem import Problem
from gitmem.store import spellings
from gitmem.store.baselines import read_baseline, read_watches
from gitmem.store.evidence import NoResolver, Resolver, resolve_evidence
from gitmem.store.field_reading import (
    Findings,
    Form,
    did_you_mean,
    fault,
    is_absent,
    read_day,
    read_flag,
    read_globs,
    read_moment,
    read_text,
    read_texts,
    read_word,
    shown,
)
from gitmem.store.yaml_reading import Entry, Fields, Node, Text, plain, read_yaml


@dataclass(frozen=True, slots=True)
class Parsed:
    """What one file holds: the memory, unless a problem is an error, and every problem; `line` is where it begins."""

    memory: Memory | None
    problems: tuple[Problem, ...] = ()
    line: int = 0


def _word(known: type[Any]) -> Form:
    names = tuple(str(one) for one in known)
    return lambda node, findings, field: read_word(node, findings, field, names)


def _one_of(*names: str) -> Form:
    return lambda node, findings, field: read_word(node, findings, field, names)


def _adds_trust(node: Node, findings: Findings, field: str) -> datetime | date | None:
    return read_moment(node, findings, field, careful=True)


def _status(node: Node, findings: Findings, field: str) -> str | None:
    if isinstance(node, Text) and node.value in spellings.STATUS_WORDS:
        return spellings.STATUS_WORDS[node.value]
    return cast("str | None", _word(Status)(node, findings, field))


FORMS: dict[str, Form] = {
    "id": read_text,
    "title": read_text,
    "aliases": read_texts,
    "kind": _word(Kind),
    "type": read_text,
    "status": _status,
    "summary": read_text,
    "body": read_text,
    "scope.paths": read_globs,
    "scope.exclude": read_globs,
    "scope.elements": read_texts,
    "scope.applies_to": read_texts,
    "scope.does_not_apply_to": read_texts,
    "scope.project": read_flag,
    "watch": read_watches,
    "claim": _word(Claim),
    "evidence.tests": read_texts,
    "evidence.reviews": read_texts,
    "evidence.commits": read_texts,
    "evidence.documents": read_texts,
    "evidence.artifacts": read_texts,
    "evidence.source": read_texts,
    "evidence.mixed": read_texts,
    "verification.probe": read_text,
    "verification.contract_version": read_text,
    "origin.run": read_text,
    "origin.candidate": read_text,
    "origin.source_events": read_texts,
    "origin.failure_class": read_text,
    "origin.failure_type": read_text,
    "origin.root_cause": read_text,
    "origin.imported": read_text,
    "origin.system": read_text,
    "created_at": _adds_trust,
    "created_by": read_text,
    "approved_at": _adds_trust,
    "approved_by": read_text,
    "validated_by": _one_of("human", "replay"),
    "last_validated_at": _adds_trust,
    "baseline": read_baseline,
    "review_after": read_day,
    "expires_at": read_day,
    "challenged_at": read_moment,
    "challenged_because": read_text,
    "drift": _one_of("strict", "graded"),
    "supersedes": read_texts,
    "superseded_by": read_texts,
}
"""Every field, dotted below its group, and the form it is read by."""


def parse_memory(path: str, data: bytes, resolver: Resolver | None = None) -> Parsed:
    """Read a memory file.

    Args:
        path: Repository path of the file; its stem stands in for a missing id.
        data: Its bytes.
        resolver: Tells existing paths and commits among untagged evidence; None resolves nothing.
    """
    findings = Findings(path)
    try:
        document = read_yaml(path, data)
    except GitmemError as error:
        return Parsed(None, (fault(path, error),))
    findings.duplicates(document)
    memory = read_memory(document.root, findings, resolver or NoResolver(), default_id=_stem(path))
    return Parsed(None if findings.has_error else memory, findings.tuple())


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def read_memory(
    node: Node,
    findings: Findings,
    resolver: Resolver,
    *,
    default_id: str = "",
    default_status: Status | None = None,
) -> Memory | None:
    """Read a memory from a node; problems go to the findings.

    Args:
        node: The mapping.
        findings: Collects the problems; its path becomes the memory's file.
        resolver: See `parse_memory`.
        default_id: Read as the id when none is written.
        default_status: The status when none is written; None = candidate, and noted.
    """
    if not isinstance(node, Fields):
        findings.error(node, "", "a memory is a mapping of fields to values", "start with: id: …")
        return None
    written, extra = _sorted_out(node, findings)
    values = {name: FORMS[name](entry.value, findings, name) for name, entry in written.items()}
    values = {name: value for name, value in values.items() if value is not None}
    _fill_required(node, written, values, findings, default_id=default_id, default_status=default_status)
    if findings.has_error:
        return None
    return _memory(findings.path, values, extra, resolver)


def _sorted_out(root: Fields, findings: Findings) -> tuple[dict[str, Entry], dict[str, Any]]:
    """Each written field under its one name, and what is no field at all."""
    written: dict[str, Entry] = {}
    extra: dict[str, Any] = {}
    for key, entry in root.entries.items():
        if key in spellings.GROUPS:
            _sort_group(key, entry, written, extra, findings)
        elif key in FORMS or key in spellings.SPELLINGS:
            _put(spellings.SPELLINGS.get(key, key), entry, written, findings)
        else:
            _sort_unknown(key, entry, extra, findings)
    for one, other in spellings.SAME_PLACE.items():
        if one in written and other in written:
            _twice(written[other], written[one], other, findings)
    return written, extra


def _sort_group(
    group: str, entry: Entry, written: dict[str, Entry], extra: dict[str, Any], findings: Findings
) -> None:
    node = entry.value
    if group == "scope" and isinstance(node, Text) and node.value == "project":
        _put("scope.project", entry._replace(value=node._replace(value="true")), written, findings)
    elif not isinstance(node, Fields):
        if not is_absent(node):
            _put(spellings.SCALAR_GROUPS[group], entry, written, findings)
    else:
        for key, child in node.entries.items():
            name = f"{group}.{key}"
            name = spellings.SPELLINGS.get(name, name)
            if name in FORMS and name not in {"evidence.mixed", "evidence.source"}:
                _put(name, child, written, findings)
            else:
                _sort_unknown_child(group, key, child, extra, findings)


def _put(name: str, entry: Entry, written: dict[str, Entry], findings: Findings) -> None:
    if is_absent(entry.value):
        return
    if name in written:
        _twice(written[name], entry, name, findings)
    else:
        written[name] = entry


def _twice(first: Entry, second: Entry, name: str, findings: Findings) -> None:
    message = f"{shown(second.key)} and {shown(first.key)} (line {first.line}) both say {name}"
    findings.error(second, name, message, "keep one of the two")


def _sort_unknown(key: str, entry: Entry, extra: dict[str, Any], findings: Findings) -> None:
    extra[key] = plain(entry.value)
    if key in spellings.PARENTS:
        parent = spellings.PARENTS[key]
        findings.error(
            entry,
            key,
            f"{key} belongs under {parent} – indent it",
            f"put {key} below {parent}: with two spaces before it",
        )
    elif key not in spellings.KEPT and not key.startswith("x-"):
        known = [name for name in FORMS if "." not in name] + [*spellings.GROUPS, *spellings.SPELLINGS]
        hint = did_you_mean(key, known) or "remove it, or write it as x-…"
        findings.warning(entry, key, f"unknown field {shown(key)}", hint)


def _sort_unknown_child(
    group: str, key: str, entry: Entry, extra: dict[str, Any], findings: Findings
) -> None:
    extra[f"{group}.{key}"] = plain(entry.value)
    if not key.startswith("x-"):
        known = [name.partition(".")[2] for name in FORMS if name.startswith(f"{group}.")]
        hint = did_you_mean(key, known) or f"one of {', '.join(known)}"
        findings.warning(entry, f"{group}.{key}", f"unknown field {shown(key)} in {group}", hint)


def _fill_required(
    root: Fields,
    written: Mapping[str, Entry],
    values: dict[str, Any],
    findings: Findings,
    *,
    default_id: str,
    default_status: Status | None,
) -> None:
    if "id" not in written:
        values["id"] = default_id
        if default_status is None:
            findings.warning(
                root,
                "id",
                f"id is missing and read as the file's name, {shown(default_id)}",
                f"add id: {default_id}",
            )
    at = written.get("id", root)
    if values.get("id") and not is_memory_id(values["id"]):
        findings.error(
            at if isinstance(at, Fields) else at.value,
            "id",
            f"{shown(values['id'])} cannot be an id",
            "write 3 to 100 of a-z 0-9 . _ - and begin with a letter or digit",
        )
    if "status" not in written:
        values["status"] = default_status or Status.CANDIDATE
        if default_status is None:
            findings.warning(
                root,
                "status",
                "status is missing and read as candidate",
                "add status: active or status: candidate",
            )
    if not values.get("summary", "").strip():
        _note_no_summary(root, values, findings)


def _note_no_summary(root: Fields, values: dict[str, Any], findings: Findings) -> None:
    values["summary"] = ""
    hint = "add summary: with the rule in one sentence"
    if values.get("origin.candidate"):
        findings.warning(
            root,
            "summary",
            f"no summary: the words lie in candidate {shown(values['origin.candidate'])}",
            hint,
        )
    else:
        findings.error(root, "summary", "summary is missing", hint)


def _memory(path: str, values: dict[str, Any], extra: Mapping[str, object], resolver: Resolver) -> Memory:
    groups: dict[str, dict[str, Any]] = {group: {} for group in spellings.GROUPS}
    top: dict[str, Any] = {}
    for name, value in values.items():
        group, dot, child = name.partition(".")
        if dot:
            groups[group][child] = value
        else:
            top[name] = value
    if top.get("approved_by") == "human":
        top.setdefault("validated_by", "human")
    kind = top.pop("kind", None)
    claim = top.pop("claim", None)
    return Memory(
        **{"type": None, **top, "status": Status(top["status"])},
        file=path,
        kind=Kind(kind) if kind else default_kind(top.get("type")),
        claim=Claim(claim) if claim else None,
        scope=Scope(**groups["scope"]),
        evidence=resolve_evidence(groups["evidence"], resolver),
        verification=Verification(**groups["verification"]),
        origin=Origin(**groups["origin"]),
        extra=extra,
    )


def default_kind(type_name: str | None) -> Kind:
    """The kind of a memory that names only its policy type (domain.md "What else loads")."""
    name = type_name or ""
    if name.endswith(("failure_pattern", "workaround")):
        return Kind.PITFALL
    if name.endswith(("rule", "constraint", "fix_pattern")):
        return Kind.CONVENTION
    return Kind.NOTE


def last_known_true(memory: Memory) -> datetime | date | None:
    """When the memory was last known true as far as its file says; None = the commit that brought it in says."""
    return memory.last_validated_at or memory.approved_at or memory.created_at


def spelling_of(path: str, data: bytes, field: str) -> tuple[str, ...] | None:
    """Where a file writes a field, in its own spelling, for an edit; None when it does not write it.

    Raises:
        InvalidDataError: The file is not readable.
    """
    root = read_yaml(path, data).root
    if not isinstance(root, Fields):
        return None
    for key, entry in root.entries.items():
        if _means(key) == field or (key in spellings.GROUPS and _whole_group_is(key, entry.value, field)):
            return (key,)
        if key in spellings.GROUPS and isinstance(entry.value, Fields):
            for inner in entry.value.entries:
                if _means(f"{key}.{inner}") == field:
                    return (key, inner)
    return None


def _means(written: str) -> str:
    name = spellings.SPELLINGS.get(written, written)
    return spellings.SAME_PLACE.get(name, name)


def _whole_group_is(group: str, node: Node, field: str) -> bool:
    return not isinstance(node, Fields) and not is_absent(node) and spellings.SCALAR_GROUPS[group] == field
