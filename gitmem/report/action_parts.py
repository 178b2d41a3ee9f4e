"""Each finding of the Action as Markdown: what it says of one memory, both sides of it, and the ways to answer.

All text of the repository and of the event is inert (`gitmem.report.sanitise`): code spans and fences are computed, no
markup, mention, reference or HTML of its own survives, and what stands in an address is percent-encoded.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple
from urllib.parse import quote

from gitmem.model.verdict import CHALLENGING, Judgement
from gitmem.promotion.ruling import GateDecision, RuleResult
from gitmem.report.evidence import (
    headword,
    history,
    place,
    plural,
    statement,
    watched_name,
    what_happened,
    why,
)
from gitmem.report.sanitise import code, fenced, inert, masked, visible
from gitmem.trust.reviews import Reviewed
from gitmem.usecases.acting.answer import ActionAnswer, Arrived, Doubt, Proposed, Settled
from gitmem.usecases.acting.occasion import Occasion

PATCH_LINES = 60
"""A longer patch is cut, and its command named."""
_LONGEST_LINE = 300
_FINDINGS = 5
_RULES = 8
_DECISIONS = {
    GateDecision.ACCEPT: "accepted",
    GateDecision.REFUSE: "refused",
    GateDecision.HOLD: "held",
    GateDecision.NEEDS_HUMAN: "needs a person",
}


class Place(NamedTuple):
    """Where readers are.

    Args:
        server: Address of the forge.
        occasion: What is looked at; its pull request's branch can be edited in the browser.
        now: What an edited date would say.
    """

    server: str
    occasion: Occasion
    now: datetime

    def link(self, file: str, *, merged: bool) -> str:
        """The file, as a link to the forge's editor, on the default branch or on that of the pull request.

        Args:
            file: Its path.
            merged: Whether the default branch's is meant.
        """
        pull = self.occasion.pull
        repository, branch = self.occasion.repository, self.occasion.default_branch
        if not merged and pull is not None:
            repository, branch = pull.repository, pull.branch
        if not repository or not branch:
            return code(file)
        path = "/".join(_quoted(part) for part in ("edit", branch, file))
        return f"[{code(file)}]({self.server}/{_quoted(repository)}/{path})"


def _quoted(text: str) -> str:
    return quote(text.encode("utf-8", "surrogateescape"), safe="/")


# what is challenged
def doubt_lines(doubt: Doubt, where: Place, *, patch: bool = True) -> Iterator[str]:
    """Both sides of a challenged memory: the statement, what happened, the diff, and how to answer."""
    one = doubt.judgement
    proposed = " (proposed)" if one.proposed else ""
    yield f"- **{headword(one)}** {code(one.id)}{proposed} {inert(statement(one))}"
    for line in masked(doubt.body or "").splitlines()[:_FINDINGS]:
        if line.strip():
            yield f"  <br>{inert(line)}"
    yield from finding_lines(doubt)
    if patch and doubt.patch:
        yield from (f"  {line}" if line else "" for line in _patch_lines(doubt))
    yield from _ways(doubt, where)


def finding_lines(doubt: Doubt) -> Iterator[str]:
    one = doubt.judgement
    hard = [finding for finding in one.findings if finding.verdict in CHALLENGING] or list(one.findings)
    for finding in hard[:_FINDINGS]:
        spans = [code(text) for text in (place(finding), watched_name(finding)) if text]
        behind = f" – {inert(who)}" if (who := history(finding)) else ""
        yield f"  - {' '.join(spans)}{': ' if spans else ''}{inert(what_happened(finding))}{behind}"
    if len(hard) > _FINDINGS:
        yield f"  - … {len(hard) - _FINDINGS} more"
    if soft := len(one.findings) - len(hard):
        yield f"  - {plural(soft, 'softer change')} in its scope"
    if one.warning and (not one.findings or set(one.challenged_by) - {"drift"}):
        yield f"  - {inert(one.warning)}"
    yield from (f"  - {inert(note)}" for note in one.notes)


def _patch_lines(doubt: Doubt) -> Iterator[str]:
    lines = doubt.patch.rstrip("\n").split("\n")
    shown = [
        f"{line[:_LONGEST_LINE]}…" if len(line) > _LONGEST_LINE else line for line in lines[:PATCH_LINES]
    ]
    yield ""
    yield "<details><summary>what changed under it</summary>"
    yield ""
    yield from fenced("\n".join(shown), "diff")
    if len(lines) > PATCH_LINES:
        yield ""
        yield f"… {len(lines) - PATCH_LINES} more lines"
    yield ""
    yield "</details>"
    yield ""


def _ways(doubt: Doubt, where: Place) -> Iterator[str]:
    one = doubt.judgement
    name = shlex.quote(visible(one.id))
    seen = f" --seen {doubt.token}" if doubt.token else ""
    date = code(f"last_validated_at: {where.now.isoformat(timespec='seconds')}")
    # A date beside the code that it speaks of is no validation: after a squash nobody could tell that somebody looked.
    when = "once this is merged, in a change of its own, " if where.occasion.kind == "change" else ""
    if one.proposed:
        yield f"  - It still holds: {code(f'gitmem confirm {name}{seen}')}, and commit the file that it writes."
        yield f"  - It does not: write the words that hold now in {where.link(one.file, merged=False)}."
        return
    yield (
        f"  - It still holds: {code(f'gitmem confirm {name}{seen}')}, and commit the file that it writes;"
        f" or, {when}set {date} in {where.link(one.file, merged=True)}."
    )
    yield (
        f"  - It does not: write the words that hold now in {where.link(one.file, merged=False)}, or a memory that says"
        f" {code(f'supersedes: [{name}]')}; or {code(f'gitmem retire {name} --reason …')}."
    )
    if doubt.dated:
        yield "  - Its date is edited in this change too, which counts for nothing beside the code."


def settled_lines(settled: Settled) -> Iterator[str]:
    one = settled.judgement
    yield f"- {code(one.id)} {inert(statement(one))} – {inert(settled.how)}"


def unconfirmed_lines(one: Judgement) -> Iterator[str]:
    """The way to confirm it stands in the last note."""
    yield f"- {code(one.id)} {inert(statement(one))} ({code(one.file)})"
    yield from (f"  - {inert(note)}" for note in one.notes[-1:])


def unknown_lines(one: Judgement) -> Iterator[str]:
    because = one.warning or next(iter(one.notes), "") or why(one)[0]
    yield f"- {code(one.id)} {inert(statement(one))} – {inert(because)}"


# what is proposed
def proposed_lines(one: Proposed) -> Iterator[str]:
    """What the gate and the reviews say of one file."""
    gated = one.gated
    said = f" {inert(gated.memory.summary)}" if gated.memory else ""
    yield f"- **{_DECISIONS[gated.decision]}** {code(gated.subject)}{said} ({code(gated.file)})"
    lacking = gated.lacking
    yield from (f"  - {_rule(result)}" for result in lacking[:_RULES])
    if len(lacking) > _RULES:
        yield f"  - … {len(lacking) - _RULES} more: {code(f'gitmem gate {shlex.quote(visible(gated.file))}')}"
    if one.reviewed is not None:
        yield f"  - {reviewed_words(one.reviewed)}"


def _rule(result: RuleResult) -> str:
    reason = f": {inert(result.reason)}" if result.reason else ""
    cure = f" → {inert(result.cure)}" if result.cure else ""
    return f"{code(result.rule)}{reason}{cure}"


def reviewed_words(reviewed: Reviewed) -> str:
    """The state of approval in words."""
    names = ", ".join(code(login) for login in reviewed.by)
    why = inert(reviewed.why)
    match reviewed.state:
        case "approved":
            return f"approved by {names}"
        case "refused":
            return f"not approved: {why} by {names}"
        case "waiting":
            return f"not approved: {why}{f' ({names})' if names else ''}"
        case _:
            return f"approval not known: {why}"


# what came
def arrived_lines(one: Arrived) -> Iterator[str]:
    commit = f" with {code(one.commit[:12])}" if one.commit else ""
    by = f" by {code(one.by)}" if one.by else ""
    told = [inert(one.why)] if one.why else []
    if one.approved != "yes":
        told.append(f"not approved{_IF_SO[one.approved]}: {_UNCOUNTED[one.doubt]}")
    yield f"- {code(one.file)}{' removed' if one.removed else ''}{commit}{by}{' – ' if told else ''}{'; '.join(told)}"


_IF_SO = {"no": "", "unknown": " unless it was"}
_UNCOUNTED = {
    "unreviewed": "the policy asks for a review",
    "bot": "a bot alone brought it, and no recorded replay passed",
}


def policy_lines(answer: ActionAnswer) -> Iterator[str]:
    """What the policy makes of words that nobody reviewed, where there are any."""
    branch, asks = code(answer.occasion.default_branch), answer.require_review
    if answer.unreviewed or answer.unasked:
        policy = code(f"trust.require_review: {'true' if asks else 'false'}")
        counts = (
            "is as good as unmerged, and delivered to nobody, until a commit with `Reviewed-by` of another person brings it"
            if asks
            else "counts as approved by its merge, unless a bot alone brought it"
        )
        yield f"The policy says {policy}: what came to {branch} without a review {counts}."
    hidden = [one for one in answer.arrived if one.review == "reviewed" and one.doubt]
    if hidden:
        yield (
            f"{plural(len(hidden), 'memory file')} of it was approved on the forge alone: clones, which cannot see that,"
            " take it for unmerged until a commit with `Reviewed-by` of another person brings it."
        )
    if answer.proposed and all(one.reviewed is None for one in answer.proposed):
        review = ", which the policy wants reviewed (`trust.require_review: true`)" if asks else ""
        yield f"What is proposed here is not merged, so not approved: its merge into {branch} approves it{review}."
