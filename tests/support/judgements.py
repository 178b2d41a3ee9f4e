"""Judgements as literals, for reports."""

from __future__ import annotations

from typing import Any

from gitmem.model.verdict import CHALLENGING, BaselineHow, DriftReport, Finding, Judgement, Verdict

BASELINE = "9c1d" * 10
COMMIT = "4f2a91c0" * 5
HEAD = "ab12" * 10

STRIPPED = Finding(
    Verdict.CHANGED,
    "signature changed",
    watch="symbol gateway/headers.go#StripHeaders",
    path="gateway/headers.go",
    share=0.61,
    commit=COMMIT,
    author="Kim",
    at="2026-07-01T10:00:00+09:00",
    commits=3,
    subject="Drop header cap",
)


def judged(id_: str, verdict: Verdict, *findings: Finding, **fields: Any) -> Judgement:
    """A judgement about headers; challenged when its verdict challenges, unless told otherwise."""
    challenges = verdict in CHALLENGING
    values: dict[str, Any] = {
        "title": "Header limit",
        "label": "ApiGateway",
        "file": f".ai/memory/{id_}.yaml",
        "summary": "the gateway strips custom headers longer than 8 KB",
        "status": "challenged" if challenges else "active",
        "proposed": False,
        "baseline": BASELINE,
        "how": BaselineHow.RECORDED,
        "validated_at": "2026-06-01",
        "warning": "",
        "challenged_by": ("drift",) if challenges else (),
        "matched": 3,
    }
    return Judgement(id=id_, verdict=verdict, findings=findings, **{**values, **fields})


def report(*judgements: Judgement, **fields: Any) -> DriftReport:
    return DriftReport(HEAD, judgements, **fields)


def many(challenged: int, fresh: int) -> DriftReport:
    """A report with so many challenged and so many fresh memories."""
    return report(
        *(
            judged(f"m-{number:03}", Verdict.GONE if number % 3 else Verdict.CHANGED, STRIPPED)
            for number in range(challenged)
        ),
        *(judged(f"k-{number:03}", Verdict.FRESH) for number in range(fresh)),
    )


HOSTILE = (
    "\x1b]0;x\x07\n::error::y\r```\u202e\u200b<img src=x> @team #1 [a](http://e.example) ##[add-mask]z \udcff"
)


def hostile(verdict: Verdict = Verdict.CHANGED, status: str = "challenged") -> DriftReport:
    """A report with hostile text in every field that holds text."""
    from gitmem.model.problem import Problem

    finding = Finding(
        verdict, HOSTILE, watch=f"symbol {HOSTILE}#{HOSTILE}", path=HOSTILE, new_path=f"{HOSTILE}2", share=0.5, commit=COMMIT,
        author=HOSTILE, at=HOSTILE, commits=2, subject=HOSTILE,
    )  # fmt: skip
    one = judged(
        HOSTILE, verdict, finding, title=HOSTILE, label=f"{HOSTILE}label", file=HOSTILE, summary=HOSTILE, status=status,
        baseline=HOSTILE, validated_at=HOSTILE, warning=HOSTILE, notes=(HOSTILE,), challenged_by=("drift", "mark"),
    )  # fmt: skip
    problem = Problem(HOSTILE, 3, 1, HOSTILE, HOSTILE, HOSTILE)
    return DriftReport(HOSTILE, (one,), (problem,), (HOSTILE,))
