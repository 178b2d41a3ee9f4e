"""One kind of secret, as a value."""

from __future__ import annotations

from typing import NamedTuple

WORD = r"(?<![A-Za-z0-9])"
END = r"(?![A-Za-z0-9])"

RANDOM = "random"
VALUE = "value"
STRICT = "strict"
COOKIE = "cookie"
MIXED = "mixed"
SAID = "said"


class Rule(NamedTuple):
    """One kind of secret.

    Args:
        kind: What replaces it says this.
        triggers: Folded words, one of which stands in every text that the pattern finds.
        pattern: Source of the regular expression.
        check: What a find must be besides (`gitmem.redaction.entropy`): `RANDOM`, by its looks; `VALUE`, anything but a
            placeholder; `STRICT`, of three classes of characters; `COOKIE`, one of its values random; `MIXED`, of small
            and capital letters and digits; `SAID`, of letters and digits in turns. Empty for nothing.
    """

    kind: str
    triggers: tuple[str, ...]
    pattern: str
    check: str = ""
