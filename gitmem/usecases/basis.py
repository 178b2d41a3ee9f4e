"""What a memory's verdict rests on, as plain values: all that the first pass and the report need of it.

A `Basis` holds strings, numbers and tuples alone, so that thousands of them are kept in the cache and taken from it
without parsing or building anything (targets.md, "Speed").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from gitmem.model.verdict import BaselineHow, Finding, Judgement, Verdict

if TYPE_CHECKING:
    from gitmem.drift.listing import Listing
    from gitmem.model.validation import Baseline, Mark
    from gitmem.usecases.subjects import Subject


class Facts(NamedTuple):
    """What the report says of one memory whatever the code does; the first five as in `Judgement`.

    Args:
        id: As in `Judgement`.
        title: As in `Judgement`.
        label: As in `Judgement`.
        file: As in `Judgement`.
        summary: As in `Judgement`.
        merged: Whether the trusted tip holds it.
        validated_at: As in `Judgement`.
        review: Day after which a review is due; None when none is, or a validation cleared it.
        expiry: Day after which it has expired.
        marked: Whether somebody challenged it and nobody confirmed it since.
        because: Why somebody challenged it.
        commit: The baseline's commit.
    """

    id: str
    title: str | None
    label: str
    file: str
    summary: str
    merged: bool
    validated_at: str | None
    review: str | None
    expiry: str | None
    marked: bool
    because: str | None
    commit: str | None


class Basis(NamedTuple):
    """What the first pass compares of one memory.

    Args:
        include: Globs of its scope, elements resolved.
        exclude: Globs taken out of them.
        digest: What the scope held at validation; None when nothing comparable is stored.
        objects: Paths that its marks rest on, each with the id it had; None where nothing may stand.
        has_marks: Whether it has marks.
    """

    include: tuple[str, ...]
    exclude: tuple[str, ...]
    digest: str | None
    objects: tuple[tuple[str, str | None], ...]
    has_marks: bool


class Found(NamedTuple):
    """What was found on one memory, as plain values.

    Args:
        verdict: A `Verdict`.
        findings: Fields of each `Finding`, attributed.
        notes: As in `Judgement`, the scope patch in words among them.
        tree: Commit or tree that it was judged from.
        how: A `BaselineHow`; None without a baseline.
        matched: How many paths of the judged tree the scope matches.
        patch: As in `Judgement`.
    """

    verdict: str
    findings: tuple[tuple[object, ...], ...]
    notes: tuple[str, ...]
    tree: str | None
    how: str | None
    matched: int
    patch: tuple[tuple[str, str], ...] = ()


class Outcome(NamedTuple):
    """What a whole check found, as plain values.

    Args:
        facts: The memories, by file.
        bases: What the first pass compares of each.
        matched: How many paths match, by position, of those that the first pass settled.
        close: What a close look found, by position, on the others.
        remarks: As in `DriftReport`.
        history_missing: As in `DriftReport`.
    """

    facts: Sequence[Facts]
    bases: Sequence[Basis]
    matched: Mapping[int, int]
    close: Mapping[int, Found]
    remarks: tuple[str, ...]
    history_missing: bool


# from what was loaded
def facts_of(subject: Subject) -> Facts:
    """What the report says of a memory that was loaded."""
    memory, counting, dates = subject.memory, subject.counting, subject.dates
    baseline = counting.baseline
    return Facts(
        id=memory.id,
        title=memory.title,
        label=memory.label,
        file=memory.file,
        summary=memory.summary,
        merged=subject.known.merged,
        validated_at=counting.at.isoformat() if counting.at is not None else None,
        review=dates.review.isoformat() if dates.review else None,
        expiry=dates.expiry.isoformat() if dates.expiry else None,
        marked=dates.marked,
        because=memory.challenged_because,
        commit=baseline.commit if baseline is not None else None,
    )


def basis_of(subject: Subject) -> Basis:
    """What the first pass compares of a memory that was loaded."""
    baseline = subject.counting.baseline
    objects = _objects(baseline.marks) if baseline is not None else ()
    comparable = baseline is not None and objects is not None and _is_comparable(subject, baseline)
    return Basis(
        include=subject.spec.include,
        exclude=subject.spec.exclude,
        digest=baseline.scope if baseline is not None and comparable else None,
        objects=objects or (),
        has_marks=bool(baseline is not None and baseline.marks),
    )


def _is_comparable(subject: Subject, baseline: Baseline) -> bool:
    from gitmem.model.validation import ALGO
    from gitmem.usecases.rewording import words_digest

    if baseline.scope is None or baseline.algo != ALGO:
        return False
    if subject.memory.scope.elements and not subject.spec.include:
        return False
    if baseline.unparsed and any(map(_has_parser, baseline.unparsed)):
        return False  # watched more weakly than it could be now, which is said
    return subject.counting.text is None or subject.counting.text == words_digest(subject.memory)


def _has_parser(language: str) -> bool:
    from gitmem.drift.content.coarse import has_parser

    return has_parser(language)


def _objects(marks: Iterable[Mark]) -> tuple[tuple[str, str | None], ...] | None:
    """What must stand unchanged for all marks to hold; None when that alone cannot tell."""
    found: list[tuple[str, str | None]] = []
    for mark in marks:
        of_mark = _objects_of(mark)
        if of_mark is None:
            return None
        found += of_mark
    return tuple(dict.fromkeys(found))


def _objects_of(mark: Mark) -> list[tuple[str, str | None]] | None:
    from gitmem.model.validation import is_resolved
    from gitmem.model.watch import NAMED

    if mark.watch.kind in NAMED:
        if mark.watch.inside and mark.blob is None:
            return None
        places = [(path.rstrip("/"), mark.blob) for path in mark.watch.inside]
        defined = [(target.partition("#")[0], blob) for target, blob, _ in mark.uses]
        return [*places, *mark.sample[:1], *defined] if mark.sample or mark.watch.is_prohibition else None
    if not is_resolved(mark):
        return None
    path = (mark.watch.path or "").partition("#")[0].rstrip("/")
    return [(path, mark.blob), *((target.partition("#")[0], blob) for target, blob, _ in mark.uses)]


# the first pass
def settle(bases: Sequence[Basis], listing: Listing, places: Iterable[int] | None = None) -> dict[int, int]:
    """Memories that are fresh by content alone: what their scopes and marks rest on is what was stored.

    Args:
        bases: The memories.
        listing: The judged state.
        places: Which of them to look at; all when None.

    Returns:
        By position, how many paths the scope matches. The others need a close look.
    """
    from gitmem.drift.first_pass import objects_at
    from gitmem.drift.scopes import ScopeMatcher, ScopeSpec

    asked = [at for at in (range(len(bases)) if places is None else places) if bases[at].digest is not None]
    held = objects_at(listing, {path for at in asked for path, _ in bases[at].objects})
    matcher = ScopeMatcher(listing)
    found: dict[int, int] = {}
    for at in asked:
        basis = bases[at]
        digest, matched = matcher.match(ScopeSpec(basis.include, basis.exclude))
        judged = matched or (
            basis.has_marks and not basis.include
        )  # a scope that holds nothing is never fresh
        if digest == basis.digest and _holds(basis, held) and judged:
            found[at] = matched
    return found


def _holds(basis: Basis, held: Mapping[str, str]) -> bool:
    return all(held.get(path) == oid for path, oid in basis.objects)


def fresh(facts: Facts, matched: int) -> Found:
    """What is found on a memory that the first pass settled."""
    how = BaselineHow.RECORDED if facts.commit else BaselineHow.CONTENT
    return Found(Verdict.FRESH.value, (), (), facts.commit, how.value, matched)


# the report
def due_on(facts: Facts, today: str) -> tuple[str, ...]:
    """What challenges a memory on a day without a look at code: ``review``, ``expiry``, ``mark``."""
    if facts.review is None and facts.expiry is None and not facts.marked:
        return ()
    told = []
    if facts.review is not None and facts.review < today:
        told.append("review")
    if facts.expiry is not None and facts.expiry < today:
        told.append("expiry")
    return (*told, "mark") if facts.marked else tuple(told)


def judge(facts: Facts, found: Found, today: str, challenge_on: frozenset[Verdict]) -> Judgement:
    """The judgement on one memory.

    Args:
        facts: The memory.
        found: What was found on it.
        today: The day to judge dates at, ``YYYY-MM-DD``.
        challenge_on: Verdicts that challenge.
    """
    verdict = _VERDICTS[found.verdict]
    drifted = verdict in challenge_on
    due = due_on(facts, today)
    findings = tuple(map(_finding, found.findings))
    by = ("drift", *due) if drifted else due
    return Judgement(
        facts.id,
        facts.title,
        facts.label,
        facts.file,
        facts.summary,
        verdict,
        "challenged" if by else "active" if facts.merged else "proposed",
        not facts.merged,
        found.tree,
        _HOWS[found.how],
        facts.validated_at,
        findings,
        _warning(facts, due, verdict if drifted else Verdict.FRESH, findings, found.how) if by else "",
        found.notes,
        by,
        found.matched,
        found.patch,
    )


_VERDICTS = {one.value: one for one in Verdict}
_HOWS: dict[str | None, BaselineHow | None] = {one.value: one for one in BaselineHow} | {None: None}


def plain_finding(one: Finding) -> tuple[object, ...]:
    """The fields of a finding in order."""
    return (
        one.verdict.value,
        one.reason,
        one.watch,
        one.path,
        one.new_path,
        one.share,
        one.commit,
        one.author,
        one.at,
        one.commits,
        one.subject,
        one.compared,
        one.moved,
        one.line,
    )


def _finding(plain: tuple[object, ...]) -> Finding:
    verdict, *rest = plain
    return Finding(_VERDICTS[str(verdict)], *rest)  # type: ignore[arg-type]  # the fields of a Finding in order


def _warning(
    facts: Facts, due: Sequence[str], verdict: Verdict, findings: Sequence[Finding], how: str | None
) -> str:
    from gitmem.drift.warning import drift_warning, due_warning, mark_warning

    words = drift_warning(verdict, findings, inferred=how == BaselineHow.INFERRED.value)
    if words:
        return words
    if "mark" in due:
        return mark_warning(facts.because)
    if "review" in due and facts.review is not None:
        return due_warning("review was due", facts.review)
    if "expiry" in due and facts.expiry is not None:
        return due_warning("it expired on", facts.expiry)
    return ""


def worst_first(judgements: Iterable[Judgement]) -> list[Judgement]:
    """In the order of a report."""
    return sorted(judgements, key=_severity)


def _severity(judgement: Judgement) -> tuple[bool, int, str, bool]:
    return (judgement.status != "challenged", -judgement.verdict.severity, judgement.id, judgement.proposed)
