"""Decide what a change does to what is known (``--range``, and a pull request): one decision for both.

Each memory is judged twice: from the start of the change, which says what the change does, and as it stands at its end,
where what was confirmed in the change counts (drift.md, "The validation and its baseline"). A change that was confirmed
never fires again; one after that does. Dates and marks are not the change's doing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from gitmem.git.interface import Repository
from gitmem.model.change import Person
from gitmem.model.verdict import DriftReport, Judgement, Verdict
from gitmem.usecases.close_look import SHALLOW_CURE
from gitmem.usecases.drift import Checked, examine
from gitmem.usecases.edits import Edits, read_edits
from gitmem.usecases.lifting import without_lift
from gitmem.usecases.request import Request
from gitmem.usecases.subjects import Subject
from gitmem.usecases.withdrawing import without_validation

_HOLDS = "what it rests on is as it was when it was last found true"


class Sides(NamedTuple):
    """One memory of a change, judged twice.

    Args:
        does: What the change does to it, from the change's start.
        stands: How it stands at the change's end; None where nobody asked.
        is_stated: Whether the change brings these very words.
        is_confirmed: Whether a validation of these words counts.
        confirmed_by: Who made the validation that counts, where the change brings it, and who committed it where that is
            another: its file says what it likes. Empty otherwise.
        answer: How the change itself answers for it; empty when it does not.
        since: Where the change begins.
    """

    does: Judgement
    stands: Judgement | None
    is_stated: bool = False
    is_confirmed: bool = True
    confirmed_by: str = ""
    answer: str = ""
    since: str = ""


@dataclass(frozen=True, slots=True)
class Decided:
    """What a change leaves of one memory.

    Args:
        judgement: Challenged only where a person must still look.
        how: How the change answers for what it would challenge; empty when it does not.
        origin: The judgement that it was made of.
    """

    judgement: Judgement
    how: str
    origin: Judgement


@dataclass(frozen=True, slots=True)
class RangeChecked:
    """A change and what it leaves open.

    Args:
        since: Where it begins.
        does: What it does, judged from there.
        stands: How what it touches stands at its end; None where it touches nothing.
        decided: Every memory, worst first.
        remarks: Said once.
    """

    since: str
    does: Checked
    stands: Checked | None
    decided: tuple[Decided, ...]
    remarks: tuple[str, ...] = ()

    @property
    def report(self) -> DriftReport:
        """The report, worst first."""
        stood = self.stands.outcome if self.stands is not None else None
        remarks = (*self.remarks, *self.does.outcome.remarks, *(stood.remarks if stood else ()))
        return replace(
            self.does.report,
            judgements=tuple(one.judgement for one in self.decided),
            remarks=tuple(dict.fromkeys(remarks)),
            history_missing=bool(stood and stood.history_missing),
        )

    def found_by(self, judgement: Judgement) -> tuple[Checked, Judgement]:
        """The check that a decided judgement comes from, and its judgement there."""
        origin = next(one.origin for one in self.decided if one.judgement is judgement)
        if self.stands is not None and any(origin is one for one in self.stands.judgements):
            return self.stands, origin
        return self.does, origin


def check_range(repository: Repository, request: Request) -> RangeChecked:
    """Judge what the commits between `Request.since` and the target do to what is known.

    It begins where the two parted, so that what others changed meanwhile is left out.

    Raises:
        NotFoundError: When a revision or an id does not exist.
        NotServedError: When there is nothing to judge (no commits yet).
    """
    base = repository.resolve(request.since or "HEAD")
    head = repository.resolve(request.target.revision or "HEAD")
    since, remark = _parting(repository, base, head)
    does = examine(repository, replace(request, since=since))
    edits = read_edits(repository, since, head)
    asked = tuple(dict.fromkeys(one.id for one in does.judgements if _is_open(one, does, edits)))
    stands = examine(repository, replace(request, since=None, ids=asked)) if asked else None
    does.contents.save()
    if stands is not None:
        stands.contents.save()
    return decide(does, stands, edits, (*remark, *_dated(does.judgements)))


def _parting(repository: Repository, base: str, head: str) -> tuple[str, tuple[str, ...]]:
    found = repository.merge_base(base, head)
    if found == base:
        return base, ()
    if found is not None:
        return found, (f"the two parted at {found[:12]}: what others changed meanwhile is left out",)
    cure = f": {SHALLOW_CURE}" if repository.layout.shallow else ""
    return base, (f"no common ancestor is known here, so what others changed meanwhile is told too{cure}",)


def _is_open(one: Judgement, does: Checked, edits: Edits) -> bool:
    """Whether it takes a look at how the memory stands to decide."""
    brought = (known.validation.file in edits.validations for known in does.knowledge.validations_of(one.id))
    return "drift" in one.challenged_by or one.id in edits.words or any(brought)


def decide(does: Checked, stands: Checked | None, edits: Edits, remarks: Iterable[str] = ()) -> RangeChecked:
    """What a change leaves open.

    Args:
        does: The check from the change's start.
        stands: The check at its end, of the same knowledge; None where nobody needs it.
        edits: What the change itself writes.
        remarks: Said once.
    """
    standing = {(one.id, one.proposed): one for one in stands.judgements} if stands is not None else {}
    approved = {one.memory.id for one in does.subjects if one.known.merged}
    pairs = [
        (subject, judgement)
        for subject, judgement in zip(does.subjects, does.judgements, strict=True)
        if not (subject.known.edits and judgement.id in approved and not edits.states(subject.memory))
    ]  # of the same words the approved ones speak: an edit beside them, of the scope above all, lets nothing off
    found = [
        _decided(_sides(subject, one, standing.get((one.id, one.proposed)), does, edits))
        for subject, one in pairs
    ]
    found = [replace(one, judgement=_kept_doubt(one.judgement, does, edits)) for one in found]
    found.sort(key=_severity)
    return RangeChecked(edits.since, does, stands, tuple(found), tuple(remarks))


def _kept_doubt(judgement: Judgement, does: Checked, edits: Edits) -> Judgement:
    kept = without_lift(judgement, edits.lifted.get(judgement.id), does.knowledge, edits.validations)
    return without_validation(kept, edits.withdrawn.get(judgement.id, ()))


def _severity(one: Decided) -> tuple[bool, bool, int, str, bool]:
    told = one.judgement
    return (
        told.status != "challenged",
        not told.course,
        -told.verdict.severity,
        told.id,
        told.proposed,
    )


def _dated(judgements: Iterable[Judgement]) -> Iterator[str]:
    number = sum(bool(one.challenged_by) and "drift" not in one.challenged_by for one in judgements)
    if number:
        are = "1 memory is" if number == 1 else f"{number} memories are"
        yield f"{are} challenged by a date or a mark, which is not this range's doing: gitmem drift"


def _sides(
    subject: Subject, does: Judgement, stands: Judgement | None, checked: Checked, edits: Edits
) -> Sides:
    counting, states = subject.counting, edits.states(subject.memory)
    return Sides(
        does,
        stands,
        is_stated=states,
        is_confirmed=counting.baseline is not None and does.how is not None,
        confirmed_by=_by(subject, checked, edits) if counting.file in edits.validations else "",
        answer="" if states else edits.answers.get(does.id, ""),
        since=edits.since,
    )


def _by(subject: Subject, checked: Checked, edits: Edits) -> str:
    known = checked.knowledge.validations_of(subject.memory.id)
    counting = (one.validation for one in known if one.validation.file == subject.counting.file)
    by = next((one.by for one in counting), "") or "somebody"
    author = _author(checked.state.repository, edits.head, subject.counting.file)
    return by if author is None or author.name == by else f"{by}, committed by {author.name} <{author.email}>"


def _author(repository: Repository, head: str, file: str) -> Person | None:
    """Who wrote the commit that brought a file as it is, merges aside."""
    history = repository.log_changes(until=head, under=[file], first_parent=False)
    return next(
        (commit.author for commit, rows in history if any(row.new_path == file for row in rows)), None
    )


# the decision
def _decided(sides: Sides) -> Decided:
    does, stands = sides.does, sides.stands
    if sides.is_stated and not sides.is_confirmed:
        return _unconfirmed(sides)
    if stands is not None and (sides.is_stated or sides.confirmed_by) and _drifts(stands):
        by = f" by {sides.confirmed_by}" if sides.confirmed_by else ""
        return Decided(_noted(stands, f"changed again after it was confirmed{by}"), "", stands)
    if sides.is_stated and stands is not None:
        return Decided(_undated(stands), "", stands)
    if not _drifts(does):
        return Decided(_undated(does), "", does)
    how = sides.answer or _settled(sides)
    if not how:
        return Decided(does, "", does)
    return Decided(_noted(_undated(does, is_drift=False), how)._replace(course="answered"), how, does)


def _settled(sides: Sides) -> str:
    """Why what the change does needs no look: somebody looked, or nothing of it is left."""
    stands = sides.stands
    if stands is None or _drifts(stands) or stands.verdict is Verdict.UNKNOWN:
        return ""
    return f"confirmed in this change by {sides.confirmed_by}" if sides.confirmed_by else _HOLDS


def _unconfirmed(sides: Sides) -> Decided:
    """Words of the change that nobody confirmed in it: told before the merge makes them doubtful, and no failure yet."""
    told = next((one for one in (sides.does, sides.stands) if one is not None and _drifts(one)), None)
    cure = f"confirm it: gitmem confirm {sides.does.id}"
    if told is None and sides.does.how is None:
        why = f"its new words are not confirmed in this change, so that once merged they cannot be checked; {cure}"
        told = sides.does._replace(notes=())
    elif told is None:
        return Decided(_undated(sides.does), "", sides.does)
    elif told is sides.does:
        why = (
            f"not confirmed in this change: once merged it is judged from before the change ({sides.since[:12]}), "
            f"which also edits what it rests on; {cure}"
        )
    else:
        why = (
            "not confirmed in this change, and what it rests on changed after it was written, which a squash would hide; "
            f"{cure}"
        )
    origin = sides.stands if told is sides.stands and sides.stands is not None else sides.does
    return Decided(_noted(_undated(told, is_drift=False), why)._replace(course="unconfirmed"), "", origin)


def _drifts(judgement: Judgement) -> bool:
    return "drift" in judgement.challenged_by


def _undated(judgement: Judgement, *, is_drift: bool | None = None) -> Judgement:
    """The judgement without dates and marks, and without drift where that is answered."""
    if _drifts(judgement) if is_drift is None else is_drift:
        return judgement
    status = "proposed" if judgement.proposed else "active"
    return judgement._replace(status=status, warning="", challenged_by=())


def _noted(judgement: Judgement, note: str) -> Judgement:
    return judgement._replace(notes=(*judgement.notes, note))
