"""A finding about a file: where it is, what is wrong, what cures it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One problem of one file; a value, so that one bad file never hides the others.

    Args:
        file: Repository path.
        line: From 1; 0 when the whole file is meant.
        column: From 1; 0 when the whole line is meant.
        field: Dotted name such as ``scope.paths``; empty when none is at fault.
        message: What is wrong, naming the value.
        hint: The cure; empty when the message holds it.
        severity: ``error`` when the file does not load, ``warning`` when it does.
    """

    file: str
    line: int
    column: int
    field: str
    message: str
    hint: str = ""
    severity: str = "error"
