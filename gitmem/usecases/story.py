"""Everything behind one verdict that the verdict itself does not carry: who validated, from where, and each watch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gitmem.drift.content.coarse import has_parser
from gitmem.drift.marks import capture_mark
from gitmem.drift.stated import stated_value
from gitmem.drift.view import TreeView
from gitmem.model.change import Commit
from gitmem.model.validation import Mark, Validation
from gitmem.model.verdict import Finding, Judgement
from gitmem.model.watch import Watch, WatchKind, parse_watch
from gitmem.usecases.drift import Checked
from gitmem.usecases.subjects import Subject
from gitmem.usecases.taken_away import TakenAway, last_taken_away


@dataclass(frozen=True, slots=True)
class Resting:
    """One watch, and where it rests in the judged state.

    Args:
        watch: Its text form.
        path: The file or folder it lies in now; None for an identifier, and for what is no longer there.
        lines: First and last line there; None where it has none.
        then: Digest of what it held when validated; None when it held nothing, or holds no content.
        now: Digest of what it holds now.
        value: The value of a key now.
        places: Files whose code has an identifier now.
    """

    watch: str
    path: str | None = None
    lines: tuple[int, int] | None = None
    then: str | None = None
    now: str | None = None
    value: str | None = None
    places: tuple[str, ...] = ()

    @property
    def is_equal(self) -> bool:
        """Whether the content is the same as it was, formatting and comments aside."""
        return self.then is not None and self.then == self.now


@dataclass(frozen=True, slots=True)
class Story:
    """What one judgement rests on.

    Args:
        globs: The scope as it is judged, elements replaced by their paths.
        exclude: Globs taken out of it.
        paths: Paths of the judged state that it matches.
        resting: Each watch.
        derived: Whether gitmem chose the watches from the words.
        validation: The validation that counted; None when none did.
        merged: Whether the trusted branch holds that validation.
        named: The commit that the validation names; None when it was made of the work tree, or there is none.
        is_here: Whether that commit is in this clone.
        commit: The commit that it was judged from; None when it was judged by content, or from a bare tree.
        shallow: Whether the clone lacks history.
        bare: Whether there is no work tree to write a validation to.
        trusted: The branch that holds what is approved; empty when there is none.
        untrusted: Why there is none.
        edits: Whether it is an unmerged edit of an approved memory.
        unparsed: Languages of its code that had no parser when it was validated, and have none here now either.
        taken: The newest validation that history had and that was taken away; None where none was, or a newer one is left.
    """

    globs: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    resting: tuple[Resting, ...] = ()
    derived: bool = True
    validation: Validation | None = None
    merged: bool = True
    named: str | None = None
    is_here: bool = False
    commit: Commit | None = None
    shallow: bool = False
    bare: bool = False
    trusted: str = ""
    untrusted: str = ""
    edits: bool = False
    unparsed: tuple[str, ...] = ()
    taken: TakenAway | None = None


def story_of(checked: Checked, judgement: Judgement) -> Story:
    """The story of one of the judgements of a check."""
    at = next(place for place, one in enumerate(checked.judgements) if one is judgement)
    subject = checked.subjects[at]
    repository, view = checked.state.repository, checked.state.view
    baseline = subject.counting.baseline
    named = baseline.commit if baseline is not None else None
    paths = view.matched_paths(subject.spec)
    marks = checked.marks.get(at) or (baseline.marks if baseline is not None else ())
    known, trusted = _validation(checked, subject), checked.knowledge.trusted
    return Story(
        globs=subject.spec.include,
        exclude=subject.memory.scope.exclude,
        paths=paths,
        resting=tuple(_resting(mark, judgement.findings, view, paths) for mark in marks),
        derived=subject.memory.watch is None,
        validation=known,
        merged=subject.counting.merged,
        named=named,
        is_here=named is not None and repository.has(named),
        commit=_commit(checked, judgement.baseline),
        shallow=repository.layout.shallow,
        bare=repository.layout.work_tree is None,
        trusted=trusted.name if trusted.commit is not None else "",
        untrusted=trusted.why if trusted.commit is None else "",
        edits=subject.known.edits,
        unparsed=tuple(one for one in (baseline.unparsed if baseline else ()) if not has_parser(one)),
        taken=_taken(checked, subject),
    )


def _validation(checked: Checked, subject: Subject) -> Validation | None:
    known = checked.knowledge.validations_of(subject.memory.id)
    return next((one.validation for one in known if one.validation.file == subject.counting.file), None)


def _taken(checked: Checked, subject: Subject) -> TakenAway | None:
    known = checked.knowledge.validations_of(subject.memory.id)
    left = (one.validation for one in known)
    return last_taken_away(checked.state.repository, checked.state.history, subject.memory.id, left)


def _commit(checked: Checked, oid: str | None) -> Commit | None:
    repository = checked.state.repository
    return repository.commit(oid) if oid is not None and repository.has(oid) else None


def _resting(mark: Mark, findings: Sequence[Finding], view: TreeView, scope: Sequence[str]) -> Resting:
    own = next((one for one in findings if one.watch == str(mark.watch)), None)
    watch = _moved(mark.watch, own)
    held = capture_mark(watch, view, scope, with_uses=False)
    path = (watch.path or "").partition("#")[0].rstrip("/") or None
    if path is not None and path not in view.paths() and not view.is_folder(path):
        return Resting(str(mark.watch), then=mark.sig)
    data = view.read(path) if path is not None and watch.kind is WatchKind.KEY else None
    return Resting(
        str(mark.watch),
        path,
        held.at,
        mark.sig,
        held.sig,
        stated_value(path or "", data, watch.name or "") if data is not None else None,
        tuple(one for one, _ in held.sample) if watch.kind is WatchKind.IDENT else (),
    )


def _moved(watch: Watch, found: Finding | None) -> Watch:
    """The watch at the place where its content was found, as its finding tells."""
    if found is None or found.moved is None:
        return watch
    kind, _, target = found.moved.partition(" ")
    try:
        return parse_watch(kind, target, quote=watch.quote)
    except ValueError:  # a path that the text form cannot carry back
        return watch
