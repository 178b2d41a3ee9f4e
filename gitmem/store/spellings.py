"""What else loads as which field of a memory (domain.md section 2, "What else loads"): one table.

Left is what may stand in a file, dotted below its parent; right is the one field it means. A field that two spellings
claim at once is an error, and nothing is rewritten.
"""

from __future__ import annotations

GROUPS = ("scope", "evidence", "verification", "origin")
"""Fields that hold fields."""

SPELLINGS = {
    "promotion_status": "status",
    "candidate_id": "id",
    "memory_id": "id",
    "proposed_memory": "summary",
    "content": "summary",
    "valid_for": "scope.applies_to",
    "not_valid_for": "scope.does_not_apply_to",
    "source": "evidence.source",
    "evidence_refs": "evidence.mixed",
    "evidence.test": "evidence.tests",
    "evidence.review": "evidence.reviews",
    "evidence.commit": "evidence.commits",
    "evidence.document": "evidence.documents",
    "evidence.artifact": "evidence.artifacts",
    "failure_class": "origin.failure_class",
    "failure_type": "origin.failure_type",
    "root_cause_summary": "origin.root_cause",
    "source_action_ids": "origin.source_events",
    "origin_candidate_id": "origin.candidate",
    "verification_contract_version": "verification.contract_version",
    "verification_probe_candidate": "verification.probe",
}
"""``evidence.source`` (documents, looked up) and ``evidence.mixed`` (a list, sorted by prefix) are never written."""

SCALAR_GROUPS = {
    "scope": "scope.paths",
    "evidence": "evidence.mixed",
    "verification": "verification.probe",
    "origin": "origin.system",
}
"""What a group means when it is one text or a list instead of a mapping."""

SAME_PLACE = {"evidence.source": "evidence.documents"}
"""Fields that fill another one's place: both at once are two spellings."""

KEPT = frozenset({"schema", "requires_human_review", "fixed_by", "similar_to", "conflicts"})
"""Fields of candidates that carry no rule: kept, never a problem."""

STATUS_WORDS = {"approved": "active"}

EVIDENCE_PREFIXES = {
    "test": "tests",
    "review": "reviews",
    "judge": "reviews",
    "commit": "commits",
    "doc": "documents",
    "artifact": "artifacts",
}

PARENTS = {
    **dict.fromkeys(("paths", "exclude", "elements", "applies_to", "does_not_apply_to", "project"), "scope"),
    **dict.fromkeys(("test", "tests", "review", "reviews", "commit", "commits"), "evidence"),
    **dict.fromkeys(("document", "documents", "artifact", "artifacts"), "evidence"),
    **dict.fromkeys(("probe", "contract_version"), "verification"),
    **dict.fromkeys(("run", "candidate", "source_events", "root_cause", "imported", "system"), "origin"),
    **dict.fromkeys(("marks", "algo", "tree"), "baseline"),
}
"""Fields that are no fields of the outermost level: what a flat paste loses."""
