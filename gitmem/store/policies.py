"""Policy files below ``.ai/policies``: small YAML (`gitmem.store.yaml_reading`) with ``version: 1``.

``memory-policy.yaml``: ``durable_memory`` (allow, deny: lists), ``require_evidence`` and ``evidence_sources`` (lists) and
``retention`` (type: ``180d``, ``2w`` or ``permanent``) under ``durable_memory`` or at the top, not both; ``promotion``
(require, reject_if, auto: lists); ``drift.challenge_on`` (verdicts); ``recall.profile``; ``probes`` (name: command);
``trust.require_review`` (true or false); ``budgets`` (name: number).

``compaction-policy.yaml``: inject, summarize, archive_only (lists), limits (max_injected_files,
max_log_tail_characters, max_previous_attempts: numbers).

``routes.yaml``: ``routes``, for each domain ``include`` (paths or globs relative to ``.ai/``).

An absent file or field means the default of `gitmem.model.policy`; an empty list means none. Another version is an
error; an unknown field is a warning. A file with an error gives no policy: who needs one refuses to guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from gitmem.errors import GitmemError
from gitmem.model.policy import (
    ALLOWED_TYPES,
    DENY_RULES,
    EVIDENCE_SOURCES,
    PERMANENT,
    PROFILES,
    REJECT_RULES,
    REQUIRE_RULES,
    CompactionPolicy,
    MemoryPolicy,
    Promotion,
    Routes,
)
from gitmem.model.problem import Problem
from gitmem.model.verdict import Verdict
from gitmem.store.field_reading import (
    Findings,
    did_you_mean,
    fault,
    is_absent,
    read_flag,
    read_mapping,
    read_number,
    read_text,
    read_texts,
    read_word,
    read_words,
    shown,
)
from gitmem.store.table_reading import Table, read_table
from gitmem.store.yaml_reading import Document, Entry, Fields, Node, read_yaml

MEMORY_POLICY = ".ai/policies/memory-policy.yaml"
COMPACTION_POLICY = ".ai/policies/compaction-policy.yaml"
ROUTES = ".ai/policies/routes.yaml"
_DURATION = re.compile(r"([1-9][0-9]{0,4})([dw])")


class ParsedMemoryPolicy(NamedTuple):
    policy: MemoryPolicy | None
    problems: tuple[Problem, ...] = ()


class ParsedCompactionPolicy(NamedTuple):
    policy: CompactionPolicy | None
    problems: tuple[Problem, ...] = ()


class ParsedRoutes(NamedTuple):
    routes: Routes | None
    problems: tuple[Problem, ...] = ()


def _rules(known: tuple[str, ...]) -> Callable[[Node, Findings, str], tuple[str, ...]]:
    return lambda node, findings, field: read_words(node, findings, field, known)


def _verdicts(node: Node, findings: Findings, field: str) -> frozenset[Verdict]:
    known = tuple(str(verdict) for verdict in Verdict if verdict is not Verdict.FRESH)
    return frozenset(Verdict(word) for word in read_words(node, findings, field, known))


def _profile(node: Node, findings: Findings, field: str) -> str | None:
    return read_word(node, findings, field, PROFILES)


def _retention(node: Node, findings: Findings, field: str) -> Mapping[str, timedelta | None] | None:
    fields = read_mapping(node, findings, field)
    if fields is None:
        return None
    kept: dict[str, timedelta | None] = {}
    for key, entry in fields.entries.items():
        word = read_text(entry.value, findings, f"{field}.{key}")
        if word is None:
            continue
        try:
            kept[key] = parse_duration(word)
        except ValueError as error:
            findings.error(
                entry.value, f"{field}.{key}", str(error), "write a number of days such as 180d, or permanent"
            )
    return kept


def parse_duration(text: str) -> timedelta | None:
    """``180d``, ``26w`` or ``permanent`` (None).

    Raises:
        ValueError: Another form.
    """
    if text == "permanent":
        return PERMANENT
    found = _DURATION.fullmatch(text)
    if not found:
        raise ValueError(f"{shown(text)} is no duration")
    return timedelta(days=int(found[1]) * (7 if found[2] == "w" else 1))


def _commands(node: Node, findings: Findings, field: str) -> Mapping[str, str] | None:
    fields = read_mapping(node, findings, field)
    if fields is None:
        return None
    texts = {key: read_text(entry.value, findings, f"{field}.{key}") for key, entry in fields.entries.items()}
    return {key: text for key, text in texts.items() if text is not None}


def _numbers(node: Node, findings: Findings, field: str) -> Mapping[str, int] | None:
    fields = read_mapping(node, findings, field)
    if fields is None:
        return None
    numbers = {
        key: read_number(entry.value, findings, f"{field}.{key}") for key, entry in fields.entries.items()
    }
    return {key: number for key, number in numbers.items() if number is not None}


MEMORY_TABLE = Table(
    {
        "durable_memory.allow": read_texts,
        "durable_memory.deny": _rules(DENY_RULES),
        "durable_memory.require_evidence": read_texts,
        "durable_memory.evidence_sources": _rules(EVIDENCE_SOURCES),
        "durable_memory.retention": _retention,
        "promotion.require": _rules(REQUIRE_RULES),
        "promotion.reject_if": _rules(REJECT_RULES),
        "promotion.auto": read_texts,
        "drift.challenge_on": _verdicts,
        "recall.profile": _profile,
        "probes": _commands,
        "trust.require_review": read_flag,
        "budgets": _numbers,
    },
    either=frozenset({"require_evidence", "evidence_sources", "retention"}),
)
COMPACTION_TABLE = Table(
    {
        "inject": read_texts,
        "summarize": read_texts,
        "archive_only": read_texts,
        "limits.max_injected_files": read_number,
        "limits.max_log_tail_characters": read_number,
        "limits.max_previous_attempts": read_number,
    }
)


def parse_memory_policy(path: str, data: bytes) -> ParsedMemoryPolicy:
    """Read ``memory-policy.yaml``.

    Args:
        path: Repository path of the file.
        data: Its bytes.
    """
    findings = Findings(path)
    document = _document(findings, data)
    if document is None:
        return ParsedMemoryPolicy(None, findings.tuple())
    root = _retention_in_place(document.root, findings)
    values = read_table(root, MEMORY_TABLE, findings)
    if findings.has_error:
        return ParsedMemoryPolicy(None, findings.tuple())
    named = {name.rpartition(".")[2]: value for name, value in values.items()}
    promotion = {key: named.pop(key) for key in ("require", "reject_if", "auto") if key in named}
    return ParsedMemoryPolicy(MemoryPolicy(**named, promotion=Promotion(**promotion)), findings.tuple())


def _document(
    findings: Findings, data: bytes, duplicate_hint: Callable[[str], str] = lambda _key: ""
) -> Document | None:
    try:
        document = read_yaml(findings.path, data)
    except GitmemError as error:
        findings.problems.append(fault(findings.path, error))
        return None
    findings.duplicates(document, duplicate_hint)
    return document


def _retention_in_place(root: Node, findings: Findings) -> Node:
    """The root without the types that a flat paste leaves at the top, each noted."""
    if not isinstance(root, Fields):
        return root
    misplaced = [key for key, entry in root.entries.items() if _is_retention(key, entry)]
    for key in misplaced:
        findings.error(root.entries[key], key, f"{key} belongs under retention – indent it")
    return root._replace(entries={key: entry for key, entry in root.entries.items() if key not in misplaced})


def _is_retention(key: str, entry: Entry) -> bool:
    value = getattr(entry.value, "value", None)
    is_duration = isinstance(value, str) and (value == "permanent" or _DURATION.fullmatch(value) is not None)
    return key != "version" and (key in ALLOWED_TYPES or is_duration)


def parse_compaction_policy(path: str, data: bytes) -> ParsedCompactionPolicy:
    """Read ``compaction-policy.yaml``; arguments as `parse_memory_policy`."""
    findings = Findings(path)
    document = _document(findings, data)
    values = read_table(document.root, COMPACTION_TABLE, findings) if document else {}
    if findings.has_error:
        return ParsedCompactionPolicy(None, findings.tuple())
    named: dict[str, Any] = {name.rpartition(".")[2]: value for name, value in values.items()}
    return ParsedCompactionPolicy(CompactionPolicy(**named), findings.tuple())


def parse_routes(path: str, data: bytes) -> ParsedRoutes:
    """Read ``routes.yaml``; arguments as `parse_memory_policy`."""
    findings = Findings(path)
    hint = "include belongs under its domain – indent it"
    document = _document(findings, data, lambda key: hint if key == "include" else "")
    if document is None or not isinstance(document.root, Fields):
        if document and not is_absent(document.root):
            findings.error(document.root, "", "routes.yaml is a mapping", "begin with routes:")
        return ParsedRoutes(None if findings.has_error else Routes(), findings.tuple())
    entries = document.root.entries
    for key, entry in entries.items():
        if key == "include":
            findings.error(entry, key, hint)
        elif key not in {"routes", "version"} and not key.startswith("x-"):
            findings.error(entry, key, f"{shown(key)} belongs under routes – indent it")
    read_table(
        document.root._replace(entries={k: e for k, e in entries.items() if k == "version"}),
        _VERSIONED,
        findings,
    )
    domains = _domains(entries["routes"].value, findings) if "routes" in entries else {}
    return ParsedRoutes(None if findings.has_error else Routes(domains), findings.tuple())


_VERSIONED = Table({}, needs_version=False)


def _domains(node: Node, findings: Findings) -> dict[str, tuple[str, ...]]:
    domains: dict[str, tuple[str, ...]] = {}
    fields = read_mapping(node, findings, "routes")
    for key, entry in fields.entries.items() if fields else ():
        name = f"routes.{key}"
        route = read_mapping(entry.value, findings, name)
        domains[key] = ()
        for inner, child in route.entries.items() if route else ():
            if inner == "include":
                domains[key] = read_texts(child.value, findings, f"{name}.include")
            elif not inner.startswith("x-"):
                findings.warning(
                    child,
                    f"{name}.{inner}",
                    f"unknown field {shown(inner)} in {name}",
                    did_you_mean(inner, ["include"]),
                )
    return domains
