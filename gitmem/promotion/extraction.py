"""What a run teaches: candidates out of its own events, few, the same each time. Pure.

| events | candidate |
|---|---|
| a failing test, a change, the same tests passing | verified_fix_pattern: why it failed, what fixed it, which test shows it |
| an approach rejected for a reason, a failure or a person behind it | what not to repeat: a verified_failure_pattern with a \
test or commit, else a module_constraint |
| a decision with its reason | architecture_rule, team_workflow_rule, else module_constraint |

Left out: failures of a blocker, failures that nothing in the run explains, not even the fix, a new test that failed until its code was
written, what is unsure of itself, what holds for the day alone, what cannot be understood without the run
(`gitmem.promotion.lesson_words`), and words that the gate would object to. At most `MOST`, best first. Ids come from the events, so that extracting again, also in a
run that was forked from this one, finds the same candidates.
"""

from __future__ import annotations

import hashlib
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from gitmem.model.candidate import EXTRACTED, NO_ANTI_SCOPE
from gitmem.model.event import Event, text_field, text_list
from gitmem.model.ids import CROCKFORD
from gitmem.model.memory import Evidence, Kind, Memory, Origin, Scope, Status, Verification
from gitmem.model.text_folding import folded
from gitmem.promotion.episodes import PERSON, Fix, Rejection, decisions, fixes, rejections
from gitmem.promotion.lesson_scope import spoken_of
from gitmem.promotion.lesson_words import (
    exception_in,
    frames,
    gives_reason,
    is_about_the_code,
    is_lesson,
    is_sure,
    is_telling,
    quoted,
    sentence,
    short_test,
    speaks_for_itself,
    subject_of,
    tells_why,
)
from gitmem.promotion.run_facts import (
    NOWHERE,
    RunFacts,
    Surroundings,
    dirty_files,
    failure_class_of,
    moment_of,
    probe_of,
    reason_of,
)
from gitmem.promotion.unfit_words import is_unfit
from gitmem.results.classes import AGENT
from gitmem.store.evidence import NO_EVIDENCE
from gitmem.store.memories import default_kind

MOST: Final = 5
MOST_LOOKED_AT: Final = 50
"""The newest of each kind; a run with more of them has long been handed on."""
MOST_TESTS: Final = 5
MOST_FAILING: Final = 20
FIX, PITFALL = "verified_fix_pattern", "verified_failure_pattern"
ARCHITECTURE, WORKFLOW, MODULE = "architecture_rule", "team_workflow_rule", "module_constraint"
_WORKFLOW: Final = re.compile(
    r"(?i)\b(?:commits?|commit messages?|branch(?:es)?|pull requests?|PRs?|reviews?|reviewers?|merge[sd]?|rebase|releases?|changelog|"
    r"deploy(?:s|ment)?|CI|pipeline|on[- ]call|sign[- ]off|approval)\b|커밋|브랜치|리뷰|배포|릴리스|머지|승인|コミット|ブランチ|レビュー|リリース|提交|分支|评审|发布"
)
_ARCHITECTURE: Final = re.compile(
    r"(?i)\b(?:layers?|architectur\w*|depend(?:s|ency|encies)? on|owns|ownership|boundar(?:y|ies)|responsib\w+|modules? (?:may|must|never)|"
    r"single source of truth|never imports?|imports? only|belongs? (?:in|to))\b|아키텍처|계층|의존|책임|소유|경계|관리한다|アーキテクチャ|レイヤー|依存|責務|架构|分层|依赖|职责"
)


@dataclass(frozen=True, slots=True)
class Extracted:
    """A candidate from a run.

    Args:
        memory: What it says, with its id.
        key: Id of the event that records it, so that it is recorded once.
        fixed_by: The commit that fixed what it tells of.
        worth: How much speaks for it; the best come first.
        seq: Of the event that decided it; of equals the newest comes first.
    """

    memory: Memory
    key: str
    fixed_by: str | None = None
    worth: int = 0
    seq: int = 0


def extract(events: Sequence[Event], around: Surroundings = NOWHERE) -> tuple[Extracted, ...]:
    """The candidates of a run, at most `MOST`, best first.

    Args:
        events: All that it has, in order, those of the run that it was forked from too.
        around: What lies around them.
    """
    reader = _Reader(events, around)
    found = sorted(reader.all(), key=lambda one: (one.worth, one.seq), reverse=True)
    told: dict[str, Extracted] = {}
    for one in found:
        if is_unfit(one.memory, is_rule=not one.memory.origin.root_cause):
            continue
        told.setdefault(folded(one.memory.summary), one)
    return tuple(told.values())[:MOST]


class _Cause(NamedTuple):
    """Why something failed, as the run says it; `event` is the finding that says it."""

    text: str
    event: Event


