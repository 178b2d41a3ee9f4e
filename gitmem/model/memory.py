"""A memory: one fact with its scope, evidence and status, as its file says.

What the file claims and what git bears out are kept apart: approval is `gitmem.model.approval`, drift is
`gitmem.model.verdict`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from gitmem.model.validation import Baseline
from gitmem.model.watch import Watch

RETIRED_AT = "x-retired-at"
RETIRED_BECAUSE = "x-retired-because"
"""Fields that ``retire`` writes beside the status; kept in `Memory.extra`."""


class Kind(StrEnum):
    PITFALL = "pitfall"
    CONVENTION = "convention"
    NOTE = "note"
    SESSION_OUTCOME = "session_outcome"


class Status(StrEnum):
    CANDIDATE = "candidate"
    ACTIVE = "active"
    CHALLENGED = "challenged"
    DEPRECATED = "deprecated"
    ARCHIVED = "archived"
    DENIED = "denied"


class Claim(StrEnum):
    """What kind of statement the memory is, for drift (drift.md "The steps" 8 and `claim: presence`)."""

    CONTENT = "content"
    PRESENCE = "presence"
    NEGATIVE = "negative"


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a memory is delivered.

    Args:
        paths: Globs as written.
        exclude: Globs taken out of them.
        elements: Names from ``.ai/elements.yaml``.
        applies_to: Task domains.
        does_not_apply_to: Task domains where it must not be used (anti-scope).
        project: True for the word ``project``: delivered everywhere.
    """

    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    elements: tuple[str, ...] = ()
    applies_to: tuple[str, ...] = ()
    does_not_apply_to: tuple[str, ...] = ()
    project: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing says where the memory belongs, so that drift cannot check it."""
        return not (self.paths or self.elements or self.project)


@dataclass(frozen=True, slots=True)
class Evidence:
    tests: tuple[str, ...] = ()
    reviews: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    artifacts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verification:
    probe: str | None = None
    contract_version: str | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    run: str | None = None
    candidate: str | None = None
    source_events: tuple[str, ...] = ()
    failure_class: str | None = None
    failure_type: str | None = None
    root_cause: str | None = None
    imported: str | None = None
    system: str | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory as its file holds it, defaults filled in (domain.md section 2).

    Args:
        id: Equals the file's stem.
        file: Repository path of the file.
        kind: Given, or derived from the type.
        type: Policy type; None when the file names none.
        status: The file's own claim; ``approved`` was read as active.
        summary: The rule itself, one sentence.
        watch: As the author wrote it; None when gitmem derives it.
        claim: As the author wrote it; None when derived from the words.
        drift: ``strict`` or ``graded`` when the author wrote it.
        last_validated_at: As written in the file, never its default.
        baseline: A baseline block inside the memory file, when there is one.
        extra: Unknown fields, kept.
    """

    id: str
    file: str
    kind: Kind
    type: str | None
    status: Status
    summary: str
    title: str | None = None
    aliases: tuple[str, ...] = ()
    body: str | None = None
    scope: Scope = Scope()
    watch: tuple[Watch, ...] | None = None
    claim: Claim | None = None
    evidence: Evidence = Evidence()
    verification: Verification = Verification()
    origin: Origin = Origin()
    created_at: datetime | date | None = None
    created_by: str | None = None
    approved_at: datetime | date | None = None
    approved_by: str | None = None
    validated_by: str | None = None
    last_validated_at: datetime | date | None = None
    baseline: Baseline | None = None
    review_after: date | None = None
    expires_at: date | None = None
    challenged_at: datetime | date | None = None
    challenged_because: str | None = None
    drift: str | None = None
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    extra: Mapping[str, object] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Title, summary and body as one text, in paragraphs."""
        return "\n\n".join(part for part in (self.title, self.summary, self.body) if part)

    @property
    def label(self) -> str:
        """What a line about it starts with: the first element, else the title, else the first path, else the id."""
        named = self.scope.elements[:1] or ((self.title,) if self.title else ()) or self.scope.paths[:1]
        return named[0] if named else self.id
