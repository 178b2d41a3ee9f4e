"""The policies of a repository as values, with what counts when a file or a field is absent (domain.md sections 1 and 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from gitmem.model.verdict import CHALLENGING, Verdict

ALLOWED_TYPES = (
    "architecture_rule",
    "security_rule",
    "verified_failure_pattern",
    "verified_fix_pattern",
    "module_constraint",
    "team_workflow_rule",
    "temporary_workaround",
)
DENY_RULES = (
    "raw_chat_history",
    "unverified_guess",
    "full_build_log",
    "temporary_file_path",
    "personal_opinion",
    "duplicated_note",
)
EVIDENCE_SOURCES = ("passing_test", "accepted_review", "merged_diff", "official_project_document")
REQUIRE_RULES = (
    "evidence",
    "no_conflict_with_existing_memory",
    "accepted_review",
    "human_approval_for_architecture_rules",
)
REJECT_RULES = (
    "unverified_guess",
    "one_off_workaround",
    "user_specific_secret",
    "duplicated_memory",
    "stale_rule",
)
PROFILES = ("default", "classic", "balanced")
STRICT_TYPES = frozenset({"architecture_rule", "security_rule"})
"""Types whose memories every substantive change in scope challenges, unless the memory says otherwise (drift.md)."""

PERMANENT = None
"""Retention of a type whose memories are never due for review by age alone."""

_RETENTION: Mapping[str, timedelta | None] = {
    "architecture_rule": PERMANENT,
    "module_constraint": PERMANENT,
    "verified_fix_pattern": timedelta(days=180),
    "temporary_workaround": timedelta(days=14),
}


@dataclass(frozen=True, slots=True)
class Promotion:
    """What a candidate needs, what refuses it, and the types whose proposal opens without asking."""

    require: tuple[str, ...] = REQUIRE_RULES
    reject_if: tuple[str, ...] = REJECT_RULES
    auto: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryPolicy:
    """``.ai/policies/memory-policy.yaml``.

    Args:
        allow: Types that may become durable memory.
        deny: Rules about the text of what must not.
        require_evidence: Types that need evidence.
        evidence_sources: What counts as evidence.
        retention: For each type how long until review is due; None = permanent; a type not named here has no due date.
        promotion: The gate.
        challenge_on: Verdicts that challenge a memory.
        profile: Recall's constants.
        probes: Named commands, for ``verification.probe``.
        require_review: Whether content that came to the trusted branch without review counts as unmerged.
        budgets: Named limits, in tokens or counts.
    """

    allow: tuple[str, ...] = ALLOWED_TYPES
    deny: tuple[str, ...] = DENY_RULES
    require_evidence: tuple[str, ...] = ("verified_failure_pattern", "verified_fix_pattern")
    evidence_sources: tuple[str, ...] = EVIDENCE_SOURCES
    retention: Mapping[str, timedelta | None] = field(default_factory=lambda: _RETENTION)
    promotion: Promotion = Promotion()
    challenge_on: frozenset[Verdict] = CHALLENGING
    profile: str = "default"
    probes: Mapping[str, str] = field(default_factory=dict)
    require_review: bool = False
    budgets: Mapping[str, int] = field(default_factory=dict)

    def due(self, type_name: str | None, known_true: date) -> date | None:
        """When a memory of this type, last known true on a day, is due for review; None = never by age."""
        kept = self.retention.get(type_name or "")
        return None if kept is None else known_true + kept


INJECTED = ("current_handoff", "current_plan", "current_diff_stat", "latest_failure", "approved_memory")
SUMMARIZED = ("previous_attempts", "previous_reviews", "long_tool_outputs")
ARCHIVED = ("full_build_logs", "previous_diffs", "raw_agent_transcripts")


@dataclass(frozen=True, slots=True)
class CompactionPolicy:
    """``.ai/policies/compaction-policy.yaml``: what a context receives; the originals stay in the ledger."""

    inject: tuple[str, ...] = INJECTED
    summarize: tuple[str, ...] = SUMMARIZED
    archive_only: tuple[str, ...] = ARCHIVED
    max_injected_files: int = 10
    max_log_tail_characters: int = 6000
    max_previous_attempts: int = 3


@dataclass(frozen=True, slots=True)
class Routes:
    """``.ai/policies/routes.yaml``: for each task domain the paths or globs, relative to ``.ai/``, that it reads."""

    domains: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
