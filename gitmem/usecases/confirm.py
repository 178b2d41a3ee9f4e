"""Confirm: record that somebody looked and the memory holds; confirming must mean looking (drift.md)."""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gitmem.drift.capturing import (
    Captured,
    capture_memory,
    search_together,
    with_followed,
    with_moves,
    without_strangers,
)
from gitmem.drift.marks import capture_mark
from gitmem.drift.scopes import ScopeIndex, ScopeSpec
from gitmem.drift.volatility import DAYS, challenges
from gitmem.errors import GitmemError, NotFoundError, NotServedError
from gitmem.git.interface import Repository
from gitmem.model.change import Change
from gitmem.model.ids import is_memory_id, random_suffix
from gitmem.model.memory import Memory
from gitmem.model.validation import Baseline, Mark, Validation
from gitmem.model.verdict import Judgement, Verdict
from gitmem.model.watch import WatchKind, parse_watch
from gitmem.redaction.patches import masked_patch
from gitmem.store.memories import parse_memory
from gitmem.store.validations import format_validation, validation_path
from gitmem.usecases.ai_files import VALIDATION_FOLDER
from gitmem.usecases.applying import apply_patch
from gitmem.usecases.confirmed import Already, Asking, Confirmed, ConfirmRequest, ConfirmResult, rested_on
from gitmem.usecases.drift import Checked, examine
from gitmem.usecases.garbage import seldom_collected
from gitmem.usecases.marking import work_tree
from gitmem.usecases.recorded import is_recorded, newest_recorded
from gitmem.usecases.request import Request, Target
from gitmem.usecases.rewording import words_digest
from gitmem.usecases.scopeless import refuse_empty
from gitmem.usecases.subjects import Subject, scope_spec
from gitmem.usecases.uncommitted import uncommitted_patch
from gitmem.usecases.work_files import refuse_links, write_new_file

__all__ = ["Already", "Asking", "ConfirmRequest", "ConfirmResult", "Confirmed", "confirm"]

AT_ONCE = frozenset({Verdict.FRESH, Verdict.COSMETIC, Verdict.RELOCATED, Verdict.TOUCHED})
TOKEN_LENGTH = 10


def confirm(
    repository: Repository, request: ConfirmRequest, ask: Callable[[Asking], bool] | None = None
) -> ConfirmResult:
    """Write a validation for each memory that may be confirmed; ask for those that need a look.

    Args:
        repository: The repository.
        request: What to confirm.
        ask: Shows both sides to a person and returns their answer; None when nobody can be asked.

    Raises:
        NotFoundError: An id does not exist, or its file cannot be read; nothing was confirmed then.
        NotServedError: Bare repository, no commits, or matched paths differ in the work tree; nothing was confirmed.
    """
    top = work_tree(repository)
    target = Target("worktree") if request.worktree else Target(revision=request.at)
    try:
        checked = examine(repository, Request(ids=request.ids, target=target, today=request.now.date()))
        pairs = standing_pairs(checked)
        refuse_empty(pairs, checked, apply=request.apply)
        capture = _Capture(repository, checked)
        if not request.worktree and request.at is None:
            _refuse_dirty(repository, capture, [subject for subject, _ in pairs])
    except NotFoundError as error:
        raise _for_all(request, _uncommitted(top, request, error) or error) from None
    except NotServedError as error:
        raise _for_all(request, error) from None
    with seldom_collected():
        return _confirm_each(top, pairs, capture, checked, request, ask)


