"""A proposal for people: the commit message, which is the pull request's body too, and what to do next.

All text of the candidate is inert: no markup, mention, closing keyword, ``[skip ci]``, link or trailer of its own. The
message ends in a paragraph of gitmem's own, so that no line of a candidate can pass for a ``Reviewed-by`` trailer.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence

from gitmem.model.anti_scope import named_domains
from gitmem.model.memory import Memory
from gitmem.promotion.ruling import Outcome, RuleResult
from gitmem.report.confirm import born_false_document, lost_lines
from gitmem.report.gate import gated_document
from gitmem.report.look import PLAIN, Look, Span
from gitmem.report.sanitise import code, fenced, inert, prose, visible
from gitmem.report.width import cut
from gitmem.usecases.gate import Gated
from gitmem.usecases.propose import Draft, Proposal
from gitmem.usecases.whereabouts import BRANCHES, Whereabouts

_SUBJECT = 72
_LONGEST = 50_000
_PLAIN_SUBJECT = re.compile(r"[^\w .,:;/()'-]", re.UNICODE)
_OUTCOMES = {
    Outcome.PASSED: "passed",
    Outcome.FAILED: "failed",
    Outcome.HELD: "held",
    Outcome.NEEDS_HUMAN: "needs a person",
}


def proposal_document(proposal: Proposal) -> dict[str, object]:
    """The ``propose`` document of cli.md, with where it stands."""
    where = proposal.where
    return {
        "memory": proposal.memory.id if proposal.memory else where.memory if where else None,
        "file": where.file if where else None,
        "branch": where.branch if where else None,
        "commit": where.commit if where else None,
        "gate": gated_document(proposal.gate) if proposal.gate else None,
        "candidate": proposal.candidate.id,
        "born_false": born_false_document(proposal.captured) if proposal.captured else [],
        "place": where.place if where else None,
        "already": proposal.already,
    }


# the commit message
def proposal_message(draft: Draft) -> str:
    """Subject, body in Markdown and a closing paragraph."""
    memory = draft.memory
    named = _PLAIN_SUBJECT.sub("", " ".join((memory.title or memory.summary).split())).strip()
    subject = cut(f"Propose memory: {prose(named) or memory.id}", _SUBJECT)
    body = "\n".join(_body(draft))
    if len(body) > _LONGEST:
        body = f"{body[:_LONGEST]}\n…"
    return f"{subject}\n\n{body}\n\nMemory: {memory.id}\nCandidate: {draft.candidate.id}\n"


def _body(draft: Draft) -> Iterator[str]:
    memory, candidate = draft.memory, draft.candidate
    yield f"Merging this approves the memory {code(memory.id)}."
    yield ""
    yield f"> {_with_code(memory.summary)}"
    if memory.body:
        yield from ("", *fenced(memory.body.strip("\n")))
    by = inert(candidate.actor or "nobody")
    yield ""
    yield f"From candidate {code(candidate.id)}, told by {by} at {inert(candidate.at[:10])} in run {code(candidate.run)}."
    yield from _section("Where it holds", _scope(memory))
    yield from _section("What it rests on", _resting(draft))
    yield from _section("Evidence", _evidence(memory))
    yield from _section("What the gate says", _scorecard(draft.gate))
    yield from _section("How to check", _checks(draft))


def _with_code(text: str) -> str:
    """A sentence as inert Markdown in which names in backticks stay code."""
    pieces = re.split(r"`([^`\n]+)`", text)
    return "".join(code(one) if index % 2 else _inert(one) for index, one in enumerate(pieces))


def _inert(text: str) -> str:
    """As `inert`, with the spaces at both ends, which separate it from the code beside it."""
    before, after = (" " if text[:1].isspace() else ""), (" " if text[-1:].isspace() else "")
    return f"{before}{inert(text)}{after}" if text.strip() else text[:1]


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    told = [f"- {line}" for line in lines]
    if told:
        yield from ("", f"### {title}", "", *told)


def _scope(memory: Memory) -> Iterator[str]:
    scope = memory.scope
    if scope.project:
        yield "the whole project"
    yield from _listed("paths", scope.paths)
    yield from _listed("but not", scope.exclude)
    yield from _listed("elements", scope.elements)
    yield from _listed("applies to", scope.applies_to)
    yield from _listed("not for", named_domains(scope.does_not_apply_to))
    if memory.expires_at:
        yield f"expires {memory.expires_at}"
    if memory.review_after:
        yield f"to be reviewed after {memory.review_after}"
    yield from _listed("takes the place of", memory.supersedes)


def _resting(draft: Draft) -> Iterator[str]:
    """What the drift checker will watch, and what it found nowhere."""
    if draft.captured is None:
        return
    yield from _listed("watches", tuple(str(mark.watch) for mark in draft.captured.marks))
    yield from (inert(line.strip()) for line in lost_lines(draft.captured, PLAIN))


def _evidence(memory: Memory) -> Iterator[str]:
    held = memory.evidence
    for name in ("tests", "reviews", "commits", "documents", "artifacts"):
        yield from _listed(name, getattr(held, name))
    origin = memory.origin
    yield from _listed("source events", tuple(one[:12] for one in origin.source_events))
    failure = tuple(one for one in (origin.failure_class, origin.failure_type) if one)
    yield from _listed("failure", failure)
    if origin.root_cause:
        yield f"root cause: {inert(origin.root_cause)}"
    if origin.imported:
        yield f"imported from {code(origin.imported)}"


def _listed(name: str, values: Sequence[str]) -> Iterator[str]:
    if values:
        more = f" and {len(values) - 20} more" if len(values) > 20 else ""
        yield f"{name}: {', '.join(map(code, values[:20]))}{more}"


def _scorecard(gate: Gated) -> Iterator[str]:
    """What speaks against it first, then what passed with a reason, then the names of the rest."""
    yield f"decision: {gate.decision.value.replace('_', ' ')}"
    passed = [one for one in gate.judged.results if one.outcome is Outcome.PASSED]
    for one in (*gate.lacking, *(one for one in passed if one.reason)):
        because = f" – {inert(one.reason)}" if one.reason else ""
        yield f"{_OUTCOMES[one.outcome]}: {code(one.rule)}{because}"
    if plain := [code(one.rule) for one in passed if not one.reason]:
        yield f"passed: {', '.join(plain)}"


def _checks(draft: Draft) -> Iterator[str]:
    memory = draft.memory
    if memory.verification.probe:
        yield f"the probe: {code(memory.verification.probe)}"
    yield f"{code(f'gitmem show {memory.id}')} and {code(f'gitmem drift {memory.id}')} on this branch"


# the answer
def proposal_lines(
    proposal: Proposal,
    look: Look = PLAIN,
    *,
    settings: Mapping[str, str] | None = None,
    with_text: bool = True,
) -> Iterator[str]:
    """The answer for people.

    Args:
        proposal: What came of it.
        look: What the reader can take.
        settings: The remote to push to (``remote``) and its address (``url``).
        with_text: Whether the pull request's text follows.
    """
    where = proposal.where
    if where is None:
        yield from _stopped_lines(proposal, look)
        return
    state = _PLACES[where.place].format(branch=visible(where.branch or "HEAD"))
    again = "already " if proposal.already else ""
    yield look.line(
        Span("proposed" if where.place != "merged" else "approved", "green"),
        " ",
        Span(visible(where.memory), "bold"),
        f"  {again}{state}",
    )
    yield look.line(f"  {visible(where.file)}")
    if proposal.memory is not None:
        yield look.line(f"  says: {prose(proposal.memory.summary)}")
    if proposal.gate is not None:
        yield from (_rule_line(one, look) for one in proposal.gate.lacking)
    if proposal.captured is not None:
        yield from lost_lines(proposal.captured, look)
    yield from (f"  {line}" for line in _next_lines(proposal, where, settings or {}))
    if proposal.message and with_text:
        yield from ("", *(visible(line) for line in proposal.message.splitlines()))


_PLACES = {
    "merged": "on {branch}",
    "branch": "on branch {branch}",
    "head": "committed on {branch}, not merged",
    "worktree": "in the work tree, not committed",
}


def _stopped_lines(proposal: Proposal, look: Look) -> Iterator[str]:
    name = Span(visible(proposal.candidate.id), "bold")
    if proposal.declined or proposal.gate is None:
        yield look.line(Span("not proposed", "yellow"), " ", name)
        return
    yield look.line(Span(f"gate: {proposal.gate.decision.value}", "red"), " ", name, "  nothing was written")
    yield look.line(f"  says: {prose(proposal.candidate.memory.summary)}")
    yield from (_rule_line(one, look) for one in proposal.gate.lacking)


def _rule_line(one: RuleResult, look: Look) -> str:
    cure = f" → {prose(one.cure)}" if one.cure else ""
    said = (
        f"  {_OUTCOMES.get(one.outcome, one.outcome.value)}: {visible(one.rule)}: {prose(one.reason)}{cure}"
    )
    return look._replace(width=None).line(said)


def _next_lines(proposal: Proposal, where: Whereabouts, settings: Mapping[str, str]) -> Iterator[str]:
    if where.place == "worktree":
        yield f"next: git add .ai && git commit, then a pull request; {_approves(proposal)}"
    elif where.place == "branch" and where.branch and where.branch.startswith(BRANCHES):
        yield from _branch_lines(proposal, where.branch, settings)
    elif where.place != "merged":
        yield f"next: a pull request; {_approves(proposal)}"


def _approves(proposal: Proposal) -> str:
    return f"merging it into {visible(proposal.trusted) or 'the trusted branch'} is the approval"


def _branch_lines(proposal: Proposal, branch: str, settings: Mapping[str, str]) -> Iterator[str]:
    remote = settings.get("remote")
    if remote is None:
        yield f"next: git merge --no-ff {shlex.quote(branch)} on {visible(proposal.trusted)}; the merge is the approval"
        return
    base = proposal.trusted.removeprefix(f"{proposal.remote}/")
    yield f"next: git push {visible(shlex.quote(remote))} {shlex.quote(branch)}"
    command = request_command(settings.get("url", ""), branch, base)
    yield f"then: {command or 'open a pull request; the commit message is its text'}"
    yield f"{_approves(proposal)}; git log -1 {shlex.quote(branch)} shows its text"


def request_command(url: str, branch: str, base: str) -> str:
    """The command that opens a pull request with the commit's message as title and body; empty for an unknown forge.

    Args:
        url: Address of the remote.
        branch: The proposal branch.
        base: The branch it is to be merged into.
    """
    host = _host(url)
    head, into = shlex.quote(branch), shlex.quote(base)
    title, body = (f'"$(git log -1 --format=%{part} {head})"' for part in ("s", "b"))
    if "github" in host:
        return f"gh pr create --head {head} --base {into} --title {title} --body {body}"
    if "gitlab" in host:
        return f"glab mr create --source-branch {head} --target-branch {into} --title {title} --description {body}"
    if any(name in host for name in ("gitea", "forgejo", "codeberg")):
        return f"tea pulls create --head {head} --base {into} --title {title} --description {body}"
    return ""


def _host(url: str) -> str:
    found = re.match(r"[a-z+]+://(?:[^/@]*@)?([^/:]+)|(?:[^/@:]*@)?([^/:]+):", url, re.IGNORECASE)
    return (found[1] or found[2] or "").casefold() if found else ""


def draft_lines(draft: Draft) -> Iterator[str]:
    """What a person is shown who approves it at once: the whole message and the file."""
    yield from (visible(line) for line in proposal_message(draft).splitlines())
    text = draft.files[draft.memory.file].decode("utf-8", "replace")
    yield from ("", visible(draft.memory.file), *(f"  {visible(line)}" for line in text.splitlines()))
