"""Memories as text for people and as JSON (cli.md, `list` and `show`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from gitmem.model.anti_scope import named_domains
from gitmem.model.memory import RETIRED_AT, RETIRED_BECAUSE, Memory, Status
from gitmem.model.validation import Validation
from gitmem.model.watch import Watch
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.problems import problem_document
from gitmem.report.sanitise import prose, visible, visible_block
from gitmem.report.width import pad, width
from gitmem.usecases.knowledge import KnownValidation
from gitmem.usecases.listing import History, Listed, Listing
from gitmem.usecases.whereabouts import Whereabouts

_STYLES = {"active": "green", "challenged": "yellow", "proposed": "cyan"}
_GROUPS = ("scope", "evidence", "verification", "origin")
_PLAIN_FIELDS = (
    "aliases",
    "body",
    "created_at",
    "created_by",
    "approved_at",
    "approved_by",
    "validated_by",
    "last_validated_at",
    "review_after",
    "expires_at",
    "challenged_at",
    "challenged_because",
    "drift",
    "supersedes",
    "superseded_by",
)


def listing_document(listing: Listing) -> dict[str, Any]:
    """The JSON document of `list`."""
    return {
        "memories": [memory_document(one) for one in listing.memories],
        "problems": [problem_document(one) for one in listing.problems],
    }


def memory_document(one: Listed) -> dict[str, Any]:
    """One memory: the fields of its file that say something, then what counts about it."""
    approval = one.approval
    return {
        **memory_fields(one.memory),
        "file": one.memory.file,
        "effective_status": one.effective_status,
        "confirmations": one.confirmations,
        "warning": one.warning,
        "edits_approved": one.known.edits,
        "heir": one.heir,
        "branch": one.where.branch if one.where is not None else None,
        "approval": {
            "state": approval.state,
            "verified": approval.verified,
            "review": approval.review,
            "commit": approval.commit,
            "by": approval.by,
            "at": approval.at,
        },
    }


def standing_fields(validation: Validation | None) -> dict[str, Any]:
    """What `show --json` adds: the newest validation of these words, and the watches that it recorded."""
    if validation is None:
        return {"validation": None, "rests_on": []}
    marks = validation.baseline.marks if validation.baseline is not None else ()
    told = {
        "file": validation.file,
        "at": _plain(validation.at),
        "by": validation.by,
        "how": validation.how,
        "commit": validation.baseline.commit if validation.baseline is not None else None,
    }
    return {"validation": told, "rests_on": [str(mark.watch) for mark in marks]}


def memory_fields(memory: Memory) -> dict[str, Any]:
    """The fields as a file would hold them; what says nothing is left out but for the required ones."""
    fields: dict[str, Any] = {
        "id": memory.id,
        "title": memory.title,
        "kind": memory.kind.value,
        "type": memory.type,
        "status": memory.status.value,
        "summary": memory.summary,
    }
    groups = {name: _group(getattr(memory, name)) for name in _GROUPS}
    fields |= {name: group for name, group in groups.items() if group or name == "scope"}
    fields |= {name: _plain(value) for name in _PLAIN_FIELDS if (value := getattr(memory, name))}
    if memory.claim:
        fields["claim"] = memory.claim.value
    if memory.watch is not None:
        fields["watch"] = [_watch(one) for one in memory.watch]
    return {**{name: value for name, value in memory.extra.items() if name not in fields}, **fields}


def _group(value: Any) -> dict[str, Any]:
    named = ((name, getattr(value, name)) for name in value.__dataclass_fields__)
    return {name: _plain(one) for name, one in named if one}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return value.isoformat() if isinstance(value, date | datetime) else value


def _watch(watch: Watch) -> dict[str, Any]:
    told: dict[str, Any] = {watch.kind.value: watch.target}
    if watch.polarity.value != "asserts":
        told["polarity"] = watch.polarity.value
    if watch.quote:
        told["quote"] = {
            "exact": watch.quote.exact,
            "prefix": watch.quote.prefix,
            "suffix": watch.quote.suffix,
        }
    return told


def listing_lines(listing: Listing, look: Look = PLAIN) -> Iterator[str]:
    """One line a memory: status, kind, id, the rule; what stands against it on a line of its own below."""
    if not listing.memories:
        return
    ids = max(width(visible(one.memory.id)) for one in listing.memories)
    statuses = max(len(one.effective_status) for one in listing.memories)
    kinds = max(len(one.memory.kind.value) for one in listing.memories)
    for one in listing.memories:
        yield look.line(
            Span(pad(one.effective_status, statuses), _style(one)),
            f"  {pad(one.memory.kind.value, kinds)}  {pad(visible(one.memory.id), ids)}  {_rule(one)}",
        )
        if one.warning:
            yield look.line(" " * (statuses + 2), Span(prose(one.warning), "yellow"))


def _style(one: Listed) -> str:
    return _STYLES.get(one.effective_status, "dim")


def _rule(one: Listed) -> str:
    title = f"{prose(one.memory.title)}: " if one.memory.title else ""
    edit = "(edit, not merged) " if one.known.edits else ""
    place = f"({_elsewhere(one.where)}) " if one.where is not None else ""
    return f"{place}{edit}{title}{prose(one.memory.summary)}"


def _elsewhere(where: Whereabouts) -> str:
    return f"on {visible(where.branch)}" if where.branch else "not committed"


def tally(listing: Listing) -> str:
    """How many by status, worst known first: ``2 active, 1 proposed``."""
    counts: dict[str, int] = {}
    for one in listing.memories:
        counts[one.effective_status] = counts.get(one.effective_status, 0) + 1
    ordered = sorted(counts, key=lambda status: (_ORDER.get(status, len(_ORDER)), status))
    return ", ".join(f"{counts[status]} {status}" for status in ordered) or "no memories"


_ORDER = {"active": 0, "challenged": 1, "proposed": 2}


def trusted_sentence(listing: Listing) -> str:
    """Which branch was trusted and why, or what follows from there being none."""
    trusted = listing.trusted
    if trusted.commit is None:
        return f"nothing is approved here: {trusted.why}"
    sure = "the server says so too" if trusted.verified else "as this clone knows it"
    return f"approved = merged to {trusted.name} ({trusted.why}; {trusted.commit[:12]}, {sure})"


def memory_lines(
    one: Listed, look: Look = PLAIN, *, validation: Validation | None = None, taken: str = ""
) -> Iterator[str]:
    """A memory in full, for people; never cut.

    Args:
        one: The memory.
        look: What the reader can take.
        validation: The newest of its words; None when nobody confirmed them.
        taken: Which validation was taken away, in words; empty when none was.
    """
    memory, whole = one.memory, look._replace(width=None)
    kind = f"  {memory.kind.value}" + (f" ({prose(memory.type)})" if memory.type else "")
    yield whole.line(Span(visible(memory.id), "bold"), "  ", Span(one.effective_status, _style(one)), kind)
    if memory.title:
        yield prose(memory.title)
    for text in (memory.summary, memory.body):
        if text:
            yield ""
            yield from (f"    {line}" for line in visible_block(text.rstrip("\n")).split("\n"))
    yield ""
    if one.warning:
        yield whole.line(Span(prose(one.warning), "yellow"))
        yield f"why: gitmem drift {visible(memory.id)} --explain    it still holds: gitmem confirm {visible(memory.id)}"
        yield ""
    rows = [(label, value) for label, value in (*_rows(one, validation), ("taken away", taken)) if value]
    room = max(len(label) for label, _ in rows)
    for label, value in rows:
        yield whole.line(Span(pad(label, room), "dim"), f"  {value}")


def _rows(one: Listed, validation: Validation | None) -> Iterator[tuple[str, str]]:
    memory = one.memory
    scope = memory.scope
    yield "approval", approval_sentence(one)
    yield "file", visible(memory.file)
    yield "paths", "everywhere" if scope.project else _words(scope.paths)
    yield "except", _words(scope.exclude)
    yield "elements", _words(scope.elements)
    yield "applies to", _words(scope.applies_to)
    yield "not for", _words(named_domains(scope.does_not_apply_to))
    yield "rests on", _rests_on(memory, validation)
    yield "check", prose(memory.verification.probe or "")
    for name in ("tests", "reviews", "commits", "documents", "artifacts"):
        yield name, _words(getattr(memory.evidence, name))
    yield "written", _by(memory.created_by, memory.created_at)
    yield "confirmed", _confirmed(one, validation)
    yield "review after", str(memory.review_after or "")
    yield "expires", str(memory.expires_at or "")
    yield "retired", _retired(memory)
    yield "supersedes", _words(memory.supersedes)
    yield "superseded by", visible(one.heir) if one.heir else _words(memory.superseded_by)


def _retired(memory: Memory) -> str:
    at, because = (str(memory.extra.get(name) or "") for name in (RETIRED_AT, RETIRED_BECAUSE))
    return prose(f"{at[:10]} {because}".strip())


def _is_closed(memory: Memory) -> bool:
    """Whether nothing is to be confirmed about it: a note without fields, or what is retired."""
    return memory.file.endswith(".md") or memory.status in {Status.DEPRECATED, Status.ARCHIVED, Status.DENIED}


def _rests_on(memory: Memory, validation: Validation | None) -> str:
    if memory.watch is not None:
        return _words([str(watch) for watch in memory.watch])
    baseline = validation.baseline if validation is not None else None
    if baseline is None:
        return ""
    watched = _words([str(mark.watch) for mark in baseline.marks])
    return (
        f"{watched} (derived from its words)" if watched else "its scope as a whole: its words name no code"
    )


def _confirmed(one: Listed, validation: Validation | None) -> str:
    if _is_closed(one.memory):
        return f"{one.confirmations}×" if one.confirmations else ""
    if one.where is not None and one.where.branch:
        return f"on its branch: gitmem drift {visible(one.memory.id)} --at {visible(one.where.branch)}"
    if validation is None:
        times = f"{one.confirmations}×, not with these words" if one.confirmations else "never"
        return f"{times}: gitmem confirm {visible(one.memory.id)} records what it rests on"
    last = f"last {_plain(validation.at)} by {prose(validation.by)} ({validation.how})"
    return f"{one.confirmations}×, {last}" if one.confirmations else last


_DOUBTS = {
    "unreviewed": "none: merged, but nobody else reviewed it and trust.require_review asks for that; it is not delivered "
    "until a commit with Reviewed-by brings these words",
    "bot": "none: merged by a bot alone; it is not delivered until a person reviews it or gitmem confirm --replay passes",
}


def approval_sentence(one: Listed) -> str:
    """What git says about who approved it, in words."""
    approval = one.approval
    if one.known.doubt:
        return _DOUBTS[one.known.doubt]
    if approval.state == "unmerged":
        what = "an edit of the approved memory, not merged" if one.known.edits else "not merged"
        what = f"{what}, {_elsewhere(one.where)}" if one.where is not None else what
        return f"none: {what}, so it is proposed and never delivered"
    if approval.commit is None:
        return "merged; history here does not reach back to when or by whom"
    how = {"reviewed": "reviewed", "direct": "without a recorded review"}.get(
        approval.review, approval.review
    )
    sure = "" if approval.verified else ", as this clone knows it"
    return (
        f"merged by {prose(approval.by or 'unknown')} at {approval.at} in {approval.commit[:12]}, {how}{sure}"
    )


def _words(words: Sequence[str]) -> str:
    return ", ".join(prose(word) for word in words)


def _by(who: str | None, at: date | None) -> str:
    return " ".join(part for part in (prose(who or ""), _plain(at) if at else "") if part)


def history_lines(
    history: History, validations: Sequence[KnownValidation], look: Look = PLAIN
) -> Iterator[str]:
    """Commits that touched the file, then who looked and when, newest first."""
    yield ""
    yield look.line(Span("history", "bold"))
    for one in history.touched:
        commit = one.commit
        yield f"  {commit.oid[:12]}  {commit.authored_at}  {prose(commit.author.name)}: {prose(commit.subject)}"
        yield f"  {' ' * 12}  {visible(one.path)}"
    if history.is_cut:
        yield "  history is cut here (shallow clone), what is older is not known: git fetch --unshallow"
    if validations:
        yield look.line(Span("validations", "bold"))
    else:
        yield "no validations: nobody has confirmed it yet"
    for known in validations:
        validation = known.validation
        where = "" if known.merged else ", on this branch only"
        yield f"  {_plain(validation.at)}  {prose(validation.by)} ({validation.how}{where})"


def history_document(history: History, validations: Sequence[KnownValidation]) -> Mapping[str, Any]:
    """What `show --history --json` adds to each memory."""
    return {
        "history": [
            {
                "commit": one.commit.oid,
                "at": one.commit.authored_at,
                "author": one.commit.author.name,
                "subject": one.commit.subject,
                "file": one.path,
            }
            for one in history.touched
        ],
        "history_cut": history.is_cut,
        "validations": [
            {
                "at": _plain(one.validation.at),
                "by": one.validation.by,
                "how": one.validation.how,
                "file": one.validation.file,
                "merged": one.merged,
            }
            for one in validations
        ],
    }