def _confirm_each(  # noqa: PLR0917 - the loop of `confirm` alone
    top: Path,
    pairs: Sequence[tuple[Subject, Judgement]],
    capture: _Capture,
    checked: Checked,
    request: ConfirmRequest,
    ask: Callable[[Asking], bool] | None,
) -> ConfirmResult:
    search_together([subject.memory for subject, _ in pairs], checked.state.view)
    confirmed: list[Confirmed] = []
    asks: list[Asking] = []
    already: list[Already] = []
    named = _is_named(pairs, checked, request.seen)
    for subject, judgement in pairs:
        if (one := capture.already(top, subject, judgement, request)) is not None:
            already.append(one)
            continue
        asking = _asking(subject, judgement, checked, request.seen, named=named)
        if asking is None or request.seen == asking.token or (ask is not None and ask(asking)):
            confirmed.append(capture.write(top, subject, judgement, request))
        else:
            asks.append(asking)
    checked.contents.save()
    wasted = request.seen is not None and not named
    passed_over = tuple(one.id for _, one in pairs if wasted and _is_plainly_fresh(one))
    return ConfirmResult(tuple(confirmed), tuple(asks), tuple(already), passed_over)


def _is_plainly_fresh(judgement: Judgement) -> bool:
    return judgement.verdict is Verdict.FRESH and not judgement.challenged_by


def _for_all(request: ConfirmRequest, error: GitmemError) -> GitmemError:
    """Say that one bad memory keeps the others from being confirmed too."""
    if len(set(request.ids)) > 1:
        error.message += "; nothing was confirmed"
        error.args = (error.message,)
    return error


def _uncommitted(top: Path, request: ConfirmRequest, error: NotFoundError) -> NotFoundError | None:
    """The better error when a memory is there and merely not committed yet."""
    if request.worktree or error.path is not None:
        return None
    for wanted in request.ids:
        found = (
            next((top / ".ai" / "memory").rglob(f"{glob.escape(wanted)}.yaml"), None)
            if is_memory_id(wanted)
            else None
        )
        if found is not None and wanted in error.message:
            file = found.relative_to(top).as_posix()
            return NotFoundError(
                f"{file} is not committed yet",
                hint="commit it first, or use --worktree to take it as it is",
                path=file,
            )
    return None


def standing_pairs(checked: Checked) -> Sequence[tuple[Subject, Judgement]]:
    """One a memory: of an approved one and its edit, which stands right after it, the words that are in this tree."""
    pairs = zip(checked.subjects, checked.judgements, strict=True)
    return list({subject.memory.id: (subject, judgement) for subject, judgement in pairs}.values())


def _refuse_dirty(repository: Repository, capture: _Capture, chosen: Sequence[Subject]) -> None:
    differing = repository.status().all
    held = ScopeIndex([one.spec for one in chosen])
    dirty = {path for one in chosen for path in capture.rests_on(one) if path in differing}
    dirty |= {path for path in differing if held.matching(path.encode("utf-8", "surrogateescape"))}
    if dirty:
        listed = ", ".join(sorted(dirty)[:10]) + (f" and {len(dirty) - 10} more" if len(dirty) > 10 else "")
        raise NotServedError(
            f"what would be confirmed differs in the work tree: {listed}",
            hint="commit it first, or use --worktree to take it as it is now",
        )


# asking
def looked_at(checked: Checked, ids: Container[str]) -> Mapping[str, Asking]:
    """What `confirm` would show of those of some memories that need a look, by id, with the token of that evidence."""
    pairs = (pair for pair in standing_pairs(checked) if pair[1].id in ids)
    asks = (_asking(*pair, checked, None, named=False) for pair in pairs)
    return {one.judgement.id: one for one in asks if one is not None}


def _needs_look(subject: Subject, judgement: Judgement) -> bool:
    """What is challenged, whoever validated it or not; of what was validated before, also what is merely unclear."""
    return bool(judgement.challenged_by) or (subject.counting.recorded and judgement.verdict not in AT_ONCE)


def _is_named(pairs: Sequence[tuple[Subject, Judgement]], checked: Checked, seen: str | None) -> bool:
    """Whether the token names the evidence of one of the memories that need a look."""
    doubtful = [pair for pair in pairs if _needs_look(*pair)] if seen is not None else []
    return any(evidence_token(*pair, checked) == seen for pair in doubtful)


