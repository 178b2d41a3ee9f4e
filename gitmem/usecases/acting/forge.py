"""What the checks ask a forge: few questions, answered over the network by `gitmem.action.rest`, or by nobody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from gitmem.errors import GitmemError
from gitmem.trust.reviews import Review


class ForgeError(GitmemError):
    """The forge cannot be asked, or refuses; what it would have told is unknown then."""

    kind = "forge"
    exit_code = 4


class Forge(Protocol):
    """A forge, for one repository. Every method raises `ForgeError` when it does not answer."""

    def reviews(self, number: int) -> Sequence[Review]:
        """Every review of a pull request, oldest first."""

    def authors(self, number: int) -> Sequence[str]:
        """Logins of who opened a pull request and of who wrote its commits, merges aside."""

    def may_write(self, login: str) -> bool | None:
        """Whether a person has write access; None when this token may not know."""

    def pulls_of(self, commit: str) -> Sequence[int]:
        """Numbers of the merged pull requests that brought a commit."""
