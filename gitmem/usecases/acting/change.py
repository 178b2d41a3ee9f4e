"""Look at a change before it is merged: which memories it touches, and what the gate says of those it proposes.

What is approved and the policy are those of the base commit, which the event names; what the change itself does to
either is reported and not obeyed (targets.md, security 1 and 2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from gitmem.errors import GitmemError, NotServedError
from gitmem.git.interface import Repository
from gitmem.store.ledger import RunLedger
from gitmem.store.memories import parse_memory
from gitmem.trust.branch import Trusted
from gitmem.trust.reviews import Reviewed
from gitmem.usecases.acting.answer import ActionAnswer, Doubt, Proposed, Settled
from gitmem.usecases.acting.branch import telling_patch
from gitmem.usecases.acting.forge import Forge
from gitmem.usecases.acting.history import (
    REMOTE,
    bring_commit,
    bring_runs,
    default_tip,
    reopened,
    with_history,
)
from gitmem.usecases.acting.occasion import Occasion
from gitmem.usecases.acting.reviewing import Reviewing, blob_at, with_review
from gitmem.usecases.confirm import looked_at
from gitmem.usecases.drift import Checked, examine
from gitmem.usecases.edits import read_edits, removed_files
from gitmem.usecases.gate import Gate
from gitmem.usecases.gating.asked import GateAnswer, ask_proposed
from gitmem.usecases.range_checking import RangeChecked, decide
from gitmem.usecases.request import Request

_CHECKERS = (".git-blame-ignore-revs", ".gitattributes", ".ai/elements.yaml")
_CHECKER_FOLDERS = (".ai/policies/", ".github/workflows/")


def look_at_change(repo: Repository, occasion: Occasion, forge: Forge | None, today: date) -> ActionAnswer:
    """Judge what HEAD does to the knowledge of its base.

    Args:
        repo: A clone of which HEAD is the change, or its trial merge.
        occasion: Why, with the base.
        forge: Whom to ask for reviews.
        today: The day that dates are judged at.

    Raises:
        NotServedError: HEAD is unborn, or the base is not here and cannot be fetched.
    """
    head = repo.head()
    if head is None:
        raise NotServedError("there is no commit yet", hint="check out the change first")
    base = _base(repo, occasion)
    repo, since, cut = _parting(reopened(repo), occasion, base, head)
    trusted = Trusted(base, base, "the event names it as the base", REMOTE)
    does = examine(repo, Request(since=since, today=today, trusted=trusted))
    whole = Request(today=today, trusted=trusted)
    repo, standing, failed = with_history(
        repo, [head, base], lambda here: examine(here, whole), lambda found: found.report.history_missing
    )
    standing.contents.save()
    edits = read_edits(repo, since, head)
    found = decide(does, standing, edits)
    removed = tuple(removed_files(repo, edits))
    remarks = [*cut, *([f"more history could not be fetched: {failed}"] if failed else []), *bring_runs(repo)]
    answer, gate_failed = _gated(repo, base, today)
    before = {one.id for one in does.judgements if "drift" in one.challenged_by}
    return ActionAnswer(
        occasion,
        head,
        since,
        replace(found.report, problems=standing.report.problems),
        doubts=tuple(_doubts(repo, found, standing, head)),
        settled=tuple(Settled(one.judgement, one.how) for one in found.decided if one.how),
        elsewhere=sum(one.id not in before and not one.proposed for one in standing.report.challenged),
        proposed=_reviewed(repo, occasion, forge, answer),
        removed=removed,
        unagreed=tuple(_unagreed(repo, occasion, forge, removed, head)),
        require_review=standing.knowledge.policy.require_review,
        eased=(*answer.remarks, *_eased(repo, since, head)),
        gate_failed=gate_failed,
        remarks=(*remarks, *standing.report.remarks),
    )


# where it begins
def _base(repo: Repository, occasion: Occasion) -> str:
    base = occasion.base or default_tip(repo, occasion.default_branch)
    if base is None:
        raise NotServedError(
            f"where {occasion.default_branch} stands is not known here, and {REMOTE} does not tell",
            hint="check out with fetch-depth: 0",
        )
    bring_commit(repo, base)
    return base


def _parting(
    repo: Repository, occasion: Occasion, base: str, head: str
) -> tuple[Repository, str, tuple[str, ...]]:
    """Where the change parted from its base: for a trial merge that side of it, else their common ancestor."""
    repo, found, failed = with_history(
        repo, [head, base], lambda here: here.merge_base(base, head), lambda parted: parted is None
    )
    if found is None:
        why = f" ({failed})" if failed else ""
        told = (
            f"no common ancestor with the base is known here{why}: what others merged meanwhile is told too"
        )
        return repo, base, (told,)
    commit = repo.commit(head)
    if occasion.pull and commit and commit.parents[1:] == (occasion.pull.head,):
        side = commit.parents[0]
        if repo.merge_base(base, side) == base:
            return repo, side, ()
    return repo, found, ()


# drift
def _doubts(repo: Repository, found: RangeChecked, standing: Checked, head: str) -> Iterator[Doubt]:
    """What the change leaves open, with both sides and the ways to answer."""
    open_ = [one.judgement for one in found.decided if one.judgement.status == "challenged"]
    asks = looked_at(standing, {one.id for one in open_})
    for one in open_:
        asking = asks.get(one.id)
        body, token = (asking.body, asking.token) if asking else (None, "")
        dated = _dated(repo, one.file, found.since, head)
        yield Doubt(one, body, telling_patch(one, standing), token, dated)


def _dated(repo: Repository, file: str, since: str, head: str) -> bool:
    entries = [repo.entry(commit, file) for commit in (since, head)]
    data = [repo.read_blob(entry.oid).data if entry else None for entry in entries]
    memories = [parse_memory(file, one).memory if one is not None else None for one in data]
    dates = {one.last_validated_at for one in memories if one is not None}
    return len(dates) > 1


# the gate
def _gated(repo: Repository, base: str, today: date) -> tuple[GateAnswer, str]:
    """What the gate says of the proposed files, and why it could not say anything."""
    from gitmem.git.program import ProgramRepository

    ledger = RunLedger(ProgramRepository(repo.layout))
    try:
        return ask_proposed(Gate(ledger, base=base, today=today)), ""
    except GitmemError as error:
        return GateAnswer(()), error.message
    finally:
        ledger.close()


def _reviewed(
    repo: Repository, occasion: Occasion, forge: Forge | None, answer: GateAnswer
) -> tuple[Proposed, ...]:
    number = occasion.pull.number if occasion.pull else occasion.queued
    if number is not None:
        reviewing = Reviewing(repo, forge)
        return tuple(with_review(one, reviewing.of_pull(number, one.file, one.blob)) for one in answer.gated)
    # A queue merges: what nobody can be asked about there is not approved. A push to a branch is no merge yet.
    nobody = Reviewed("unknown", why=_NO_PULL) if occasion.event == "merge_group" else None
    return tuple(with_review(one, nobody) for one in answer.gated)


_NO_PULL = "the event's head_ref names no pull request"


def _unagreed(
    repo: Repository, occasion: Occasion, forge: Forge | None, removed: Sequence[str], head: str
) -> Iterator[str]:
    """What is removed without a review that approves it, as what is added needs one."""
    number = occasion.pull.number if occasion.pull else occasion.queued
    reviewing = Reviewing(repo, forge)
    for file in removed:
        if number is None:
            asked = Reviewed("unknown") if occasion.event == "merge_group" else None
        else:
            asked = reviewing.of_pull(number, file, blob_at(repo, head, file))
        if asked is not None and asked.state != "approved":
            yield file


def _eased(repo: Repository, since: str, head: str) -> Iterator[str]:
    """Files that steer the check and that the change edits; whether they loosen it, a person has to tell."""
    rows = repo.diff_trees(since, head, renames=False)
    paths = [
        path for one in rows if (path := one.new_path or one.old_path) and _steers(repo, path, since, head)
    ]
    if paths:
        yield f"this change also edits what the check itself goes by: {', '.join(dict.fromkeys(paths))}"


def _steers(repo: Repository, path: str, since: str, head: str) -> bool:
    if path in _CHECKERS or path.endswith("/.gitattributes") or path.startswith(_CHECKER_FOLDERS[0]):
        return True
    return path.startswith(_CHECKER_FOLDERS[1]) and any(_speaks_of_us(repo, at, path) for at in (since, head))


def _speaks_of_us(repo: Repository, commit: str, path: str) -> bool:
    entry = repo.entry(commit, path)
    data = repo.read_blob(entry.oid, limit=1 << 20).data if entry else None
    return data is not None and b"gitmem" in data