def _asking(
    subject: Subject, judgement: Judgement, checked: Checked, seen: str | None, *, named: bool
) -> Asking | None:
    """What must be looked at first; None when nothing stands against confirming at once.

    A token that names nothing here was given for another state: what is not plainly fresh is shown again.
    """
    wrong_token = seen is not None and not named and judgement.verdict is not Verdict.FRESH
    if not _needs_look(subject, judgement) and not wrong_token:
        return None
    token = evidence_token(subject, judgement, checked)
    patch, others = evidence_of(judgement, checked)
    stale = seen is not None and seen != token
    return Asking(judgement, subject.memory.body, token, patch, stale_token=stale, others=others)


def evidence_token(subject: Subject, judgement: Judgement, checked: Checked) -> str:
    """A short name of exactly this evidence: the words, the verdict, and the objects that it speaks of."""
    now = checked.state.view.paths()
    parts = [
        subject.memory.id,
        words_digest(subject.memory),
        "" if judgement.findings else checked.state.view.match(subject.spec).digest,
        judgement.verdict,
        judgement.baseline or "",
        *judgement.challenged_by,
    ]
    for found in judgement.findings:
        parts += [found.watch or "", found.verdict, found.path or "", now.get(found.path or "", "")]
        parts += [found.new_path or "", now.get(found.new_path or "", "")]
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:TOKEN_LENGTH]


def evidence_patch(judgement: Judgement, checked: Checked) -> str:
    """What changed under a memory since its baseline; empty when it cannot be shown."""
    return evidence_of(judgement, checked)[0]


def evidence_of(judgement: Judgement, checked: Checked) -> tuple[str, tuple[str, ...]]:
    """What changed in the files that a memory rests on since its baseline, and which others of its scope changed."""
    own, others = rested_on(judgement)
    patch = _patch_of(judgement, checked, own)
    return (patch, others) if patch or not others else (_patch_of(judgement, checked, (*own, *others)), ())


def _patch_of(judgement: Judgement, checked: Checked, paths: tuple[str, ...]) -> str:
    if judgement.baseline is None or not paths:
        return ""
    if checked.state.commit is None:
        view = checked.state.view
        return masked_patch(uncommitted_patch(checked.state.repository, judgement.baseline, view, paths))
    return masked_patch(checked.state.repository.patch(judgement.baseline, checked.state.commit, paths))


