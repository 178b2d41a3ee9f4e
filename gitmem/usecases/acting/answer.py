"""What the Action found: plain values, for its reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from gitmem.model.verdict import DriftReport, Judgement, Verdict
from gitmem.promotion.ruling import GateDecision
from gitmem.trust.reviews import Reviewed
from gitmem.usecases.acting.occasion import Occasion
from gitmem.usecases.gate import Gated


@dataclass(frozen=True, slots=True)
class Doubt:
    """A memory that is challenged, with both sides.

    Args:
        judgement: The verdict with its evidence.
        body: What the memory says below its sentence.
        patch: What changed under it, a unified patch for display; empty when it cannot be shown.
        token: Names exactly this evidence for `gitmem confirm`; empty when that asks for none.
        dated: Whether the change also edits its date, which counts for nothing beside the code (drift.md, fallback 4).
    """

    judgement: Judgement
    body: str | None
    patch: str
    token: str
    dated: bool = False


class Settled(NamedTuple):
    """A memory that a change would challenge and answers itself.

    Args:
        judgement: What the change does to it.
        how: How it is answered, one clause.
    """

    judgement: Judgement
    how: str


class Proposed(NamedTuple):
    """A memory file that a change proposes.

    Args:
        gated: What the gate says, the review counted.
        reviewed: What the reviews of the pull request say; None where there is no pull request to review.
    """

    gated: Gated
    reviewed: Reviewed | None


class Arrived(NamedTuple):
    """A memory file whose words came to the default branch with a push, or that a push removed.

    Args:
        file: Its path.
        commit: The commit that brought it; None when history here does not tell.
        by: Who brought it, or who reviewed it.
        review: ``reviewed`` by trailer or pull request, ``direct`` without, ``unknown`` when it could not be asked.
        why: What is in the way, one clause.
        doubt: Why history alone leaves it as good as unmerged (domain.md section 2): ``unreviewed`` where the policy asks for
            a review, ``bot`` where a bot alone brought it; empty when it counts.
        removed: Whether it was removed, or is the newest validation of a memory and was taken away.
    """

    file: str
    commit: str | None
    by: str
    review: Literal["reviewed", "direct", "unknown"]
    why: str = ""
    doubt: str = ""
    removed: bool = False

    @property
    def approved(self) -> Literal["yes", "no", "unknown"]:
        """Whether it is approved, as the policy goes by what history and the forge tell."""
        if self.review == "reviewed" or not self.doubt:
            return "yes"
        return "no" if self.review == "direct" else "unknown"


class Marked(NamedTuple):
    """Memories marked as challenged by a commit of the Action's own.

    Args:
        files: The files.
        commit: The commit.
        refused: Why the server did not take it; empty when it did.
    """

    files: tuple[str, ...]
    commit: str
    refused: str = ""


@dataclass(frozen=True, slots=True)
class ActionAnswer:
    """Everything that one run found.

    Args:
        occasion: Why it ran.
        head: The commit that was judged.
        since: Where a change begins; None for a branch.
        report: What annotations and SARIF tell: what the change touches, or the whole branch.
        doubts: What is challenged, worst first; by a change only what that change challenges.
        settled: What the change challenges and answers itself.
        elsewhere: How many memories were challenged before this change already.
        proposed: Memory files of the change.
        removed: Memory files that the change removes, and the newest validations that it takes from memories.
        unagreed: Those of them that no review approves.
        arrived: Memory files that a push brought or removed.
        require_review: Whether the policy asks for a review of what is merged.
        eased: What the change edits of what the check itself reads, and where that is looser, in words.
        gate_failed: Why the gate could not judge; empty when it could.
        marked: The mark, when it was asked for and something was to mark.
        remarks: Said once: what could not be checked or asked.
    """

    occasion: Occasion
    head: str
    since: str | None
    report: DriftReport
    doubts: tuple[Doubt, ...] = ()
    settled: tuple[Settled, ...] = ()
    elsewhere: int = 0
    proposed: tuple[Proposed, ...] = ()
    removed: tuple[str, ...] = ()
    unagreed: tuple[str, ...] = ()
    arrived: tuple[Arrived, ...] = ()
    require_review: bool = False
    eased: tuple[str, ...] = ()
    gate_failed: str = ""
    marked: Marked | None = None
    remarks: tuple[str, ...] = ()

    @property
    def unchecked(self) -> int:
        """How many memories could not be checked."""
        return sum(one.verdict is Verdict.UNKNOWN and not one.course for one in self.report.telling)

    @property
    def unconfirmed(self) -> tuple[Judgement, ...]:
        """Memories whose words the change brings and nobody confirmed in it, and which its merge makes doubtful."""
        return tuple(one for one in self.report.telling if one.course == "unconfirmed")

    @property
    def touched(self) -> tuple[Judgement, ...]:
        """What a change touches of what is approved, without what it merely reformats."""
        quiet = {Verdict.FRESH, Verdict.COSMETIC, Verdict.UNKNOWN}
        approved = (one for one in self.report.telling if not one.proposed)
        return tuple(one for one in approved if one.verdict not in quiet)

    @property
    def refused(self) -> tuple[Proposed, ...]:
        """Proposed files that must not become knowledge as they are: the gate refuses them, or cannot read them."""
        return tuple(one for one in self.proposed if one.gated.decision is GateDecision.REFUSE)

    @property
    def unapproved(self) -> tuple[Proposed, ...]:
        """Proposed files that no review approves."""
        reviewed = [one for one in self.proposed if one.reviewed is not None]
        return tuple(one for one in reviewed if one.reviewed and one.reviewed.state != "approved")

    @property
    def unreviewed(self) -> tuple[Arrived, ...]:
        """Files that came to the default branch without an approving review."""
        return tuple(one for one in self.arrived if one.review == "direct")

    @property
    def unasked(self) -> tuple[Arrived, ...]:
        """Files that came to the default branch, and nobody could be asked whether they were reviewed."""
        return tuple(one for one in self.arrived if one.review == "unknown")

    @property
    def uncounted(self) -> tuple[Arrived, ...]:
        """Files of the default branch that are not approved for all that is known."""
        return tuple(one for one in self.arrived if one.approved != "yes")

    @property
    def is_quiet(self) -> bool:
        """Whether there is nothing that a person need read."""
        told = (
            self.doubts,
            self.settled,
            self.unconfirmed,
            self.proposed,
            self.removed,
            self.unreviewed,
            self.uncounted,
            self.eased,
        )
        return not (any(told) or self.gate_failed or self.report.problems)


Failing = Literal["challenged", "refused", "unapproved", "unreviewed", "unchecked", "unconfirmed"]


def failures(answer: ActionAnswer, wanted: frozenset[str]) -> tuple[str, ...]:
    """Which of the wanted conditions hold, so that the check is red.

    Args:
        answer: What was found.
        wanted: Names of conditions (`Failing`).
    """
    holds = {
        "challenged": bool(answer.doubts),
        "refused": bool(answer.refused or answer.gate_failed),
        "unapproved": bool(answer.unapproved or answer.unagreed or answer.uncounted),
        "unreviewed": bool(answer.unreviewed),
        "unchecked": bool(answer.unchecked or answer.report.problems),
        "unconfirmed": bool(answer.unconfirmed),
    }
    return tuple(name for name, is_so in holds.items() if is_so and name in wanted)
