"""Look at the default branch: what the code has moved under, and which words came to it without a review."""

from __future__ import annotations

from datetime import datetime

from gitmem.errors import GitmemError, NotServedError
from gitmem.git.grafting import tree_with
from gitmem.git.interface import Repository
from gitmem.git.transport import push_commit
from gitmem.model.change import Person
from gitmem.model.verdict import CHALLENGING, DriftReport, Judgement
from gitmem.trust.branch import Trusted
from gitmem.usecases.acting.answer import ActionAnswer, Arrived, Doubt, Marked
from gitmem.usecases.acting.forge import Forge
from gitmem.usecases.acting.history import REMOTE, bring_commit, with_history
from gitmem.usecases.acting.occasion import Occasion
from gitmem.usecases.acting.reviewing import arrivals
from gitmem.usecases.confirm import evidence_patch, looked_at
from gitmem.usecases.drift import Checked, examine
from gitmem.usecases.marking import mark_challenged, work_tree
from gitmem.usecases.request import Request

IDENTITY = Person("github-actions[bot]", "41898282+github-actions[bot]@users.noreply.github.com")
"""The Action's own, so that nobody's name stands under what a machine wrote."""


def look_at_branch(
    repo: Repository, occasion: Occasion, forge: Forge | None, now: datetime, *, mark: bool = False
) -> ActionAnswer:
    """Judge every memory of the default branch at HEAD.

    Args:
        repo: A clone of which HEAD is the default branch's tip.
        occasion: Why.
        forge: Whom to ask for reviews.
        now: The moment; its day is the one that dates are judged at.
        mark: Whether to commit ``status: challenged`` to the branch.

    Raises:
        NotServedError: HEAD is unborn.
    """
    head = repo.head()
    if head is None:
        raise NotServedError("there is no commit yet", hint="check out the branch first")
    trusted = Trusted(f"refs/heads/{occasion.default_branch}", head, "the event names it", REMOTE)
    request = Request(today=now.date(), trusted=trusted)
    repo, checked, failed = with_history(repo, [head], lambda here: examine(here, request), _lacks_history)
    checked.contents.save()
    remarks = [f"more history could not be fetched: {failed}"] if failed else []
    repo, arrived, missing = _arrivals(repo, occasion, checked, forge)
    marked = mark_on_branch(repo, occasion, checked.report, now) if mark else None
    return ActionAnswer(
        occasion,
        head,
        None,
        checked.report,
        doubts=doubts_of(checked),
        arrived=arrived,
        require_review=checked.knowledge.policy.require_review,
        marked=marked,
        remarks=(*remarks, *missing),
    )


def _lacks_history(checked: Checked) -> bool:
    """Where review is required, history tells what was reviewed at all."""
    return checked.report.history_missing or checked.knowledge.policy.require_review


def doubts_of(checked: Checked) -> tuple[Doubt, ...]:
    """Approved memories of a check that are challenged, worst first, each with what `confirm` would show of it."""
    asks = looked_at(checked, {one.id for one in checked.report.challenged})
    found = []
    for judgement in checked.report.challenged:
        if judgement.proposed:
            continue
        asking = asks.get(judgement.id)
        body, token = (asking.body, asking.token) if asking else (None, "")
        found.append(Doubt(judgement, body, telling_patch(judgement, checked), token))
    return tuple(found)


def telling_patch(judgement: Judgement, checked: Checked) -> str:
    """What changed in the files of the findings that challenge; those of softer ones would bury it."""
    hard = tuple(one for one in judgement.findings if one.verdict in CHALLENGING)
    return evidence_patch(judgement._replace(findings=hard or judgement.findings), checked)


def _arrivals(
    repo: Repository, occasion: Occasion, checked: Checked, forge: Forge | None
) -> tuple[Repository, tuple[Arrived, ...], tuple[str, ...]]:
    head = checked.knowledge.trusted.commit
    if occasion.event != "push" or occasion.before is None or head is None:
        return repo, (), ()
    try:
        bring_commit(repo, occasion.before)
    except NotServedError as error:
        return repo, (), (f"which memory files this push brought is not known: {error.message}",)
    doubts = {one.memory.file: one.doubt for one in checked.knowledge.memories if one.doubt}
    strict = checked.knowledge.policy.require_review
    return (*arrivals(repo, (occasion.before, head), forge, doubts, strict=strict), ())


def mark_on_branch(repo: Repository, occasion: Occasion, report: DriftReport, now: datetime) -> Marked | None:
    """Commit the mark of each challenged memory to the default branch, under the Action's own identity.

    The work tree is as before afterwards; nothing is forced: when the branch moved meanwhile, the next run marks.

    Returns:
        None when there was nothing to mark.
    """
    top, head = work_tree(repo), repo.head()
    held = {one.file: (top / one.file) for one in report.challenged if not one.proposed}
    before = {file: path.read_bytes() for file, path in held.items() if path.is_file()}
    files = mark_challenged(repo, report, now)
    blobs = {file: repo.write_blob((top / file).read_bytes()) for file in files}
    for file in files:
        (top / file).write_bytes(before[file])
    if not blobs or head is None:
        return None
    commit = repo.write_commit(
        tree=tree_with(repo.layout, head, blobs),
        parents=[head],
        message=_message(files),
        author=IDENTITY,
        at=now.isoformat(),
    )
    try:
        # Onto the very commit that was judged: one that somebody took back meanwhile must not return by a mark.
        refused = push_commit(repo, REMOTE, commit, f"refs/heads/{occasion.default_branch}", onto=head).reason
    except GitmemError as error:
        refused = error.message
    return Marked(files, commit, refused)


def _message(files: tuple[str, ...]) -> str:
    named = "".join(f"\n{file}" for file in files)
    what = "one memory" if len(files) == 1 else f"{len(files)} memories"
    return (
        f"Mark {what} as challenged\n\nThe code under them has changed since somebody last looked.\n{named}\n"
    )
