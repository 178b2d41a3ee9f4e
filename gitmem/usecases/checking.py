"""Check drift, from what was kept where that is enough, so that a check with nothing new to look at loads little."""

from __future__ import annotations

from dataclasses import replace

from gitmem.git.interface import Repository
from gitmem.model.verdict import DriftReport
from gitmem.usecases.kept import KeptVerdicts
from gitmem.usecases.request import Request
from gitmem.usecases.vantage import Outlook, read_vantage


def check(
    repository: Repository, request: Request | None = None, outlook: Outlook | None = None
) -> DriftReport:
    """Judge memories against the code.

    Args:
        repository: The repository.
        request: What to check; all that lives at HEAD when None.
        outlook: Of the repository, where HEAD is judged and it was looked up already.

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
        vantage = outlook.vantage if outlook else read_vantage(repository, asked.target.revision)
    if vantage is not None:
        kept = KeptVerdicts(repository)
        report = kept.report(vantage, asked.day.isoformat())
        if report is not None:
            return report
    from gitmem.usecases.drift import examine  # loads the drift rules and the parsers

    checked = examine(repository, asked if outlook is None else replace(asked, trusted=outlook.trusted))
    if vantage is not None and kept is not None:
        kept.keep(vantage, checked)
    checked.contents.save()
    return checked.report
