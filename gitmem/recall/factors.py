"""score = similarity × kind × freshness × usage × drift, and the three profiles of its constants (domain.md section 5)."""

from __future__ import annotations

from math import log2
from typing import NamedTuple

HALF_LIFE_DAYS = 45
DRIFT_FACTOR = 0.6
IGNORED_FACTOR = 0.75
IGNORED_SESSIONS = 5
"""Sessions that cite at all and were given a memory without ever citing it, after which it counts as ignored."""
MOST_USAGE = 1.8
_KINDS = {"pitfall": 3.0, "convention": 2.0, "note": 1.5, "session_outcome": 1.0}


class Profile(NamedTuple):
    """Constants of the score (recall.md, "The other factors").

    Args:
        name: As the policy writes it.
        least_freshness: Below which age alone never takes a memory.
        most_kind: What the heaviest kind is compressed to; None leaves the weights as they are.
        most_usage: What the most cited memory is compressed to.
        stretched: Whether cosines are scaled for each query and one place is kept for the best of them.
    """

    name: str
    least_freshness: float = 0.8
    most_kind: float | None = None
    most_usage: float = MOST_USAGE
    stretched: bool = True


PROFILES = {
    "default": Profile("default"),
    "classic": Profile("classic", least_freshness=0.0, stretched=False),
    "balanced": Profile("balanced", most_kind=1.15, most_usage=1.1),
}


class Usage(NamedTuple):
    """What sessions said of a memory.

    Args:
        citations: Sessions that cited it.
        ignored: Whether it was delivered in five or more citing sessions and never cited.
    """

    citations: int = 0
    ignored: bool = False


class Factors(NamedTuple):
    """What the similarity is multiplied by."""

    kind: float
    freshness: float
    usage: float
    drift: float

    @property
    def product(self) -> float:
        return self.kind * self.freshness * self.usage * self.drift


def kind_factor(kind: str, profile: Profile) -> float:
    """Weight of a kind; an unknown one weighs as a note."""
    weight = _KINDS.get(kind, _KINDS["note"])
    if profile.most_kind is None:
        return weight
    low, high = min(_KINDS.values()), max(_KINDS.values())
    return 1 + (profile.most_kind - 1) * (weight - low) / (high - low)


def freshness_factor(age_days: float, profile: Profile) -> float:
    """Halves every 45 days since the memory was last known true; a day in the future counts as today."""
    return float(max(profile.least_freshness, 0.5 ** (max(0.0, age_days) / HALF_LIFE_DAYS)))


def usage_factor(usage: Usage, profile: Profile) -> float:
    """Only citations raise; being delivered is circumstance."""
    if usage.citations <= 0:
        return IGNORED_FACTOR if usage.ignored else 1.0
    raised = min(MOST_USAGE, 1 + 0.25 * log2(1 + usage.citations))
    return min(profile.most_usage, 1 + (raised - 1) * (profile.most_usage - 1) / (MOST_USAGE - 1))


def factors(kind: str, age_days: float, usage: Usage, profile: Profile, *, challenged: bool) -> Factors:
    """All factors of one memory.

    Args:
        kind: Of the memory.
        age_days: Since it was last known true.
        usage: What sessions said of it.
        profile: The constants.
        challenged: Whether anything challenges it now.
    """
    drift = DRIFT_FACTOR if challenged else 1.0
    return Factors(
        kind_factor(kind, profile), freshness_factor(age_days, profile), usage_factor(usage, profile), drift
    )
