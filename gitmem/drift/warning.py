"""The warning that travels with a challenged memory, in words an agent reads (domain.md section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from gitmem.model.verdict import CHALLENGING, Finding, Verdict, percentage

NAMED_FINDINGS = 2


def drift_warning(verdict: Verdict, findings: Sequence[Finding], *, inferred: bool = False) -> str:
    """``VERIFY — the code under this changed since it was validated: …``; empty when nothing challenges.

    Args:
        verdict: On the memory.
        findings: What led to it.
        inferred: Whether nobody validated it, so that it is judged from where it was written.
    """
    if verdict not in CHALLENGING:
        return ""
    bad = [found for found in findings if found.verdict in CHALLENGING] or list(findings[:1])
    said = "; ".join(_piece(found) for found in bad[:NAMED_FINDINGS])
    rest = f" and {len(bad) - NAMED_FINDINGS} more" if len(bad) > NAMED_FINDINGS else ""
    return f"VERIFY — the code under this changed since it was {'written' if inferred else 'validated'}: {said}{rest}"


def _piece(found: Finding) -> str:
    parts = [found.reason if not found.path or found.path in found.reason else f"{found.path} {found.reason}"]
    share = percentage(found.share)
    if share and share not in found.reason:
        parts[0] += f" ({share} of its lines)"
    if found.commits:
        parts.append("1 commit" if found.commits == 1 else f"{found.commits} commits")
    if found.commit and found.at:
        parts.append(f"last {found.at[:10]} by {found.author}")
    return ", ".join(parts)


def due_warning(what: str, due: date | str) -> str:
    """``VERIFY — review was due 2026-10-13`` or the same for an expiry."""
    return f"VERIFY — {what} {due}"


def mark_warning(because: str | None) -> str:
    """The warning of a memory that somebody challenged by hand or by ``--mark``."""
    return f"VERIFY — challenged: {because}" if because else "VERIFY — challenged"
