"""What a look over the set-up found, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gitmem.report.look import Look, Span
from gitmem.report.sanitise import prose, visible
from gitmem.usecases.doctor import Check


def doctor_document(checks: Sequence[Check]) -> dict[str, object]:
    """``{"ok", "checks": [{"check", "ok", "detail", "cure"}]}``."""
    return {"ok": all(one.ok for one in checks), "checks": [one._asdict() for one in checks]}


def doctor_lines(checks: Sequence[Check], look: Look) -> Iterator[str]:
    """A line for each check, and its cure below it."""
    wide = max((len(one.check) for one in checks), default=0)
    for one in checks:
        mark = Span("ok  ", "green") if one.ok else Span("fix ", "bold red")
        yield look.line(mark, f"{visible(one.check):<{wide}}  {prose(one.detail)}")
        if one.cure:
            yield look.line(f"    {'':<{wide}}  ", Span(f"→ {prose(one.cure)}", "dim" if one.ok else ""))
    wrong = sum(not one.ok for one in checks)
    yield look.line(Span(f"{wrong} to fix" if wrong else "nothing to fix", "red" if wrong else "green"))
