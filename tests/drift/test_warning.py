from __future__ import annotations

from datetime import date

import pytest

from gitmem.drift.warning import drift_warning, due_warning, mark_warning
from gitmem.model.verdict import Finding, Verdict

HEAD = "VERIFY — the code under this changed since it was validated: "
REWRITTEN = Finding(
    Verdict.REWRITTEN, "gateway/headers.go rewritten 61%", path="gateway/headers.go", share=0.61, commit="4" * 40,
    author="Kim", at="2026-07-01T10:00:00+09:00", commits=3,
)  # fmt: skip
GONE = Finding(Verdict.GONE, "send no longer exists: a.py was deleted", path="a.py")
NOTE = Finding(Verdict.TOUCHED, "b.py changed", path="b.py", share=0.1)


@pytest.mark.parametrize("verdict", [one for one in Verdict if one not in {"changed", "rewritten", "gone"}])
def test_what_does_not_challenge_has_no_warning(verdict: Verdict) -> None:
    assert drift_warning(verdict, [NOTE]) == ""


def test_it_names_what_changed_how_often_when_and_by_whom() -> None:
    said = drift_warning(Verdict.REWRITTEN, [NOTE, REWRITTEN])
    assert said == HEAD + "gateway/headers.go rewritten 61%, 3 commits, last 2026-07-01 by Kim"


def test_what_nobody_validated_changed_since_it_was_written() -> None:
    said = drift_warning(Verdict.GONE, [GONE], inferred=True)
    assert said.startswith("VERIFY — the code under this changed since it was written: send no longer")


def test_two_findings_are_named_and_the_others_counted() -> None:
    said = drift_warning(Verdict.GONE, [GONE, REWRITTEN, GONE, GONE])
    assert said.startswith(HEAD + "send no longer exists: a.py was deleted; gateway/headers.go rewritten 61%")
    assert said.endswith(" and 2 more")


def test_a_path_that_the_reason_lacks_is_put_before_it() -> None:
    found = Finding(Verdict.CHANGED, "send: body changed", path="src/a.py", share=0.5, commits=1)
    assert (
        drift_warning(Verdict.CHANGED, [found])
        == HEAD + "src/a.py send: body changed (50% of its lines), 1 commit"
    )


def test_strict_without_a_challenging_finding_names_the_first() -> None:
    assert drift_warning(Verdict.CHANGED, [NOTE]) == HEAD + "b.py changed (10% of its lines)"


def test_dates_and_marks() -> None:
    assert due_warning("review was due", date(2026, 10, 13)) == "VERIFY — review was due 2026-10-13"
    assert mark_warning("gateway rewritten") == "VERIFY — challenged: gateway rewritten"
    assert mark_warning(None) == "VERIFY — challenged"


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.001, " (under 1% of its lines)"), (0.0, ""), (None, ""), (0.006, " (1% of its lines)")],
)
def test_a_share_that_rounds_to_nothing_is_never_told_as_nothing(share: float | None, said: str) -> None:
    found = Finding(Verdict.CHANGED, "body changed", path="a.py", share=share)
    assert drift_warning(Verdict.CHANGED, [found]) == f"{HEAD}a.py body changed{said}"