class _Reader:
    def __init__(self, events: Sequence[Event], around: Surroundings) -> None:
        self._events = events
        self._facts = RunFacts(events, around)

    def all(self) -> Iterator[Extracted]:
        closed = deque(fixes(self._events), MOST_LOOKED_AT)
        for fix in closed:
            if found := self._fix(fix):
                yield found
        for rejection in deque(rejections(self._events), MOST_LOOKED_AT):
            if found := self._rejection(rejection, closed):
                yield found
        for event in deque(decisions(self._events), MOST_LOOKED_AT):
            if found := self._decision(event):
                yield found

    def _fix(self, fix: Fix) -> Extracted | None:
        failure_class = failure_class_of(fix.failures)
        cause, subject = self._cause(fix), self._subject(fix)
        reason = reason_of(fix)
        if len(fix.tests) > MOST_FAILING or not (fix.tests or cause):
            return None
        is_told = bool(reason) or speaks_for_itself(subject)
        if cause is None and not (failure_class == AGENT and subject and is_told):
            return None
        text = _fix_words(fix, cause.text if cause else "", subject, reason)
        source = [*fix.failures[-1:], *([cause.event] if cause else []), *fix.changes[-1:], fix.passed]
        files = [path for one in fix.changes for path in self._facts.files(one)] or dirty_files(fix.passed)
        words = " ".join([subject, cause.text if cause else reason])
        commits = tuple(dict.fromkeys(filter(None, map(self._facts.commit, fix.changes))))
        memory = self._memory(
            FIX,
            fix.passed,
            text,
            source,
            scope=self._facts.scope(files, words),
            evidence=Evidence(tests=fix.tests[:MOST_TESTS], commits=commits[-2:]),
            probe=probe_of(fix.passed, fix.tests[:MOST_TESTS]),
            origin=Origin(
                failure_class=failure_class,
                failure_type=exception_in(reason),
                root_cause=cause.text if cause else subject,
            ),
        )
        worth = (
            (6 if cause else 3 if reason else 1) + bool(fix.tests) + bool(commits) + (failure_class == AGENT)
        )
        return replace(
            self._extracted(memory, source), fixed_by=commits[-1] if commits else None, worth=worth
        )

    def _rejection(self, rejection: Rejection, closed: Iterable[Fix]) -> Extracted | None:
        event = rejection.event
        approach, reason = (" ".join(str(event.payload[name]).split()) for name in ("approach", "reason"))
        if not is_lesson(approach) or not is_sure(reason):
            return None
        words = frames(f"{approach} {reason}")
        failures = [one for one in rejection.behind if one.type.endswith("_failed")]
        fix = next((one for one in closed if not _disjoint(one.failures, failures)), None)
        facts = self._facts
        changes = (fix.changes if fix else ()) or facts.changes_before(event) or facts.commit_after(event)
        files = [path for one in changes for path in facts.files(one)]
        tests = tuple(name for one in failures for name in text_list(one.payload, "failing"))
        instead, fixed = rejection.instead, self._fixed(fix)
        proven = bool(tests or fixed)
        memory = self._memory(
            PITFALL if proven else MODULE,
            event,
            words.reject.format(approach=quoted(approach, words), reason=reason.rstrip(" .。")),
            [*rejection.behind, event],
            body=words.instead.format(approach=_reasoned(instead)) if instead else None,
            scope=self._facts.scope(files, f"{approach} {reason}"),
            evidence=Evidence(tests=tests[:MOST_TESTS], commits=fixed),
            probe=probe_of(fix.passed, tests[:MOST_TESTS]) if fix else None,
            label=PITFALL,
            origin=Origin(
                failure_class=failure_class_of(failures) if failures else None,
                root_cause=reason.rstrip(" .。"),
            ),
        )
        worth = 5 + 2 * (event.actor == PERSON) + bool(tests)
        made = self._extracted(replace(memory, kind=Kind.PITFALL), [*rejection.behind, event])
        return replace(made, fixed_by=fixed[0] if fixed else None, worth=worth)

    def _decision(self, event: Event) -> Extracted | None:
        decision, reason = (" ".join(str(event.payload[name]).split()) for name in ("decision", "reason"))
        if not (is_lesson(decision) and is_about_the_code(decision) and is_sure(reason)):
            return None
        kind = _type_of(decision)
        scope = Scope(project=True, does_not_apply_to=(NO_ANTI_SCOPE,))
        if kind != WORKFLOW:
            scope = self._facts.scope_of_decision(f"{decision} {reason}")
        about = self._facts.commit_about(decision)
        commit = self._facts.commit(about) if about else None
        memory = self._memory(
            kind,
            event,
            sentence(decision),
            [event],
            body=frames(f"{decision} {reason}").why.format(reason=reason),
            scope=scope,
            evidence=Evidence(commits=(commit,) if commit else ()),
            origin=Origin(),
        )
        worth = 4 + 2 * (event.actor == PERSON) + bool(scope.paths)
        return replace(self._extracted(memory, [event]), worth=worth)

    def _cause(self, fix: Fix) -> _Cause | None:
        """The finding that says why it failed: between failure and change, else one that speaks of the tests or files.

        Else the only one after the change that gives a reason, since many write down why once they have committed.
        """
        for event in reversed(fix.between):
            if _says_why(said := text_field(event.payload, "finding") or ""):
                return _Cause(_plain(said), event)
        about = [*fix.tests, *(path for one in fix.changes for path in self._facts.files(one))]
        for event in reversed(fix.around):
            said = text_field(event.payload, "finding") or ""
            if _says_why(said) and spoken_of(about, said):
                return _Cause(_plain(said), event)
        late = [one for one in fix.after if gives_reason(text_field(one.payload, "finding") or "")]
        said = text_field(late[0].payload, "finding") or "" if len(late) == 1 else ""
        return _Cause(_plain(said), late[0]) if said and _says_why(said) else None

    def _subject(self, fix: Fix) -> str:
        """The newest subject among the changes that says what was done."""
        told = (text_field(one.payload, "subject") or "" for one in reversed(fix.changes))
        return next((subject_of(one) for one in told if is_telling(one) and is_sure(one)), "")

    def _memory(
        self,
        type_name: str,
        event: Event,
        summary: str,
        source: Sequence[Event],
        *,
        scope: Scope,
        origin: Origin,
        body: str | None = None,
        evidence: Evidence = NO_EVIDENCE,
        probe: str | None = None,
        label: str = "",
    ) -> Memory:
        return Memory(
            _name(label or type_name, event, source),
            "",
            default_kind(type_name),
            type_name,
            Status.CANDIDATE,
            summary,
            body=body,
            scope=scope,
            evidence=evidence,
            verification=Verification(probe),
            origin=replace(
                origin, run=event.run, source_events=tuple(one.commit for one in source), system=EXTRACTED
            ),
            created_at=moment_of(event.at),
            created_by=self._facts.author_of(source),
        )

    def _extracted(self, memory: Memory, source: Sequence[Event]) -> Extracted:
        return Extracted(memory, f"extracted-{memory.id}", seq=source[-1].seq)

    def _fixed(self, fix: Fix | None) -> tuple[str, ...]:
        found = [one for one in map(self._facts.commit, fix.changes if fix else ()) if one]
        return tuple(found[-1:])