# capturing
class _Capture:
    """Captures memories of one check and writes their validations."""

    def __init__(self, repository: Repository, checked: Checked) -> None:
        self._repository = repository
        self._state = checked.state
        self._contents = checked.contents
        self._knowledge = checked.knowledge
        self._view = checked.state.view
        self._commits: list[Sequence[Change]] | None = None
        self._held: dict[tuple[str, bool], Captured] = {}

    def rests_on(self, subject: Subject) -> Iterable[str]:
        """Paths that its validation would speak of: the memory's file, its scope, its watches."""
        yield subject.memory.file
        yield from self._view.matched_paths(subject.spec)
        baseline = subject.counting.baseline
        for mark in baseline.marks if baseline is not None else ():
            yield (mark.watch.path or "").partition("#")[0]

    def already(
        self, top: Path, subject: Subject, judgement: Judgement, request: ConfirmRequest
    ) -> Already | None:
        """The validation that records this very state, unless a date or a mark asks for another look."""
        last = newest_recorded(top, self._knowledge, subject.memory.id)
        if last is None or last.baseline is None or set(judgement.challenged_by) - {"drift"}:
            return None
        if last.baseline.scope != self._view.match(subject.spec).digest:
            return None
        new, _ = self._captured(subject.memory, subject, judgement, request)
        return Already(last.memory, last.file, last.at) if is_recorded(new, last) else None

    def write(self, top: Path, subject: Subject, judgement: Judgement, request: ConfirmRequest) -> Confirmed:
        refuse_links(top, f"{VALIDATION_FOLDER}/{subject.memory.id}")
        applied = apply_patch(top, judgement) if request.apply and judgement.patch else ()
        memory = _as_in_work_tree(top, subject.memory) if applied else subject.memory
        validation, captured = self._captured(memory, subject, judgement, request)
        write_new_file(top, validation.file, format_validation(validation))
        elsewhere = tuple(row for row in judgement.patch if _stands_elsewhere(row[0], subject.memory))
        return Confirmed(
            memory.id, validation.file, captured, self._challenges(captured), judgement, applied, elsewhere
        )

    def _captured(
        self, memory: Memory, subject: Subject, judgement: Judgement, request: ConfirmRequest
    ) -> tuple[Validation, Captured]:
        spec = scope_spec(memory, self._knowledge)
        key = (memory.id, memory is subject.memory)
        if key not in self._held:
            self._held[key] = self._capture(memory, subject, judgement, spec)
        captured = self._held[key]
        commit = self._state.commit
        baseline = Baseline(
            commit=commit,
            tree=self._repository.tree_of(commit) if commit is not None else None,
            scope=self._view.match(spec).digest,
            marks=captured.marks,
            unparsed=captured.unparsed,
        )
        file = validation_path(memory.id, request.now, random_suffix())
        words = words_digest(memory)
        return Validation(memory.id, request.now, request.by, request.how, words, baseline, file), captured

    def _capture(self, memory: Memory, subject: Subject, judgement: Judgement, spec: ScopeSpec) -> Captured:
        matched = self._view.matched_paths(spec)
        captured = capture_memory(with_moves(memory, judgement.patch), self._view, matched, spec.include)
        if memory.watch is None:
            captured = with_followed(captured, self._followed(subject, judgement, captured, matched))
        if (
            memory.watch is None
            and judgement.verdict is Verdict.GONE
            and subject.counting.baseline is not None
        ):
            captured = without_strangers(captured, subject.counting.baseline.marks)
        return captured

    def _followed(
        self, subject: Subject, judgement: Judgement, captured: Captured, scope: Sequence[str]
    ) -> Iterator[Mark]:
        """Definitions that the same words gave before and do not give now, where their content stands."""
        baseline = subject.counting.baseline
        if baseline is None or subject.counting.text != words_digest(subject.memory):
            return
        now = {one.watch: one.moved for one in judgement.findings if one.watch and one.moved}
        named = {mark.watch.name for mark in captured.marks if mark.watch.kind is WatchKind.SYMBOL}
        for mark in baseline.marks:
            watch = mark.watch
            if watch.kind is WatchKind.SYMBOL and watch.name not in named:
                moved = now.get(str(watch))
                target = parse_watch(watch.kind, moved.partition(" ")[2]) if moved else watch
                yield capture_mark(target, self._view, scope)

    def _challenges(self, captured: Captured) -> int:
        return challenges(captured.marks, self._recent_commits(), self._contents)

    def _recent_commits(self) -> Sequence[Sequence[Change]]:
        if self._commits is None:
            self._commits = list(self._read_commits())
        return self._commits

    def _read_commits(self) -> Iterable[Sequence[Change]]:
        head = self._state.history
        commit = self._repository.commit(head) if head is not None else None
        if commit is None:
            return
        since = datetime.fromisoformat(commit.committed_at).astimezone(UTC) - timedelta(days=DAYS)
        for _, rows in self._repository.log_changes(
            until=commit.oid, since_date=since.isoformat(), first_parent=True
        ):
            yield rows


def _as_in_work_tree(top: Path, memory: Memory) -> Memory:
    return parse_memory(memory.file, (top / memory.file).read_bytes()).memory or memory


def _stands_elsewhere(old: str, memory: Memory) -> bool:
    """Whether a row of a scope patch is the glob of an element."""
    kind, sep, _ = old.partition(": ")
    return bool(old) and old not in memory.scope.paths and not (sep and kind in set(WatchKind))
