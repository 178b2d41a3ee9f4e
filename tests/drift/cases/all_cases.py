"""All 26 cases, in the order of the collection: falsified, moved, untouched in substance."""

from __future__ import annotations

from tests.drift.cases.case import Case
from tests.drift.cases.falsified import FALSIFIED
from tests.drift.cases.held import HELD

CASES: tuple[Case, ...] = (*FALSIFIED, *HELD)