def _fix_words(fix: Fix, cause: str, subject: str, reason: str) -> str:
    words = frames(cause or subject)
    told = cause or (quoted(reason, words) if reason else "")
    frame = words.alone if not told else words.fix if subject else words.cause
    return frame.format(subject=sentence(subject), test=_tests(fix, words.more), cause=told)


def _tests(fix: Fix, more: str) -> str:
    """The tests that show it; the command where none has a name."""
    if not fix.tests:
        return f"`{probe_of(fix.passed) or text_field(fix.passed.payload, 'command') or 'the test'}`"
    first = short_test(fix.tests[0])
    return more.format(test=first, more=len(fix.tests) - 1) if len(fix.tests) > 1 else first


def _type_of(decision: str) -> str:
    if _ARCHITECTURE.search(decision):
        return ARCHITECTURE
    return WORKFLOW if _WORKFLOW.search(decision) else MODULE


def _says_why(finding: str) -> bool:
    return is_lesson(finding) and tells_why(finding)


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(" .。")


def _reasoned(event: Event | None) -> str:
    payload = event.payload if event else {}
    said, reason = text_field(payload, "approach") or "", text_field(payload, "reason")
    return f"{said} – {reason}" if reason else said


def _disjoint(one: Sequence[Event], other: Sequence[Event]) -> bool:
    return {event.id for event in one}.isdisjoint(event.id for event in other)


def _digest(type_name: str, source: Sequence[Event]) -> str:
    """Of what the candidate is made from: the deciding event and what it rests on, by ids that outlive a copied clone."""
    named = "\0".join([type_name, *(f"{one.run} {one.id}" for one in (source[0], source[-1]))])
    return hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()


def _name(type_name: str, event: Event, source: Sequence[Event]) -> str:
    number = int(_digest(type_name, source), 16)
    letters = "".join(CROCKFORD[number >> 5 * place & 31] for place in range(5))
    made = moment_of(event.at)
    return f"candidate-{made:%Y%m%d}-{letters}" if made else f"candidate-{letters}"
