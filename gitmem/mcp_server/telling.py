"""Tools that tell something of memory: a lesson, a claim, what helped. They write candidates and events, never a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from gitmem.errors import GitmemError, UsageError
from gitmem.mcp_server.desk import Answer, Desk
from gitmem.mcp_server.fields import Values
from gitmem.mcp_server.knowing import memory_id

if TYPE_CHECKING:
    from gitmem.model.candidate import Candidate
    from gitmem.promotion.ruling import RuleResult
    from gitmem.usecases.claim import Claimed
    from gitmem.usecases.knowledge import Knowledge

_LONGEST_PATCH: Final = 12_000


def remember(desk: Desk, given: Values) -> Answer:
    """Take in a lesson as a candidate, or count it when it is known.

    Raises:
        UsageError: It says nothing, holds a secret, or cannot be a memory; nothing was written.
        NotFoundError: Nothing is called as what it supersedes.
    """
    from gitmem.report.remember import remembered_document
    from gitmem.usecases.lessons import Spoken, spoken_lesson
    from gitmem.usecases.remember import Remembering

    teller, run = desk.teller(given["session"]), desk.memory_run()
    remembering = Remembering(desk.ledger, run, teller, desk.now())
    spoken = Spoken(
        given["content"],
        kind=given["kind"] or None,
        type=given["type"].strip() or None,
        title=given["title"].strip() or None,
        paths=tuple(map(desk.path, given["paths"])),
        exclude=tuple(map(desk.path, given["exclude"])),
        elements=given["element"],
        not_for=given["not_for"],
        evidence=given["evidence"],
        supersedes=given["supersedes"],
        failure_class=given["failure_class"].strip() or None,
        from_events=given["source_events"],
        root_cause=given["root_cause"].strip() or None,
        probe=given["probe"].strip() or None,
        expires=given["expires"].strip() or None,
    )
    named = desk.run_word() is not None
    lesson = spoken_lesson(desk.ledger, remembering.knowledge, run, spoken, teller, named_run=named)
    told = remembering.remember(lesson)
    return Answer(remembered_document(told, _lacking(desk, told.stored)))


def _lacking(desk: Desk, stored: Candidate | None) -> Sequence[RuleResult]:
    """What the gate would still ask of it; nothing when its policy cannot be read, which the gate itself tells."""
    from gitmem.report.remember import worth_telling
    from gitmem.usecases.gate import Gate

    if stored is None:
        return ()
    try:
        return worth_telling(Gate(desk.ledger, today=desk.today()).candidate(stored).lacking)
    except GitmemError:
        return ()


def confirm_memory(desk: Desk, given: Values) -> Answer:
    """Show the evidence of a memory with its token; with that token record the claim that it still holds.

    Raises:
        UsageError, NotFoundError: No such memory.
    """
    from gitmem.usecases.claim import claim, show_evidence

    name, token = memory_id(given["id"]), given["token"].strip()
    if not token:
        return Answer(_claim_document(show_evidence(desk.repository, name, today=desk.today())))
    teller = desk.teller(given["session"])
    return Answer(
        _claim_document(claim(desk.ledger, desk.memory_run(), teller, name, token, today=desk.today()))
    )


def _claim_document(told: Claimed) -> Mapping[str, Any]:
    from gitmem.report.confirm import evidence_document

    asking, memory = told.asking, told.memory
    if told.event is not None:
        remark = "Recorded as a claim: it is first in the review queue, and a person confirms it."
    elif asking.stale_token:
        remark = "Nothing was recorded: that token is of other evidence. Look at this one first."
    else:
        remark = "Nothing was recorded: check the statement against the code, then call again with token."
    return {
        "id": memory.id,
        "claimed": told.event is not None,
        "token": asking.token,
        "remark": remark,
        "statement": memory.summary,
        "body": asking.body,
        "status": asking.judgement.status,
        "verdict": asking.judgement.verdict.value,
        "warning": asking.judgement.warning,
        "evidence": evidence_document(asking),
        "patch": asking.patch[:_LONGEST_PATCH],
        "run": told.event.run if told.event is not None else None,
    }


def end_session(desk: Desk, given: Values) -> Answer:
    """Record what came of a session and which memories helped; with an open run, its handoff too.

    Raises:
        UsageError: No session is named.
    """
    from gitmem.usecases.runs.finding import INBOX
    from gitmem.usecases.runs.handing_off import write_handoff

    teller, run = desk.teller(given["session"]), desk.memory_run()
    if teller.session is None:
        raise UsageError("no session is named", hint="pass the session that recall was given")
    used, unknown = _known(desk, given["used_memories"])
    said = {"session": teller.session, "summary": given["summary"].strip(), "used_memories": used}
    payload = {name: value for name, value in said.items() if value}
    event = run.append(
        event_type="session_ended", actor=teller.actor, session=teller.session, payload=payload
    )
    told = {"run": run.id, "seq": event.seq, "used_memories": used, "unknown": unknown, "remark": ""}
    if run.id != INBOX:
        try:
            write_handoff(desk.ledger, run, actor=teller.actor, session=teller.session)
        except GitmemError as error:
            told["remark"] = f"The handoff was not written: {error.message}."
    return Answer(told)


def _known(desk: Desk, named: Sequence[str]) -> tuple[list[str], list[str]]:
    """Ids of the memories that are named by id, title or alias, and the names of none."""
    if not named:
        return [], []
    from gitmem.usecases.knowledge import load_knowledge

    addresses = _addresses(load_knowledge(desk.repository))
    found = {one: addresses.get(_folded(one)) for one in dict.fromkeys(named)}
    used = list(dict.fromkeys(name for name in found.values() if name))
    return used, [one for one, name in found.items() if name is None]


def _addresses(knowledge: Knowledge) -> Mapping[str, str]:
    addresses: dict[str, str] = {}
    for memory in knowledge.approved:
        for name in (memory.id, memory.title or "", *memory.aliases):
            if name.strip():
                addresses.setdefault(_folded(name), memory.id)
    return addresses


def _folded(name: str) -> str:
    from gitmem.model.text_folding import folded

    return folded(name.strip().removeprefix("[[").removesuffix("]]"))
