"""The words in which evidence of drift is told, the same in text, Markdown and `--explain`.

Every function returns text as the report holds it, not yet sanitised: the face of each format does that.
"""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.model.verdict import Finding, Judgement, Verdict, percentage, telling

_WHY = {
    Verdict.FRESH: "nothing it rests on differs from the baseline",
    Verdict.COSMETIC: "only formatting, comments, docstrings or ignored revisions differ",
    Verdict.RELOCATED: "all of it was found elsewhere, its content the same",
    Verdict.TOUCHED: "code around it changed, what it rests on did not or only softly",
    Verdict.CHANGED: "something it rests on changed in substance",
    Verdict.REWRITTEN: "over 60% of what it rests on was replaced, or its path now holds something else",
    Verdict.GONE: "something it rests on was deleted and not found elsewhere",
    Verdict.UNKNOWN: "it could not be checked",
}
_WHY_CHALLENGED = {
    "review": "its review date has passed",
    "expiry": "it has expired",
    "mark": "it was marked as challenged and not confirmed since",
}
_WORD = {"expiry": "EXPIRED", "review": "REVIEW", "mark": "MARKED"}


def headword(judgement: Judgement) -> str:
    """The word that a line about the memory starts with: its verdict, what else challenges it, or its course in a range."""
    if judgement.course:
        return judgement.course.upper()
    if (
        judgement.status == "challenged"
        and judgement.challenged_by
        and "drift" not in judgement.challenged_by
    ):
        return next((_WORD[cause] for cause in _WORD if cause in judgement.challenged_by), "VERIFY")
    return judgement.verdict.upper()


def statement(judgement: Judgement) -> str:
    """Label and sentence, the label left out when it says nothing more."""
    if not judgement.label or judgement.label in (judgement.id, judgement.summary):
        return judgement.summary
    return f"{judgement.label} – {judgement.summary}"


def why(judgement: Judgement) -> list[str]:
    """Reasons for verdict and status in whole words, what decides the status first."""
    others = [_WHY_CHALLENGED[cause] for cause in judgement.challenged_by if cause in _WHY_CHALLENGED]
    code = _WHY[judgement.verdict]
    return [*others, f"of the code itself, {code}"] if others and not _drifted(judgement) else [code, *others]


def _drifted(judgement: Judgement) -> bool:
    return "drift" in judgement.challenged_by or not judgement.challenged_by


def place(finding: Finding) -> str:
    """Where it happened: path, and where it went."""
    moved = f" → {finding.new_path}" if finding.new_path and finding.new_path != finding.path else ""
    return f"{finding.path or ''}{moved}"


def watched_name(finding: Finding) -> str:
    """The symbol, key or identifier that the watch names; empty when it watches a whole path."""
    kind, _, target = (finding.watch or "").partition(" ")
    if kind in ("symbol", "key"):
        return target.partition("#")[2]
    return target if kind == "ident" or (kind and target != finding.path) else ""


def what_happened(finding: Finding) -> str:
    """Reason and measured share, such as ``body changed, 61% of its lines``; name and path stand before it already."""
    name = watched_name(finding)
    reason = (
        finding.reason.removeprefix(f"{name}: ")
        .removeprefix(f"{finding.path} ")
        .removeprefix(f"{finding.path}: ")
    )
    reason = reason.removeprefix(f"{name} ") if name else reason
    measured = percentage(finding.share) if "%" not in reason else ""
    share = f"{measured} of its {_measured(finding)}" if measured else ""
    said = ", ".join(part for part in (reason or finding.verdict.value, share) if part)
    return f"{said} ({finding.compared})" if finding.compared else said


def _measured(finding: Finding) -> str:
    return "files" if (finding.path or "").endswith("/") else "lines"


def history(finding: Finding) -> str:
    """Who did it and when, such as ``3 commits, last 4f2a91c 2026-07-01 Kim: "Drop header cap"``; empty if unknown."""
    if not finding.commit:
        return f"{finding.commits} commits" if finding.commits else ""
    several = f"{finding.commits} commits, last " if (finding.commits or 0) > 1 else ""
    by = " ".join(part for part in (finding.commit[:7], (finding.at or "")[:10], finding.author) if part)
    return f"{several}{by}" + (f': "{finding.subject}"' if finding.subject else "")


def counts(judgements: Sequence[Judgement]) -> dict[str, int]:
    """How many of each kind, the challenged counted as such and not by verdict; touched and challenged always there."""
    told = telling(judgements)
    kinds = ["challenged" if one.status == "challenged" else one.course or one.verdict.value for one in told]
    kinds += ["fresh"] * (len(judgements) - len(told))
    order = [
        "fresh",
        "cosmetic",
        "relocated",
        "touched",
        "unknown",
        "changed",
        "rewritten",
        "gone",
        "answered",
        "unconfirmed",
        "challenged",
    ]
    return {kind: kinds.count(kind) for kind in order if kind in kinds or kind in ("touched", "challenged")}


def plural(number: int, word: str) -> str:
    """``1 memory``, ``2 memories``, ``3 files``."""
    if number == 1:
        return f"1 {word}"
    return f"{number} {word[:-1]}ies" if word.endswith("y") else f"{number} {word}s"
