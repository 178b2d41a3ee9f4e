"""What the promotion gate judges: a lesson, the policy, and the facts that the repository and the ledger bear out.

Facts are resolved before any rule runs (`gitmem.usecases.gate`); a rule reads them and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from gitmem.model.memory import Memory
from gitmem.model.policy import MemoryPolicy
from gitmem.model.verdict import Verdict
from gitmem.promotion.similarity import Band

_ALWAYS_PASSES = re.compile(
    r"^\s*(?:(?:/(?:usr/)?bin/)?true|:|exit\s+0|echo\b[^|;&]*|printf\b[^|;&]*)\s*$"
    r"|(?:\|\||;|\n)\s{0,40}(?:(?:/(?:usr/)?bin/)?true|:|exit\s+0|echo\b[^|;&]*)\s*+(?:;\s*+)?$"
)
"""Commands that end well whatever happened."""


class Source(StrEnum):
    """What evidence may come from, as the policy names it."""

    PASSING_TEST = "passing_test"
    ACCEPTED_REVIEW = "accepted_review"
    MERGED_DIFF = "merged_diff"
    DOCUMENT = "official_project_document"
    ARTIFACT = "artifact"


@dataclass(frozen=True, slots=True)
class Proof:
    """One evidence reference, looked up.

    Args:
        source: What kind of evidence it would be.
        reference: As written.
        exists: Whether it is there; None when this clone cannot tell.
        counts: Whether it bears the lesson out as its source asks.
        said: What was found, one clause.
        cure: What would make it count; empty when it does.
    """

    source: Source
    reference: str
    exists: bool | None
    counts: bool = False
    said: str = ""
    cure: str = ""


@dataclass(frozen=True, slots=True)
class SourceEvent:
    """An event that the lesson says it comes from, as the ledger has it.

    Args:
        reference: As written.
        type: Its type; empty when the ledger here does not have it.
        failure_class: What it recorded.
        actor: Who told it.
        code: The commit that HEAD named then.
    """

    reference: str
    type: str = ""
    failure_class: str = ""
    actor: str = ""
    code: str | None = None


class Known(StrEnum):
    """What the known statement is."""

    APPROVED = "approved"
    CANDIDATE = "candidate"
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class Alike:
    """A known statement that is near the lesson.

    Args:
        id: Of the memory or candidate.
        known: What it is.
        band: How the lesson stands to it.
        differs: For people, what differs.
        told: Of a denied one, who denied it, when and why.
        answered: How a person answered the conflict (superseded, both_hold); empty while nobody did.
        says: Its own words.
    """

    id: str
    known: Known
    band: Band
    differs: str = ""
    told: str = ""
    answered: str = ""
    says: str = ""


@dataclass(frozen=True, slots=True)
class Replay:
    """The newest recorded replay of exactly these words.

    Args:
        verdict: ``strong`` (failed before the fix, passes after), ``passed``, ``failed`` or ``unknown``.
        told: What ran where, one clause.
    """

    verdict: str
    told: str = ""

    @property
    def has_passed(self) -> bool:
        return self.verdict in {"strong", "passed"}


@dataclass(frozen=True, slots=True)
class Facts:
    """What the repository and the ledger say.

    Args:
        today: The day to judge dates at.
        proofs: Every evidence reference, looked up.
        events: Every source event, looked up.
        matched: How many paths the scope matches today; None when there is nothing to match or no path in it.
        unknown_elements: Elements of the scope that the elements file does not name.
        verdict: What drift says of it since its source events; None when that cannot be told.
        drifted: What changed, one clause.
        masked: Kinds of secrets that the masker finds in the text, with how many.
        transient: Paths named in the text that git ignores.
        alike: Known statements near it.
        replay: The newest replay of exactly these words.
        merged: Whether the trusted branch holds exactly this already, so that a person approved it.
        claims: What the file says about its approval and history does not bear out.
        rivals: Other proposals with its id, or for the candidate that it comes from.
    """

    today: date
    proofs: tuple[Proof, ...] = ()
    events: tuple[SourceEvent, ...] = ()
    matched: int | None = None
    unknown_elements: tuple[str, ...] = ()
    verdict: Verdict | None = None
    drifted: str = ""
    masked: Mapping[str, int] = field(default_factory=dict)
    transient: tuple[str, ...] = ()
    alike: tuple[Alike, ...] = ()
    replay: Replay | None = None
    merged: bool = False
    claims: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One lesson before the gate.

    Args:
        memory: What it says.
        policy: The policy that counts.
        facts: What was looked up.
        actor: Who proposed it; empty for a file.
        requires_human_review: Whether its author says that a person must look.
        is_file: Whether it is a memory file, which nobody completes any more.
    """

    memory: Memory
    policy: MemoryPolicy
    facts: Facts
    actor: str = ""
    requires_human_review: bool = False
    is_file: bool = False

    @property
    def type(self) -> str:
        return self.memory.type or ""

    @property
    def text(self) -> str:
        """Everything that a reader of the memory would read as its words."""
        return self.memory.text

    @property
    def delivered(self) -> str:
        """Everything of it that is put before an agent, the probe and the domains included."""
        memory = self.memory
        beside = (memory.verification.probe, memory.origin.root_cause, *memory.aliases)
        where = (*memory.scope.applies_to, *memory.scope.does_not_apply_to, *memory.scope.elements)
        return "\n".join(part for part in (memory.text, *beside, *where) if part)

    @property
    def probe_can_fail(self) -> bool:
        """Whether its probe, or the policy's command of that name, may say no at all."""
        probe = self.memory.verification.probe or ""
        return _ALWAYS_PASSES.search(self.policy.probes.get(probe, probe)) is None

    @property
    def has_replayed(self) -> bool:
        """Whether a replay of exactly these words passed, by a probe that could have failed."""
        replay = self.facts.replay
        return (
            replay is not None and replay.has_passed and (self.probe_can_fail or replay.verdict == "strong")
        )

    @property
    def is_persons(self) -> bool:
        """Whether it is a person's own lesson; an agent that says so is not believed."""
        return self.memory.origin.system == "human" and self.actor in {"", "human"}

    @property
    def is_failure_born(self) -> bool:
        """Whether it tells a lesson from a failure: it names a failure class or type, or its type is a failure's."""
        origin = self.memory.origin
        return bool(origin.failure_class or origin.failure_type) or self.type.endswith(
            ("failure_pattern", "fix_pattern")
        )

    def asks(self, rule: str) -> bool:
        """Whether the policy names a rule, among what it denies, rejects or requires."""
        policy = self.policy
        return rule in {*policy.deny, *policy.promotion.reject_if, *policy.promotion.require}

    def has_proof(self, source: Source) -> bool:
        """Whether some evidence of a source counts."""
        return any(one.counts and one.source is source for one in self.facts.proofs)
