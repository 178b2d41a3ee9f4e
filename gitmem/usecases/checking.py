"""Check drift, from what was kept where that is enough, so that a check with nothing new to look at loads little."""

from __future__ import annotations

from gitmem.git.interface import Repository
from gitmem.model.verdict import DriftReport
from gitmem.usecases.kept import KeptVerdicts
from gitmem.usecases.request import Request
from gitmem.usecases.vantage import read_vantage


def check(repository: Repository, request: Request | None = None) -> DriftReport:
    """Judge memories against the code.

    Raises:
        NotFoundError: When a revision or an id does not exist.
        NotServedError: When there is nothing to judge (no commits yet).
    """
    asked = request or Request()
    if asked.since is not None:
        from gitmem.usecases.range_checking import check_range

        return check_range(repository, asked).report
    vantage = kept = None
    if not asked.ids and asked.target.kind == "commit" and asked.trusted is None:
        vantage = read_vantage(repository, asked.target.revision)
    if vantage is not None:
        kept = KeptVerdicts(repository)
        report = kept.report(vantage, asked.day.isoformat())
        if report is not None:
            return report
    from gitmem.usecases.drift import examine  # loads the drift rules and the parsers

    checked = examine(repository, asked)
    if vantage is not None and kept is not None:
        kept.keep(vantage, checked)
    checked.contents.save()
    return checked.report
