"""Candidates as tools hand them over: the fields of a memory file, as YAML or JSON, one or many."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from gitmem.errors import GitmemError
from gitmem.model.memory import Status
from gitmem.store.evidence import NoResolver, Resolver
from gitmem.store.field_reading import Findings, fault
from gitmem.store.json_reading import read_json_or_yaml
from gitmem.store.memories import Parsed, read_memory
from gitmem.store.yaml_reading import Document, Duplicate, Fields, Items, Node


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
    nodes = _candidate_nodes(document.root)
    begins = [(node.line, node.column) for node in nodes]
    outside = [one for one in document.duplicates if not begins or (one.line, one.column) < begins[0]]
    found = Findings(path)
    found.duplicates(Document(document.root, tuple(outside)))
    if found.has_error:
        return (Parsed(None, found.tuple()),)
    own: list[list[Duplicate]] = [[] for _ in nodes]
    for one in document.duplicates:
        own[bisect_right(begins, (one.line, one.column)) - 1].append(one)
    looked_up = resolver or NoResolver()
    return tuple(_candidate(path, node, some, looked_up) for node, some in zip(nodes, own, strict=True))


def _candidate_nodes(root: Node) -> tuple[Node, ...]:
    if isinstance(root, Fields) and "memory_candidates" in root.entries:
        root = root.entries["memory_candidates"].value
    return root.items if isinstance(root, Items) else (root,)


def _candidate(path: str, node: Node, duplicates: Sequence[Duplicate], resolver: Resolver) -> Parsed:
    findings = Findings(path)
    findings.duplicates(Document(node, tuple(duplicates)))
    memory = read_memory(node, findings, resolver, default_status=Status.CANDIDATE)
    return Parsed(None if findings.has_error else memory, findings.tuple(), node.line)
