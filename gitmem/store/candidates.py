"""Candidates as tools hand them over: the fields of a memory file, as YAML or JSON, one or many."""

from __future__ import annotations

from gitmem.errors import GitmemError
from gitmem.model.memory import Status
from gitmem.store.evidence import NoResolver, Resolver
from gitmem.store.field_reading import Findings, fault
from gitmem.store.json_reading import read_json_or_yaml
from gitmem.store.memories import Parsed, read_memory
from gitmem.store.yaml_reading import Fields, Items, Node


def parse_candidates(path: str, data: bytes, resolver: Resolver | None = None) -> tuple[Parsed, ...]:
    """Read one or many candidates, as YAML or JSON: a mapping, a list, or ``{"memory_candidates": [...]}``.

    Args:
        path: Name of the source, for problems.
        data: Its bytes.
        resolver: See `parse_memory`.

    Returns:
        One result for each; a candidate that names no id has the id "", one that names no status is a candidate.
    """
    try:
        document = read_json_or_yaml(path, data)
    except GitmemError as error:
        return (Parsed(None, (fault(path, error),)),)
    found = Findings(path)
    found.duplicates(document)
    if found.has_error:
        return (Parsed(None, found.tuple()),)
    return tuple(_candidate(path, node, resolver or NoResolver()) for node in _candidate_nodes(document.root))


def _candidate_nodes(root: Node) -> tuple[Node, ...]:
    if isinstance(root, Fields) and "memory_candidates" in root.entries:
        root = root.entries["memory_candidates"].value
    return root.items if isinstance(root, Items) else (root,)


def _candidate(path: str, node: Node, resolver: Resolver) -> Parsed:
    findings = Findings(path)
    memory = read_memory(node, findings, resolver, default_status=Status.CANDIDATE)
    return Parsed(None if findings.has_error else memory, findings.tuple())
